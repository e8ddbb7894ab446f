"""Files that a person attached to a message ("@notes.md"), as clients write their text into it.

Known are the forms of Cline, Roo and their like (`<file_content path="...">`), of Gemini CLI ("--- Content from
referenced files ---", in one text or in parts of one message) and of Claude Code (reminders "Called the Read tool
with the following input", "Result of calling the Read tool").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import orjson

from memory.messages import PartKind
from memory.slash_commands import expansions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.messages import Part


class AttachedFile(NamedTuple):
    """One file in a message.

    Attributes:
        path: as the client names it.
        part: index of the part of the message.
        start, end: character span of what the client wrote, its frame included.
        text: what the file says.
    """

    path: str
    part: int
    start: int
    end: int
    text: str


REFERENCED = "--- Content from referenced files ---"
"""Where Gemini CLI begins to say what the files hold that a person named; it goes on to `_REFERENCED_END`."""
_REFERENCED_END = "--- End of content ---"
_OF_FILE = re.compile(r"^Content from @?([^\n]{1,500}):\n", re.MULTILINE)
_TAGGED = re.compile(
    r"<file_content\s{1,5}path=[\"']([^\"'\n]{1,500})[\"'][^<>\n]{0,200}>\n?(.*?)\n?</file_content>",
    re.DOTALL,
)
_TAG = "<file_content"
_CALLED = re.compile(
    r"(?:<system-reminder>\s{0,9})?Called the Read tool with the following input: (\{[^\n]{1,2000}\})\s{0,9}"
    r"(?:</system-reminder>\s{0,9})?"
)
_CALL = "Called the Read tool with"
_RESULT = re.compile(r"(?:<system-reminder>\s{0,9})?Result of calling the Read tool:\s{0,9}")
_REMINDER_END = "</system-reminder>"
_PATHS = ("file_path", "filePath", "path")
_NONE: frozenset[int] = frozenset()


def attached_files(parts: Sequence[Part]) -> tuple[AttachedFile, ...]:
    """Return the files attached to a message, in order; linear in its texts, next to nothing where there is none."""
    found: list[AttachedFile] = []
    referenced = False
    path = ""
    for k, part in enumerate(parts):
        text = part.text
        if part.kind is not PartKind.TEXT:
            continue
        if referenced and _REFERENCED_END not in text:
            if path:
                found.append(AttachedFile(path, k, 0, len(text), text))
                path = ""
            elif opened := _OF_FILE.fullmatch(text.strip() + "\n"):
                path = opened[1]
            continue
        if REFERENCED in text:
            found += _referenced(text, k)
            referenced = _REFERENCED_END not in text
            path = ""
            continue
        referenced = False
        if _TAG in text:
            found += [AttachedFile(m[1], k, *m.span(), m[2]) for m in _TAGGED.finditer(text)]
        if path and (result := _RESULT.match(text)):
            found.append(_read_result(path, k, 0, result.end(), text))
        path = ""
        if _CALL in text:
            called, path = _called(text, k)
            found += called
    return tuple(found)


def attached_parts(parts: Sequence[Part]) -> frozenset[int]:
    """Return the indexes of the parts that only hold attached files, or frame them."""
    if len(parts) == 1:
        return _NONE
    out: set[int] = set()
    inside = False
    for k, part in enumerate(parts):
        if part.kind is not PartKind.TEXT:
            continue
        begins = part.text.lstrip().startswith(REFERENCED)
        if inside or begins:
            out.add(k)
            inside = _REFERENCED_END not in part.text
    return frozenset(out)


def clients_parts(parts: Sequence[Part]) -> frozenset[int]:
    """Return the indexes of the parts of a message that a client wrote whole: of commands, of attached files."""
    return expansions(parts) | attached_parts(parts) if len(parts) > 1 else _NONE


def outside_references(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a text outside what Gemini CLI says of files that were named."""
    at = 0
    while (start := text.find(REFERENCED, at)) >= 0:
        yield at, start
        end = text.find(_REFERENCED_END, start)
        if end < 0:
            return
        at = end + len(_REFERENCED_END)
    yield at, len(text)


def _referenced(text: str, part: int) -> Iterator[AttachedFile]:
    start = text.find(REFERENCED)
    end = text.find(_REFERENCED_END, start)
    end = len(text) if end < 0 else end
    heads = list(_OF_FILE.finditer(text, start, end))
    ends = [*(head.start() for head in heads[1:]), end]
    for head, high in zip(heads, ends, strict=False):
        yield AttachedFile(head[1], part, head.start(), high, text[head.end() : high])


def _called(text: str, part: int) -> tuple[list[AttachedFile], str]:
    """The files read in one text of Claude Code's, and the path of one whose text stands in the next part."""
    out: list[AttachedFile] = []
    for called in _CALLED.finditer(text):
        path = _path_in(called[1])
        result = _RESULT.match(text, called.end())
        if path and result:
            out.append(_read_result(path, part, called.start(), result.end(), text))
        elif path and not text[called.end() :].strip():
            return out, path
    return out, ""


def _read_result(path: str, part: int, start: int, at: int, text: str) -> AttachedFile:
    end = text.find(_REMINDER_END, at)
    end = len(text) if end < 0 else end
    held = text[at:end]
    if held.startswith('"'):
        try:
            read = orjson.loads(held)
        except ValueError:
            read = held
        held = read if isinstance(read, str) else held
    return AttachedFile(path, part, start, end, held)


def _path_in(given: str) -> str:
    try:
        value = orjson.loads(given)
    except ValueError:
        return ""
    return next((value[k] for k in _PATHS if isinstance(value.get(k), str)), "")
