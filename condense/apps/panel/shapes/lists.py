"""Lists and times, as all answers have them."""

from __future__ import annotations

from typing import Generic, TypeVar

from typing_extensions import TypedDict  # pydantic's; the standard one is read from Python 3.12 on

T = TypeVar("T")
Time = str | None
"""ISO 8601 in UTC; None where it is not known."""


class Listed(TypedDict, Generic[T]):
    """One page of a list; `next` is the `cursor` of the page behind it."""

    items: list[T]
    total: int
    next: str | None
