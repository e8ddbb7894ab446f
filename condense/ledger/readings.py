"""What a ledger is filled from: a history, and what is read off it, once, however often it is tried to fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from condense.lines import END, quoted_files, score_history
from condense.reading import (
    Artifacts,
    stale_results,
    typed_language,
)
from memory.conversation import Message, PartKind, Role, make_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from condense.config import CondenseConfig
    from condense.ledger.document import Excerpt, Ledger
    from condense.ledger.history import Carried, History
    from condense.ledger.tail import Tail
    from condense.lines import ScoredHistory
    from memory.conversation import TokenCounter
    from memory.entries import MemoryEntry


class HistoryReading:
    """A history as ledgers are filled from it; each part is read when it is first asked for.

    It is made of the history, what earlier compactions in it bring, and what its tool calls did.
    """

    def __init__(self, history: History, carried: Carried, artifacts: Artifacts) -> None:
        self.artifacts = artifacts
        self._history = history
        self._carried = carried
        self.outlines: set[int] = set()

    @cached_property
    def opened(self) -> tuple[list[Message], list[tuple[int, Excerpt | None]]]:
        """The messages with our earlier blocks opened, and for each where it comes from."""
        opened: list[tuple[Message, tuple[int, Excerpt | None]]] = []
        ledgers = dict(self._carried.ledgers)
        for i, message in enumerate(self._history.messages):
            if i not in ledgers:
                opened.append((message, (i, None)))
                continue
            opened += [
                (make_text(message.form, Role.ASSISTANT, excerpt.body), (i, excerpt))
                for excerpt in (*ledgers[i].answers, *ledgers[i].excerpts)
            ]
            if names := ledgers[i].names:
                self.outlines.add(len(opened))
                opened.append((make_text(message.form, Role.ASSISTANT, opened_outline(names)), (i, None)))
        return [message for message, _ in opened], [origin for _, origin in opened]

    @cached_property
    def places(self) -> dict[str, int]:
        """Index of each message, by digest."""
        return {message.digest: i for i, message in enumerate(self._history.messages)}

    @cached_property
    def tongue(self) -> str:
        """The language the person types in (`typed_language`)."""
        return typed_language([said.text for _, said in self._carried.said])

    @cached_property
    def scored(self) -> ScoredHistory:
        """The lines of the opened messages, scored."""
        messages, origin = self.opened
        scored = score_history(messages)
        for source in scored.view.sources:
            quote = origin[source.message][1]
            if quote is not None:
                source.shows = quoted_files(quote.heading, quote.body)
        return scored

    @cached_property
    def outdated(self) -> set[int]:
        """The opened messages all of whose results a later one says again, or a later edit made untrue."""
        messages = self.opened[0]
        stale = stale_results(messages)
        found = set()
        for i, message in enumerate(messages):
            results = [k for k, part in enumerate(message.parts) if part.kind is PartKind.TOOL_RESULT]
            if results and all((message.digest, k) in stale for k in results):
                found.add(i)
        return found


LONGEST_OPENED = 380
"""Characters of a line of an earlier outline when it is read again; longer ones are read in pieces (`text_lines`)."""


def opened_outline(lines: Iterable[str]) -> str:
    """The text of an earlier outline as it is read again: no line so long that it is read in pieces."""
    out = []
    for line in lines:
        place, _, entries = line.partition(END)
        own = ""
        for entry in entries.split(" "):
            if own and len(place) + len(own) + len(entry) > LONGEST_OPENED:
                out.append(f"{place}{END}{own}")
                own = ""
            own = f"{own} {entry}" if own else entry
        out.append(f"{place}{END}{own}")
    return "\n".join(out)


@dataclass(frozen=True, slots=True)
class Filling:
    """What a ledger is made from: the history, what older ledgers bring, what stays as messages, what is read off it.

    `room` are the tokens for the ledger, `target` those of the whole compaction; the rest is as in the request.
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
