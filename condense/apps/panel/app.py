"""The panel as an application: its pages, its endpoints, its guards."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, FileSystemLoader
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from condense.apps.panel.asking import language_in, refused_route, routes_of
from condense.apps.panel.events import EVENTS
from condense.apps.panel.guards import Guards
from condense.apps.panel.routes import ENDPOINTS
from condense.apps.panel.values import release

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from condense.apps.panel.state import Panel

HERE: Final = Path(__file__).parent
SHELL: Final = "panel.html"


def panel_app(panel: Panel) -> ASGIApp:
    """Return the application of a panel."""
    pages = Environment(loader=FileSystemLoader(HERE / "templates"), autoescape=True)

    async def shell(request: Request) -> Response:
        shown = {"lang": language_in(request), "project": panel.key_of(None), "version": release()}
        return HTMLResponse(pages.get_template(SHELL).render(shown))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        yield
        panel.close()

    static = Mount("/static", StaticFiles(directory=HERE / "static"))
    routes = [Route("/", shell), Route(EVENTS, panel.events.served), *routes_of(panel, ENDPOINTS), static]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: refused_route})
    app.router.redirect_slashes = False  # a name in a path may end with one
    settings = panel.settings
    return Guards(
        app,
        token=settings.token,
        cookie=f"holdfast-{settings.port}",
        hosts=(settings.host, f"[{settings.host}]"),
    )
