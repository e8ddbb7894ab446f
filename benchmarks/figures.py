"""Small statistics: means, medians with quartiles, shares of counts."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Figures = dict[str, float | int | None]
"""Numbers by name, as `results.json` holds them; None where there was nothing to measure."""


def mean(values: Iterable[float]) -> float | None:
    """Return the mean, None of nothing."""
    kept = list(values)
    return statistics.fmean(kept) if kept else None


def share(part: float, whole: float) -> float | None:
    """Return part / whole, None of nothing."""
    return part / whole if whole else None


def spread(values: Iterable[float]) -> Figures:
    """Return median, quartiles and number of values."""
    kept = sorted(values)
    if not kept:
        return {"median": None, "q1": None, "q3": None, "n": 0}
    return {
        "median": quantile(kept, 0.5),
        "q1": quantile(kept, 0.25),
        "q3": quantile(kept, 0.75),
        "n": len(kept),
    }


def quantile(values: Iterable[float], at: float) -> float:
    """Return a quantile, 0 <= at <= 1, linear between neighbours."""
    kept = sorted(values)
    place = at * (len(kept) - 1)
    low = int(place)
    high = min(low + 1, len(kept) - 1)
    return kept[low] + (kept[high] - kept[low]) * (place - low)


def rounded(value: object, digits: int = 4) -> object:
    """Round every number of nested dicts and lists, for files that people compare."""
    match value:
        case bool() | int() | str() | None:
            return value
        case float():
            return round(value, digits) if abs(value) < 1000 else round(value, 1)
        case dict():
            return {key: rounded(inner, digits) for key, inner in value.items()}
        case list() | tuple():
            return [rounded(inner, digits) for inner in value]
        case _:
            return value


def table(head: list[str], rows: list[list[object]]) -> str:
    """Write a table for the terminal: text to the left, numbers to the right."""
    cells = [head, *([_cell(value) for value in row] for row in rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = [
        "  ".join(c.ljust(w) if not i else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in cells
    ]
    return "\n".join(lines)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:.3f}" if abs(value) < 100 else f"{value:.0f}"
    return str(value)
