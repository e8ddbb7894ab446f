"""What a person says through a tool: answers to questions, feedback on a result, the reason why a call was refused.

Clients hand these over as tool results. They are the person's words, and often the only ones after the first task
(Roo and Cline end every turn with a tool), but anything else in a tool result is not: a page, a file or a server may
write what it likes. So the words are taken only where the client says whose they are: in the result of a tool whose
whole purpose is to ask a person, or behind the client's own beginning of a refusal.

The wordings are those of Claude Code, Codex, Roo, Cline and their kin as seen in transcripts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memory.messages import Message, PartKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.messages import Part


class Relayed(NamedTuple):
    """A stretch of a tool result that a person typed or picked.

    Attributes:
        start, end: character span in the result's text.
        question: what it answers, as far as the result or the call says; "" where neither does.
    """

    start: int
    end: int
    question: str = ""


ASKING = frozenset(
    [
        *("ask_followup_question", "followup_question", "plan_mode_respond", "attempt_completion"),
        *("AskUserQuestion", "ask_user_question", "ask_user", "ask_human", "ask_question", "askQuestions"),
        *("request_user_input", "get_user_input", "message_ask_user", "human_input", "ask_for_clarification"),
    ]
)
"""Tools that do nothing but put something to the person: their results are the person's words, wrapped."""

_PLAIN = frozenset(
    [
        *("ask_followup_question", "followup_question", "ask_user", "ask_human", "ask_question"),
        *("get_user_input", "message_ask_user", "human_input", "ask_for_clarification"),
    ]
)
"""Those of them that may hand over the person's words without anything around them."""
_CLIENTS = frozenset(
    [
        *("execute_command", "read_file", "write_to_file", "apply_diff", "replace_in_file", "insert_content"),
        *("search_and_replace", "edit_file", "apply_patch", "list_files", "search_files", "codebase_search"),
        *("list_code_definition_names", "switch_mode", "new_task", "update_todo_list", "run_slash_command"),
    ]
)
"""Tools of Roo and Cline whose results never begin with foreign text: files and outputs come with a heading."""
_FOREIGN = re.compile(
    r"mcp__|use_mcp|access_mcp|web_?(?:fetch|search)|browser|fetch", re.ASCII | re.IGNORECASE
)
"""Tools that hand over what somebody else wrote as it is."""
LONGEST_ANSWERS = 20_000
"""Characters in which questions with their answers are looked for; chosen."""
_STARTS = ("[", "The user ", '{"status":')
_ECHO = re.compile(r"\[(\w{3,40})(?: for '(.{0,20000}?)')?\] Result:\s{0,8}", re.ASCII | re.DOTALL)
"""How Roo and Cline begin the result of a call: its name, and what it was about."""
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
_PAIR = re.compile(
    r"\"(?P<question>[^\n]{1,4000}?)\"=\"(?P<answer>.{1,8000}?)\""
    r"(?=, \"| selected preview:| user notes: |\.? ?You can now|\.? You can now|\s{0,4}\Z|\.\s{0,4}\Z)"
    r"(?: user notes: (?P<notes>.{1,8000}?)(?=, \"|\.? You can now|\s{0,4}\Z))?",
    re.DOTALL,
)
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

    Only such results get a name: most messages stay the very objects they are.
    """
    calls: dict[str | None, str | None] = {}
    for at, message in enumerate(messages):
        for part in message.parts:
            kind = part.kind
            if kind is _CALL:
                calls[part.call_id] = part.name
            elif kind is _RESULT and part.name is None:
                name = calls.get(part.call_id)
                if name in ASKING or (name is not None and part.text.startswith(_STARTS[1:])):
                    messages[at] = _named(messages[at], part, name)
    return messages


_CALL, _RESULT = PartKind.TOOL_CALL, PartKind.TOOL_RESULT
"""A member of an enumeration costs ten times what a name does."""


def _named(message: Message, result: Part, name: str | None) -> Message:
    parts = tuple([replace(p, name=name) if p is result else p for p in message.parts])
    return Message(message.role, parts, message.form, message.raw, message.meta)


def relayed_in(result: Part, call: Part | None = None) -> tuple[Relayed, ...]:
    """Return what a person said in a tool result, in order; nothing for nearly all results.

    Args:
        result: the TOOL_RESULT part; its `name` counts where it has one.
        call: the call it answers, which may hold the questions.

    Cost: below a microsecond where there is nothing, else linear in the text.
    """
    text = result.text
    name = result.name or (call.name if call is not None else None)
    if name not in ASKING and not text[:200].lstrip().startswith(_STARTS):
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
    if echo is not None:
        name = name or echo[1]
        at = echo.end()
        asked = asked or (echo[2] or "" if echo[1] != "attempt_completion" else "")
    asks = name in ASKING
    foreign = name is not None and _FOREIGN.match(name) is not None
    if (asks or name in _CLIENTS or (echo is not None and not foreign)) and _INTRODUCED.match(text, at):
        if asks or text.startswith("The user ", at):
            yield from _wrapped(text, at, asked)
    elif name in _CLIENTS and (status := _STATUS.match(text, at)):
        yield from _lines(text, status.end())
    elif result.is_error:
        refused = None if foreign else _REFUSED.match(text, at)
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
        for pair in _PAIR.finditer(text, at, at + LONGEST_ANSWERS):
            yield Relayed(*pair.span("answer"), pair["question"])
            if pair["notes"]:
                yield Relayed(*pair.span("notes"), pair["question"])
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
