"""The people and animals of the stories: names, pronouns, kinds and what each kind can do."""

import random
from dataclasses import dataclass

GIRLS = """Mia Lily Anna Emma Rosa Clara Nora Lucy Ella Maya Zoe Ruby Ivy Hazel Alice Eva Sara Lena Tess Nina Amy Kate
Molly Sophie Grace Jane Julia Leah Olive Poppy Daisy Violet Iris Mara Hanna Greta Elsa Freya Laila Amira Priya Yuki
Mei Ines Lola Carmen Bella Wendy Penny Dora Edith Flora Heidi Ida June Kira Luna Mina Tilda""".split()

BOYS = """Tom Ben Sam Max Leo Jack Tim Finn Noah Oliver Peter Hugo Oscar Adam Luke Henry Theo Eli Felix Jonas Emil Anton
Paul Mark Daniel David Simon Toby Will George Charlie Owen Ryan Ali Omar Hassan Ravi Arjun Kenji Taro Diego Mateo Pablo
Bruno Carl Erik Gus Ivan Jasper Kai Liam Milo Nico Otto Rafi Sven Umar Victor Walter Zack""".split()

PETS = """Pip Bramble Nutmeg Button Clover Pepper Maple Biscuit Willow Thistle Fern Pebble Acorn Honey Rusty Smoky Patch
Dusty Hazel Juniper Sorrel Tuck Bean Moss Twig Ginger Cocoa Sunny Misty Copper Barley Peanut Snowy Rory Tansy Bobbin
Poppet Dot Fig Plum Nibbles Waffle Ziggy Bristle Bubbles Splash Feather Sprout Rufus Toffee""".split()

ONSETS = "b br d f g h j k l m n p r s t tr v w z".split()
VOWELS = "a e i o u a e i o".split()
MIDDLES = "l m n r v d b ll nn rr t k".split()
ENDS = "a o i y a ie en ar on el us".split()


@dataclass(frozen=True)
class Kind:
    """One kind of being: where it lives, what it can do, what it eats and which words fit it."""

    noun: str
    settings: frozenset
    can: frozenset
    home: str
    food: str
    looks: tuple
    baby: str


def _kind(noun: str, settings: str, can: str, home: str, food: str, looks: str, baby: str) -> Kind:
    return Kind(noun, frozenset(settings.split()), frozenset(can.split()), home, food, tuple(looks.split(",")), baby)


KINDS = (
    _kind(
        "fox",
        "forest farm mountain",
        "run dig",
        "a den under the roots of a tree",
        "berries",
        "red,young,clever,bushy-tailed",
        "fox cub",
    ),
    _kind(
        "rabbit",
        "forest farm garden",
        "run dig",
        "a burrow under the hill",
        "carrots",
        "white,brown,fluffy,small",
        "baby rabbit",
    ),
    _kind(
        "squirrel",
        "forest garden city",
        "climb",
        "a hole in a tall tree",
        "nuts",
        "red,gray,quick,small",
        "baby squirrel",
    ),
    _kind("bear", "forest mountain", "strong", "a cave on the hill", "honey", "brown,big,young,sleepy", "bear cub"),
    _kind(
        "mouse",
        "forest farm village garden city",
        "small",
        "a hole in the wall",
        "cheese",
        "tiny,gray,brown,small",
        "baby mouse",
    ),
    _kind(
        "hedgehog",
        "forest garden",
        "small",
        "a pile of dry leaves",
        "apples",
        "prickly,small,round,shy",
        "baby hedgehog",
    ),
    _kind("owl", "forest mountain", "fly", "a nest in an old tree", "seeds", "gray,young,brown,fluffy", "baby owl"),
    _kind("duck", "farm river", "swim fly", "a nest in the reeds", "bread", "yellow,white,small,noisy", "duckling"),
    _kind(
        "frog",
        "river garden",
        "swim jump",
        "a house of reeds beside the water",
        "flies",
        "green,small,jumpy,cheerful",
        "tiny frog",
    ),
    _kind("otter", "river sea", "swim", "a den on the bank", "fish", "brown,playful,sleek,young", "otter pup"),
    _kind(
        "beaver", "river", "swim strong build", "a lodge of sticks", "bark", "brown,busy,strong,young", "baby beaver"
    ),
    _kind(
        "turtle",
        "river sea island",
        "swim",
        "a quiet place by the water",
        "leaves",
        "green,slow,old,small",
        "baby turtle",
    ),
    _kind(
        "cat", "farm village city", "climb", "a house with a blue door", "fish", "black,white,gray,striped", "kitten"
    ),
    _kind(
        "dog", "farm village city", "dig run", "a small wooden house", "bones", "brown,spotted,shaggy,white", "puppy"
    ),
    _kind("pig", "farm", "dig", "a warm barn", "corn", "pink,round,spotted,young", "piglet"),
    _kind("goat", "farm mountain", "climb", "a stable on the hill", "grass", "white,gray,stubborn,young", "baby goat"),
    _kind("lamb", "farm mountain", "jump", "a green meadow", "clover", "white,woolly,soft,little", "tiny lamb"),
    _kind(
        "pony",
        "farm mountain village",
        "run strong",
        "a stable with a red roof",
        "hay",
        "brown,gray,white,fast",
        "foal",
    ),
    _kind("crab", "sea island", "dig swim", "a hole in the sand", "seaweed", "red,small,orange,sideways", "tiny crab"),
    _kind("seal", "sea", "swim", "a flat rock by the water", "fish", "gray,spotted,shiny,young", "seal pup"),
    _kind("gull", "sea", "fly swim", "a nest on the cliff", "fish", "white,gray,loud,hungry", "young gull"),
    _kind(
        "crow",
        "forest farm village city",
        "fly",
        "a nest in a high tree",
        "seeds",
        "black,clever,young,curious",
        "young crow",
    ),
    _kind(
        "robin", "garden forest village", "fly", "a nest in the hedge", "worms", "small,round,merry,brown", "baby robin"
    ),
    _kind(
        "mole", "garden farm forest", "dig", "a tunnel under the grass", "worms", "black,small,soft,quiet", "baby mole"
    ),
    _kind(
        "deer", "forest mountain", "run jump", "a clearing among the trees", "leaves", "brown,shy,gentle,young", "fawn"
    ),
    _kind(
        "badger", "forest", "dig strong", "a deep den in the bank", "roots", "striped,gray,gruff,sleepy", "badger cub"
    ),
    _kind(
        "monkey",
        "island",
        "climb jump",
        "a house in a palm tree",
        "bananas",
        "brown,small,playful,cheeky",
        "baby monkey",
    ),
    _kind("parrot", "island", "fly", "a nest in a palm tree", "nuts", "green,red,blue,loud", "young parrot"),
    _kind("wolf", "forest mountain", "run", "a cave behind the pines", "meat", "gray,lonely,young,big", "wolf cub"),
    _kind("goose", "farm river", "swim fly", "a nest near the pond", "grass", "white,gray,proud,loud", "gosling"),
    _kind("snail", "garden forest", "small", "a shell on a leaf", "lettuce", "slow,small,brown,quiet", "tiny snail"),
    _kind("bee", "garden farm", "fly small", "a hive in a hollow tree", "honey", "busy,golden,small,young", "tiny bee"),
    _kind("cow", "farm", "strong", "a big red barn", "grass", "brown,spotted,gentle,sleepy", "calf"),
    _kind(
        "donkey",
        "farm village mountain",
        "strong",
        "a stable behind the house",
        "hay",
        "gray,stubborn,patient,young",
        "baby donkey",
    ),
    _kind(
        "dragon",
        "mountain forest",
        "fly strong",
        "a cave full of books",
        "soup",
        "green,friendly,small,red",
        "baby dragon",
    ),
    _kind(
        "robot", "city village", "strong climb", "a workshop full of tools", "oil", "tin,shiny,little,old", "tiny robot"
    ),
    _kind(
        "elephant",
        "island",
        "strong",
        "a shady place under the trees",
        "fruit",
        "gray,big,young,gentle",
        "baby elephant",
    ),
)
BY_NOUN = {kind.noun: kind for kind in KINDS}
EVERYWHERE = "forest farm village sea mountain garden river city island"
GIRL = _kind("girl", EVERYWHERE, "run", "a little house", "bread", "little,young,small,kind", "little girl")
BOY = _kind("boy", EVERYWHERE, "run", "a little house", "bread", "little,young,small,kind", "little boy")

# (description, pronoun, settings)
ELDERS = (
    ("old owl", "she", "forest mountain garden"),
    ("old turtle", "he", "river sea island"),
    ("wise old goat", "he", "mountain farm"),
    ("gray old donkey", "he", "farm village"),
    ("baker", "she", "village city"),
    ("farmer", "he", "farm river"),
    ("fisherman", "he", "sea river island"),
    ("gardener", "she", "garden city village"),
    ("miller", "he", "river village"),
    ("shepherd", "she", "mountain farm"),
    ("teacher", "she", "village city island"),
    ("old badger", "he", "forest garden"),
    ("lighthouse keeper", "she", "sea island"),
    ("woodcutter", "he", "forest mountain"),
    ("shopkeeper", "he", "village city"),
    ("old toad", "she", "garden river"),
)

PRONOUNS = {"he": ("he", "him", "his", "himself"), "she": ("she", "her", "her", "herself")}
SIZES = ("little", "small", "young", "little", "tiny", "")


class Being:
    """A character; attributes give every form a template may ask for."""

    __slots__ = ("name", "noun", "the", "a", "intro", "he", "him", "his", "himself", "kind", "named", "big")

    def __init__(self, name: str | None, noun: str, look: str, pronoun: str, kind: Kind | None):
        self.he, self.him, self.his, self.himself = PRONOUNS[pronoun]
        self.kind = kind
        self.noun = noun
        self.named = name is not None
        self.the = f"the {noun}"
        looks = f"{look} {noun}" if look else noun
        self.a = f"a {looks}"
        self.big = looks
        self.name = name if name is not None else f"the {looks}"
        self.intro = f"{self.a} named {name}" if name is not None else self.a

    def mention(self, rng: random.Random) -> str:
        """The name, or now and then the kind of being instead."""
        return self.name if rng.random() < 0.85 else self.the


def made_up_name(rng: random.Random) -> str:
    """A name that is on no list, so that the model learns to repeat names it has never seen."""
    name = rng.choice(ONSETS) + rng.choice(VOWELS) + rng.choice(MIDDLES) + rng.choice(ENDS)
    return name[0].upper() + name[1:]


def _name(rng: random.Random, pronoun: str, human: bool) -> str:
    if rng.random() < 0.12:
        return made_up_name(rng)
    if human or rng.random() < 0.3:
        return rng.choice(GIRLS if pronoun == "she" else BOYS)
    return rng.choice(PETS)


def hero(rng: random.Random, setting: str) -> Being:
    """A main character that fits the setting: a child, a named animal or a nameless animal."""
    pronoun = rng.choice(("he", "she"))
    if rng.random() < 0.42:
        kind = GIRL if pronoun == "she" else BOY
        return Being(
            _name(rng, pronoun, True), kind.noun, rng.choice(("", "", "little", "young", "small")), pronoun, kind
        )
    kind = rng.choice([k for k in KINDS if setting in k.settings])
    look = rng.choice(kind.looks) if rng.random() < 0.5 else rng.choice(SIZES)
    named = rng.random() < 0.8
    return Being(_name(rng, pronoun, False) if named else None, kind.noun, look, pronoun, kind)


def companion(rng: random.Random, setting: str, other: Being, can: str | None = None, taken: tuple = ()) -> Being:
    """A second character of another kind and the other pronoun, able to do ``can`` if that is asked."""
    pronoun = "she" if other.he == "he" else "he"
    taken_nouns = {other.noun, *(b.noun for b in taken)}
    if can is None and rng.random() < (0.6 if other.noun in ("girl", "boy") else 0.15):
        kind = GIRL if pronoun == "she" else BOY
        if kind.noun not in taken_nouns:
            name = _name(rng, pronoun, True)
            while name == other.name:
                name = _name(rng, pronoun, True)
            return Being(name, kind.noun, "", pronoun, kind)
    kinds = [k for k in KINDS if setting in k.settings and k.noun not in taken_nouns and (can is None or can in k.can)]
    if not kinds:
        kinds = [k for k in KINDS if k.noun not in taken_nouns and (can is None or can in k.can)]
    kind = rng.choice(kinds)
    name = _name(rng, pronoun, False) if rng.random() < 0.75 else None
    while name is not None and name == other.name:
        name = _name(rng, pronoun, False)
    return Being(name, kind.noun, rng.choice(kind.looks), pronoun, kind)


def stranger(rng: random.Random, setting: str, taken: tuple, baby: bool = False) -> Being:
    """A nameless animal met on the way, mostly of another pronoun than the hero; a baby where asked."""
    nouns = {b.noun for b in taken} | {b.kind.noun for b in taken if b.kind is not None}
    kind = rng.choice([k for k in KINDS if setting in k.settings and k.noun not in nouns])
    other = "she" if taken[0].he == "he" else "he"
    pronoun = other if rng.random() < 0.8 else taken[0].he
    if baby:
        return Being(None, kind.baby, "", pronoun, kind)
    return Being(None, kind.noun, rng.choice(kind.looks), pronoun, kind)


PARENTS = (("mother", "she"), ("father", "he"))
GRANDPARENTS = (("grandmother", "she"), ("grandfather", "he"))


def elder(rng: random.Random, setting: str, child: Being, family: tuple) -> Being:
    """An older character to ask: of the setting, or one of ``family`` where the hero is a child."""
    if family and child.noun in ("girl", "boy") and rng.random() < 0.5:
        noun, pronoun = rng.choice(family)
        being = Being(None, noun, "", pronoun, None)
        being.name = being.the = f"{child.his} {noun}"
        return being
    noun, pronoun, _ = rng.choice([e for e in ELDERS if setting in e[2].split()])
    return Being(None, noun, "", pronoun, None)
