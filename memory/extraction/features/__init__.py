"""Features of a clause: wording, specificity, mentions, evidence."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.extraction.features.evidence import Setting, evidence_of, setting_of
    from memory.extraction.features.mentions import endpoints_in, files_in, symbols_in
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__, {"evidence": "Setting evidence_of setting_of", "mentions": "endpoints_in files_in symbols_in"}
    )
