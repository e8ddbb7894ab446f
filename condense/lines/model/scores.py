"""Expected use of every line of a history: which names it brings, how likely its text is repeated.

A small additive model (one weight per bucket of each feature, `line_weights`) gives the share of a line's text that
the assistant is going to repeat in its next dozen messages; `name_scoring` gives the chances of its names.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import repeat
from math import exp
from operator import getitem
from typing import TYPE_CHECKING, NamedTuple

from condense.lines.model.features import OWN_FEATURES, bucket, chance_bucket
from condense.lines.model.name_scores import name_chances
from condense.lines.model.occurrences import SeenLines
from condense.lines.model.weights import LINE_BASE, LINE_WEIGHTS
from condense.lines.sources import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from condense.lines.model.features import HistoryView


class ScoredLine(NamedTuple):
    """A line that may be kept: where it stands and what keeping it is worth.

    Attributes:
        source, line: index of its source, and in it.
        key: its text without indentation.
        chance: expected share of its text that is repeated soon, 0..1.
        names: its names, each once.
        hope: the sum of their probabilities.
        size: characters / 4.
    """

    source: int
    line: int
    key: str
    chance: float
    names: tuple[str, ...]
    hope: float
    size: float


@dataclass(frozen=True, slots=True)
class ScoredHistory:
    """A history read and scored once; good for any number of choices from the same messages.

    Attributes:
        view: its sources, names and files.
        lines: each different line with what keeping it is worth.
        chances: the probability of each name to be needed soon.
        factors: what the worth of lines is multiplied with, by key; 1 where it is missing.
    """

    view: HistoryView
    lines: list[ScoredLine]
    chances: Mapping[str, float]
    factors: Mapping[str, float]


PATCH_ADDED, PATCH_REMOVED = 14, 15
"""Columns of patch lines that begin with + and -, beside the numbers of `LineKind`."""
SHORTEST = 2
"""Characters of the shortest line that counts: a lone bracket is the same everywhere."""

(
    _KIND, _REPEATS, _CALLS, _CALL_AGE, _BEST, _ALL, _NAMES, _LENGTH, _PLACE, _INDENT,
) = LINE_WEIGHTS[:OWN_FEATURES]  # fmt: skip
_LENGTHS = [_LENGTH[bucket(n // 5, 7)] for n in range(401)]
_FAR, _DEEP = 255, 15
_PLACES = [_PLACE[bucket(n, 8)] for n in range(_FAR + 1)]
_INDENTS = [_INDENT[min(n // 2, 7)] for n in range(_DEEP + 1)]
_COUNTS = [_NAMES[bucket(n, 5)] for n in range(32)]
_BEST_BITS, _ALL_BITS = ([w[min(10, bits or 1)] for bits in range(64)] for w in (_BEST, _ALL))
_NAMELESS = _BEST[0] + _ALL[0] + _NAMES[0]


def score_lines(view: HistoryView) -> tuple[list[ScoredLine], dict[str, float]]:
    """Score each different line of a history where it stood last; linear in its text.

    Returns:
        The lines in order, and the probability of each name.
    """
    seen = SeenLines(view.sources)
    chances = name_chances(view, seen)
    out: list[ScoredLine] = []
    low = 0
    for at, start in enumerate(seen.starts[:-1]):
        high = bisect_left(seen.newest, seen.starts[at + 1], low)
        numbers = [place - start for place in seen.newest[low:high] if len(seen.keys[place]) >= SHORTEST]
        low = high
        if numbers:
            out += _score_source(view, at, numbers, seen, chances)
    return out, chances


def _score_source(
    view: HistoryView, at: int, numbers: Sequence[int], seen: SeenLines, chances: Mapping[str, float]
) -> Iterable[ScoredLine]:
    """Score some lines of one source."""
    source, start = view.sources[at], seen.starts[at]
    texts = [source.lines[number] for number in numbers]
    keys = [seen.keys[start + number] for number in numbers]
    names, hopes, best, totals = _read_names(keys, seen, chances)
    around = surroundings(view, at, best)
    base = LINE_BASE + sum(map(getitem, LINE_WEIGHTS[OWN_FEATURES:], around)) + _KIND[source.kind]
    once = _used(view, at, seen, None)
    shares: list[float] = []
    times = seen.times
    for number, text, key, total in zip(numbers, texts, keys, totals, strict=True):
        indent = 0 if text is key else len(text) - len(text.lstrip())
        total += (  # noqa: PLW2901  # what is known of its names is the first of the sum
            base
            + _LENGTHS[len(key)]
            + (_PLACES[number] if number < _FAR else _PLACES[_FAR])
            + (_INDENTS[indent] if indent < _DEEP else _INDENTS[_DEEP])
            + (_used(view, at, seen, key) if key in times else once)
        )
        shares.append(1.0 / (1.0 + exp(-total)))
    if source.kind is LineKind.PATCH:
        shares = [_as_patch_line(text, share) for text, share in zip(texts, shares, strict=True)]
    sizes = [len(text) / 4 for text in texts]
    return map(ScoredLine._make, zip(repeat(at), numbers, keys, shares, names, hopes, sizes, strict=False))


def _as_patch_line(text: str, share: float) -> float:
    """The share of a line of a patch, by its sign."""
    column = {"+": PATCH_ADDED, "-": PATCH_REMOVED}.get(text[0])
    if column is None:
        return share
    return 1.0 / (1.0 + (1.0 - share) / share * exp(_KIND[LineKind.PATCH] - _KIND[column]))


def _used(view: HistoryView, at: int, seen: SeenLines, key: str | None) -> float:
    """Weight of how often and when a line was used; of one that stands in this source only where no key is given."""
    if key is None:
        calls = int(view.is_call(at))
        called = at if calls else -1
        times = 0
    else:
        calls, called, times = seen.calls[key], seen.last_call.get(key, -1), seen.times[key]
    age = 0 if called < 0 else 1 + bucket(view.age(called), 9)
    return _REPEATS[bucket(times, 5)] + _CALLS[bucket(calls, 4)] + _CALL_AGE[age]


def _read_names(
    keys: Sequence[str], seen: SeenLines, chances: Mapping[str, float]
) -> tuple[list[tuple[str, ...]], list[float], list[float], list[float]]:
    """Read the names of some lines.

    Returns:
        For each line its names, the sum of their chances, the largest of these, and the weight of all that.
    """
    all_names = list(map(seen.names.get, keys, repeat(())))
    hopes: list[float] = []
    best: list[float] = []
    weights: list[float] = []
    for names in all_names:
        if not names:
            hope, top, weight = 0.0, 0.0, _NAMELESS
        elif len(names) == 1:
            hope = top = chances[names[0]]
            bits = int(top * 1024).bit_length()
            weight = _BEST_BITS[bits] + _ALL_BITS[bits] + _COUNTS[1]
        else:
            values = [chances[name] for name in names]
            hope, top = sum(values), max(values)
            weight = _BEST_BITS[int(top * 1024).bit_length()] + _ALL_BITS[int(hope * 1024).bit_length()]
            weight += _COUNTS[min(len(names), 31)]
        hopes.append(hope)
        best.append(top)
        weights.append(weight)
    return all_names, hopes, best, weights


def surroundings(view: HistoryView, at: int, best: Sequence[float]) -> tuple[int, ...]:
    """Buckets of a source from "age" to "top_name", given the best chance of each of its lines."""
    return (*view.source_features(at), chance_bucket(sum(best) / len(best)), chance_bucket(max(best)))
