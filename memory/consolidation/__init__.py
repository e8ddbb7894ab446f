"""Merge, supersede, age and render memories."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.consolidation.affirming import is_bounded, is_passing
    from memory.consolidation.deduplicating import DuplicateIndex, read_wording
    from memory.consolidation.memory_set import NAME_LENGTH, Holdings, Sightings, aged, name_of
    from memory.consolidation.rendering import (
        TITLES,
        answers_of,
        chinese_name,
        lifted,
        marked_text,
        overtake,
        passed_on,
        relinked,
        render_summary,
        unmarked,
    )
    from memory.consolidation.snapshots import (
        Snapshot,
        read_document,
        read_snapshot,
        validated,
        without_entry,
        write_snapshot,
    )
    from memory.consolidation.superseding import outdated_by, withdrawn_by
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "affirming": "is_bounded is_passing",
            "deduplicating": "DuplicateIndex read_wording",
            "memory_set": "Holdings NAME_LENGTH Sightings aged name_of",
            "rendering": (
                "TITLES answers_of chinese_name lifted marked_text overtake passed_on relinked render_summary unmarked"
            ),
            "snapshots": "Snapshot read_document read_snapshot validated without_entry write_snapshot",
            "superseding": "outdated_by withdrawn_by",
        },
    )
