"""Template language of the story generator: choices, slots, a/an and capital letters; no story content.

A template is plain text with two constructs:

``[one|two|]``  one of the options, chosen at random; options nest and may be empty.
``{key}``       the slot ``key`` of the story; ``{key.part}`` is an attribute of it.

The slots ``{he}``, ``{him}``, ``{his}`` and ``{himself}`` stand for the hero, who is slot ``h``.
"""

import random
import re

HERO_PRONOUNS = frozenset({"he", "him", "his", "himself"})

_OPEN_QUOTE = re.compile(r'(^|\s)"([a-z])')
_SENTENCE_START = re.compile(r"(^|[.!?] )([a-z])")
_ARTICLE = re.compile(r"\b([Aa]) (?=(?:[aeiou]|hour|honest))(?!(?:one|use|uni|eu))")
_CACHE: dict[str, tuple] = {}


def parse(template: str) -> tuple:
    """Parse a template once; parts are strings, ("slot", key, attribute) or ("choice", options)."""
    found = _CACHE.get(template)
    if found is None:
        found, end = _parse_run(template, 0, nested=False)
        if end != len(template):
            raise ValueError(f"unbalanced template: {template!r}")
        _CACHE[template] = found
    return found


def _parse_run(text: str, at: int, nested: bool) -> tuple[tuple, int]:
    parts: list = []
    start = at
    while at < len(text):
        char = text[at]
        if nested and char in "|]":
            break
        if char not in "[{":
            at += 1
            continue
        if at > start:
            parts.append(text[start:at])
        if char == "{":
            close = text.index("}", at)
            key, _, attribute = text[at + 1 : close].partition(".")
            if key in HERO_PRONOUNS:
                key, attribute = "h", key
            parts.append(("slot", key, attribute))
            at = close + 1
        else:
            options, at = _parse_options(text, at + 1)
            parts.append(("choice", options))
        start = at
    if at > start:
        parts.append(text[start:at])
    return tuple(parts), at


def _parse_options(text: str, at: int) -> tuple[tuple, int]:
    options: list = []
    while True:
        option, at = _parse_run(text, at, nested=True)
        options.append(option)
        if at >= len(text):
            raise ValueError(f"unclosed choice: {text!r}")
        at += 1
        if text[at - 1] == "]":
            return tuple(options), at


def expand(template: str, slots: dict, rng: random.Random) -> str:
    """Expand a template; a slot value with ``mention`` (a being) chooses how it is named."""
    out: list[str] = []
    _expand_parts(parse(template), slots, rng, out)
    return "".join(out)


def _expand_parts(parts: tuple, slots: dict, rng: random.Random, out: list[str]) -> None:
    for part in parts:
        if isinstance(part, str):
            out.append(part)
        elif part[0] == "choice":
            options = part[1]
            _expand_parts(options[int(rng.random() * len(options))], slots, rng, out)
        else:
            value = slots[part[1]]
            if part[2]:
                value = getattr(value, part[2])
            elif hasattr(value, "mention"):
                value = value.mention(rng)
            out.append(str(value))


def finish(text: str) -> str:
    """Turn expanded text into finished sentences: an before vowels, capitals at starts."""
    text = _ARTICLE.sub(r"\1n ", text)
    text = _OPEN_QUOTE.sub(lambda m: f'{m[1]}"{m[2].upper()}', text)
    return _SENTENCE_START.sub(lambda m: m[1] + m[2].upper(), text)
