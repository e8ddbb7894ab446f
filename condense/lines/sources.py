"""A history as sources of lines: what each call asked, what each result showed, what was said.

A source is one part of one message (or one argument of a call), read as lines somebody could use again (`text_lines`):
arguments as `name: value`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from condense.lines.text_lines import TextForm, TextLines, read_lines
from condense.reading import (
    ATTACHED,
    PATHS,
    CallReading,
    ToolAction,
    first_line,
    row_of,
    script_title,
)
from memory.conversation import PartKind, Role, provenance_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.conversation import AttachedFile, Message, Part


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
        read: its lines, read.
        tool: name of the tool, "" for text.
        path: the file it is about, "" where none or many.
        call: index of the message of the call that a result answers, else `message`.
        title: what the call was for, one line: a path, the first line of a command, a pattern.
        failed: the result is flagged as an error.
        unit: what of its message it goes with: 0 what was said, else each call, and each file of many that one shows.
        shows: READ, or a quote of an earlier compaction: the files that it shows, in order, as the call names them.
        lines: verbatim, in order; a very long line stands in pieces.
    """

    message: int
    part: int
    kind: LineKind
    read: TextLines
    tool: str = ""
    path: str = ""
    call: int = -1
    title: str = ""
    failed: bool = False
    shows: tuple[str, ...] = ()
    unit: int = 0
    lines: list[str] = field(init=False)

    def __post_init__(self) -> None:
        """Take over what is asked for most."""
        self.lines = self.read.lines


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
_BEGIN = r"(?:^|[;&|(]|\bthen|\bdo|\s-(?:l?i?c|[Cc]ommand)\s[\"']?|\bcmd[\"']?\s?:\s?[\"'`])\s{0,4}"
"""Where a command begins: a line, behind another one, within a shell, within a script."""
_END = re.compile(r"[|;&\n]")
_SHOW = re.compile(
    _BEGIN + r"(?:cat|sed\s+-n|nl|head|tail|type|Get-Content|gc|bat|less|more|open|view)\s",
    re.ASCII,
)
_FIND = re.compile(
    _BEGIN
    + r"(?:rg|grep|egrep|ack|ag|find|fd|ls|tree|dir|Get-ChildItem|Select-String|git\s+(?:grep|ls-files))\b",
    re.ASCII,
)
_FILE_WORD = re.compile(
    r"[\w@~./\\-]{1,200}\.[A-Za-z][A-Za-z0-9]{0,7}\b|/?[\w@~.-]{1,80}(?:/[\w@~.\[\]()-]{1,80}){1,12}"
)
_NOWHERE = "/dev/null"
_VIEW = "view"
"""The command by which an editor of several commands (`str_replace_based_edit_tool`) shows a file."""
_FIRST_PATH = re.compile(r"<path>([^<\n]{1,300})</path>|\*\*\* (?:Update|Add) File: ([^\n]{1,300})")


class _Call(NamedTuple):
    """A call, as its result needs it."""

    message: int
    tool: str
    action: ToolAction
    path: str
    title: str
    shows: tuple[str, ...] = ()
    unit: int = 1


def line_sources(messages: Sequence[Message], first: int = 0) -> list[LineSource]:
    """Read a history as sources in order, from its message `first` on; linear in its text."""
    calls: dict[str, _Call] = {}
    out: list[LineSource] = []
    for index, message in enumerate(messages[first:], first):
        attached = provenance_of(message).files
        for number, part in enumerate(message.parts):
            if part.kind is PartKind.TOOL_CALL:
                out += _call_sources(index, number, part, calls)
            elif part.kind is PartKind.TOOL_RESULT:
                out += _result_sources(index, number, part, calls)
            elif part.kind is PartKind.TEXT and part.text and message.role is not Role.SYSTEM:
                if message.role is Role.ASSISTANT:
                    out.append(_text_source(index, number, LineKind.SAID, part.text))
                else:
                    out += _user_sources(index, number, part.text, attached)
            elif part.kind is PartKind.THINKING and part.text and not part.signed:
                out.append(_text_source(index, number, LineKind.THOUGHT, part.text))
    return out


def _text_source(index: int, number: int, kind: LineKind, text: str) -> LineSource:
    return LineSource(index, number, kind, read_lines(text), call=index)


def _user_sources(
    index: int, number: int, text: str, attached: Sequence[AttachedFile]
) -> Iterator[LineSource]:
    """A text of the user role: what is attached to it as files that were shown, and what is left."""
    at = 0
    for k, file in enumerate(attached, 1):
        if file.part != number:
            continue
        if text[at : file.start].strip():
            yield _text_source(index, number, LineKind.USER, text[at : file.start])
        read = read_lines(file.text, TextForm.COUNTED)
        path = file.path
        yield LineSource(
            index, number, LineKind.READ, read, ATTACHED, path, index, path, shows=(path,), unit=k
        )
        at = file.end
    if text[at:].strip() or not at:
        yield _text_source(index, number, LineKind.USER, text[at:])


def _call_sources(index: int, number: int, part: Part, calls: dict[str, _Call]) -> Iterator[LineSource]:
    name = part.name or ""
    row = row_of(name)
    arguments: Mapping[str, Any] = (
        part.arguments if isinstance(part.arguments, dict) else {"": part.arguments or ""}
    )
    path = _path_of(arguments)
    action, title = row.action, path
    shows: tuple[str, ...] = ()
    sources: list[LineSource] = []
    for key, value in arguments.items():
        text = _plain(value)
        if not text:
            continue
        kind = _argument_kind(key, text, action)
        if kind is LineKind.COMMAND:
            script = row.reading is CallReading.SCRIPT
            line, does = script_title(text) if script else (first_line(text), action)
            title = title or line
            if script and does is ToolAction.FETCH:
                action = does
            elif action is ToolAction.RUN:
                action, path, shows = _read_command(text, path)
        elif kind is LineKind.PATCH and not path and (found := _FIRST_PATH.search(text)):
            path = title = (found[1] or found[2]).strip()
        form = TextForm.PATCH if kind is LineKind.PATCH else TextForm.PLAIN
        read = read_lines(f"{key}: {text}" if key else text, form)
        sources.append(LineSource(index, number, kind, read, tool=name, call=index, unit=_unit(number)))
    if not path and row.reading is CallReading.FILES_XML and (found := _FIRST_PATH.search(_plain(arguments))):
        path = title = (found[1] or found[2]).strip()
    if path and (action is ToolAction.READ or arguments.get("command") == _VIEW) and not shows:
        action, shows = ToolAction.READ, (path,)
    for source in sources:
        source.path, source.title = path, title
    if part.call_id is not None:
        calls[part.call_id] = _Call(index, name, action, path, title, shows, _unit(number))
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


def _read_command(text: str, path: str) -> tuple[ToolAction, str, tuple[str, ...]]:
    """What a shell command shows: files, matches, or what it prints; the one file it is about; all that it shows."""
    head = text[:2000]
    if not _SHOW.search(head):
        return (ToolAction.SEARCH if _FIND.search(head) else ToolAction.RUN), path, ()
    named = [word for word in _FILE_WORD.findall(head) if word != _NOWHERE]
    operands = " ".join(_END.split(head[m.end() :], maxsplit=1)[0] for m in _SHOW.finditer(head))
    shows = tuple(word for word in _FILE_WORD.findall(operands) if word != _NOWHERE)
    return ToolAction.READ, path or (named[-1] if named else ""), shows


_HEADED = re.compile(r"#\d{1,9} (\S{1,100}): ([^\n]{1,1000}?)(?::\d{1,9})?")
_OPENED = re.compile(r"(\S{1,100}) \w{1,60}: ([^\n]{1,2000})")


def quoted_files(heading: str, body: str) -> tuple[str, ...]:
    """The files that an excerpt of an earlier compaction shows: by its heading, or by the call that it begins with."""
    found = _HEADED.fullmatch(heading) or _OPENED.match(body)
    if found is None:
        return ()
    action = row_of(found[1]).action
    if action is ToolAction.READ:
        return (found[2],)
    return _read_command(found[2], "")[2] if action is ToolAction.RUN else ()


def titled(heading: str, body: str) -> str:
    """The heading of an excerpt of an earlier compaction, with the title that only the call it begins with has."""
    found = None if _HEADED.fullmatch(heading) else _OPENED.match(body)
    if found is None or row_of(found[1]).action not in (ToolAction.READ, ToolAction.RUN):
        return heading
    return f"{heading} {found[1]}: {found[2][:_LONGEST_TITLE].strip()}"


_LONGEST_TITLE = 300


_RESULT_KINDS = {
    ToolAction.READ: LineKind.READ,
    ToolAction.SEARCH: LineKind.FOUND,
    ToolAction.LIST: LineKind.FOUND,
    ToolAction.RUN: LineKind.OUTPUT,
    ToolAction.FETCH: LineKind.PAGE,
}


def _unit(number: int) -> int:
    """The unit of a call by the number of its part; the files that its result shows follow it."""
    return (number + 1) * _MOST_FILES


_MOST_FILES = 1000
_ONE_OF_MANY = re.compile(r"<file>\s{0,9}<path>([^<\n]{1,300})</path>[^\S\n]*\n?")


def _result_sources(index: int, number: int, part: Part, calls: Mapping[str, _Call]) -> Iterator[LineSource]:
    """A result; where it shows several files, each by itself."""
    call = calls.get(part.call_id or "", _Call(index, part.name or "", ToolAction.OTHER, "", ""))
    kind = _RESULT_KINDS.get(call.action, LineKind.REPLY)
    several = row_of(call.tool).reading is CallReading.FILES_XML and "<path>" in part.text
    files = list(_ONE_OF_MANY.finditer(part.text)) if several else []
    whole = len(files) < 2  # noqa: PLR2004  # several
    head = part.text if whole else part.text[: files[0].start()]
    if whole or head.strip():
        at = (call.tool, call.path, call.message, call.title)
        read = read_lines(head, _form(call, head))
        shows = call.shows if whole else ()
        yield LineSource(index, number, kind, read, *at, failed=part.is_error, shows=shows, unit=call.unit)
    ends = [*(file.start() for file in files[1:]), len(part.text)]
    for k, (file, end) in enumerate(zip(files, ends, strict=False) if not whole else (), 1):
        read = read_lines(part.text[file.end() : end], TextForm.COUNTED)
        path = file[1].strip()
        at = (call.tool, path, call.message, path)
        unit = call.unit + min(k, _MOST_FILES - 1)
        yield LineSource(index, number, kind, read, *at, failed=part.is_error, shows=(path,), unit=unit)


_COUNTS = re.compile(r"\b(?:nl|bat|batcat)\s|\bcat\s+-\w{0,6}n|\bNR\b|\bless\s+-\w{0,6}N")
"""Commands that number the lines they show."""


def _form(call: _Call, text: str) -> TextForm:
    """How a result is to be read, by what was called; an editor that is a command says which lines it shows."""
    by_tool = row_of(call.tool).action is ToolAction.READ
    counts = by_tool or text.startswith("[File: ") or _COUNTS.search(call.title) is not None
    return TextForm.COUNTED if counts else TextForm.RESULT


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
