"""Search over memories and notes: BM25, stemming, synonyms, vectors, rank fusion."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.search.bm25 import (
        LENGTH_SHARE,
        MOST_HOLDERS,
        MOST_READ,
        USUAL_LENGTH,
        Holders,
        Key,
        KeywordIndex,
        Wanted,
        find_candidates,
        keys_held,
        keys_of,
        length_of,
        score_held,
        score_of,
    )
    from memory.search.embeddings import Embedder, HashingEmbedder, cosine, unit
    from memory.search.glossing import glossed, script_of, scripts_of
    from memory.search.hybrid import CANDIDATES, NEIGHBOURS, SAME, SAMPLE, HybridIndex, fuse, rank
    from memory.search.stemming import stem
    from memory.search.terms import Asked, Terms, asked_by, terms_of
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "bm25": (
                "Holders Key KeywordIndex LENGTH_SHARE MOST_HOLDERS MOST_READ USUAL_LENGTH Wanted "
                "find_candidates keys_held keys_of length_of score_held score_of"
            ),
            "embeddings": "Embedder HashingEmbedder cosine unit",
            "glossing": "glossed script_of scripts_of",
            "hybrid": "CANDIDATES HybridIndex NEIGHBOURS SAME SAMPLE fuse rank",
            "stemming": "stem",
            "terms": "Asked Terms asked_by terms_of",
        },
    )
