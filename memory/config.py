"""Settings of `ConversationMemory`: frozen; a bad value or name raises `pydantic.ValidationError`, a `ValueError`."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

DAY = 86_400.0
"""Seconds of a day."""

_Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)


class SimilarityConfig(_Settings):
    """When two wordings count as one memory: from `threshold` (Jaccard similarity) on, within one type.

    Not enabled, only wordings that are equal but for case, blanks, punctuation and fillers are.
    """

    threshold: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 0.75
    enable_semantic_similarity: bool = True


class AgingConfig(_Settings):
    """Seconds without access after which high reads as medium, medium as low, low has expired; never critical."""

    high_priority_half_life: _Seconds = 7 * DAY
    medium_priority_half_life: _Seconds = 3 * DAY
    low_priority_half_life: _Seconds = 1 * DAY
    enable_auto_aging: bool = True


class SummaryConfig(_Settings):
    """How many high-priority memories the summary shows, of one type and in all; critical ones it shows all."""

    max_decisions_per_type: Annotated[int, Field(ge=0)] = 5
    max_decisions: Annotated[int, Field(ge=0)] = 15


class MemoryConfig(_Settings):
    """All settings of a `ConversationMemory`; dicts are accepted for the parts."""

    similarity: SimilarityConfig = SimilarityConfig()
    aging: AgingConfig = AgingConfig()
    summary: SummaryConfig = SummaryConfig()
