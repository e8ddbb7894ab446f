"""Listen and serve until interrupted."""

from __future__ import annotations

import socket
from dataclasses import replace
from typing import TYPE_CHECKING

import uvicorn

from condense.apps.panel.app import panel_app
from condense.apps.panel.state import Panel

if TYPE_CHECKING:
    from collections.abc import Callable

    from condense.apps.panel.state import PanelSettings


def serve(settings: PanelSettings, *, ready: Callable[[str], None] = lambda _: None) -> None:
    """Serve the panel until interrupted; `ready` is told the address to open once it listens.

    Raises:
        OSError: the port is taken, or there is no such host.
    """
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.create_server((settings.host, settings.port), family=family) as listening:
        settings = replace(settings, port=listening.getsockname()[1])
        config = uvicorn.Config(
            panel_app(Panel(settings)),
            log_config=None,
            access_log=False,
            lifespan="on",
            ws="none",
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
        )
        host = f"[{settings.host}]" if family is socket.AF_INET6 else settings.host
        ready(f"http://{host}:{settings.port}/?token={settings.token}")
        uvicorn.Server(config).run(sockets=[listening])
