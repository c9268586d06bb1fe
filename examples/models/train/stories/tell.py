"""Entry of the story generator: picks a plot and tells it."""

import random

import plots_friends
import plots_journeys
import plots_lost
import plots_making
import plots_neighbours
import plots_night
from story import Story

PLOTS = (
    plots_lost.PLOTS
    + plots_friends.PLOTS
    + plots_neighbours.PLOTS
    + plots_making.PLOTS
    + plots_night.PLOTS
    + plots_journeys.PLOTS
)
_FUNCTIONS = [plot for plot, _ in PLOTS]
_WEIGHTS = [weight for _, weight in PLOTS]


def story(seed: int, index: int) -> str:
    """Story ``index`` of the collection ``seed``; the pair fixes every choice."""
    rng = random.Random(seed * 1_000_000_007 + index)
    plot = rng.choices(_FUNCTIONS, _WEIGHTS)[0]
    told = Story(rng)
    plot(told)
    return told.text()
