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
from typing import TYPE_CHECKING

from condense.excerpts import (
    BRIDGE,
    LONGEST_TITLE,
    ExcerptGroup,
    Excerpts,
    between,
    between_part,
    group_of_lines,
    render_group,
)
from condense.line_features import HistoryView
from condense.line_scoring import ScoredLine, score_lines
from condense.line_sources import CALL_KINDS, line_sources
from condense.names import RUN, read_run

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from condense.line_sources import LineSource
    from memory.messages import Message
    from memory.tokens import TokenCounter

TEXT_WEIGHT = 0.018
"""What a repeated token of text is worth beside a needed name (measured: best sum of the four recalls)."""
JOIN = 8.0
"""Tokens a line between two kept ones gains: runs of words go on across both its ends (measured)."""
ALONE = 7.0
"""Tokens that a line standing alone loses: runs of eight words that end in its neighbours (from the definition)."""
ALONE_SHARE = 1.0
"""Share of a short line that counts even when it stands alone (chosen)."""
HEADING_SHARE = 0.5
"""Share of a heading that the first line under it is charged with; lines after it profit too (measured)."""
SPARE = 12.0
"""Lines are read in order of their best possible gain until they would fill the budget this many times (chosen)."""


@dataclass(frozen=True, slots=True)
class ScoredHistory:
    """A history read and scored once; good for any number of choices from the same messages.

    Attributes:
        view: its sources, names and files.
        lines: each different line with what keeping it is worth.
    """

    view: HistoryView
    lines: list[ScoredLine]


def score_history(messages: Sequence[Message]) -> ScoredHistory:
    """Read and score a history; linear in its text, about two thirds of the time of `choose_lines`."""
    view = HistoryView(line_sources(messages), len(messages))
    return ScoredHistory(view, score_lines(view))


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
    lines, names = _standing([*present, *whole])
    factors = boost or {}
    free = [s.message not in kept and factors.get(s.message, 1.0) > 0 for s in view.sources]
    candidates = [c for c in scored.lines if free[c.source] and c.key not in lines]
    choice = _Choice(view.sources, _promising(candidates, budget, view.sources, factors), names, factors)
    choice.run(budget, count(render(ExcerptGroup(0, "", ""))) + 1, _scale(candidates, view.sources, count))
    return _fitted(choice, budget, count, language, render)


def _standing(texts: Iterable[str]) -> tuple[set[str], set[str]]:
    """Lines and names of texts that stand in the result anyway."""
    lines: set[str] = set()
    names: set[str] = set()
    for text in texts:
        lines.update(line.strip() for line in text.splitlines())
        for run in set(RUN.findall(text)):
            names.update(name for name, _ in read_run(run))
    return lines, names


def _promising(
    candidates: list[ScoredLine], budget: int, sources: Sequence[LineSource], boost: Mapping[int, float]
) -> list[ScoredLine]:
    """The candidates with the best possible gain per token, enough to fill the budget several times."""
    factor = [boost.get(source.message, 1.0) for source in sources]

    def bound(c: ScoredLine) -> float:
        return -(c.hope + TEXT_WEIGHT * c.chance * (c.size + JOIN)) * factor[c.source] / (c.size + 0.25)

    left = SPARE * budget + 2000
    out = []
    for candidate in sorted(candidates, key=bound):
        left -= candidate.size
        if left < 0:
            break
        out.append(candidate)
    out.sort(key=lambda c: (c.source, c.line))
    return out


def _scale(candidates: Sequence[ScoredLine], sources: Sequence[LineSource], count: TokenCounter) -> float:
    """Tokens of the counter for one of characters / 4, on a sample of the candidates; 1 where there are none."""
    step = max(1, len(candidates) // 100)
    sample = "\n".join(sources[c.source].lines[c.line] for c in candidates[::step])[:20_000]
    return max(0.3, count(sample) / (len(sample) / 4)) if sample else 1.0


class _Choice:
    """The greedy choice over one set of candidates."""

    def __init__(
        self,
        sources: Sequence[LineSource],
        candidates: Sequence[ScoredLine],
        names: set[str],
        boost: Mapping[int, float],
    ) -> None:
        self.sources = sources
        self.candidates = candidates
        self.covered = names
        self.boost = boost
        self.order: list[int] = []
        self.taken = [False] * len(candidates)
        self.bridges = _bridges(sources, candidates)
        self._group = [self.group_of(c) for c in candidates]
        self._waiting: dict[tuple[int, bool], list[int]] = {}
        self._opened: set[tuple[int, bool]] = set()

    def group_of(self, candidate: ScoredLine) -> tuple[int, bool]:
        """Lines of a call and of its result belong together; so do those of one message's texts."""
        source = self.sources[candidate.source]
        return (source.call, bool(source.tool))

    def _worth(self, k: int, frame: float, scale: float) -> tuple[float, float]:
        """Gain per token, and tokens, of keeping a candidate now."""
        c = self.candidates[k]
        size, beside = c.size, 0
        above = self.bridges[k]
        if above is not None and self.taken[k - 1]:
            beside, size = 1, size + above
        below = self.bridges[k + 1]
        if below is not None and self.taken[k + 1]:
            beside, size = beside + 1, size + below
        text = size + JOIN * (beside - 1) if beside else max(size - ALONE, ALONE_SHARE * size)
        gain = TEXT_WEIGHT * c.chance * text
        covered = self.covered
        for name, chance in c.names.items():
            if name not in covered:
                gain += chance
        if self.boost:
            gain *= self.boost.get(self.sources[c.source].message, 1.0)
        cost = scale * (size + 0.25) + (1.0, 0.0, -1.0)[beside]
        felt = cost
        if self._group[k] not in self._opened:
            heading = frame + scale * self._title_size(c)
            cost += heading
            felt += HEADING_SHARE * heading
        return gain / max(felt, 0.5), cost

    def _title_size(self, candidate: ScoredLine) -> float:
        source = self.sources[candidate.source]
        own = source.kind in CALL_KINDS and candidate.line == 0
        return (len(source.tool) + 6 + (0 if own else min(len(source.title), LONGEST_TITLE))) / 4

    def run(self, budget: float, frame: float, scale: float) -> None:
        """Take candidates until nothing that gains anything fits.

        Each enters with what it would be worth alone, with no name known and no heading to pay: never too little, so
        its true worth is worked out only when its turn comes.
        """
        heap = [(-self._worth_alone(c, scale), k) for k, c in enumerate(self.candidates)]
        heapify(heap)
        taken = self.taken
        while heap:
            _, k = heappop(heap)
            if taken[k]:
                continue
            worth, cost = self._worth(k, frame, scale)
            if heap and worth < -heap[0][0]:
                if worth > 0:
                    heappush(heap, (-worth, k))
                    if self._group[k] not in self._opened:
                        self._waiting.setdefault(self._group[k], []).append(k)
                continue
            if cost > budget or worth <= 0:
                continue
            budget -= cost
            for other in self._take(k):
                if not taken[other]:
                    heappush(heap, (-self._worth(other, frame, scale)[0], other))

    def _worth_alone(self, c: ScoredLine, scale: float) -> float:
        gain = c.hope + TEXT_WEIGHT * c.chance * max(c.size - ALONE, ALONE_SHARE * c.size)
        if self.boost:
            gain *= self.boost.get(self.sources[c.source].message, 1.0)
        return gain / (scale * (c.size + 0.25) + 1.0)

    def _take(self, k: int) -> list[int]:
        """Keep a candidate; those whose worth may have risen by it."""
        self.order.append(k)
        self.taken[k] = True
        self.covered.update(self.candidates[k].names)
        risen = []
        if self.bridges[k] is not None:
            risen.append(k - 1)
        if self.bridges[k + 1] is not None:
            risen.append(k + 1)
        group = self._group[k]
        if group not in self._opened:
            self._opened.add(group)
            risen += self._waiting.pop(group, ())
        return risen


def _bridges(sources: Sequence[LineSource], candidates: Sequence[ScoredLine]) -> list[float | None]:
    """Size of what stands between each candidate and the one before it; None where it is too much or another part."""
    out: list[float | None] = [None] * (len(candidates) + 1)
    for k in range(1, len(candidates)):
        a, b = candidates[k - 1], candidates[k]
        if a.source == b.source and a.line + 1 == b.line:
            out[k] = 0.0
            continue
        size = 0.0
        for text in between(sources, a, b):
            size += (len(text) + 1) / 4
            if size > BRIDGE:
                break
        else:
            out[k] = size if between_part(sources, a, b) else None
    return out


def _fitted(
    choice: _Choice, budget: int, count: TokenCounter, language: str, render: Callable[[ExcerptGroup], str]
) -> Excerpts:
    """Render the choice; where it is over the budget, without what was chosen last."""
    order = choice.order
    while order:
        groups = _groups(choice, order, language)
        tokens = count("\n".join(render(group) for group in groups))
        if tokens <= budget:
            return Excerpts(groups, tokens)
        order = order[: min(len(order) - 1, int(len(order) * budget / tokens))]
    return Excerpts()


def _groups(choice: _Choice, order: Sequence[int], language: str) -> tuple[ExcerptGroup, ...]:
    by_group: dict[tuple[int, bool], list[ScoredLine]] = {}
    for k in order:
        candidate = choice.candidates[k]
        by_group.setdefault(choice.group_of(candidate), []).append(candidate)
    out = []
    for _, members in sorted(by_group.items()):
        members.sort(key=lambda c: (c.source, c.line))
        out.append(group_of_lines(choice.sources, members, language))
    return tuple(out)
