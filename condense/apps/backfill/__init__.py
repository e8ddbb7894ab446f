"""Take in an archive of sessions: what people said, into the memories of their projects."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.backfill.on_ray import on_ray
    from condense.apps.backfill.taking import MARKS, Backfill, Failure, Taken, backfill, session_files
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__, {"on_ray": "on_ray", "taking": "MARKS Backfill Failure Taken backfill session_files"}
    )
