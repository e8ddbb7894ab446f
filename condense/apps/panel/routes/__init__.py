"""The endpoints of the panel, by subject."""

from condense.apps.panel.routes import memory_changes, memory_lists, session_views

ENDPOINTS = (
    *memory_lists.ENDPOINTS,
    *memory_changes.ENDPOINTS,
    *session_views.ENDPOINTS,
)
"""The one table: the app serves it, the OpenAPI document describes it."""
