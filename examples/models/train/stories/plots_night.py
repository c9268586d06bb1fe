"""Plots about storms, wishes and noises in the night."""

from story import Story
from things import MEALS


def shelter(s: Story) -> None:
    """Bad weather brings one guest after another to the hero's house; there is room for everybody."""
    snowy = s.rng.random() < 0.5
    s.weather("snowy" if snowy else "rainy")
    s.stranger("x")
    s.stranger("y")
    s.put(meal=s.rng.choice(MEALS), storm="snow" if snowy else "rain", cold="cold" if snowy else "wet")
    s.opening(("kind", "friendly", "gentle", "generous"), day=False)
    s.say(
        "One evening, a great storm came up. [The wind howled around the house|The {storm} fell harder and harder].",
        "One night it was {cold} and dark outside, and the {storm} did not stop.",
    )
    s.say(
        "{h} sat by the fire and was glad to be inside.",
        "{h} was just cooking {meal}.",
        "{he} had a warm fire and {meal}.",
    )
    s.say("Then there was a knock at the door.", "Knock, knock, knock! Somebody was at the door.")
    s.say(
        'It was {x.a}. "I am so {cold}," said {x.the}. "May I come in?"',
        'Outside stood {x.a}, {cold} and tired. "Please let me in," {x.he} said.',
    )
    s.say(
        '"Of course," said {h}. "[Sit down by the fire|Come in and get warm|There is enough room]."',
        "{h} opened the door wide and gave {x.him} a blanket.",
    )
    s.para()
    s.say("Soon there was another knock. This time it was {y.a}.", "A little later, {y.a} stood at the door.")
    s.say(
        '"My house is full of water," said {y.the}.' if not snowy else '"The snow has covered my house," said {y.the}.',
        '"I lost my way in the storm," said {y.the}.',
    )
    s.say(
        '"Then stay with us," said {h}.',
        '"Is there room for one more?" {y.he} asked. "There is always room for one more," said {h}.',
    )
    s.say(
        "The house was small, but nobody minded.",
        "Now it was a little crowded, but it was warm.",
        "They all moved closer together.",
    )
    s.say("They ate {meal} and told stories.", "{x.the} sang a song, {y.the} told a joke, and they all ate {meal}.")
    s.say(
        "At last they fell asleep, side by side, while the wind howled outside.",
        "When the fire burned low, everybody slept.",
        p=0.7,
    )
    s.para()
    s.say("In the morning the storm was over, and the sun was shining.", "The next morning, the sky was clear.")
    s.say(
        "{x.the} and {y.the} thanked {h} and helped {him} [clean the house|chop wood|clear the path].",
        '"We will never forget this night," said {x.the}.',
    )
    s.close(
        "A small house is big enough when the heart is big.",
        "After that, {h} was never alone in a storm.",
        "And whenever it stormed, they all met again at the house of {h}.",
    )


MAGIC = (
    ("a golden lamp", "a tiny spirit", "the lamp"),
    ("a silver fish in a net", "the fish", "the water"),
    ("a glowing stone", "a voice", "the stone"),
    ("an old bottle", "a little cloud with eyes", "the bottle"),
    ("a fallen star", "the star", "the sky"),
    ("a strange little bell", "a fairy", "the bell"),
)
NEEDS = (
    ("could not walk, because {f.his} leg was hurt", "{f.name} could walk again", "ran outside and jumped for joy"),
    ("was very ill and lay in bed", "{f.name} was well again", "sat up and asked for something to eat"),
    (
        "had lost {f.his} house in a storm",
        "{f.name} had a new house",
        "stood in front of a new house and could not believe it",
    ),
    (
        "was sad, because {f.his} garden was dry",
        "it would rain on the garden of {f.name}",
        "danced in the rain among the flowers",
    ),
    ("had lost {f.his} voice and could not sing", "{f.name} could sing again", "sang so loudly that the windows shook"),
    ("was far away and could not come home", "{f.name} would come home", "stood at the door and laughed"),
)
TEMPTING = (
    "a mountain of cake",
    "a big castle",
    "a chest full of gold",
    "a flying horse",
    "a hundred toys",
    "a crown with jewels",
    "a ship with white sails",
)


def wish(s: Story) -> None:
    """The hero finds something magic, has one wish, and spends it on a friend."""
    s.friend()
    magic, speaker, source = s.rng.choice(MAGIC)
    need, granted, joy = s.rng.choice(NEEDS)
    one, two = s.rng.sample(TEMPTING, 2)
    s.opening(("kind", "good", "gentle", "poor but cheerful", "curious"))
    s.put(
        magic=magic,
        speaker=speaker,
        source=source,
        need=s.fill(need),
        granted=s.fill(granted),
        joy=joy,
        one=one,
        two=two,
        place=s.spot(),
    )
    s.say("{his} best friend was {f.intro}. But {f} {need}.", "{h} had a friend, {f.intro}, who {need}.")
    s.day("{h} found {magic} {place}.", "{h} saw something shine {place}. It was {magic}.")
    s.say(
        "When {he} touched it, {speaker} [spoke|appeared and spoke] to {him}.",
        "{he} picked it up, and {speaker} said hello.",
    )
    s.say(
        '"You have set me free," it said. "[You may make one wish|I will give you one wish|One wish is yours]."',
        '"Make one wish," it said. "But choose well."',
    )
    s.para()
    s.say(
        "{h} thought about it. {he} could wish for {one}. {he} could wish for {two}.",
        '"{one}?" thought {h}. "Or {two}?"',
        "First {he} thought of {one}. Then {he} thought of {two}.",
    )
    s.say("But then {he} thought of {f.name}, who {need}.", "But then {he} remembered {f.name}.")
    s.say('"I wish that {granted}," {he} said.', '"I know my wish," said {h}. "I wish that {granted}."')
    s.say(
        '"Is that all?" it asked. "Nothing for you?" {h} shook {his} head.',
        '"That is a good wish," it said, and there was a bright flash.',
    )
    s.para()
    s.say("{h} ran home as fast as {he} could.", "{h} ran to {f.name}.")
    s.say("And there was {f}! {f.he} {joy}.", "The wish had come true. {f} {joy}.")
    s.say(
        "They hugged each other and [laughed|cried for joy|danced].",
        '"What happened?" asked {f}. {h} only smiled.',
        p=0.7,
    )
    s.close(
        "{h} never wished for anything else.",
        "It was the best wish {he} could have made.",
        "{h} had no gold, but {he} had a happy friend.",
        "And {magic} was never seen again.",
    )


NOISES = (
    ("scratch, scratch", "{x.a} was trying to open a jar of jam", "{h} opened the jar, and they shared the jam"),
    ("tap, tap, tap", "{x.a} was knocking on the window with a twig", "{x.he} had only wanted to say good night"),
    (
        "hoo, hoo",
        "the wind was blowing over an empty bottle, and {x.a} was listening to it",
        "they made music with the bottle together",
    ),
    ("crunch, crunch", "{x.a} was eating apples in the dark", "{x.he} was ashamed and gave {him} the biggest apple"),
    ("splash, splash", "{x.a} was taking a bath in a bucket", "{h} brought {x.him} some soap and a towel"),
    (
        "ring, ring",
        "{x.a} had a little bell around {x.his} neck and could not get it off",
        "{h} untied the string, and it was quiet again",
    ),
    (
        "boo-hoo, boo-hoo",
        "{x.a} was crying because {x.he} could not sleep",
        "{h} sang a song until {x.his} eyes closed",
    ),
    ("thump, thump", "{x.a} was practicing a dance", "{x.he} showed {him} all the steps"),
)


def night_noise(s: Story) -> None:
    """A noise in the night frightens the hero until its harmless cause is found."""
    s.stranger("x")
    noise, cause, after = s.rng.choice(NOISES)
    s.put(noise=noise, cause=s.fill(cause), after=s.fill(after), place=s.spot())
    s.opening(("curious", "brave", "quiet", "careful", "lively"), day=False)
    s.say(
        "One night, {h} could not sleep.",
        "One night, {h} woke up. The moon was shining through the window.",
        "It was late at night, and everybody was asleep.",
    )
    s.say(
        "Then {he} heard a strange noise. {noise}!",
        '"{noise}!" There was something outside.',
        "From outside came a sound. {noise}, it went, {noise}.",
    )
    s.say(
        '"Is it a monster?" {he} thought.',
        "{h} pulled the blanket over {his} head.",
        '"Maybe it is a ghost," whispered {h}.',
        "{his} heart beat loudly.",
    )
    s.say(
        "But the noise did not stop, and {h} wanted to know what it was.",
        "{h} waited, but there it was again. {noise}!",
    )
    s.para()
    s.say(
        "{he} took [a lantern|a candle|a little lamp] and opened the door.",
        "So {he} put on {his} slippers and went outside, step by step.",
    )
    s.say(
        "The garden looked strange in the moonlight.",
        "The shadows were long and black.",
        "An owl flew over the roof.",
        p=0.5,
    )
    s.say(
        '"Who is there?" called {h}. {his} voice was very small.',
        '"I am not afraid of you!" {he} called, but that was not quite true.',
        p=0.7,
    )
    s.say("{he} lifted the light and looked {place}.", "The noise came from somewhere near. {h} looked {place}.")
    s.say("And what did {he} see? {cause}!", "It was no monster at all. {cause}.", "There was no ghost. {cause}!")
    s.para()
    s.say(
        '"Oh, it is only you!" laughed {h}.',
        '"I am sorry that I woke you," said {x.the}.',
        "{h} laughed until {his} stomach hurt.",
        '"You frightened me," said {h}. "And you frightened me with that light!" said {x.the}.',
    )
    s.say("In the end, {after}.", "{after}.")
    s.close(
        "After that, {h} went back to bed and slept until morning.",
        "After that, when {he} heard a noise at night, {he} only smiled.",
        "Most things are not so bad when you look at them with a light.",
        "From then on, the two of them were friends.",
    )


PLOTS = ((shelter, 1.0), (wish, 1.0), (night_noise, 1.1))
