"""Split typed text into lines and tell prose from pasted material."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.extraction.text.line_kinds import PASTED, Line, LineKind, is_sentence_like
    from memory.extraction.text.lines import lines_of
    from memory.extraction.text.openers import begged, core_starts, is_courtesy
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "line_kinds": "Line LineKind PASTED is_sentence_like",
            "lines": "lines_of",
            "openers": "begged core_starts is_courtesy",
        },
    )
