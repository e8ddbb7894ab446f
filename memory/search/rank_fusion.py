"""One ranking from two: what keywords found and what vectors found.

Measured on paraphrased questions (`benchmarks/retrieval.py`), each over a wide range of its constant: words count a
fifth beside meaning; a text that is near to everything is near to nothing in particular (the hubness of nearest
neighbours; corrected as by Conneau et al., "Word translation without parallel data", 2018); and where a model does
not know a script it is given glosses (`memory.search.glossing`), and words decide more.
"""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, Final

from memory.search.embeddings import cosine

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

KEYWORD_SHARE: Final = 0.2
"""What a full match by words counts against one by meaning (measured: 0.1 to 0.3 are as good)."""
GLOSS_SHARE: Final = 0.15
"""What meaning counts against words where a question is given in glosses (measured: 0.1 to 0.3 are as good)."""
CROWDING_SHARE: Final = 0.5
"""How much of a text's nearness to its neighbours is taken off (as in the source)."""
NEIGHBOURS: Final = 5
"""Nearest neighbours that make a text crowded (measured: 5 of a sample, 10 or 20 of all do the same)."""
SAME: Final = 0.9999
"""Likeness of a text to itself or a copy, which is no neighbour (1, less what rounding takes)."""
SAMPLE: Final = 256
"""Texts among which neighbours are looked for (measured: 200 do nearly as well as all)."""
CANDIDATES: Final = 50
"""Nearest texts that are corrected for crowding (measured: 20 do as well)."""
LEAST_MEANING: Final = 0.2
"""Likeness below which a text that shares no word is left out (chosen; unlike texts have 0.0 to 0.15)."""


def crowding(vector: Sequence[float], others: Iterable[Sequence[float]]) -> float:
    """Return how near a text is to its nearest among a sample of other texts, 0 to 1; itself does not count."""
    near = nlargest(NEIGHBOURS, (one for other in others if (one := cosine(vector, other)) < SAME))
    return sum(near) / NEIGHBOURS


def fuse(
    keywords: Mapping[int, float], vectors: Mapping[int, float], *, understood: bool = True
) -> list[tuple[int, float]]:
    """Return numbers and weighted means of both scores, best first; among equals the smaller number.

    Args:
        keywords: scores by words, 0 to 1; absent is 0.
        vectors: scores by meaning; empty without an embedder, and then words decide alone.
        understood: the embedder knows the question's script.
    """
    share = KEYWORD_SHARE if understood else 1 - GLOSS_SHARE
    least = min(vectors.values(), default=0.0)
    found = {
        row: (1 - share) * vectors.get(row, least) + share * keywords.get(row, 0.0)
        for row in (*vectors, *keywords)
    }
    return sorted((found if vectors else keywords).items(), key=lambda hit: (-hit[1], hit[0]))


def rank(
    keywords: Mapping[int, float],
    near: Mapping[int, float],
    crowded: Mapping[int, float],
    *,
    understood: bool = True,
) -> list[tuple[int, float]]:
    """Return numbers and scores, 0 to 1, best first: ordered with crowding corrected, scored without.

    Texts that share no word and are hardly like the question are left out.

    Args:
        keywords: scores by words, 0 to 1.
        near: likeness by meaning, 0 to 1.
        crowded: `crowding` of each text of `near`.
        understood: the embedder knows the question's script.
    """
    corrected = {row: likeness - CROWDING_SHARE * crowded[row] for row, likeness in near.items()}
    shown = dict(fuse(keywords, near, understood=understood))
    return [
        (row, max(0.0, min(1.0, shown[row])))
        for row, _ in fuse(keywords, corrected, understood=understood)
        if row in keywords or near.get(row, 0.0) >= LEAST_MEANING
    ]
