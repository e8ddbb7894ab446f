"""Times that mean the same on a slow machine: CPU seconds, and multiples of a fixed piece of plain Python."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def cpu_seconds(work: Callable[[], object], times: int = 1) -> float:
    """The least CPU time of `times` runs of the work, in seconds, without what else runs or lives here."""
    best = float("inf")
    collecting = gc.isenabled()
    gc.disable()  # a collection would walk over all that the other tests left
    try:
        for _ in range(times):
            start = time.process_time()
            work()
            best = min(best, time.process_time() - start)
    finally:
        if collecting:
            gc.enable()
    return best


def reference_work() -> int:
    """Do what parsing does, about a millisecond of it on a usual machine: look up, cut, join and count."""
    seen: dict[str, int] = {}
    for number in range(1500):
        word = f"word_{number % 97}"
        seen[word] = seen.get(word, 0) + len(word.split("_", maxsplit=1)[0].upper())
        " ".join((word, word[1:4])).encode()
    return sum(seen.values())


def in_milliseconds(work: Callable[[], object], times: int = 7) -> float:
    """The CPU time of the work in units of `reference_work`, the best of each, both measured in turn."""
    ours, reference = float("inf"), float("inf")
    for _ in range(times):
        reference = min(reference, cpu_seconds(reference_work))
        ours = min(ours, cpu_seconds(work))
        reference = min(reference, cpu_seconds(reference_work))
    return ours / reference
