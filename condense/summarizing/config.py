"""Settings of summaries that a model writes, and how long automatic ones wait."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from condense.compaction import Condensation

MOST_DOUBLINGS = 4  # the wait grows to 16 times the setting and no further; chosen


class SummarizingConfig(BaseModel):
    """How a model is asked and how far it is believed; frozen, checked when made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    window: int = Field(default=128_000, ge=2_000)  # the model's; longer histories are summarised in parts
    limit: int = Field(default=1_000, ge=50)  # tokens from which a running summary is compressed to a third
    share: float = Field(default=0.3, gt=0, le=0.8)  # of a compaction's target, for the narrative
    most: int = Field(default=4_000, ge=50)  # tokens of a narrative in a compaction, whatever its share
    compressions: int = Field(default=2, ge=0, le=5)  # of one summary over its limit
    retries: int = Field(default=1, ge=0, le=5)  # of a rejected answer, the reasons given
    result_tokens: int = Field(default=1_500, ge=100)  # to which one tool output is reduced for the model
    invented: Literal["mark", "remove"] = "mark"  # lines that quote, rule or confirm what nobody said
    growth: float = Field(default=0.05, ge=0, le=1)  # of the context between automatic compactions


@dataclass(frozen=True, slots=True)
class Pacing:
    """What is remembered between automatic compactions of one conversation; start with `Pacing()`.

    After every failure (nothing gained) the wait grows, and ends by itself when the context has grown.
    """

    size: int = 0  # tokens of the context after the last attempt, 0 before the first
    failures: int = 0  # attempts in a row that saved less than the floor

    def waits_for(self, growth: float) -> int:
        """Return the tokens from which the next automatic compaction may run."""
        return int(self.size * (1 + growth * 2 ** min(self.failures, MOST_DOUBLINGS)))

    def after(self, done: Condensation, *, floor: float = 0.05) -> Pacing:
        """Return the pacing after an attempt; one that saved less than `floor` of the context is a failure."""
        before, now = done.prev_context_tokens, done.new_context_tokens
        if done.record is not None and before - now >= floor * before:
            return Pacing(size=now)
        return replace(self, size=now or before, failures=self.failures + 1)
