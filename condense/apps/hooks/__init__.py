"""What agents call at their events: `holdfast hook EVENT`. An edge; nothing heavy is loaded before it is needed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.hooks.events import failures_file, run_hook
    from condense.apps.hooks.saving import save_session
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "events": "failures_file run_hook",
            "saving": "save_session",
        },
    )
