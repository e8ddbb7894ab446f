"""The OpenAPI document of all endpoints, made from their table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from condense.apps.panel.asking import Asked, Endpoint
from condense.apps.panel.openapi import document_of

if TYPE_CHECKING:
    from condense.apps.panel.state import Panel


def document(panel: Panel, _: Asked) -> Any:
    """Describe all endpoints."""
    from condense.apps.panel.routes import ENDPOINTS as every  # noqa: N811  # this one is in it

    return panel.remembered("openapi", lambda: document_of(every))


ENDPOINTS: Final = (
    Endpoint(
        "GET",
        "/api/v1/openapi.json",
        "This document",
        document,
        dict[str, Any],
        example={"openapi": "3.1.0", "info": {"title": "holdfast panel", "version": "0.1.0"}, "paths": {}},
    ),
)
