"""Sessions and compactions as the panel reads them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.panel.reading.condensing import (
        after_of,
        before_of,
        condensed,
        handle_at,
        handle_of,
    )
    from condense.apps.panel.reading.lines import line_of
    from condense.apps.panel.reading.records import AGENT, UNDONE, Kept, Records, agent_records, shown_record
    from condense.apps.panel.reading.sessions import Entry, Sessions
    from condense.apps.panel.reading.sources import source_of
    from condense.apps.panel.reading.turns import newest_turn
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "condensing": "after_of before_of condensed handle_at handle_of",
            "lines": "line_of",
            "records": "AGENT UNDONE Kept Records agent_records shown_record",
            "sessions": "Entry Sessions",
            "sources": "source_of",
            "turns": "newest_turn",
        },
    )
