"""Heads of lists: items that mean something else when read without them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.extraction.heads.binding_words import NEGATING, STRONG, TOLD, Force, force_of
    from memory.extraction.heads.hearsay import ADOPTED, NAMED, VERDICT
    from memory.extraction.heads.list_heads import listing_of
    from memory.extraction.heads.within_sentences import (
        LONGEST_RUN_IN,
        NO_RUN_IN,
        TURN,
        Span,
        carried_by,
        directs,
        goes_on,
        is_neutral,
        run_in,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "binding_words": "NEGATING STRONG TOLD Force force_of",
            "hearsay": "ADOPTED NAMED VERDICT",
            "list_heads": "listing_of",
            "within_sentences": "LONGEST_RUN_IN NO_RUN_IN TURN Span carried_by directs goes_on is_neutral run_in",
        },
    )
