"""What a ledger is filled from: a history, the newest units that are kept of it, and what is read off it, once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from textwrap import wrap
from typing import TYPE_CHECKING

from condense.ledger.units import UnitKind
from condense.lines import END, quoted_files, score_history
from condense.reading import Artifacts, even_share, reduce_output
from memory.conversation import Message, PartKind, Role, count_message, make_text, replace_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from condense.config import CondenseConfig
    from condense.ledger.document import Excerpt, Ledger
    from condense.ledger.history import Carried, History
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
    answers: set[int] = field(default_factory=set)  # opened messages that are the assistant's words in them

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
            self.answers.update(range(len(opened), len(opened) + len(ledgers[i].answers)))
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


NEWEST_SHARE, OLDER_SHARE = 0.8, 0.15
"""Share of the tail's room that one output of the newest unit, and of the units before it, may take; chosen."""
MARK, SMALL = 16, 200  # tokens of the handle of what was cut, and of an output that is never reduced; chosen


@dataclass(frozen=True, slots=True)
class Tail:
    """The kept end of a history."""

    start: int  # index of its first message; the history's length when nothing is kept
    reduced: Mapping[int, Message]  # messages of it whose outputs were cut, by index
    tokens: int  # as it will be sent
    sizes: Mapping[int, int]  # tokens of each of its messages, by index


def choose_tail(history: History, room: int, count: TokenCounter, language: str, whole: int = 0) -> Tail:
    """Keep as many of the newest units as fit, from a legal cut on; an earlier ledger ends it.

    They are reduced, all but the `whole` newest messages.
    """
    best = Tail(len(history.messages), {}, 0, {})
    first = max((unit.end for unit in history.units if unit.kind is UnitKind.CONTEXT), default=0)
    share = NEWEST_SHARE
    for cut in reversed([c for c in history.cuts if first <= c < len(history.messages)]):
        reduced, sizes = dict(best.reduced), dict(best.sizes)
        for i in range(cut, best.start):
            limit = room if i >= len(history.messages) - whole else max(SMALL, int(room * share))
            message, sizes[i] = _within(history, i, limit, count, language)
            reduced |= {i: message} if message is not None else {}
        total = sum(sizes.values())
        if total > room:
            break
        best, share = Tail(cut, reduced, total, sizes), OLDER_SHARE
    return best


def widen_tail(history: History, tail: Tail, spare: int, count: TokenCounter, language: str) -> Tail:
    """Keep `spare` more tokens of the newest messages: first what was cut of them, up to the same size, then older."""
    if not tail.reduced:
        wider = choose_tail(history, tail.tokens + spare, count, language)
        return wider if wider.start <= tail.start else tail
    results = {i: [count(part.text) for part in history.messages[i].results] for i in tail.reduced}
    every = [size for own in results.values() for size in own]
    bare = sum(history.tokens[i] for i in results) - sum(every)
    room = spare + sum(tail.sizes[i] for i in results) - bare - MARK * len(every)
    limit = max(SMALL, even_share(every, room))
    reduced, sizes = dict(tail.reduced), dict(tail.sizes)
    for i in tail.reduced:
        message, size = _within(history, i, limit, count, language)
        if size > sizes[i]:
            del reduced[i]
            reduced |= {i: message} if message is not None else {}
            sizes[i] = size
    wider = Tail(tail.start, reduced, sum(sizes.values()), sizes)
    return wider if wider.tokens <= tail.tokens + spare else tail


def _within(
    history: History, index: int, limit: int, count: TokenCounter, language: str
) -> tuple[Message | None, int]:
    message, size = history.messages[index], history.tokens[index]
    changes = {}
    for k, part in enumerate(message.parts if size > limit else ()):
        if part.kind is PartKind.TOOL_RESULT and count(part.text) > limit:
            cut = reduce_output(part.text, budget_tokens=limit, count=count, language=language)
            changes[k] = replace(part, text=f"{cut}\n[{history.handle(index)}]")
    smaller = replace_parts(message, changes) if changes else message
    new_size = count_message(smaller, count) if changes else size
    return (smaller, new_size) if new_size < size else (None, size)
