"""Files of a project that a memory speaks of: by path, by the symbols it names, by the words it shares."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memory.extraction import files_in, symbols_in
from memory.search import KeywordIndex, asked_by

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory.entries import MemoryEntry

MOST_FILES: Final = 5000
LARGEST: Final = 400_000
"""Files of a project that are looked at, and bytes of one that is still read (chosen: beyond is data)."""

CHUNK_LINES: Final = 60
MOST_CHUNKS: Final = 400
"""Lines that are compared at once, about a screen; chunks that are read closely, those with the most shared words."""

LEAST_SHARED: Final = 0.15
LEAST_NAMED: Final = 0.49
"""Scores of a chunk, at least and at most (chosen): below that of files that are named."""

_SKIPPED: Final = frozenset("node_modules venv __pycache__ dist build target vendor coverage".split())
"""Folders, besides hidden ones."""
_CODE: Final = frozenset(
    """
    .py .pyi .js .jsx .ts .tsx .mjs .cjs .vue .svelte .go .rs .java .kt .kts .scala .c .h .cc .cpp .hpp .cs
    .swift .m .rb .php .lua .dart .ex .exs .erl .hs .ml .sql .sh .bash .ps1 .css .scss .less .html .md .toml
    .yaml .yml .json .ini .cfg .env.example .tf .proto .graphql .gradle .xml .sol .r .jl
    """.split()
)


@dataclass(frozen=True, slots=True)
class RelatedCode:
    """A place in a project that a memory speaks of.

    Attributes:
        path: relative to the project's root, with slashes.
        line: 1-based; 1 where the whole file is meant.
        reason: "path", "symbol" or "text".
        score: 0 to 1.
        matched: the path, the symbols or the words.
    """

    path: str
    line: int
    reason: str
    score: float
    matched: tuple[str, ...]


def related_code(entry: MemoryEntry, root: Path | str, *, limit: int = 10) -> tuple[RelatedCode, ...]:
    """Return the places that a memory speaks of, the surest first: named paths, named symbols, shared words.

    Reads the project's source files; links and hidden folders are not followed, nothing outside `root` is read.
    About a second for a few thousand files.

    Args:
        entry: the memory.
        root: the project's folder.
        limit: at most so many.
    """
    named = tuple(dict.fromkeys((*entry.related_files, *files_in(entry.content))))
    symbols = tuple(dict.fromkeys(symbols_in(entry.content)))
    terms = asked_by(entry.content)
    wanted = [term.term for term in terms if len(term.term) > 2 or term.is_gram]  # noqa: PLR2004  # shorter ones are everywhere
    found: list[RelatedCode] = []
    chunks: list[tuple[int, str, int, str]] = []  # words that they may share; path, line, text
    for path in _source_files(Path(root)):
        if mine := tuple(name for name in named if is_same_file(name, path)):
            found.append(RelatedCode(path, 1, "path", 1.0, mine))
            continue
        text = _read(Path(root, path))
        lines = text.splitlines()
        if said := tuple(symbol for symbol in symbols if symbol in text):
            at = next((n for n, line in enumerate(lines, 1) if said[0] in line), 1)
            found.append(RelatedCode(path, at, "symbol", 0.5 + len(said) / len(symbols) * 0.4, said))
            continue
        for start in range(0, len(lines), CHUNK_LINES):
            chunk = f"{path}\n" + "\n".join(lines[start : start + CHUNK_LINES])
            lower = chunk.lower()
            shared = sum(word in lower for word in wanted)
            if shared and shared >= min(2, len(wanted)):
                chunks.append((shared, path, start + 1, chunk))
    chunks = sorted(chunks, key=lambda chunk: -chunk[0])[:MOST_CHUNKS]
    index = KeywordIndex()
    for row, (*_, text) in enumerate(chunks):
        index.add(row, text)
    best: dict[str, RelatedCode] = {}
    for row, score, words in index.search(terms):
        _, path, line, _ = chunks[row]
        if score >= LEAST_SHARED:
            best.setdefault(path, RelatedCode(path, line, "text", min(LEAST_NAMED, score), words))
    ranked = sorted((*found, *best.values()), key=lambda one: (-one.score, one.path))
    return tuple(ranked[: max(0, limit)])


def is_same_file(one: str, other: str) -> bool:
    """Tell whether one path is the other or ends in it: "app.py" and "src/app.py" are, "map.py" and "p.py" aren't."""
    paths = (path.replace("\\", "/").removeprefix("./").strip("/") for path in (one, other))
    short, long = sorted(paths, key=len)
    return bool(short) and f"/{long}".endswith(f"/{short}")


def _source_files(root: Path) -> Iterator[str]:
    """Yield the paths of a project's source files relative to its root, at most `MOST_FILES`, in a fixed order."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED and not name.startswith("."))
        for name in sorted(names):
            place = Path(folder, name)
            if place.suffix.lower() in _CODE and not place.is_symlink() and count < MOST_FILES:
                count += 1
                yield place.relative_to(root).as_posix()
        if count >= MOST_FILES:
            return


def _read(place: Path) -> str:
    try:
        content = place.read_bytes() if place.stat().st_size <= LARGEST else b""
    except OSError:
        return ""
    return "" if b"\0" in content else content.decode("utf-8", "replace")
