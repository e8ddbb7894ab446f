"""What changed, told to open pages as it happens: by this panel, by other processes, or by hand."""

from __future__ import annotations

import asyncio
import contextlib
import json
from typing import TYPE_CHECKING, Any, Final

import anyio.to_thread
from sse_starlette import EventSourceResponse, ServerSentEvent

from memory.errors import MemoryFailure

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from starlette.requests import Request

EVENTS: Final = "/api/v1/events"
EVERY: Final = 1.0
"""Seconds between looks, as long as somebody listens; a look costs some milliseconds."""
PING: Final = 15
MOST_WAITING: Final = 200
"""Events that wait for a page; a page that takes none of them loses the oldest."""

Signs = dict[tuple[str, str], Any]


class Events:
    """Looks for changes while pages listen.

    Args:
        signs: returns what changes whenever something does, by project and what it is.
    """

    def __init__(self, signs: Callable[[], Signs]) -> None:
        self._signs = signs
        self._pages: set[asyncio.Queue[ServerSentEvent]] = set()
        self._looking: asyncio.Task[None] | None = None
        self._version = 0

    async def served(self, request: Request) -> EventSourceResponse:
        """Serve one page for as long as it listens."""
        del request

        def ping() -> ServerSentEvent:
            return ServerSentEvent(event="ping", data="{}")

        return EventSourceResponse(
            self._told(), ping=PING, ping_message_factory=ping, headers={"cache-control": "no-store"}
        )

    async def _told(self) -> AsyncIterator[ServerSentEvent]:
        queue: asyncio.Queue[ServerSentEvent] = asyncio.Queue(MOST_WAITING)
        self._pages.add(queue)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        try:
            yield ServerSentEvent(event="ping", data="{}")
            while True:
                yield await queue.get()
        finally:
            self._pages.discard(queue)

    async def _look(self) -> None:
        seen: Signs | None = None
        while self._pages:
            with contextlib.suppress(
                MemoryFailure, OSError
            ):  # it answers again later, or is told by other requests
                found = await anyio.to_thread.run_sync(self._signs)
                if seen is not None:
                    for project, what in sorted(
                        name for name in {*found, *seen} if found.get(name) != seen.get(name)
                    ):
                        self._tell(project, what)
                seen = found
            await asyncio.sleep(EVERY)

    def _tell(self, project: str, what: str) -> None:
        self._version += 1
        data = json.dumps({"project": project, "what": what, "version": self._version})
        for queue in self._pages:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(ServerSentEvent(event="changed", data=data))
