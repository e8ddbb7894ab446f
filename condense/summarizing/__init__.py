"""Summaries written by a model, verified and repaired."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.summarizing.config import SummarizingConfig
    from condense.summarizing.conversation import asummarize_conversation, summarize_conversation
    from condense.summarizing.dialogue import format_messages_for_summary, should_summarize, split_messages
    from condense.summarizing.memory_lines import MemoryLine, Overflow, memory_line, overflow_line
    from condense.summarizing.pacing import Pacing
    from condense.summarizing.requests import AsyncSummarizer, Summarizer, SummaryAnswer, SummaryRequest
    from condense.summarizing.rolling import RunningSummary
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "config": "SummarizingConfig",
            "conversation": "asummarize_conversation summarize_conversation",
            "dialogue": "format_messages_for_summary should_summarize split_messages",
            "memory_lines": "MemoryLine Overflow memory_line overflow_line",
            "pacing": "Pacing",
            "requests": "AsyncSummarizer Summarizer SummaryAnswer SummaryRequest",
            "rolling": "RunningSummary",
        },
    )
