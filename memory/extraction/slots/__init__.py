"""Named values (port, database, ...) that later statements replace or retract."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.extraction.slots.retractions import retracted_in
    from memory.extraction.slots.slots import slots_in
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "retractions": "retracted_in",
            "slots": "slots_in",
        },
    )
