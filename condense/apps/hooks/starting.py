"""Start the proxy with the agent; where that fails, the person is told, as the agent would only try again and again."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from subprocess import Popen

PATIENCE: Final = 15.0
"""Seconds that a start of the proxy may take; chosen."""
OURS: Final = (b'"counts"', b"X-Holdfast-Token")
"""What stands in the proxy's answer to who asks for its status, with and without its token."""
MOST: Final = 1_000_000


def start_proxy() -> str:
    """Start the proxy where an installed agent needs it and it does not listen; waits until it does, or some seconds.

    The agent's requests would fail without it. Costs a request on this machine where it runs.

    Returns:
        What is wrong and the command that mends it, for the person; "" where nothing is.
    """
    from memory.stores import data_folder

    try:
        wanted = json.loads((data_folder() / "proxy.json").read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    found: dict[int, str] = {}
    told = []
    for client, row in wanted.items():
        port, upstream = row["port"], row.get("upstream")
        if port not in found:
            found[port] = listener(port) or _started(port, upstream)
        if found[port] != "proxy":
            told.append(_told(client, port, upstream, found[port]))
    return "\n".join(told)


def listener(port: int, seconds: float = 3) -> str:
    """Tell who listens on a port of this machine: "proxy", "other", or "" for nobody.

    Who does not answer in time is taken for the proxy, which may be busy: nobody is told of what is not known.
    """
    import socket

    answer = b""
    try:
        with (
            socket.create_connection(("127.0.0.1", port), seconds) as asked,
            contextlib.suppress(ConnectionError),
        ):
            asked.sendall(b"GET /holdfast/status HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            while len(answer) < MOST and (piece := asked.recv(65_536)):
                answer += piece
    except TimeoutError:
        return "other" if answer and not any(one in answer for one in OURS) else "proxy"
    except OSError:
        return ""
    return "proxy" if any(one in answer for one in OURS) else "other"


def _started(port: int, upstream: str | None) -> str:
    command = ["condense.apps.cli", "proxy", "--port", str(port)]
    process = run_apart([*command, *(["--upstream", upstream] if upstream else [])])
    end = time.monotonic() + PATIENCE
    who = ""
    while not who and time.monotonic() < end and process.poll() is None:
        time.sleep(0.05)
        who = listener(port)
    return who or listener(port)  # another start of the agent may have been faster


def _told(client: str, port: int, upstream: str | None, who: str) -> str:
    name, _, rest = client.partition(" (")
    scope = " --scope project" if rest.startswith("project") else ""
    if who == "other":
        import shlex

        more = f" --upstream {shlex.quote(upstream)}" if upstream else ""
        return (
            f"holdfast: another program has port {port} of this machine, where {name} sends its requests; to use "
            f"another port: holdfast install {name} --proxy --port {_free_port(port)}{scope}{more}"
        )
    return (
        f"holdfast: the proxy that {name} sends its requests to cannot be started; to go on without it: "
        f"holdfast uninstall {name}{scope if name != 'codex' else ''} (holdfast proxy --port {port} says why)"
    )


def _free_port(after: int) -> int:
    return next((port for port in range(after + 1, min(after + 100, 65_536)) if not listener(port)), 8787)


def run_apart(module: Sequence[str]) -> Popen[bytes]:
    """Start a module with its arguments in a process that outlives the agent.

    -P: the project's folder, in which the agent works, is no place to import from.
    """
    import subprocess

    nothing = subprocess.DEVNULL
    return subprocess.Popen(  # noqa: S603  # our own command
        [sys.executable, "-P", "-m", *module],
        stdin=nothing,
        stdout=nothing,
        stderr=nothing,
        start_new_session=True,
        env={**os.environ, **_path()},
    )


def _path() -> dict[str, str]:
    """Let the other process find this package, wherever it was found."""
    ours = str(Path(__file__).resolve().parents[3])
    return {"PYTHONPATH": os.pathsep.join(filter(None, (ours, os.environ.get("PYTHONPATH", ""))))}
