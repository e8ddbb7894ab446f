"""The panel: a page on this machine that shows what was kept, dropped and remembered, and lets a person decide."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.panel.app import panel_app
    from condense.apps.panel.asking import refused_route, routes_of
    from condense.apps.panel.routes import ENDPOINTS, THREAD_ENDPOINTS, Threads
    from condense.apps.panel.running import serve
    from condense.apps.panel.state import Panel, PanelSettings
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "app": "panel_app",
            "asking": "refused_route routes_of",
            "routes": "ENDPOINTS THREAD_ENDPOINTS Threads",
            "running": "serve",
            "state": "Panel PanelSettings",
        },
    )
