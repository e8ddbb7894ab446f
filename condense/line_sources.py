"""A history as sources of lines: what each call asked, what each result showed, what was said.

A source is one part of one message (or one argument of a call), read as lines somebody could use again: arguments as
`name: value`, a result that is wrapped in JSON unwrapped, the line numbers of a file listing taken off, very long lines
cut at sensible places. Every line is verbatim text of its part (of the decoded string where the part is JSON).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import orjson

from condense.tool_names import PATHS, CallReading, ToolAction, row_of
from memory.messages import PartKind, Role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.messages import Message, Part


class LineKind(IntEnum):
    """Where a line stands; the number is its column in tables of weights."""

    COMMAND = 0  # what a call runs
    ARGUMENT = 1  # any other argument of a call
    OLD = 2  # text an edit replaces
    NEW = 3  # text an edit puts there
    PATCH = 4  # a patch or a block of replacements
    WRITTEN = 5  # the content of a file that a call writes
    READ = 6  # a file as a call showed it
    FOUND = 7  # matches and listings
    OUTPUT = 8  # what a command printed
    PAGE = 9  # what came from the network
    REPLY = 10  # any other result
    SAID = 11  # the assistant's words
    THOUGHT = 12  # its unsigned thinking
    USER = 13  # text in the user role


CALL_KINDS = frozenset(
    {LineKind.COMMAND, LineKind.ARGUMENT, LineKind.OLD, LineKind.NEW, LineKind.PATCH, LineKind.WRITTEN}
)
"""Kinds that are a call's own input."""


@dataclass(slots=True)
class LineSource:
    """Lines of one part.

    Attributes:
        message, part: indexes of the message and of the part in it.
        kind: what its lines are.
        lines: verbatim, in order; a very long line stands in pieces.
        first: number of the first line (in the file, where a listing says so; otherwise from 0).
        tool: name of the tool, "" for text.
        path: the file it is about, "" where none or many.
        call: index of the message of the call that a result answers, else `message`.
        title: what the call was for, one line: a path, the first line of a command, a pattern.
        pieces: indexes of lines that are a cut piece: the line goes on in the next.
        failed: the result is flagged as an error.
    """

    message: int
    part: int
    kind: LineKind
    lines: list[str]
    first: int = 0
    tool: str = ""
    path: str = ""
    call: int = -1
    title: str = ""
    pieces: frozenset[int] = frozenset()
    failed: bool = False


LONGEST_LINE = 400
"""Characters after which a line is cut into pieces (chosen: twice a long line of code)."""

_OLD_KEYS = frozenset({"old_string", "old_str", "old_text", "old_code", "search", "target_content"})
_NEW_KEYS = frozenset({"new_string", "new_str", "new_text", "new_code", "replacement", "replace"})
_WRITE_KEYS = frozenset({"content", "contents", "file_text", "code_edit", "new_source", "text", "code"})
_COMMAND_KEYS = frozenset(
    {"command", "cmd", "script", "commands", "chars", "query", "pattern", "regex", "url", "input"}
)
_PATCH_MARK = re.compile(
    r"^\*\*\* (?:Begin Patch|Update File|Add File)|^@@|^<{5,9} ?SEARCH|^diff --git ", re.MULTILINE
)
_SHELLS = frozenset(
    {"bash", "sh", "zsh", "pwsh", "powershell", "powershell.exe", "cmd", "cmd.exe", "/bin/bash", "bash.exe"}
)
_HEREDOC = re.compile(r"<<-?\s{0,3}['\"]?[A-Za-z_]{2,20}")
_SHOW = re.compile(
    r"(?:^|[;&|(]|\bthen|\bdo)\s{0,4}(?:cat|sed\s+-n|nl|head|tail|type|Get-Content|gc|bat|less|more|open|view)\s",
    re.ASCII,
)
_FIND = re.compile(
    r"(?:^|[;&|(])\s{0,4}(?:rg|grep|egrep|ack|ag|find|fd|ls|tree|dir|Get-ChildItem|Select-String|git\s+(?:grep|ls-files))\b",
    re.ASCII,
)
_FILE_WORD = re.compile(
    r"[\w@~./\\-]{1,200}\.[A-Za-z][A-Za-z0-9]{0,7}\b|[\w@~.-]{1,80}(?:/[\w@~.\[\]()-]{1,80}){1,12}", re.ASCII
)
_NUMBERED = re.compile(r"\s{0,8}(\d{1,7})(?:→|\t|: | ?\| ?)")
_FIRST_PATH = re.compile(r"<path>([^<\n]{1,300})</path>|\*\*\* (?:Update|Add) File: ([^\n]{1,300})")


def line_sources(messages: Sequence[Message]) -> list[LineSource]:
    """Read a history as sources in order; linear in its text."""
    calls: dict[str, tuple[int, str, ToolAction, str, str]] = {}
    out: list[LineSource] = []
    for index, message in enumerate(messages):
        for number, part in enumerate(message.parts):
            if part.kind is PartKind.TOOL_CALL:
                out += _call_sources(index, number, part, calls)
            elif part.kind is PartKind.TOOL_RESULT:
                out.append(_result_source(index, number, part, calls))
            elif part.kind is PartKind.TEXT and part.text and message.role is not Role.SYSTEM:
                kind = LineKind.SAID if message.role is Role.ASSISTANT else LineKind.USER
                out.append(_text_source(index, number, kind, part.text))
            elif part.kind is PartKind.THINKING and part.text and not part.signed:
                out.append(_text_source(index, number, LineKind.THOUGHT, part.text))
    return out


def _text_source(index: int, number: int, kind: LineKind, text: str) -> LineSource:
    lines, pieces = whole_lines(text)
    return LineSource(index, number, kind, lines, call=index, pieces=pieces)


def _call_sources(
    index: int, number: int, part: Part, calls: dict[str, tuple[int, str, ToolAction, str, str]]
) -> Iterator[LineSource]:
    name = part.name or ""
    row = row_of(name)
    arguments: Mapping[str, Any] = (
        part.arguments if isinstance(part.arguments, dict) else {"": part.arguments or ""}
    )
    path = _path_of(arguments)
    action, title = row.action, path
    sources: list[LineSource] = []
    for key, value in arguments.items():
        text = _plain(value)
        if not text:
            continue
        kind = _argument_kind(key, text, action)
        if kind is LineKind.COMMAND:
            title = title or first_line(text)
            if action is ToolAction.RUN:
                action, path = _read_command(text, path)
        elif kind is LineKind.PATCH and not path and (found := _FIRST_PATH.search(text)):
            path = title = (found[1] or found[2]).strip()
        lines, pieces = whole_lines(f"{key}: {text}" if key else text)
        sources.append(LineSource(index, number, kind, lines, tool=name, call=index, pieces=pieces))
    if not path and row.reading is CallReading.FILES_XML and (found := _FIRST_PATH.search(_plain(arguments))):
        path = title = (found[1] or found[2]).strip()
    for source in sources:
        source.path, source.title = path, title
    if part.call_id is not None:
        calls[part.call_id] = (index, name, action, path, title)
    yield from sources


def _argument_kind(key: str, text: str, action: ToolAction) -> LineKind:
    if _PATCH_MARK.search(text):
        return LineKind.PATCH
    if key in _OLD_KEYS:
        return LineKind.OLD
    if key in _NEW_KEYS:
        return LineKind.NEW
    if key in _WRITE_KEYS and action in (ToolAction.CREATE, ToolAction.EDIT):
        return LineKind.WRITTEN
    if key in _COMMAND_KEYS or key == "":
        return LineKind.WRITTEN if action is ToolAction.RUN and _HEREDOC.search(text) else LineKind.COMMAND
    return LineKind.ARGUMENT


def _read_command(text: str, path: str) -> tuple[ToolAction, str]:
    """What a shell command shows: files, matches, or what it prints; and the one file it is about."""
    head = text[:2000]
    if _SHOW.search(head):
        found = _FILE_WORD.findall(head)
        return ToolAction.READ, path or (found[-1] if found else "")
    return (ToolAction.SEARCH if _FIND.search(head) else ToolAction.RUN), path


_RESULT_KINDS = {
    ToolAction.READ: LineKind.READ,
    ToolAction.SEARCH: LineKind.FOUND,
    ToolAction.LIST: LineKind.FOUND,
    ToolAction.RUN: LineKind.OUTPUT,
    ToolAction.FETCH: LineKind.PAGE,
}


def _result_source(
    index: int, number: int, part: Part, calls: Mapping[str, tuple[int, str, ToolAction, str, str]]
) -> LineSource:
    call, name, action, path, title = calls.get(
        part.call_id or "", (index, part.name or "", ToolAction.OTHER, "", "")
    )
    kind = _RESULT_KINDS.get(action, LineKind.REPLY)
    lines, pieces = whole_lines(unwrapped(part.text))
    first = 0
    if not pieces:
        first, lines = without_numbers(lines)
    return LineSource(
        index, number, kind, lines, first, name, path, call, title, pieces, failed=part.is_error
    )


def _path_of(arguments: Mapping[str, Any]) -> str:
    for key in PATHS:
        value = arguments.get(key)
        if isinstance(value, str) and value and len(value) < 300 and "\n" not in value:  # noqa: PLR2004  # a path
            return value
    return ""


def _plain(value: Any) -> str:
    """Write an argument as a reader would read it: strings as they are, a shell list as its command."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
        return " ".join(value) if value[0] in _SHELLS else "\n".join(value)
    if isinstance(value, dict):
        return "\n".join(f"{k}: {_plain(v)}" for k, v in value.items())
    if isinstance(value, list):
        return "\n".join(_plain(v) for v in value)
    return str(value)


def first_line(text: str) -> str:
    """The first line of a text that says anything."""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def unwrapped(text: str) -> str:
    """Take a result out of its JSON envelope: one line that is an object becomes `name: value` lines."""
    if not text.startswith("{") or not text.rstrip().endswith("}") or text.find("\n", 0, -1) >= 0:
        return text
    try:
        value = orjson.loads(text)
    except ValueError:
        return text
    inner = value.get("output")
    if isinstance(inner, str):
        rest = {k: v for k, v in value.items() if k != "output"}
        return f"{inner}\n{_flat(rest)}" if rest else inner
    return _flat(value)


def _flat(value: Mapping[str, Any]) -> str:
    out = []
    for key, inner in value.items():
        text = inner if isinstance(inner, str) else orjson.dumps(inner).decode()
        out.append(f"{key}: {text}")
    return "\n".join(out)


def whole_lines(text: str) -> tuple[list[str], frozenset[int]]:
    """Cut a text into lines; a line over `LONGEST_LINE` characters into pieces, whose indexes come second."""
    lines = text.splitlines()
    if len(text) <= LONGEST_LINE or max(map(len, lines), default=0) <= LONGEST_LINE:
        return lines, frozenset()
    out: list[str] = []
    pieces: set[int] = set()
    for line in lines:
        if len(line) <= LONGEST_LINE:
            out.append(line)
            continue
        start = len(out)
        out += _cut(line)
        pieces.update(range(start, len(out) - 1))
    return out, frozenset(pieces)


_BREAK = re.compile(r"\\n|[.;!?。；！？]\s|[,;}\]>)]|\s")


def _cut(line: str) -> Iterator[str]:
    """Cut one long line: at escaped line ends where it has them, otherwise after the best break near 240 characters.

    A break is the end of a sentence, else of a word that a blank or a comma ends, else of any word: half a name is
    none.
    """
    if line.count("\\n") > len(line) // 400:
        *pieces, last = line.split("\\n")
        for piece in (*(f"{p}\\n" for p in pieces), last):
            yield from _cut_between_words(piece)
    else:
        yield from _cut_between_words(line)


def _cut_between_words(line: str) -> Iterator[str]:
    start = 0
    while len(line) - start > LONGEST_LINE:
        window = line[start + 120 : start + 300]
        best = max(window.rfind(". "), window.rfind("。"), window.rfind("; "))
        if best < 0:
            best = max(window.rfind(" "), window.rfind(","), window.rfind("，"))
        if best < 0:
            best = max(
                (i for i, char in enumerate(window) if not (char.isalnum() or char == "_")), default=-1
            )
        stop = start + 120 + (best + 1 if best >= 0 else len(window))
        yield line[start:stop]
        start = stop
    if start < len(line):
        yield line[start:]


def without_numbers(lines: list[str]) -> tuple[int, list[str]]:
    """Take the running line numbers off a file listing; the number of its first line, 0 where it has none.

    A listing has numbers when nearly all lines begin with one and they ascend by one.
    """
    head = [m for m in map(_NUMBERED.match, lines[:12]) if m]
    if len(head) < 2 or len(head) < min(len(lines), 12) - 3:  # noqa: PLR2004  # two lines show that they ascend
        return 0, lines
    numbers = [int(m[1]) for m in head]
    if any(b - a != 1 for a, b in pairwise(numbers)):
        return 0, lines
    return numbers[0], [line[m.end() :] if (m := _NUMBERED.match(line)) else line for line in lines]
