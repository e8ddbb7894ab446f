"""What a ledger is filled from, and with."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from condense.config import CondenseConfig
    from condense.ledger.document import Ledger
    from condense.ledger.history import Carried, History
    from condense.ledger.readings import HistoryReading
    from condense.ledger.tail import Tail
    from memory.conversation import TokenCounter
    from memory.entries import MemoryEntry


@dataclass(frozen=True, slots=True)
class Filling:
    """What a ledger is made from.

    Attributes:
        history, carried, tail: what is folded, what older ledgers bring, what stays as messages.
        reading: what is read off the history, once.
        room: tokens for the ledger.
        target: tokens of the whole compaction.
        language, config, count, memories, project, narrative: as in the request.
    """

    history: History
    carried: Carried
    tail: Tail
    reading: HistoryReading
    room: int
    target: int
    language: str
    config: CondenseConfig
    count: TokenCounter
    memories: tuple[MemoryEntry, ...] = ()
    project: tuple[str, ...] = ()
    narrative: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """A ledger, and how much of each folded message stands in it.

    Attributes:
        ledger: the value.
        shown: tokens of a message's text that stand in the ledger, by index.
        said: handles of typed messages that stand in it verbatim.
    """

    ledger: Ledger
    shown: Mapping[int, int] = field(default_factory=dict)
    said: frozenset[str] = frozenset()
