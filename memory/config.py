"""Settings of `ConversationMemory`: frozen, checked when made.

A value out of range raises `pydantic.ValidationError` (a `ValueError`) that names the field, the value and
the range; so does a field that does not exist.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

_FROZEN = ConfigDict(frozen=True, extra="forbid", validate_default=True)

DAY = 86_400.0
"""Seconds of a day."""

_Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class SimilarityConfig(BaseModel):
    """When two wordings count as one memory.

    Attributes:
        threshold: Jaccard similarity from which near-duplicates of one type are merged, above 0, at most 1.
            0.75 is the documented default of the original.
        enable_semantic_similarity: merge near-duplicates; when off, only wordings that are equal but for
            case, blanks, punctuation and fillers are merged.
    """

    model_config = _FROZEN

    threshold: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 0.75
    enable_semantic_similarity: bool = True


class AgingConfig(BaseModel):
    """After how long without access a memory counts one priority less. Critical ones never age.

    Attributes:
        high_priority_half_life: seconds until high reads as medium; 7 days.
        medium_priority_half_life: seconds until medium reads as low; 3 days.
        low_priority_half_life: seconds until low has expired; 1 day.
        enable_auto_aging: off, every memory keeps its priority for ever.

    The defaults are the documented ones of the original.
    """

    model_config = _FROZEN

    high_priority_half_life: _Seconds = 7 * DAY
    medium_priority_half_life: _Seconds = 3 * DAY
    low_priority_half_life: _Seconds = 1 * DAY
    enable_auto_aging: bool = True


class SummaryConfig(BaseModel):
    """How much the summary shows beside the critical memories, which it shows all.

    Attributes:
        max_decisions_per_type: high-priority memories of one type, 0 or more; 5 as documented.
        max_decisions: high-priority memories in all, 0 or more; 15 as documented.
    """

    model_config = _FROZEN

    max_decisions_per_type: Annotated[int, Field(ge=0)] = 5
    max_decisions: Annotated[int, Field(ge=0)] = 15


class MemoryConfig(BaseModel):
    """All settings of a `ConversationMemory`; dicts are accepted for the parts."""

    model_config = _FROZEN

    similarity: SimilarityConfig = SimilarityConfig()
    aging: AgingConfig = AgingConfig()
    summary: SummaryConfig = SummaryConfig()
