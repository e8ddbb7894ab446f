"""The value of one effect of a shell command on a file, a folder or an address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.reading.calls import ToolAction


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect of a command.

    Attributes:
        action: READ, SEARCH, LIST, CREATE, EDIT, DELETE or FETCH.
        target: the path, seen from the starting folder where that is known; for FETCH the address.
        how: the command that does it ("sed -i", ">", "git rm").
        lines: READ: first and last line shown, None for all.
        text: CREATE, EDIT: what is written, "" where the command does not say.
        old: EDIT by patch: what is removed.
        moved_to: the new path of what is moved away (action DELETE).
    """

    action: ToolAction
    target: str
    how: str
    lines: tuple[int, int] | None = None
    text: str = ""
    old: str = ""
    moved_to: str | None = None
