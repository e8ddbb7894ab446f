"""The memory that belongs to a folder: its notes, its Markdown, its project in the store."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

from condense.apps.cli.outputs import message_text, read_json
from condense.apps.cli.places import open_archive
from condense.apps.cli.refusals import Refusal
from condense.apps.switches import is_enhanced, searched_store
from condense.errors import CondenseFailure, HandleError
from memory import Documents, Notebook, PersistentMemoryManager
from memory.errors import UnknownHandleError
from memory.projects import project_of
from memory.stores import has_store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable

    from memory.entries import ProjectStore
    from memory.notes import Language
    from memory.search import Embedder
    from memory.tools import Tool


@dataclass(frozen=True, slots=True)
class Workspace:
    """What is remembered for one folder.

    Attributes:
        root: top of its git working tree; the folder itself outside one.
        notebook: `memory/MEMORY.md` under the root, as documented.
        documents: MEMORY.md and memory/*.md under the root.
    """

    root: Path
    notebook: Notebook
    documents: Documents


def open_workspace(
    folder: str | None, *, language: Language = "auto", embedder: Embedder | None = None
) -> Workspace:
    """Return the workspace of a folder, the current one where none is named. Nothing is made yet.

    Raises:
        Refusal: it is no folder.
    """
    start = Path(folder).expanduser() if folder else Path.cwd()
    if not start.is_dir():
        raise Refusal(f"{folder!r} is not a folder; name one, such as the top of your repository")
    project = project_of(start)
    root = Path(project.root) if project else start.resolve()
    return Workspace(
        root,
        Notebook(root / "memory", language=language),
        Documents(root, embedder=embedder),
    )


def open_project(
    root: Path, *, qdrant: str | None = None, embedder: Embedder | None = None
) -> PersistentMemoryManager:
    """Open the memories of the project that a folder lies in, in the store of this user.

    Args:
        root: the folder.
        qdrant: address or folder of a Qdrant to search through; when left out as it was switched in the panel.
        embedder: for search by meaning there.

    Raises:
        StoreError: the store cannot be opened.
        Refusal: qdrant-client is not installed.
    """
    store: ProjectStore = open_store()
    if qdrant is not None:
        from memory.stores import IndexedStore, VectorMemoryStore, open_qdrant

        try:
            index = VectorMemoryStore(open_qdrant(qdrant), embedder, beside=store)
        except ImportError as error:
            raise Refusal(str(error)) from error
        store = cast("ProjectStore", IndexedStore(store, index))
    else:
        store = searched_store(store)
    return PersistentMemoryManager.open(root, store=store)


def recall_for(folder: str | None) -> PersistentMemoryManager | None:
    """Return what earlier sessions in a session's folder left; None where nothing is, or that is switched off.

    Raises:
        StoreError: the store cannot be opened.
    """
    project = project_of(folder) if folder else None
    if project is None or not has_store():
        return None
    store = open_store()
    return PersistentMemoryManager(store, project.key) if is_enhanced(store) else None


def open_model(folder: str | None, embedder: str | None = None) -> Embedder | None:
    """Load the embedding model of a folder, or make the embedder that NAME:MODEL names; None where neither is named.

    Raises:
        StoreError: there is none, or it cannot be loaded.
        PluginError: there is no embedder of that name, or its plug-in failed.
        Refusal: both are named, or a package is not installed.
    """
    if folder and embedder:
        raise Refusal("--model-dir and --embedder name two models; give only one of them")
    if not folder and not embedder:
        return None
    from memory.stores import FastEmbedder, open_embedder

    try:
        return open_embedder(embedder) if embedder else FastEmbedder(Path(str(folder)).expanduser())
    except ImportError as error:
        raise Refusal(str(error)) from error


def open_recall(url: str, embedder: Embedder | None = None) -> Tool:
    """Return recall_thread over the conversations in a database; the environment may name an embedding model.

    Raises:
        StoreError: it cannot be opened.
        Refusal: a package for it is not installed, or a variable is wrong.
    """
    from condense.adapters import ThreadMemory, recall_thread_tool

    more = {} if embedder is None else {"embedder": embedder}
    try:
        memory = ThreadMemory.from_environment({**os.environ, "DATABASE_URL": url}, **more)
    except (ImportError, ValueError) as error:
        raise Refusal(str(error)) from error
    return recall_thread_tool(memory.store, clock, memory.embedder, "recall_thread")


def read_original(folder: str | None, session: str, handle: str) -> bytes:
    """Return an original of a folder's project, or of a session, by its handle.

    Raises:
        Refusal: it is no folder, or they have none of that name.
        ArchiveError: it cannot be read.
    """
    try:
        return open_archive(str(open_workspace(folder).root), session).get(handle)
    except HandleError as error:
        raise Refusal(f"{error} (--workspace DIR or --session ID says whose it is)") from error


def original_texts(root: Path, session: str) -> Callable[[str], str]:
    """Return what gives an original of a folder's project, or of a session, by its handle, as people read it.

    It raises UnknownHandleError where they have none of that name.
    """
    archive = open_archive(str(root), session)

    def original_text(handle: str) -> str:
        try:
            return message_text(read_json(archive.get(handle)))
        except CondenseFailure as error:
            raise UnknownHandleError(str(error)) from error

    return original_text


def clock() -> float:
    """Tell the time, seconds since 1970 UTC."""
    return time.time()
