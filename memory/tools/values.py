"""What a tool is, and what it returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call returned.

    Attributes:
        text: for the model; what comes out of memory stands in a labelled block.
        value: the same as JSON, for programs; None where the text says it all.
        is_error: the call could not be done; the text says why and what would be right.
    """

    text: str
    value: dict[str, Any] | None = None
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool.

    Attributes:
        name, description: for the model.
        parameters: JSON schema of its arguments, an object.
        run: does it, given arguments that fit the schema; raises `ValueError` or `MemoryFailure` where it cannot.
        writes: it changes something.
        erases: it takes something away.
    """

    name: str
    description: str
    parameters: dict[str, Any]
    run: Callable[[Mapping[str, Any]], ToolResult] = field(repr=False)
    writes: bool = False
    erases: bool = False
