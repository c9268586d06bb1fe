"""Plots about sharing, quarrels and fears."""

from beings import GRANDPARENTS
from story import Story
from things import FOODS


def share_food(s: Story) -> None:
    """The hero shares food with somebody hungry, who later helps in return."""
    carried, piece, the_food = s.rng.choice(FOODS)
    s.put(carried=carried, piece=piece, the_food=the_food)
    first = s.stranger("x")
    s.elder(GRANDPARENTS)
    s.opening(("kind", "gentle", "friendly", "generous", "good-hearted"))
    s.day(
        "{h} was carrying {carried} to {e.the}.",
        "{h} packed {carried} and went to visit {e.the}.",
        "{h} set out along {path} with {carried}.",
    )
    s.sight(0.3)
    s.put(place=s.spot())
    s.say("{place}, {he} met {x.a}.", "On the way {he} saw {x.a} sitting {place}.")
    s.say(
        '"I am so hungry," said {x.the}. "[I have not eaten all day|I could not find any food today|My stomach is empty]."',
        "{x.the} looked tired and hungry.",
        '"That smells good," said {x.the} in a small voice.',
    )
    s.say(
        '"Then you must have {piece}," said {h}.',
        '"Here is {piece} for you," said {h}.',
        "{h} [did not think long|smiled] and gave {x.him} {piece}.",
    )
    s.say(
        '"Thank you," said {x.the}. "[I will not forget this|You are very kind]."',
        "{x.the} ate it up and thanked {him}.",
    )
    s.para()
    troubles = [
        (
            "{h} came to a place where the path split in two. {he} did not know which way to go.",
            '"Take the left path," called a voice. It was {x.the}! "I know the way."',
        ),
        (
            "a thick mist came down, and {h} could not see the path anymore.",
            'A small voice called, "follow me!" It was {x.the}, who led {him} safely through the mist.',
        ),
        (
            "{h} slipped, and {his} foot got stuck between two stones.",
            "{x.the} heard {him} call and came running. Together they pulled until {his} foot was free.",
        ),
        (
            "it grew dark, and {h} was afraid of losing the way.",
            '"I can see well in the dark," said {x.the}. "I will walk with you."',
        ),
        ("the wind blew {his} hat away.", "{x.the} ran after it and brought it back."),
    ]
    if "swim" in first.kind.can:
        troubles.append(
            (
                "{h} came to the water, and the bridge was broken.",
                "{x.the} came swimming and pushed a log to {him}. On the log {he} crossed the water.",
            )
        )
    if "fly" in first.kind.can:
        troubles.append(
            ("{h} lost the way among the rocks.", "{x.the} flew up high, looked around and showed {him} the way.")
        )
    if "dig" in first.kind.can:
        troubles.append(
            ("a big heap of earth had fallen across the path.", "{x.the} dug a way through it, and {h} could go on.")
        )
    trouble, rescue = s.rng.choice(troubles)
    s.say("[Later|A little later|Soon], " + trouble)
    s.say(rescue)
    s.say(
        '"Thank you!" said {h}. "[You saved me|Now you have helped me too]."',
        '"You shared with me, so I help you," said {x.the}.',
        p=0.7,
    )
    s.say(
        "At last they reached {e.the}, and they all ate {the_food} together.",
        "When they came to {e.the}, there was still enough for everyone.",
        p=0.8,
    )
    s.close(
        "A kind deed always comes back.",
        "{h} was glad that {he} had shared.",
        "From then on, {h} and {x.the} were friends.",
        "Food tastes best when it is shared.",
    )


def quarrel(s: Story) -> None:
    """Two friends want the same thing, quarrel over it, and make up."""
    t = s.thing(
        taken=(
            "key",
            "ring",
            "button",
            "necklace",
            "scarf",
            "coat",
            "mitten",
            "cup",
            "spoon",
            "hat",
            "umbrella",
            "blanket",
            "music box",
            "teddy bear",
        )
    )
    s.friend()
    s.opening(("lively", "cheerful", "playful", "stubborn", "proud"))
    s.put(place=s.spot(), think=s.spot())
    s.say("{h} and {f.intro} were [best|good|old] friends.", "{his} best friend was {f.intro}.")
    s.day(
        "they found {t.a} {place}.",
        "the two friends were walking along {path} when they saw {t.a} {place}.",
        "they saw something {place}. It was {t.a}!",
    )
    if s.rng.random() < 0.5:
        s.say('"I saw it first!" [cried|said] {h}.')
        s.say('"No, I did!" said {f}.', '"No, I saw it before you!" cried {f}.')
    else:
        s.say('"It is mine!" [shouted|cried] {h}.', '"I want to have it," said {h}.')
        s.say('"No, it is mine!" cried {f}.', '"But I want it too," said {f}.')
    if t.tags & {"light", "soft", "fragile"}:
        s.say(
            "{h} pulled on one side and {f} pulled on the other. Rip! {t.the} [broke|came apart] in the middle.",
            "They both pulled as hard as they could, until {t.the} broke.",
        )
        broken = True
    else:
        s.say(
            "They pulled and pulled, until {t.the} flew out of their hands and fell into the mud.",
            "They pushed and pulled, and {t.the} rolled down the hill and into a ditch.",
        )
        broken = False
    s.say(
        "[Now they were both angry|Now nobody could play with it|They did not look at each other]. {h} went one way and {f} went the other.",
        '"It is all your fault!" they both said, and they walked away.',
    )
    s.para()
    s.say(
        "{h} sat {think} and felt lonely.",
        "{h} tried to play alone, but it was no fun.",
        "That [afternoon|evening], {h} thought about {f.name}.",
    )
    s.say(
        '"{f.name} is more important than any {t.noun}," {he} thought.',
        "{he} missed {his} friend.",
        '"I was not fair," {he} thought.',
    )
    s.say(
        'So {he} went to {f} and said, "I am sorry. [I should have shared|I was selfish|Please be my friend again]."',
        'So {he} ran to find {f}. "I am sorry," {he} said.',
    )
    s.say('"I am sorry too," said {f}.', '"So am I," said {f}, and {f.he} [smiled|gave {him} a hug].')
    if broken:
        s.put(with_what="needle and thread" if "soft" in t.tags else "glue")
        s.say(
            "Together they mended {t.the} with {with_what}.",
            "They sat down and fixed {t.the}, and it took them all afternoon.",
        )
    else:
        s.say(
            "Together they pulled {t.the} out and washed it until it was clean.",
            "They got {t.the} back and cleaned it together.",
        )
    s.say(
        "After that they took turns. {h} had it one day, and {f} had it the next.",
        "Then they played with it together, and that was twice as much fun.",
        '"You can have it first," said {h}. "No, you first," said {f}, and they both laughed.',
    )
    s.close(
        "They never fought about a {t.noun} again.",
        "A friend is better than any {t.noun}.",
        "And they stayed friends for a long, long time.",
    )


FEARS = (
    (
        "the dark",
        "it was night and {h} had to go home alone",
        "the night is only the day with its eyes closed",
        "counted the stars, one by one",
        "the dark was full of quiet, lovely things",
    ),
    (
        "thunder",
        "a storm came up and the thunder rolled",
        "thunder is only two clouds bumping into each other",
        "counted the time between the lightning and the thunder",
        "the storm was already moving away",
    ),
    (
        "deep water",
        "{his} friends were swimming in {water}",
        "the water will carry you if you lie still",
        "lay on {his} back and breathed slowly",
        "{he} was floating like a leaf",
    ),
    (
        "high places",
        "{his} friends climbed up to see the view",
        "look at your next step, not at the ground",
        "took one small step after another",
        "{he} stood at the top and could see the whole world",
    ),
    (
        "big dogs",
        "a big dog stood in the middle of the path",
        "stand still and speak softly",
        "stood still and held out {his} hand",
        "the dog wagged its tail and licked {his} fingers",
    ),
    (
        "talking to others",
        "there was a party and everybody was there",
        "ask one question and then listen",
        'asked, "what is your name?"',
        "{he} was talking and laughing with everyone",
    ),
    (
        "singing in front of others",
        "it was the day of the big concert",
        "sing for one friend and forget the rest",
        "looked only at {f.name} and began to sing",
        "the whole crowd was clapping",
    ),
    (
        "the old house",
        "{his} ball rolled into the old house",
        "an empty house is only waiting for visitors",
        "opened the door and said hello",
        "there was only a family of sparrows inside",
    ),
)


def fear(s: Story) -> None:
    """The hero is afraid of one thing, gets a piece of advice, and is brave."""
    s.friend()
    skilled = {"deep water": "swim", "high places": "climb", "big dogs": "dig"}
    can = s.slots["h"].kind.can | ({"climb"} if "fly" in s.slots["h"].kind.can else set())
    what, event, advice, deed, result = s.rng.choice([f for f in FEARS if skilled.get(f[0]) not in can])
    s.opening(("shy", "quiet", "careful", "gentle"), day=False)
    if what == "thunder":
        s.weather("rainy")
    s.put(what=what)
    s.say(
        "But {he} was afraid of {what}.",
        "There was only one problem. {he} was afraid of {what}.",
        "{h} had a secret. {he} was afraid of {what}.",
    )
    s.put(event=s.fill(event), advice=advice, deed=s.fill(deed), result=s.fill(result))
    if what == "the dark":
        s.say("One evening, {event}.", "[Then|But] one day, {event}.")
    else:
        s.say("One day, {event}.", "[Then|But] one day, {event}.")
    s.say(
        "{his} knees began to shake.",
        "{his} heart beat very fast.",
        "{h} wanted to run away.",
        '"I cannot do it," whispered {h}.',
    )
    s.para()
    s.say(
        "{f.intro} saw that {he} was afraid.",
        "{f.intro} sat down next to {him}.",
        "{f.intro} was standing beside {him}.",
    )
    s.say(
        '"I used to be afraid of {what} too," said {f}. "[Remember this|My mother told me something|Here is a secret]: {advice}."',
        '"Everybody is afraid of something," said {f}. "But {advice}."',
        '"Shall I tell you a secret?" asked {f}. "{advice}."',
    )
    s.say('"Will you stay with me?" asked {h}. "Of course," said {f}.', p=0.35)
    s.say(
        "{h} took a deep breath. Then {he} {deed}.",
        "So {h} closed {his} eyes for a moment. Then {he} {deed}.",
        "{h} thought about these words. {he} {deed}.",
    )
    s.say(
        "And [soon|after a while|before long], {result}.", "It was hard at first. But [soon|after a while], {result}."
    )
    s.para()
    s.say(
        '"I did it!" cried {h}.',
        '"You see?" said {f}. "You are braver than you think."',
        '"I was afraid, but I did it anyway," said {h}.',
        '"That was not so bad," laughed {h}.',
    )
    s.close(
        "From that day on, {h} was not afraid of {what} anymore.",
        "To be brave is to be afraid and to do it anyway.",
        "{h} was still a little afraid sometimes, but now {he} knew what to do.",
        "The next time, {h} helped somebody else to be brave.",
    )


PLOTS = ((share_food, 1.2), (quarrel, 1.1), (fear, 1.2))
