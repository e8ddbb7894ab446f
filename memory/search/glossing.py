"""Texts in scripts that an embedder does not know, given to it word for word in English.

A model that reads English sees in Chinese, Japanese or Russian no more than marks. What the table of `search.synonyms`
has of their words, in English and in their order, says enough to be found by, and lets a question in one language find
an answer in another. A multilingual model needs none of this and is asked for nothing of it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.search.embeddings import HashingEmbedder
from memory.search.rank_fusion import known_scripts, script_of
from memory.search.stemming import stem
from memory.search.synonyms import notions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.search.embeddings import Embedder

MOST_READ: Final = 8000
"""Characters of a text that are glossed (chosen: as many as keyword search reads)."""

_PIECE: Final = re.compile(
    "(?P<cjk>[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]+)|(?P<cyrillic>[\u0400-\u04ff]+)|[^\u0400-\u04ff\u3040-\u9fff]+"
)


def gloss(text: str) -> str:
    """Return a text with its Chinese, Japanese and Russian words replaced by English ones; unknown ones are left out.

    "" where nothing is left. Linear; about 0.1 ms for a line.
    """
    known = notions()
    found: list[str] = []
    for piece in _PIECE.finditer(text[:MOST_READ]):
        if piece["cjk"]:
            found += _words_of(piece["cjk"])
        elif piece["cyrillic"]:
            found += [known.names[row] for row in known.of_stem.get(stem(piece[0].lower()), ())[:1]]
        else:
            found.append(piece[0])
    return " ".join(" ".join(found).split())


def _words_of(run: str) -> list[str]:
    """Return the English of the words in a run of characters, longest words first."""
    known = notions()
    found: list[str] = []
    at = 0
    while at < len(run):
        longest = known.longest_cjk if run[at] in known.cjk_firsts else 0
        for width in range(min(longest, len(run) - at), 0, -1):
            rows = known.of_cjk.get(run[at : at + width])
            if rows:
                found.append(known.names[rows[0]])
                at += width
                break
        else:
            at += 1
    return found


class GlossedEmbedder:
    """An embedder that is given English for texts in scripts it does not know.

    Args:
        inner: the embedder; asked for 36 short texts at the first use, to see what it knows.
    """

    def __init__(self, inner: Embedder) -> None:
        self.inner: Final = inner
        self._scripts: frozenset[str] | None = None

    @property
    def name(self) -> str:
        """Which model this is, and which glosses."""
        return f"{self.inner.name}+gloss-1"

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return self.inner.dimension

    @property
    def scripts(self) -> frozenset[str]:
        """The scripts that the embedder knows itself; raises whatever it raises."""
        if self._scripts is None:
            self._scripts = known_scripts(self.inner)
        return self._scripts

    def __call__(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector for each text, in order."""
        known = self.scripts
        return self.inner([text if script_of(text) in known else gloss(text) or text for text in texts])


def glossed(embedder: Embedder | None) -> Embedder | None:
    """Return an embedder that also makes something of scripts it does not know.

    `HashingEmbedder` comes back as it is: it looks words of all scripts up in the same table.
    """
    if embedder is None or isinstance(embedder, HashingEmbedder | GlossedEmbedder):
        return embedder
    return GlossedEmbedder(embedder)


def scripts_of(embedder: Embedder) -> frozenset[str]:
    """Return the scripts that an embedder knows without a gloss; raises whatever it raises."""
    return embedder.scripts if isinstance(embedder, GlossedEmbedder) else known_scripts(embedder)
