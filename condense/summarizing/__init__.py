"""A model writes the narrative of a compaction: asked with what must be kept, checked, mended, never trusted.

The flow does no input or output of its own: it is a generator that yields requests and is sent answers, so that the
sync and the async functions share it.
"""

from condense.summarizing.config import SummarizingConfig
from condense.summarizing.conversation import asummarize_conversation, summarize_conversation
from condense.summarizing.memory_lines import (
    MemoryLine,
    Overflow,
    amemory_line,
    aoverflow_line,
    memory_line,
    overflow_line,
)
from condense.summarizing.pacing import Pacing
from condense.summarizing.requests import AsyncSummarizer, Purpose, Summarizer, SummaryAnswer, SummaryRequest
from condense.summarizing.rolling import RunningSummary, is_due

__all__ = [
    "AsyncSummarizer",
    "MemoryLine",
    "Overflow",
    "Pacing",
    "Purpose",
    "RunningSummary",
    "Summarizer",
    "SummarizingConfig",
    "SummaryAnswer",
    "SummaryRequest",
    "amemory_line",
    "aoverflow_line",
    "asummarize_conversation",
    "is_due",
    "memory_line",
    "overflow_line",
    "summarize_conversation",
]
