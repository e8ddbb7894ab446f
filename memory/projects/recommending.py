"""Which memories of a project matter for what is being worked on, and why."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, Final

from memory.entries import MemoryPriority
from memory.projects.recalling import LEAST_RELEVANT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.entries import SearchHit, StoredMemory

SAME_FILE: Final = 3.0
SAME_FOLDER: Final = 1.0
SAME_TECHNOLOGY: Final = 1.5
SAME_WORDS: Final = 3.0
PINNED: Final = 2.0
PRIORITY: Final = {
    MemoryPriority.CRITICAL: 1.5,
    MemoryPriority.HIGH: 0.75,
    MemoryPriority.MEDIUM: 0.25,
    MemoryPriority.LOW: 0.0,
}
MOST_USE: Final = 1.0
"""Weights of the reasons (chosen: what it is about decides, what it is worth breaks ties)."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What is being worked on.

    Attributes:
        files: paths, as the memories name them or longer.
        technologies: canonical names (`memory.extraction.technologies.recognising.technologies_in`).
    """

    files: tuple[str, ...] = ()
    technologies: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A memory that matters now.

    Attributes:
        memory: the memory.
        score: how much, above 0; comparable within one answer.
        reasons: why, the weightiest first: "speaks of src/app.py", "is about redis", "critical", ...
    """

    memory: StoredMemory
    score: float
    reasons: tuple[str, ...]


def recommend(
    memories: Iterable[StoredMemory],
    situation: Situation,
    hits: Iterable[SearchHit] = (),
    limit: int = 5,
) -> tuple[Recommendation, ...]:
    """Return the memories that have to do with a situation, the weightiest first, at most `limit`.

    Priority and use alone recommend nothing: a memory must share a file, a folder, a technology or words with the
    situation, or be pinned.

    Args:
        memories: candidates, the project's active ones.
        situation: what is being worked on.
        hits: what a search for the latest request found.
        limit: at most so many.
    """
    found = {hit.memory.id: hit for hit in hits if hit.score >= LEAST_RELEVANT}
    candidates = {memory.id: memory for memory in memories} | {
        name: hit.memory for name, hit in found.items()
    }
    scored: list[Recommendation] = []
    for name, memory in candidates.items():
        about = [*_of_files(memory, situation.files), *_of_technologies(memory, situation.technologies)]
        if name in found:
            words = ", ".join(found[name].matched) or "the meaning of the request"
            about.append((SAME_WORDS * found[name].score, f"matches {words}"))
        if memory.pinned:
            about.append((PINNED, "pinned"))
        if about:
            reasons = sorted([*about, *_of_worth(memory)], key=lambda reason: -reason[0])
            total = sum(weight for weight, _ in reasons)
            scored.append(Recommendation(memory, total, tuple(said for _, said in reasons)))
    scored.sort(key=lambda one: (-one.score, -one.memory.entry.last_accessed_at, one.memory.id))
    return tuple(scored[: max(0, limit)])


def is_same_file(one: str, other: str) -> bool:
    """Tell whether one path is the other or ends in it: "app.py" and "src/app.py" are, "map.py" and "p.py" aren't."""
    first, second = _plain(one), _plain(other)
    short, long = sorted((first, second), key=len)
    return bool(short) and (long == short or long.endswith("/" + short))


def _plain(path: str) -> str:
    return path.replace("\\", "/").removeprefix("./").strip("/")


def _of_files(memory: StoredMemory, files: tuple[str, ...]) -> list[tuple[float, str]]:
    said: dict[str, float] = {}
    for mine in memory.entry.related_files:
        folder = _plain(mine).rpartition("/")[0]
        for file in files:
            if is_same_file(mine, file):
                said[f"speaks of {file}"] = SAME_FILE
            elif folder and f"/{_plain(file)}".rpartition("/")[0].endswith(f"/{folder}"):
                said.setdefault(f"speaks of a file in {folder}", SAME_FOLDER)
    return [(weight, reason) for reason, weight in said.items()]


def _of_technologies(memory: StoredMemory, technologies: tuple[str, ...]) -> list[tuple[float, str]]:
    mine = {name.casefold() for name in memory.entry.related_tech}
    return [
        (SAME_TECHNOLOGY, f"is about {name}")
        for name in dict.fromkeys(technologies)
        if name.casefold() in mine
    ]


def _of_worth(memory: StoredMemory) -> list[tuple[float, str]]:
    entry = memory.entry
    found = []
    if PRIORITY[entry.priority]:
        found.append((PRIORITY[entry.priority], entry.priority.value))
    if entry.access_count > 1:
        found.append((min(MOST_USE, log2(entry.access_count) / 4), f"used {entry.access_count} times"))
    return found
