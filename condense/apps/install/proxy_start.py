"""What starts the proxy with the agent: a file that the hooks read."""

from __future__ import annotations

import json
import os
from http.client import HTTPException
from typing import TYPE_CHECKING, Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

from condense.apps.install.files import InstallError
from condense.compaction import write_atomically
from memory.stores import data_folder, made_data_folder

if TYPE_CHECKING:
    from pathlib import Path

START: Final = "proxy.json"
SECONDS: Final = 2
_UNAUTHORISED: Final = 401


def start_file() -> Path:
    """Return the file that hooks read; it need not exist."""
    return data_folder() / START


def keep_start(port: int, upstream: str | None, client: str) -> None:
    """Let hooks start the proxy where it does not run.

    Args:
        port: where it listens.
        upstream: where it sends requests; None: to the provider.
        client: for whom.

    Raises:
        InstallError: another client needs a proxy on this port that sends elsewhere.
    """
    made_data_folder()
    rows = _rows()
    for other, row in rows.items():
        if other != client and row["port"] == port and row["upstream"] != upstream:
            raise InstallError(
                f"the proxy on port {port} sends requests of {other} to {row['upstream'] or 'the provider'}, not to "
                f"{upstream or 'the provider'}; give it another port with --port"
            )
    rows[client] = {"port": port, "upstream": upstream}
    write_atomically(start_file(), json.dumps(rows).encode())


def remove_start(client: str) -> None:
    """Let no hook start it for a client any more."""
    rows = _rows()
    rows.pop(client, None)
    if rows:
        write_atomically(start_file(), json.dumps(rows).encode())
    else:
        start_file().unlink(missing_ok=True)


def started_ports() -> tuple[int, ...]:
    """Return the ports of the proxies that hooks start."""
    return tuple(dict.fromkeys(int(str(row["port"])) for row in _rows().values() if "port" in row))


def other_than(port: int, *addresses: str | None) -> str | None:
    """Return the first address that is not the proxy's own, which an agent behind it has in its environment."""
    own = {f"http://{host}:{port}" for host in ("127.0.0.1", "localhost")}
    return next((one for one in addresses if one and one.rstrip("/").removesuffix("/v1") not in own), None)


def proxy_status(address: str) -> dict[str, Any]:
    """Ask a proxy for its status.

    Raises:
        URLError, OSError: nobody answers; an `HTTPError` of 401 is a proxy that wants its token.
        ValueError: somebody else does.
    """
    token = os.environ.get("HOLDFAST_PROXY_TOKEN", "")
    request = Request(f"{address}/holdfast/status", headers={"x-holdfast-token": token} if token else {})  # noqa: S310  # http, on this machine
    with build_opener(ProxyHandler({})).open(request, timeout=SECONDS) as answer:
        value = json.loads(answer.read(10_000_000))
    if not isinstance(value, dict) or "counts" not in value or "mode" not in value:
        raise ValueError("it is no status")
    return value


def listener(port: int) -> tuple[str, int | None]:
    """Tell who listens on a port of this machine, "proxy", "other" or "", and the proxy's process where it says so."""
    try:
        return "proxy", proxy_status(f"http://127.0.0.1:{port}").get("pid")
    except HTTPError as error:
        return ("proxy" if error.code == _UNAUTHORISED else "other"), None
    except URLError as error:
        return ("" if isinstance(error.reason, ConnectionRefusedError) else "other"), None
    except (OSError, ValueError, HTTPException):
        return "other", None


def _rows() -> dict[str, dict[str, object]]:
    try:
        value = json.loads(start_file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
