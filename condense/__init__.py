"""Context compression for coding agents: a real conversation in, a smaller valid one out, nothing lost.

    from condense import Condenser

    done = Condenser().condense(messages, target=16_000)
    done.messages, done.summary, done.record

The names below are the public ones; each is loaded when it is first used.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

_MEMORY = find_spec("memory")
_OURS = Path(__file__).resolve().parents[1] / "memory" / "__init__.py"
if _MEMORY is not None and _MEMORY.origin is not None and Path(_MEMORY.origin).resolve() != _OURS:
    raise ImportError(
        f"condense needs the package memory it came with ({_OURS.parent}), but {_MEMORY.origin} comes before it on "
        "sys.path; rename that file, or start Python in another folder",
        name="memory",
        path=_MEMORY.origin,
    )

if TYPE_CHECKING:
    from condense.compaction import (
        Action,
        Archive,
        CompactionPlan,
        CompactionRecord,
        Condensation,
        Condenser,
        DiskArchive,
        Level,
        MemoryArchive,
        MessageImportanceScore,
        Report,
        StoreArchive,
        calculate_message_importance,
        score_all_messages,
    )
    from condense.config import CondenseConfig, TokenBudget
    from condense.errors import (
        ArchiveError,
        CondenseFailure,
        HandleError,
        PlanMismatchError,
        RecordError,
        SummarizerError,
        ViewError,
    )
    from condense.summarizing import (
        AsyncSummarizer,
        MemoryLine,
        Overflow,
        Pacing,
        RunningSummary,
        Summarizer,
        SummarizingConfig,
        SummaryAnswer,
        SummaryRequest,
        asummarize_conversation,
        format_messages_for_summary,
        memory_line,
        overflow_line,
        should_summarize,
        split_messages,
        summarize_conversation,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "compaction": (
                "Action Archive CompactionPlan CompactionRecord Condensation Condenser DiskArchive "
                "Level MemoryArchive MessageImportanceScore Report StoreArchive "
                "calculate_message_importance score_all_messages"
            ),
            "config": "CondenseConfig TokenBudget",
            "errors": (
                "ArchiveError CondenseFailure HandleError PlanMismatchError RecordError SummarizerError ViewError"
            ),
            "summarizing": (
                "AsyncSummarizer MemoryLine Overflow Pacing RunningSummary Summarizer SummarizingConfig SummaryAnswer "
                "SummaryRequest asummarize_conversation format_messages_for_summary memory_line overflow_line "
                "should_summarize split_messages summarize_conversation"
            ),
        },
    )

__all__ = [
    "Action", "Archive", "ArchiveError", "AsyncSummarizer", "CompactionPlan", "CompactionRecord",
    "Condensation", "CondenseConfig", "CondenseFailure", "Condenser", "DiskArchive", "HandleError", "Level",
    "MemoryArchive", "MemoryLine", "MessageImportanceScore", "Overflow", "Pacing", "PlanMismatchError",
    "RecordError", "Report", "RunningSummary", "StoreArchive", "Summarizer", "SummarizerError",
    "SummarizingConfig", "SummaryAnswer", "SummaryRequest", "TokenBudget", "ViewError",
    "asummarize_conversation", "calculate_message_importance", "format_messages_for_summary", "memory_line",
    "overflow_line", "score_all_messages", "should_summarize", "split_messages", "summarize_conversation",
]  # fmt: skip
