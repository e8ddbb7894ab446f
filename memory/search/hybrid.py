"""Texts by number, found by words and, with an embedder, by meaning: one ranking from two, and an index in memory.

Measured on paraphrased questions (`benchmarks/retrieval.py`): words count a fifth beside meaning; a text that is near
to everything is near to nothing in particular (hubness, corrected as by Conneau et al., "Word translation without
parallel data", 2018); where a model does not know a script it is given glosses, and words decide more.
"""

from __future__ import annotations

from heapq import nlargest
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from memory.search.bm25 import KeywordIndex
from memory.search.embeddings import cosine
from memory.search.glossing import glossed, script_of, scripts_of
from memory.search.terms import asked_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memory.search.embeddings import Embedder

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
    """Return numbers and weighted means of scores by words and by meaning (or none), best first; as `rank`."""
    share = KEYWORD_SHARE if understood else 1 - GLOSS_SHARE
    least = min(vectors.values(), default=0.0)
    found = {
        row: (1 - share) * vectors.get(row, least) + share * keywords.get(row, 0.0) for row in (*vectors, *keywords)
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

    Args:
        keywords: scores by words, 0 to 1; texts without any that are hardly `near` are left out.
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


class HybridIndex:
    """An index of up to some thousands of texts; vectors are made at the next search, once for each text.

    Without an embedder words alone decide; where it fails in a search, too, and `embedder_error` says why ("" else).
    """

    def __init__(self, embedder: Embedder | None = None) -> None:
        self.embedder_error = ""
        self._embedder = glossed(embedder)
        self._keywords = KeywordIndex()
        self._texts: dict[int, str] = {}
        self._vectors: dict[str, Sequence[float]] = {}
        self._crowding: dict[str, float] = {}
        self._crowded_at = 0
        self._scripts: frozenset[str] | None = None

    def __len__(self) -> int:
        """Return how many texts there are."""
        return len(self._texts)

    def add(self, row: int, text: str) -> None:
        """Take a text in, in place of an earlier one with the number."""
        self.remove(row)
        self._texts[row] = text
        self._keywords.add(row, text)

    def remove(self, row: int) -> None:
        """Take a text out; one that is not there is no error."""
        if (text := self._texts.pop(row, None)) is not None:
            self._keywords.remove(row)
            self._vectors.pop(text, None)
            self._crowding.pop(text, None)

    def search(self, query: str) -> list[tuple[int, float]]:
        """Return numbers and scores, 0 to 1, of the texts that answer a question, best first."""
        by_words = {row: score for row, score, _ in self._keywords.search(asked_by(query))}
        likeness = self._likeness(query)
        near = dict(nlargest(CANDIDATES, likeness.items(), key=itemgetter(1)))
        near |= {row: likeness[row] for row in by_words if row in likeness}
        crowded = {row: self._crowding_of(self._texts[row]) for row in near}
        understood = self._scripts is None or script_of(query) in self._scripts
        return rank(by_words, near, crowded, understood=understood)

    def _likeness(self, query: str) -> dict[int, float]:
        """Return the likeness of every text to a question; empty without an embedder, or where it fails."""
        if self._embedder is None or not self._texts or not query.strip():
            return {}
        fresh = [text for text in dict.fromkeys(self._texts.values()) if text not in self._vectors]
        try:
            vectors = self._embedder([query, *fresh])
            self._vectors.update(zip(fresh, vectors[1:], strict=True))
            if self._scripts is None:
                self._scripts = scripts_of(self._embedder)
        except Exception as error:  # noqa: BLE001  # a plug-in: search goes on by words
            self.embedder_error = f"{type(error).__name__}: {error}"
            return {}
        self.embedder_error = ""
        asked = vectors[0]
        return {row: cosine(asked, self._vectors[text]) for row, text in self._texts.items()}

    def _crowding_of(self, text: str) -> float:
        """Return how crowded a text is among a sample of the others; kept until their number has changed much."""
        if not 0.8 * self._crowded_at <= len(self._texts) <= 1.25 * self._crowded_at:
            self._crowding.clear()
            self._crowded_at = len(self._texts)
        if text not in self._crowding:
            every = max(1, len(self._vectors) // SAMPLE)
            sample = list(self._vectors.values())[::every]
            self._crowding[text] = crowding(self._vectors[text], sample)
        return self._crowding[text]
