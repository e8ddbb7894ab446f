"""MEMORY.md and Markdown notes: lines, passages, citations."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.notes.documents import (
        DEFAULT_RESULTS,
        CitationMode,
        Documents,
        Passage,
        citation_of,
        cites,
        clamped,
    )
    from memory.notes.locked_file import made_private
    from memory.notes.notebook import DEFAULT_LINES, DEFAULT_RECENT, DEFAULT_SOURCE, Language, MatchMode, Notebook
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "documents": "CitationMode DEFAULT_RESULTS Documents Passage citation_of cites clamped",
            "locked_file": "made_private",
            "notebook": "DEFAULT_LINES DEFAULT_RECENT DEFAULT_SOURCE Language MatchMode Notebook",
        },
    )
