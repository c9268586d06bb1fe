"""Plots about things and creatures that are lost, stuck, broken or found."""

from beings import GRANDPARENTS
from story import Story
from things import SMALL_FINDS


def lost_thing(s: Story) -> None:
    """The hero loses a thing, looks in the wrong places, and finds it with a friend for a reason."""
    t = s.thing()
    s.friend()
    reasons = ["{he} had left it there while {he} was [picking flowers|watching the birds|playing|taking a nap]"]
    if "light" in t.tags:
        s.weather("windy")
        reasons = ["the wind had blown it there", "a gust of wind had carried it away"]
    elif "shiny" in t.tags:
        reasons.append("a magpie had dropped it there, because magpies love shiny things")
    elif "toy" in t.tags:
        reasons.append("a puppy had carried it away to play with it")
    if "small" in t.tags:
        reasons.append("it had fallen out of {his} [pocket|bag]")
    s.put(reason=s.fill(s.rng.choice(reasons)))
    s.opening(("cheerful", "busy", "playful", "happy", "merry", "lively"))
    s.say(
        "{he} had {t.a}, [and {he} took it everywhere|and {he} was very proud of it|and it was {his} favorite thing].",
        "{his} [grandmother|grandfather|aunt|uncle|mother] had given {him} {t.a}.",
    )
    home, first, second = s.spot(), s.spot(), s.spot()
    s.put(place=home, first=first, second=second, find1=s.rng.choice(SMALL_FINDS), find2=s.rng.choice(SMALL_FINDS))
    s.day("{h} could not find {t.the} anywhere.", "{h} saw that {t.the} was gone.", "{t.the} was gone.")
    s.say(
        "{he} looked {first}, but it was not there.",
        "{he} looked {first}, but there was only {find1}.",
        "{he} ran to look {first}. There was only {find1}.",
    )
    s.say(
        "{he} looked {second}, but {he} found [nothing|only {find2}].",
        "Then {he} searched {second}. It was not there either.",
        p=0.75,
    )
    s.say(
        "{h} felt very sad.",
        "{he} sat down and began to cry.",
        "A tear rolled down {his} cheek.",
        '"Oh no," said {h}. "I will never find it!"',
    )
    s.para()
    s.say(
        "Just then, {f.intro} came along.",
        "{f.intro} heard {him} and came closer.",
        "{his} friend {f.name} came by." if s.slots["f"].named else "{f.intro} came by.",
    )
    s.say('"What is wrong?" asked {f}.', '"Why are you so sad?" asked {f}.')
    s.say('"I have lost {t.the}," said {h}.', '"My {t.noun} is gone," said {h}. "I have looked everywhere."')
    s.say(
        '"Do not worry," said {f}. "[We will find it together|Let us look for it together|I will help you]."',
        '"Where did you have it last?" asked {f}. {h} thought hard. "I was {place}," {he} said.',
        '"Two can see more than one," said {f}.',
    )
    s.para()
    s.say(
        "So they went to look {place}, and there it was!",
        "They looked high and low. At last {f} looked {place}. There was {t.the}!",
        "Together they walked along {path} until they stood {place}. There lay {t.the}!",
    )
    s.say("{reason}.")
    s.say(
        '"Thank you, {f.name}!" said {h}, and {he} hugged {f.him}.',
        "{h} was so happy that {he} danced around {f}.",
        '"You found it!" cried {h}. "[Thank you so much|You are a good friend]."',
    )
    s.close(
        "From that day on, {h} always took good care of {t.the}.",
        "After that, the two of them were the best of friends.",
        "{h} learned that it is easier to look with a friend.",
        "Then they played together until the sun went down.",
    )


STUCK_HIGH = (
    "{h} jumped as high as {he} could, but {he} could not reach it.",
    "{he} threw a stick, but it missed.",
    "{he} shook the trunk, but nothing moved.",
    "{he} stood on a box, but {he} was still too small.",
    "{he} tried to climb up, but {he} slid down again.",
)
STUCK_WATER = (
    "{h} tried to reach it with a long stick, but the stick was too short.",
    "{he} threw small stones, but the waves pushed it farther away.",
    "{he} stepped into the water, but it was too cold and too deep.",
)
STUCK_HOLE = (
    "{h} reached down, but {his} arm was too short.",
    "{he} tried to catch it with a string, but the string broke.",
    "{he} called into the hole, but only an echo came back.",
)


def stuck_thing(s: Story) -> None:
    """A toy is stuck where the hero cannot reach it; somebody with the right gift gets it back."""
    kind = s.rng.choice(("high", "high", "water", "hole"))
    if kind == "high":
        s.thing("light" if s.rng.random() < 0.7 else "toy", taken=("wagon", "toy train", "drum", "boat", "doll"))
        s.weather("windy")
        s.put(
            trap=s.rng.choice(s.setting.tall), how="[the wind blew it|a gust of wind carried it|it flew up and landed]"
        )
        tries, can = STUCK_HIGH, s.rng.choice(("fly", "climb"))
    elif kind == "water":
        s.thing("toy", taken=("drum", "whistle", "marble", "wagon"))
        s.put(trap=f"in the middle of {s.setting.water}", how="it [slipped|fell|rolled] out of {his} hands and landed")
        tries, can = STUCK_WATER, "swim"
    else:
        s.thing("small", taken=("ribbon", "feather"))
        s.put(trap="at the bottom of a deep, dark hole", how="it [slipped|fell|dropped] out of {his} hands and landed")
        tries, can = STUCK_HOLE, "dig"
    s.slots["how"] = s.fill(s.slots["how"])
    s.friend(can)
    s.opening(("cheerful", "playful", "happy", "lively", "careless", "merry"))
    s.day(
        "{h} was playing with {t.a}.",
        "{h} took {t.a} outside.",
        "{h} was very proud of {his} new {t.noun}. It was {t.a}.",
    )
    s.sight(0.25)
    s.say("[Suddenly|But then|All at once], {how} {trap}.")
    s.say(
        '"Oh no!" cried {h}.',
        '"Oh dear," said {h}. "How will I get it back?"',
        "{h} [stared|looked] at it and did not know what to do.",
        p=0.6,
    )
    first, second = s.rng.sample(range(len(tries)), 2)
    s.say(tries[min(first, second)])
    s.say(tries[max(first, second)], p=0.6)
    s.para()
    s.say("{f.intro} saw what had happened.", "{f.intro} was watching {spot}.", "{f.intro} came along and stopped.")
    s.say(
        '"Can I help you?" asked {f}.',
        '"Wait," said {f}. "I can help you."',
        '"That looks hard," said {f}. "Let me try."',
    )
    deeds = {
        "fly": ("{f} spread {f.his} wings and flew up.", "{f} flew up into the air and took it in {f.his} beak."),
        "climb": ("{f} climbed up, higher and higher.", "{f} was a very good climber, and soon {f.he} was at the top."),
        "swim": (
            "{f} jumped into the water and swam out to it.",
            "{f} was a very good swimmer. {f.he} dived in with a splash.",
        ),
        "dig": (
            "{f} began to dig, and the earth flew in all directions.",
            "{f} dug a little tunnel down to the bottom.",
        ),
    }
    s.say(*deeds[can])
    s.say(
        "A moment later {f.he} was back with {t.the}.",
        "Soon {f.he} was standing there with {t.the}.",
        "In no time at all, {t.the} was safe.",
    )
    s.say(
        '"Thank you!" said {h}. "[How can I thank you|What can I do for you]?"',
        '"You are wonderful!" cried {h}.',
        "{h} was so happy that {he} jumped up and down.",
    )
    s.say(
        '"[Let me play with you|May I play too]?" asked {f}. [So they played together all afternoon|And that is what they did].',
        '"It was nothing," said {f}. "[Friends help each other|I like to help]."',
        p=0.7,
    )
    s.close(
        "After that, {h} and {f.name} played together every day.",
        "{h} learned that everyone is good at something.",
        "From then on, {h} was more careful with {his} {t.noun}.",
        "What one cannot do alone, two can do together.",
    )


def lost_baby(s: Story) -> None:
    """The hero finds a lost baby animal and brings it home by following a clue."""
    b = s.stranger("b", baby=True)
    s.elder()
    s.opening(("kind", "gentle", "helpful", "brave", "friendly"))
    s.put(place=s.spot(), near=s.spot(), wrong=s.spot(), mother=b.kind.noun)
    s.day(
        "{h} heard [a soft cry|somebody crying|a small voice] {place}.",
        "{h} found a {b.noun} {place}. It was [crying|shaking|all alone].",
    )
    heard = "heard" in s.paragraphs[-1][-1]
    s.say("It was {b.a}, all alone." if heard else "{h} sat down beside it.")
    s.say(
        '"What is the matter?" asked {h}.',
        '"Why are you crying?" asked {h} softly.',
        '"Are you lost, little one?" asked {h}.',
    )
    s.say(
        '"I cannot find my [mother|family|home]," said {b.the}.',
        '"I [followed a butterfly|ran after a leaf|wanted to see the world], and now I am lost," said {b.the}.',
    )
    s.say(
        '"I will [help you|take you home]," said {h}. "What is near your home?"',
        '"Do not be afraid," said {h}. "What can you see from your home?"',
    )
    clues = (
        ("a big round stone", "the big round stone"),
        ("a tree with white flowers", "the tree with white flowers"),
        ("a little bridge", "the little bridge"),
        ("three tall birches", "the three tall birches"),
        ("a red fence", "the red fence"),
        ("a patch of wild mint", "the patch of wild mint"),
    )
    clue, again = s.rng.choice(clues)
    s.put(clue=clue, again=again)
    s.say('{b.the} thought about it. "There is {clue}," {b.he} said.', '"I remember {clue}," said {b.the}.')
    s.para()
    s.say(
        "They walked [hand in hand|side by side] along {path}.",
        "So they set off along {path}.",
        "{h} took the {b.noun} by the hand, and off they went.",
    )
    s.say(
        "First they looked {wrong}, but there was nobody.",
        "They looked {wrong}, but {again} was nowhere to be seen.",
        p=0.6,
    )
    s.say(
        'Then they met {e.the}. "[I know that place|I have seen it]," said {e.the}. "Look {near}."',
        '{e.the} came along and listened to them. "You must look {near}," {e.he} said.',
    )
    s.say("They thanked {e.him} and hurried on.", p=0.4)
    s.say("And there, {near}, they saw {again}.", "Soon they saw {again}, just as {b.the} had said.")
    s.para()
    s.say(
        '"My baby!" cried the mother {mother}. She ran to them and hugged the {b.noun}.',
        "The mother {mother} came running. She had been looking everywhere.",
        '"There you are!" cried the mother {mother}, and she held the {b.noun} close.',
    )
    s.say(
        '"Thank you for bringing my little one home," she said to {h}.',
        "She thanked {h} [again and again|with all her heart].",
    )
    s.put(
        gift=s.rng.choice(
            ("a jar of honey", "a crown of flowers", "a warm meal", "a shiny stone", "a bag of nuts", "a soft feather")
        )
    )
    s.say("She gave {him} {gift}.", "{h} got {gift} and a big hug.", p=0.6)
    s.close(
        "{h} walked home [slowly|happily] and felt very proud.",
        "After that, the {b.noun} came to visit {h} every week.",
        "It felt good to help someone small.",
        "From then on, the {b.noun} never went out alone.",
    )


def honest(s: Story) -> None:
    """The hero breaks a thing that belongs to somebody else, is tempted to hide it, and tells the truth."""
    s.thing("fragile", taken=("kite", "balloon", "book", "boat"))
    s.elder(GRANDPARENTS)
    s.opening(("lively", "playful", "curious", "wild", "quick"))
    s.day(
        "{h} was [running|jumping|dancing|playing] in the house of {e.the}.",
        "{h} was visiting {e.the} and ran through the room.",
    )
    s.say(
        "{he} did not look where {he} was going, and {he} bumped into the table.",
        "{he} turned around too fast and hit the shelf.",
    )
    s.say(
        "Crash! {t.the} of {e.the} fell down and broke.",
        "{t.a} fell to the floor and broke into [two|three|many] pieces.",
    )
    s.say(
        "{h} looked at the pieces. {his} heart beat fast.",
        '"Oh no," whispered {h}. "What have I done?"',
        "Nobody had seen it.",
    )
    s.put(
        hide=s.rng.choice(("under the bed", "behind the curtain", "in the garden", "in a dark corner", "under a rug"))
    )
    s.say(
        "{he} wanted to hide the pieces {hide}.",
        '"I could hide it {hide}," {he} thought.',
        "First {he} hid the pieces {hide} and ran outside.",
    )
    s.say(
        "But {he} felt bad. {his} stomach hurt, and {he} could not [play|eat|sleep].",
        "But then {he} thought of how {e.the} had always been kind to {him}.",
    )
    s.para()
    s.say("At last, {h} went to {e.the}.", "So {he} took a deep breath and went to {e.the}.")
    s.say(
        '"I am sorry," {he} said. "I broke {t.the}. It was my fault."',
        '"I have to tell you something," said {h}. "I broke your {t.noun}, and I am very sorry."',
    )
    s.say("{e.the} was quiet for a moment.", "{e.the} looked at {him} for a long time.", p=0.6)
    s.say(
        '"Thank you for telling me the truth," {e.he} said. "That was brave."',
        'Then {e.he} smiled. "A {t.noun} can be mended," {e.he} said. "But the truth is worth more."',
        '"I am a little sad," {e.he} said. "But I am glad that you told me."',
    )
    s.say(
        "Together they glued the pieces, one by one.",
        "They found some glue and put {t.the} back together.",
        "They sat down at the table and mended it.",
    )
    s.say(
        "[In the end|When they were done], it looked almost new.",
        "You could still see a thin line, but that made it special.",
    )
    s.close(
        "{h} felt [light|happy] again.",
        "{he} never hid anything again.",
        "From that day on, {h} walked more slowly in the house.",
        "{h} learned that the truth makes the heart light.",
    )


PLOTS = ((lost_thing, 1.2), (stuck_thing, 1.2), (lost_baby, 1.0), (honest, 0.8))
