"""Settings of summaries that a model writes: frozen, checked when made."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class SummarizingConfig(BaseModel):
    """How a model is asked and how far it is believed.

    Attributes:
        window: tokens the condensing model takes, question and answer together; a history that is longer is
            summarised in parts, which are merged.
        limit: tokens a running summary may have before it is compressed to a third; 1000 as documented.
        share: share of a compaction's target that the narrative may take; that is its limit there,
        most: but never more tokens than this: what a narrative does better than the record fits in, and an answer
            of twice its length is within what models write at once.
        compressions: how often at most a summary over its limit is compressed; 2 as documented.
        retries: how often a rejected answer is asked for again, the reasons given.
        result_tokens: tokens that one tool output may have in what the model reads; larger ones are reduced.
        invented: what becomes of lines that quote, rule or confirm what nobody said.
        growth: share by which the context must have grown before an automatic compaction follows another.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    window: int = Field(default=128_000, ge=2_000)
    limit: int = Field(default=1_000, ge=50)
    share: float = Field(default=0.3, gt=0, le=0.8)
    most: int = Field(default=4_000, ge=50)
    compressions: int = Field(default=2, ge=0, le=5)
    retries: int = Field(default=1, ge=0, le=5)
    result_tokens: int = Field(default=1_500, ge=100)
    invented: Literal["mark", "remove"] = "mark"
    growth: float = Field(default=0.05, ge=0, le=1)
