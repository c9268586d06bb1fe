"""Plots about making, growing and learning."""

from story import Story

# (what, ((part, where it is found), ...), the work, the result, what is done with it)
RECIPES = (
    (
        "a vegetable soup",
        (
            ("carrots", "in the garden"),
            ("onions", "in the cellar"),
            ("potatoes", "in the field"),
            ("beans", "at the market"),
        ),
        "cut everything into small pieces and cooked it in a big pot",
        "it smelled wonderful",
        "ate",
    ),
    (
        "an apple cake",
        (
            ("apples", "under the apple tree"),
            ("eggs", "in the hen house"),
            ("flour", "at the mill"),
            ("honey", "at the beehive"),
        ),
        "mixed everything in a bowl and put it into the oven",
        "it was golden and sweet",
        "ate",
    ),
    (
        "a berry pie",
        (
            ("berries", "in the bushes"),
            ("flour", "at the mill"),
            ("butter", "at the farm"),
            ("sugar", "in the kitchen"),
        ),
        "rolled the dough and filled it with fruit",
        "the whole house smelled of pie",
        "ate",
    ),
    (
        "a raft",
        (
            ("logs", "at the edge of the forest"),
            ("rope", "in the shed"),
            ("an old sheet for a sail", "in the attic"),
            ("a long pole", "behind the house"),
        ),
        "tied everything together with strong knots",
        "it floated on the water",
        "sailed on",
    ),
    (
        "a tree house",
        (
            ("boards", "behind the barn"),
            ("nails", "in a tin box"),
            ("a ladder", "in the shed"),
            ("a little window", "in the attic"),
        ),
        "sawed and hammered the whole day",
        "it stood high among the leaves",
        "played in",
    ),
    (
        "a snowman",
        (
            ("a carrot for the nose", "in the kitchen"),
            ("two black stones for the eyes", "by the stream"),
            ("an old hat", "in the attic"),
            ("two sticks for the arms", "under a tree"),
        ),
        "rolled three big balls of snow",
        "it looked almost alive",
        "danced around",
    ),
    (
        "a kite",
        (
            ("paper", "in a drawer"),
            ("two thin sticks", "under the willow"),
            ("a ball of string", "in the shed"),
            ("a red ribbon for the tail", "in a sewing box"),
        ),
        "glued the paper to the sticks and tied the string",
        "it flew higher than the trees",
        "played with",
    ),
    (
        "a bird house",
        (
            ("boards", "in the shed"),
            ("nails", "in a tin box"),
            ("green paint", "on a shelf"),
            ("soft moss", "in the forest"),
        ),
        "hammered and painted all morning",
        "a pair of robins moved in",
        "watched",
    ),
    (
        "a big lantern",
        (
            ("colored paper", "in a drawer"),
            ("a wire", "in the workshop"),
            ("a candle", "in the kitchen"),
            ("a long stick", "by the hedge"),
        ),
        "bent the wire and glued the paper around it",
        "it shone red and gold in the evening",
        "walked with",
    ),
    (
        "a scarecrow",
        (
            ("straw", "in the barn"),
            ("an old coat", "in a chest"),
            ("two long poles", "behind the shed"),
            ("a hat with a hole", "on a hook"),
        ),
        "stuffed the coat with straw",
        "it looked so funny that even the crows laughed",
        "laughed at",
    ),
)


def _plural(part: str) -> bool:
    return part.split(" for ")[0].endswith("s") and part != "soft moss"


def make(s: Story) -> None:
    """The hero gathers three things from three places, makes something, and shares it."""
    recipes = [r for r in RECIPES if s.setting.key != "island" or r[0] != "a snowman"]
    what, parts, work, result, use = s.rng.choice(recipes)
    if what == "a snowman":
        s.weather("snowy")
    if what == "a kite":
        s.weather("windy")
    chosen = s.rng.sample(parts, 3)
    s.put(
        what=what,
        it=what.split(" ", 1)[1],
        work=work,
        result=result,
        use=use,
        **{f"p{i}": part for i, (part, _) in enumerate(chosen)},
        **{f"w{i}": place for i, (_, place) in enumerate(chosen)},
    )
    s.friend()
    s.opening(("busy", "clever", "helpful", "cheerful", "patient"), loves="to make things")
    s.day(
        "{h} wanted to make {what}.",
        '{h} had an idea. "I will make {what}!" {he} said.',
        '{h} said to {f.intro}, "Let us make {what}!"',
    )
    told = "said to" in s.paragraphs[-1][-1]
    s.say(
        '"[First we need|For that we need|Then we need] {p0}, {p1} and {p2}," said {f}.'
        if told
        else "{he} needed {p0}, {p1} and {p2}."
    )
    s.say(
        "{he} found {p0} {w0}.",
        "First {he} went to look for {p0}. {he} found them {w0}."
        if _plural(s.slots["p0"])
        else "First {he} got {p0} {w0}.",
    )
    s.say(
        "Then {he} got {p1} {w1}.", "There were {p1} {w1}." if _plural(s.slots["p1"]) else "{he} discovered {p1} {w1}."
    )
    s.say(
        "But {he} could not find {p2} anywhere.",
        "Only {p2} " + ("were missing." if _plural(s.slots["p2"]) else "was missing."),
    )
    s.para()
    if not told:
        s.say('{f.intro} came by and asked, "What are you doing?"', "{f.intro} looked over the fence.")
        s.say(
            '"I am making {what}," said {h}. "But I still need {p2}."',
            '"I have almost everything for {what}," said {h}. "Only {p2} [cannot be found|is not here]."'
            if not _plural(s.slots["p2"])
            else '"I need {p2} for {what}," said {h}.',
        )
    s.say(
        '"I know where to look," said {f}, and {f.he} brought {p2}.',
        '"I have seen {p2} {w2}," said {f}, and {f.he} ran to get ' + ("them." if _plural(s.slots["p2"]) else "it."),
        '"There must be ' + ("some" if _plural(s.slots["p2"]) else "one") + ' {w2}," said {f}. {f.he} was right!'
        if s.slots["p2"].startswith("a") or _plural(s.slots["p2"])
        else '"I can get {p2} for you," said {f}. {f.he} found everything {w2}.',
    )
    s.say("Together they {work}.", "They {work}, and they sang while they worked.", "The two friends {work}.")
    s.say(
        "It took a long time, but [in the end|at last] {result}.",
        "When they were done, {result}.",
        "And really, {result}!",
    )
    s.say('"We did it!" cried {h}.', '"It is perfect," said {f}.', "They were very proud of their work.", p=0.6)
    s.say(
        "They {use} the {it} [until evening|all day long|together with all their friends].",
        "Then they called all their friends, who {use} the {it} with them.",
        p=0.8,
    )
    s.close(
        "Making things is more fun with a friend.",
        "The next day they began to plan something new.",
        "{h} thanked {f} for {f.his} help.",
    )


SEEDS = (
    ("a pumpkin seed", "a pumpkin so big that it took four friends to carry it", "made soup for everyone"),
    ("a sunflower seed", "a sunflower taller than the house", "gave the seeds to the birds"),
    ("an apple seed", "a little tree with three red apples", "shared the apples"),
    ("a bean", "a bean plant that climbed up to the roof", "cooked the beans for dinner"),
    ("a tiny black seed", "a blue flower that nobody had ever seen before", "showed it to everyone"),
    ("a strawberry plant", "a whole bed of sweet strawberries", "had a strawberry party"),
    ("a melon seed", "a round green melon as heavy as a stone", "cut it into many slices"),
    ("a rose bush", "a hundred red roses that smelled like summer", "gave one to every neighbor"),
)


def seed(s: Story) -> None:
    """The hero plants a seed, wants it to grow at once, learns to wait, and is rewarded."""
    plant, grown, feast = s.rng.choice(SEEDS)
    s.elder()
    s.put(
        plant=plant,
        grown=grown,
        feast=feast,
        place=s.fill("[behind the house|next to the fence|under the window|in a sunny corner|beside the path]"),
    )
    s.opening(("impatient", "curious", "lively", "busy"))
    s.day(
        "{e.the} gave {h} {plant}.",
        "{h} found {plant} and showed it to {e.the}.",
        "{h} got {plant} as a present from {e.the}.",
    )
    s.say(
        '"Put it into the earth and give it water every day," said {e.the}.',
        '"Plant it, water it, and wait," said {e.the}.',
    )
    s.say("{h} dug a small hole {place} and planted it.", "So {he} planted it {place}.")
    s.say(
        "The next morning {he} ran outside, but there was nothing to see.",
        "After one day nothing had happened. After two days nothing had happened either.",
    )
    s.say(
        '"Grow!" {he} shouted. But nothing [grew|happened].',
        "{he} sang to it. {he} danced around it. Nothing happened.",
        "{he} wanted to dig it up and look at it.",
        p=0.7,
    )
    s.para()
    s.say('"Why does it take so long?" asked {h}.', '"It does not work," said {h} sadly.')
    s.say(
        '"Good things need time," said {e.the}. "[Be patient|Keep on watering it|Wait and see]."',
        '{e.the} smiled. "It is busy under the earth, where you cannot see it," {e.he} said.',
    )
    s.say(
        "So {h} watered it every morning and [waited|pulled out the weeds|told it a story].",
        "{h} tried to be patient. Every day {he} brought water, even when it was hot.",
    )
    s.say(
        "One morning, a tiny green leaf came out of the earth.",
        "Then, at last, there was a little green tip.",
        "After two weeks, something green looked out of the ground.",
    )
    s.say("It grew and grew, day after day.", "Every day it was a little taller.", p=0.7)
    s.para()
    s.say("At the end of the summer, there was {grown}.", "When autumn came, {h} had {grown}.")
    s.say("{h} called {his} friends, and they {feast}.", "{he} and {e.the} {feast}.")
    s.close(
        "{h} had learned to wait.",
        "Good things need time.",
        "The next spring, {he} planted another one.",
        '"You see?" said {e.the}. "It was worth the wait."',
    )


SKILLS = (
    ("swim", "sank like a stone", "moved {his} arms and legs slowly", "swam across the pond"),
    ("whistle", "only blew air", "made {his} lips round and small", "whistled a whole song"),
    ("ride a bicycle", "fell into the bushes", "looked straight ahead", "rode all the way around the square"),
    ("skate", "sat down on the ice again and again", "bent {his} knees a little", "made a big circle on the ice"),
    ("play the flute", "made a sound like a sick goose", "blew very gently", "played a tune that made everyone dance"),
    ("juggle", "dropped every ball", "began with only two balls", "juggled four balls at once"),
    ("read", "mixed up all the letters", "read one word at a time", "read a whole book to {his} friends"),
    ("bake bread", "burned the first loaf", "watched the oven carefully", "baked the best bread in town"),
    (
        "tie a knot",
        "got {his} own fingers tied up",
        "made one loop after the other",
        "tied a knot that nobody could open",
    ),
    ("jump rope", "got caught in the rope", "counted slowly to three", "jumped fifty times without a stop"),
    (
        "paint",
        "spilled the blue paint",
        "looked very closely before {he} began",
        "painted a picture of the whole valley",
    ),
    ("row a boat", "went around in a circle", "pulled both oars at the same time", "rowed straight across the water"),
)


def learn(s: Story) -> None:
    """The hero learns a skill by failing, getting one piece of advice and practising."""
    skill, failure, trick, success = s.rng.choice([x for x in SKILLS if x[0] not in s.slots["h"].kind.can])
    if skill == "skate":
        s.weather("snowy")
    s.friend()
    s.put(skill=skill, failure=s.fill(failure), trick=s.fill(trick), success=s.fill(success))
    s.opening(("curious", "stubborn", "brave", "cheerful", "lively"))
    s.say(
        "There was one thing {he} wanted more than anything else. {he} wanted to learn to {skill}.",
        "{h} wanted to {skill}, but {he} did not know how.",
        "All of {his} friends could {skill}. Only {h} could not.",
    )
    s.day("{he} tried it for the first time, but {he} {failure}.", "{h} tried and tried, but {he} {failure}.")
    s.say(
        "{he} tried it again, and it was just as bad.",
        "Everybody laughed.",
        '"I will never learn it," said {h}.',
        "{h} was ready to give up.",
    )
    s.para()
    s.say("Then {f.intro} came and sat down beside {him}.", "{f.intro} had seen everything.")
    s.say(
        '"It took me a whole year to learn it," said {f}. "[Let me show you|I will help you|Watch me]."',
        '"Do not give up," said {f}. "I will show you a trick."',
        '"You are trying too hard," said {f}. "Slow down a little."',
    )
    s.say("{h} listened well. This time {he} {trick}.", "{f} showed {him} how, and {h} {trick}.")
    s.say("It was still not good, but it was better.", "That worked a little better.", p=0.7)
    s.say(
        "{he} practiced every day, [in the morning and in the evening|in sun and in rain|for a whole week|for a month].",
        "Day after day, {h} practiced, and {f} helped.",
    )
    s.para()
    s.say(
        "And then, one day, {h} {success}!",
        "At last the great day came. {h} {success}.",
        "One morning everything was easy. {h} {success}!",
    )
    s.say(
        '"I can do it!" {he} cried.',
        '"I knew that you could do it," said {f}.',
        "Everybody clapped, and {f.name} clapped the loudest.",
        "Nobody laughed now.",
    )
    s.close(
        "{h} learned that practice makes you better.",
        "From then on, {h} helped others who wanted to {skill}.",
        "If you do not give up, you will get there.",
        "{h} could not stop smiling.",
    )


PLOTS = ((make, 1.2), (seed, 1.0), (learn, 1.2))
