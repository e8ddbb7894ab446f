"""The HTTP proxy between an agent and its provider. An edge, behind extra `proxy`."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.apps.proxy.running import serve
    from condense.apps.proxy.server import Proxy
    from condense.apps.proxy.settings import ProxySettings
    from condense.apps.proxy.status import Status
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__,
        {
            "running": "serve",
            "server": "Proxy",
            "settings": "ProxySettings",
            "status": "Status",
        },
    )
