"""Context compression for coding agents: a real conversation in, a smaller valid one out, nothing lost.

    from condense import Condenser

    done = Condenser().condense(messages, target=16_000)
    done.messages, done.summary, done.record

The names below are the public ones; each is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from condense.archive import Archive, DiskArchive, MemoryArchive, StoreArchive
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
    from condense.pipeline import Condenser
    from condense.plans import Action, CompactionPlan, CompactionRecord, Condensation, Level, Report
    from condense.scoring import MessageImportanceScore, calculate_message_importance, score_all_messages
    from condense.summarizing.config import SummarizingConfig
    from condense.summarizing.conversation import asummarize_conversation, summarize_conversation
    from condense.summarizing.pacing import Pacing
    from condense.summarizing.requests import AsyncSummarizer, Summarizer, SummaryAnswer, SummaryRequest

__all__ = [
    "Action",
    "Archive",
    "ArchiveError",
    "AsyncSummarizer",
    "CompactionPlan",
    "CompactionRecord",
    "Condensation",
    "CondenseConfig",
    "CondenseFailure",
    "Condenser",
    "DiskArchive",
    "HandleError",
    "Level",
    "MemoryArchive",
    "MessageImportanceScore",
    "Pacing",
    "PlanMismatchError",
    "RecordError",
    "Report",
    "StoreArchive",
    "Summarizer",
    "SummarizerError",
    "SummarizingConfig",
    "SummaryAnswer",
    "SummaryRequest",
    "TokenBudget",
    "ViewError",
    "asummarize_conversation",
    "calculate_message_importance",
    "score_all_messages",
    "summarize_conversation",
]

_MEMORY = find_spec("memory")
_OURS = Path(__file__).resolve().parents[1] / "memory" / "__init__.py"
if _MEMORY is not None and _MEMORY.origin is not None and Path(_MEMORY.origin).resolve() != _OURS:
    raise ImportError(
        f"condense needs the package memory it came with ({_OURS.parent}), but {_MEMORY.origin} comes before it on "
        "sys.path; rename that file, or start Python in another folder",
        name="memory",
        path=_MEMORY.origin,
    )

_HOMES = {
    "condense.archive": ("Archive", "DiskArchive", "MemoryArchive", "StoreArchive"),
    "condense.config": ("CondenseConfig", "TokenBudget"),
    "condense.errors": (
        "ArchiveError",
        "CondenseFailure",
        "HandleError",
        "PlanMismatchError",
        "RecordError",
        "SummarizerError",
        "ViewError",
    ),
    "condense.pipeline": ("Condenser",),
    "condense.plans": ("Action", "CompactionPlan", "CompactionRecord", "Condensation", "Level", "Report"),
    "condense.scoring": ("MessageImportanceScore", "calculate_message_importance", "score_all_messages"),
    "condense.summarizing.config": ("SummarizingConfig",),
    "condense.summarizing.conversation": ("asummarize_conversation", "summarize_conversation"),
    "condense.summarizing.pacing": ("Pacing",),
    "condense.summarizing.requests": ("AsyncSummarizer", "Summarizer", "SummaryAnswer", "SummaryRequest"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Load a public name from its module on first use.

    Raises:
        AttributeError: the package has no such public name.
    """
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(
            f"module 'condense' has no attribute {name!r}; see condense.__all__ for what it has"
        )
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return sorted({*globals(), *__all__})
