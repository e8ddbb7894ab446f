"""Choosing lines under a budget, and writing them with one marker line for each gap."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.reading.outputs.markers import line_marker

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

MUST = 0.9
"""Weight from which a line goes before all others, whatever it costs."""

_MARKER_TOKENS = 9.0
"""What a gap costs, in tokens of the counter (chosen: a marker is eight or nine)."""

_FAIR_COST = 80.0
"""Tokens at which a line's worth is halved, so that many short lines go before one long one (chosen)."""

_SMALL_GAP = 4
"""Lines of a gap that may be filled in where they cost no more than its marker (chosen)."""

_PATIENCE = 400
"""Lines that do not fit any more before the search ends."""


def rank_lines(weights: Sequence[float], costs: Sequence[float]) -> list[int]:
    """Return the lines that are worth anything, the best first.

    Args:
        weights: 0 to 1 a line, above 1 for what the caller insists on; 0 is never chosen for itself.
        costs: estimated tokens of each line.
    """
    count = len(weights)
    return sorted(
        (i for i in range(count) if weights[i] > 0),
        key=lambda i: (-_worth(weights[i], costs[i]), min(i, 2 * (count - 1 - i))),
    )


def lead_lines(order: Sequence[int], above: Mapping[int, int]) -> list[int]:
    """Put lines that others are nothing without right before the first of these; `above` says which."""
    led: dict[int, None] = {}
    for i in order:
        if i in above:
            led.setdefault(above[i])
        led.setdefault(i)
    return list(led)


def take_lines(order: Sequence[int], costs: Sequence[float], budget: float) -> list[int]:
    """Return the lines that fit the budget by their estimated cost, in the order in which they were chosen.

    Args:
        order: line numbers, the best first.
        costs: estimated tokens of each line.
        budget: tokens for lines and markers together.
    """
    count = len(costs)
    kept = bytearray(count + 2)  # shifted by one: the line before the first and behind the last count as kept
    kept[0] = kept[count + 1] = 1
    chosen: list[int] = []
    room = budget - _MARKER_TOKENS
    misses = 0
    for i in order:
        between = kept[i] + kept[i + 2]  # kept neighbours
        cost = costs[i] + (1 - between) * _MARKER_TOKENS
        if cost > room:
            misses += 1
            if misses > _PATIENCE:
                break
            continue
        kept[i + 1] = 1
        room -= cost
        chosen.append(i)
    return chosen


def _worth(weight: float, cost: float) -> float:
    if weight >= MUST:
        return 10 + weight
    return weight / (1 + cost / _FAIR_COST)


def fill_small_gaps(chosen: Sequence[int], costs: Sequence[float], hidden: Sequence[int]) -> list[int]:
    """Return the chosen lines in order, with the lines of gaps that cost no more than their marker would.

    Args:
        chosen: line numbers.
        costs: estimated tokens of each line.
        hidden: lines that stand for others (markers of an earlier reduction), 0 for ordinary ones.
    """
    kept = sorted(chosen)
    filled: list[int] = []
    before = -1
    for i in [*kept, len(costs)]:
        gap = range(before + 1, i)
        if (
            0 < len(gap) <= _SMALL_GAP
            and sum(costs[k] for k in gap) <= _MARKER_TOKENS - 1
            and not any(hidden[k] for k in gap)
        ):
            filled.extend(gap)
        if i < len(costs):
            filled.append(i)
        before = i
    return filled


def write_kept(
    lines: Sequence[str],
    kept: Sequence[int],
    hidden: Sequence[int],
    language: str,
    shape: Callable[[int], str] | None = None,
) -> tuple[str, int]:
    """Return the text of the kept lines with a marker for each gap, and the number of lines left out.

    Args:
        lines: all lines (long ones already cut).
        kept: line numbers, ascending.
        hidden: how many lines a line stands for when it is a marker of an earlier reduction, else 0.
        language: of the markers.
        shape: gives a line's shape, to tell how many of a gap look like the line above; None leaves that out.
    """
    out: list[str] = []
    dropped = 0
    before = -1
    for i in [*kept, len(lines)]:
        if i > before + 1:
            gap = range(before + 1, i)
            gone = sum(hidden[k] or 1 for k in gap)
            alike = 0
            if shape is not None and before >= 0 and len(gap) > 2:  # noqa: PLR2004  # a word about repeats
                like = shape(before)
                alike = sum(1 for k in gap if shape(k) == like) if like else 0
            out.append(line_marker(gone, language, alike if alike > 1 else 0))
            dropped += gone
        if i < len(lines):
            out.append(lines[i])
        before = i
    return "\n".join(out), dropped


def even_share(sizes: Sequence[int], room: int) -> int:
    """The largest size to which all may be cut so that together they take no more than a room."""
    left = sorted(sizes)
    while left and left[0] * len(left) <= room:
        room -= left.pop(0)
    return room // len(left) if left else max(sizes, default=0)
