"""Summaries written by a model, verified and repaired."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.summarizing.conversation import asummarize_conversation, summarize_conversation
    from condense.summarizing.memory_lines import (
        MemoryLine,
        Overflow,
        format_messages_for_summary,
        memory_line,
        overflow_line,
        should_summarize,
        split_messages,
    )
    from condense.summarizing.requests import (
        AsyncSummarizer,
        Pacing,
        Summarizer,
        SummarizingConfig,
        SummaryAnswer,
        SummaryRequest,
    )
    from condense.summarizing.rolling import RunningSummary
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "conversation": "asummarize_conversation summarize_conversation",
            "memory_lines": (
                "MemoryLine Overflow format_messages_for_summary memory_line overflow_line should_summarize "
                "split_messages"
            ),
            "requests": "AsyncSummarizer Summarizer SummaryAnswer SummaryRequest Pacing SummarizingConfig",
            "rolling": "RunningSummary",
        },
    )
