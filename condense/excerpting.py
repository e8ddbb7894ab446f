"""Choose the lines of a history that are worth most under a token budget: expected future use, each thing once.

Lines are taken one after the other by expected gain per token. The gain of a line is the probability of its names
that no kept text holds yet, plus the share of its text that is likely repeated; a line next to a kept one gains more
(runs of words go on across the line end) and costs less (no gap, no heading), so lines come in readable blocks.
Greedy choice with lazy updates, after Minoux (1978), "Accelerated greedy algorithms for maximizing submodular set
functions".
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import groupby, repeat
from math import inf
from operator import itemgetter
from typing import TYPE_CHECKING

from condense.excerpts import (
    LONGEST_TITLE,
    ExcerptGroup,
    Excerpts,
    bridges,
    group_of_lines,
    render_group,
)
from condense.line_factors import KIND_FACTORS, line_factors
from condense.line_features import HistoryView
from condense.line_scoring import ScoredLine, score_lines
from condense.line_sources import CALL_KINDS, line_sources
from condense.names import lines_and_names
from condense.text_worths import ALONE, ALONE_SHARE, JOIN, text_worth

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from condense.line_sources import LineSource
    from memory.messages import Message
    from memory.tokens import TokenCounter

HEADING_SHARE = 0.5
"""Share of a heading that the first line under it is charged with; lines after it profit too (measured)."""
SPARE = 6.0
"""Lines are read in order of their best possible gain until they would fill the budget this many times (chosen)."""
ABOVE, BELOW = 1, 2
"""Bits of the neighbours that are kept."""


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


def score_history(messages: Sequence[Message]) -> ScoredHistory:
    """Read and score a history; linear in its text, about two thirds of the time of `choose_lines`."""
    view = HistoryView(line_sources(messages), len(messages))
    lines, chances = score_lines(view)
    return ScoredHistory(view, lines, chances, line_factors(view, lines, chances))


def choose_lines(
    messages: Sequence[Message],
    *,
    budget: int,
    count: TokenCounter,
    present: Iterable[str] = (),
    kept: Collection[int] = (),
    boost: Mapping[int, float] | None = None,
    language: str = "en",
    render: Callable[[ExcerptGroup], str] = render_group,
    scored: ScoredHistory | None = None,
) -> Excerpts:
    """Choose the lines worth most.

    Args:
        messages: the whole history, the kept tail included (what is worked on now is told from it).
        budget: tokens that the rendered groups, joined by newlines, may take; never exceeded.
        count: the token counter.
        present: texts that stand in the result anyway (ledger, reduced messages); their lines and names add nothing.
        kept: indexes of messages that stay whole; they count as present.
        boost: factors on the worth of a message's lines, by index; 1 where it is missing, 0 leaves them out.
        language: of the headings, "en" or "zh".
        render: how a group will be written; its tokens are what is counted.
        scored: what `score_history` made of the same messages, to choose from them more than once.

    Returns:
        The excerpts; empty when nothing fits. Deterministic; linear in the history apart from sorting.
    """
    if budget <= 0:
        return Excerpts()
    scored = scored or score_history(messages)
    view = scored.view
    whole = (text for source, text in zip(view.sources, view.texts, strict=True) if source.message in kept)
    lines, names = lines_and_names([*present, *whole])
    factors = boost or {}
    free = [s.message not in kept and factors.get(s.message, 1.0) > 0 for s in view.sources]
    candidates = [c for c in scored.lines if free[c.source] and c.key not in lines]
    frame = count(render(ExcerptGroup(0, "", ""))) + 1
    scale = _scale(candidates, view.sources, count)
    weights = _factors(candidates, scored, factors)
    text_weight = text_worth(budget)
    promising = _promising(candidates, budget, weights, text_weight)
    if len(promising) < len(candidates):
        candidates, weights = [candidates[k] for k in promising], [weights[k] for k in promising]
    choice = _Choice(scored, candidates, names, weights, frame, scale, text_weight)
    choice.run(budget)
    return _fitted(choice, budget, count, language, render)


def _promising(
    candidates: Sequence[ScoredLine], budget: int, factors: Sequence[float], text_weight: float
) -> Sequence[int]:
    """Which candidates have the best possible gain per token, enough to fill the budget several times, in order."""
    left = SPARE * budget + 2000
    every = range(len(candidates))
    if sum([c.size for c in candidates]) <= left:
        return every
    bounds = [
        -(hope + text_weight * chance * (size + JOIN)) * factor / (size + 0.25)
        for (_, _, _, chance, _, hope, size), factor in zip(candidates, factors, strict=True)
    ]
    best = sorted(every, key=bounds.__getitem__)
    for rank, k in enumerate(best):
        left -= candidates[k].size
        if left < 0:
            return sorted(best[:rank])
    return every


def _factors(
    candidates: Sequence[ScoredLine], scored: ScoredHistory, boost: Mapping[int, float]
) -> list[float]:
    """What the worth of each candidate is multiplied with: its message's factor, its kind's, and its own."""
    by_source = [
        boost.get(source.message, 1.0) * KIND_FACTORS.get(source.kind, 1.0) for source in scored.view.sources
    ]
    own = scored.factors
    return [by_source[c.source] * own.get(c.key, 1.0) for c in candidates]


def _scale(candidates: Sequence[ScoredLine], sources: Sequence[LineSource], count: TokenCounter) -> float:
    """Tokens of the counter for one of characters / 4, on a sample of the candidates; 1 where there are none."""
    step = max(1, len(candidates) // 100)
    sample = "\n".join(sources[c.source].lines[c.line] for c in candidates[::step])[:20_000]
    return max(0.3, count(sample) / (len(sample) / 4)) if sample else 1.0


class _Choice:
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
        self.groups: list[tuple[int, bool]] = []
        self.order: list[int] = []
        self._scale = scale
        self._text_weight = text_weight
        self._covered = names
        self._taken = [False] * len(candidates)
        self._bridges = bridges(sources, candidates)
        self._factors = factors
        self._headings: list[float] = []
        self._members: dict[tuple[int, bool], list[int]] = {}
        """Candidates of the groups that have no heading yet."""
        self._beside: dict[int, int] = {}
        """Which of a candidate's neighbours are kept: `ABOVE`, `BELOW` or both."""
        low = 0
        for at, run in groupby(candidates, itemgetter(0)):
            source = sources[at]
            high = low + sum(1 for _ in run)
            group = (source.call, bool(source.tool))
            bare = frame + scale * (len(source.tool) + 6) / 4
            heading = bare + scale * min(len(source.title), LONGEST_TITLE) / 4
            self.groups += repeat(group, high - low)
            self._headings += repeat(heading, high - low)
            if source.kind in CALL_KINDS and not candidates[low].line:
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

    def run(self, budget: float) -> None:
        """Take candidates until nothing that gains anything fits.

        Each enters with what it would be worth with no name known: never too little, so its true worth is worked out
        only when its turn comes. What does not fit any more comes back only where a line beside it is kept.
        """
        candidates, covered, taken, chances = self.candidates, self._covered, self._taken, self.chances
        costs, factors, texts, headings = self._costs, self._factors, self._texts, self._headings
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

    def _take(self, k: int) -> list[tuple[float, int]]:
        """Keep a candidate; those whose worth may have risen by it, each behind what it is at most."""
        beside, taken, spans = self._beside, self._taken, self._bridges
        self.order.append(k)
        taken[k] = True
        self._covered.update(self.candidates[k].names)
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


def _fitted(
    choice: _Choice, budget: int, count: TokenCounter, language: str, render: Callable[[ExcerptGroup], str]
) -> Excerpts:
    """Render the choice; where it is over the budget, without what was chosen last."""
    order = choice.order
    known: dict[tuple[tuple[int, bool], int], ExcerptGroup] = {}
    while order:
        groups = _groups(choice, order, language, known)
        tokens = count("\n".join(render(group) for group in groups))
        if tokens <= budget:
            return Excerpts(groups, tokens)
        order = order[: min(len(order) - 1, int(len(order) * budget / tokens))]
    return Excerpts()


def _groups(
    choice: _Choice,
    order: Sequence[int],
    language: str,
    known: dict[tuple[tuple[int, bool], int], ExcerptGroup],
) -> tuple[ExcerptGroup, ...]:
    """Write the groups of the first candidates of a choice; those that are `known` by their number of lines stay."""
    by_group: dict[tuple[int, bool], list[int]] = {}
    for k in order:
        by_group.setdefault(choice.groups[k], []).append(k)
    out = []
    for group, members in sorted(by_group.items()):
        name = (group, len(members))
        if name not in known:
            lines = [choice.candidates[k] for k in sorted(members)]
            known[name] = group_of_lines(choice.sources, lines, choice.chances, language)
        out.append(known[name])
    return tuple(out)
