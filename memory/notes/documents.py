"""Search in a person's Markdown memory: MEMORY.md and memory/*.md, by words and, with an embedder, by meaning.

Two steps, as in OpenClaw's documented memory tool: `search` gives places and snippets, `get` the exact lines.
Citations and the clamp are those of that tool, too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from memory.errors import DocumentError
from memory.notes.chunking import Chunk, split_chunks
from memory.notes.document_files import DocumentFolder
from memory.search import HybridIndex

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from memory.search import Embedder

DEFAULT_RESULTS: Final = 5
"""Passages that a search returns (as in the documented example)."""

SNIPPET_SIZE: Final = 700
"""Characters of a snippet (taken from OpenClaw)."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A place that a search found: lines of a document, 1-based, both included, and the beginning of their text.

    `path` is relative to the memory folder; `score` 0 to 1: by words, the share of the question's weight that it
    matches; with vectors, see `memory.search`.
    """

    path: str
    start_line: int
    end_line: int
    snippet: str
    score: float


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Exact lines of a document, joined by line feeds; "" and an `end_line` of `start_line - 1` beyond its end."""

    path: str
    text: str
    start_line: int
    end_line: int


class Documents:
    """The memory documents (MEMORY.md and memory/) of one folder, indexed in memory; only what changed is read again.

    Without an embedder words alone decide; one that fails is left out of that search. `problems` says why documents
    cannot be searched, by path, as of the latest search. Indexing costs about 0.2 ms a passage, and the embedder's time
    for those that are new.
    """

    def __init__(self, root: Path | str, *, embedder: Embedder | None = None) -> None:
        self.folder = DocumentFolder(root)
        self.problems: dict[str, str] = {}
        self._index = HybridIndex(embedder)
        self._stamps: dict[str, object] = {}
        self._chunks: dict[int, tuple[str, Chunk]] = {}
        self._following = 0

    @property
    def embedder_error(self) -> str:
        """Why the embedder failed in the latest search; "" where it did not."""
        return self._index.embedder_error

    def search(self, query: str, max_results: int = DEFAULT_RESULTS) -> tuple[Passage, ...]:
        """Return the passages that answer a question best, best first; documents that changed are read first.

        Raises `ValueError` where `max_results` is below 1.
        """
        if max_results < 1:
            raise ValueError(f"max_results is {max_results!r}; it should be 1 or more")
        self.refresh()
        found: list[Passage] = []
        for row, score in self._index.search(query)[:max_results]:
            path, chunk = self._chunks[row]
            snippet = chunk.text[:SNIPPET_SIZE]
            found += [Passage(path, chunk.start, chunk.end, snippet, round(score, 4))] if score > 0 else []
        return tuple(found)

    def get(self, path: str, start: int = 1, lines: int | None = None) -> Excerpt:
        """Return exact lines of a document: at most `lines` from `start` (1-based) on, all of them when left out.

        Raises `DocumentError` where the path names no memory document, `ValueError` for numbers below 1.
        """
        for name, value in (("from", start), ("lines", lines)):
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value!r}; it should be 1 or more")
        known = self.folder.read(path)
        wanted = known[start - 1 : None if lines is None else start - 1 + lines]
        return Excerpt(path, "\n".join(wanted), start, start - 1 + len(wanted))

    def refresh(self) -> tuple[str, ...]:
        """Read what changed since the last time; return the paths of these documents."""
        present = {path: self.folder.stamp(path) for path in self.folder.paths()}
        changed = [
            path for path in {**self._stamps, **present} if present.get(path) != self._stamps.get(path)
        ]
        for row in [row for row, (path, _) in self._chunks.items() if path in changed]:
            self._index.remove(row)
            del self._chunks[row]
        for path in changed:
            self.problems.pop(path, None)
            if path in present:
                self._take(path)
        self._stamps = {path: stamp for path, stamp in present.items() if stamp is not None}
        return tuple(changed)

    def _take(self, path: str) -> None:
        try:
            lines = self.folder.read(path)
        except DocumentError as error:
            self.problems[path] = str(error)
            return
        for chunk in split_chunks(lines):
            self._following += 1
            self._chunks[self._following] = (path, chunk)
            self._index.add(self._following, chunk.searchable)


class CitationMode(StrEnum):
    """When results say where they stand: always, never, or in direct chats only."""

    ON = "on"
    OFF = "off"
    AUTO = "auto"


def citation_of(passage: Passage) -> str:
    """Return where a passage stands: "MEMORY.md#L42-L48", or "MEMORY.md#L42" for one line."""
    first = f"{passage.path}#L{passage.start_line}"
    return first if passage.end_line == passage.start_line else f"{first}-L{passage.end_line}"


def cites(mode: CitationMode | str, session_key: str = "") -> bool:
    """Tell whether results are cited in a chat: a part "group" or "channel" of its session's key says it isn't direct.

    Raises `ValueError` where there is no such mode.
    """
    direct = {"group", "channel"}.isdisjoint(re.split(r"[:/]", session_key.casefold()))
    return CitationMode(mode) is CitationMode.ON or (CitationMode(mode) is CitationMode.AUTO and direct)


def clamped(
    passages: Iterable[Passage], max_injected_chars: int | None, *, cited: bool = False
) -> tuple[Passage, ...]:
    """Return the first passages (best first) whose snippets fit, the last one cut; None is no limit.

    Where they are cited, snippets end with "Source: MEMORY.md#L42-L48". Raises `ValueError` for a negative limit.
    """
    if max_injected_chars is not None and max_injected_chars < 0:
        raise ValueError(f"max_injected_chars is {max_injected_chars!r}; it should be 0 or more, or None")
    left = max_injected_chars
    kept: list[Passage] = []
    for passage in passages:
        snippet = passage.snippet
        if cited:
            snippet = f"{snippet.strip()}\n\nSource: {citation_of(passage)}"
        if left is None or left > 0:
            kept.append(replace(passage, snippet=snippet[:left]))
            left = None if left is None else left - len(snippet)
    return tuple(kept)
