"""A history as the planner sees it: messages with their tokens, units, and what an earlier compaction carried over."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import accumulate, groupby
from typing import TYPE_CHECKING

from condense.ledger.document import BROKEN_OFF, Ledger, Said, read_ledger
from condense.ledger.units import Unit, UnitKind, units_and_cuts
from condense.reading import ToolAction, content_handle, row_of
from memory.conversation import (
    INSTRUCTIONS,
    Message,
    PartKind,
    Role,
    canonical_json,
    count_message,
    provenance_of,
    replace_parts,
    request_text,
    typed_spans,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.conversation import Message, Part, TokenCounter

_STEP_TITLE = re.compile(r"\*\*[^*\n]{1,120}\*\*")  # what some agents write in place of their thinking
LONGEST_REPLY, LONGEST_PICK, LONGEST_LINE, QUESTION_WITHIN = 40, 160, 240, 15
"""Characters of a reply that may say nothing without what it answers, of an option that was picked through a tool, and
of the line that is quoted; lines from the end of a message in which its question is looked for. Chosen."""
_ORDINAL_WORDS = "first 1st former 一|second 2nd latter 二|third 3rd 三|fourth 4th 四|fifth 5th 五"
_ORDINALS = {word: str(n) for n, words in enumerate(_ORDINAL_WORDS.split("|"), 1) for word in words.split()}
_PICK = re.compile(
    r"\W*(?:(?:let['’]?s|go|do|take|use|choose|pick|with|for|the|i(?:['’]d)?|want|prefer|option|choice|number|plan"
    r"|variant|opci[oó]n|opção|вариант|我?选择?|用|方案|选项|第)[\s:]*){0,5}"
    rf"(?P<mark>\d{{1,2}}|[a-h]|{'|'.join(_ORDINALS)})"
    r"(?:(?:[).、]|\s(?:one|option|please|pls|thanks)|[个個项種种条案吧。！])\s?){0,3}\W*",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"\W*(?:yes|yep|yeah|y|yup|ok(?:ay)?|sure|please do|do (?:it|that|so)|go (?:ahead|for it|on)|proceed|sounds good"
    r"|correct|right|exactly|agreed?|no|nope|n|not (?:now|yet)|don['’]?t|好的?|可以|行|要|是的?|对的?|嗯|同意|没问题"
    r"|不|不要|不用|不是|否|はい|いいえ|お願いします|да|нет|давай|sí|si|sim|não|oui|non|ja|nein|bitte|claro|vale"
    r"|(?:(?:do|fix|yes)\s)?(?:all|both)(?:\s(?:of\s)?(?:them|these|those|two|three|\d))?|都要|全部|両方)"
    r"(?:[\s,]{1,3}(?:please|pls|thanks|thank you|proceed|do (?:it|that)|go ahead|all|谢谢|吧|了)){0,3}\W*",
    re.IGNORECASE,
)
_OFFERS = re.compile(
    r"(?i)\bif you(?:['’]d)? (?:want|like|prefer|wish|need)|\b(?:let me know|ready to|happy to|say the word"
    r"|i(?: can| could| will|['’]ll) (?:also|now|next|then))\b|如果[你您]|[你您](?:想|需要)|需要我|我可以"
    r"|必要(?:なら|であれば)|よろしければ|если (?:хоти|хоче|нужно)|\bмогу\b|si (?:quieres|deseas)|se (?:quiser|desejar)"
)  # how an assistant offers what it could do


def spoken(message: Message) -> str:
    """What an assistant message says aloud and, unsigned, to itself; a report that it hands over by a tool, too."""
    wanted = [p.text for p in message.parts if p.kind in (PartKind.TEXT, PartKind.THINKING) and not p.signed]
    for call in message.calls:
        if is_report(call) and isinstance(call.arguments, dict):
            found = (call.arguments.get(key) for key in ("result", "message", "summary", "text"))
            wanted.append(next((text for text in found if isinstance(text, str)), ""))
    said = "\n".join(text.strip() for text in wanted if text.strip())
    return "" if _STEP_TITLE.fullmatch(said) else said


def is_report(call: Part) -> bool:
    """Whether a call hands over the closing report of a turn; a plan that is put forward is none."""
    name = call.name or ""
    return "plan" not in name.lower() and row_of(name).action is ToolAction.ANSWER


def answered_line(reply: str, before: str) -> str:
    """Return the line of the text before it that a short reply picks or answers; "" for most."""
    if len(reply) > LONGEST_REPLY:
        return ""
    lines = before.split("\n")
    if picked := _PICK.fullmatch(reply):
        said = picked["mark"].lower()
        mark = _ORDINALS.get(said) or (str(int(said)) if said.isdecimal() else said)
        named = rf"(?:(?:option|plan|方案|选项)\s?)?[(（]?{re.escape(mark)}(?:[).:：、．）]|\*\*)\s?\S"
        option = re.compile(rf"[ \t]{{0,8}}(?:[-*•]\s{{1,3}})?\W{{0,3}}{named}", re.IGNORECASE)
        return _shown(line for line in lines if option.match(line))
    if _AGREES.fullmatch(reply):
        newest = [line for line in reversed(lines) if line.strip()][:QUESTION_WITHIN]
        asked = [line for line in newest if "?" in line or "？" in line]
        at = next((k for k, line in enumerate(newest) if _OFFERS.search(line)), None)
        if asked or at is None:
            return _shown(iter(asked))
        led = newest[at::-1] if newest[at].rstrip().endswith((":", "：")) else newest[at : at + 1]
        return _shown(iter([" ".join(line.strip() for line in led)]))
    return ""


def _shown(lines: Iterator[str]) -> str:
    line = next(lines, "").strip()
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + " …"


CARRIED = frozenset({"compaction", "compaction_summary", "context_compaction", "item_reference"})
"""Opaque parts that stand for history we cannot see (compaction by a provider): kept, never folded."""


@dataclass(frozen=True, slots=True)
class History:
    """What one compaction looks at."""

    messages: tuple[Message, ...]
    tokens: tuple[int, ...]  # of each message
    units: tuple[Unit, ...]
    cuts: tuple[int, ...]  # where a kept tail may begin, ascending
    staying: dict[int, tuple[Message, int]]  # what is kept whatever happens, by index, with its tokens
    handles: dict[int, str] = field(default_factory=dict, compare=False, repr=False)  # as far as asked for

    @classmethod
    def of(cls, messages: Sequence[Message], count: TokenCounter, tokens: Sequence[int] | None = None) -> History:
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
        if index not in self.handles:
            self.handles[index] = content_handle(canonical_json(self.messages[index].original))
        return self.handles[index]

    def must_stay(self, index: int) -> bool:
        """Say whether a message is kept whole whatever happens."""
        return index in self.staying and self.staying[index][0] is self.messages[index]


def _staying(message: Message) -> Message | None:
    if message.role is Role.SYSTEM:
        return message
    carried = [part.kind is PartKind.OPAQUE and part.name in CARRIED for part in message.parts]
    rest = {k: None for k, stays in enumerate(carried) if not stays}
    return replace_parts(message, rest) if any(carried) else None


def digest_chain(messages: Sequence[Message], start: str = "") -> list[str]:
    """Name every prefix: element `i` names `messages[:i + 1]` (continuing from the name `start`)."""

    def name(before: str, message: Message) -> str:
        return blake2b((before + message.digest).encode(), digest_size=16).hexdigest()

    return list(accumulate(messages, name, initial=start))[1:]


@dataclass(frozen=True, slots=True)
class Carried:
    """What earlier compactions of ours, found in a history, bring along; all with the index of their message."""

    ledgers: tuple[tuple[int, Ledger], ...]  # read back, oldest first
    said: tuple[tuple[int, Said], ...]  # what a person typed, older ledgers' quotes included, numbered anew
    notes: tuple[tuple[int, Said], ...] = ()  # texts in the user role that a client wrote; the same way
    brief: tuple[int, Said] | None = None  # where no person typed anything: the task as a program gave it

    @property
    def guidance(self) -> list[str]:
        """What the person typed, and the project's instructions: a document that is named in it is one to go by."""
        instructions = [note.text for _, note in self.notes if INSTRUCTIONS.match(note.text)]
        return [*(said.text for _, said in self.said), *instructions]


_STOPS = r"\[Request interrupted by user|<turn_aborted>"
_STOPPED = re.compile(rf"\s{{0,9}}(?:{_STOPS})")


def is_stopped(message: Message) -> bool:
    """Whether a client (Claude Code, Codex) says in a message, before what was typed in it, that the person stopped."""
    typed = next((span.part for span in typed_spans(message)), len(message.parts))
    parts = message.parts[: typed + 1] if message.role is Role.USER else ()
    return any(part.kind is PartKind.TEXT and _STOPPED.match(part.text) for part in parts)


def carried_over(history: History) -> Carried:
    """Collect the typed messages of a history and the contents of our own blocks in it; linear."""
    ledgers: list[tuple[int, Ledger]] = []
    said: list[tuple[int, Said]] = []
    notes: list[tuple[int, Said]] = []

    def add(to: list[tuple[int, Said]], i: int, text: str, answers: str = "", step: int = 1) -> None:
        number = said[-1][1].number + step if said else 1
        to.append((i, Said(number, text, history.handle(i), answers, f"#{i}")))

    for unit in history.units:
        message = history.messages[unit.start]
        if unit.kind is UnitKind.CONTEXT:
            if (ledger := read_ledger(message.text)) is not None:
                ledgers.append((unit.start, ledger))
                said += [(unit.start, s) for s in ledger.quotes]
                notes += [(unit.start, s) for s in ledger.notes]
            if text := "\n".join(span.text for span in typed_spans(message)).strip():
                add(said, unit.start, text)  # what was typed behind our block, in one message with it
            continue
        stopped = any(map(is_stopped, history.messages[unit.start : unit.end]))
        if stopped and said and not said[-1][1].place.endswith(BROKEN_OFF):
            said[-1] = said[-1][0], replace(said[-1][1], place=f"{said[-1][1].place} {BROKEN_OFF}".strip())
        text = request_text(message) or (message.text.strip() if stopped else "")
        if text and unit.kind in (UnitKind.TYPED, UnitKind.NOTE):
            before = history.messages[unit.start - 1] if unit.start else message
            answers = answered_line(text, spoken(before)) if before.role is Role.ASSISTANT else ""
            add(said if unit.kind is UnitKind.TYPED else notes, unit.start, text, answers)
        elif unit.kind is UnitKind.TURN:
            for i, text, answers in _typed_between(history, unit):
                add(said, i, text, answers)
        for i, one in enumerate(history.messages[unit.start : unit.end], unit.start):
            for k in provenance_of(one).expanded:
                add(notes, i, one.parts[k].text.strip(), step=0)  # what a slash command or skill stands for
    return Carried(tuple(ledgers), tuple(said), tuple(notes), None if said else _brief(history, ledgers))


def _typed_between(history: History, unit: Unit) -> Iterator[tuple[int, str, str]]:
    """What a person typed or picked in messages that hand over results, and the line (of the question) it answers."""
    for i, message in enumerate(history.messages[unit.start : unit.end], unit.start):
        spans = typed_spans(message) if message.results else ()
        for (_, question), own in groupby(spans, key=lambda span: (span.part, span.question)):
            text = "\n".join(span.text for span in own)
            put = [line for line in reversed(question.split("\n")) if line.strip()]
            answers = answered_line(text, question)
            yield i, text, answers or _shown(iter(put if len(text) <= LONGEST_PICK else ()))


OVER = re.compile(
    r"\s{0,20}(?:Here is a demonstration of how to\b|\[ERROR\] You did not use a tool in your"
    rf"|{_STOPS})"
)
"""How texts of programs begin that say nothing any more: an example before the task (SWE-agent), which is about another
one; that the agent made a mistake of form, or was stopped, which is over with the next message."""
BRIEF_WITHIN = 6  # first messages among which a task stands that a program gave; chosen


def _brief(history: History, ledgers: Sequence[tuple[int, Ledger]]) -> tuple[int, Said] | None:
    older = next(((i, ledger.brief) for i, ledger in ledgers if ledger.brief is not None), None)
    at = brief_at(history.messages) if older is None else None
    return older if at is None else (at, Said(1, history.messages[at].text.strip(), history.handle(at)))


def brief_at(messages: Sequence[Message]) -> int | None:
    """Where a program gave the task, in a history in which no person typed anything; None where it gave none."""
    notes = [u.start for u in units_and_cuts(messages[:BRIEF_WITHIN])[0] if u.kind is UnitKind.NOTE]
    texts = ((i, messages[i].text.strip()) for i in reversed(notes))
    return next((i for i, text in texts if text and not text.startswith(("<", "["))), None)


def last_finished(messages: Sequence[Message], asked: Sequence[int]) -> int:
    """Index of the newest request (they stand at `asked`) behind which the assistant ended its turn, -1 without one."""
    ends = [message.role is Role.ASSISTANT and all(map(is_report, message.calls)) for message in messages]
    turns = zip(asked, [*asked[1:], len(messages)], strict=False)
    return max((i for i, end in turns if end > i + 1 and ends[end - 1]), default=-1)
