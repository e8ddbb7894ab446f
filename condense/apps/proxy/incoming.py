"""One request of a client, as ASGI gives it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio
import orjson

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class ClientGone(Exception):  # noqa: N818  # no error: nobody waits any more
    """The client hung up."""


@dataclass(slots=True)
class Body:
    """A request's body: what was read, and whether more is to come because it is too large to be read."""

    raw: bytes
    whole: bool


@dataclass(slots=True)
class Incoming:
    """One request of a client."""

    scope: Scope
    receive: Receive
    send: Send
    headers: dict[str, str] = field(init=False)
    taken: anyio.Event = field(init=False, default_factory=anyio.Event)

    def __post_init__(self) -> None:
        """Read the headers."""
        self.headers = {k.decode("latin-1").lower(): v.decode("latin-1") for k, v in self.scope["headers"]}

    @property
    def path(self) -> str:
        """The path as it was sent."""
        raw = self.scope.get("raw_path")
        return raw.decode("latin-1") if raw else str(self.scope["path"])

    async def body(self, most: int) -> Body:
        """Read the body up to a limit."""
        pieces, size = [], 0
        while True:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            pieces.append(message.get("body", b""))
            size += len(pieces[-1])
            more = message.get("more_body", False)
            if not more:
                self.taken.set()
            if not more or size > most:
                return Body(b"".join(pieces), not more)

    async def rest(self, begun: bytes) -> AsyncIterator[bytes]:
        """Give a body on as it comes in."""
        yield begun
        more = True
        while more:
            message = await self.receive()
            if message["type"] == "http.disconnect":
                raise ClientGone
            yield message.get("body", b"")
            more = message.get("more_body", False)
        self.taken.set()

    async def gone(self) -> None:
        """Return when the client has hung up after all of its body was taken."""
        await self.taken.wait()
        while (await self.receive())["type"] != "http.disconnect":
            pass

    async def answer(self, status: int, media_type: str, body: bytes, *headers: tuple[bytes, bytes]) -> None:
        """Answer by ourselves."""
        head = [
            (b"content-type", media_type.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"x-holdfast", b"answered"),
            *headers,
        ]
        await self.send({"type": "http.response.start", "status": status, "headers": head})
        shown = b"" if self.scope["method"] == "HEAD" else body
        await self.send({"type": "http.response.body", "body": shown})

    async def refuse(self, status: int, kind: str, message: str, *headers: tuple[bytes, bytes]) -> None:
        """Answer with an error in the shape that all three protocols' clients read."""
        error = {"type": "error", "error": {"type": kind, "message": f"holdfast: {message}", "code": kind}}
        await self.answer(status, "application/json", orjson.dumps(error), *headers)
