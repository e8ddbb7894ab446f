"""Files that a person attached to a message ("@notes.md"), as clients write their text into it.

Known are the forms of Cline, Roo and their like (`<file_content path="...">`), of Gemini CLI ("--- Content from
referenced files ---", in one text or in parts of one message) and of Claude Code (reminders "Called the Read tool
with the following input", "Result of calling the Read tool").
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import orjson

from memory.conversation.messages import PartKind
from memory.conversation.provenance.slash_commands import expansions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.conversation.messages import Part


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
"""Where Gemini CLI begins to say what the files hold that a person named."""
_BEGINS = re.compile(rf"^{REFERENCED}[^\S\n]*$", re.MULTILINE)
_ENDS = re.compile(r"^--- End of content ---[^\S\n]*$", re.MULTILINE)
_OF_FILE = re.compile(r"^Content from @?([^\n]{1,500}):[^\S\n]*(?:\n|\Z)", re.MULTILINE)
_WRAPPERS = (
    "<system-reminder",
    "<file_content",
    "<task>",
    "<user_message>",
    "<environment_details",
    "<feedback>",
)
"""What other clients write: behind it the marker is a part of what they say."""
_TAGGED = re.compile(r"<file_content\s{1,5}path=[\"']([^\"'\n]{1,500})[\"'][^<>\n]{0,200}>\n?")
_TAG, _TAG_END = "<file_content", "</file_content>"
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
    return _read(parts)[0]


def attached_parts(parts: Sequence[Part]) -> frozenset[int]:
    """Return the indexes of the parts that only hold attached files, or frame them."""
    return _read(parts)[1] if len(parts) > 1 else _NONE


def _read(parts: Sequence[Part]) -> tuple[tuple[AttachedFile, ...], frozenset[int]]:
    """The files attached to a message, and the parts that hold nothing else."""
    found: list[AttachedFile] = []
    whole: set[int] = set()
    path, k = "", 0
    while k < len(parts):
        part, at = parts[k], k
        k += 1
        text = part.text
        if part.kind is not PartKind.TEXT:
            path = ""
            continue
        if path and (result := _RESULT.match(text)):
            found.append(_held(path, at, (0, result.end(), _result_end(text, result.end())), text))
        path = ""
        start = _references_start(text)
        if start >= 0:
            found += _referenced(text, start, at)
            if _BEGINS.match(text, start).end() == len(text.rstrip()):  # type: ignore[union-attr]  # it was found there
                named, k = _named_parts(parts, k)
                found += named
                whole.update(range(at + 1, k))
                if k > at + 1 and not text[:start].strip():
                    whole.add(at)
            continue
        if _TAG in text:
            found += _tagged(text, at)
        if _CALL in text:
            called, path = _called(text, at)
            found += called
    return tuple(found), frozenset(whole)


def clients_parts(parts: Sequence[Part]) -> frozenset[int]:
    """Return the indexes of the parts of a message that a client wrote whole: of commands, of attached files."""
    return expansions(parts) | attached_parts(parts) if len(parts) > 1 else _NONE


def outside_references(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a text outside what Gemini CLI says of files that were named."""
    start = _references_start(text)
    if start < 0:
        yield 0, len(text)
        return
    yield 0, start
    yield _references_end(text, start)[1], len(text)


def _references_start(text: str) -> int:
    """Where Gemini CLI's block begins: a line of its own, a file below it or nothing at all; -1 where none does."""
    found = _BEGINS.search(text) if REFERENCED in text else None
    if found is None or any(mark in text[: found.start()] for mark in _WRAPPERS):
        return -1
    rest = text[found.end() : found.end() + 600].lstrip()
    return found.start() if not rest or _OF_FILE.match(rest) else -1


def _references_end(text: str, start: int) -> tuple[int, int]:
    """Where what the files hold ends, and where the block does: at the last line that says so, for a file may, too."""
    last = None
    for last in _ENDS.finditer(text, start):  # noqa: B007  # only the last one is wanted
        pass
    return last.span() if last else (len(text), len(text))


def _referenced(text: str, start: int, part: int) -> Iterator[AttachedFile]:
    end, _ = _references_end(text, start)
    heads = list(_OF_FILE.finditer(text, start, end))
    ends = [*(head.start() for head in heads[1:]), end]
    for head, high in zip(heads, ends, strict=False):
        yield AttachedFile(head[1], part, head.start(), high, text[head.end() : high])


def _named_parts(parts: Sequence[Part], k: int) -> tuple[list[AttachedFile], int]:
    """Files whose name and text stand in parts of their own, and the index behind them."""
    found: list[AttachedFile] = []
    path = ""
    while k < len(parts):
        part = parts[k]
        text = part.text
        if part.kind is PartKind.TEXT and _ENDS.fullmatch(text.strip()):
            return found, k + 1
        head = _OF_FILE.fullmatch(text.strip()) if part.kind is PartKind.TEXT else None
        if head is not None:
            path = head[1]
        elif path:
            if part.kind is PartKind.TEXT:
                found.append(AttachedFile(path, k, 0, len(text), text))
            path = ""
        else:
            break
        k += 1
    return found, k


def _tagged(text: str, part: int) -> Iterator[AttachedFile]:
    at = 0
    while opened := _TAGGED.search(text, at):
        close = text.find(_TAG_END, opened.end())
        if close < 0:
            return
        at = close + len(_TAG_END)
        yield AttachedFile(opened[1], part, opened.start(), at, text[opened.end() : close].removesuffix("\n"))


def _called(text: str, part: int) -> tuple[list[AttachedFile], str]:
    """The files read in one text of Claude Code's, and the path of one whose text stands in the next part."""
    out: list[AttachedFile] = []
    at = 0
    while called := _CALLED.search(text, at):
        at = called.end()
        path = _path_in(called[1])
        result = _RESULT.match(text, at)
        if path and result:
            end = _result_end(text, result.end())
            out.append(_held(path, part, (called.start(), result.end(), end), text))
            at = end
        elif path and not text[at:].strip():
            return out, path
    return out, ""


def _result_end(text: str, at: int) -> int:
    """Where a result ends: with its reminder, before the next call, or with the text."""
    ends = (text.find(_REMINDER_END, at), text.find(_CALL, at))
    return min((end for end in ends if end >= 0), default=len(text))


def _held(path: str, part: int, span: tuple[int, int, int], text: str) -> AttachedFile:
    """A file as a reminder holds it: verbatim, or as a string of JSON. `span` is where it starts, is told, and ends."""
    start, at, end = span
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
    found = (value.get(key) for key in _PATHS) if isinstance(value, dict) else ()
    return next((path for path in found if isinstance(path, str)), "")
