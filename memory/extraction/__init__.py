"""Extract typed, prioritised memories from what a person typed."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.extraction.clauses import carried_in, clauses_of
    from memory.extraction.extracting import extract_candidates
    from memory.extraction.features.mentions import files_in, symbols_in
    from memory.extraction.heads.binding_words import BINDING, STRONG
    from memory.extraction.proposing import ExtractionRequest, Extractor, Proposal, Typed, read_answer, requests_of
    from memory.extraction.slots import replacements_in, retracted_in
    from memory.extraction.statements import (
        MAX_CONTENT,
        Said,
        Statement,
        explicit_candidate,
        read_leniently,
        said_in,
        statements_in,
        text_before,
    )
    from memory.extraction.technologies import technologies_in, technology_mentions
    from memory.extraction.technology_names import rivals
    from memory.extraction.text.line_kinds import LineKind
    from memory.extraction.text.lines import lines_of, prose_spans
    from memory.extraction.turns.bare_answers import bare_answers_in, in_place_of
    from memory.extraction.turns.corrections import BARE, ORDER, takes_back
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "turns.bare_answers": "bare_answers_in in_place_of",
            "clauses": "carried_in clauses_of",
            "turns.corrections": "BARE ORDER takes_back",
            "extracting": "extract_candidates",
            "features.mentions": "files_in symbols_in",
            "heads.binding_words": "BINDING STRONG",
            "proposing": "ExtractionRequest Extractor Proposal Typed read_answer requests_of",
            "slots": "replacements_in retracted_in",
            "statements": (
                "MAX_CONTENT Said Statement explicit_candidate read_leniently said_in statements_in text_before"
            ),
            "technologies": "technologies_in technology_mentions",
            "technology_names": "rivals",
            "text.line_kinds": "LineKind",
            "text.lines": "lines_of prose_spans",
        },
    )
