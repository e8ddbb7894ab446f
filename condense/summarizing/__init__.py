"""Summaries written by a model, verified and repaired."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.summarizing.config import SummarizingConfig
    from condense.summarizing.conversation import asummarize_conversation, summarize_conversation
    from condense.summarizing.pacing import Pacing
    from condense.summarizing.requests import AsyncSummarizer, Summarizer, SummaryAnswer, SummaryRequest
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "config": "SummarizingConfig",
            "conversation": "asummarize_conversation summarize_conversation",
            "pacing": "Pacing",
            "requests": "AsyncSummarizer Summarizer SummaryAnswer SummaryRequest",
        },
    )
