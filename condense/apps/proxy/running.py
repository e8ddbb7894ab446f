"""Listen and serve until interrupted."""

from __future__ import annotations

import logging
import socket
import sys
from typing import TYPE_CHECKING

import uvicorn

from condense.apps.proxy.server import Proxy
from condense.apps.proxy.status import Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from condense.apps.proxy.settings import ProxySettings


def serve(
    settings: ProxySettings,
    *,
    ready: Callable[[str], None] = lambda _: None,
    tell: Callable[[str], None] = lambda _: None,
) -> None:
    """Serve until interrupted.

    Args:
        settings: how it works.
        ready: told the address once it listens.
        tell: gets a line a compaction, and a line a failure.

    Raises:
        ValueError: others can reach it, and there is no token.
        OSError: the port is taken.
    """
    if settings.open_to_others and not settings.token:
        raise ValueError(f"host {settings.host!r} lets other machines in; give --token, or listen on 127.0.0.1")
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.create_server((settings.host, settings.port), family=family, backlog=1024) as listening:
        port = listening.getsockname()[1]
        name = f"[{settings.host}]" if ":" in settings.host else settings.host
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL + 1)  # failures are told by the status
        config = uvicorn.Config(
            Proxy(settings, Status(tell)),
            log_config=None,
            access_log=False,
            lifespan="on",
            ws="none",
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_keep_alive=120,  # clients keep connections longer than the usual five seconds
            timeout_graceful_shutdown=2,
        )
        sys.setswitchinterval(0.001)  # other streams go on while a compaction is written beside them
        ready(f"http://{name}:{port}")
        uvicorn.Server(config).run(sockets=[listening])
