"""The OpenAPI document: every route is in it, and what it promises is what is answered."""

from __future__ import annotations

import re

import pytest
from pydantic import TypeAdapter

from condense.apps.panel import ENDPOINTS

NAMES = [f"{one.method} {one.path}" for one in ENDPOINTS]


@pytest.fixture
def document(asking):
    return asking.get("/api/v1/openapi.json")


def test_every_route_that_is_served_is_described(asking, document):
    served = {
        (re.sub(r":\w+\}", "}", route.path), method)
        for route in asking.app.inner.routes
        for method in getattr(route, "methods", None) or ()
        if route.path.startswith("/api/") and method != "HEAD"
    }
    described = {(path, method.upper()) for path, of_it in document["paths"].items() for method in of_it}
    assert described == served
    assert len(NAMES) == len(set(NAMES))


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=NAMES)
def test_examples_are_what_the_types_say(endpoint):
    TypeAdapter(endpoint.gives).validate_python(endpoint.example, strict=True)
    if endpoint.body is not None:
        endpoint.body.model_validate(endpoint.asks)


def test_references_lead_somewhere(document):
    known = document["components"]["schemas"]
    for name in re.findall(r'"\$ref": ?"#/components/schemas/([^"]+)"', str(document).replace("'", '"')):
        assert name in known


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/projects",
        "/api/v1/memories",
        "/api/v1/memories?q=port",
        "/api/v1/overview?days=3",
        "/api/v1/graph",
        "/api/v1/sessions",
        "/api/v1/sessions/{session}",
        "/api/v1/sessions/{session}/messages",
        "/api/v1/sessions/{session}/messages/{index}",
        "/api/v1/notes",
        "/api/v1/notes/search?q=x",
        "/api/v1/settings",
        "/api/v1/install",
        "/api/v1/memories/{memory}",
        "/api/conversations",
        "/api/chat/history?thread_id={session}",
    ],
)
def test_answers_are_what_the_types_say(busy, path):
    session = busy.get("/api/v1/sessions?agent=claude-code")["items"][0]["id"]
    memory = busy.get("/api/v1/memories")["items"][0]["id"]
    plain = path.partition("?")[0]
    endpoint = next(
        one
        for one in ENDPOINTS
        if one.method == "GET" and re.sub(r"\{\w+(:\w+)?\}", "*", one.path) == re.sub(r"\{\w+\}", "*", plain)
    )
    answer = busy.get(path.format(session=session, memory=memory, index=1))
    TypeAdapter(endpoint.gives).validate_python(answer, strict=True)
