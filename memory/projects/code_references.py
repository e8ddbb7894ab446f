"""Files of a project that a memory speaks of: by path, by the symbols it names, by the words it shares."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from memory.extraction import files_in, symbols_in
from memory.projects.recommending import is_same_file
from memory.search import KeywordIndex, asked_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memory.entries import MemoryEntry

MOST_FILES: Final = 5000
"""Files of a project that are looked at (chosen: bounds the cost in huge trees)."""

LARGEST: Final = 400_000
"""Bytes of a file that is still read (chosen: beyond is data)."""

CHUNK_LINES: Final = 60
"""Lines that are compared at once (chosen: about a screen)."""

MOST_CHUNKS: Final = 400
"""Chunks that are read closely, those with the most shared words (chosen)."""

LEAST_SHARED: Final = 0.15
"""Score that a chunk must have (chosen; long texts score lower than clauses)."""

LEAST_NAMED: Final = 0.49
"""Score of chunks at most: below that of files that are named (chosen)."""

_SKIPPED_NAMES: Final = """
.git .hg .svn node_modules .venv venv __pycache__ dist build target .next .mypy_cache .pytest_cache .tox
.ruff_cache vendor coverage .idea .vscode
"""
_SKIPPED: Final = frozenset(_SKIPPED_NAMES.split())
_CODE_NAMES: Final = """
.py .pyi .js .jsx .ts .tsx .mjs .cjs .vue .svelte .go .rs .java .kt .kts .scala .c .h .cc .cpp .hpp .cs
.swift .m .rb .php .lua .dart .ex .exs .erl .hs .ml .sql .sh .bash .ps1 .css .scss .less .html .md .toml
.yaml .yml .json .ini .cfg .env.example .tf .proto .graphql .gradle .xml .sol .r .jl
"""
_CODE: Final = frozenset(_CODE_NAMES.split())


@dataclass(frozen=True, slots=True)
class RelatedCode:
    """A place in a project that a memory speaks of.

    Attributes:
        path: relative to the project's root, with slashes.
        line: 1-based; 1 where the whole file is meant.
        reason: "path", "symbol", "text" or "meaning".
        score: 0 to 1.
        matched: the path, the symbols or the words.
    """

    path: str
    line: int
    reason: str
    score: float
    matched: tuple[str, ...]


def related_code(
    entry: MemoryEntry,
    root: Path | str,
    *,
    limit: int = 10,
    closeness: Callable[[str, Sequence[str]], Sequence[float]] | None = None,
) -> tuple[RelatedCode, ...]:
    """Return the places that a memory speaks of, the surest first: named paths, named symbols, shared words.

    Reads the project's source files; links and hidden folders are not followed, nothing outside `root` is read.
    About a second for a few thousand files.

    Args:
        entry: the memory.
        root: the project's folder.
        limit: at most so many.
        closeness: similarity in meaning, 0 to 1, of a text to each of several others, where there is an embedder;
            it ranks the chunks that share words.
    """
    base = Path(root)
    named = tuple(dict.fromkeys((*entry.related_files, *files_in(entry.content))))
    symbols = tuple(dict.fromkeys(symbols_in(entry.content)))
    found: dict[str, RelatedCode] = {}
    chunks: list[_Chunk] = []
    wanted = _wanted(entry.content)
    for path in source_files(base):
        mine = [name for name in named if is_same_file(name, path)]
        if mine:
            found[path] = RelatedCode(path, 1, "path", 1.0, tuple(mine))
            continue
        text = _read(base / path)
        said = [symbol for symbol in symbols if symbol in text]
        if said:
            at = next((n for n, line in enumerate(text.splitlines(), 1) if said[0] in line), 1)
            found[path] = RelatedCode(path, at, "symbol", 0.5 + len(said) / len(symbols) * 0.4, tuple(said))
        else:
            chunks += _chunks(path, text, wanted)
    for one in _by_words(entry.content, chunks, closeness):
        if one.path not in found:
            found[one.path] = one
    ranked = sorted(found.values(), key=lambda one: (-one.score, one.path))
    return tuple(ranked[: max(0, limit)])


class _Chunk(NamedTuple):
    """Some lines of a file, and how many of the memory's words may stand in them."""

    shared: int
    path: str
    line: int
    text: str


def _wanted(text: str) -> tuple[str, ...]:
    """Return what the words of a memory begin with, for a quick look."""
    return tuple(one.term for one in asked_by(text) if len(one.term) > 2 or one.is_gram)  # noqa: PLR2004  # shorter ones are everywhere


def _chunks(path: str, text: str, wanted: tuple[str, ...]) -> list[_Chunk]:
    """Return the chunks of a file that share at least two words with the memory, path included."""
    least = min(2, len(wanted))
    if not least or sum(word in text.lower() for word in wanted) < least - 1:
        return []
    lines = text.splitlines()
    found: list[_Chunk] = []
    for start in range(0, len(lines), CHUNK_LINES):
        chunk = f"{path}\n" + "\n".join(lines[start : start + CHUNK_LINES])
        lower = chunk.lower()
        shared = sum(word in lower for word in wanted)
        if shared >= least:
            found.append(_Chunk(shared, path, start + 1, chunk))
    return found


def _by_words(
    text: str, chunks: list[_Chunk], closeness: Callable[[str, Sequence[str]], Sequence[float]] | None
) -> list[RelatedCode]:
    """Rank chunks by the words they share with a text, or by closeness in meaning."""
    chunks = sorted(chunks, key=lambda chunk: -chunk.shared)[:MOST_CHUNKS]
    index = KeywordIndex()
    for row, chunk in enumerate(chunks):
        index.add(row, chunk.text)
    hits = [(chunks[row], score, words) for row, score, words in index.search(asked_by(text))]
    if closeness is not None and hits:
        near = closeness(text, [chunk.text for chunk, _, _ in hits])
        hits = [(chunk, float(score), words) for (chunk, _, words), score in zip(hits, near, strict=True)]
        hits.sort(key=lambda hit: -hit[1])
    reason = "text" if closeness is None else "meaning"
    return [
        RelatedCode(chunk.path, chunk.line, reason, min(LEAST_NAMED, score), words)
        for chunk, score, words in hits
        if score >= LEAST_SHARED
    ]


def source_files(root: Path) -> Iterator[str]:
    """Yield the paths of a project's source files relative to its root, at most `MOST_FILES`, in a fixed order."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        for name in sorted(names):
            place = Path(folder, name)
            if place.suffix.lower() not in _CODE or place.is_symlink():
                continue
            yield place.relative_to(root).as_posix()
            count += 1
            if count >= MOST_FILES:
                return


def _read(place: Path) -> str:
    try:
        if place.stat().st_size > LARGEST:
            return ""
        content = place.read_bytes()
    except OSError:
        return ""
    return "" if b"\0" in content else content.decode("utf-8", "replace")
