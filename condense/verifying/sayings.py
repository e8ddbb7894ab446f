"""Sayings: what a person said, ready to be asked whether it bears out what is attributed to them, or denies it.

Compared are words by their stems, words of like meaning for half, and whether a clause says yes or no: its negations
are even or odd.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from memory.consolidation import read_wording
from memory.search import asked_by, stem, terms_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memory.search import Asked

_NEEDED = ((3, 0.8), (5, 0.7), (10**6, 0.6))
"""Share of an attribution's words that one message must hold, by their number: of few words none may lack."""
_ALIKE, _LIKE, _BLOCK = 0.6, 0.5, 1_200
"""Share of a clause's words from which another speaks of the same; what a word of like meaning counts (two of them do
not make the same saying); characters of a message that bear out one attribution together (all chosen)."""
_FILLER_WORDS = """
user users always never must not no only every any all it them everything should need want wants please explicitly also
now first then before after without assistant agent work task make do use keep get go be clear clearly specifically
"""
_FILLERS = frozenset(stem(word) for word in _FILLER_WORDS.split())
"""Stems that say nothing of what was attributed."""
_JOINING = frozenset(map(chr, range(0x3041, 0x30A0))) | set(
    "的了着在把被将和与并都要以对为请使用求会应就也还让个一两所有加让从"
)
"""Signs of Chinese and Japanese that only join words, or may stand or lack before one."""
_CLAUSE = re.compile(r"[.!?;]+(?:\s|$)|[。！？；\n]+|,\s|[，、]|\s(?:but|and|then)\s|\s[—–-]\s")
_OPEN = re.compile(  # a clause that only asks, or wants to be asked
    r"[?？]\s{0,9}\Z|吗\W{0,3}\Z|\b(?:ask|confirm with|check with|tell|wait for|let) (?:me|us|my)\b"
    r"|\b(?:frag|pregúnta|pergunt|demande|спрос|спраш)\w{0,6}|问我|先问|問我|我确认|聞いて|確認して",
    re.IGNORECASE,
)
_WHETHER = re.compile(r"(\w)[不没]\1|是否|可否|能否")  # both answers are named: 要不要, 是不是
_WITHOUT = re.compile(r"\b(?:without|sans|sin|sem|ohne|без)\b", re.IGNORECASE)


class Said(NamedTuple):
    """What a person said; what the assistant had proposed, where they say yes or no to that; whether they say no."""

    text: str
    answers: str = ""
    refuses: bool = False

    @property
    def granted(self) -> str:
        """What they say yes to."""
        return "" if self.refuses else self.answers


class _Text:
    def __init__(self, *texts: str) -> None:
        terms = terms_of("\n".join(texts))
        self._words, self._grams = frozenset(terms.words), frozenset(terms.grams)
        self._notions = frozenset(terms.notions)

    def share(self, asked: Sequence[Asked]) -> float:
        """Return how much of what is asked for stands here; without one of its numbers, half at most."""
        share = sum(map(self._holds, asked)) / len(asked)
        has_numbers = all(one.term in self._words for one in asked if one.term.isdecimal())
        return share if has_numbers else min(share, 0.5)

    def _holds(self, one: Asked) -> float:
        is_there = one.term in (self._grams if one.is_gram else self._words)
        if is_there or (not one.is_gram and any(_is_form(one.term, word) for word in self._words)):
            return 1.0
        return 0.0 if self._notions.isdisjoint(one.notions) else _LIKE


class Sayings:
    """All that a person said, in order."""

    def __init__(self, said: Iterable[Said]) -> None:
        self._said = tuple(dict.fromkeys(one._replace(text=b) for one in said for b in _blocks(one.text)))

    @cached_property
    def script(self) -> str:
        """The script that prevails in what was said."""
        return script_of("\n".join(one.text for one in self._said))

    @cached_property
    def _asked_for(self) -> tuple[_Text, ...]:
        return tuple(_Text(one.text, one.granted) for one in self._said)

    @cached_property
    def _agreed_to(self) -> tuple[_Text, ...]:
        clauses = ([c for c in _CLAUSE.split(one.text) if not _OPEN.search(c)] for one in self._said)
        return tuple(_Text(*own, one.granted) for own, one in zip(clauses, self._said, strict=True))

    @cached_property
    def _refused(self) -> tuple[_Text, ...]:
        return tuple(_Text(one.text, one.answers) for one in self._said if one.refuses)

    @cached_property
    def _clauses(self) -> tuple[tuple[_Text, bool], ...]:
        said = [(one.text, False) for one in self._said] + [(one.answers, one.refuses) for one in self._said]
        clauses = dict.fromkeys((c, no) for text, no in said for c in _CLAUSE.split(text) if c.strip())
        return tuple((_Text(clause), _says_no(clause) != no) for clause, no in clauses)

    def bear(self, wording: str, *, approval: bool = False) -> float:
        """Return how well some one message bears out (or approves of) a wording: 1 and more, or nearly, or not."""
        asked = _asked(wording)
        if not asked:
            return 1.0
        texts = self._agreed_to if approval else self._asked_for
        texts = (*texts, *self._refused) if _says_no(wording) else texts
        needed = next(share for words, share in _NEEDED if len(asked) <= words)
        return max((text.share(asked) for text in texts), default=0.0) / needed

    def deny(self, wording: str) -> bool:
        """Tell whether what is said about a clause of a wording always says the opposite."""
        for clause in _CLAUSE.split(wording):
            if asked := _asked(clause):
                alike = [no for text, no in self._clauses if text.share(asked) >= _ALIKE]
                if alike and _says_no(clause) not in alike:
                    return True
        return False


_SCRIPTS = {
    "kana": re.compile(r"[\u3040-\u30ff]"),
    "han": re.compile(r"[\u4e00-\u9fff]"),
    "cyrillic": re.compile(r"[\u0400-\u04ff]"),
    "hangul": re.compile(r"[\uac00-\ud7a3]"),
}
_READ = 20_000  # characters that are read; chosen


def script_of(text: str, rare: float = 0.1) -> str:
    """Return the script a text is written in, names and code aside: the first of these that is not `rare` in it."""
    letters = sum(map(str.isalpha, text[:_READ])) or 1
    scripts = ((name, len(signs.findall(text[:_READ])) / letters) for name, signs in _SCRIPTS.items())
    return next((name for name, share in scripts if share > rare), "latin")


def _asked(wording: str) -> list[Asked]:
    asked = [one for one in asked_by(wording) if one.term not in _FILLERS]
    return [one for one in asked if not one.is_gram or _JOINING.isdisjoint(one.term)] or asked


def _is_form(one: str, other: str) -> bool:
    least = max(4, -(-7 * max(len(one), len(other)) // 10))
    return one[:least] == other[:least] and min(len(one), len(other)) >= least and not one.isdecimal()


def _says_no(clause: str) -> bool:
    """Tell whether a clause says no; "never ... without asking" says yes to asking, as often as "no" stands there."""
    clause = _WHETHER.sub("", clause)
    without = len(_WITHOUT.findall(clause))
    return (read_wording(clause).negations > without) != (without > 0)


def _blocks(text: str) -> Iterator[str]:
    block = ""
    for line in text.split("\n"):
        for at in range(0, len(line), _BLOCK):
            if block and len(block) + len(line) > _BLOCK:
                yield block
                block = ""
            block += line[at : at + _BLOCK] + "\n"
    if block:
        yield block
