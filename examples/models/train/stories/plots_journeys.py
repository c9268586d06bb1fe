"""Plots about long ways and things that change hands."""

from places import BY_KEY, SETTINGS
from story import Story
from things import MEALS


def trade(s: Story) -> None:
    """The hero swaps one thing for another three times and ends with what was needed."""
    s.stranger("x")
    s.stranger("y")
    s.elder(family=())
    taken: list[str] = []
    for key in ("t", "u", "v"):
        taken.append(s.thing(key=key, taken=tuple(taken)).noun)
    goals = (
        ("some medicine for {his} sick mother", "{his} mother was soon well again"),
        ("a present for {his} little brother", "{his} little brother laughed with joy"),
        ("a warm coat for the winter", "{he} was warm the whole winter"),
        ("a ticket for the circus", "{he} saw the clowns and the horses"),
        ("a new string for {his} violin", "{he} could play again"),
        ("bread for the whole family", "nobody went to bed hungry"),
    )
    goal, result = s.rng.choice(goals)
    s.opening(("poor but cheerful", "clever", "friendly", "helpful"))
    s.put(goal=s.fill(goal), result=s.fill(result), p1=s.spot(), p2=s.spot(), p3=s.spot())
    s.say(
        "{he} needed {goal}, but {he} had no money. All {he} had was {t.a}.",
        "{h} wanted {goal}. But {he} had only {t.a}.",
    )
    s.day("{h} took {t.the} and went out along {path}.", "{h} set out with {t.the}.")
    s.para()
    s.say(
        '{p1}, {he} met {x.a}. "What a lovely {t.noun}," said {x.the}. "I will give you {u.a} for it."',
        'First {he} met {x.a} {p1}. "I have always wanted {t.a}," said {x.the}. "Will you take {u.a} for it?"',
    )
    s.say("{h} agreed. Now {he} had {u.a}.", "So {he} gave away {t.the} and got {u.a}.")
    s.say(
        '{p2}, {y.a} was looking for something. "I have lost my {u.noun}," said {y.the}. "If you give me yours, you can have my {v.full}."',
        'Next {he} met {y.a} {p2}. "I need {u.a} very much," said {y.the}. "Take my {v.full} for it."',
    )
    s.say("So {h} gave {y.him} {u.the} and went on with {v.a}.", "Now {h} had {v.a}.")
    s.para()
    s.say("At last {he} came to {e.the}, who was standing {p3}.", "{p3}, {he} met {e.the}.")
    s.say(
        '"Where did you get that {v.noun}?" asked {e.the}. "It is just like the one I had as a child!"',
        '"My old {v.noun}!" cried {e.the}. "I lost it many years ago."',
    )
    s.put(my_goal=goal.replace("{his}", "my"))
    s.say('"You may have it," said {h}. "I only need {my_goal}."', "{h} gave it to {e.him} at once.")
    s.say("{e.the} was so happy that {e.he} gave {him} {goal}.", "In return, {e.the} gave {him} {goal}.")
    s.say("{h} ran home, and {result}.", "And so {result}.")
    s.close(
        "{h} had started with {t.a} and come home with much more.",
        "Everybody had got what they wanted.",
        "{t.a} can take you a long way.",
    )


OBSTACLES = (
    (
        "came to a river, but the bridge was gone",
        ("swim", "{x.the} carried {him} across on {x.his} back"),
        ("any", "{x.the} showed {him} a row of stepping stones"),
    ),
    (
        "saw that a big tree had fallen across the path",
        ("strong", "{x.the} pushed the tree aside"),
        ("dig", "{x.the} dug a hole under it, just big enough to crawl through"),
    ),
    (
        "could not see the way, because a thick fog came down",
        ("fly", "{x.the} flew ahead and called until they were out of the fog"),
        ("any", "{x.the} knew every stone and led {him} through the fog"),
    ),
    (
        "stood in front of a steep hill, and the basket was heavy",
        ("strong", "{x.the} carried the basket to the top"),
        ("any", "{x.the} took one side of the basket, and together they carried it up"),
    ),
    (
        "came to a gate that was locked",
        ("small", "{x.the} crept under the gate and opened it from inside"),
        ("climb", "{x.the} climbed over it and opened it from inside"),
    ),
)


def journey(s: Story) -> None:
    """The hero brings a basket to family far away, meets an obstacle and a helper, and arrives."""
    family = s.rng.choice(
        (("grandmother", "she", "her"), ("grandfather", "he", "him"), ("aunt", "she", "her"), ("uncle", "he", "him"))
    )
    other = s.rng.choice([x for x in SETTINGS if x.key != s.setting.key])
    what, *ways = s.rng.choice(OBSTACLES)
    s.opening(("brave", "helpful", "cheerful", "kind"))
    s.put(
        fam=family[0],
        fam_he=family[1],
        fam_him=family[2],
        far=BY_KEY[other.key].where,
        what=what,
        meal=s.rng.choice(MEALS),
    )
    s.put(
        present=s.rng.choice(
            (
                "a fresh cake",
                "a jar of honey",
                "warm bread",
                "a bunch of flowers",
                "a pot of soup",
                "a knitted scarf",
                "a basket of apples",
                "a letter and a pie",
            )
        )
    )
    s.day(
        "{h} wanted to visit {his} {fam}, who lived far away {far}.",
        '"Please bring {present} to your {fam}," said {his} mother. "It is a long way."',
        "a letter came. {his} {fam} was ill and lived all alone {far}.",
    )
    s.say(
        "{he} put {present} into a basket and set off.", "So {he} took a basket with {present} and walked along {path}."
    )
    s.sight(0.5)
    s.say(
        "{he} walked for a long time, and {he} sang to {himself}.", "{he} walked over hills and through fields.", p=0.5
    )
    s.para()
    x = s.stranger("x")
    usable = [way for need, way in ways if need == "any" or need in x.kind.can] or [
        "{x.the} called all {x.his} friends, and together they helped {him}"
    ]
    s.put(help=s.fill(s.rng.choice(usable)))
    s.say("Then {h} {what}.", "But halfway there, {h} {what}.")
    s.say(
        '"What shall I do now?" {he} asked.',
        "{he} sat down and did not know what to do.",
        '"I must not give up," {he} said to {himself}.',
    )
    s.say(
        'There {he} saw {x.a}, who asked, "Where are you going?"',
        '{x.a} was resting nearby. "You look tired," said {x.the}.',
    )
    s.say(
        '"I am going to my {fam}," said {h}. "[But I cannot go on|But I need some help]."',
        "{h} told {x.him} everything.",
    )
    s.say('"I will help you," said {x.the}. And {help}.', "{help}.")
    s.say(
        '"Thank you," said {h}. "Come with me! There is enough for three."',
        "{h} thanked {x.him} with a piece of bread.",
        p=0.6,
    )
    s.para()
    s.say(
        "In the evening {he} saw a light in a window. {his} {fam} stood at the door and waved.",
        "At last {he} stood in front of the house and knocked. {his} {fam} opened the door.",
    )
    s.say(
        '"You came all this way!" said {his} {fam}, and {fam_he} hugged {him}.',
        '"What a lovely surprise!" said {his} {fam}.',
    )
    s.say(
        "They ate {meal} and talked until late at night.",
        "They sat by the fire, and {h} told the story of {his} journey.",
    )
    s.close(
        "{h} was tired but happy.", "The way back seemed much shorter.", "It is never too far to somebody you love."
    )


PLOTS = ((trade, 0.9), (journey, 1.1))
