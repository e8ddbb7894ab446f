"""What agents call at their events: `holdfast hook EVENT`. An edge; nothing heavy is loaded before it is needed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.hooks.events import run_hook
    from condense.apps.hooks.saving import save_session
    from condense.apps.hooks.texts import failures_file
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "events": "run_hook",
            "saving": "save_session",
            "texts": "failures_file",
        },
    )
