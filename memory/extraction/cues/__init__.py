"""Table of lexical cues, each row with examples that must and must not match."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.extraction.cues.matching import all_cues, cues_of, find_cues, words_of
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(__name__, {"matching": "all_cues cues_of find_cues words_of"})
