"""Expected use of every line of a history: which names it brings, how likely its text is repeated.

Two small additive models (one weight per bucket of each feature, `line_weights`) give the probability that a name is
needed in the assistant's next dozen messages, and the share of a line's text that it is going to repeat.
"""

from __future__ import annotations

from math import exp
from operator import getitem
from typing import TYPE_CHECKING

from condense.line_features import (
    OWN_FEATURES,
    HistoryView,
    RunReadings,
    chance_bucket,
    see_lines,
    source_lines,
)
from condense.line_weights import LINE_BASE, LINE_WEIGHTS, NAME_BASE, NAME_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.line_features import SeenLine


class ScoredLine:
    """A line that may be kept: where it stands and what keeping it is worth.

    Attributes:
        key: its text without indentation.
        source, line: index of its source, and in it.
        chance: expected share of its text that is repeated soon, 0..1.
        names: its names and their probabilities.
        hope: the sum of these.
        size: characters / 4.
    """

    __slots__ = ("chance", "hope", "key", "line", "names", "size", "source")

    def __init__(
        self, key: str, source: int, line: int, chance: float, names: Mapping[str, float], size: float
    ) -> None:
        self.key = key
        self.source = source
        self.line = line
        self.chance = chance
        self.names = names
        self.hope = sum(names.values()) if names else 0.0
        self.size = size


def name_chances(view: HistoryView) -> dict[str, float]:
    """The probability of each name of a history to be needed soon."""
    by_features: dict[tuple[int, ...], float] = {}
    seen_once: dict[tuple[int, int, int], float] = {}
    chances: dict[str, float] = {}
    ranks = view.file_rank
    for name, seen in view.names.items():
        once = None
        if seen.sources == 1 and name.rsplit("/", 1)[-1] not in ranks:
            once = (seen.last, seen.kind, len(name) // 6)
            chance = seen_once.get(once)
            if chance is not None:
                chances[name] = chance
                continue
        features = view.name_features(name, seen)
        chance = by_features.get(features)
        if chance is None:
            chance = by_features[features] = _chance(NAME_BASE, NAME_WEIGHTS, features)
        if once is not None:
            seen_once[once] = chance
        chances[name] = chance
    return chances


def _chance(base: float, weights: Sequence[Sequence[float]], features: Sequence[int]) -> float:
    return 1.0 / (1.0 + exp(-base - sum(map(getitem, weights, features))))


def score_lines(view: HistoryView) -> list[ScoredLine]:
    """Score each different line of a history where it stood last; linear in its text."""
    readings = RunReadings(name_chances(view))
    by_source: dict[int, list[tuple[str, SeenLine]]] = {}
    for key, seen in see_lines(view.sources).items():
        by_source.setdefault(seen.at, []).append((key, seen))
    out: list[ScoredLine] = []
    for at, entries in by_source.items():
        read = source_lines(view, at, entries, readings)
        base = LINE_BASE + sum(
            map(getitem, LINE_WEIGHTS[OWN_FEATURES:], surroundings(view, at, [r[2] for r in read]))
        )
        lines = view.sources[at].lines
        for (key, seen), (features, names, _) in zip(entries, read, strict=True):
            chance = _chance(base, LINE_WEIGHTS, features)
            out.append(ScoredLine(key, at, seen.line, chance, names, len(lines[seen.line]) / 4))
    return out


def surroundings(view: HistoryView, at: int, best: Sequence[float]) -> tuple[int, ...]:
    """Buckets of a source from "age" to "top_name", given the best chance of each of its lines."""
    return (*view.source_features(at), chance_bucket(sum(best) / len(best)), chance_bucket(max(best)))
