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
    """When two wordings of one type count as one memory."""

    threshold: Annotated[float, Field(gt=0, le=1, allow_inf_nan=False)] = 0.75  # Jaccard similarity
    enable_semantic_similarity: bool = True  # off: equal but for case, blanks and fillers


class AgingConfig(_Settings):
    """When memories that nobody asks for fade: seconds without access; critical ones never do."""

    high_priority_half_life: _Seconds = 7 * DAY  # seconds after which high reads as medium
    medium_priority_half_life: _Seconds = 3 * DAY  # seconds after which medium reads as low
    low_priority_half_life: _Seconds = 1 * DAY  # seconds after which low has expired
    enable_auto_aging: bool = True  # off: nothing fades


class SummaryConfig(_Settings):
    """How many high-priority memories the summary shows, of one type and in all; critical ones it shows all."""

    max_decisions_per_type: Annotated[int, Field(ge=0)] = 5  # of high priority, of one type
    max_decisions: Annotated[int, Field(ge=0)] = 15  # of high priority, in all; critical ones are all shown


class MemoryConfig(_Settings):
    """All settings of a `ConversationMemory`; dicts are accepted for the parts."""

    similarity: SimilarityConfig = SimilarityConfig()  # when two wordings are one memory
    aging: AgingConfig = AgingConfig()  # when memories fade
    summary: SummaryConfig = SummaryConfig()  # what their summary shows
