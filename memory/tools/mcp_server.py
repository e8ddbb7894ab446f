"""The memory tools over the Model Context Protocol by HTTP, with the official SDK; extra `mcp`."""

from __future__ import annotations

import socket
from hmac import compare_digest
from typing import TYPE_CHECKING, Any, Final

from memory.tools.guiding import guidance_for
from memory.tools.mcp_stdio import NAME, called, described

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from mcp.server import Server

    from memory.tools.values import Tool

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
