"""The table of endpoints as an OpenAPI document."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from condense.apps.panel.events import EVENTS
from condense.apps.panel.values import release

if TYPE_CHECKING:
    from collections.abc import Iterable

    from condense.apps.panel.asking import Endpoint

_NAMED: Final = re.compile(r"\{(\w+)(?::(\w+))?\}")
TEMPLATE: Final = "#/components/schemas/{model}"
OUR_ERROR: Final = {
    "type": "object",
    "required": ["error"],
    "properties": {
        "error": {
            "type": "object",
            "required": ["code", "message", "where"],
            "properties": {name: {"type": "string"} for name in ("code", "message", "where")},
        }
    },
}
THEIR_ERROR: Final = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "string"}},
}


def document_of(endpoints: Iterable[Endpoint]) -> dict[str, Any]:
    """Return the document."""
    schemas: dict[str, Any] = {"Error": OUR_ERROR, "DocumentedError": THEIR_ERROR}
    paths: dict[str, Any] = {EVENTS: {"get": _events()}}
    for endpoint in endpoints:
        paths.setdefault(_NAMED.sub(r"{\1}", endpoint.path), {})[endpoint.method.lower()] = _operation(
            endpoint, schemas
        )
    return {
        "openapi": "3.1.0",
        "info": {"title": "holdfast panel", "version": release()},
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": dict(sorted(schemas.items())),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "holdfast-PORT"},
            },
        },
        "security": [{"token": []}, {"cookie": []}],
    }


def _operation(endpoint: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    kind = "DocumentedError" if endpoint.documented else "Error"
    answer = {"schema": schema_of(endpoint.gives, schemas), "example": endpoint.example}
    error = {"schema": {"$ref": TEMPLATE.format(model=kind)}}
    value: dict[str, Any] = {
        "summary": endpoint.about,
        "operationId": f"{endpoint.method.lower()} {endpoint.path}",
        "parameters": [*_of_path(endpoint.path), *_of_query(endpoint, schemas)],
        "responses": {
            "200": {"description": "Done", "content": {"application/json": answer}},
            "default": {"description": "Not done", "content": {"application/json": error}},
        },
    }
    if endpoint.body is not None:
        given = {"schema": schema_of(endpoint.body, schemas, "validation"), "example": endpoint.asks}
        value["requestBody"] = {"content": {"application/json": given}}
    return value


def schema_of(kind: Any, schemas: dict[str, Any], mode: Any = "serialization") -> dict[str, Any]:
    """Return the schema of a type; those that it names go to `schemas`."""
    schema = TypeAdapter(kind).json_schema(ref_template=TEMPLATE, mode=mode)
    schemas.update(schema.pop("$defs", {}))
    return schema


def _of_path(path: str) -> list[dict[str, Any]]:
    return [
        {
            "name": found[1],
            "in": "path",
            "required": True,
            "schema": {"type": "integer" if found[2] == "int" else "string"},
        }
        for found in _NAMED.finditer(path)
    ]


def _of_query(endpoint: Endpoint, schemas: dict[str, Any]) -> list[dict[str, Any]]:
    schema = schema_of(endpoint.query, schemas, "validation")
    rows: list[dict[str, Any]] = [{"name": "lang", "in": "query", "schema": {"enum": ["en", "zh"]}}]
    for name, of_it in schema.get("properties", {}).items():
        row = {"name": name, "in": "query", "schema": of_it, "required": name in schema.get("required", ())}
        rows.append(row | ({"style": "form", "explode": False} if of_it.get("type") == "array" else {}))
    return rows


def _events() -> dict[str, Any]:
    said = "Events `changed` ({project, what: memories|records|notes|sessions, version}) and `ping`"
    stream = {"text/event-stream": {"schema": {"type": "string"}}}
    return {"summary": said, "responses": {"200": {"description": "A stream", "content": stream}}}
