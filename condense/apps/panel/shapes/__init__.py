"""The values of answers, as types: the OpenAPI document says them, the tests hold answers against them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.panel.shapes.conversations import (
        Action,
        After,
        Before,
        Conversation,
        Deleted,
        DryRun,
        History,
        HistoryMessage,
        Message,
        Original,
        Record,
        Session,
        Totals,
        UndoneRecord,
        WholeRecord,
        WholeSession,
    )
    from condense.apps.panel.shapes.lists import Listed
    from condense.apps.panel.shapes.memories import (
        Bulk,
        Changed,
        Edge,
        Facets,
        Failed,
        Graph,
        Memories,
        Memory,
        MemorySource,
        Node,
        OvertakenSlot,
        Project,
        Seen,
        Slot,
        Undone,
        Use,
        WholeMemory,
    )
    from condense.apps.panel.shapes.places import (
        Available,
        Day,
        Failure,
        Installation,
        InstalledPart,
        LongTerm,
        NoteCounts,
        NoteLine,
        Notes,
        NotesFound,
        Overview,
        Passage,
        Place,
        ProxyState,
        Results,
        Saved,
        Settings,
        Summarized,
        Tagged,
        Turn,
        Updated,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "conversations": (
                "Action After Before Conversation Deleted DryRun History HistoryMessage Message "
                "Original Record Session Totals UndoneRecord WholeRecord WholeSession"
            ),
            "lists": ("Listed"),
            "memories": (
                "Bulk Changed Edge Facets Failed Graph Memories Memory MemorySource Node "
                "OvertakenSlot Project Seen Slot Undone Use WholeMemory"
            ),
            "places": (
                "Available Day Failure Installation InstalledPart LongTerm NoteCounts NoteLine "
                "Notes NotesFound Overview Passage Place ProxyState Results Saved Settings "
                "Summarized Tagged Turn Updated"
            ),
        },
    )
