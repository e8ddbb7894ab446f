"""Pacing: how long automatic compaction waits, so that one that gains nothing is not tried at every call.

A breaker that never closes again is as wrong as none: after every failure the wait grows, and ends by itself when the
context has grown (what users of other systems report of both: loops of compactions, and compaction that never came
back).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.compaction import Condensation

MOST_DOUBLINGS = 4
"""The wait grows to 16 times the setting and no further; chosen."""


@dataclass(frozen=True, slots=True)
class Pacing:
    """What is remembered between automatic compactions of one conversation; start with `Pacing()`.

    Attributes:
        size: tokens of the context after the last attempt, 0 before the first.
        failures: attempts in a row that saved less than the floor.
    """

    size: int = 0
    failures: int = 0

    def waits_for(self, growth: float) -> int:
        """Return the tokens from which the next automatic compaction may run."""
        if not self.size:
            return 0
        factor = 2 ** min(self.failures, MOST_DOUBLINGS)
        return int(self.size * (1 + growth * factor))

    def after(self, done: Condensation, *, floor: float = 0.05) -> Pacing:
        """Return the pacing after an attempt; one that saved less than `floor` of the context is a failure."""
        before, now = done.prev_context_tokens, done.new_context_tokens
        if done.record is not None and before - now >= floor * before:
            return Pacing(size=now)
        return replace(self, size=now or before, failures=self.failures + 1)
