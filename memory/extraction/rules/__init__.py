"""Rules and prohibitions whose wording alone is decisive."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.extraction.rules.certain_rules import (
        Certainty,
        announces,
        certainty_of,
        certainty_under,
        is_note,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "certain_rules": "Certainty announces certainty_of certainty_under is_note",
        },
    )
