"""Which texts answer a question best, by its words: BM25 over stems, bigrams and notions of the trade.

Every thing asked for counts once: by its own stem or, at less weight, a word of like meaning. Rare terms count more
(Robertson and Spärck Jones), long texts a little less; in clauses a repetition says nothing.
"""

from __future__ import annotations

from collections import defaultdict
from math import log
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from memory.search.terms import Asked, Terms, terms_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

NOTION_WEIGHT: Final = 0.6
"""What a word of like meaning counts against the word itself (chosen within 0.5 to 0.7, where it hardly matters)."""
GRAM_WEIGHT: Final = 0.6
"""What a bigram counts against a word (chosen: a Chinese word of three characters is two bigrams)."""
LENGTH_SHARE: Final = 0.2
"""BM25's b: how much of a text's length counts (chosen: memories are of one size)."""
MOST_HOLDERS: Final = 1000
"""Texts looked at under one term, newest first (chosen: bounds the cost of common words)."""
MOST_READ: Final = 64
"""Best texts that are read for their exact score (chosen)."""
USUAL_LENGTH: Final = 12.0
"""Words of a usual memory (measured on clauses of people's messages: 8 to 16)."""


class Key(NamedTuple):
    """One entry of the index: which column ("words", "grams", "notions") and what stands there."""

    column: str
    term: str


class Holders(NamedTuple):
    """The texts under a key: the newest `MOST_HOLDERS`, newest first, and how many there are."""

    rows: Sequence[int]
    held_by: int


class Postings(Protocol):
    """An index that can be asked for the texts under a key."""

    def total(self) -> int:
        """Return how many texts there are."""
        ...

    def holders(self, key: Key) -> Holders:
        """Return the texts under a key."""
        ...


class Wanted(NamedTuple):
    """One thing asked for, and where to look, with the weight of each key; the heaviest counts."""

    asked: Asked
    keys: tuple[tuple[Key, float], ...]


def keys_of(one: Asked) -> tuple[tuple[Key, float], ...]:
    """Return where a thing is looked up, with the share of its weight that counts there."""
    own = (Key("grams", one.term), GRAM_WEIGHT) if one.is_gram else (Key("words", one.term), 1.0)
    return (own, *((Key("notions", str(number)), NOTION_WEIGHT) for number in one.notions))


def rarity(total: int, count: int) -> float:
    """Return how much a term says that `count` of `total` texts hold."""
    return log(1 + (total - count + 0.5) / (count + 0.5))


def find_candidates(
    asked: Iterable[Asked], postings: Postings, allowed: frozenset[int] | None = None
) -> tuple[tuple[Wanted, ...], list[int]]:
    """Return what a query asks for, weighed, and the (allowed) texts that may answer, most promising first."""
    total = postings.total()
    held_under: dict[Key, Holders] = {}
    scores: defaultdict[int, float] = defaultdict(float)
    wanted: list[Wanted] = []
    for one in asked:
        weighed: list[tuple[Key, float]] = []
        found: list[tuple[float, Sequence[int]]] = []
        for key, share in keys_of(one):
            held = held_under.get(key) or held_under.setdefault(key, postings.holders(key))
            weighed.append((key, share * rarity(total, held.held_by)))
            if held.rows:
                found.append((weighed[-1][1], held.rows))
        best: dict[int, float] = {}
        for weight, rows in sorted(found, key=itemgetter(0)):  # the heaviest last, which counts
            best |= dict.fromkeys(rows, weight)
        for row, weight in best.items():
            scores[row] += weight
        wanted.append(Wanted(one, tuple(weighed)))
    ranked = sorted(scores, key=scores.__getitem__, reverse=True)
    return tuple(wanted), [row for row in ranked if row in allowed] if allowed is not None else ranked


def score_of(wanted: Iterable[Wanted], terms: Terms) -> tuple[float, tuple[str, ...]]:
    """Return how well a text with these terms answers, 0 to 1, and the words of the query that it matches."""
    return score_held(wanted, frozenset(keys_held(terms)), length_of(terms))


def score_held(wanted: Iterable[Wanted], held: Container[Key], length: float) -> tuple[float, tuple[str, ...]]:
    """Do the same for a text of which it is known which of the keys it holds, and its `length_of`."""
    got = most = 0.0
    matched: list[str] = []
    for asked, keys in wanted:
        most += keys[0][1]
        best = 0.0
        for key, weight in keys:
            if weight > best and key in held:
                best = weight
        if best:
            got += best
            matched.append(asked.shown)
    if not got:
        return 0.0, ()
    longer = max(1.0, length / USUAL_LENGTH)
    return got / max(most, got) / (1 - LENGTH_SHARE + LENGTH_SHARE * longer), tuple(matched)


def length_of(terms: Terms) -> float:
    """Return a text's length in words; two bigrams are about a word."""
    return len(terms.words) + len(terms.grams) / 2


def keys_held(terms: Terms) -> list[Key]:
    """Return the keys under which a text stands."""
    return [Key(column, str(term)) for column, found in terms._asdict().items() for term in found]


class KeywordIndex:
    """Texts by number, found by their words; all in memory."""

    def __init__(self) -> None:
        self._terms: dict[int, Terms] = {}
        self._holders: defaultdict[Key, set[int]] = defaultdict(set)

    def add(self, row: int, text: str) -> None:
        """Take a text in, in place of an earlier one with the number."""
        self.remove(row)
        terms = self._terms[row] = terms_of(text)
        for key in keys_held(terms):
            self._holders[key].add(row)

    def remove(self, row: int) -> None:
        """Take a text out; one that is not there is no error."""
        if (terms := self._terms.pop(row, None)) is not None:
            for key in keys_held(terms):
                self._holders[key].discard(row)

    def total(self) -> int:
        """Return how many texts there are."""
        return len(self._terms)

    def holders(self, key: Key) -> Holders:
        """Return the texts under a key, those with the highest numbers first."""
        held = self._holders.get(key, ())
        return Holders(sorted(held, reverse=True)[:MOST_HOLDERS], len(held))

    def search(
        self, asked: Sequence[Asked], allowed: frozenset[int] | None = None
    ) -> list[tuple[int, float, tuple[str, ...]]]:
        """Return numbers, scores and matched words of the texts that answer, best first, at most `MOST_READ`."""
        wanted, rows = find_candidates(asked, self, allowed)
        found = [(row, *score_of(wanted, self._terms[row])) for row in rows[:MOST_READ]]
        return sorted(found, key=lambda hit: (-hit[1], -hit[0]))
