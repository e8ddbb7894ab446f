"""The greedy choice of lines: one after the other by expected gain per token, with what is kept beside them counted.

Greedy choice with lazy updates, after Minoux (1978), "Accelerated greedy algorithms for maximizing submodular set
functions".
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from itertools import groupby, repeat
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING

from condense.lines.excerpt_groups import LONGEST_PATH, LONGEST_TITLE, bridges, names_call
from condense.lines.novelty import ToldRuns
from condense.lines.text_worths import ALONE, ALONE_SHARE, JOIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.lines.model import ScoredHistory, ScoredLine

HEADING_SHARE = 0.5
"""Share of a heading that the first line under it is charged with; lines after it profit too (measured)."""
ABOVE, BELOW = 1, 2
"""Bits of the neighbours that are kept."""


class LineChoice:
    """The greedy choice over one set of candidates.

    Args:
        scored: the history.
        candidates: in order of source and line.
        names: those that stand in the result anyway; grows.
        factors: of each candidate, what its worth is multiplied with.
        frame: tokens of a group's heading beside its words.
        scale: tokens of the counter for one of characters / 4.
        text_weight: what a repeated token is worth beside a needed name.
    """

    def __init__(
        self,
        scored: ScoredHistory,
        candidates: Sequence[ScoredLine],
        names: set[str],
        factors: Sequence[float],
        frame: float,
        scale: float,
        text_weight: float,
    ) -> None:
        self.sources = sources = scored.view.sources
        self.candidates = candidates
        self.chances = scored.chances
        self.groups: list[tuple[int, int]] = []
        self.order: list[int] = []
        self._scale = scale
        self._text_weight = text_weight
        self._covered = names
        self._told = ToldRuns()
        self._taken = [False] * len(candidates)
        self._bridges = bridges(sources, candidates)
        self._factors = factors
        self._headings: list[float] = []
        self._members: dict[tuple[int, int], list[int]] = {}
        """Candidates of the groups that have no heading yet."""
        self._beside: dict[int, int] = {}
        """Which of a candidate's neighbours are kept: `ABOVE`, `BELOW` or both."""
        low = 0
        for at, run in groupby(candidates, itemgetter(0)):
            source = sources[at]
            high = low + sum(1 for _ in run)
            group = (source.call, source.unit)
            bare = frame + scale * (len(source.tool) + 6) / 4
            longest = LONGEST_PATH if source.title == source.path else LONGEST_TITLE
            heading = bare + scale * min(len(source.title), longest) / 4
            self.groups += repeat(group, high - low)
            self._headings += repeat(heading, high - low)
            if names_call(source, candidates[low].line):
                self._headings[low] = bare
            self._members.setdefault(group, []).extend(range(low, high))
            low = high
        self._texts = [
            text_weight * chance * max(size - ALONE, ALONE_SHARE * size)
            for _, _, _, chance, _, _, size in candidates
        ]
        """What the text of each candidate brings without a neighbour."""
        self._costs = [scale * (c[6] + 0.25) + 1.0 for c in candidates]
        """What each candidate costs without a heading or a neighbour."""
        gains = [
            (c[5] + text) * factor
            for c, text, factor in zip(candidates, self._texts, self._factors, strict=True)
        ]
        self._alone = [-gain / cost for gain, cost in zip(gains, self._costs, strict=True)]
        """What each candidate is worth at most without a heading or a neighbour: the lower the better."""
        self._bounds = [
            -gain / (cost + HEADING_SHARE * heading)
            for gain, cost, heading in zip(gains, self._costs, self._headings, strict=True)
        ]
        """The same with a heading."""

    def _cost(self, k: int) -> tuple[float, float, float]:
        """What keeping a candidate beside a kept one costs: tokens, tokens felt, and what its text brings."""
        near = self._beside[k]
        c = self.candidates[k]
        length = c.size
        if near & ABOVE:
            length += self._bridges[k] or 0.0
        if near & BELOW:
            length += self._bridges[k + 1] or 0.0
        cost = self._scale * (length + 0.25)
        both = near == ABOVE | BELOW
        cost += -1.0 if both else 0.0
        return cost, max(cost, 0.5), self._text_weight * c.chance * (length + JOIN * both)

    def run(self, budget: float) -> float:
        """Take candidates until nothing that gains anything fits; return what is left of the budget.

        Each enters with what it would be worth with no name known: never too little, so its true worth is worked out
        only when its turn comes. What does not fit any more comes back only where a line beside it is kept, or in
        another run, which goes on from what was taken.
        """
        candidates, covered, taken, chances = self.candidates, self._covered, self._taken, self.chances
        costs, factors, texts, headings = self._costs, self._factors, self._texts, self._headings
        novelty = self._told.novelty
        groups, closed, beside, bounds = self.groups, self._members, self._beside, self._bounds
        order = sorted(range(len(bounds) - 1, -1, -1), key=bounds.__getitem__, reverse=True)
        rest = [(inf, -1), *zip(map(bounds.__getitem__, order), order, strict=True)]
        heap: list[tuple[float, int]] = []  # what was put back
        dearest = max(costs, default=0.0) - 2.0
        few = budget / 8  # below it, and again below each half, what is too long for what is left goes
        while heap or len(rest) > 1:
            bound, k = heappop(heap) if heap and heap[0] < rest[-1] else rest.pop()
            if taken[k] or bound != bounds[k] or costs[k] - 2.0 > budget:
                continue
            if k in beside:
                cost, felt, gain = self._cost(k)
            else:
                cost = felt = costs[k]
                gain = texts[k]
                if groups[k] in closed:
                    cost += headings[k]
                    felt += HEADING_SHARE * headings[k]
            if cost > budget:
                continue
            gain *= novelty(candidates[k].key)
            for name in candidates[k].names:
                if name not in covered:
                    gain += chances[name]
            worth = -gain * factors[k] / felt
            if worth >= 0:
                continue
            if worth > rest[-1][0] or (heap and worth > heap[0][0]):
                bounds[k] = worth
                heappush(heap, (worth, k))
                continue
            budget -= cost
            if budget < few:
                few = budget / 2
                if budget < dearest:
                    rest = [entry for entry in rest if entry[1] < 0 or costs[entry[1]] - 2.0 <= budget]
                    heap = [entry for entry in heap if costs[entry[1]] - 2.0 <= budget]
                    heapify(heap)
            for entry in self._take(k):
                bounds[entry[1]] = entry[0]
                heappush(heap, entry)
        return budget

    def _take(self, k: int) -> list[tuple[float, int]]:
        """Keep a candidate; those whose worth may have risen by it, each behind what it is at most."""
        beside, taken, spans = self._beside, self._taken, self._bridges
        self.order.append(k)
        taken[k] = True
        self._covered.update(self.candidates[k].names)
        self._told.tell(self.candidates[k].key)
        near = []
        if spans[k] is not None:
            near.append(k - 1)
            beside[k - 1] = beside.get(k - 1, 0) | BELOW
        if spans[k + 1] is not None:
            near.append(k + 1)
            beside[k + 1] = beside.get(k + 1, 0) | ABOVE
        members = self._members.pop(self.groups[k], ())
        out = [(self._alone[other], other) for other in members if other != k and other not in near]
        for other in near:
            if not taken[other]:
                _, felt, text = self._cost(other)
                out.append((-(self.candidates[other].hope + text) * self._factors[other] / felt, other))
        return out
