"""The endpoints of the panel, by subject."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.panel.routes.table import ENDPOINTS
    from condense.apps.panel.routes.threads import THREAD_ENDPOINTS, Threads
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(__name__, {"table": "ENDPOINTS", "threads": "THREAD_ENDPOINTS Threads"})
