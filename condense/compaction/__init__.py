"""`Condenser`: plan, apply, check, undo; and the live view of a growing conversation."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.compaction.archive import Archive, DiskArchive, MemoryArchive, StoreArchive, write_atomically
    from condense.compaction.condenser import PROJECT_SHARE, Condenser
    from condense.compaction.focusing import passages_about
    from condense.compaction.importance import (
        MEASURED,
        PRESETS,
        SEED,
        Band,
        MessageImportanceScore,
        calculate_message_importance,
        score_all_messages,
    )
    from condense.compaction.live_view import as_they_came
    from condense.compaction.observing import Observer, observe, watched
    from condense.compaction.planning import Request, plan_compaction
    from condense.compaction.plans import Action, CompactionPlan, CompactionRecord, Condensation, Level, Report
    from condense.compaction.validity import is_reasoning, repair
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "validity": "is_reasoning repair",
            "archive": "Archive DiskArchive MemoryArchive StoreArchive write_atomically",
            "condenser": "Condenser PROJECT_SHARE",
            "focusing": "passages_about",
            "importance": (
                "MEASURED PRESETS SEED Band MessageImportanceScore calculate_message_importance score_all_messages"
            ),
            "live_view": "as_they_came",
            "observing": "Observer observe watched",
            "planning": "Request plan_compaction",
            "plans": "Action CompactionPlan CompactionRecord Condensation Level Report",
        },
    )
