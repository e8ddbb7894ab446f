"""Memories, to be decided on: kept, sorted out, reworded, pinned, withdrawn, and each of these taken back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from pydantic import Field

from condense.apps.panel import shapes
from condense.apps.panel.asking import Answer, Asked, Endpoint, Problem, Wanted
from condense.apps.panel.routes.memory_lists import EXAMPLE, InProject, known_memory
from condense.apps.panel.undoing import Noting
from condense.apps.panel.values import memory_of, memory_tag
from memory import PersistentMemoryManager
from memory.entries import MemoryPriority, MemoryType  # noqa: TC001  # pydantic reads them

if TYPE_CHECKING:
    from collections.abc import Callable

    from condense.apps.panel.state import Panel
    from memory.entries import StoredMemory

    Act = Callable[[PersistentMemoryManager, str], StoredMemory | None]

TASK: Final = "panel"
"""The task of what a person writes here."""
ACTS: Final[dict[str, Act]] = {
    "accept": lambda manager, name: manager.accept(name),
    "dismiss": lambda manager, name: manager.dismiss(name),
    "pin": lambda manager, name: manager.pin(name),
    "unpin": lambda manager, name: manager.pin(name, on=False),
    "forget": lambda manager, name: manager.forget(name),
}

Content = Annotated[str, Field(min_length=1, max_length=10_000, pattern=r"\S", description="Its words.")]


class Writing(InProject):
    """A memory that a person writes."""

    content: Content
    type: MemoryType | None = None
    priority: MemoryPriority | None = None


class Rewording(InProject):
    """Other words for a memory."""

    content: Content


class Undo(Wanted):
    """A token of a change."""

    undo: Annotated[str, Field(min_length=1, max_length=100)]


class Many(InProject):
    """Several memories, and what to do with them."""

    ids: Annotated[tuple[str, ...], Field(min_length=1, max_length=1_000)]
    action: Literal["accept", "dismiss", "forget"]


def create(panel: Panel, asked: Asked) -> Any:
    """Share a memory that a person writes."""
    wanted: Writing = asked.body
    done = panel.memories(wanted.project).remember(
        wanted.content, task_id=TASK, type=wanted.type, priority=wanted.priority
    )
    return Answer(memory_of(done), 201, {"etag": memory_tag(done)})


def changed(panel: Panel, asked: Asked, act: Act) -> Any:
    """Change one memory, and say how that is taken back."""
    stored = known_memory(panel, asked.body.project, asked.path["id"])
    with panel.store.writing():
        if asked.if_match not in (None, "*", memory_tag(stored := _again(panel, stored))):
            more = {"memory": memory_of(stored)}
            headers = {"etag": memory_tag(stored)}
            raise Problem(412, "changed", "If-Match", more=more, headers=headers)
        noting = Noting(panel.store)
        done = act(PersistentMemoryManager(noting, stored.project, clock=panel.clock), stored.id)
        if done is None:
            raise Problem(409, "replaced", "id", id=stored.id)
        token = panel.undoing.noted(panel.store, noting)
    return Answer({"memory": memory_of(done), "undo": token}, headers={"etag": memory_tag(done)})


def _again(panel: Panel, stored: StoredMemory) -> StoredMemory:
    """Read a memory again, within the transaction."""
    found = panel.store.get(stored.project, stored.id)
    if found is None:
        raise Problem(404, "no_memory", "id", id=stored.id)
    return found


def reword(panel: Panel, asked: Asked) -> Any:
    """Give a memory other words."""
    return changed(panel, asked, lambda manager, name: manager.edit(name, asked.body.content))


def undo(panel: Panel, asked: Asked) -> Any:
    """Take a change back."""
    done = panel.undoing.undo(panel.store, asked.body.undo)
    return {"memory": memory_of(done) if done else None}


def bulk(panel: Panel, asked: Asked) -> Any:
    """Do one thing to many memories, all in one transaction; what cannot be done is told."""
    wanted: Many = asked.body
    act = ACTS[wanted.action]
    failed: list[tuple[str, Problem]] = []
    found: list[StoredMemory] = []
    for name in dict.fromkeys(wanted.ids):
        try:
            found.append(known_memory(panel, wanted.project, name))
        except Problem as problem:
            failed.append((name, problem))
    noting = Noting(panel.store)
    done = 0
    with panel.store.writing():
        # project by project, so that writers of several never wait for each other in a circle
        for stored in sorted(found, key=lambda one: one.project or ""):
            manager = PersistentMemoryManager(noting, stored.project, clock=panel.clock)
            if act(manager, stored.id) is None:
                failed.append((stored.id, Problem(409, "replaced", "id", id=stored.id)))
            else:
                done += 1
        token = panel.undoing.noted(panel.store, noting) if done else None
    told = [{"id": name, "message": problem.say(asked.language)} for name, problem in failed]
    return {"done": done, "failed": told, "undo": token}


CHANGED: Final = {"memory": EXAMPLE, "undo": "f3Jk2mQx0c9L"}
ENDPOINTS: Final = (
    Endpoint(
        "POST",
        "/api/v1/memories",
        "Write a memory",
        create,
        shapes.Memory,
        body=Writing,
        asks={"content": "Never touch the tests directory.", "type": "user_instruction"},
        example=EXAMPLE,
    ),
    Endpoint(
        "POST",
        "/api/v1/memories/bulk",
        "Decide on many memories at once",
        bulk,
        shapes.Bulk,
        body=Many,
        asks={"ids": [EXAMPLE["id"]], "action": "accept"},
        example={"done": 1, "failed": [], "undo": "f3Jk2mQx0c9L"},
    ),
    *(
        Endpoint(
            "POST",
            f"/api/v1/memories/{{id}}/{name}",
            about,
            partial(changed, act=ACTS[name]),
            shapes.Changed,
            body=InProject,
            asks={},
            example=CHANGED,
        )
        for name, about in (
            ("accept", "Keep a memory for good"),
            ("dismiss", "Sort a memory out: what it replaced holds again"),
            ("pin", "Pin a memory: it comes first and never fades"),
            ("unpin", "Unpin a memory"),
            ("forget", "Withdraw a memory"),
        )
    ),
    Endpoint(
        "PATCH",
        "/api/v1/memories/{id}",
        "Give a memory other words; with If-Match only as it was seen (412 with the present one)",
        reword,
        shapes.Changed,
        body=Rewording,
        asks={"content": "Never touch the tests directory, but for the fixtures."},
        example=CHANGED,
    ),
    Endpoint(
        "POST",
        "/api/v1/undo",
        "Take a change of this panel back",
        undo,
        shapes.Undone,
        body=Undo,
        asks={"undo": "f3Jk2mQx0c9L"},
        example={"memory": EXAMPLE},
    ),
)
