"""Bare answers: values given without their question, as "Postgres rather", "bump that to 3.12", 还是中文吧.

A clause, or a part of it between commas, is one where nothing is left of it beside a value but words that say nothing
by themselves (`tables/bare_words.txt`). Alone they are no memories: they count where the question has an answer.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from memory.conversation import LazyPattern
from memory.entries import Slot
from memory.extraction.cue_tables import read_table
from memory.extraction.slots import LANGUAGES, slots_in
from memory.extraction.technologies import technology_mentions

NUMBER = "number"
"""Name of the slot of a number whose question only the memories tell."""
LONGEST_PART, LONGEST_VALUE = 100, 60
"""Characters of a part that is read, and of a value (chosen)."""

_PART = LazyPattern(
    r"[,，;；。!！：()（）…\n]|:\s|\.(?:\s|\.|\Z)|\s-{1,2}\s|—|(?<=[\u4e00-\u9fff])\s(?=[\u4e00-\u9fff])"
)
_TURN = LazyPattern(r"\s?(?:->|=>|→|\bto\b|\bwith\b|\bby\b|改成|换成|换为|改为|到)\s?", re.IGNORECASE)
_NOT = LazyPattern(r"\s(?:not|over|instead of|rather than)\s|而不是|而非", re.IGNORECASE)
_DROPPED = LazyPattern(r"\A(?:scrap|drop|ditch|replace|swap|rename|forget|kill)\s", re.IGNORECASE)
_NUMBER = LazyPattern(
    r"(?P<value>v?\d{1,6}(?:\.\d{1,4}){0,2})\s?(?P<unit>(?:m?s|secs?|seconds?|min(?:ute)?s?|h|hours?|d|days?|weeks?"
    r"|[kmg]b?|%|px|r?em|chars?|characters?|col(?:umn)?s?|lines?|rows?|times|retries"
    r"|毫?秒|分钟?|小时|天|周|行|个|条|次|字符?|列|位|兆|秒钟)?)",
    re.IGNORECASE,
)
_INDENTATION = LazyPattern(
    r"(?:(\d|two|four|eight|[两二四八])(?:[- ]|\s?[个個])?)?(spaces?|tabs?|空格|制表符)", re.IGNORECASE
)


@cache
def _bare_words() -> tuple[frozenset[str], re.Pattern[str]]:
    """The words that say nothing by themselves, and a pattern that cuts a text into such words and others."""
    words = read_table("bare_words.txt").split()
    wide = sorted((word for word in words if word[0] > "\u2e80"), key=len, reverse=True)
    letter = r"[^\W\u2e80-\uffff]"
    latin = rf"{letter}(?:(?:{letter}|['’.+#/-])*{letter})?[+#]{{0,2}}"
    return frozenset(words), re.compile(rf"{'|'.join(wide)}|{latin}|[^\s]")


def _core(part: str) -> tuple[str, bool]:
    """What is left of a part without bare words at both its ends, and whether there were any."""
    words, token = _bare_words()
    found = [
        m for m in token.finditer(part) if any(letter.isalnum() for letter in m.group()) or m.group() in "→=>-+#%"
    ]
    first, last = 0, len(found)
    while first < last and found[first].group().lower().replace("’", "'") in words:
        first += 1
    while last > first and found[last - 1].group().lower().replace("’", "'") in words:
        last -= 1
    return (
        (part[found[first].start() : found[last - 1].end()], last - first < len(found))
        if first < last
        else ("", True)
    )


@lru_cache(maxsize=64)
def bare_answers_in(text: str) -> tuple[Slot, ...]:
    """Return the answers that a clause gives without their questions, each question once; a number as `NUMBER`."""
    found: dict[str, Slot] = {}
    opened = False  # behind words that say nothing: "no, 4000"
    for part in _PART.split(text):
        core, said = _core(part) if len(part) <= LONGEST_PART else (part, False)
        if core and len(core) <= LONGEST_VALUE:
            found |= {slot.name: slot for slot in _values(core, said=said or opened)}
        opened = not core and bool(part.strip())
    return tuple(found.values())


def in_place_of(old: str, number: str) -> str:
    """Return a bare number as an answer in place of an old one, with its unit; "" where it is of another kind."""
    was, new = _NUMBER.fullmatch(old), _NUMBER.fullmatch(number)
    if not (was and new) or new["unit"] not in ("", was["unit"].lower()):
        return ""
    if was["value"].count(".") != new["value"].count("."):
        return ""
    return f"{new['value']} {was['unit']}".strip()


def _values(core: str, *, said: bool) -> tuple[Slot, ...]:
    wanted = _NOT.split(core, 1)[0]
    turns = _TURN.split(wanted)
    if len(turns) > 1:
        was, becomes = _value(_DROPPED.sub("", turns[0])), _value(turns[-1])
        return becomes if {slot.name for slot in was} == {slot.name for slot in becomes} else ()
    slots = _value(wanted)
    return slots if said or not (slots and slots[0].name == NUMBER) else ()


def _value(core: str) -> tuple[Slot, ...]:
    """Return the answer that a core is, as a whole."""
    core = core.strip(" `'\"“”*")
    if number := _NUMBER.fullmatch(core):
        return (Slot(NUMBER, f"{number['value'].lstrip('vV')} {number['unit'].lower()}".strip()),)
    if indentation := _INDENTATION.fullmatch(core):
        return (Slot("indentation", (indentation[1] or indentation[2]).lower()),)
    low = core.lower()
    spoken = [name for name, pattern in LANGUAGES.items() if (m := pattern.match(low)) and m.end() == len(low)]
    if spoken:
        return (Slot("answer language", spoken[0]),)
    text = f"use {core}"
    named = technology_mentions(text)
    if len(named) != 1 or named[0].start != len("use "):
        return ()
    rest = text[named[0].end :].strip().removeprefix("v")
    return slots_in(text) if not rest or _NUMBER.fullmatch(rest) else ()
