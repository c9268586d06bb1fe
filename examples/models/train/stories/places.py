"""The settings of the stories: where they lie, their landmarks, their weather and what one sees there."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Setting:
    """One setting; ``spots`` are landmarks where a thing can lie or somebody can wait."""

    key: str
    where: str
    wide: str
    path: str
    spots: tuple
    sights: tuple
    tall: tuple
    water: str


def _setting(key: str, where: str, wide: str, path: str, spots: str, sights: str, tall: str, water: str) -> Setting:
    def split(text: str) -> tuple:
        return tuple(part.strip() for part in text.split("/"))

    return Setting(key, where, wide, path, split(spots), split(sights), split(tall), water)


SETTINGS = (
    _setting(
        "forest",
        "in the forest",
        "in a [deep|green|quiet|big|dark] forest",
        "the forest path",
        "under the old oak / behind the mossy rock / beside the stream / in the tall ferns / next to the fallen log / near the blackberry bush"
        " / inside the hollow tree / between the roots of the big beech",
        "birds sang in the branches / the leaves rustled softly / sunlight fell between the trees / a woodpecker tapped on a trunk"
        " / mushrooms grew along the path",
        "in the top of the tall oak / on a high branch of the pine",
        "the stream",
    ),
    _setting(
        "farm",
        "on the farm",
        "on a [small|busy|quiet|sunny|big] farm",
        "the farm road",
        "behind the barn / under the hay cart / near the old well / beside the duck pond / in the long grass / next to the hen house"
        " / by the wooden gate / between the rows of corn",
        "the rooster crowed on the fence / cows chewed slowly in the field / the hay smelled sweet / bees hummed in the clover"
        " / the windmill turned in the wind",
        "on the roof of the barn / in the top of the walnut tree",
        "the duck pond",
    ),
    _setting(
        "village",
        "in the village",
        "in a [small|quiet|pretty|busy|little] village",
        "the village street",
        "behind the bakery / under the stone bridge / near the fountain / beside the school / by the market stalls / on the steps of the church"
        " / next to the old mill / outside the post office",
        "the bells rang in the tower / the smell of fresh bread filled the air / smoke rose from the chimneys / children played in the square"
        " / a cart rolled over the stones",
        "on the roof of the school / in the top of the chestnut tree",
        "the mill pond",
    ),
    _setting(
        "sea",
        "by the sea",
        "in a [small|white|windy|quiet] house by the sea",
        "the beach path",
        "behind the sand dunes / under the wooden pier / near the lighthouse / beside the tide pool / next to the fishing boat"
        " / between the rocks / at the end of the harbor wall",
        "the waves rolled onto the sand / gulls cried above the water / the wind smelled of salt / little boats rocked in the harbor"
        " / shells shone in the wet sand",
        "on top of the boat house / on the high rocks",
        "the tide pool",
    ),
    _setting(
        "mountain",
        "in the mountains",
        "[high|far up] in the mountains",
        "the mountain trail",
        "behind the waterfall / under the tall pine / near the dark cave / beside the snowy path / by the cold lake / at the foot of the cliff"
        " / next to the wooden hut",
        "an eagle circled in the blue sky / snow shone on the peaks / a cool wind blew down the valley / little bells rang in the meadow"
        " / the stream jumped from stone to stone",
        "on a ledge of the cliff / in the top of the tall pine",
        "the cold lake",
    ),
    _setting(
        "garden",
        "in the garden",
        "in a [big|wild|lovely|green|sunny] garden",
        "the garden path",
        "under the rose bush / behind the shed / near the apple tree / beside the little pond / between the tomato plants"
        " / next to the stone wall / by the watering can / in the strawberry patch",
        "butterflies danced over the flowers / bees buzzed around the roses / the grass was wet with dew / a snail crept over a leaf"
        " / the tomatoes were round and red",
        "on the roof of the shed / in the top of the apple tree",
        "the little pond",
    ),
    _setting(
        "river",
        "by the river",
        "near a [wide|slow|clear|long] river",
        "the river path",
        "under the willow tree / behind the reeds / near the wooden bridge / beside the water mill / on the muddy bank"
        " / next to the stepping stones / by the old ferry",
        "the water sparkled in the light / dragonflies flew over the reeds / small fish jumped in the water / the mill wheel turned slowly"
        " / a heron stood on one leg",
        "in the top of the willow tree / on the roof of the mill",
        "the river",
    ),
    _setting(
        "city",
        "in the city",
        "in a [big|noisy|busy|bright] city",
        "the long street",
        "behind the library / near the train station / beside the toy shop / under the clock tower / next to the flower stand"
        " / by the fountain in the park / on the steps of the museum",
        "bells rang on the bicycles / lights shone in the shop windows / a street musician played a happy tune / pigeons walked across the square"
        " / a yellow tram rolled past",
        "on the roof of the library / in the top of a tree in the park",
        "the fountain",
    ),
    _setting(
        "island",
        "on the island",
        "on a [small|green|sunny|warm] island",
        "the sandy path",
        "under the palm tree / near the blue lagoon / beside the old shipwreck / behind the big drum rock / next to the banana trees"
        " / by the warm spring / at the end of the long beach",
        "the palm leaves waved in the wind / warm water washed over the sand / bright fish swam in the lagoon / flowers hung from every tree"
        " / a ship passed far away",
        "in the top of the palm tree / on top of the drum rock",
        "the lagoon",
    ),
)
BY_KEY = {setting.key: setting for setting in SETTINGS}

# weather -> (adjectives for a day, sentences about it)
WEATHER = {
    "sunny": (
        "[sunny|bright|warm|fine|beautiful]",
        ("the sun was shining", "the sky was blue", "it was warm and bright", "there was not a cloud in the sky"),
    ),
    "windy": (
        "[windy|blustery|cool|gusty]",
        ("the wind was blowing hard", "the wind pulled at the leaves", "the clouds raced across the sky"),
    ),
    "rainy": (
        "[rainy|wet|gray|stormy]",
        ("rain was falling", "dark clouds hung in the sky", "drops of rain tapped on the leaves"),
    ),
    "snowy": (
        "[snowy|cold|frosty|white]",
        ("snow was falling", "the world was white and quiet", "everything was covered with snow"),
    ),
    "misty": (
        "[misty|foggy|quiet|cloudy]",
        ("a soft mist lay over everything", "the air was cool and gray", "it was very quiet"),
    ),
}
MILD = ("sunny", "sunny", "sunny", "windy", "misty")
