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
    """When two wordings of one type count as one memory.

    Attributes:
        threshold: Jaccard similarity from which they do.
        enable_semantic_similarity: off, only wordings that are equal but for case, blanks, punctuation and fillers are.
    """

    threshold: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 0.75
    enable_semantic_similarity: bool = True


class AgingConfig(_Settings):
    """When memories that nobody asks for fade; critical ones never do.

    Attributes:
        high_priority_half_life: seconds without access after which high reads as medium.
        medium_priority_half_life: seconds without access after which medium reads as low.
        low_priority_half_life: seconds without access after which low has expired.
        enable_auto_aging: off, nothing fades.
    """

    high_priority_half_life: _Seconds = 7 * DAY
    medium_priority_half_life: _Seconds = 3 * DAY
    low_priority_half_life: _Seconds = 1 * DAY
    enable_auto_aging: bool = True


class SummaryConfig(_Settings):
    """How many high-priority memories the summary shows; critical ones it shows all.

    Attributes:
        max_decisions_per_type: memories of one type.
        max_decisions: memories in all.
    """

    max_decisions_per_type: Annotated[int, Field(ge=0)] = 5
    max_decisions: Annotated[int, Field(ge=0)] = 15


class MemoryConfig(_Settings):
    """All settings of a `ConversationMemory`; dicts are accepted for the parts.

    Attributes:
        similarity, aging, summary: the parts, below.
    """

    similarity: SimilarityConfig = SimilarityConfig()
    aging: AgingConfig = AgingConfig()
    summary: SummaryConfig = SummaryConfig()
