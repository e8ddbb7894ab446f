"""Errors of `condense`, one tree.

    CondenseFailure
    ├── HandleError(LookupError)         a handle names nothing in the archive, or more than one thing
    ├── ArchiveError                     the archive could not read or write
    ├── PlanMismatchError(ValueError)    a plan or record was made for another history
    ├── RecordError(ValueError)          a serialized record could not be read
    └── SummarizerError                  a model did not answer; the cause is kept

Running a compaction never raises these for what it finds in a history: it hands back the original messages and says
why in `Condensation.error`.
"""

from __future__ import annotations


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


class SummarizerError(CondenseFailure):
    """A summariser gave no answer: refused, out of reach, over its limits, or broken.

    Args:
        reason: what happened, in words, without keys or headers.
        retriable: asking the same again may help.
    """

    def __init__(self, reason: str, *, retriable: bool = False) -> None:
        self.reason = reason
        self.retriable = retriable
        super().__init__(reason)
