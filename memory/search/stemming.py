"""Words without their endings, so that "configured", "configuration" and "configuring" meet.

English after M. F. Porter, "An algorithm for suffix stripping" (Program 14/3, 1980), with three changes of his
later "English (Porter2)": "y" counts only behind a consonant, "ies"/"ied" keep short words apart, and a list of
exceptions. Russian loses its commonest endings; other languages their plural "s" at most. What comes out is a
name for looking up, not a word.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

SHORTEST: Final = 3
"""Words of fewer letters have no endings."""

_STEP_2: Final = (
    ("ational", "ate"), ("ization", "ize"), ("isation", "ize"), ("iveness", "ive"), ("fulness", "ful"),
    ("ousness", "ous"), ("tional", "tion"), ("biliti", "ble"), ("entli", "ent"), ("ousli", "ous"), ("ation", "ate"),
    ("alism", "al"), ("aliti", "al"), ("iviti", "ive"), ("fulli", "ful"), ("lessli", "less"), ("enci", "ence"),
    ("anci", "ance"), ("abli", "able"), ("izer", "ize"), ("iser", "ize"), ("ator", "ate"), ("alli", "al"),
    ("bli", "ble"), ("ogi", "og"),
)  # fmt: skip
_STEP_3: Final = (
    ("ational", "ate"), ("tional", "tion"), ("alize", "al"), ("alise", "al"), ("icate", "ic"), ("iciti", "ic"),
    ("ative", ""), ("ical", "ic"), ("ness", ""), ("ful", ""),
)  # fmt: skip
_STEP_4: Final = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ise",
    "al", "er", "ic",
)  # fmt: skip
_VOWELS: Final = frozenset("aeiouy")
_CHANGES_OF_SOUND: Final = re.compile("[aeiouy]+[^aeiouy]+")
_RUSSIAN: Final = re.compile(
    "(?:иями|ями|ами|ьего|его|ого|ему|ому|ыми|ими|ешь|ишь|ете|ите|ться|тся|ется|ются|уется|овать|ать|ять|ить|еть"
    "|ов|ев|ей|ой|ий|ый|ая|яя|ое|ее|ые|ие|ую|юю|ом|ем|ам|ям|ах|ях|ию|ия|ии|ал|ил|ла|ло|ли|ет|ит|ут|ют|ат|ят"
    "|а|я|о|е|ы|и|у|ю|ь|й)\\Z"
)
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
_EXCEPTIONS: Final = {
    "built": "build", "broke": "break", "broken": "break", "ran": "run", "wrote": "write", "written": "write",
    "chose": "choos", "chosen": "choos", "found": "find", "kept": "keep", "sent": "send", "made": "make",
    "gone": "go", "went": "go", "goes": "go", "said": "say", "told": "tell", "got": "get", "taken": "take",
    "took": "take", "given": "give", "gave": "give", "began": "begin", "begun": "begin", "shown": "show",
    "held": "hold", "lost": "lose", "meant": "mean", "thrown": "throw", "threw": "throw", "hidden": "hide",
    "hid": "hide", "frozen": "freez", "froze": "freez", "data": "data", "indices": "index", "indexes": "index",
    "matrices": "matrix", "vertices": "vertex", "children": "child", "people": "person", "news": "news",
    "server": "server", "servers": "server", "service": "service", "services": "service", "user": "user",
    "users": "user", "used": "use", "use": "use", "uses": "use", "using": "use", "usage": "use",
    "status": "status", "this": "this", "its": "its", "was": "was", "has": "has", "does": "do", "did": "do",
    "done": "do", "policy": "policy", "policies": "policy", "police": "police", "universe": "universe",
    "general": "general", "generally": "general", "importing": "import", "imported": "import",
    "important": "important", "importance": "important", "static": "static", "station": "station",
    "organ": "organ", "author": "author", "authors": "author", "header": "header", "headers": "header",
    "number": "number", "numbers": "number", "numeric": "number", "internal": "internal",
    "international": "international", "interval": "interval", "formal": "formal", "normal": "normal",
    "layer": "layer", "layers": "layer", "order": "order", "orders": "order", "ordering": "order",
    "letter": "letter", "letters": "letter", "material": "material", "component": "component",
    "components": "component", "instance": "instance", "instances": "instance", "content": "content",
    "contents": "content", "event": "event", "events": "event", "paper": "paper", "papers": "paper",
    "parent": "parent", "parents": "parent", "several": "several", "agent": "agent", "agents": "agent",
    "client": "client", "clients": "client", "timer": "timer", "pointer": "pointer", "docker": "docker",
    "container": "contain", "responsive": "responsive", "active": "active", "native": "native",
    "private": "private", "template": "template", "templates": "template", "date": "date", "dates": "date",
    "update": "update", "updates": "update", "updated": "update", "updating": "update",
}  # fmt: skip
"""Words whose ending is none, or that change inside (chosen: the commonest ones of the trade)."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a word in lower case; what is no plain word of letters stays as it is."""
    known = _EXCEPTIONS.get(word)
    if known is not None:
        return known
    if len(word) < SHORTEST or not word.isalpha():
        return word
    if not word.isascii():
        return _russian(word) if _CYRILLIC.search(word) else word
    for step in (_plural, _past, _y, _step_2, _step_3, _step_4, _last):
        word = step(word)
    return word


def _russian(word: str) -> str:
    cut = _RUSSIAN.sub("", word)
    return cut if len(cut) >= SHORTEST else word


def _measure(part: str) -> int:
    """Return how often vowels are followed by consonants: Porter's m."""
    return len(_CHANGES_OF_SOUND.findall(part))


def _has_vowel(part: str) -> bool:
    return not _VOWELS.isdisjoint(part)


def _plural(word: str) -> str:
    if word[-1] != "s":
        return word
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2] if len(word) > len("ties") else word[:-1]
    if word[-2] in "su" or word.endswith("sis"):
        return word
    return word[:-1] if _has_vowel(word[:-2]) else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    if word.endswith("ied"):
        return word[:-2] if len(word) > len("tied") else word[:-1]
    for ending in ("ed", "ing"):
        if word.endswith(ending):
            rest = word[: -len(ending)]
            if len(rest) < SHORTEST - 1 or not _has_vowel(rest):
                return word
            if rest.endswith(("at", "bl", "iz")):
                return rest + "e"
            if len(rest) > SHORTEST and rest[-1] == rest[-2] and rest[-1] not in "lsz":
                return rest[:-1]
            return rest + "e" if _measure(rest) == 1 and _ends_short(rest) else rest
    return word


def _ends_short(part: str) -> bool:
    """Tell whether a word ends in consonant, vowel, consonant (not w, x, y): Porter's *o."""
    return (
        len(part) >= SHORTEST
        and part[-1] not in _VOWELS
        and part[-1] not in "wxy"
        and part[-2] in _VOWELS
        and part[-3] not in _VOWELS
    )


def _y(word: str) -> str:
    return (
        word[:-1] + "i" if word[-1] == "y" and len(word) > SHORTEST - 1 and word[-2] not in _VOWELS else word
    )


def _step_2(word: str) -> str:
    return _replaced(word, _STEP_2)


def _step_3(word: str) -> str:
    return _replaced(word, _STEP_3)


def _replaced(word: str, endings: tuple[tuple[str, str], ...]) -> str:
    for ending, other in endings:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest + other if _measure(rest) else word
    return word


def _step_4(word: str) -> str:
    if word.endswith(("tion", "sion")):
        return word[:-3] if _measure(word[:-3]) > 1 else word
    for ending in _STEP_4:
        if word.endswith(ending):
            rest = word[: -len(ending)]
            return rest if _measure(rest) > 1 else word
    if word.endswith("or") and word[-3:-2] == "t" and _measure(word[:-2]) > 1:
        return word[:-2]
    return word


def _last(word: str) -> str:
    if word[-1] == "e":
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _ends_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
