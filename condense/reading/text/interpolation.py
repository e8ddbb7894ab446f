"""A value by size: straight lines between the points of a small table."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def by_size(points: Sequence[tuple[float, float]], size: float) -> float:
    """Return the value at a size.

    Args:
        points: sizes and their values, sizes ascending; below the first and beyond the last the value stays.
        size: where to read it.

    >>> by_size([(0, 10), (100, 20)], 50)
    15.0
    """
    if size <= points[0][0]:
        return points[0][1]
    for (low, value), (high, onward) in pairwise(points):
        if size < high:
            return value + (onward - value) * (size - low) / (high - low)
    return points[-1][1]
