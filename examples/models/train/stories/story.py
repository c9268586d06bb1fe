"""One story while it is being told: its slots, its sentences, and how it opens and closes."""

import random

import beings
import language
import places
import things

TIMES = ("morning", "morning", "day", "afternoon")
LOVES = (
    "to sing",
    "to play outside",
    "to watch the clouds",
    "to explore new places",
    "to help others",
    "to listen to stories",
    "to run very fast",
    "to look at the stars",
    "to collect smooth stones",
    "to draw pictures",
    "to dance in the rain",
    "to climb up high",
    "to make new friends",
    "to build things",
    "to ask questions",
    "to tell jokes",
    "to bake with {his} grandmother",
    "to splash in the water",
    "to pick flowers",
)
GOOD_TRAITS = (
    "kind",
    "curious",
    "cheerful",
    "brave",
    "gentle",
    "clever",
    "friendly",
    "helpful",
    "patient",
    "busy",
    "quiet",
    "happy",
    "merry",
)

OPENINGS_LONG = (
    "Once upon a time, {wide}, there lived {h.intro}.",
    "Once upon a time, {wide}, there was {h.intro}.",
    "Once upon a time there was {h.intro}. {he} lived {wide}.",
    "Once upon a time, {h.intro} lived in {home}.",
    "There was once {h.intro} who lived {wide}.",
    "There once was {h.intro}. {he} lived in {home}.",
    "{h.intro} lived {wide}.",
    "{h.intro} lived in {home} {where}.",
    "{wide} lived {h.intro}.",
    "Long ago, {wide}, there lived {h.intro}.",
    "A long time ago, {h.intro} lived {wide}.",
    "Far away, {wide}, there was {h.intro}.",
    "In {home}, {wide}, lived {h.intro}.",
    "This is the story of {h.intro}. {he} lived {wide}.",
    "Every day, {h.intro} walked along {path}.",
)
OPENINGS_NAMED = (
    "{h.name} was {h.a}. {he} lived {wide}.",
    "{h.name} was {h.a} who lived {wide}.",
    "{h.name} lived in {home} {where}.",
)
OPENINGS_DAY = (
    "It was a {air} {time} {where}. {h.intro} was walking along {path}.",
    "It was a {air} {time}. {h.intro} was sitting {spot}.",
    "One {air} {time}, {h.intro} went for a walk {where}.",
    "One {air} {time}, {h.intro} was playing {spot}.",
    "On a {air} {time}, {h.intro} walked along {path}.",
    "{h.intro} woke up early. {sky}, and {he} wanted to go outside.",
    "It was {time} {where}, and {sky}. {h.intro} was looking for something to do.",
)


class Story:
    """The telling of one story: plots call ``say``, ``para`` and ``put``; ``text`` joins it all."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.setting = rng.choice(places.SETTINGS)
        self.slots: dict = {}
        self.paragraphs: list[list[str]] = [[]]
        self.same_day = False
        self.spots = list(self.setting.spots)
        rng.shuffle(self.spots)
        self.cast(beings.hero(rng, self.setting.key))
        self.put(where=self.setting.where, path=self.setting.path, water=self.setting.water, time=rng.choice(TIMES))
        self.weather(rng.choice(places.MILD))

    def cast(self, hero: beings.Being) -> None:
        """Make ``hero`` the main character."""
        home = hero.kind.home if hero.kind is not None else "a little house"
        if hero.noun in ("girl", "boy"):
            home = self.rng.choice(
                (
                    "a little house",
                    "a small white house",
                    "a house with a red door",
                    "a yellow house",
                    "an old stone house",
                )
            )
        self.put(h=hero, home=home)

    def put(self, **slots) -> None:
        """Set slots of the story."""
        self.slots.update(slots)

    def weather(self, kind: str) -> None:
        """Fix the weather of the story's day."""
        if kind == "snowy" and self.setting.key == "island":
            kind = "rainy"
        adjectives, skies = places.WEATHER[kind]
        self.put(air=self.fill(adjectives), sky=self.rng.choice(skies))
        self.kind_of_weather = kind

    def spot(self) -> str:
        """A landmark of the setting which the story has not used yet."""
        return self.spots.pop() if self.spots else self.rng.choice(self.setting.spots)

    def fill(self, template: str) -> str:
        """Expand a template now, for a value which the story must remember."""
        return language.expand(template, self.slots, self.rng)

    def say(self, *options: str, p: float = 1.0) -> None:
        """Add one of the sentences given, with probability ``p``."""
        if p < 1.0 and self.rng.random() >= p:
            return
        option = options[int(self.rng.random() * len(options))]
        self.paragraphs[-1].append(language.finish(self.fill(option)))

    def para(self) -> None:
        """Start a new paragraph."""
        if self.paragraphs[-1]:
            self.paragraphs.append([])

    def friend(self, can: str | None = None) -> beings.Being:
        """Cast the companion, slot ``f``, of the other pronoun."""
        friend = beings.companion(self.rng, self.setting.key, self.slots["h"], can)
        self.put(f=friend)
        return friend

    def elder(self, family: tuple = beings.PARENTS + beings.GRANDPARENTS) -> beings.Being:
        """Cast the elder, slot ``e``; ``family`` are the relatives who would fit the plot."""
        elder = beings.elder(self.rng, self.setting.key, self.slots["h"], family)
        self.put(e=elder)
        return elder

    def taken(self) -> tuple:
        """Every being cast so far."""
        return tuple(value for value in self.slots.values() if isinstance(value, beings.Being))

    def stranger(self, key: str, baby: bool = False) -> beings.Being:
        """Cast a nameless animal under the slot ``key``."""
        being = beings.stranger(self.rng, self.setting.key, self.taken(), baby)
        self.put(**{key: being})
        return being

    def thing(self, tag: str | None = None, key: str = "t", taken: tuple = ()) -> things.Thing:
        """Choose a thing for the slot ``key``."""
        thing = things.thing(self.rng, tag, taken)
        self.put(**{key: thing})
        return thing

    def opening(self, traits: tuple = GOOD_TRAITS, loves: str | None = None, day: bool = True) -> None:
        """Introduce the hero; ``day`` allows an opening that already stands on the story's day."""
        rng = self.rng
        self.put(wide=self.fill(self.setting.wide), spot=self.spots[0], trait=rng.choice(traits))
        self.put(loves=loves or self.fill(rng.choice(LOVES)))
        roll = rng.random()
        if day and roll < 0.3:
            self.same_day = True
            self.say(*OPENINGS_DAY)
            self.say("{he} was very {trait}.", p=0.2)
            return
        named = self.slots["h"].named
        self.say(*(OPENINGS_NAMED if named and roll > 0.8 else OPENINGS_LONG))
        self.say(
            "{he} was very {trait}.",
            "{he} was [always|very] {trait} and loved {loves}.",
            "{he} loved {loves}.",
            "Most of all, {he} loved {loves}.",
            "Everybody knew that {he} was very {trait}." if "shy" not in traits else "{he} was a little {trait}.",
            p=0.75,
        )

    def day(self, *options: str) -> None:
        """Say a sentence that begins the events, dated unless the opening has done so."""
        if self.same_day:
            lead = self.rng.choice(("Suddenly, ", "Then ", "After a while, ", "Soon ", "", "All at once, "))
            option = self.rng.choice(options)
            if any(word in option for word in (" was carrying ", " was playing ", " was visiting ", " was very ")):
                lead = ""
            self.say(lead + option)
            return
        form = self.rng.random()
        if form < 0.6:
            self.say("[One {air} {time}, |One {time}, |One day, |One {air} day, ]" + self.rng.choice(options))
        else:
            self.say("[One {time}|One day], {sky}. " + self.rng.choice(options))
        self.same_day = True

    def sight(self, p: float = 0.35) -> None:
        """A sentence about the surroundings, now and then."""
        self.put(sight=self.rng.choice(self.setting.sights))
        self.say("{sight}.", p=p)

    def close(self, *morals: str) -> None:
        """End the story with a moral, a mood or a quiet evening."""
        for_all = (
            "That night, {h} fell asleep with a smile.",
            "{h} was very happy.",
            "{he} went home with a warm heart.",
            "It had been a very good day.",
            "And {he} never forgot that day.",
            "When the stars came out, {h} was already dreaming.",
            "{he} smiled all the way home.",
            "{h} told everyone about it the next day.",
            "It was the best day of the whole year.",
        )
        if morals and self.rng.random() < 0.75:
            self.say(*morals)
            if self.rng.random() < 0.2:
                self.say(*for_all)
        else:
            self.say(*for_all)

    def text(self) -> str:
        """The finished story."""
        return "\n\n".join(" ".join(sentences) for sentences in self.paragraphs if sentences)
