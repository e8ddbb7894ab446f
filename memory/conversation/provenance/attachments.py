"""Files that a person attached to a message ("@notes.md"), as clients write their text into it.

Known are the forms of Cline, Roo and their like (`<file_content path="...">`), of Gemini CLI and of Claude Code
(reminders "Called the Read tool ..."); each in one text, or in several of one message.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import orjson

from memory.conversation.lazy_patterns import holds
from memory.conversation.messages import PartKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.conversation.messages import Part


class AttachedFile(NamedTuple):
    """One file in a message, `path` as the client names it, `text` what it says.

    `part` is the index of the part that holds it, `start` and `end` the span of what the client wrote there.
    """

    path: str
    part: int
    start: int
    end: int
    text: str


_REFERENCED, _TAG, _CALL = (
    "--- Content from referenced files ---",
    "<file_content",
    "Called the Read tool with",
)
_TAG_END, _REMINDER_END = "</file_content>", "</system-reminder>"
_BEGINS = re.compile(rf"^{_REFERENCED}[^\S\n]*$", re.MULTILINE)
_ENDS = re.compile(r"^--- End of content ---[^\S\n]*$", re.MULTILINE)
_OF_FILE = re.compile(r"^Content from @?([^\n]{1,500}):[^\S\n]*(?:\n|\Z)", re.MULTILINE)
_WRAPPERS = "<system-reminder <file_content <task> <user_message> <environment_details <feedback>".split()
"""What other clients write: behind it Gemini CLI's marker is a part of what they say."""
_TAGGED = re.compile(r"<file_content\s{1,5}path=[\"']([^\"'\n]{1,500})[\"'][^<>\n]{0,200}>\n?")
_CALLED = re.compile(
    r"(?:<system-reminder>\s{0,9})?Called the Read tool with the following input: (\{[^\n]{1,2000}\})\s{0,9}"
    r"(?:</system-reminder>\s{0,9})?(?:<system-reminder>\s{0,9})?Result of calling the Read tool:\s{0,9}"
)


def read_attachments(
    parts: Sequence[Part],
) -> tuple[tuple[AttachedFile, ...], Mapping[int, tuple[int, int]]]:
    """Return the files attached to a message, in order, and the spans of its parts that Gemini CLI wrote."""
    texts = {k: part.text for k, part in enumerate(parts) if part.kind is PartKind.TEXT}
    if not any(holds(text, (_REFERENCED, _TAG, _CALL)) for text in texts.values()):
        return (), {}
    numbers, whole = list(texts), "\n".join(texts.values())
    starts = list(accumulate((len(text) + 1 for text in texts.values()), initial=0))
    block = _block(whole, starts)
    files: list[AttachedFile] = []
    for path, low, at, high in (
        _referenced(whole, *block) if block else sorted(_in_tags(whole), key=itemgetter(1))
    ):
        content = at + len(whole[at:high]) - len(whole[at:high].lstrip("\n"))
        k = bisect_right(starts, content) - 1
        end = min(high, starts[k + 1] - 1)
        if text := _unwritten(whole[content:end].rstrip("\n")):
            files.append(AttachedFile(path, numbers[k], max(0, low - starts[k]), end - starts[k], text))
    first, last = (block[0], block[2]) if block else (0, 0)
    spans = {
        k: (max(0, first - at), min(len(texts[k]), last - at))
        for k, at in zip(numbers, starts, strict=False)
        if at < last and first <= at + len(texts[k])
    }
    return tuple(files), spans


def _block(text: str, starts: Sequence[int]) -> tuple[int, int, int] | None:
    """Where Gemini CLI's block begins (a line of its own), where what the files hold ends, and where the block does."""
    found = _BEGINS.search(text)
    if found is None or holds(
        text[starts[bisect_right(starts, found.start()) - 1] : found.start()], _WRAPPERS
    ):
        return None
    rest = text[found.end() : found.end() + 600].lstrip()
    if rest and not _OF_FILE.match(rest):
        return None
    end, behind = [(len(text), len(text)), *(m.span() for m in _ENDS.finditer(text, found.end()))][-1]
    return found.start(), end, behind


def _referenced(text: str, start: int, end: int, _: int) -> Iterator[tuple[str, int, int, int]]:
    """Path of each file in a block of Gemini CLI's, where its frame begins, where its text does, and where it ends."""
    heads = list(_OF_FILE.finditer(text, start, end))
    for head, high in zip(heads, [*(head.start() for head in heads[1:]), end], strict=False):
        yield head[1], head.start(), head.end(), high


def _in_tags(text: str) -> Iterator[tuple[str, int, int, int]]:
    """The same of files in tags, and of those in reminders, whose text ends with its own or before the next call."""
    at = 0
    while (opened := _TAGGED.search(text, at)) and (close := text.find(_TAG_END, opened.end())) >= 0:
        at = close + len(_TAG_END)
        yield opened[1], opened.start(), opened.end(), at
    at = 0
    while called := _CALLED.search(text, at):
        ends = (text.find(mark, called.end()) for mark in (_REMINDER_END, _CALL))
        at = min((end for end in ends if end >= 0), default=len(text))
        try:
            given = orjson.loads(called[1])
        except ValueError:
            continue
        paths = (
            (given.get(key) for key in ("file_path", "filePath", "path")) if isinstance(given, dict) else ()
        )
        if path := next((path for path in paths if isinstance(path, str)), ""):
            yield path, called.start(), called.end(), at


def _unwritten(held: str) -> str:
    """What a file says: as it stands, without the closing tag, or as a string of JSON says it."""
    held = held.removesuffix(_TAG_END).rstrip("\n")
    try:
        read = orjson.loads(held) if held.startswith('"') else held
    except ValueError:
        read = held
    return read if isinstance(read, str) else held
