"""Choose the lines of a history that are worth most under a token budget: expected future use, each thing once.

The gain of a line is the probability of its names that no kept text holds yet, plus the share of its text that is
likely repeated; a line next to a kept one gains more (runs of words go on across the line end) and costs less (no gap,
no heading). Greedy choice by gain per token with lazy updates, after Minoux (1978), "Accelerated greedy algorithms for
maximizing submodular set functions".
"""

from __future__ import annotations

import re
from bisect import bisect_right
from heapq import heapify, heappop, heappush
from itertools import accumulate, groupby
from typing import TYPE_CHECKING, NamedTuple

from condense.lines.excerpt_groups import (
    LONGEST_PATH,
    LONGEST_TITLE,
    ExcerptGroup,
    bridges,
    group_of_lines,
    names_call,
    render_group,
)
from condense.lines.factors import weigh
from condense.lines.scores import HistoryView, ScoredHistory, ScoredLine, score_lines
from condense.lines.sources import line_sources
from condense.reading import by_size, lines_and_names
from memory.conversation import quarters

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from memory.conversation import Message, TokenCounter

TEXT_WEIGHTS = ((1500, 0.07), (2500, 0.034), (6000, 0.05), (12_000, 0.06))
"""What a repeated token of text is worth beside a needed name, by the tokens that the lines may take: more gives more
copied text and fewer of the names used long ago."""
RUN = 8
"""Words of a run of copied text (from its definition): a line that joins two kept ones gains as many tokens."""
KNOWN, WORDS = 0.2, 4
"""What text is still worth whose runs of so many words are all covered by kept lines (measured)."""
HEADING_SHARE = 0.5
"""Share of a heading that the first line under it is charged with; lines after it profit too."""
SPREAD = 1000.0
"""Tokens kept of one call, or text, that halve what more of it is worth (measured: names used long ago +.01)."""
SPARE, CLOSE = 3.0, 0.01
"""Candidates would fill the budget so many times; a share of the lines within which it is left open how many fit."""
MOST_READ = 8_000_000
"""Characters of the newest messages whose lines are read, so that memory does not grow with the history; chosen."""
ABOVE, BELOW = 1, 2
"""Flags: which adjacent lines are kept."""
_WORD = re.compile(r"\w{3,}")


def score_history(messages: Sequence[Message]) -> ScoredHistory:
    """Read and score a history; linear in its text, about two thirds of the time of a first choice."""
    left, first = MOST_READ, len(messages)
    while first and left >= 0:
        first -= 1
        left -= sum(len(part.text) + len(str(part.arguments or "")) for part in messages[first].parts)
    view = HistoryView(line_sources(messages, first + (left < 0)), len(messages))
    lines, chances = score_lines(view)
    return ScoredHistory(view, lines, chances, *weigh(view, lines))


class Novelty:
    """Word 4-grams already covered by the selection: the text of a line much like a kept one is worth less."""

    def __init__(self) -> None:
        self._covered: set[tuple[str, ...]] = set()

    def of(self, line: str) -> float:
        """Return what is left of the worth of a line's text: 1 where nothing is covered yet, else down to `KNOWN`."""
        runs = _runs(line)
        new = sum(run not in self._covered for run in runs) / len(runs) if runs else 1.0
        return KNOWN + (1.0 - KNOWN) * new

    def cover(self, line: str) -> None:
        """Count the runs of a line as covered."""
        self._covered.update(_runs(line))


def _runs(line: str) -> list[tuple[str, ...]]:
    words = _WORD.findall(line)
    return [*zip(*(words[i:] for i in range(WORDS)), strict=False)]


class _Weights(NamedTuple):
    text: float  # what a repeated token is worth beside a needed name
    scale: float  # tokens of the counter for one of characters / 4
    frame: float  # tokens of a group's heading beside its words


class _Choice:
    """The greedy choice over candidates, in order of source and line, and the factors on their worth.

    `names` are those that stand in the result anyway; the set grows.
    """

    def __init__(
        self,
        scored: ScoredHistory,
        candidates: Sequence[ScoredLine],
        names: set[str],
        factors: Sequence[float],
        weights: _Weights,
    ) -> None:
        self.candidates, self.chances = candidates, scored.chances
        self.groups: list[tuple[int, int]] = []
        self.order: list[int] = []
        self._covered, self._factors, self._weights = names, factors, weights
        self._novelty = Novelty()
        self._taken = [False] * len(candidates)
        self._bridges = bridges(scored.view.sources, candidates)
        self._headings: list[float] = []
        self._members: dict[tuple[int, int], list[int]] = {}  # candidates of groups that have no heading yet
        self._beside = [0] * len(candidates)  # of each candidate, which adjacent lines are kept
        self._kept = dict.fromkeys(((source.call, source.unit) for source in scored.view.sources), 0.0)
        for at, run in groupby(candidates, lambda line: line.source):
            source, members = scored.view.sources[at], [*run]
            group, low = (source.call, source.unit), len(self.groups)
            bare = weights.frame + weights.scale * (len(source.tool) + 6) / 4
            longest = LONGEST_PATH if source.title == source.path else LONGEST_TITLE
            heading = bare + weights.scale * min(len(source.title), longest) / 4
            self.groups += [group] * len(members)
            self._headings += [heading] * len(members)
            if names_call(source, members[0].line):
                self._headings[low] = bare
            self._members.setdefault(group, []).extend(range(low, len(self.groups)))
        self._bounds = [self._bound(k, headed=False) for k in range(len(candidates))]

    def _length(self, k: int) -> float:
        """Characters / 4 of a candidate, and of what stands between it and the kept lines beside it."""
        near, length = self._beside[k], self.candidates[k].size
        length += (self._bridges[k] or 0.0) if near & ABOVE else 0.0
        return length + ((self._bridges[k + 1] or 0.0) if near & BELOW else 0.0)

    def _text(self, k: int) -> float:
        """What the text of a candidate brings, as long as nothing like it is kept."""
        joins = self._beside[k] == ABOVE | BELOW
        return self._weights.text * self.candidates[k].chance * (self._length(k) + RUN * joins)

    def _cost(self, k: int, *, headed: bool) -> tuple[float, float]:
        """Tokens of keeping a candidate, and those it is charged with; under a heading that is there, or a new one."""
        near = self._beside[k]
        cost = self._weights.scale * (self._length(k) + 0.25)
        if near:
            cost -= near == ABOVE | BELOW
            return cost, max(cost, 0.5)
        heading = 0.0 if headed else self._headings[k]
        return cost + 1.0 + heading, cost + 1.0 + HEADING_SHARE * heading

    def run(self, budget: float) -> float:
        """Take candidates until nothing that gains anything fits; return what is left of the budget.

        Each enters with what it would be worth with no name known; its true worth is worked out when its turn comes.
        """
        bounds = self._bounds
        heap = [(bound, k) for k, bound in enumerate(bounds)]
        heapify(heap)
        while heap:
            bound, k = heappop(heap)
            if self._taken[k] or bound != bounds[k]:
                continue
            line = self.candidates[k]
            cost, charged = self._cost(k, headed=self.groups[k] not in self._members)
            if cost > budget:
                continue
            known = sum([self.chances[name] for name in line.names if name not in self._covered])
            spread = SPREAD / (SPREAD + self._kept[self.groups[k]])
            text, each = self._text(k), self._factors[k] * spread / charged
            worth = -(known + text) * each
            if not heap or worth <= heap[0][0]:  # the text may be known too
                worth = -(known + text * self._novelty.of(line.key)) * each
            if worth >= 0:
                continue
            if heap and worth > heap[0][0]:
                bounds[k] = worth
                heappush(heap, (worth, k))
                continue
            budget -= cost
            self._kept[self.groups[k]] += cost
            for entry in self._take(k):
                bounds[entry[1]] = entry[0]
                heappush(heap, entry)
        return budget

    def _take(self, k: int) -> list[tuple[float, int]]:
        """Keep a candidate; those whose worth may have risen by it, each behind what it is at most."""
        self.order.append(k)
        self._taken[k] = True
        self._covered.update(self.candidates[k].names)
        self._novelty.cover(self.candidates[k].key)
        risen = set(self._members.pop(self.groups[k], ()))
        for other, side, bridge in ((k - 1, BELOW, self._bridges[k]), (k + 1, ABOVE, self._bridges[k + 1])):
            if bridge is not None:
                self._beside[other] |= side
                risen.add(other)
        return [(self._bound(other, headed=True), other) for other in risen if not self._taken[other]]

    def _bound(self, k: int, *, headed: bool) -> float:
        """What a candidate is worth at most, its names all unknown: the lower the better."""
        return -(self.candidates[k].hope + self._text(k)) * self._factors[k] / self._cost(k, headed=headed)[1]


class LineChooser:
    """Chooses the lines worth most, for one budget after the other: what was chosen first stays first.

    Args:
        messages: the whole history, the kept tail included.
        budget: tokens that the first choice may take at most.
        count: the token counter.
        present: texts that stand in the result anyway; their lines and names add nothing.
        kept: indexes of messages that stay whole; they count as present.
        boost: factors on the worth of a message's lines, by index; 1 where it is missing, 0 leaves them out.
        language: of the headings, "en" or "zh".
        render: how a group will be written.
        scored: what `score_history` made of the same messages, to choose from them more than once.
    """

    def __init__(
        self,
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
    ) -> None:
        scored = scored or score_history(messages)
        sources, texts = scored.view.sources, scored.view.texts
        whole = (text for source, text in zip(sources, texts, strict=True) if source.message in kept)
        lines, names = lines_and_names([*present, *whole])
        boosts = boost or {}
        by_source = [
            0.0 if source.message in kept else boosts.get(source.message, 1.0) * factor
            for source, factor in zip(sources, scored.source_factors, strict=True)
        ]
        candidates = [line for line in scored.lines if by_source[line.source] > 0 and line.key not in lines]
        sample = [sources[c.source].lines[c.line] for c in candidates[:: max(1, len(candidates) // 100)]]
        scale = quarters("\n".join(sample)[:20_000], count)
        weights = _Weights(by_size(TEXT_WEIGHTS, budget), scale, count(render(ExcerptGroup(0, "", ""))) + 1)
        factors = [by_source[c.source] * scored.factors.get(c.key, 1.0) for c in candidates]
        best = _promising(candidates, SPARE * budget + 2000, factors, weights.text)
        candidates, factors = [candidates[k] for k in best], [factors[k] for k in best]
        self._sources, self._count, self._language, self._render = sources, count, language, render
        self._present = frozenset(names)
        self._choice = _Choice(scored, candidates, names, factors, weights)
        self._known: dict[tuple[tuple[int, int], int], tuple[ExcerptGroup, int]] = {}  # by size too
        self._given = self._fits = 0
        self._left = 0.0

    def choose(self, budget: int) -> tuple[ExcerptGroup, ...]:
        """Choose as many lines as a budget allows; a larger one than the last goes on from there.

        The tokens of the rendered groups, joined by newlines, never exceed it. Linear apart from sorting.
        """
        if budget > self._given:
            self._left = self._choice.run(budget - self._given + self._left)
            self._given = budget
        order, low, high = self._choice.order, 0, len(self._choice.order) + 1
        best, at = tuple[ExcerptGroup, ...](), len(order)
        while budget >= 0 and high - low > max(1, CLOSE * high):
            groups, tokens = self._groups(order[:at])
            if tokens <= budget:
                best, low = groups, at
            else:
                high = at
            likely = max(int(at * budget / max(1, tokens)), low + 1, (low + high) // 2 if low else 1)
            at = min(likely, high - 1)
        while best and self._count("\n".join(map(self._render, best))) > budget:  # more than its parts
            low -= max(1, int(CLOSE * low))
            best, _ = self._groups(order[:low])
        self._fits = low
        return best

    @property
    def names(self) -> frozenset[str]:
        """The names of what stands in the result anyway, and of the lines chosen last."""
        choice = self._choice
        return self._present.union(*(choice.candidates[k].names for k in choice.order[: self._fits]))

    def _groups(self, order: Sequence[int]) -> tuple[tuple[ExcerptGroup, ...], int]:
        """Write the groups of the first candidates chosen; also return their tokens, each counted once."""
        by_group: dict[tuple[int, int], list[int]] = {}
        for k in order:
            by_group.setdefault(self._choice.groups[k], []).append(k)
        for group, members in by_group.items():
            if (group, len(members)) not in self._known:
                lines = [self._choice.candidates[k] for k in sorted(members)]
                made = group_of_lines(self._sources, lines, self._language)
                self._known[group, len(members)] = made, self._count(f"{self._render(made)}\n")
        found = [self._known[group, len(members)] for group, members in sorted(by_group.items())]
        last = self._count(self._render(found[-1][0])) if found else 0
        return tuple(group for group, _ in found), sum(tokens for _, tokens in found[:-1]) + last


def _promising(
    candidates: Sequence[ScoredLine], size: float, factors: Sequence[float], text: float
) -> Sequence[int]:
    """Which candidates have the best possible gain per token, as many as have some size together, in order."""
    bounds = [
        -(c.hope + text * c.chance * (c.size + RUN)) * factor / (c.size + 0.25)
        for c, factor in zip(candidates, factors, strict=True)
    ]
    best = sorted(range(len(bounds)), key=bounds.__getitem__)
    sizes = [*accumulate(candidates[k].size for k in best)]
    return sorted(best[: bisect_right(sizes, size)])
