"""Errors of `condense`, one tree under `CondenseFailure`.

Running a compaction never raises these for what it finds in a history: it hands back the original messages and says
why in `Condensation.error`, and a view in `Condenser.last_error`.
"""

from __future__ import annotations

import re
import warnings
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class CondenseFailure(Exception):  # noqa: N818  # the root of the tree, never raised itself
    """Anything that `condense` raises on purpose."""


class HandleError(CondenseFailure, LookupError):
    """A handle that names nothing here, or several things; asking again will not help."""


class ArchiveError(CondenseFailure):
    """The archive could not read or write; the cause is kept."""


class PlanMismatchError(CondenseFailure, ValueError):
    """A plan or record is applied to a history it was not made for."""


class RecordError(CondenseFailure, ValueError):
    """A serialized record is not one."""


class ViewError(CondenseFailure):
    """What `view` wanted to send could not be made: no compaction, or no valid one; the cause is kept, if there is."""


class SummarizerError(CondenseFailure):
    """A summariser gave no answer: refused, out of reach, over its limits, or broken.

    Its `reason` is in words, without keys or headers; `retriable`: asking the same again may help.
    """

    def __init__(self, reason: str, *, retriable: bool = False) -> None:
        self.reason, self.retriable = reason, retriable
        super().__init__(reason)


class Swallowed:
    """What was swallowed so that a call could go on: the newest is kept, and how many there were.

    `tell` (by default a `RuntimeWarning`) is called once for errors that read alike; what it raises goes through.
    """

    def __init__(self, tell: Callable[[Exception], object] | None = None) -> None:
        self.last: Exception | None = None
        self.number = 0
        self._tell = tell or _warn
        self._told: set[str] = set()

    def keep(self, error: Exception) -> None:
        """Keep an error, and tell of it."""
        self.last = error
        self.number += 1
        told = re.sub(r"[0-9]+", "", repr(error))
        if told not in self._told:
            self._told.add(told)
            self._tell(error)


def _warn(error: Exception) -> None:
    with suppress(RuntimeWarning):  # where warnings are errors, being kept has to do
        warnings.warn(f"Condenser.view: {type(error).__name__}: {error}", RuntimeWarning, stacklevel=4)


def check_type(name: str, value: object, kind: Any, right: str) -> None:
    """Refuse an argument of another type, which would work as something else than was meant, or fail only later."""
    if value is not None and not isinstance(value, kind):
        raise TypeError(f"{name} should be a {kind.__name__}, not {value!r}; say {right}")
