"""Which memories of a project matter for what is being worked on, and why."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import log2
from typing import TYPE_CHECKING, Final

from memory.entries import MemoryPriority
from memory.projects.code_references import is_same_file

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memory.entries import SearchHit, StoredMemory

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
