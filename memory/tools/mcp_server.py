"""The memory tools over the Model Context Protocol, by standard input and output or by HTTP.

The first is written out here, for the official SDK loads longer than clients wait for an answer to `initialize`; the
second is that SDK's (extra `mcp`). Source: https://modelcontextprotocol.io/specification/2025-11-25
"""

from __future__ import annotations

import json
import socket
import sys
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, Final

from memory.conversation import redact
from memory.tools.offering import call_tool, guidance_for
from memory.tools.values import clipped, fenced_value, harmless

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import IO

    from mcp.server import Server

    from memory.tools.values import Tool


NAME: Final = "holdfast"
VERSIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Of the protocol, newest first; what is used of it is the same in all."""
MOST_TOLD: Final = 500  # characters of an internal error that stderr is told (chosen: one line of a log)

_NOT_JSON, _INVALID, _UNKNOWN = -32700, -32600, -32601


def described(tool: Tool) -> dict[str, Any]:
    """Describe a tool as the protocol does."""
    safe = not tool.writes
    hints = {"readOnlyHint": safe, "destructiveHint": tool.erases, "idempotentHint": safe, "openWorldHint": False}
    shown = {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters}
    return {**shown, "annotations": hints}


def called(tools: Mapping[str, Tool], name: str, arguments: Any) -> dict[str, Any]:
    """Call a tool; what cannot be done is a result with `isError`, never an error of the protocol."""
    try:
        done = call_tool(tools, name, arguments)
    except Exception as error:  # noqa: BLE001  # the outermost door of a server: a defect is an answer, too
        kind = type(error).__name__
        warn(f"holdfast: internal error in {name!r}: {kind}: {clipped(redact(repr(error)), MOST_TOLD)}")
        said = f"internal error in {harmless(name)}: {kind}; stderr of the server says more"
        return {"content": [{"type": "text", "text": said}], "isError": True}
    result = {"content": [{"type": "text", "text": done.text}], "isError": done.is_error}
    shown = fenced_value(done.value, source=name)
    return result if shown is None else {**result, "structuredContent": shown}


def warn(line: str) -> None:
    """Say something on stderr: standard output belongs to the protocol."""
    print(line, file=sys.stderr, flush=True)  # noqa: T201  # the one place for people


def serve_stdio(tools: Mapping[str, Tool], incoming: IO[bytes], outgoing: IO[bytes], *, version: str = "") -> None:
    """Serve one client until its input ends, one request after the other; `OSError` where it no longer reads."""
    for line in incoming:
        if line.strip():
            reply = _reply(tools, line, version)
            if reply is not None:
                outgoing.write(json.dumps({"jsonrpc": "2.0", **reply}).encode() + b"\n")
                outgoing.flush()


def _reply(tools: Mapping[str, Tool], line: bytes, version: str) -> dict[str, Any] | None:
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as error:
        return _error(None, _NOT_JSON, f"this line is no JSON: {harmless(str(error))}")
    if not isinstance(message, dict):
        return _error(None, _INVALID, "a message should be an object")
    name, params = message.get("id"), message.get("params")
    if "id" not in message or "method" not in message:
        return None
    if not isinstance(params, dict):
        params = {}
    match message["method"]:
        case "ping":
            result: dict[str, Any] = {}
        case "initialize":
            result = _introduced(tools, params, version)
        case "tools/list":
            result = {"tools": [described(tool) for tool in tools.values()]}
        case "tools/call":
            result = called(tools, str(params.get("name")), params.get("arguments"))
        case other:
            return _error(name, _UNKNOWN, f"there is no method {harmless(str(other))!r}")
    return {"id": name, "result": result}


def _introduced(tools: Mapping[str, Tool], params: Mapping[str, Any], version: str) -> dict[str, Any]:
    wanted = params.get("protocolVersion")
    result: dict[str, Any] = {
        "protocolVersion": wanted if wanted in VERSIONS else VERSIONS[0],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": NAME, "version": version},
    }
    instructions = guidance_for(tools.values())
    return {**result, "instructions": instructions} if instructions else result


def _error(name: Any, code: int, reason: str) -> dict[str, Any]:
    return {"id": name, "error": {"code": code, "message": reason}}


LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
"""Hosts to serve on. Nothing is encrypted, so it is not for others; put a proxy that does before it."""
PATH: Final = "/mcp"


def memory_server(tools: Mapping[str, Tool], *, version: str = "") -> Server[Any]:
    """Return a server of these tools; its instructions are their system-prompt guidance.

    Calls run one after another in a thread. A call that cannot be done is a result with `is_error`. `ImportError`
    without the package mcp.
    """
    try:
        import anyio
        from anyio.to_thread import run_sync
        from mcp import types
        from mcp.server import Server
    except ImportError as error:
        raise ImportError("an MCP server over HTTP needs mcp: pip install 'holdfast-context[mcp]'") from error

    alone = anyio.CapacityLimiter(1)

    async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
        return types.ListToolsResult.model_validate({"tools": [described(tool) for tool in tools.values()]})

    async def answer(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        done = await run_sync(called, tools, params.name, params.arguments, limiter=alone)
        return types.CallToolResult.model_validate(done)

    return Server(
        NAME,
        version=version,
        instructions=guidance_for(tools.values()) or None,
        on_list_tools=list_tools,
        on_call_tool=answer,
    )


def serve_http(
    server: Server[Any],
    *,
    token: str,
    host: str = "127.0.0.1",
    port: int = 0,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve clients that know a token by streamable HTTP on this machine until interrupted.

    Clients send "Authorization: Bearer TOKEN"; others are answered 401, web pages refused. `host` is one of `LOOPBACK`
    and the token not blank, else `ValueError`; `port` is 0 for a free one; `ready` is told the address once it
    listens.
    """
    import uvicorn
    from mcp.server.transport_security import TransportSecuritySettings

    if host not in LOOPBACK:
        raise ValueError(
            f"host is {host!r}; it should be one of {', '.join(LOOPBACK)}: no passwords are safe on a network without "
            "encryption"
        )
    if not token.strip():
        raise ValueError("token is blank; it should be a secret that clients send")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listening:
        bound = listening.getsockname()[1]
        if ready is not None:
            ready(f"http://{f'[{host}]' if ':' in host else host}:{bound}{PATH}")
        names = [f"{name}:{bound}" for name in ("127.0.0.1", "localhost", "[::1]")]
        security = TransportSecuritySettings(
            allowed_hosts=names, allowed_origins=[f"http://{name}" for name in names]
        )
        app = server.streamable_http_app(streamable_http_path=PATH, host=host, transport_security=security)
        config = uvicorn.Config(_guarded(app, token), log_level="warning", log_config=None, lifespan="on")
        uvicorn.Server(config).run(sockets=[listening])


def _guarded(app: Callable[..., Any], token: str) -> Callable[..., Any]:
    """Answer 401 to requests without the token; how long that takes tells nothing."""
    wanted = token.strip().encode()

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            given = b", ".join(value for name, value in scope["headers"] if name == b"authorization")
            scheme, _, said = given.partition(b" ")
            if not compare_digest(said.strip(), wanted) or scheme.lower() != b"bearer":
                head = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
                await send({"type": "http.response.start", "status": 401, "headers": head})
                await send({"type": "http.response.body", "body": b"this server needs its token\n"})
                return
        await app(scope, receive, send)

    return guard
