"""The documented REST of threads as Starlette routes: list, history, label, delete; extra `panel`.

Who may call it is up to the app that mounts the routes; bodies and answers are JSON, errors `{"error": "..."}`.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.routing import Route

from memory.conversation import parse_messages
from memory.errors import MemoryFailure

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from starlette.requests import Request

    from memory.entries import Thread, ThreadStore

    History = Callable[[str], Sequence[Mapping[str, Any]] | None]

PAGE, MOST = 100, 1_000
"""Conversations of one list, and at most; chosen."""
LONGEST_LABEL = 200
"""Characters of a label; chosen."""


def threads_routes(
    store: ThreadStore,
    *,
    history: History | None = None,
    delete: Callable[[str], Mapping[str, int]] | None = None,
) -> list[Route]:
    """Return the routes over a store.

    Args:
        store: the threads.
        history: gives the messages of a thread, in any wire form, where a framework's checkpointer holds them, None for
            a thread it does not know; by default the store's.
        delete: deletes all of a thread and returns how many rows of what went; by default from the store alone.
    """
    api = _Api(store, history, delete or store.delete_thread)
    return [
        Route("/api/conversations", api.conversations, methods=["GET"]),
        Route("/api/conversations/{thread_id:path}", api.deleted, methods=["DELETE"]),
        Route("/api/conversations/{thread_id:path}", api.labelled, methods=["PUT", "PATCH"]),
        Route("/api/chat/history", api.history, methods=["GET"]),
    ]


def threads_app(store: ThreadStore, **more: Any) -> Starlette:
    """Return an app of these routes alone, its errors JSON, too; `more` as for `threads_routes`."""
    return Starlette(routes=threads_routes(store, **more), exception_handlers={HTTPException: _refused})


def _refused(_: Request, error: Exception) -> JSONResponse:
    told = error if isinstance(error, HTTPException) else HTTPException(500)
    return JSONResponse({"error": told.detail}, told.status_code, headers=told.headers)


def _failure(status: int, why: str) -> JSONResponse:
    return JSONResponse({"error": why}, status)


class _Api:
    def __init__(
        self, store: ThreadStore, history: History | None, delete: Callable[[str], Mapping[str, int]]
    ) -> None:
        self._store, self._history, self._delete = store, history, delete

    def conversations(self, request: Request) -> JSONResponse:
        """List threads, the last used first: `limit`, `offset`."""
        try:
            limit = int(request.query_params.get("limit", PAGE))
            offset = int(request.query_params.get("offset", 0))
        except ValueError:
            return _failure(400, "limit and offset should be whole numbers")
        if not (1 <= limit <= MOST and offset >= 0):
            return _failure(400, f"limit should be from 1 to {MOST}, offset 0 or more")
        try:
            return JSONResponse([_shown(t) for t in self._store.threads(limit=limit, offset=offset)])
        except MemoryFailure as error:
            return _away(error)

    def history(self, request: Request) -> JSONResponse:
        """Give all messages of the thread `thread_id`, oldest first: id, role, text, and the value in its wire form."""
        thread_id = request.query_params.get("thread_id", "")
        if not thread_id:
            return _failure(400, "thread_id is missing: which conversation?")
        try:
            if self._history is not None:
                values = self._history(thread_id)
                ids = [str(v.get("id") or i) for i, v in enumerate(values or ())]
            else:
                kept = self._store.messages(thread_id)
                known = bool(kept) or self._store.thread(thread_id) is not None
                values, ids = [m.value for m in kept] if known else None, [m.id for m in kept]
            if values is None:
                return _unknown(thread_id)
            told = [
                {"id": name, "role": read.role.value, "text": read.text, "value": value}
                for name, read, value in zip(ids, parse_messages(values), values, strict=True)
            ]
        except MemoryFailure as error:
            return _away(error)
        return JSONResponse({"threadId": thread_id, "messages": told})

    def deleted(self, request: Request) -> JSONResponse:
        """Delete all of a thread; say how many rows of what went."""
        thread_id = request.path_params["thread_id"]
        try:
            gone = dict(self._delete(thread_id))
        except MemoryFailure as error:
            return _away(error)
        return JSONResponse({"id": thread_id, "deleted": gone}) if any(gone.values()) else _unknown(thread_id)

    async def labelled(self, request: Request) -> JSONResponse:
        """Name a thread: `{"label": "..."}`."""
        thread_id = request.path_params["thread_id"]
        try:
            body = await request.json()
        except ValueError:
            body = None
        label = body.get("label") if isinstance(body, dict) else None
        if not isinstance(label, str) or len(label) > LONGEST_LABEL:
            why = f'the body should be {{"label": "..."}}, of {LONGEST_LABEL} characters at most'
            return _failure(400, why)
        try:
            if not await run_in_threadpool(self._store.label_thread, thread_id, label.strip()):
                return _unknown(thread_id)
            thread = await run_in_threadpool(self._store.thread, thread_id)
        except MemoryFailure as error:
            return _away(error)
        return JSONResponse(_shown(thread)) if thread is not None else _unknown(thread_id)


def _shown(thread: Thread) -> dict[str, Any]:
    at = datetime.fromtimestamp(thread.last_active_at, UTC)
    return {
        "id": thread.thread_id,
        "label": thread.label,
        "lastActiveAt": at.isoformat(timespec="milliseconds"),
    }


def _unknown(thread_id: str) -> JSONResponse:
    return _failure(404, f"there is no conversation {thread_id!r}")


def _away(error: MemoryFailure) -> JSONResponse:
    return _failure(503, f"the store of conversations does not answer: {type(error).__name__}")
