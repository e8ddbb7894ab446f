"""Reducing one tool output to a budget: whole lines only, gaps marked, the telling lines first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from condense.reading.outputs.choosing import (
    even_share,
    fill_small_gaps,
    lead_lines,
    rank_lines,
    take_lines,
    write_kept,
)
from condense.reading.outputs.harness_frames import unwrap
from condense.reading.outputs.long_lines import LONG_LINE, cut_line
from condense.reading.outputs.markers import lines_behind
from condense.reading.outputs.outputs import Reduced
from condense.reading.outputs.trouble_words import Sheet
from condense.reading.outputs.weighing import files_above, weigh
from condense.reading.text import without_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memory.conversation import TokenCounter

SMALL = 200
"""Tokens below which an output is never touched: the markers would cost what they save (field reports on peers)."""

_LONG_LINE_SHARE = 0.4
"""Share of the budget that one extremely long line may take (chosen)."""

_ALONE_SHARES = (0.97, 0.9, 0.8, 0.7)
"""The same where there are at most three lines; tried in turn until it fits (marks and uneven tokens take the rest)."""

_WELL_USED = 0.92
_ATTEMPTS = 3
"""When the estimates were too careful and less than this share of the budget is used, it is tried again (chosen)."""

_INSISTED = 2.0


def reduce_output(
    text: str,
    *,
    budget_tokens: int,
    count: TokenCounter,
    shown: bool | None = None,
    keep: Callable[[str], bool] | None = None,
    language: str = "en",
) -> Reduced:
    """Reduce a tool output to at most `budget_tokens` by leaving out whole lines.

    Kept lines are never altered (the one exception: extremely long lines, see `long_lines`) and stay in
    order; each gap becomes one marker line with the number of lines left out. The order of preference is that of
    `line_weights`: outcomes and exit codes, failing names, errors with their places, then the rest. An output
    that came wrapped in JSON (older Codex) is reduced inside and wrapped again. Deterministic; linear.

    Args:
        text: the output. At most 200 tokens, or within the budget, it comes back unchanged.
        budget_tokens: tokens the result may have; a single marker is written even where it does not fit.
        count: the token counter.
        shown: it is a file, page or listing that was shown rather than what a command printed; None finds out.
        keep: says of a line that it should stay before all others.
        language: of the markers, "en" or "zh".

    Returns:
        The result; never more tokens than `text` has.
    """
    wrapped = unwrap(text)
    if wrapped is not None:
        inner = reduce_output(
            wrapped.body,
            budget_tokens=budget_tokens,
            count=lambda body: count(wrapped.with_body(body)),
            shown=shown,
            keep=keep,
            language=language,
        )
        return replace(inner, text=text if inner.unchanged else wrapped.with_body(inner.text))
    total = count(text)
    if total <= max(budget_tokens, SMALL):
        return _unchanged(text)
    lines, cut = _cut_long_lines(text, total, budget_tokens, count, language)
    sheet = Sheet(without_codes("\n".join(lines)))
    weights = weigh(sheet, shown=shown)
    hidden = [lines_behind(line) for line in lines]
    for i, line in enumerate(lines):
        if hidden[i]:
            weights[i] = 0.0
        elif keep is not None and keep(line):
            weights[i] = _INSISTED
    rate = total / max(1, len(text))
    costs = [len(line) * rate + rate for line in lines]
    order = lead_lines(rank_lines(weights, costs), files_above(sheet))
    estimate = float(budget_tokens)
    best, dropped, kept_lines = "", 0, 0
    for _ in range(_ATTEMPTS):
        chosen = take_lines(order, costs, estimate)
        best, dropped, kept_lines = _fitting(
            lines, chosen, costs, hidden, budget_tokens, count, language, sheet.shape
        )
        used = count(best)
        if used >= _WELL_USED * budget_tokens or kept_lines == len(lines):
            break
        estimate *= min(2.0, budget_tokens / max(1, used))
    if count(best) >= total:
        return _unchanged(text)
    return Reduced(best, kept_lines, dropped, cut)


def _unchanged(text: str) -> Reduced:
    lines = text.split("\n")
    hidden = sum(lines_behind(line) for line in lines)
    markers = sum(1 for line in lines if lines_behind(line)) if hidden else 0
    return Reduced(text, len(lines) - markers, hidden, unchanged=True)


def _cut_long_lines(
    text: str, total: int, budget: int, count: TokenCounter, language: str
) -> tuple[list[str], int]:
    """Cut lines that are extremely long and would take more than their share; returns all lines and the loss.

    Of an output of at most three lines a line is cut where it does not fit, however short it is.
    """
    lines = text.split("\n")
    if len(lines) > 3:  # noqa: PLR2004  # with fewer the line is the output
        limit = max(200, int(_LONG_LINE_SHARE * budget * len(text) / total))
        cut = [cut_line(line, limit, language) if len(line) > LONG_LINE else (line, 0) for line in lines]
        return [line for line, _ in cut], sum(lost for _, lost in cut)
    sizes = [count(line) for line in lines]
    out, gone = lines, 0
    for share in _ALONE_SHARES:
        most = even_share(sizes, int(share * budget))
        cut = [
            cut_line(line, limit, language, limit)
            if size > most and len(line) > (limit := max(100, most * len(line) // size))
            else (line, 0)
            for line, size in zip(lines, sizes, strict=True)
        ]
        out, gone = [line for line, _ in cut], sum(lost for _, lost in cut)
        if count("\n".join(out)) <= budget:
            break
    return out, gone


def _fitting(
    lines: Sequence[str],
    chosen: list[int],
    costs: Sequence[float],
    hidden: Sequence[int],
    budget: int,
    count: TokenCounter,
    language: str,
    shape: Callable[[int], str],
) -> tuple[str, int, int]:
    """The longest prefix of the chosen lines that fits by the real count: text, lines left out, lines kept."""

    def written(first: int) -> tuple[str, int, int]:
        kept = fill_small_gaps(chosen[:first], costs, hidden)
        body, dropped = write_kept(lines, kept, hidden, language, shape)
        return body, dropped, len(kept)

    best = written(len(chosen))
    if count(best[0]) <= budget:
        return best
    low, high = 0, len(chosen)  # what fits, what does not
    best = written(0)
    while high - low > 1:
        middle = (low + high) // 2
        attempt = written(middle)
        if count(attempt[0]) <= budget:
            low, best = middle, attempt
        else:
            high = middle
    return best
