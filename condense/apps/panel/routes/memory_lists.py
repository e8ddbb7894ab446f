"""Memories and projects, to be looked through."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field

from condense.apps.panel import shapes
from condense.apps.panel.asking import Answer, Asked, Endpoint, Problem, Wanted
from condense.apps.panel.reading import source_of
from condense.apps.panel.values import counts_of, memory_of, memory_tag, offset_of, paged, time_of
from memory.entries import MemoryFilter, MemoryPriority, MemoryScope, MemoryStatus, MemoryType
from memory.stores import Browsing

if TYPE_CHECKING:
    from condense.apps.panel.state import Panel
    from memory.entries import SearchHit, StoredMemory

MOST_HITS: Final = 500
"""Memories that a search finds at most; who looks further asks otherwise."""
SHOWN: Final = (MemoryStatus.PENDING, MemoryStatus.PERSISTED, MemoryStatus.SUPERSEDED)


def _listed(value: object) -> object:
    return tuple(filter(None, value.split(","))) if isinstance(value, str) else value


Limit = Annotated[int, Field(ge=1, le=500, description="Items at most.")]
Cursor = Annotated[str | None, Field(pattern=r"^\d{1,9}$", description="`next` of the page before.", max_length=9)]
ProjectKey = Annotated[
    str | None,
    Field(
        description="Key of a project; empty for all; left out for that of the panel's folder.",
        max_length=200,
    ),
]


class InProject(Wanted):
    """A project."""

    project: ProjectKey = None


class MemoriesWanted(InProject):
    """Which memories."""

    status: Annotated[tuple[MemoryStatus, ...], BeforeValidator(_listed)] = Field(
        (), description="States, parted by commas; empty or left out: all but forgotten."
    )
    type: Annotated[tuple[MemoryType, ...], BeforeValidator(_listed)] = ()
    priority: Annotated[tuple[MemoryPriority, ...], BeforeValidator(_listed)] = ()
    pinned: bool | None = None
    q: Annotated[str, Field(max_length=2000, description="Words or a question to search by.")] = ""
    sort: Literal["relevance", "newest", "priority", "used"] | None = None
    limit: Limit = 50
    cursor: Cursor = None


def projects(panel: Panel, _: Asked) -> Any:
    """List the projects that anything was kept of, and the panel's own."""
    own = panel.project
    rows = panel.project_rows()
    if own is not None and own.key not in {row[0] for row in rows}:
        rows.append((own.key, 0, 0, 0.0))
    items = []
    for key, memories, pending, updated in rows:
        name, path = panel.place_of(key)
        items.append(
            {
                "key": key,
                "name": name,
                "path": path,
                "memories": memories,
                "pending": pending,
                "updated_at": time_of(updated),
            }
        )
    return paged(items, len(items))


def memories(panel: Panel, asked: Asked) -> Any:
    """List memories, or search them."""
    wanted: MemoriesWanted = asked.query
    key = panel.key_of(wanted.project)
    tally = panel.tally(key)
    statuses = wanted.status or SHOWN
    picked = {"status": statuses, "type": wanted.type, "priority": wanted.priority}
    facets = {}
    for at, name in enumerate(picked):
        others = {k: v for k, v in enumerate(picked.values()) if v and k != at}
        held = {
            kinds: number
            for kinds, number in tally.items()
            if all(kinds[k] in choices for k, choices in others.items()) and wanted.pinned in (None, kinds[3])
        }
        facets[name] = counts_of(held, at)
    offset = offset_of(wanted.cursor)
    if wanted.q.strip():
        found = _found(panel, key, wanted)
        items = [
            {**memory_of(hit.memory), "score": round(hit.score, 4), "matched": list(hit.matched)}
            for hit in found[offset : offset + wanted.limit]
        ]
        return paged(items, len(found), offset) | {"facets": facets}
    looked_at = Browsing(key, statuses, wanted.type, wanted.priority, wanted.pinned)
    order = wanted.sort if wanted.sort not in (None, "relevance") else "newest"
    page = panel.store.page(looked_at, order, limit=wanted.limit, offset=offset)
    total = sum(facets["status"].get(status.value, 0) for status in statuses)
    return paged(map(memory_of, page), total, offset) | {"facets": facets}


def _found(panel: Panel, key: str, wanted: MemoriesWanted) -> list[SearchHit]:
    keys = [key] if key else [row[0] for row in panel.project_rows() if row[1]]
    hits: list[SearchHit] = []
    for one in keys:
        looked_at = MemoryFilter(
            one,
            scope=MemoryScope.PROJECT,
            types=wanted.type,
            priorities=wanted.priority,
            statuses=wanted.status or SHOWN,
            pinned=wanted.pinned,
        )
        hits += panel.searched.search(wanted.q, looked_at, MOST_HITS)
    orders = {
        "newest": lambda hit: -hit.memory.entry.created_at,
        "priority": lambda hit: (-hit.memory.pinned, -hit.memory.entry.priority.rank),
        "used": lambda hit: -hit.memory.entry.access_count,
    }
    return sorted(hits, key=orders.get(wanted.sort or "", lambda hit: -hit.score))


def known_memory(panel: Panel, project: str | None, name: str) -> StoredMemory:
    """Return one memory by its id; one that only its task sees, too, for others may have taken its place.

    Raises:
        Problem: there is none.
    """
    key = panel.key_of(project)
    for one in [key] if key else [row[0] for row in panel.project_rows()]:
        found = panel.store.get(one, name)
        if found is not None:
            return found
    raise Problem(404, "no_memory", "id", id=name)


def memory(panel: Panel, asked: Asked) -> Any:
    """Give one memory: where it was said, what it replaced, where it was used."""
    stored = known_memory(panel, asked.query.project, asked.path["id"])
    heir = stored.entry.superseded_by
    replaced = [panel.store.get(stored.project, name) for name in stored.entry.supersedes]
    later = panel.store.get(stored.project, heir) if heir else None
    shown = memory_of(stored)
    value = {
        **shown,
        "source": source_of(panel.sessions, stored.entry, asked.language),
        "used_in": panel.uses_of(stored),
        "supersedes_items": [memory_of(one) for one in replaced if one is not None],
        "superseded_by_item": memory_of(later) if later else None,
    }
    return Answer(value, headers={"etag": memory_tag(stored)})


EXAMPLE: Final = {
    "id": "m_5d41402abc4b2a76",
    "project": "p_0123456789abcdef",
    "task": "0b9f7f0e-7d5c-4b2b-9d62-3f8e5d6a1c11",
    "type": "user_instruction",
    "priority": "critical",
    "status": "pending",
    "content": "never touch the tests directory",
    "standing": True,
    "explicit": False,
    "pinned": False,
    "confidence": 0.93,
    "created_at": "2025-05-01T10:00:00.000Z",
    "accessed_at": "2025-05-01T10:00:00.000Z",
    "access_count": 1,
    "tags": ["never"],
    "files": ["tests"],
    "technologies": [],
    "slots": [],
    "superseded_by": None,
    "supersedes": [],
    "overtaken": [],
    "sightings": [],
}

ENDPOINTS: Final = (
    Endpoint(
        "GET",
        "/api/v1/projects",
        "Projects that anything is remembered of",
        projects,
        shapes.Listed[shapes.Project],
        example={
            "items": [
                {
                    "key": "p_0123456789abcdef",
                    "name": "shop",
                    "path": "/home/you/shop",
                    "memories": 12,
                    "pending": 3,
                    "updated_at": "2025-05-01T10:00:00.000Z",
                }
            ],
            "total": 1,
            "next": None,
        },
    ),
    Endpoint(
        "GET",
        "/api/v1/memories",
        "Memories: listed, or with `q` found by words and meaning",
        memories,
        shapes.Memories,
        query=MemoriesWanted,
        example={
            "items": [EXAMPLE],
            "total": 1,
            "next": None,
            "facets": {
                "status": {"pending": 1},
                "type": {"user_instruction": 1},
                "priority": {"critical": 1},
            },
        },
    ),
    Endpoint(
        "GET",
        "/api/v1/memories/{id}",
        "One memory, with its source",
        memory,
        shapes.WholeMemory,
        query=InProject,
        example={
            **EXAMPLE,
            "source": {
                "task": EXAMPLE["task"],
                "session": "c2Vzc2lvbg==",
                "session_path": "/home/you/.claude/projects/-home-you-shop/0b9f7f0e.jsonl",
                "message_index": 4,
                "text": "Please never touch the tests directory.",
                "start": 7,
                "end": 38,
                "heads": [],
                "why": None,
            },
            "used_in": [],
            "supersedes_items": [],
            "superseded_by_item": None,
        },
    ),
)
