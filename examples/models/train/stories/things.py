"""The things, foods and gifts of the stories, with the words that fit each of them."""

import random

# noun: (adjectives, tags); tags: toy, wear, shiny, soft, light, fragile, warm, small
_THINGS = {
    "ball": ("red,blue,green,yellow,striped,bouncy", "toy light small"),
    "kite": ("red,blue,yellow,paper,long-tailed,bright", "toy light fragile"),
    "hat": ("blue,straw,woolen,green,funny,red", "wear light soft"),
    "scarf": ("red,warm,striped,woolen,purple,long", "wear light soft warm"),
    "boat": ("wooden,little,paper,white,toy", "toy fragile"),
    "book": ("old,thick,blue,beautiful,new", "fragile"),
    "drum": ("little,red,wooden,loud", "toy"),
    "bell": ("silver,tiny,golden,shiny,brass", "shiny small"),
    "lantern": ("small,golden,paper,old,bright", "shiny fragile"),
    "blanket": ("soft,blue,yellow,warm,patched", "soft warm"),
    "key": ("golden,rusty,silver,tiny,old", "shiny small"),
    "ring": ("silver,golden,shiny,thin", "shiny small"),
    "button": ("shiny,golden,blue,round,pearl", "shiny small"),
    "whistle": ("tin,silver,wooden,little", "toy shiny small"),
    "umbrella": ("yellow,red,big,green,spotted", "light"),
    "ribbon": ("red,blue,silk,pink,long", "light soft small"),
    "spoon": ("silver,wooden,golden,tiny", "shiny small"),
    "shell": ("pink,white,shiny,spiral", "shiny small fragile"),
    "feather": ("white,blue,golden,long,soft", "light soft small"),
    "necklace": ("silver,pearl,pretty,golden", "shiny small fragile"),
    "cup": ("blue,little,white,painted", "fragile small"),
    "bucket": ("red,tin,blue,small", "toy"),
    "wagon": ("red,little,wooden,green", "toy"),
    "doll": ("rag,little,wooden,pretty", "toy soft"),
    "flute": ("wooden,silver,thin,old", "toy small"),
    "balloon": ("red,blue,yellow,big,round", "toy light fragile"),
    "marble": ("green,glass,blue,shiny", "toy shiny small"),
    "mitten": ("red,woolen,warm,blue", "wear soft warm small"),
    "coat": ("warm,green,blue,woolen", "wear soft warm"),
    "teddy bear": ("brown,soft,old,small", "toy soft"),
    "music box": ("silver,little,old,pretty", "shiny fragile"),
    "compass": ("brass,old,little,golden", "shiny small"),
    "toy train": ("red,wooden,little,green", "toy"),
    "paintbrush": ("thin,new,soft,long", "small light"),
}


class Thing:
    """One thing: ``the`` and ``a`` carry the adjective, ``noun`` does not."""

    __slots__ = ("noun", "adjective", "full", "the", "a", "tags")

    def __init__(self, noun: str, adjective: str, tags: frozenset = frozenset()):
        self.noun = noun
        self.adjective = adjective
        self.full = f"{adjective} {noun}" if adjective else noun
        self.the = f"the {self.full}"
        self.a = f"a {self.full}"
        self.tags = tags

    def mention(self, rng: random.Random) -> str:
        """``the kite``, or ``the red kite`` now and then."""
        return self.the if rng.random() < 0.4 else f"the {self.noun}"


def thing(rng: random.Random, tag: str | None = None, taken: tuple = ()) -> Thing:
    """A thing with one fitting adjective, of the tag asked for."""
    nouns = [n for n, (_, tags) in _THINGS.items() if (tag is None or tag in tags.split()) and n not in taken]
    noun = rng.choice(nouns)
    adjectives, tags = _THINGS[noun]
    return Thing(noun, rng.choice(adjectives.split(",")), frozenset(tags.split()))


# what is carried, one piece of it
FOODS = (
    ("a basket of berries", "a few berries", "the berries"),
    ("a bag of nuts", "a nut", "the nuts"),
    ("a loaf of bread", "a piece of bread", "the bread"),
    ("a honey cake", "a slice of cake", "the cake"),
    ("an apple pie", "a slice of pie", "the pie"),
    ("a basket of plums", "a plum", "the plums"),
    ("a bag of cookies", "a cookie", "the cookies"),
    ("a basket of pears", "a pear", "the pears"),
    ("a round cheese", "a piece of cheese", "the cheese"),
    ("a jar of jam and some bread", "a piece of bread with jam", "the bread and jam"),
    ("a bag of roasted chestnuts", "a warm chestnut", "the chestnuts"),
    ("a bowl of cherries", "a handful of cherries", "the cherries"),
    ("a basket of oranges", "an orange", "the oranges"),
    ("a plate of pancakes", "a pancake", "the pancakes"),
)

MEALS = (
    "hot soup",
    "warm bread with butter",
    "tea and honey cake",
    "apple pie",
    "pancakes with jam",
    "a big pot of soup",
    "hot milk and cookies",
    "roasted chestnuts",
    "berries with cream",
    "sweet plums",
    "vegetable stew",
)

SMALL_FINDS = (
    "a sleepy snail",
    "some dry leaves",
    "an empty nut shell",
    "a puddle",
    "a green beetle",
    "an old boot",
    "a spider's web",
    "a smooth stone",
    "a broken pot",
    "a piece of string",
    "two ants",
    "a yellow flower",
    "a bit of moss",
)
