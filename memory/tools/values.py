"""What a tool is, what it takes, what it returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call returned: a text for the model (what comes out of memory in a labelled block), the same for programs.

    `value` is None where the text says it all. `is_error`: it could not be done; the text says why and what would be
    right.
    """

    text: str
    value: dict[str, Any] | None = None
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool: name, description and JSON schema of its arguments for the model.

    `run` does it, given arguments that fit the schema; it raises `ValueError` or `MemoryFailure` where it cannot. A
    tool `writes` where it changes something, and `erases` where it takes something away.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    run: Callable[[Mapping[str, Any]], ToolResult] = field(repr=False)
    writes: bool = False
    erases: bool = False


def text_field(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a text."""
    return {"type": "string", "description": description, **more}


def number_field(description: str, **more: Any) -> dict[str, Any]:
    """Return the schema of a whole number, 1 or more where nothing else is said."""
    return {"type": "integer", "description": description, "minimum": 1, **more}


def tool(
    name: str,
    description: str,
    required: tuple[str, ...] = (),
    /,
    *,
    writes: bool = False,
    erases: bool = False,
    **properties: dict[str, Any],
) -> Callable[[Callable[[Mapping[str, Any]], ToolResult]], Tool]:
    """Return what makes a function a tool with these arguments and no others."""
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": list(required)}
    schema["additionalProperties"] = False
    return lambda run: Tool(name, description, schema, run, writes, erases)


def read_arguments(schema: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments that fit a schema made of the functions above, defaults filled in; else raise `ValueError`.

    A number written as text is taken as the number; None counts as left out.
    """
    properties: Mapping[str, Mapping[str, Any]] = schema["properties"]
    for name in given:
        if name not in properties:
            known = ", ".join(map(repr, properties)) or "none"
            raise ValueError(f"there is no argument {name!r}; it should be one of: {known}")
    read: dict[str, Any] = {}
    for name, wanted in properties.items():
        value = given.get(name)
        if value is not None:
            read[name] = (_number if wanted["type"] == "integer" else _text)(name, value, wanted)
        elif "default" in wanted:
            read[name] = wanted["default"]
        elif name in schema["required"]:
            raise ValueError(f"the argument {name!r} is missing: {wanted['description']}")
    return read


def _text(name: str, value: Any, wanted: Mapping[str, Any]) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} is {value!r}; it should be a text")  # noqa: TRY004  # a wrong value, told to the model
    if len(value) > wanted.get("maxLength", len(value)):
        most = f"it should have {wanted['maxLength']:,} at most: keep what matters, and put longer texts into a file"
        raise ValueError(f"{name} has {len(value):,} characters; {most}")
    if value not in wanted.get("enum", [value]):
        raise ValueError(f"{name} is {value!r}; it should be one of: {', '.join(wanted['enum'])}")
    return value


def _number(name: str, value: Any, wanted: Mapping[str, Any]) -> int:
    if isinstance(value, str) and value.strip().removeprefix("-").isdecimal() and len(value) <= 12:  # noqa: PLR2004  # no number that anybody means is longer
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{name} is {value!r}; it should be a whole number")  # noqa: TRY004  # as above
    if not wanted["minimum"] <= value <= wanted.get("maximum", value):
        upper = f" to {wanted['maximum']}" if "maximum" in wanted else " or more"
        raise ValueError(f"{name} is {value!r}; it should be {wanted['minimum']}{upper}")
    return value
