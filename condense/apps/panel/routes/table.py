"""All endpoints of the panel, in one table."""

from condense.apps.panel.routes import (
    document,
    memory_changes,
    memory_lists,
    notes,
    overview,
    record_views,
    session_views,
    settings,
    threads,
)

ENDPOINTS = (
    *document.ENDPOINTS,
    *memory_lists.ENDPOINTS,
    *overview.ENDPOINTS,
    *memory_changes.ENDPOINTS,
    *session_views.ENDPOINTS,
    *record_views.ENDPOINTS,
    *notes.ENDPOINTS,
    *settings.ENDPOINTS,
    *threads.THREAD_ENDPOINTS,
)
"""The one table: the app serves it, the OpenAPI document describes it."""
