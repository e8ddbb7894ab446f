"""Merge, supersede, age and render memories."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.consolidation.deduplicating import DuplicateIndex
    from memory.consolidation.memory_set import Holdings, aged
    from memory.consolidation.normalizing import read_wording
    from memory.consolidation.rendering import (
        TITLES,
        answers_of,
        lifted,
        marked_text,
        overtake,
        passed_on,
        render_summary,
        unlinked,
        unmarked,
    )
    from memory.consolidation.seen_messages import NAME_LENGTH, Sightings, name_of
    from memory.consolidation.snapshots import (
        Snapshot,
        read_document,
        read_snapshot,
        validated,
        write_snapshot,
    )
    from memory.consolidation.superseding import outdated_by, withdrawn_by
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "deduplicating": "DuplicateIndex",
            "memory_set": "Holdings aged",
            "normalizing": "read_wording",
            "rendering": "TITLES answers_of lifted marked_text overtake passed_on render_summary unlinked unmarked",
            "seen_messages": "NAME_LENGTH Sightings name_of",
            "snapshots": "Snapshot read_document read_snapshot validated write_snapshot",
            "superseding": "outdated_by withdrawn_by",
        },
    )
