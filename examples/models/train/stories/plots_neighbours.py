"""Plots about races, newcomers and parties: the hero among many others."""

from story import Story
from things import MEALS

RACE_TROUBLES = (
    (
        "But {x.the} was so sure of winning that {x.he} lay down for a nap.",
        "{h} walked on, step by step, and passed {x.him} quietly.",
        "slow and steady",
    ),
    (
        "But {x.the} took the wrong path, because {x.he} did not look at the signs.",
        "{h} looked carefully and took the right one.",
        "careful",
    ),
    (
        "But {x.the} stopped to show off in front of the crowd.",
        "{h} did not stop. {he} looked only at the finish.",
        "steady",
    ),
    (
        "But {x.the} ran too fast at the start and soon had no breath left.",
        "{h} had saved {his} strength and ran past {x.him} near the end.",
        "wise",
    ),
)


def race(s: Story) -> None:
    """A race against a boastful runner: the hero wins by patience, or stops to help and wins a friend."""
    s.stranger("x")
    s.opening(("patient", "quiet", "steady", "friendly", "careful"))
    s.put(start=s.spot(), goal=s.spot(), middle=s.spot())
    s.day(
        "there was a big race {where}. {x.a} was the fastest of all.",
        '{x.a} said, "I am the fastest of all. Who wants to race against me?"',
    )
    s.say("The race went from a place {start} to a place {goal}.", "They had to run all the way along {path}.", p=0.5)
    s.say(
        '"You will never win," said {x.the} to {h}. "[I am much faster than you|Look at my legs]!"',
        '{x.the} laughed at {h}. "You are far too slow," {x.he} said.',
    )
    s.say('"We will see," said {h}.', '"I will do my best," said {h}.', "{h} said nothing and stood at the start.")
    s.say(
        '"One, two, three, go!" [called the judge|shouted the crowd|they all cried].',
        "[A bell rang|A whistle blew], and the race began.",
    )
    s.para()
    s.say("{x.the} ran off like the wind.", "Soon {x.the} was far ahead.", "{x.the} was out of sight in a moment.")
    if s.rng.random() < 0.6:
        trouble, answer, _ = s.rng.choice(RACE_TROUBLES)
        s.say(trouble)
        s.say(answer)
        s.say(
            "When {x.the} saw it, it was too late. {h} was already at the finish!",
            "And so {h} crossed the line first, and everybody cheered.",
        )
        s.say(
            '"I am sorry that I laughed at you," said {x.the}. "[You ran well|You have earned it]."',
            '"How did you do that?" asked {x.the}. "I just kept going," said {h}.',
        )
        s.close(
            "{h} won [a golden cup|a blue ribbon|a big cake], and {he} shared it with {x.the}."
            if s.rng.random() < 0.6
            else "{x.the} never laughed at a slow runner again.",
            "It is not always the fastest who wins.",
            "Those who keep going will get there.",
        )
        return
    s.say("But {middle}, {x.he} [tripped over a root|fell over a stone|slipped in the mud] and hurt {x.his} foot.")
    s.say(
        '{h} could have run past {x.him} and won. But {he} stopped. "Are you hurt?" {he} asked.',
        "When {h} came by, {he} stopped at once and sat down beside {x.him}.",
    )
    s.say(
        '"Why do you help me?" asked {x.the}. "You could win!"',
        '"Go on and win," said {x.the}. "I was not nice to you."',
    )
    s.say('"A friend is better than a prize," said {h}.', '"I will not leave you alone," said {h}.')
    s.say(
        "{x.the} leaned on {his} shoulder, and they walked to the finish together.",
        "Side by side, they crossed the line as the last ones, and everybody clapped for them.",
    )
    s.close(
        "From that day on, {x.the} and {h} were friends.",
        "They won no prize, but they won something better.",
        "{x.the} never boasted again.",
    )


TALENTS = (
    ("sing", "sang a song so lovely that even the birds stopped to listen"),
    ("tell stories", "told a story about dragons and far away islands"),
    ("paint", "had painted pictures of everyone, and they were beautiful"),
    ("bake", "put a cake on the table that smelled like heaven"),
    ("play the violin", "took out a violin and played a happy dance"),
    ("make toys", "showed them a shelf full of little wooden toys"),
    ("grow flowers", "had a garden full of flowers of every color"),
    ("juggle", "juggled five apples at the same time"),
)


def newcomer(s: Story) -> None:
    """Somebody new moves in; the others keep away, the hero pays a visit and finds a talent."""
    s.stranger("x")
    talent, deed = s.rng.choice(TALENTS)
    s.put(
        talent=talent,
        deed=deed,
        place=s.spot(),
        meal=s.rng.choice(MEALS),
        why=s.rng.choice(("too quiet", "strange", "not like us", "a little odd")),
    )
    s.opening(("friendly", "kind", "curious", "open-hearted"))
    s.day("{x.a} moved into an empty house {place}.", "somebody new came to live {place}. It was {x.a}.")
    s.say(
        '"That one is {why}," said the others, and they stayed away.',
        "Nobody talked to {x.the}, and {x.the} never came out.",
        'The neighbors whispered, "{x.he} is {why}."',
    )
    s.say(
        "But {h} thought that {x.the} looked lonely.",
        '"Maybe {x.he} is just shy," said {h}.',
        "{h} wanted to find out for {himself}.",
    )
    s.para()
    s.say(
        "So {he} [took some flowers|baked some cookies|packed a little gift] and knocked on the door.",
        "The next morning, {h} went there and knocked three times.",
    )
    s.say("The door opened slowly.", '"Who is there?" asked a small voice.', p=0.6)
    s.say(
        '"Welcome," said {h}. "[I am your neighbor.|I wanted to say hello.|Would you like to be my friend?]"',
        '"Hello! My name is {h.name}," said {h}.' if s.slots["h"].named else '"Hello, neighbor!" said {h}.',
    )
    s.say(
        "{x.the} smiled for the first time. They drank tea and talked for hours.",
        '"Nobody has come to see me before," said {x.the}. "Please come in."',
        "{x.the} was so happy that {x.he} almost cried.",
    )
    s.say(
        "And what a surprise! {x.the} {deed}." if deed.startswith("had") else "Then {x.the} {deed}.",
        "{x.the} could {talent}! {x.he} {deed}."
        if talent in ("sing", "juggle", "paint")
        else "And what a surprise! {x.the} {deed}.",
    )
    s.say('"You must show this to everyone," said {h}.', '"The others have to see this!" cried {h}.')
    s.para()
    s.say(
        "The next day {h} brought all the neighbors. They [stayed until evening|clapped and cheered], and they ate {meal} together.",
        "Soon everyone {where} came to visit {x.the}.",
    )
    s.close(
        "Nobody said anymore that {x.he} was {why}.",
        "{h} had found a new friend.",
        "You never know who somebody is until you knock on the door.",
        "After that, {x.the} was never lonely again.",
    )


def surprise(s: Story) -> None:
    """Everybody seems to have forgotten the hero's birthday, but a party is being prepared in secret."""
    s.friend()
    s.stranger("x")
    s.put(gift=s.thing().a, place=s.spot(), party=s.spot())
    s.opening(("cheerful", "friendly", "kind", "merry"), day=False)
    s.say(
        "One morning, {h} woke up very early. It was {his} birthday!",
        "At last the day had come. It was the birthday of {h}.",
    )
    s.say("But nobody said a word about it.", "{he} waited for somebody to come, but nobody came.")
    s.say("{he} went to see {f.intro}.", "{h} met {f.intro} {place}.")
    s.say(
        '"I have no time today," said {f} and [ran away|closed the door].',
        '"Good morning," said {f}. "I am very busy. Goodbye!"',
    )
    s.say(
        "Then {he} saw {x.a}, but {x.he} only hid something behind {x.his} back.",
        "Then {he} met {x.a}, but {x.the} hurried away too.",
        "Even {x.a} walked past {him} without a word.",
    )
    s.say(
        '"They have all forgotten my birthday," thought {h}.',
        "{h} felt sad and alone.",
        "{he} walked along {path} and looked at {his} feet.",
    )
    s.para()
    s.say(
        "In the evening, there was a knock at the door.",
        "When the sun went down, {h} saw a light {party}.",
        "Then somebody called {his} name.",
    )
    s.say(
        'It was {f}. "[Come with me|Come quickly|Close your eyes]!" {f.he} said.',
        '"Please come, we need your help!" called {f}.',
    )
    s.say("{h} followed {f.him}, and {party} {he} saw many little lights.")
    s.say('"Surprise!" [shouted everybody|they all cried]. "Happy birthday!"')
    s.say(
        "All {his} friends were there. There was a big cake with candles, and {x.the} played the drum.",
        "There were balloons, lemonade and a cake as big as a wheel.",
        "{x.the} carried a cake, and everybody sang.",
    )
    s.say("{f} gave {him} {gift}.", '"This is for you," said {f}. It was {gift}.')
    s.say(
        '"I thought that you had forgotten me," said {h}. "Never!" said {f}.',
        '"That is why you had no time!" laughed {h}.',
    )
    s.close(
        "They danced until the moon was high in the sky.",
        "It was the best birthday of all.",
        "{h} would never forget this day.",
    )


PLOTS = ((race, 1.0), (newcomer, 0.9), (surprise, 0.8))
