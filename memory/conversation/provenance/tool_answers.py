"""What a person says through a tool: answers to questions, feedback on a result, the reason why a call was refused.

Anything else in a tool result is foreign. So they are taken only where the client says whose they are: in the result
of a tool whose whole purpose is to ask a person, or behind the client's own sentence where no foreign text can stand
in its place. The wordings are those of Claude Code, Codex, Roo, Cline and their kin.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from memory.conversation.messages import Message, PartKind
from memory.conversation.provenance.client_text import PROVIDED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from memory.conversation.messages import Part

MEMORY_TOOL = re.compile(r"(?:mcp__.{1,100}__)?(?P<verb>remember|forget)\Z", re.DOTALL)
"""Names of an agent's own memory tools, alone or as MCP tools."""
_PLAIN = frozenset(
    "ask_followup_question followup_question ask_user ask_human ask_question get_user_input message_ask_user"
    " human_input ask_for_clarification".split()
)
"""Asking tools that may hand over the person's words without anything around them."""
ASKING = _PLAIN.union(
    "plan_mode_respond attempt_completion AskUserQuestion ask_user_question askQuestions request_user_input".split()
)
"""Tools that do nothing but put something to the person: their results are the person's words, wrapped."""
_CLIENTS = frozenset(
    "write_to_file apply_diff replace_in_file insert_content search_and_replace edit_file apply_patch switch_mode"
    " update_todo_list run_slash_command".split()
)
"""Tools of Roo and Cline whose results never begin with foreign text; those that read hand over files as they are."""
_COMMAND, _CLINES = "execute_command", "requires_approval"
"""The same where the client's echo stands before it, or the call has what only Cline's have: others of this name hand
over an output as it is."""
_RUNNING, _LAST, _CLOSE = "Command is still running in ", f"{PROVIDED}\n<feedback>", "</feedback>"
"""How the output of a running command begins, which ends with what a person said, or with the client's own words."""
_OWN = re.compile(r"(?!Web)[A-Z][A-Za-z]{1,40}\Z", re.ASCII)
"""Names of Claude Code's own tools that bring nothing from elsewhere; those of servers are written otherwise."""
LONGEST_ANSWERS = 20_000  # characters in which questions with their answers are looked for; chosen
_MAY_HOLD = re.compile(
    r"\s{0,200}(?:\[\w{3,40}(?: for '|\] Result:)|The user |Command is still running in |\{\"status\":)", re.ASCII
)
"""How a text begins that may hand over a person's words."""
_ECHO = re.compile(r"\[(\w{3,40})(?: for '((?:(?!\] Result:).){0,20000})')?\] Result:\s{0,8}", re.ASCII | re.DOTALL)
"""How Roo and Cline begin the result of a call: its name, and what it was about, which holds no such ending itself."""
_SAID = re.compile(r"<(feedback|answer|user_message)>\s{0,8}", re.ASCII)
_INTRODUCED = re.compile(
    r"(?:The user (?:has provided feedback on the results|(?:denied this operation\.\s{1,4}The user )?provided the"
    r" following feedback|denied this operation and (?:provided the following feedback"
    r"|responded with the message)|approved this operation and (?:provided the following (?:feedback|context)"
    r"|responded with the message))[^<>]{0,200})?<(?:feedback|answer|user_message)>",
    re.ASCII,
)
"""The client's sentence, if any, right before what the person said."""
_STATUS = re.compile(
    r"\{\"status\":\s?\"(?:denied|approved)\",.{0,200}?\"feedback\":\s?(?=\")", re.ASCII | re.DOTALL
)
_REFUSED = re.compile(
    r"The user doesn't want to (?:proceed with this tool use|take this action)[^\n]{0,300}?the user said:\s{1,4}"
    r"(?!The user wants to clarify these questions)",
    re.ASCII,
)
_NOTE = "\n\nNote: The user's next message may contain "  # what Claude Code may add after a reason
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
_STRING = re.compile(r"\"(?:user_note:\s{0,4})?(?P<text>(?:[^\"\\]|\\.){0,20000})\"(?P<key>\s{0,9}:)?", re.DOTALL)
_LINE = re.compile(r"(?:[^\\]|\\[^n])+", re.DOTALL)  # between the escaped line ends of a JSON string


def named_results(messages: list[Message]) -> list[Message]:
    """Name the results that may hold a person's words after the calls they answer; the list is changed and returned.

    They get the arguments of the call as well, which hold the questions. Other messages stay the very objects they are.
    """
    calls: dict[str | None, Part] = {}
    for at, message in enumerate(messages):
        for number, part in enumerate(message.parts):
            if part.kind is PartKind.TOOL_CALL:
                calls[part.call_id] = part
            elif part.kind is PartKind.TOOL_RESULT and part.arguments is None and part.call_id in calls:
                call = calls[part.call_id]
                name = part.name or call.name or ""
                if name in ASKING or MEMORY_TOOL.match(name) or (name and _MAY_HOLD.match(part.text)):
                    parts = list(messages[at].parts)
                    parts[number] = replace(part, name=name, arguments=call.arguments)
                    messages[at] = replace(message, parts=tuple(parts))
    return messages


def relayed_in(part: Part) -> Iterator[tuple[int, int, str]]:
    """Yield where in a result a person's words stand, and what they answer; nothing for nearly all results. Linear.

    `part` is a TOOL_RESULT that bears the name and the arguments of its call; or a TEXT, where a client writes results
    as texts, whose `name` is what the echo before it says.
    """
    text, name, as_text = part.text, part.name, part.kind is PartKind.TEXT
    if name not in ASKING and not _MAY_HOLD.match(text):
        return
    questions = _questions(part)
    asked = next(iter(questions.values()), "")
    at = len(text) - len(text.lstrip())
    if echo := _ECHO.match(text, at):
        if name is None and as_text:
            name = echo[1]
        if name != echo[1]:
            return  # an echo in what another tool hands over
        at = echo.end()
        asked = asked or (echo[2] or "" if name != "attempt_completion" else "")
    asks = name in ASKING
    framed = as_text or echo is not None
    clients = name in _CLIENTS or (name == _COMMAND and (framed or _CLINES in str(part.arguments)))
    if (asks or clients) and _INTRODUCED.match(text, at):
        if (asks or text.startswith("The user ", at)) and (opening := _SAID.search(text, at)):
            close = text.find(f"</{opening[1]}>", opening.end())
            yield opening.end(), close if close >= 0 else len(text), asked
    elif clients and text.startswith(_RUNNING, at) and text.rstrip().endswith(_CLOSE) and _LAST in text:
        yield text.rfind(_LAST) + len(_LAST), text.rfind(_CLOSE), asked
    elif clients and (status := _STATUS.match(text, at)):
        yield from _strings(text, status.end(), len(text), "", most=1)
    elif part.is_error:
        if name and _OWN.match(name) and (refused := _REFUSED.match(text, at)):
            note = text.find(_NOTE, refused.end())
            yield refused.end(), note if note >= 0 else len(text), ""
    elif not asks or echo:
        return
    elif _ANSWERED.match(text, at):
        yield from _pairs(text, at, min(len(text), at + LONGEST_ANSWERS))
    elif text.startswith(("{", "["), at):
        for found in _ANSWERS.finditer(text, at):
            yield from _strings(text, *found.span("list"), questions.get(found["id"] or "", asked))
    elif name in _PLAIN and not text.startswith(("<", "Error"), at):
        yield at, len(text), asked


def _pairs(text: str, at: int, end: int) -> Iterator[tuple[int, int, str]]:
    """The answers in `"question"="answer" user notes: ...`, one after the other, and the notes; linear."""
    while (low := text.find(_BETWEEN, at, end)) >= 0:
        opening = text.find('"', max(at, text.rfind("\n", at, low) + 1), low)
        question = text[opening + 1 : low] if opening >= 0 else ""
        low += len(_BETWEEN)
        close = _ANSWER_END.search(text, low, end)
        if close is None:
            return
        yield low, close.start(), question
        at = close.end()
        if text.startswith(_NOTES, at):
            low = at + len(_NOTES)
            stop = _NOTES_END.search(text, low, end)
            at = stop.start() if stop else end
            yield low, at, question


def _strings(
    text: str, start: int, end: int, question: str, most: int | None = None
) -> Iterator[tuple[int, int, str]]:
    for string in islice(_STRING.finditer(text, start, end), most):
        for line in _LINE.finditer(text, *string.span("text")) if not string["key"] else ():
            escaped = text[line.start() - 1 : line.start() + 1] == r"\n"
            yield line.start() + escaped, line.end(), question


def _questions(call: Part) -> dict[str, str]:
    arguments = call.arguments
    if call.name not in ASKING or not isinstance(arguments, dict):
        return {}
    if isinstance(listed := arguments.get("questions"), list):
        return {
            str(one.get("id", number)): one["question"]
            for number, one in enumerate(listed)
            if isinstance(one, dict) and isinstance(one.get("question"), str)
        }
    named = (arguments.get(key) for key in ("question", "prompt", "message", "text"))
    return next(({"": one} for one in named if isinstance(one, str)), {})


def question_of(call: Part) -> str:
    """Return what an asking call puts to the person, "" for any other call."""
    return "\n".join(_questions(call).values())


def brings_results(value: object) -> bool:
    """Tell whether a message, read or as it came, hands over tool results."""
    if isinstance(value, Message):
        return bool(value.results)
    if not isinstance(value, dict):
        return False
    if value.get("role") in ("tool", "function") or str(value.get("type", "")).endswith("_output"):
        return True
    content: Any = value.get("content")
    return isinstance(content, list) and any(
        isinstance(block, dict) and block.get("type") == "tool_result" for block in content
    )
