"""Which text of a message a person typed: the one choke point for trust.

Clients put much into the user role that nobody typed: tool results, reminders, what slash commands stand for, files,
summaries, our own context blocks. Only what is left when all that is taken away may become a rule, and what a person
said through a tool. In doubt a text counts as not typed: a lost rule can be said again, a planted one not taken back.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memory.conversation.messages import PartKind, Role
from memory.conversation.provenance.client_text import (
    PROVIDED,
    SENT,
    outside_blocks,
    read_attachments,
    request_bounds,
    slash_command,
    typed_ranges,
)
from memory.conversation.provenance.tool_answers import relayed_in

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.conversation.messages import Message, Part
    from memory.conversation.provenance.client_text import AttachedFile


class TypedSpan(NamedTuple):
    """A stretch `start` to `end` of the text of a message's `part` (its index) that a person typed.

    `question` is what it answers, where it was said through a tool that says so.
    """

    part: int
    start: int
    end: int
    text: str
    question: str = ""


class Provenance(NamedTuple):
    """Where the texts of a message come from: what a person typed, in order, and the files they attached.

    `expanded` are the indexes of parts that say what a slash command, or a skill, before them stands for; `rest` has
    by the index of each other text its ranges outside attached files, where what is typed is looked for.
    """

    typed: tuple[TypedSpan, ...]
    files: tuple[AttachedFile, ...]
    expanded: tuple[int, ...]
    rest: Mapping[int, tuple[tuple[int, int], ...]]


def provenance_of(message: Message) -> Provenance:
    """Return where the texts of a message come from; read once, linear in them, and carried by it from then on."""
    known: Provenance | None = message.carried.get("provenance")
    if known is None:
        parts, is_user = message.parts, message.role in (Role.USER, Role.TOOL)
        files, written = read_attachments(parts) if is_user else ((), {})
        expanded = tuple(_expansions(parts)) if is_user and len(parts) > 1 else ()
        rest = {
            k: ((0, written[k][0]), (written[k][1], len(part.text))) if k in written else ((0, len(part.text)),)
            for k, part in enumerate(parts)
            if part.kind is PartKind.TEXT and k not in expanded
        }
        known = Provenance(tuple(_typed(message, rest)), files, expanded, rest)
        message.carried["provenance"] = known
    return known


def typed_spans(message: Message) -> tuple[TypedSpan, ...]:
    """Return what a person typed in a message, in order; for roles but the user's, as far as a client says so."""
    return provenance_of(message).typed


def typed_text(message: Message) -> str:
    """Return what a person typed in a message as one text, spans joined by newlines; "" if nothing."""
    return "\n".join(span.text for span in typed_spans(message))


def is_typed(message: Message) -> bool:
    """Tell whether a person typed anything in this message."""
    return bool(typed_spans(message))


INSTRUCTIONS = re.compile(r"\s{0,20}(?:# (?:AGENTS|CLAUDE|GEMINI)\.md|<user_instructions>|<INSTRUCTIONS>)")
"""How project instructions begin that a client puts into the user role."""
_TOOL_ECHO = re.compile(r"\s*\[(\w{3,40})(?: for '|\(\{|\] Result:)", re.ASCII)
"""Cline and Roo in their XML form echo a tool call before its result, as a text block of the user role."""


def request_text(message: Message) -> str:
    """Return a user message as it is quoted: all its text but the blocks that clients write into it.

    Project instructions that a client hands over are quoted with their wrapper, slash commands without what they stand
    for; where results stand among the texts, only what was typed is, if anything was.
    """
    typed, _, _, rest = provenance_of(message)
    if typed and any(_TOOL_ECHO.match(message.parts[k].text) for k in rest):
        return typed_text(message)
    quoted: list[str] = []
    for k, ranges in rest.items():
        text = message.parts[k].text
        if INSTRUCTIONS.match(text):
            quoted.append(text.strip())
        else:
            pieces = (text[low:high] for low, high in ranges)
            quoted += (piece[low:high] for piece in pieces for low, high in typed_ranges(piece, quoting=True))
    return "\n".join(quoted)


def bare_request(text: str) -> str:
    """Return a quoted request without the list of open files, or the template, that a client puts around it."""
    start, end = request_bounds(text)
    return text[start:end].strip()


def _typed(message: Message, rest: Mapping[int, Sequence[tuple[int, int]]]) -> Iterator[TypedSpan]:
    meta, role = message.meta, message.role
    if role is Role.ASSISTANT or meta.is_compact_summary or meta.is_sidechain:
        return
    if meta.is_meta and role is not Role.SYSTEM:
        return
    echo, bare, before = "", False, ""
    for index, part in enumerate(message.parts):
        text = part.text
        denied, before = before == "The user denied this operation.", text.strip()
        own = ("<user_message>", "<task>", "<feedback>", PROVIDED)[: 3 + denied]
        if part.kind is PartKind.TOOL_RESULT:
            yield from _relayed(index, part)
            continue
        if index not in rest or role is Role.TOOL or (role is Role.SYSTEM and not text.startswith(SENT)):
            continue
        if not bare and (known := _TOOL_ECHO.match(text)):
            echo = known[1]
            bare = text.rstrip().endswith("] Result:")  # the next block is what it handed over
            yield from _relayed(index, part)
        elif bare or (echo and not text.lstrip().startswith(own)):
            bare = False
            yield from _relayed(index, replace(part, name=echo))
        else:
            for low, high in rest[index]:
                for start, end in typed_ranges(text[low:high]):
                    yield TypedSpan(index, low + start, low + end, text[low + start : low + end])


def _relayed(index: int, part: Part) -> Iterator[TypedSpan]:
    for low, high, question in relayed_in(part):
        for start, end in outside_blocks(part.text, low, high):
            yield TypedSpan(index, start, end, part.text[start:end], question)


_CLIENT_BLOCK = re.compile(
    r"<(?:system[-_]reminder|command-|local-command-|bash-|ide_|user-prompt-submit-hook|task-notification)"
)
_LAUNCHED = re.compile(r"Launching skill: [^\s<>]{1,120}\s*")
"""The result of a skill that the agent called itself; its text follows in the same message."""


def _expansions(parts: Sequence[Part]) -> Iterator[int]:
    """The indexes of parts that say what a command or skill before them stands for, as Claude Code 2.1 sends them."""
    waiting = 0
    from_server = False
    for index, part in enumerate(parts):
        lead = part.text.lstrip()
        if part.kind is PartKind.TOOL_RESULT:
            waiting += _LAUNCHED.fullmatch(part.text) is not None
        elif part.kind is not PartKind.TEXT:
            continue
        elif command := slash_command(part.text):
            waiting += 1
            from_server = command["name"].endswith(" (MCP)")
        elif waiting and lead.startswith("<local-command-"):
            waiting = 0  # it ran in the client
        elif waiting and lead and not _CLIENT_BLOCK.match(lead):
            yield index
            waiting -= not from_server
