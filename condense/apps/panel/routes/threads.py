"""The documented REST of conversations: list, history, label, delete.

They are the store's threads, and in the panel the sessions on this machine, too.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import Field

from condense.apps.panel import shapes
from condense.apps.panel.asking import Asked, Endpoint, Problem, Wanted
from memory.conversation import parse_messages
from memory.errors import MemoryFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from condense.apps.panel.reading import Sessions
    from memory.entries import Thread, ThreadStore

    History = Callable[[str], Sequence[Mapping[str, Any]] | None]
    Values = Sequence[tuple[str, Any]]

PAGE, MOST = 100, 1_000
"""Conversations of one list, and at most; chosen."""
LONGEST_LABEL = 200
"""Characters of a label; chosen."""


class Threads:
    """Conversations.

    Args:
        store: the threads; None where there are none.
        history: gives the messages of a thread, in any wire form, where a framework's checkpointer holds them, None for
            a thread it does not know; by default the store's.
        delete: deletes all of a thread and returns how many rows of what went; by default from the store alone.
        sessions: sessions on this machine that are listed and read, too.
    """

    def __init__(
        self,
        store: ThreadStore | None,
        history: History | None = None,
        delete: Callable[[str], Mapping[str, int]] | None = None,
        sessions: Sessions | None = None,
    ) -> None:
        self.store, self._history, self._delete, self._sessions = store, history, delete, sessions

    def listed(self, limit: int, offset: int) -> list[dict[str, Any]]:
        """Return conversations, the last used first."""
        if self._sessions is None:
            threads = self.store.threads(limit=limit, offset=offset) if self.store else ()
            return [_shown(one.thread_id, one.label, one.last_active_at) for one in threads]
        entries = self._sessions.listed()[offset : offset + limit]
        return [_shown(e.task or e.id, self._sessions.about(e).title, e.written) for e in entries]

    def messages(self, name: str) -> Values | None:
        """Return the messages of a conversation with their ids; None where there is none of that name."""
        if self._history is not None:
            given = self._history(name)
            return None if given is None else [(str(v.get("id") or i), v) for i, v in enumerate(given)]
        if self.store is not None:
            kept = self.store.messages(name)
            if kept or self.store.thread(name) is not None:
                return [(message.id, message.value) for message in kept]
        entry = self._sessions.named(name) if self._sessions else None
        if entry is None or self._sessions is None:
            return None
        read = self._sessions.read(entry)
        return [(message.meta.uuid or str(i), message) for i, message in enumerate(read)]

    def deleted(self, name: str) -> dict[str, int]:
        """Delete all of a thread; sessions of agents are theirs and stay."""
        delete = self._delete or (self.store.delete_thread if self.store else None)
        return dict(delete(name)) if delete else {}

    def labelled(self, name: str, label: str) -> Thread | None:
        """Name a thread; None where there is none."""
        return self.store.thread(name) if self.store and self.store.label_thread(name, label) else None


class Page(Wanted):
    """Which conversations."""

    limit: Annotated[int, Field(ge=1, le=MOST)] = PAGE
    offset: Annotated[int, Field(ge=0)] = 0


class Which(Wanted):
    """Which conversation."""

    thread_id: Annotated[str, Field(min_length=1, description="Which conversation.")]


class Label(Wanted):
    """A name for people."""

    label: Annotated[str, Field(max_length=LONGEST_LABEL)]


def conversations(state: Any, asked: Asked) -> Any:
    """List conversations, the last used first."""
    return _answering(lambda: state.threads.listed(asked.query.limit, asked.query.offset))


def history(state: Any, asked: Asked) -> Any:
    """Give all messages of a conversation, oldest first: id, role, text, and the value in its wire form."""
    name = asked.query.thread_id
    kept: Values | None = _answering(lambda: state.threads.messages(name))
    if kept is None:
        raise Problem(404, "no_thread", "thread_id", id=name)
    read = parse_messages([value for _, value in kept])
    told = [
        {"id": one, "role": message.role.value, "text": message.text, "value": message.raw}
        for (one, _), message in zip(kept, read, strict=True)
    ]
    return {"threadId": name, "messages": told}


def deleted(state: Any, asked: Asked) -> Any:
    """Delete all of a thread; say how many rows of what went."""
    name = asked.path["thread_id"]
    gone: dict[str, int] = _answering(lambda: state.threads.deleted(name))
    if not any(gone.values()):
        raise Problem(404, "no_thread", "thread_id", id=name)
    return {"id": name, "deleted": gone}


def labelled(state: Any, asked: Asked) -> Any:
    """Name a thread."""
    name = asked.path["thread_id"]
    thread = _answering(lambda: state.threads.labelled(name, asked.body.label.strip()))
    if thread is None:
        raise Problem(404, "no_thread", "thread_id", id=name)
    return _shown(thread.thread_id, thread.label, thread.last_active_at)


def _answering(work: Callable[[], Any]) -> Any:
    """Do what a store does; where it is away the answer names no address of it."""
    try:
        return work()
    except MemoryFailure as error:
        raise Problem(503, "store", why=type(error).__name__) from error


def _shown(name: str, label: str, at: float) -> dict[str, Any]:
    active = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    return {"id": name, "label": label, "lastActiveAt": active}


THREAD: Final = {"id": "thread-a1b2c3", "label": "会话 1", "lastActiveAt": "2025-05-01T10:00:00.000+00:00"}
THREAD_ENDPOINTS: Final = (
    Endpoint(
        "GET",
        "/api/conversations",
        "Conversations, the last used first (documented)",
        conversations,
        list[shapes.Conversation],
        query=Page,
        example=[THREAD],
    ),
    Endpoint(
        "GET",
        "/api/chat/history",
        "All messages of a conversation (documented)",
        history,
        shapes.History,
        query=Which,
        heavy=True,
        example={
            "threadId": "thread-a1b2c3",
            "messages": [
                {
                    "id": "m0",
                    "role": "user",
                    "text": "What is here?",
                    "value": {"role": "user", "content": "What is here?"},
                }
            ],
        },
    ),
    Endpoint(
        "DELETE",
        "/api/conversations/{thread_id:path}",
        "Delete all of a thread (documented)",
        deleted,
        shapes.Deleted,
        example={"id": "thread-a1b2c3", "deleted": {"thread": 1, "messages": 3}},
    ),
    *(
        Endpoint(
            method,
            "/api/conversations/{thread_id:path}",
            "Name a thread",
            labelled,
            shapes.Conversation,
            body=Label,
            asks={"label": "会话 1"},
            example=THREAD,
        )
        for method in ("PUT", "PATCH")
    ),
)
