"""Search in a person's Markdown memory: MEMORY.md and memory/*.md, by words and, with an embedder, by meaning.

As in OpenClaw's documented memory tool, `search` gives places and snippets, `get` the exact lines. Paths come from a
model, so they are not trusted: what leads out of the folder or is no plain Markdown file is refused.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memory.errors import DocumentError
from memory.search import HybridIndex

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memory.search import Embedder

DEFAULT_RESULTS: Final = 5
SNIPPET_SIZE: Final = 700
"""Passages that a search returns, and characters of a snippet (both as in OpenClaw's documented example)."""
MAIN: Final = "MEMORY.md"
FOLDER: Final = "memory"
MOST_BYTES: Final = 8_000_000  # bytes of a document that is read (chosen: a thousand times a usual one)
_LISTED: Final = re.compile(r"(?:MEMORY\.md|memory/[^/\\\x00]{1,250}\.md)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of a document (relative `path`; 1-based, both included) that a search found, and how their text begins.

    `score` is 0 to 1: the share of the question's weight that its words match; with vectors, see `memory.search`.
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

    Without an embedder, or where it fails, words alone decide. `problems` says by path why documents cannot be
    searched.
    """

    def __init__(self, root: Path | str, *, embedder: Embedder | None = None) -> None:
        self.root = Path(root)
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
        """Return at most `max_results` (1 or more, else `ValueError`) passages, best first, of the present texts."""
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

        `DocumentError` where the path names no memory document, `ValueError` for numbers below 1.
        """
        for name, value in (("from", start), ("lines", lines)):
            if value is not None and value < 1:
                raise ValueError(f"{name} is {value!r}; it should be 1 or more")
        known = self.read(path)
        wanted = known[start - 1 : None if lines is None else start - 1 + lines]
        return Excerpt(path, "\n".join(wanted), start, start - 1 + len(wanted))

    def refresh(self) -> tuple[str, ...]:
        """Read what changed since the last time; return the paths of these documents."""
        present = {path: self.stamp(path) for path in self.paths()}
        changed = [path for path in {**self._stamps, **present} if present.get(path) != self._stamps.get(path)]
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
            lines = self.read(path)
        except DocumentError as error:
            self.problems[path] = str(error)
            return
        for chunk in split_chunks(lines):
            self._following += 1
            self._chunks[self._following] = (path, chunk)
            self._index.add(self._following, chunk.searchable)

    def paths(self) -> tuple[str, ...]:
        """Return the relative paths of documents that may be read: MEMORY.md first, then by name."""
        try:
            names = sorted(place.name for place in (self.root / FOLDER).iterdir() if place.name[0] != ".")
        except OSError:
            names = []
        found = [MAIN, *(f"{FOLDER}/{name}" for name in names if name.casefold().endswith(".md"))]
        return tuple(path for path in found if self._place(path) is not None)

    def stamp(self, path: str) -> tuple[int, int, int] | None:
        """Return what tells a state of one of `paths` from others: inode, size, time; None where it is gone."""
        try:
            found = (self.root / path).stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def read(self, path: str) -> tuple[str, ...]:
        """Return a document's lines ("MEMORY.md" or "memory/NAME.md", relative to the root), without line ends.

        `DocumentError` where it is anything else, leads out of the folder, does not exist, or is no text.
        """
        plain = path.removeprefix("./")
        if not _LISTED.fullmatch(plain):
            raise DocumentError(
                f"{path!r} is no memory document; it should be 'MEMORY.md' or 'memory/NAME.md', "
                "as memory_search gives it"
            )
        place = self._place(plain)
        if place is None:
            raise DocumentError(f"{path!r} is not there, or leads out of the memory folder by a link")
        try:
            text = _content(path, place).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            where = f"{error.reason} at byte {error.start}"
            raise DocumentError(f"{path!r} is no text in UTF-8 ({where})") from error
        if "\0" in text:
            raise DocumentError(f"{path!r} is a binary file; memory documents are text")
        return tuple(line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")) if text else ()

    def _place(self, path: str) -> Path | None:
        """Return the file that a listed path names, links followed; None where it lies outside or is no file."""
        root = Path(os.path.realpath(self.root))
        place = Path(os.path.realpath(root / path))
        inside = place.relative_to(root).as_posix() if place.is_relative_to(root) else ""
        return place if _LISTED.fullmatch(inside) and place.is_file() else None


def _content(path: str, place: Path) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with os.fdopen(os.open(place, flags), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise DocumentError(f"{path!r} is no plain file; memory documents are")
            if found.st_size > MOST_BYTES:
                raise DocumentError(f"{path!r} has {found.st_size} bytes; at most {MOST_BYTES} are read")
            return file.read(MOST_BYTES)
    except OSError as error:
        raise DocumentError(f"{path!r} cannot be read: {error.strerror or error}") from error


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
    """Tell whether results are cited in a chat; "group" or "channel" in its session's key says that it isn't direct."""
    direct = {"group", "channel"}.isdisjoint(re.split(r"[:/]", session_key.casefold()))
    return CitationMode(mode) is CitationMode.ON or (CitationMode(mode) is CitationMode.AUTO and direct)


def clamped(
    passages: Iterable[Passage], max_injected_chars: int | None, *, cited: bool = False
) -> tuple[Passage, ...]:
    """Return the first passages (best first) whose snippets fit, the last one cut; None is no limit.

    Where they are cited, snippets end with "Source: MEMORY.md#L42-L48". `ValueError` for a negative limit.
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


WANTED_SIZE: Final = 600
MOST_SIZE: Final = 1500
"""Characters up to which paragraphs of one section are put together, and after which a paragraph or a code block is
parted between lines (chosen: small models read 256 to 512 tokens)."""
_HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s{1,8}(.{1,300})")
_FENCE: Final = re.compile(r"\s{0,3}(`{3,20}|~{3,20})")
_MEMORY: Final = re.compile(r"\s{0,8}\d{4}-\d{2}-\d{2}\s{0,8}\|[^|]{0,200}\|")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of lines of one document: `start` to `end`, 1-based, both included; neither is blank.

    `headings` are those it stands under, outermost first (its own first line may be the last of them).
    """

    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()

    @property
    def searchable(self) -> str:
        """The text under its headings, as it is indexed."""
        above = [title for title in self.headings if title not in self.text]
        return "\n".join((*above, self.text))


def split_chunks(lines: Sequence[str]) -> tuple[Chunk, ...]:
    """Return the chunks of a document, in order; every line that is not blank is in exactly one. Linear time.

    Paragraphs of a section are put together while they are small; a memory line (`date|source|items`) stands alone.
    """
    found: list[Chunk] = []
    titles: list[tuple[int, str]] = []
    first, last = 0, -1  # lines of the run that is being put together; none yet
    for start, end in _blocks(lines):
        heading = _HEADING.match(lines[start])
        alone = _MEMORY.match(lines[start]) or (last >= first and _MEMORY.match(lines[last]))
        if heading or alone or sum(len(line) + 1 for line in lines[first : end + 1]) > WANTED_SIZE:
            found += _chunks(lines, first, last, titles)
            first = start
        if heading:
            depth = len(heading[1])
            titles = [(d, t) for d, t in titles if d < depth]
            titles.append((depth, heading[2].strip().rstrip("#").strip()))
        last = end
    found += _chunks(lines, first, last, titles)
    return tuple(found)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    start: int | None = None
    fence = ""
    for at, line in enumerate(lines):
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                yield start if start is not None else at, at
                start, fence = None, ""
            continue
        mark = _FENCE.match(line)
        alone = _HEADING.match(line) or _MEMORY.match(line)
        if start is not None and (mark or alone or not line.strip()):
            yield start, at - 1
            start = None
        if alone:
            yield at, at
        elif line.strip() and start is None:
            start = at
        fence = mark[1] if mark else ""
    if start is not None:
        yield start, len(lines) - 1


def _chunks(lines: Sequence[str], start: int, last: int, titles: list[tuple[int, str]]) -> Iterator[Chunk]:
    size = 0
    for at in range(start, last + 1):
        size += len(lines[at]) + 1
        if at == last or size + len(lines[at + 1]) > MOST_SIZE:
            spoken = [number for number in range(start, at + 1) if lines[number].strip()]
            if spoken:
                text = "\n".join(lines[spoken[0] : spoken[-1] + 1])
                yield Chunk(spoken[0] + 1, spoken[-1] + 1, text, tuple(title for _, title in titles))
            start, size = at + 1, 0
