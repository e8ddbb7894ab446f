"""A history as sources of lines: what each call asked, what each result showed, what was said.

A source is one part of one message, or one argument of a call (as `name: value`), read as lines (`text_lines`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

from condense.lines.text_lines import TextForm, TextLines, read_lines
from condense.reading import (
    ATTACHED,
    PATHS,
    CallReading,
    ToolAction,
    first_line,
    read_call,
    read_shell,
    row_of,
    script_title,
)
from memory.conversation import PartKind, Role, provenance_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from condense.reading import ToolUse
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


EDIT_KINDS = frozenset({LineKind.OLD, LineKind.NEW, LineKind.PATCH, LineKind.WRITTEN})
CALL_KINDS = EDIT_KINDS | {LineKind.COMMAND, LineKind.ARGUMENT}
RESULT_KINDS = frozenset({LineKind.READ, LineKind.FOUND, LineKind.OUTPUT, LineKind.PAGE, LineKind.REPLY})
"""Kinds that are what a call changes in a file, its own input, and what it showed."""


@dataclass(slots=True)
class LineSource:
    """Lines of one part, by the indexes of its message and of the part in it."""

    message: int
    part: int
    kind: LineKind
    read: TextLines
    tool: str = ""  # "" for text
    path: str = ""  # the file it is about, "" where none or many
    call: int = -1  # message of the call that a result answers, else `message`
    title: str = ""  # what the call was for, one line: a path, the first line of a command, a pattern
    failed: bool = False
    shows: tuple[str, ...] = ()  # the files that it shows, in order, as the call names them
    unit: int = 0  # what of its message it goes with: 0 what was said, else each call, and each file of many

    @property
    def lines(self) -> list[str]:
        """The lines, verbatim and in order; a very long one stands in pieces."""
        return self.read.lines


def reports(source: LineSource) -> bool:
    """Say whether a source is what another agent answered to the one whose history it is."""
    return source.kind is LineKind.REPLY and row_of(source.tool).action is ToolAction.DELEGATE


_OLD_KEYS = frozenset("old_string old_str old_text old_code search target_content".split())
_NEW_KEYS = frozenset("new_string new_str new_text new_code replacement replace".split())
_WRITE_KEYS = frozenset("content contents file_text code_edit new_source text code".split())
_COMMAND_KEYS = frozenset("command cmd script commands chars query pattern regex url input".split()) | {""}
_SHELLS = frozenset("bash sh zsh pwsh powershell powershell.exe cmd cmd.exe /bin/bash bash.exe".split())
_PATCH_MARK = re.compile(
    r"^\*\*\* (?:Begin Patch|Update File|Add File)|^@@|^<{5,9} ?SEARCH|^diff --git ", re.MULTILINE
)
_HEREDOC = re.compile(r"<<-?\s{0,3}['\"]?[A-Za-z_]{2,20}")
_COUNTS = re.compile(r"\b(?:nl|bat|batcat)\s|\bcat\s+-\w{0,6}n|\bNR\b|\bless\s+-\w{0,6}N")
_FIRST_PATH = re.compile(r"<path>([^<\n]{1,300})</path>|\*\*\* (?:Update|Add) File: ([^\n]{1,300})")
_ONE_OF_MANY = re.compile(r"<file>\s{0,9}<path>([^<\n]{1,300})</path>[^\S\n]*\n?")
_HEADED = re.compile(r"#\d{1,9} (\S{1,100}): ([^\n]{1,1000}?)(?::\d{1,9})?")
_OPENED = re.compile(r"(\S{1,100}) \w{1,60}: ([^\n]{1,2000})")
_NAME = re.compile(
    r"(?:[^/\\]+[/\\])?(?:index|main|mod|lib|page|layout|route|__init__|types|utils|config|README)\.\w+$|[^/\\]+$"
)
_LONGEST_TITLE = 300
_MOST_FILES = 1000
"""Units of one part: the call, then the files that its result shows."""
_RESULT_KINDS = {ToolAction.READ: LineKind.READ, ToolAction.RUN: LineKind.OUTPUT, ToolAction.FETCH: LineKind.PAGE}
_FINDING = (ToolAction.SEARCH, ToolAction.LIST)
_RESULT_KINDS |= dict.fromkeys(_FINDING, LineKind.FOUND)


class _Call(NamedTuple):
    message: int
    tool: str
    action: ToolAction = ToolAction.OTHER
    path: str = ""
    title: str = ""
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
            elif part.kind is PartKind.TEXT and part.text and message.role is Role.ASSISTANT:
                out.append(_text_source(index, number, LineKind.SAID, part.text))
            elif part.kind is PartKind.TEXT and part.text and message.role is not Role.SYSTEM:
                out += _user_sources(index, number, part.text, attached)
            elif part.kind is PartKind.THINKING and part.text and not part.signed:
                out.append(_text_source(index, number, LineKind.THOUGHT, part.text))
    return out


def _text_source(index: int, number: int, kind: LineKind, text: str) -> LineSource:
    return LineSource(index, number, kind, read_lines(text), call=index)


def _user_sources(index: int, number: int, text: str, attached: Sequence[AttachedFile]) -> Iterator[LineSource]:
    """A text of the user role: what is attached to it as files that were shown, and what is left."""
    at = 0
    for unit, file in enumerate(attached, 1):
        if file.part == number:
            if text[at : file.start].strip():
                yield _text_source(index, number, LineKind.USER, text[at : file.start])
            call = _Call(index, ATTACHED, ToolAction.READ, file.path, file.path, (file.path,), unit)
            yield _shown(index, number, call, read_lines(file.text, TextForm.COUNTED))
            at = file.end
    if text[at:].strip() or not at:
        yield _text_source(index, number, LineKind.USER, text[at:])


def _call_sources(index: int, number: int, part: Part, calls: dict[str, _Call]) -> list[LineSource]:
    name, arguments = part.name or "", part.arguments
    row, unit = row_of(name), (number + 1) * _MOST_FILES
    uses = read_call(name, arguments) if row.action is ToolAction.RUN else ()
    if not isinstance(arguments, dict):
        arguments = {"": arguments or ""}
    values = [value for key in PATHS if isinstance(value := arguments.get(key), str)]
    path = next((v for v in values if 0 < len(v) < _LONGEST_TITLE and "\n" not in v), "")
    action, title = row.action, path
    shows: tuple[str, ...] = ()
    sources: list[LineSource] = []
    for key, value in arguments.items():
        text = _plain(value)
        if not text:
            continue
        kind = _argument_kind(key, text, action)
        if kind is LineKind.COMMAND:
            title = title or (row.reading is CallReading.SCRIPT and script_title(uses)) or first_line(text)
            if uses:
                action, named, shows = _shown_by(uses)
                path = path or named
        elif kind is LineKind.PATCH and not path and (found := _FIRST_PATH.search(text)):
            path = title = (found[1] or found[2]).strip()
        form = TextForm.PATCH if kind is LineKind.PATCH else TextForm.PLAIN
        read = read_lines(f"{key}: {text}" if key else text, form)
        sources.append(LineSource(index, number, kind, read, tool=name, call=index, unit=unit))
    if not path and row.reading is CallReading.FILES_XML and (found := _FIRST_PATH.search(_plain(arguments))):
        path = title = (found[1] or found[2]).strip()
    if path and (action is ToolAction.READ or arguments.get("command") == "view") and not shows:
        action, shows = ToolAction.READ, (path,)
    if path and action in (ToolAction.EDIT, ToolAction.CREATE):
        title = found[0] if (found := _NAME.search(path)) else path  # whole paths of changed files are listed
    for source in sources:
        source.path, source.title = path, title
    if part.call_id is not None:
        calls[part.call_id] = _Call(index, name, action, path, title, shows, unit)
    return sources


def _argument_kind(key: str, text: str, action: ToolAction) -> LineKind:
    """What the lines of an argument are, by its name and by how it begins."""
    if _PATCH_MARK.search(text):
        return LineKind.PATCH
    if key in _OLD_KEYS | _NEW_KEYS:
        return LineKind.OLD if key in _OLD_KEYS else LineKind.NEW
    if key in _WRITE_KEYS and action in (ToolAction.CREATE, ToolAction.EDIT):
        return LineKind.WRITTEN
    if key in _COMMAND_KEYS:
        return LineKind.WRITTEN if action is ToolAction.RUN and _HEREDOC.search(text) else LineKind.COMMAND
    return LineKind.ARGUMENT


def _shown_by(uses: Sequence[ToolUse]) -> tuple[ToolAction, str, tuple[str, ...]]:
    """What a call that runs something shows: files, matches, a page, or what it prints; the last of its files; all."""
    ran = [read_shell(use.subject) for use in uses if use.action is ToolAction.RUN]
    found = [path for use in uses if use.action is ToolAction.READ for path in use.paths]
    found += [e.target for reading in ran for e in reading.effects if e.action is ToolAction.READ]
    if found:
        return ToolAction.READ, found[-1], tuple(dict.fromkeys(found))
    if uses[0].action is ToolAction.FETCH:
        return ToolAction.FETCH, "", ()
    finds = any(use.action in _FINDING for use in uses) or any(reading.finds for reading in ran)
    return ToolAction.SEARCH if finds else ToolAction.RUN, "", ()


def quoted_files(heading: str, body: str) -> tuple[str, ...]:
    """The files that an excerpt of an earlier compaction shows: by its heading, or by the call that it begins with."""
    found = _HEADED.fullmatch(heading) or _OPENED.match(body)
    action = row_of(found[1]).action if found else ToolAction.OTHER
    if not found or action is not ToolAction.READ:
        return _shown_by(read_call(found[1], found[2]))[2] if found and action is ToolAction.RUN else ()
    return (found[2],)


def titled(heading: str, body: str) -> str:
    """The heading of an excerpt of an earlier compaction, with the title that only the call it begins with has."""
    found = None if _HEADED.fullmatch(heading) else _OPENED.match(body)
    if found is None or row_of(found[1]).action not in (ToolAction.READ, ToolAction.RUN):
        return heading
    return f"{heading} {found[1]}: {found[2][:_LONGEST_TITLE].strip()}"


def _result_sources(index: int, number: int, part: Part, calls: Mapping[str, _Call]) -> Iterator[LineSource]:
    """A result; where it shows several files, each by itself."""
    call = calls.get(part.call_id or "", _Call(index, part.name or ""))
    row = row_of(call.tool)
    several = row.reading is CallReading.FILES_XML and "<path>" in part.text
    files = list(_ONE_OF_MANY.finditer(part.text)) if several else []
    files = files if len(files) > 1 else []
    head = part.text[: files[0].start()] if files else part.text
    if not files or head.strip():
        counts = row.action is ToolAction.READ or head.startswith("[File: ") or _COUNTS.search(call.title)
        read = read_lines(head, TextForm.COUNTED if counts else TextForm.RESULT)
        whole = call._replace(shows=()) if files else call
        yield _shown(index, number, whole, read, failed=part.is_error)
    ends = [*(file.start() for file in files[1:]), len(part.text)]
    for k, (file, end) in enumerate(zip(files, ends, strict=False), 1):
        path, unit = file[1].strip(), call.unit + min(k, _MOST_FILES - 1)
        one = call._replace(path=path, title=path, shows=(path,), unit=unit)
        read = read_lines(part.text[file.end() : end], TextForm.COUNTED)
        yield _shown(index, number, one, read, failed=part.is_error)


def _shown(index: int, number: int, call: _Call, read: TextLines, *, failed: bool = False) -> LineSource:
    """What a call showed, or one file of it."""
    about = (call.tool, call.path, call.message, call.title, failed, call.shows, call.unit)
    return LineSource(index, number, _RESULT_KINDS.get(call.action, LineKind.REPLY), read, *about)


def _plain(value: Any) -> str:
    """Write an argument as a reader would read it: strings as they are, a shell list as its command."""
    if value is None:
        return ""
    if isinstance(value, dict):
        return "\n".join(f"{k}: {_plain(v)}" for k, v in value.items())
    if isinstance(value, list):
        shell = value and all(isinstance(v, str) for v in value) and value[0] in _SHELLS
        return (" " if shell else "\n").join(map(_plain, value))
    return str(value)
