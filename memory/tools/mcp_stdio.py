"""The memory tools over the Model Context Protocol on standard input and output: one JSON object a line.

Written out here, for the official SDK alone takes longer to load than clients wait for an answer to `initialize`.
Source: the specification, https://modelcontextprotocol.io/specification/2025-11-25
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, Final

from memory.conversation import redact
from memory.tools.guiding import guidance_for
from memory.tools.offering import call_tool
from memory.tools.values import clipped, fenced_value, harmless

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import IO

    from memory.tools.values import Tool

NAME: Final = "holdfast"
VERSIONS: Final = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Of the protocol, newest first; what is used of it is the same in all."""

MOST_TOLD: Final = 500
"""Characters of an internal error that stderr is told (chosen: one line of a log)."""

_NOT_JSON, _INVALID, _UNKNOWN = -32700, -32600, -32601


def described(tool: Tool) -> dict[str, Any]:
    """Describe a tool as the protocol does."""
    hints = {
        "readOnlyHint": not tool.writes,
        "destructiveHint": tool.erases,
        "idempotentHint": not tool.writes,
        "openWorldHint": False,
    }
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.parameters,
        "annotations": hints,
    }


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


def serve_stdio(
    tools: Mapping[str, Tool], incoming: IO[bytes], outgoing: IO[bytes], *, version: str = ""
) -> None:
    """Serve one client until its input ends, one request after the other; `OSError` where it no longer reads."""
    for line in incoming:
        if line.strip():
            reply = _reply(tools, line, version)
            if reply is not None:
                outgoing.write(json.dumps({"jsonrpc": "2.0", **reply}).encode() + b"\n")
                outgoing.flush()


def _reply(tools: Mapping[str, Tool], line: bytes, version: str) -> dict[str, Any] | None:
    """Answer one message; None where none is due (notifications, answers)."""
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
