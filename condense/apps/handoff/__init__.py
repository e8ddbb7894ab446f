"""Carry a session into a new one, of the same agent or another; make one go on that will not resume. An edge."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.handoff.carrying import Carried, carry, mend, read_broken
    from condense.apps.handoff.writing import AGENTS, Written, is_untouched, is_written_here, write_session
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "carrying": "Carried carry mend read_broken",
            "writing": "AGENTS Written is_untouched is_written_here write_session",
        },
    )
