"""Reducing one tool output to a budget: whole lines only, gaps marked, the telling lines first."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from condense.reading.outputs.long_lines import cut_line, line_marker, lines_behind
from condense.reading.outputs.trouble_words import Sheet
from condense.reading.outputs.weighing import files_above, weigh
from condense.reading.text import without_codes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memory.conversation import TokenCounter

SMALL = 200  # tokens below which an output is never touched; all numbers are chosen
MUST = 0.9  # weight from which a line goes before all others, whatever it costs
_LONG_LINE_SHARE = 0.4  # of the budget that one extremely long line may take
_ALONE_SHARES = (0.97, 0.9, 0.8, 0.7)  # the same of at most three lines, tried in turn until it fits
_MARKER_TOKENS = 9  # what a gap costs
_FAIR_LENGTH = 320  # characters at which a line's worth is halved: many short ones go before one long one
_PATIENCE = 400  # lines that do not fit any more before the search ends


def reduce_output(
    text: str, *, budget_tokens: int, count: TokenCounter, shown: bool | None = None, language: str = "en"
) -> str:
    """Reduce a tool output to at most `budget_tokens` by leaving out whole lines.

    Kept lines (but extremely long ones) are never altered and stay in order; each gap becomes one marker line.
    Outcomes, failing names and errors go before the rest (`weigh`). Deterministic; linear.

    Args:
        text: the output. At most 200 tokens, or within the budget, it comes back unchanged; never with more tokens.
        budget_tokens: tokens the result may have; a single marker is written even where it does not fit.
        count: the token counter.
        shown: it is a file, page or listing that was shown rather than what a command printed; None finds out.
        language: of the markers, "en" or "zh".
    """
    total = count(text)
    if total <= max(budget_tokens, SMALL):
        return text
    lines = _cut_long_lines(text, total, budget_tokens, count, language)
    sheet = Sheet(without_codes("\n".join(lines)))
    weights = weigh(sheet, shown=shown)
    weights = [0.0 if lines_behind(line) else w for line, w in zip(lines, weights, strict=True)]
    chosen = _chosen(lines, _ranked(lines, weights, sheet), budget_tokens, count)
    written = _written(lines, chosen, language, sheet.shape)
    while chosen and count(written) > budget_tokens:
        del chosen[-max(1, len(chosen) // 16) :]
        written = _written(lines, chosen, language, sheet.shape)
    return written if count(written) < total else text


def _cut_long_lines(text: str, total: int, budget: int, count: TokenCounter, language: str) -> list[str]:
    """Return all lines, extremely long ones cut to their share; of at most three lines any that does not fit."""
    lines = text.split("\n")
    if len(lines) > 3:  # noqa: PLR2004  # with fewer the line is the output
        limit = max(200, int(_LONG_LINE_SHARE * budget * len(text) / total))
        return [cut_line(line, limit, language) for line in lines]
    sizes = [count(line) for line in lines]
    out = lines
    for share in _ALONE_SHARES:
        most = even_share(sizes, int(share * budget))
        limits = [max(100, most * len(line) // max(1, n)) for line, n in zip(lines, sizes, strict=True)]
        out = [cut_line(line, n, language, n) for line, n in zip(lines, limits, strict=True)]
        if count("\n".join(out)) <= budget:
            break
    return out


def even_share(sizes: Sequence[int], room: int) -> int:
    """The largest size to which all may be cut so that together they take no more than a room."""
    left = sorted(sizes)
    while left and left[0] * len(left) <= room:
        room -= left.pop(0)
    return room // len(left) if left else max(sizes, default=0)


def by_size(points: Sequence[tuple[float, float]], size: float) -> float:
    """Return the value at a size, given sizes and their values in ascending order; it stays beyond the two ends.

    >>> by_size([(0, 10), (100, 20)], 50)
    15.0
    """
    for (low, value), (high, onward) in pairwise(points):
        if size < high:
            return value + (onward - value) * (max(size, low) - low) / (high - low)
    return points[-1][1]


def _ranked(lines: Sequence[str], weights: Sequence[float], sheet: Sheet) -> list[int]:
    """The lines that are worth anything, the best first, each behind the line that it is nothing without."""

    def rank(i: int) -> tuple[float, int]:
        weight = weights[i]
        worth = 10 + weight if weight >= MUST else weight / (1 + len(lines[i]) / _FAIR_LENGTH)
        return -worth, min(i, 2 * (len(lines) - 1 - i))

    above = files_above(sheet)
    order = sorted((i for i, weight in enumerate(weights) if weight > 0), key=rank)
    return list(dict.fromkeys(k for i in order for k in (above.get(i, i), i)))


def _chosen(lines: Sequence[str], order: Iterable[int], budget: int, count: TokenCounter) -> list[int]:
    """The lines that fit a budget, the best first."""
    kept: dict[int, None] = {}
    room, misses = budget - _MARKER_TOKENS, 0
    for i in order:
        sides = sum(k in kept or not 0 <= k < len(lines) for k in (i - 1, i + 1))
        cost = count(lines[i]) + (1 - sides) * _MARKER_TOKENS
        if cost <= room:
            room -= cost
            kept[i] = None
        elif (misses := misses + 1) > _PATIENCE:
            break
    return list(kept)


def _written(lines: Sequence[str], chosen: Iterable[int], language: str, shape: Callable[[int], str]) -> str:
    """Write the chosen lines in order, with one marker for each gap, or the gap itself where it is no longer."""
    out: list[str] = []
    at = 0
    for i in [*sorted(chosen), len(lines)]:
        if gap := range(at, i):
            behind = [lines_behind(lines[k]) for k in gap]
            like = shape(at - 1) if at and len(gap) > 2 else ""  # noqa: PLR2004  # a word about repeats
            alike = sum(shape(k) == like for k in gap) if like else 0
            marker = line_marker(sum(n or 1 for n in behind), language, alike if alike > 1 else 0)
            is_short = not any(behind) and sum(len(lines[k]) + 1 for k in gap) <= len(marker)
            out += [lines[k] for k in gap] if is_short else [marker]
        out += lines[i : i + 1]
        at = i + 1
    return "\n".join(out)
