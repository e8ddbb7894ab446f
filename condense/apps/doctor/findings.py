"""What a check finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """OK: on, and well; OFF: not in use; NOTE: it works, but look at it; BROKEN: it does not do what it is for."""

    OK = "ok"
    OFF = "off"
    NOTE = "note"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        area: what it belongs to, such as "store".
        name: what it is, such as a path, a client, an extra.
        state: how it is.
        told: what was found.
        mend: how to mend it, or to switch it on; "" where there is nothing to do.
    """

    area: str
    name: str
    state: State
    told: str
    mend: str = ""
