"""A server on this machine that speaks Anthropic Messages, OpenAI Chat Completions and Responses, from a script."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final, Self

import orjson

from condense.testing.replies import Reply, reply_body

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

SECRET: Final = frozenset({"authorization", "x-api-key", "api-key", "cookie"})


class ScriptedServer:
    """Replies in turn, the last reply again at the end of the script, or by a function; a context manager.

        with ScriptedServer(Reply("A summary."), Reply(status=529)) as server:
            client = anthropic.Anthropic(base_url=server.url, api_key="test")

    Args:
        replies: in turn.
        choose: called with path and body in their place; a body that is no JSON is {"raw": text}.
        port: where to listen; 0: anywhere.
        keep_alive: connections serve several requests.

    Attributes:
        url: where it listens: the base URL for Anthropic's client; `url + "/v1"` is the one for OpenAI's.
        requests: (path, body) of every request, in order.
        headers: of every request, by lower-case name, without those that hold keys.
    """

    def __init__(
        self,
        *replies: Reply,
        choose: Callable[[str, dict[str, Any]], Reply] | None = None,
        port: int = 0,
        keep_alive: bool = False,
    ) -> None:
        self._replies = replies or (Reply(),)
        self._choose = choose
        self.keep_alive = keep_alive
        self.headers: list[dict[str, str]] = []
        self._lock = threading.Lock()
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self._server = _Listening(("127.0.0.1", port), _answering(self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, path: str, body: dict[str, Any], headers: Mapping[str, str]) -> Reply:
        """Note a request and return its reply."""
        with self._lock:
            self.headers.append({k.lower(): v for k, v in headers.items() if k.lower() not in SECRET})
            self.requests.append((path, body))
            if self._choose is not None:
                reply = self._choose(path, body)
            else:
                reply = self._replies[min(len(self.requests), len(self._replies)) - 1]
            return replace(reply, number=len(self.requests))


class _Listening(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256


def _answering(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the signature of the base class
            """Stay silent."""

        def do_POST(self) -> None:  # the name http.server looks for
            """Answer a call of the model."""
            raw = self._body()
            try:
                body = orjson.loads(raw)
            except orjson.JSONDecodeError:
                body = {"raw": raw.decode("utf-8", "replace")}
            reply = server.take(self.path, body if isinstance(body, dict) else {"raw": body}, dict(self.headers))
            if reply.delay:
                time.sleep(reply.delay)
            with contextlib.suppress(OSError):  # the client went away
                self._send(reply, body)

        def do_GET(self) -> None:
            """Answer what is no call of the model; a HEAD, too."""
            reply = server.take(self.path, {}, dict(self.headers))
            with contextlib.suppress(OSError):
                self._send(replace(reply, body=b'{"data":[]}' if reply.body is None else reply.body), {})

        do_HEAD = do_GET  # noqa: N815  # the name http.server looks for

        def _body(self) -> bytes:
            if self.headers.get("transfer-encoding", "").lower() != "chunked":
                return self.rfile.read(int(self.headers.get("content-length", 0)))
            pieces = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                pieces.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            return b"".join(pieces)

        def _send(self, reply: Reply, body: dict[str, Any]) -> None:
            content, kind = reply_body(reply, self.path, body)
            self.send_response(reply.status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            if not server.keep_alive:
                self.send_header("connection", "close")
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "HEAD":
                return
            self.wfile.write(content if reply.cut_after is None else content[: reply.cut_after])
            if reply.cut_after is not None:
                self.wfile.flush()
                self.close_connection = True
                self.connection.close()

    return Answering
