"""The ASGI application: every request goes to its provider, but for a compaction that we answer ourselves."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import secrets
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio
import anyio.to_thread
import httpx
import httpx_sse
import orjson

from condense.apps.proxy.answering import Keeping, summarized
from condense.apps.proxy.incoming import ClientGone, Incoming
from condense.apps.proxy.metrics import Metrics
from condense.apps.proxy.protocols import protocol_of
from condense.apps.proxy.recognising import may_ask, read_json
from condense.apps.proxy.settings import LOOPBACK
from condense.apps.proxy.status import Done, Status, cost_by_model
from condense.apps.proxy.upstream import Upstream, decoded, passed_on
from condense.apps.proxy.viewing import Views
from memory.conversation import Form

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from condense.apps.proxy.incoming import Receive, Scope, Send
    from condense.apps.proxy.protocols import Answer, Call, Protocol
    from condense.apps.proxy.settings import ProxySettings


STATUS: Final = "/holdfast/status"
METRICS: Final = "/holdfast/metrics"
T = TypeVar("T")
PIECE: Final = 65_536
_PORT: Final = re.compile(r":\d*\Z")


class Proxy:
    """The application.

    Args:
        settings: how it works.
        status: told of all that happens.
    """

    def __init__(self, settings: ProxySettings, status: Status | None = None) -> None:
        self.settings = settings
        self.status = status or Status()
        self.keeping = Keeping()
        self.upstream = Upstream(settings)
        self.views = Views(settings, self.keeping, self.status)
        self.metrics = Metrics(self.status, lambda: len(self.views))
        self._names = {*LOOPBACK, "[::1]", settings.host, *settings.hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection; see the ASGI specification."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            with contextlib.suppress(ClientGone):
                await self._serve(Incoming(scope, receive, send))

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            kind = (await receive())["type"]
            await send({"type": f"{kind}.complete"})
            if kind == "lifespan.shutdown":
                await self.upstream.close()
                self.keeping.close()
                return

    async def _serve(self, incoming: Incoming) -> None:
        self.status.counts["requests"] += 1
        refused = self._refused(incoming)
        if refused is not None:
            await incoming.refuse(*refused)
        elif incoming.headers.get("upgrade", "").lower() == "websocket":
            await incoming.refuse(426, "upgrade_required", "no WebSocket here; use HTTP", (b"connection", b"close"))
        elif incoming.path == STATUS:
            told = self.status.to_json(
                pid=os.getpid(),
                mode=self.settings.mode,
                target=self.settings.target,
                upstream=self.settings.shown_upstream,
                conversations=len(self.views),
            )
            await incoming.answer(200, "application/json", orjson.dumps(told, option=orjson.OPT_INDENT_2))
        elif incoming.path == METRICS:
            await incoming.answer(200, *self.metrics.written(incoming.headers.get("accept", "")))
        elif incoming.scope["method"] == "POST" and protocol_of(incoming.path) is not None:
            await self._model_call(incoming)
        else:
            body = await incoming.body(PIECE)
            await self._forward(incoming, body.raw if body.whole else incoming.rest(body.raw))

    def _refused(self, incoming: Incoming) -> tuple[int, str, str] | None:
        """Say why a request is not served, if it is not."""
        host = incoming.headers.get("host", "")
        name = _PORT.sub("", host)
        if self.settings.token:
            given = incoming.headers.get("x-holdfast-token", "")
            if not secrets.compare_digest(given.encode(), self.settings.token.encode()):
                return 401, "authentication_error", "this proxy wants its token in X-Holdfast-Token"
        elif name.lower() not in self._names:
            return 403, "permission_error", f"the host {name!r} is not this machine"
        if not incoming.path.startswith("/"):
            return 400, "invalid_request_error", f"no path of a provider: {incoming.path[:80]!r}"
        return None

    async def _model_call(self, incoming: Incoming) -> None:
        body = await incoming.body(self.settings.most_body)
        if not body.whole:
            self.status.counts["too large to be read"] += 1
            await self._forward(incoming, incoming.rest(body.raw))
            return
        done: Answer | bytes | None = None
        try:
            read = self._read(incoming, body.raw)
            if read is not None:
                protocol, value = read
                opened = protocol.opened(value)
                done = None if opened is value else orjson.dumps(opened)
                call = protocol.call(incoming.headers, opened)
                done = await _waited_for(incoming, self._handled(incoming, call, done, body.raw)) or done
        except (ClientGone, anyio.get_cancelled_exc_class()):
            raise
        except Exception as error:  # noqa: BLE001  # whatever fails in here, the request goes on
            self.status.failed(incoming.path, error)
        if isinstance(done, bytes):
            await self._forward(incoming, done, rewritten=True)
        elif done is not None:
            await incoming.answer(200, done.media_type, done.body)
        else:
            await self._forward(incoming, body.raw)

    def _read(self, incoming: Incoming, raw: bytes) -> tuple[Protocol, dict[str, Any]] | None:
        """Read a body that may be of interest; None: it is of none."""
        protocol = protocol_of(incoming.path)
        if protocol is None:
            return None
        encoding = incoming.headers.get("content-encoding", "")
        plain = decoded(raw, encoding, self.settings.most_body) if encoding else raw
        asks = may_ask(plain, incoming.headers, of_codex=protocol.form is Form.OPENAI_RESPONSES)
        if not asks and self.settings.mode == "answer":
            return None
        value = read_json(plain)
        known = isinstance(value, dict) and isinstance(value.get(protocol.field), list)
        return (protocol, value) if known else None

    async def _handled(
        self, incoming: Incoming, call: Call, opened: bytes | None, raw: bytes
    ) -> Answer | bytes | None:
        """Answer a compaction, or write another body; None: the request goes on as it came, or with what was opened."""
        if call.kind == "compaction":
            return await self._compaction(incoming, call, opened, raw)
        if self.settings.mode == "view" and call.kind in {"main", "subagent"}:
            return await self._viewed(call, len(opened or raw))
        return None

    async def _in_time(self, work: Callable[[], T]) -> T:
        """Do some work beside the server.

        Raises:
            TimeoutError: it takes too long; says so.
        """
        try:
            with anyio.fail_after(self.settings.seconds):
                return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
        except TimeoutError:
            self.status.counts["not in time"] += 1
            raise TimeoutError(f"not done in {self.settings.seconds:g} s; it goes to the provider") from None

    async def _compaction(self, incoming: Incoming, call: Call, opened: bytes | None, raw: bytes) -> Answer:
        """Write the summary.

        Raises:
            ValueError, TimeoutError: none came of it.
        """
        begun = time.perf_counter()
        self.status.counts["compactions asked for"] += 1
        narrative = await self._narrative(incoming, call, opened, raw) if self.settings.model else ""
        done = await self._in_time(functools.partial(summarized, call, self.settings, self.keeping, narrative))
        before, after = done.prev_context_tokens, done.new_context_tokens
        self.status.compacted(
            Done(
                at=time.time(),
                conversation=call.conversation,
                how="answered",
                model=call.model,
                trigger=call.trigger,
                tokens_before=before,
                tokens_after=after,
                folded=len(call.history),
                seconds=time.perf_counter() - begun,
                model_cost=None if narrative else cost_by_model(call.model, before),
                note=done.error or "",
            )
        )
        return call.protocol.answer(call, done.summary, (before, after))

    async def _narrative(self, incoming: Incoming, call: Call, opened: bytes | None, raw: bytes) -> str:
        """Let the upstream's model answer the request as it came; "" where it does not in time, or not well."""
        said: list[str] = []
        try:
            url = self.upstream.address(incoming.path, incoming.scope["query_string"], incoming.headers)
            headers = self._headers(incoming, url, rewritten=opened is not None)
            plain = [(n, v) for n, v in headers if n.lower() != b"accept-encoding"]
            with anyio.fail_after(self.settings.model_seconds):
                response = await self.upstream.send("POST", url, plain, opened or raw)
                try:
                    if response.status_code != httpx.codes.OK:
                        raise ValueError(f"HTTP {response.status_code}")
                    if "event-stream" not in response.headers.get("content-type", ""):
                        said.append(call.protocol.said(await response.aread()))
                    else:
                        events = httpx_sse.EventSource(response).aiter_sse()
                        said += [
                            call.protocol.said(event.data) async for event in events if event.data.startswith("{")
                        ]
                finally:
                    await response.aclose()
            text = "".join(said).strip()
            begun, tag, rest = text.partition("<summary>")
            if not text or (tag and "</summary>" not in rest):
                raise ValueError("it is empty, or it breaks off")  # noqa: TRY301  # told as all that goes wrong here
        except (httpx.HTTPError, httpx.InvalidURL, httpx_sse.SSEError, TimeoutError, ValueError) as error:
            self.status.failed("the model's summary", error)
            return ""
        return rest.partition("</summary>")[0].strip() or begun.strip()

    async def _viewed(self, call: Call, size: int) -> bytes | None:
        begun = time.perf_counter()
        view = await self._in_time(functools.partial(self.views.view, call, size))
        for record in view.made:
            self.status.compacted(
                Done(
                    at=time.time(),
                    conversation=call.conversation,
                    how="viewed",
                    model=call.model,
                    trigger="auto",
                    tokens_before=record.tokens_before,
                    tokens_after=record.tokens_after,
                    folded=record.length,
                    seconds=time.perf_counter() - begun,
                    model_cost=cost_by_model(call.model, record.tokens_before),
                )
            )
        if view.history is call.history:
            return None
        self.status.counts["rewritten"] += 1
        return call.protocol.rewritten(replace(call, history=view.history), view.history)

    def _headers(self, incoming: Incoming, url: httpx.URL, *, rewritten: bool = False) -> list[tuple[bytes, bytes]]:
        headers = passed_on(incoming.scope["headers"], rewritten=rewritten)
        return [(b"host", url.netloc), *headers]

    async def _forward(
        self, incoming: Incoming, content: bytes | AsyncIterator[bytes], *, rewritten: bool = False
    ) -> None:
        """Pass a request on and its answer back, both as they come; a client that hangs up ends both."""
        url = self.upstream.address(incoming.path, incoming.scope["query_string"], incoming.headers)
        headers = self._headers(incoming, url, rewritten=rewritten)
        if isinstance(content, bytes) and (content or "content-length" in incoming.headers):
            headers = [(n, v) for n, v in headers if n.lower() != b"content-length"]
            headers.append((b"content-length", str(len(content)).encode()))
        await _waited_for(incoming, self._passed(incoming, url, headers, content))

    async def _passed(
        self, incoming: Incoming, url: httpx.URL, headers: list[tuple[bytes, bytes]], content: Any
    ) -> None:
        try:
            response = await self.upstream.send(incoming.scope["method"], url, headers, content)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            self.status.failed(f"upstream {url.host}", error)
            await incoming.refuse(502, "api_error", f"cannot reach {url.host}: {type(error).__name__}")
            return
        try:
            head = {
                "type": "http.response.start",
                "status": response.status_code,
                "headers": passed_on(response.headers.raw),
            }
            await incoming.send(head)
            if incoming.scope["method"] != "HEAD":
                async for piece in response.aiter_raw():
                    await incoming.send({"type": "http.response.body", "body": piece, "more_body": True})
            await incoming.send({"type": "http.response.body", "body": b""})
        except httpx.HTTPError as error:
            self.status.failed(f"upstream {url.host} broke off", error)
            raise CutShortError(str(error)) from error
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()


async def _waited_for(incoming: Incoming, work: Coroutine[Any, Any, T]) -> T:
    """Do some work as long as the client waits for it.

    Raises:
        ClientGone: it hung up.
        Exception: what the work raises.
    """
    done: list[T] = []

    async def doing(scope: anyio.CancelScope) -> None:
        done.append(await work)
        scope.cancel()

    try:
        async with anyio.create_task_group() as group:
            group.start_soon(doing, group.cancel_scope)
            await incoming.gone()
            group.cancel_scope.cancel()
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None
    if not done:
        raise ClientGone
    return done[0]


class CutShortError(Exception):
    """An answer broke off; the server then closes the client's connection, as the provider closed ours."""
