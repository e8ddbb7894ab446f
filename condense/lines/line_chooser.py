"""Choose the lines of a history that are worth most under a token budget: expected future use, each thing once.

Lines are taken one after the other by expected gain per token. The gain of a line is the probability of its names
that no kept text holds yet, plus the share of its text that is likely repeated; a line next to a kept one gains more
(runs of words go on across the line end) and costs less (no gap, no heading), so lines come in readable blocks
(`line_choice`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.lines.excerpt_groups import ExcerptGroup, Excerpts, group_of_lines, render_group
from condense.lines.model import (
    HistoryView,
    ScoredHistory,
    ScoredLine,
    line_factors,
    score_lines,
    source_factors,
)
from condense.lines.selection import LineChoice
from condense.lines.sources import line_sources
from condense.lines.text_worths import JOIN, text_worth
from condense.reading import lines_and_names
from memory.conversation import quarters

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    from condense.lines.sources import LineSource
    from memory.conversation import Message, TokenCounter

SPARE = 6.0
"""Lines are read in order of their best possible gain until they would fill the budget this many times (chosen)."""


MOST_READ = 8_000_000
"""Characters of the newest messages whose lines are read (chosen: two million tokens, several times the longest
window); lines of older ones are not, so that the memory needed does not grow with the history."""


def score_history(messages: Sequence[Message]) -> ScoredHistory:
    """Read and score a history; linear in its text, about two thirds of the time of a first choice."""
    view = HistoryView(line_sources(messages, _first_read(messages)), len(messages))
    lines, chances = score_lines(view)
    return ScoredHistory(view, lines, chances, line_factors(view, lines, chances))


def _first_read(messages: Sequence[Message]) -> int:
    """The index of the oldest message whose lines are read."""
    left = MOST_READ
    for index in range(len(messages) - 1, -1, -1):
        left -= sum(len(part.text) + len(str(part.arguments or "")) for part in messages[index].parts)
        if left < 0:
            return index + 1
    return 0


CLOSE = 0.01
"""Share of the lines chosen within which it is left open how many of them fit (chosen)."""


class LineChooser:
    """Chooses the lines worth most, for one budget after the other: what was chosen first stays first.

    Args:
        messages: the whole history, the kept tail included (what is worked on now is told from it).
        budget: tokens that the first choice may take at most.
        count: the token counter.
        present: texts that stand in the result anyway (ledger, reduced messages); their lines and names add nothing.
        kept: indexes of messages that stay whole; they count as present.
        boost: factors on the worth of a message's lines, by index; 1 where it is missing, 0 leaves them out.
        language: of the headings, "en" or "zh".
        render: how a group will be written; its tokens are what is counted.
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
        view = scored.view
        whole = (
            text for source, text in zip(view.sources, view.texts, strict=True) if source.message in kept
        )
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
        self._count, self._language, self._render = count, language, render
        self._present = frozenset(names)
        self._choice = LineChoice(scored, candidates, names, weights, frame, scale, text_weight)
        self._known: dict[tuple[tuple[int, int], int], ExcerptGroup] = {}
        self._given = 0
        self._left = 0.0
        self._fits = 0

    def choose(self, budget: int) -> Excerpts:
        """Choose as many lines as a budget allows; a larger one than the last goes on from there.

        Args:
            budget: tokens that the rendered groups, joined by newlines, may take; never exceeded.

        Returns:
            The excerpts; empty when nothing fits. Deterministic; linear in the history apart from sorting.
        """
        if budget > self._given:
            self._left = self._choice.run(budget - self._given + self._left)
            self._given = budget
        order, low, high = self._choice.order, 0, len(self._choice.order) + 1
        best, at = Excerpts(), len(order)
        while budget >= 0 and high - low > max(1, CLOSE * high):
            groups = _groups(self._choice, order[:at], self._language, self._known)
            tokens = self._count("\n".join(self._render(group) for group in groups))
            if tokens <= budget:
                best, low = Excerpts(groups, tokens), at
            else:
                high = at
            at = min(
                max(int(at * budget / max(1, tokens)), low + 1, (low + high) // 2 if low else 1), high - 1
            )
        self._fits = low
        return best

    @property
    def names(self) -> frozenset[str]:
        """The names of what stands in the result anyway, and of the lines chosen last."""
        choice = self._choice
        return self._present.union(*(choice.candidates[k].names for k in choice.order[: self._fits]))


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
    view = scored.view
    by_source = [
        boost.get(source.message, 1.0) * factor
        for source, factor in zip(view.sources, source_factors(view), strict=True)
    ]
    own = scored.factors
    return [by_source[c.source] * own.get(c.key, 1.0) for c in candidates]


def _scale(candidates: Sequence[ScoredLine], sources: Sequence[LineSource], count: TokenCounter) -> float:
    """Tokens of the counter for one of characters / 4, on a sample of the candidates; 1 where there are none."""
    step = max(1, len(candidates) // 100)
    sample = "\n".join(sources[c.source].lines[c.line] for c in candidates[::step])[:20_000]
    return quarters(sample, count)


def _groups(
    choice: LineChoice,
    order: Sequence[int],
    language: str,
    known: dict[tuple[tuple[int, int], int], ExcerptGroup],
) -> tuple[ExcerptGroup, ...]:
    """Write the groups of the first candidates of a choice; those that are `known` by their number of lines stay."""
    by_group: dict[tuple[int, int], list[int]] = {}
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
