"""Search in a person's Markdown memory: MEMORY.md and memory/*.md, by words and, with an embedder, by meaning.

Two steps, as in OpenClaw's documented memory tool: `search` gives places and snippets, `get` the exact lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from memory.errors import DocumentError
from memory.notes.chunking import Chunk, split_chunks
from memory.notes.document_files import DocumentFolder, Stamp
from memory.search import HybridIndex

if TYPE_CHECKING:
    from pathlib import Path

    from memory.search import Embedder

DEFAULT_RESULTS: Final = 5
"""Passages that a search returns (as in the documented example)."""

SNIPPET_SIZE: Final = 700
"""Characters of a snippet (taken from OpenClaw)."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A place that a search found.

    Attributes:
        path: the document, relative to the memory folder.
        start_line, end_line: 1-based, both included.
        snippet: the lines' text, at most `SNIPPET_SIZE` characters.
        score: 0 to 1; by words, the share of the question's weight that it matches; `rank_fusion` with vectors.
    """

    path: str
    start_line: int
    end_line: int
    snippet: str
    score: float


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Exact lines of a document.

    Attributes:
        path: as it was asked for.
        text: the lines, joined by line feeds; "" where the document ends before them.
        start_line, end_line: what `text` covers; `end_line` is `start_line - 1` for none.
    """

    path: str
    text: str
    start_line: int
    end_line: int


@dataclass(slots=True)
class _Indexed:
    """What is known of one document: its state, its chunks by number, why it cannot be read."""

    stamp: Stamp | None
    chunks: dict[int, Chunk] = field(default_factory=dict)
    problem: str = ""


class Documents:
    """The memory documents of one folder, indexed in memory; only what changed is read again.

    Args:
        root: the folder that holds MEMORY.md and memory/.
        embedder: for search by meaning; without one, words alone decide. One that fails is left out of that search.

    Attributes:
        folder: the files.

    Indexing costs about 0.2 ms a passage, and the embedder's time for those that are new; for searching see
    `memory.search.hybrid`.
    """

    def __init__(self, root: Path | str, *, embedder: Embedder | None = None) -> None:
        self.folder = DocumentFolder(root)
        self._index = HybridIndex(embedder)
        self._known: dict[str, _Indexed] = {}
        self._where: dict[int, str] = {}
        self._following = 0

    @property
    def embedder_error(self) -> str:
        """Why the embedder failed in the latest search; "" where it did not."""
        return self._index.embedder_error

    def search(self, query: str, max_results: int = DEFAULT_RESULTS) -> tuple[Passage, ...]:
        """Return the passages that answer a question best, best first; documents that changed are read first.

        Raises:
            ValueError: `max_results` is below 1.
        """
        if max_results < 1:
            raise ValueError(f"max_results is {max_results!r}; it should be 1 or more")
        self.refresh()
        ranked = self._index.search(query)
        return tuple(self._passage(row, score) for row, score in ranked[:max_results] if score > 0)

    def get(self, path: str, start: int = 1, lines: int | None = None) -> Excerpt:
        """Return exact lines of a document.

        Args:
            path: "MEMORY.md" or "memory/NAME.md".
            start: the first line, 1-based.
            lines: how many at most; all up to the end when left out.

        Raises:
            DocumentError: the path names no memory document.
            ValueError: `start` or `lines` is below 1.
        """
        for name, value in (("from", start), ("lines", lines)):
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value!r}; it should be 1 or more")
        known = self.folder.read(path)
        wanted = known[start - 1 : None if lines is None else start - 1 + lines]
        return Excerpt(path, "\n".join(wanted), start, start - 1 + len(wanted))

    def refresh(self) -> tuple[str, ...]:
        """Read what changed since the last time; return the paths of these documents."""
        present = self.folder.paths()
        changed = []
        for path in [*self._known, *present]:
            stamp = self.folder.stamp(path) if path in present else None
            known = self._known.get(path)
            if known is not None and stamp == known.stamp:
                continue
            changed.append(path)
            self._drop(path)
            if stamp is not None:
                self._take(path, stamp)
        return tuple(dict.fromkeys(changed))

    def problems(self) -> dict[str, str]:
        """Return the documents that cannot be searched, and why."""
        self.refresh()
        return {path: known.problem for path, known in self._known.items() if known.problem}

    # ---- inside

    def _drop(self, path: str) -> None:
        known = self._known.pop(path, None)
        for row in known.chunks if known else ():
            self._index.remove(row)
            del self._where[row]

    def _take(self, path: str, stamp: Stamp) -> None:
        known = self._known[path] = _Indexed(stamp)
        try:
            lines = self.folder.read(path)
        except DocumentError as error:
            known.problem = str(error)
            return
        for chunk in split_chunks(lines):
            row = self._following
            self._following += 1
            known.chunks[row] = chunk
            self._where[row] = path
            self._index.add(row, chunk.searchable)

    def _passage(self, row: int, score: float) -> Passage:
        path = self._where[row]
        chunk = self._known[path].chunks[row]
        return Passage(path, chunk.start, chunk.end, chunk.text[:SNIPPET_SIZE], round(score, 4))
