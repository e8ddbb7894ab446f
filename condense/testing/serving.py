"""A server on this machine that speaks Anthropic Messages, OpenAI Chat Completions and Responses, from a script."""

from __future__ import annotations

import contextlib
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Self

import orjson

from condense.testing.replies import Reply, reply_body

if TYPE_CHECKING:
    from types import TracebackType


class ScriptedServer:
    """Replies in turn, the last reply again at the end of the script; a context manager.

        with ScriptedServer(Reply("A summary."), Reply(status=529)) as server:
            client = anthropic.Anthropic(base_url=server.url, api_key="test")

    Attributes:
        url: where it listens: the base URL for Anthropic's client; `url + "/v1"` is the one for OpenAI's.
        requests: (path, body) of every request, in order; headers, and so keys, are not kept.
    """

    def __init__(self, *replies: Reply) -> None:
        self._replies = replies or (Reply(),)
        self._lock = threading.Lock()
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _answering(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        """Begin to listen."""
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, path: str, body: dict[str, Any]) -> Reply:
        """Note a request and return its reply."""
        with self._lock:
            reply = self._replies[min(len(self.requests), len(self._replies) - 1)]
            self.requests.append((path, body))
            return reply


def _answering(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Answering(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the signature of the base class
            """Stay silent."""

        def do_POST(self) -> None:  # the name http.server looks for
            """Answer a call of the model."""
            raw = self.rfile.read(int(self.headers.get("content-length", 0)))
            body = orjson.loads(raw)
            reply = server.take(self.path, body)
            if reply.delay:
                time.sleep(reply.delay)
            with contextlib.suppress(OSError):  # the client went away
                self._send(reply, body)

        def _send(self, reply: Reply, body: dict[str, Any]) -> None:
            content, kind = reply_body(reply, self.path, body)
            self.send_response(reply.status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(content)))
            self.send_header("connection", "close")
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content if reply.cut_after is None else content[: reply.cut_after])
            if reply.cut_after is not None:
                self.wfile.flush()
                self.close_connection = True
                self.connection.close()

    return Answering
