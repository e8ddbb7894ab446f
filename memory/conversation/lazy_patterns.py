"""Regular expressions that are compiled when they are first used, so that a short-lived process compiles few."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


class LazyPattern:
    """A regular expression with the methods of a compiled one; if it is wrong, its first use raises `re.error`."""

    findall: Callable[..., list[str]]
    finditer: Callable[..., Iterator[re.Match[str]]]
    fullmatch: Callable[..., re.Match[str] | None]
    match: Callable[..., re.Match[str] | None]
    search: Callable[..., re.Match[str] | None]
    sub: Callable[..., str]

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self.pattern = pattern
        self.flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The compiled expression."""
        return re.compile(self.pattern, self.flags)

    def __getattr__(self, name: str) -> Any:
        """Hand on what a compiled expression has; from then on it is an attribute."""
        value = self.__dict__[name] = getattr(self.compiled, name)
        return value


def holds(text: str, signs: Iterable[str]) -> bool:
    """Tell whether one of the signs stands in a text."""
    return any(sign in text for sign in signs)
