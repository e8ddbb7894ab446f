"""The documented REST of threads as Starlette routes, for an app of yours: list, history, label, delete; extra `panel`.

Who may call it is up to the app that mounts the routes; bodies and answers are JSON, errors `{"error": "..."}`. The
panel serves the same routes, and the sessions of its machine with them.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException

from condense.apps.panel import THREAD_ENDPOINTS, Threads, refused_route, routes_of

if TYPE_CHECKING:
    from starlette.routing import Route

    from memory.entries import ThreadStore


def threads_routes(store: ThreadStore, **more: Any) -> list[Route]:
    """Return the routes over a store; `more` as for `condense.apps.panel.Threads`."""
    return routes_of(SimpleNamespace(threads=Threads(store, **more), heavy=None), THREAD_ENDPOINTS)


def threads_app(store: ThreadStore, **more: Any) -> Starlette:
    """Return an app of these routes alone, its errors JSON, too; `more` as for `threads_routes`."""
    return Starlette(routes=threads_routes(store, **more), exception_handlers={HTTPException: refused_route})
