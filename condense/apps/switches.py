"""What a person switched in the panel, kept in the store: hooks, proxy and command line ask here."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from memory.projects import project_of
from memory.stores import data_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory.entries import ProjectStore
    from memory.search import Embedder

ENHANCEMENT: Final = "panel.memory_enhancement"
VECTORS: Final = "panel.vector_store"
MODEL: Final = "panel.model"
EMBEDDER: Final = "panel.embedder"
LANGUAGE: Final = "panel.language"
ON: Final = "on"
OFF: Final = "off"
VECTOR_FOLDER: Final = "vectors"


def compacted_in(folder: str | Path) -> str:
    """Name the setting that says which session of a folder's project, or of the folder itself, was compacted last."""
    project = project_of(folder)
    return f"compacted.{project.key if project else Path(folder).resolve()}"


def is_enhanced(store: ProjectStore) -> bool:
    """Whether agents are told what earlier tasks of their project said; on unless it was switched off."""
    return store.settings().get(ENHANCEMENT) != OFF


def why_no_vectors(environment: Mapping[str, str] = os.environ) -> str:
    """Return the code of what keeps memories from being searched in Qdrant; "" where they can be."""
    if find_spec("qdrant_client") is None:
        return "no_qdrant_client"
    if not environment.get("HOLDFAST_QDRANT") and find_spec("qdrant_edge") is None:
        return "no_qdrant_edge"
    return ""


def why_no_embedder(folder: str) -> str:
    """Return the code of what keeps an embedding model from being loaded; "" where it can be."""
    if find_spec("fastembed") is None:
        return "no_fastembed"
    if not (Path(folder).expanduser() / "model.onnx").is_file():
        return "no_onnx"
    return ""


class _KeptOpen:
    """A store that goes on when what searches it is closed."""

    def __init__(self, store: ProjectStore) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def close(self) -> None:
        """Leave the store open."""


def searched_store(
    store: ProjectStore, environment: Mapping[str, str] = os.environ, *, keep_open: bool = False
) -> ProjectStore:
    """Return the store with the search that is switched on: its own, or Qdrant's where that is there.

    Closing it closes the store, too, unless that is to be kept open.

    Raises:
        StoreError: the embedding model cannot be loaded.
    """
    chosen = store.settings()
    if chosen.get(VECTORS) != ON or why_no_vectors(environment):
        return store
    from memory.stores import FastEmbedder, IndexedStore, VectorMemoryStore, open_qdrant

    folder = chosen.get(EMBEDDER) or environment.get("HOLDFAST_MODEL_DIR", "")
    embedder: Embedder | None = None
    if folder and not why_no_embedder(folder):
        embedder = FastEmbedder(Path(folder).expanduser())
    place = environment.get("HOLDFAST_QDRANT") or f"edge:{data_folder() / VECTOR_FOLDER}"
    beside = cast("ProjectStore", _KeptOpen(store)) if keep_open else store
    index = VectorMemoryStore(open_qdrant(place), embedder, beside=beside)
    return cast("ProjectStore", IndexedStore(store, index))
