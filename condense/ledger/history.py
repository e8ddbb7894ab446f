"""A history as the planner sees it: messages with their tokens, units, and what an earlier compaction carried over."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from condense.ledger.assistant_text import answered_line, put_line, spoken
from condense.ledger.document import Ledger, Said, read_ledger
from condense.ledger.units import Unit, UnitKind, group_units, units_and_cuts
from condense.reading import content_handle
from memory.conversation import (
    Message,
    PartKind,
    Role,
    canonical_json,
    clients_parts,
    count_message,
    expansions,
    has_echo,
    relayed_in,
    replace_parts,
    typed_spans,
    typed_text,
    without_wrappers,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memory.conversation import Part, TokenCounter, TypedSpan

_SYSTEM, _OPAQUE = Role.SYSTEM, PartKind.OPAQUE
CARRIED = frozenset({"compaction", "compaction_summary", "context_compaction", "item_reference"})
"""Opaque parts that stand for history we cannot see (compaction by a provider): kept, never folded."""


@dataclass(frozen=True, slots=True)
class History:
    """What one compaction looks at.

    Attributes:
        messages: the history, in order.
        tokens: of each message.
        units: how they belong together.
        cuts: where a kept tail may begin, ascending.
        staying: what is kept whatever happens, by index, with its tokens: instructions, and of messages that hold parts
            which stand for unseen history these parts.
        handles: of messages, as far as they were asked for.
    """

    messages: tuple[Message, ...]
    tokens: tuple[int, ...]
    units: tuple[Unit, ...]
    cuts: tuple[int, ...]
    staying: dict[int, tuple[Message, int]]
    handles: dict[int, str] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(
        cls, messages: Sequence[Message], count: TokenCounter, tokens: Sequence[int] | None = None
    ) -> History:
        """Look at a history; linear, one token count a message unless `tokens` brings them."""
        sizes = tuple(tokens) if tokens is not None else tuple(count_message(m, count) for m in messages)
        staying = {
            i: (kept, size if kept is message else count_message(kept, count))
            for i, (message, size) in enumerate(zip(messages, sizes, strict=True))
            if (kept := _staying(message)) is not None
        }
        return cls(tuple(messages), sizes, *units_and_cuts(messages), staying)

    @property
    def total(self) -> int:
        """Tokens of all messages."""
        return sum(self.tokens)

    def handle(self, index: int) -> str:
        """The handle under which a message's original is archived, as it came in; worked out when first asked for."""
        handle = self.handles.get(index)
        if handle is None:
            handle = self.handles[index] = content_handle(canonical_json(self.messages[index].original))
        return handle

    def must_stay(self, index: int) -> bool:
        """Say whether a message is kept whole whatever happens."""
        return index in self.staying and self.staying[index][0] is self.messages[index]


def _staying(message: Message) -> Message | None:
    """What of a message is kept whatever happens; None where nothing is."""
    if message.role is _SYSTEM:
        return message
    rest = {
        k: None
        for k, part in enumerate(message.parts)
        if part.kind is not _OPAQUE or part.name not in CARRIED
    }
    if len(rest) == len(message.parts):
        return None
    return replace_parts(message, rest)


def digest_chain(messages: Sequence[Message], start: str = "") -> list[str]:
    """Name every prefix: element `i` names `messages[:i + 1]` (continuing from the name `start`)."""
    return list(
        accumulate(
            messages,
            lambda name, m: blake2b((name + m.digest).encode(), digest_size=16).hexdigest(),
            initial=start,
        )
    )[1:]


@dataclass(frozen=True, slots=True)
class Carried:
    """What earlier compactions of ours, found in a history, bring along.

    Attributes:
        ledgers: them, read back, oldest first, with the index of their message.
        said: what a person typed, older ledgers' quotes included, numbered anew, each with the index of the message
            that holds it.
        notes: texts in the user role that a client wrote: instructions of skills, summaries, errors; the same way.
        brief: where no person typed anything: the task as a program gave it, with its message's index.
    """

    ledgers: tuple[tuple[int, Ledger], ...]
    said: tuple[tuple[int, Said], ...]
    notes: tuple[tuple[int, Said], ...] = ()
    brief: tuple[int, Said] | None = None

    @property
    def guidance(self) -> list[str]:
        """What the person typed, and the project's instructions: a document that is named in it is one to go by."""
        instructions = [note.text for _, note in self.notes if INSTRUCTIONS.match(note.text)]
        return [*(said.text for _, said in self.said), *instructions]


def carried_over(history: History) -> Carried:
    """Collect the typed messages of a history and the contents of our own blocks in it; linear."""
    ledgers: list[tuple[int, Ledger]] = []
    said: list[tuple[int, Said]] = []
    notes: list[tuple[int, Said]] = []
    for unit in history.units:
        message = history.messages[unit.start]
        if unit.kind is UnitKind.CONTEXT:
            ledger = read_ledger(message.text)
            if ledger is not None:
                ledgers.append((unit.start, ledger))
                older = [*ledger.earlier, *((ledger.latest,) if ledger.latest else ())]
                said += [(unit.start, s) for s in older]
            notes += [(unit.start, s) for s in ledger.notes] if ledger is not None else ()
        elif unit.kind in (UnitKind.TYPED, UnitKind.NOTE) and (text := request_text(message)):
            number = said[-1][1].number + 1 if said else 1
            of_kind = said if unit.kind is UnitKind.TYPED else notes
            answers = answered_line(text, _said_before(history, unit.start))
            of_kind.append((unit.start, Said(number, text, history.handle(unit.start), answers)))
        elif unit.kind is UnitKind.TURN:
            for i, text, answers in _typed_between(history, unit):
                number = said[-1][1].number + 1 if said else 1
                said.append((i, Said(number, text, history.handle(i), answers)))
        if unit.kind is not UnitKind.CONTEXT:
            number = said[-1][1].number if said else 1
            notes += [(i, Said(number, text, history.handle(i))) for i, text in _expanded(history, unit)]
    return Carried(tuple(ledgers), tuple(said), tuple(notes), None if said else _brief(history, ledgers))


def _expanded(history: History, unit: Unit) -> Iterator[tuple[int, str]]:
    """What the slash commands and skills of a unit stand for, where it stands in their messages."""
    for i, message in enumerate(history.messages[unit.start : unit.end], unit.start):
        if message.role is Role.USER:
            for k in sorted(expansions(message.parts)):
                yield i, message.parts[k].text.strip()


def _said_before(history: History, index: int) -> str:
    """What the assistant said in the message right before one; "" where another stands there."""
    before = history.messages[index - 1] if index else None
    return spoken(before) if before is not None and before.role is Role.ASSISTANT else ""


def _typed_between(history: History, unit: Unit) -> Iterator[tuple[int, str, str]]:
    """What a person typed in the messages that hand over results, and the line it answers.

    A word thrown in while the agent works, or what was said through a tool (`provenance.tool_answers`).
    """
    messages = history.messages[unit.start : unit.end]
    calls = {call.call_id: call for message in messages for call in message.calls}
    for i, message in enumerate(messages, unit.start):
        if not message.results:
            continue
        spans = typed_spans(message)
        for k in dict.fromkeys(span.part for span in spans):
            part = message.parts[k]
            if part.kind is PartKind.TEXT:
                if text := without_wrappers(part.text):
                    yield i, text, ""
                continue
            own = [span for span in spans if span.part == k]
            for question, group in groupby(own, key=_question(part, calls.get(part.call_id))):
                text = "\n".join(span.text for span in group)
                yield i, text, answered_line(text, question) or put_line(text, question)


def _question(result: Part, call: Part | None) -> Callable[[TypedSpan], str]:
    """What each span of a result answers."""
    said = relayed_in(result, call)
    return lambda span: next((one.question for one in said if one.start <= span.start < one.end), "")


def request_text(message: Message) -> str:
    """A user message as it is quoted: all its text but the blocks that clients write into it.

    Project instructions that a client hands over (AGENTS.md and the like) are quoted with their wrapper, slash commands
    without what they stand for; where results stand among the texts, only what was typed is, if anything was.
    """
    if has_echo(message) and (typed := typed_text(message)):
        return typed
    by_client = clients_parts(message.parts)
    return "\n".join(
        text
        for k, part in enumerate(message.parts)
        if part.kind is PartKind.TEXT
        and k not in by_client
        and (text := part.text.strip() if INSTRUCTIONS.match(part.text) else without_wrappers(part.text))
    )


INSTRUCTIONS = re.compile(r"\s{0,20}(?:# (?:AGENTS|CLAUDE|GEMINI)\.md|<user_instructions>|<INSTRUCTIONS>)")
"""How project instructions begin that a client puts into the user role."""


DEMONSTRATION = re.compile(r"\s{0,20}Here is a demonstration of how to\b")
"""How a worked example begins that a harness shows before the task (SWE-agent): it is about another task."""
BRIEF_WITHIN = 6
"""A task given by a program stands among this many first messages; chosen (demonstrations may precede it)."""


def _brief(history: History, ledgers: Sequence[tuple[int, Ledger]]) -> tuple[int, Said] | None:
    for i, ledger in ledgers:
        if ledger.brief is not None:
            return i, ledger.brief
    at = brief_at(history.messages)
    return None if at is None else (at, Said(1, history.messages[at].text.strip(), history.handle(at)))


def brief_at(messages: Sequence[Message]) -> int | None:
    """Where a program gave the task, in a history in which no person typed anything; None where it gave none."""
    notes = [u.start for u in group_units(messages[:BRIEF_WITHIN]) if u.kind is UnitKind.NOTE]
    texts = ((i, messages[i].text.strip()) for i in reversed(notes))
    return next((i for i, text in texts if text and not text.startswith(("<", "["))), None)
