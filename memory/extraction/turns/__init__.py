"""What a message says only together with what was said before: corrections, bare answers, answers to questions."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.extraction.turns.answers import answered
    from memory.extraction.turns.bare_answers import bare_answers_in, in_place_of
    from memory.extraction.turns.corrections import BARE, ORDER, Correction, corrections_in, takes_back
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "answers": "answered",
            "bare_answers": "bare_answers_in in_place_of",
            "corrections": "BARE ORDER Correction corrections_in takes_back",
        },
    )
