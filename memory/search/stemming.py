"""Stems of words, so that "configured", "configuration" and "configuring" meet.

English after M. F. Porter, "An algorithm for suffix stripping" (Program 14/3, 1980), with "y", "ies"/"ied" and
exceptions as in his "English (Porter2)". Russian loses its commonest endings. What comes out is no word.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_SHORTEST: Final = 3


def _pairs(rows: str) -> tuple[tuple[str, str], ...]:
    return tuple((left, right) for left, _, right in (row.partition(":") for row in rows.split()))


_STEP_2: Final = _pairs("""
ational:ate ization:ize isation:ize iveness:ive fulness:ful ousness:ous tional:tion biliti:ble entli:ent ousli:ous
ation:ate alism:al aliti:al iviti:ive fulli:ful lessli:less enci:ence anci:ance abli:able izer:ize iser:ize ator:ate
alli:al bli:ble ogi:og
""")
_STEP_3: Final = _pairs("ational:ate tional:tion alize:al alise:al icate:ic iciti:ic ative: ical:ic ness: ful:")
_STEP_4: Final = "ement ance ence able ible ment ant ent ism ate iti ous ive ize ise al er ic tor".split()
_VOWELS: Final = frozenset("aeiouy")
_CHANGES_OF_SOUND: Final = re.compile("[aeiouy]+[^aeiouy]+")
_RUSSIAN: Final = re.compile(
    "(?:иями|ями|ами|ьего|его|ого|ему|ому|ыми|ими|ешь|ишь|ете|ите|ться|тся|ется|ются|уется|овать|ать|ять|ить|еть"
    "|ов|ев|ей|ой|ий|ый|ая|яя|ое|ее|ые|ие|ую|юю|ом|ем|ам|ям|ах|ях|ию|ия|ии|ал|ил|ла|ло|ли|ет|ит|ут|ют|ат|ят"
    "|а|я|о|е|ы|и|у|ю|ь|й)\\Z"
)
_CYRILLIC: Final = re.compile("[\u0400-\u04ff]")
_IRREGULAR: Final = """
build:built break:broke,broken run:ran write:wrote,written choos:chose,chosen find:found keep:kept send:sent
make:made go:gone,went,goes say:said tell:told get:got take:taken,took give:given,gave begin:began,begun show:shown
hold:held lose:lost mean:meant throw:thrown,threw hide:hidden,hid freez:frozen,froze data:data
index:indices,indexes matrix:matrices vertex:vertices child:children person:people use:used,uses,using,usage
do:does,did,done news: status: this: its: was: has: policy:policies police: universe: general:generally
import:importing,imported important:importance static: station: organ: number:numbers,numeric internal:
international: interval: formal: normal: order:orders,ordering material: several: timer: pointer: docker:
contain:container responsive: active: native: private: server:servers service:services user:users author:authors
header:headers layer:layers letter:letters component:components instance:instances content:contents event:events
paper:papers parent:parents agent:agents client:clients template:templates date:dates
update:updates,updated,updating
"""
_EXCEPTIONS: Final = {word: root for root, words in _pairs(_IRREGULAR) for word in (root, *words.split(","))}
"""The stems of words whose ending is none, or that change inside (chosen: the commonest ones of the trade)."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a word in lower case; what is no plain word of letters stays as it is."""
    if known := _EXCEPTIONS.get(word):
        return known
    if len(word) < _SHORTEST or not word.isalpha():
        return word
    if not word.isascii():
        cut = _RUSSIAN.sub("", word) if _CYRILLIC.search(word) else word
        return cut if len(cut) >= _SHORTEST else word
    word = _past(_plural(word))
    if word[-1] == "y" and len(word) >= _SHORTEST and word[-2] not in _VOWELS:
        word = word[:-1] + "i"
    for endings in (_STEP_2, _STEP_3):
        for ending, other in endings:
            if word.endswith(ending):
                rest = word[: -len(ending)]
                word = rest + other if _measure(rest) else word
                break
    return _last(_step_4(word))


def _measure(part: str) -> int:
    """Return how often vowels are followed by consonants: Porter's m."""
    return len(_CHANGES_OF_SOUND.findall(part))


def _plural(word: str) -> str:
    if word.endswith("sses"):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-2] if len(word) > len("ties") else word[:-1]
    if word[-1] != "s" or word[-2] in "su" or word.endswith("sis") or _VOWELS.isdisjoint(word[:-2]):
        return word
    return word[:-1]


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    if word.endswith("ied"):
        return word[:-2] if len(word) > len("tied") else word[:-1]
    rest = word.removesuffix("ing") if word.endswith("ing") else word.removesuffix("ed")
    if rest == word or len(rest) < _SHORTEST - 1 or _VOWELS.isdisjoint(rest):
        return word
    if len(rest) > _SHORTEST and rest[-1] == rest[-2] and rest[-1] not in "lsz":
        return rest[:-1]
    is_short = rest.endswith(("at", "bl", "iz")) or (_measure(rest) == 1 and _ends_short(rest))
    return rest + "e" if is_short else rest


def _ends_short(part: str) -> bool:
    """Tell whether a word ends in consonant, vowel, consonant (not w, x, y): Porter's *o."""
    kinds = [letter in _VOWELS for letter in part[-3:]]
    return kinds == [False, True, False] and part[-1] not in "wx"


def _step_4(word: str) -> str:
    if word.endswith(("tion", "sion")):
        return word[:-3] if _measure(word[:-3]) > 1 else word
    for ending in _STEP_4:
        if word.endswith(ending):
            rest = word[: -len(ending)] + ("t" if ending == "tor" else "")
            return rest if _measure(rest) > 1 else word
    return word


def _last(word: str) -> str:
    if word[-1] == "e":
        rest = word[:-1]
        measure = _measure(rest)
        if measure > 1 or (measure == 1 and not _ends_short(rest)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
