"""Which memories of a project matter for what is being worked on, and why; which of its files a memory speaks of."""

from __future__ import annotations

import os
from collections import defaultdict
from dataclasses import dataclass
from math import log2
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memory.entries import MemoryPriority
from memory.extraction import files_in, symbols_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memory.entries import MemoryEntry, SearchHit, StoredMemory

SAME_FILE, SAME_FOLDER, SAME_TECHNOLOGY, SAME_WORDS, PINNED, MOST_USE = 3.0, 1.0, 1.5, 3.0, 2.0, 1.0
PRIORITY: Final = {MemoryPriority.CRITICAL: 1.5, MemoryPriority.HIGH: 0.75, MemoryPriority.MEDIUM: 0.25}
"""Weights of the reasons (chosen: what it is about decides, what it is worth breaks ties)."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A memory that matters now, with its score and why, the weightiest first: "is about redis", "critical"."""

    memory: StoredMemory
    score: float
    reasons: tuple[str, ...]


def recommend(
    memories: Iterable[StoredMemory],
    *,
    files: Iterable[str] = (),
    technologies: Iterable[str] = (),
    hits: Iterable[SearchHit] = (),
    limit: int = 5,
) -> tuple[Recommendation, ...]:
    """Return the memories that have to do with a situation, the weightiest first, at most `limit`.

    A memory must share a file, a folder, a technology or words (`hits` of a search), or be pinned; priority and use
    alone recommend nothing.
    """
    reasons: defaultdict[str, dict[str, float]] = defaultdict(dict)
    known = {memory.id: memory for memory in memories}
    for hit in hits:
        known[hit.memory.id] = hit.memory
        words = ", ".join(hit.matched) or "the meaning of the request"
        reasons[hit.memory.id][f"matches {words}"] = SAME_WORDS * hit.score
    for name, memory in known.items():
        about, entry = reasons[name], memory.entry
        for file in files:
            for mine in entry.related_files:
                folder = mine.rpartition("/")[0]
                if is_same_file(mine, file):
                    about[f"speaks of {file}"] = SAME_FILE
                elif folder and f"/{file}".rpartition("/")[0].endswith(f"/{folder}"):
                    about.setdefault(f"speaks of a file in {folder}", SAME_FOLDER)
        techs = {tech.casefold() for tech in entry.related_tech}
        about |= {f"is about {tech}": SAME_TECHNOLOGY for tech in technologies if tech.casefold() in techs}
        if memory.pinned:
            about["pinned"] = PINNED
        if about and (worth := PRIORITY.get(entry.priority)):
            about[entry.priority.value] = worth
        if about and entry.access_count > 1:
            about[f"used {entry.access_count} times"] = min(MOST_USE, log2(entry.access_count) / 4)
    found = [
        Recommendation(known[name], sum(why.values()), tuple(sorted(why, key=lambda said: -why[said])))
        for name, why in reasons.items()
        if why
    ]
    return tuple(sorted(found, key=lambda one: (-one.score, one.memory.id))[: max(0, limit)])


MOST_FILES: Final = 5000
LARGEST: Final = 400_000
"""Files of a project that are looked at, and bytes of one that is still read (chosen: beyond is data)."""
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
    """A place in a project that a memory speaks of: `path` relative to the root, `line` 1-based (1 for the whole file).

    `reason` is "path" or "symbol"; `score` 0 to 1; `matched` the path or the symbols.
    """

    path: str
    line: int
    reason: str
    score: float
    matched: tuple[str, ...]


def related_code(entry: MemoryEntry, root: Path | str, *, limit: int = 10) -> tuple[RelatedCode, ...]:
    """Return the places that a memory speaks of, at most `limit`, the surest first: named paths, named symbols.

    Reads the source files of the project with this top folder; links and hidden folders are not followed.
    """
    named = tuple(dict.fromkeys((*entry.related_files, *files_in(entry.content))))
    symbols = tuple(dict.fromkeys(symbols_in(entry.content)))
    found: list[RelatedCode] = []
    for path in _source_files(Path(root)) if named or symbols else ():
        if mine := tuple(name for name in named if is_same_file(name, path)):
            found.append(RelatedCode(path, 1, "path", 1.0, mine))
            continue
        text = _read(Path(root, path)) if symbols else ""
        if said := tuple(symbol for symbol in symbols if symbol in text):
            at = text.count("\n", 0, text.index(said[0])) + 1
            found.append(RelatedCode(path, at, "symbol", 0.5 + len(said) / len(symbols) * 0.4, said))
    ranked = sorted(found, key=lambda one: (-one.score, one.path))
    return tuple(ranked[: max(0, limit)])


def is_same_file(one: str, other: str) -> bool:
    """Tell whether one path is the other or ends in it: "app.py" and "src/app.py" are, "map.py" and "p.py" aren't."""
    paths = (path.replace("\\", "/").removeprefix("./").strip("/") for path in (one, other))
    short, long = sorted(paths, key=len)
    return bool(short) and f"/{long}".endswith(f"/{short}")


def _source_files(root: Path) -> Iterator[str]:
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
