"""What a person says through a tool: answers to questions, feedback on a result, the reason why a call was refused.

Clients hand these over as tool results. They are the person's words, and often the only ones after the first task
(Roo and Cline end every turn with a tool), but anything else in a tool result is not: a page, a file or a server may
write what it likes. So the words are taken only where the client says whose they are: in the result of a tool whose
whole purpose is to ask a person, or behind the client's own sentence where no foreign text can stand in its place.
A result whose call is not known counts as foreign.

The wordings are those of Claude Code, Codex, Roo, Cline and their kin as seen in transcripts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memory.conversation.messages import Message, PartKind
from memory.conversation.provenance.memory_tools import is_memory_tool

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from memory.conversation.messages import Part


class Relayed(NamedTuple):
    """A stretch of a tool result that a person typed or picked.

    Attributes:
        start, end: character span in the result's text.
        question: what it answers, as far as the result or the call says; "" where neither does.
    """

    start: int
    end: int
    question: str = ""


_PLAIN = frozenset(
    [
        *("ask_followup_question", "followup_question", "ask_user", "ask_human", "ask_question"),
        *("get_user_input", "message_ask_user", "human_input", "ask_for_clarification"),
    ]
)
"""Asking tools that may hand over the person's words without anything around them."""
ASKING = _PLAIN | {
    *("plan_mode_respond", "attempt_completion", "AskUserQuestion", "ask_user_question", "askQuestions"),
    "request_user_input",
}
"""Tools that do nothing but put something to the person: their results are the person's words, wrapped."""
_CLIENTS = frozenset(
    [
        *(
            "write_to_file",
            "apply_diff",
            "replace_in_file",
            "insert_content",
            "search_and_replace",
            "edit_file",
        ),
        *("apply_patch", "switch_mode", "update_todo_list", "run_slash_command"),
    ]
)
"""Tools of Roo and Cline whose results never begin with foreign text; those that read hand over files as they are."""
_COMMAND = "execute_command"
"""The same where the client's echo stands before it: others of this name hand over an output as it is."""
_OWN = re.compile(r"(?!Web)[A-Z][A-Za-z]{1,40}\Z", re.ASCII)
"""Names of Claude Code's own tools that bring nothing from elsewhere; those of servers are written otherwise."""
LONGEST_ANSWERS = 20_000
"""Characters in which questions with their answers are looked for; chosen."""
_STARTS = ("[", "The user ", '{"status":')
_ECHO = re.compile(
    r"\[(\w{3,40})(?: for '((?:(?!\] Result:).){0,20000})')?\] Result:\s{0,8}", re.ASCII | re.DOTALL
)
"""How Roo and Cline begin the result of a call: its name, and what it was about, which holds no such ending itself."""
_SAID = re.compile(r"<(feedback|answer|user_message)>\s{0,8}", re.ASCII)
_INTRODUCED = re.compile(
    r"(?:The user (?:has provided feedback on the results|denied this operation and (?:provided the following feedback"
    r"|responded with the message)|approved this operation and (?:provided the following (?:feedback|context)"
    r"|responded with the message))[^<>]{0,200})?<(?:feedback|answer|user_message)>",
    re.ASCII,
)
"""The client's sentence, if any, right before what the person said."""
_STATUS = re.compile(
    r"\{\"status\":\s?\"(?:denied|approved)\",.{0,200}?\"feedback\":\s?\"", re.ASCII | re.DOTALL
)
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed with this tool use|take this action)[^\n]{0,300}?the user said:\s{1,4}"
    r"(?!The user wants to clarify these questions)",
    re.ASCII,
)
_NOTE = re.compile(r"\n\nNote: The user's next message may contain ")
"""What Claude Code may add after a reason."""
_ANSWERED = re.compile(r"(?:The user|User) (?:has )?answered your questions?:\s{0,4}", re.ASCII)
_BETWEEN, _NOTES = '"="', " user notes: "
"""What stands between a question and its answer, and before what was noted beside it."""
_ANSWER_END = re.compile(r"\"(?=, \"| selected preview:| user notes: |\.? ?You can now|\.?\s{0,4}\Z)")
_NOTES_END = re.compile(r", \"|\.? You can now|\s{0,4}\Z")
_ANSWERS = re.compile(
    r"(?:\"(?P<id>[\w.-]{1,80})\"\s{0,9}:\s{0,9}\{\s{0,9})?\"(?:answers?|response|reply|selected)\"\s{0,9}:\s{0,9}"
    r"(?P<list>[\[{][^\[\]{}]{0,20000}[\]}]|\"(?:[^\"\\]|\\.){0,20000}\")",
    re.DOTALL,
)
_STRING = re.compile(r"\"((?:[^\"\\]|\\.){0,20000})\"(\s{0,9}:)?", re.DOTALL)
"""A JSON string, and whether it is a key."""
_USER_NOTE = re.compile(r"user_note:\s{0,4}")
_LINE = re.compile(r"(?:[^\\]|\\[^n])+", re.DOTALL)
"""What stands between the escaped line ends of a JSON string."""


def named_results(messages: list[Message]) -> list[Message]:
    """Name the results that may hold a person's words after the calls they answer; the list is changed and returned.

    So are those of the agent's memory tools, which get the arguments of the call as well. Only such results get a
    name: most messages stay the very objects they are.
    """
    calls: dict[str | None, Part] = {}
    for at, message in enumerate(messages):
        for part in message.parts:
            kind = part.kind
            if kind is _CALL:
                calls[part.call_id] = part
            elif kind is _RESULT and part.name is None:
                call = calls.get(part.call_id)
                if call is None or call.name is None:
                    continue
                if call.name in ASKING or _may_hold(part.text):
                    messages[at] = _named(messages[at], part, call.name)
                elif is_memory_tool(call.name):
                    messages[at] = _named(messages[at], part, call.name, call.arguments)
    return messages


_CALL, _RESULT = PartKind.TOOL_CALL, PartKind.TOOL_RESULT
"""A member of an enumeration costs ten times what a name does."""


def _may_hold(text: str) -> bool:
    """Whether a text begins as a client's may that hands over a person's words; most lists in JSON don't."""
    lead = text[:200].lstrip()
    return lead.startswith(_STARTS) and (lead[0] != "[" or _ECHOED.match(lead) is not None)


_ECHOED = re.compile(r"\[\w{3,40}(?: for '|\] Result:)", re.ASCII)


def _named(
    message: Message, result: Part, name: str, arguments: Mapping[str, Any] | str | None = None
) -> Message:
    named = replace(result, name=name, arguments=arguments)
    parts = tuple([named if p is result else p for p in message.parts])
    return Message(message.role, parts, message.form, message.raw, message.meta)


def relayed_in(result: Part, call: Part | None = None) -> tuple[Relayed, ...]:
    """Return what a person said in a tool result, in order; nothing for nearly all results.

    Args:
        result: the TOOL_RESULT part; its `name` counts where it has one. Or a TEXT part, where a client writes
            results as texts: its `name` is what the echo before it says.
        call: the call it answers, which may hold the questions.

    Cost: below a microsecond where there is nothing, else linear in the text.
    """
    text = result.text
    name = result.name or (call.name if call is not None else None)
    if name not in ASKING and not _may_hold(text):
        return ()
    questions = _questions(call) if call is not None and call.name in ASKING else {}
    found = _stretches(result, questions, name)
    return tuple([_tight(text, one) for one in found if text[one.start : one.end].strip()])


def question_of(call: Part) -> str:
    """Return what an asking call puts to the person, "" for any other call."""
    return "\n".join(_questions(call).values()) if call.name in ASKING else ""


def _stretches(result: Part, questions: Mapping[str, str], name: str | None) -> Iterator[Relayed]:
    text = result.text
    at = len(text) - len(text.lstrip())
    asked = next(iter(questions.values()), "")
    echo = _ECHO.match(text, at)
    as_text = result.kind is not _RESULT
    if echo is not None:
        if name is None and as_text:
            name = echo[1]
        if name != echo[1]:
            return  # an echo in what another tool hands over
        at = echo.end()
        asked = asked or (echo[2] or "" if echo[1] != "attempt_completion" else "")
    asks = name in ASKING
    clients = name in _CLIENTS or (name == _COMMAND and (as_text or echo is not None))
    if (asks or clients) and _INTRODUCED.match(text, at):
        if asks or text.startswith("The user ", at):
            yield from _wrapped(text, at, asked)
    elif clients and (status := _STATUS.match(text, at)):
        yield from _lines(text, status.end())
    elif result.is_error:
        refused = _REFUSED.match(text, at) if name is not None and _OWN.match(name) else None
        if refused is not None:
            note = _NOTE.search(text, refused.end())
            yield Relayed(refused.end(), note.start() if note else len(text))
    elif asks and echo is None:
        yield from _answers(text, at, questions, asked, plain=name in _PLAIN)


def _wrapped(text: str, at: int, asked: str) -> Iterator[Relayed]:
    opening = _SAID.search(text, at)
    if opening is not None:
        close = text.find(f"</{opening[1]}>", opening.end())
        yield Relayed(opening.end(), close if close >= 0 else len(text), asked)


def _answers(
    text: str, at: int, questions: Mapping[str, str], asked: str, *, plain: bool
) -> Iterator[Relayed]:
    """Answers as Claude Code, Codex and Gemini CLI write them; the whole text where it is `plain`."""
    if _ANSWERED.match(text, at):
        yield from _pairs(text, at, min(len(text), at + LONGEST_ANSWERS))
    elif text.startswith(("{", "["), at):
        for found in _ANSWERS.finditer(text, at):
            for one in _STRING.finditer(text, *found.span("list")):
                if one[2]:
                    continue
                note = _USER_NOTE.match(text, one.start(1))
                question = questions.get(found["id"] or "", asked)
                yield from _lines(text, note.end() if note else one.start(1), one.end(1), question)
    elif plain and not text.startswith(("<", "Error"), at):
        yield Relayed(at, len(text), asked)


def _pairs(text: str, at: int, end: int) -> Iterator[Relayed]:
    """The answers in `"question"="answer" user notes: ...`, one after the other, and the notes; linear."""
    while (low := text.find(_BETWEEN, at, end)) >= 0:
        opening = text.find('"', max(at, text.rfind("\n", at, low) + 1), low)
        question = text[opening + 1 : low] if opening >= 0 else ""
        low += len(_BETWEEN)
        close = _ANSWER_END.search(text, low, end)
        if close is None:
            return
        yield Relayed(low, close.start(), question)
        at = close.end()
        if text.startswith(_NOTES, at):
            low = at + len(_NOTES)
            stop = _NOTES_END.search(text, low, end)
            at = stop.start() if stop else end
            yield Relayed(low, at, question)


def _lines(text: str, start: int, end: int | None = None, question: str = "") -> Iterator[Relayed]:
    """The lines of a JSON string, up to its closing mark where `end` is not known."""
    if end is None:
        whole = _STRING.match(text, start - 1)
        if whole is None:
            return
        end = whole.end(1)
    for line in _LINE.finditer(text, start, end):
        low = line.start() + (1 if text[line.start()] == "n" and text[line.start() - 1] == "\\" else 0)
        yield Relayed(low, line.end(), question)


def _questions(call: Part) -> dict[str, str]:
    """The questions of an asking call by their ids, or under ""."""
    arguments = call.arguments
    if not isinstance(arguments, dict):
        return {}
    listed = arguments.get("questions")
    found: dict[str, str] = {}
    if isinstance(listed, list):
        for number, one in enumerate(listed):
            if isinstance(one, dict) and isinstance(one.get("question"), str):
                found[str(one.get("id", number))] = one["question"]
        return found
    for key in ("question", "prompt", "message", "text"):
        if isinstance(arguments.get(key), str):
            return {"": arguments[key]}
    return {}


def _tight(text: str, one: Relayed) -> Relayed:
    piece = text[one.start : one.end]
    start = one.start + len(piece) - len(piece.lstrip())
    return Relayed(start, start + len(piece.strip()), one.question)


def brings_results(value: object) -> bool:
    """Tell whether a message, read or as it came, hands over tool results."""
    if isinstance(value, Message):
        return any(part.kind is _RESULT for part in value.parts)
    if not isinstance(value, dict):
        return False
    if value.get("role") in ("tool", "function") or str(value.get("type", "")).endswith("_output"):
        return True
    content: Sequence[object] = value.get("content") or ()
    return isinstance(content, list) and any(
        isinstance(b, dict) and b.get("type") == "tool_result" for b in content
    )
