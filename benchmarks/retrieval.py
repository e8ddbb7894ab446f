"""Search over texts as a measure sees it: `index_...(texts)` returns `search(query, k) -> indices`, best first."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memory.search import HashingEmbedder, HybridIndex, KeywordIndex, asked_by
from memory.stores import FastEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def index_keywords(texts: Sequence[str]) -> Callable[[str, int], list[int]]:
    """Index texts by the analysis and ranking that all stores share."""
    index = KeywordIndex()
    for number, text in enumerate(texts):
        index.add(number, text)

    def search(query: str, k: int) -> list[int]:
        return [row for row, _, _ in index.search(asked_by(query))[:k]]

    return search


MODEL = "HOLDFAST_MODEL_DIR"
"""Names the folder of a model for `index_hybrid`, such as `export_minilm.py` writes."""


def index_hybrid(texts: Sequence[str]) -> Callable[[str, int], list[int]]:
    """Index texts by words and by meaning; by hashed words where no model is named."""
    folder = os.environ.get(MODEL)
    index = HybridIndex(FastEmbedder(folder) if folder else HashingEmbedder())
    for number, text in enumerate(texts):
        index.add(number, text)

    def search(query: str, k: int) -> list[int]:
        return [row for row, _ in index.search(query)[:k]]

    return search
