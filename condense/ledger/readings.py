"""What a ledger is filled from: a history, and what is read off it, once, however often it is tried to fit."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from textwrap import wrap
from typing import TYPE_CHECKING

from condense.lines import END, quoted_files, score_history
from condense.reading import (
    Artifacts,
    stale_results,
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


@dataclass(eq=False)
class HistoryReading:
    """A history as ledgers are filled from it; each part is read when it is first asked for."""

    history: History
    carried: Carried
    artifacts: Artifacts  # of its tool calls
    outlines: set[int] = field(default_factory=set)  # opened messages that are outlines of earlier ledgers

    @cached_property
    def opened(self) -> tuple[list[Message], list[tuple[int, Excerpt | None]]]:
        """The messages with our earlier blocks opened, and for each where it comes from."""
        opened: list[Message] = []
        origin: list[tuple[int, Excerpt | None]] = []
        ledgers = dict(self.carried.ledgers)
        for i, message in enumerate(self.history.messages):
            if i not in ledgers:
                opened.append(message)
                origin.append((i, None))
                continue
            for excerpt in (*ledgers[i].answers, *ledgers[i].excerpts):
                opened.append(make_text(message.form, Role.ASSISTANT, excerpt.body))
                origin.append((i, excerpt))
            if names := ledgers[i].names:
                self.outlines.add(len(opened))
                opened.append(make_text(message.form, Role.ASSISTANT, opened_outline(names)))
                origin.append((i, None))
        return opened, origin

    @cached_property
    def opened_places(self) -> dict[str, int]:
        """Index of each opened message, by digest."""
        return {message.digest: i for i, message in enumerate(self.opened[0])}

    @cached_property
    def places(self) -> dict[str, int]:
        """Index of each message, by digest."""
        return {message.digest: i for i, message in enumerate(self.history.messages)}

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


LONGEST_OPENED = 380  # characters of a line; longer ones are read in pieces (`lines.text_lines`)


def opened_outline(lines: Iterable[str]) -> str:
    """The text of an earlier outline as it is read again: no line so long that it is read in pieces."""
    out = []
    for line in lines:
        place, _, names = line.partition(END)
        width = max(1, LONGEST_OPENED + 1 - len(place))
        pieces = wrap(names, width, break_long_words=False, break_on_hyphens=False) or [""]
        out += [f"{place}{END}{piece}" for piece in pieces]
    return "\n".join(out)


@dataclass(frozen=True, slots=True)
class Filling:
    """What a ledger is made from: the history, what older ledgers bring, what stays, and what is read off it."""

    history: History
    carried: Carried
    tail: Tail
    reading: HistoryReading
    room: int  # tokens for the ledger
    target: int  # tokens of the whole compaction
    language: str
    config: CondenseConfig
    count: TokenCounter
    memories: tuple[MemoryEntry, ...] = ()
    project: tuple[str, ...] = ()
    focus: tuple[Excerpt, ...] = ()
    narrative: str = ""


@dataclass(frozen=True, slots=True)
class Filled:
    """A ledger, and how much of each folded message stands in it."""

    ledger: Ledger
    shown: Mapping[int, int] = field(default_factory=dict)  # tokens of a message's text in it, by index
    said: frozenset[str] = frozenset()  # handles of typed messages that stand in it verbatim
