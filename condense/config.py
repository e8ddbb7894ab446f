"""Settings of a condenser: frozen, checked when made, a wrong one is a ValueError naming field, value and range."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from condense.costs import CacheRates


class TokenBudget(BaseModel):
    """How large a context may grow and how small a compaction makes it, in tokens of the condenser's counter."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    window: int = Field(gt=0)  # what the model accepts, output and fixed overhead (system prompt, tools) included
    trigger: int = Field(gt=0)  # a history above this is compacted
    target: int = Field(gt=0)  # a compaction brings it to at most this

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.target <= self.trigger <= self.window:
            raise ValueError(
                f"target {self.target} <= trigger {self.trigger} <= window {self.window} does not hold; "
                "a compaction goes from above the trigger down to the target"
            )
        return self

    @classmethod
    def for_window(cls, window: int, *, overhead: int = 0, trigger: float = 0.8, target: float = 0.35) -> Self:
        """Budget for a model's window.

        `overhead` are tokens of system prompt, tools and reserved output, which the history may not use; `trigger` and
        `target` are shares of what remains, 0 < target <= trigger <= 1. Raises ValueError where that does not hold,
        TypeError for what is no number of tokens ("200k").
        """
        for name, tokens in (("window", window), ("overhead", overhead)):
            if type(tokens) is not int:
                raise TypeError(f"{name} should be a whole number of tokens, not {tokens!r}")
        room = window - overhead
        if room <= 0:
            raise ValueError(f"overhead {overhead} leaves nothing of window {window}; it must be smaller")
        if not 0 < target <= trigger <= 1:
            raise ValueError(f"0 < target {target} <= trigger {trigger} <= 1 does not hold")
        return cls(window=window, trigger=max(1, int(room * trigger)), target=max(1, int(room * target)))


class CondenseConfig(BaseModel):
    """How a condenser works.

    Attributes:
        budget: window, trigger, target.
        language: language of headings and markers; "auto" follows what the person types.
        typed_share: share of the target that verbatim typed messages may take before the older ones become handles;
            of a target below 4,000 tokens as little as three quarters of it.
        tail_share: share of the target, beyond its first 6,000 tokens, that the newest messages, kept as messages, may
            take; of a small target lines are worth more.
        minimum_progress: a compaction that saves less than this share is not made.
        alternate_roles: merge the summary into a following user message, for models that insist on alternation.
        weigh_costs: above the trigger a compaction still waits, as long as the window holds, where it would cost more
            than it saves over the calls that are expected.
        rates: what cached and new prompt tokens cost, for `weigh_costs`.
        reach: how originals can be fetched back, as told to the model; "" says nothing.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    budget: TokenBudget = Field(default_factory=lambda: TokenBudget.for_window(200_000))
    language: Literal["auto", "en", "zh"] = "auto"
    typed_share: float = Field(default=0.4, gt=0, le=1)
    tail_share: float = Field(default=0.18, ge=0, le=0.9)
    minimum_progress: float = Field(default=0.05, ge=0, lt=1)
    alternate_roles: bool = False
    weigh_costs: bool = True
    rates: CacheRates = CacheRates()
    reach: str = "expand"
