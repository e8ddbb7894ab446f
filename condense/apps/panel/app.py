"""The panel as an application: its pages, its endpoints, its guards."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jinja2 import Environment, FileSystemLoader
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from condense.apps.panel.asking import Problem, handled, language_in, refused
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

    routes: list[Any] = [Route("/", shell)]
    for endpoint in ENDPOINTS:
        serve = partial(_served, panel, endpoint)
        routes.append(Route(endpoint.path, serve, methods=[endpoint.method]))
    routes.append(Mount("/static", StaticFiles(directory=HERE / "static")))
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: _refused})
    settings = panel.settings
    return Guards(
        app,
        token=settings.token,
        cookie=f"holdfast-{settings.port}",
        hosts=(settings.host, f"[{settings.host}]"),
    )


async def _served(panel: Panel, endpoint: Any, request: Request) -> Response:
    return await handled(panel, endpoint, request)


async def _refused(request: Request, error: Exception) -> Response:
    path = request.url.path
    status = error.status_code if isinstance(error, HTTPException) else 500
    problem = Problem(404, "no_route", "path", path=path)
    if status == 405:  # noqa: PLR2004
        allowed = (error.headers or {}).get("Allow", "") if isinstance(error, HTTPException) else ""
        problem = Problem(405, "no_method", "method", path=path, allowed=allowed, method=request.method)
    return refused(problem, language_in(request), documented=not path.startswith("/api/v1/"))
