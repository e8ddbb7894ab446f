"""Texts as vectors: what an embedder is, one that needs nothing, and how vectors are compared."""

from __future__ import annotations

from hashlib import blake2b
from math import sqrt
from operator import mul
from typing import TYPE_CHECKING, Final, Protocol

from memory.search.terms import terms_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

NOTION_SHARE: Final = 0.6


class Embedder(Protocol):
    """Turns texts into vectors. Any callable with these two attributes serves."""

    @property
    def name(self) -> str:
        """Which model this is; another name means vectors that must not be mixed with these."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        ...

    def __call__(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return one vector of length 1 for each text, in order."""
        ...


class HashingEmbedder:
    """Vectors without a model: stems, notions and bigrams hashed into buckets, with signs.

    Deterministic; knows no more than keyword search does (the hashing trick with signs, Weinberger et al. 2009).

    Args:
        dimension: buckets, 8 to 65 536.
    """

    def __init__(self, dimension: int = 256) -> None:
        if not 8 <= dimension <= 65_536:  # noqa: PLR2004  # stated in the docstring
            raise ValueError(f"dimension is {dimension!r}; it should be from 8 to 65536")
        self.dimension: Final = dimension
        self.name: Final = f"hashing-1-{dimension}"

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """Return one vector of length 1 for each text; all zeros but the first for a text without words."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        vector = [0.0] * self.dimension
        terms = terms_of(text)
        shares = (("w", terms.words, 1.0), ("g", terms.grams, 0.6), ("n", terms.notions, NOTION_SHARE))
        for mark, found, weight in shares:
            for term in found:
                digest = blake2b(f"{mark}{term}".encode("utf-8", "replace"), digest_size=8).digest()
                number = int.from_bytes(digest, "big")
                vector[number % self.dimension] += weight if number >> 63 else -weight
        return list(unit(vector))


def unit(vector: Iterable[float]) -> tuple[float, ...]:
    """Return a vector of length 1 in the same direction; (1, 0, 0, ...) for one of zeros."""
    values = tuple(vector)
    length = sqrt(sum(map(mul, values, values)))
    if not length:
        return tuple(float(at == 0) for at in range(len(values)))
    return tuple(value / length for value in values)


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the likeness of two vectors of length 1, cut to 0 to 1."""
    return float(max(0.0, min(1.0, sum(map(mul, one, other)))))
