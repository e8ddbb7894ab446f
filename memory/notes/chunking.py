"""Markdown in pieces that can be found: runs of lines that belong together, with their numbers and headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WANTED_SIZE: Final = 600
MOST_SIZE: Final = 1500
"""Characters up to which paragraphs of one section are put together, and after which a paragraph or a code block is
parted between lines (chosen: small models read 256 to 512 tokens)."""

_HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s{1,8}(.{1,300})")
_FENCE: Final = re.compile(r"\s{0,3}(`{3,20}|~{3,20})")
_MEMORY: Final = re.compile(r"\s{0,8}\d{4}-\d{2}-\d{2}\s{0,8}\|[^|]{0,200}\|")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of lines of one document: `start` to `end`, 1-based, both included; neither is blank.

    `headings` are those it stands under, outermost first (its own first line may be the last of them).
    """

    start: int
    end: int
    text: str
    headings: tuple[str, ...] = ()

    @property
    def searchable(self) -> str:
        """The text under its headings, as it is indexed."""
        above = [title for title in self.headings if title not in self.text]
        return "\n".join((*above, self.text))


def split_chunks(lines: Sequence[str]) -> tuple[Chunk, ...]:
    """Return the chunks of a document, in order; every line that is not blank is in exactly one. Linear time.

    Paragraphs of a section are put together while they are small; a memory line (`date|source|items`) stands alone.
    """
    found: list[Chunk] = []
    titles: list[tuple[int, str]] = []
    first, last = (
        0,
        -1,
    )  # lines of the run that is being put together; no run where the last is before the first
    for start, end in _blocks(lines):
        heading = _HEADING.match(lines[start])
        alone = _MEMORY.match(lines[start]) or (last >= first and _MEMORY.match(lines[last]))
        if heading or alone or sum(len(line) + 1 for line in lines[first : end + 1]) > WANTED_SIZE:
            found += _chunks(lines, first, last, titles)
            first = start
        if heading:
            depth = len(heading[1])
            titles = [(d, t) for d, t in titles if d < depth]
            titles.append((depth, heading[2].strip().rstrip("#").strip()))
        last = end
    found += _chunks(lines, first, last, titles)
    return tuple(found)


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield paragraphs, headings, memory lines and code blocks, each as its first and last line."""
    start: int | None = None
    fence = ""
    for at, line in enumerate(lines):
        if fence:
            if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
                yield start if start is not None else at, at
                start, fence = None, ""
            continue
        mark = _FENCE.match(line)
        alone = _HEADING.match(line) or _MEMORY.match(line)
        if start is not None and (mark or alone or not line.strip()):
            yield start, at - 1
            start = None
        if alone:
            yield at, at
        elif line.strip() and start is None:
            start = at
        fence = mark[1] if mark else ""
    if start is not None:
        yield start, len(lines) - 1


def _chunks(lines: Sequence[str], start: int, last: int, titles: list[tuple[int, str]]) -> Iterator[Chunk]:
    """Yield one chunk for a run of lines, or several where it is very long; none for blank lines."""
    size = 0
    for at in range(start, last + 1):
        size += len(lines[at]) + 1
        if at == last or size + len(lines[at + 1]) > MOST_SIZE:
            spoken = [number for number in range(start, at + 1) if lines[number].strip()]
            if spoken:
                text = "\n".join(lines[spoken[0] : spoken[-1] + 1])
                yield Chunk(spoken[0] + 1, spoken[-1] + 1, text, tuple(title for _, title in titles))
            start, size = at + 1, 0
