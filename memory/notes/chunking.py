"""Markdown in pieces that can be found: runs of lines that belong together, with their numbers and headings."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

WANTED_SIZE: Final = 600
"""Characters up to which paragraphs of one section are put together (chosen: about 150 tokens)."""

MOST_SIZE: Final = 1500
"""Characters after which a paragraph or a code block is parted between lines (chosen: small models read 256 to 512
tokens)."""

_HEADING: Final = re.compile(r"\s{0,3}(#{1,6})\s{1,8}(.{1,300})")
_FENCE: Final = re.compile(r"\s{0,3}(`{3,20}|~{3,20})")
_MEMORY: Final = re.compile(r"\s{0,8}\d{4}-\d{2}-\d{2}\s{0,8}\|[^|]{0,200}\|")


@dataclass(frozen=True, slots=True)
class Chunk:
    """A run of lines of one document.

    Attributes:
        start, end: first and last line, 1-based, both included; neither is blank.
        text: these lines exactly, joined by line feeds.
        headings: the headings it stands under, outermost first; its own first line may be the last of them.
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
    """Return the chunks of a document, in order; every line that is not blank is in exactly one.

    A chunk never spans two sections; paragraphs of a section are put together while they are small; a memory line
    (`date|source|items`) stands alone; a code block is parted only where it is very long. Linear time.
    """
    found: list[Chunk] = []
    for headings, blocks in _sections(lines):
        run: list[tuple[int, int]] = []
        for start, end in blocks:
            if run and (
                _size(lines, run[0][0], end) > WANTED_SIZE
                or _MEMORY.match(lines[start])
                or _MEMORY.match(lines[run[-1][0]])
            ):
                found += _chunks(lines, run, headings)
                run = []
            run.append((start, end))
        found += _chunks(lines, run, headings)
    return tuple(found)


def _sections(lines: Sequence[str]) -> Iterator[tuple[tuple[str, ...], list[tuple[int, int]]]]:
    """Yield the headings and the blocks (first and last line, 0-based) of each section."""
    titles: list[tuple[int, str]] = []
    blocks: list[tuple[int, int]] = []
    for start, end in _blocks(lines):
        heading = _HEADING.match(lines[start])
        if heading is not None:
            if blocks:
                yield tuple(title for _, title in titles), blocks
                blocks = []
            depth = len(heading[1])
            titles = [(d, t) for d, t in titles if d < depth]
            titles.append((depth, heading[2].strip().rstrip("#").strip()))
        blocks.append((start, end))
    if blocks:
        yield tuple(title for _, title in titles), blocks


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
        last = len(lines) - 1
        while not lines[last].strip():
            last -= 1
        yield start, last


def _size(lines: Sequence[str], start: int, end: int) -> int:
    return sum(len(line) + 1 for line in lines[start : end + 1])


def _chunks(
    lines: Sequence[str], run: Iterable[tuple[int, int]], headings: tuple[str, ...]
) -> Iterator[Chunk]:
    """Yield one chunk for a run of blocks, or several where it is very long."""
    spans = list(run)
    if not spans:
        return
    start, last = spans[0][0], spans[-1][1]
    size = 0
    for at in range(start, last + 1):
        size += len(lines[at]) + 1
        if at == last or size + len(lines[at + 1]) > MOST_SIZE:
            chunk = _chunk(lines, start, at, headings)
            if chunk is not None:
                yield chunk
            start, size = at + 1, 0


def _chunk(lines: Sequence[str], start: int, end: int, headings: tuple[str, ...]) -> Chunk | None:
    while start <= end and not lines[start].strip():
        start += 1
    while end >= start and not lines[end].strip():
        end -= 1
    if start > end:
        return None
    return Chunk(start + 1, end + 1, "\n".join(lines[start : end + 1]), headings)
