"""A value by size: straight lines between the points of a small table."""

from collections.abc import Sequence
from itertools import pairwise


def by_size(points: Sequence[tuple[float, float]], size: float) -> float:
    """Return the value at a size, given sizes and their values in ascending order; it stays beyond the two ends.

    >>> by_size([(0, 10), (100, 20)], 50)
    15.0
    """
    for (low, value), (high, onward) in pairwise(points):
        if size < high:
            return value + (onward - value) * (max(size, low) - low) / (high - low)
    return points[-1][1]
