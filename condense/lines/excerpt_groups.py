"""Excerpts: whole lines of older messages, grouped by where they stood, with their reasons."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from condense.lines.sources import CALL_KINDS, LineKind
from condense.lines.text_lines import led_to
from condense.reading import Sheet, is_markup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from condense.lines.model import ScoredLine
    from condense.lines.sources import LineSource

LONGEST_TITLE, LONGEST_PATH = 80, 300
"""Characters of a heading's title, and where it is a path, which is of no use in part (chosen)."""
SPEAKERS = {"en": ("assistant", "user"), "zh": ("助手", "用户")}
"""How a heading names who said a text."""
GAP = "…"
"""Stands for lines left out between two kept ones, and for the rest of a line that was cut; the number of the next line
follows where the listing had line numbers."""
ANSWERED = "→"
"""Stands between the lines of a call and those of its result; the number of the next line follows likewise."""

LONGEST_SECTION = 400
"""Lines of a section of a listing that are looked back over for its heading; chosen."""
SECTION = re.compile(r"(?:\.{1,2}|(?=[^\n]*[/\\])[^\s:][^:\n]{0,200}|[A-Za-z]:\\[^:\n]{1,200}):?")
"""A line that heads a section of a listing: a folder (`ls -R`), a file (`rg --heading`, linters)."""
_LISTING = (LineKind.FOUND, LineKind.OUTPUT)

BRIDGE = 20.0
"""Tokens of lines between two kept ones that are kept too, so that blocks stay whole (measured)."""


@dataclass(frozen=True, slots=True)
class ExcerptLine:
    """One kept line.

    Attributes:
        message, part: where it stands.
        number: its line in the part, counted as a reader of the file would where the listing says so, else from 0.
        kind: what kind of line it is.
        text: verbatim.
        chance: the estimated probability that its text is repeated soon, 0..1.
        reasons: why it was kept, the weightiest first.
    """

    message: int
    part: int
    number: int
    kind: LineKind
    text: str
    chance: float
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExcerptGroup:
    """The kept lines of one call and its result, or of one text.

    Attributes:
        message: the message most of them stand in, for a handle.
        heading: number of the message, tool or speaker, and what the call was for unless its first line is kept.
        body: the lines with marks for gaps.
        read_lines: makes `lines`.
    """

    message: int
    heading: str
    body: str
    read_lines: Callable[[], tuple[ExcerptLine, ...]] = field(default=tuple, repr=False, compare=False)

    @property
    def lines(self) -> tuple[ExcerptLine, ...]:
        """The lines as values, in order; made when asked for."""
        return self.read_lines()


@dataclass(frozen=True, slots=True)
class Excerpts:
    """What a `LineChooser` chose.

    Attributes:
        groups: in the order of the history.
        tokens: of all groups as they were told to be rendered, newlines between them included.
    """

    groups: tuple[ExcerptGroup, ...] = ()
    tokens: int = 0

    @property
    def lines(self) -> tuple[ExcerptLine, ...]:
        """All kept lines, in order."""
        return tuple(line for group in self.groups for line in group.lines)

    def render(self, handle: Callable[[int], str] | None = None) -> str:
        """Write all groups, each under its heading and the handle of its message."""
        return "\n".join(
            render_group(group, handle(group.message) if handle else "") for group in self.groups
        )


def render_group(group: ExcerptGroup, handle: str = "") -> str:
    """Write one group: "## heading handle", then its lines."""
    return f"## {group.heading} {handle}\n{group.body}" if handle else f"## {group.heading}\n{group.body}"


def between_part(sources: Sequence[LineSource], a: ScoredLine, b: ScoredLine) -> bool:
    """Say whether two lines stand in the same part of a message, and there in the same attached file."""
    first, second = sources[a.source], sources[b.source]
    return (first.message, first.part, first.path) == (second.message, second.part, second.path)


def between(sources: Sequence[LineSource], a: ScoredLine, b: ScoredLine) -> Iterator[str]:
    """Yield the lines between two lines of one part, the later arguments of a call counted as going on."""
    if a.source == b.source:
        yield from map(sources[a.source].lines.__getitem__, range(a.line + 1, b.line))
    elif between_part(sources, a, b):
        yield from islice(sources[a.source].lines, a.line + 1, None)
        for at in range(a.source + 1, b.source):
            yield from sources[at].lines
        yield from islice(sources[b.source].lines, b.line)


def bridges(sources: Sequence[LineSource], lines: Sequence[ScoredLine]) -> list[float | None]:
    """Size of what stands between each line and the one before it; None where it is too much or another part."""
    out: list[float | None] = [None] * (len(lines) + 1)
    for k, (a, b) in enumerate(pairwise(lines), 1):
        if a.line + 1 == b.line and a.source == b.source:
            out[k] = 0.0
        elif a.source == b.source or between_part(sources, a, b):
            size = 0.0
            for text in between(sources, a, b):
                size += (len(text) + 1) / 4
                if size > BRIDGE:
                    break
            else:
                out[k] = size
    return out


def group_of_lines(
    sources: Sequence[LineSource], members: Sequence[ScoredLine], chances: Mapping[str, float], language: str
) -> ExcerptGroup:
    """Write the kept lines of one call and its result, or of one message's texts, as a group.

    Args:
        sources: all sources of the history.
        members: the kept lines, in order; at least one.
        chances: of names to be needed.
        language: of the heading, "en" or "zh".
    """
    first = sources[members[0].source]
    body: list[str] = []
    sizes: dict[int, float] = {}
    last: ScoredLine | None = None
    for c in members:
        source = sources[c.source]
        if last is None:
            body += _section_heading(source, c.line, -1)
        elif c.source != last.source or c.line != last.line + 1:
            bridge = _bridge(sources, last, c)
            if bridge is not None:
                body += bridge
            else:
                body += led_to(sources[last.source].lines, last.line, BRIDGE)
                answered = sources[last.source].kind in CALL_KINDS and source.kind not in CALL_KINDS
                number = source.read.number_of(c.line)
                onward = f" {number}" if number else ""
                body.append(f"{ANSWERED if answered else GAP}{onward}")
                body += _section_heading(source, c.line, last.line if c.source == last.source else -1)
        body.append(source.lines[c.line])
        sizes[source.message] = sizes.get(source.message, 0.0) + c.size
        last = c
    if last is not None:
        held = led_to(sources[last.source].lines, last.line, BRIDGE)
        body += held
        body += _ending(sources, last, last.line + len(held), language)
    own = names_call(first, members[0].line)
    whole = first.title == first.path
    title = "" if own else first.title[: LONGEST_PATH if whole else LONGEST_TITLE]
    number = first.read.number_of(members[0].line)
    if title and title == first.path and number:
        title = f"{title}:{number}"
    speakers = SPEAKERS.get(language, SPEAKERS["en"])
    who = first.tool or speakers[first.kind is LineKind.USER]
    if own:
        body[0] = f"{who} {body[0]}"
        heading = f"#{first.call}"
    else:
        heading = f"#{first.call} {who}: {title}" if title else f"#{first.call} {who}"
    message = max(sizes, key=lambda m: (sizes[m], -m))
    return ExcerptGroup(message, heading, "\n".join(body), partial(_as_values, sources, members, chances))


def names_call(source: LineSource, line: int) -> bool:
    """Say whether a line is the first of an argument that says what its call is for, as its title does."""
    return (
        source.kind in CALL_KINDS
        and line == 0
        and (source.kind is not LineKind.ARGUMENT or source.title[:LONGEST_TITLE] in source.lines[0])
    )


SHORT_ANSWER = 24
"""Characters of a result that stands with its call although none of its lines was chosen; chosen."""
NO_OUTPUT = {"en": "(no output)", "zh": "（无输出）"}


ENDING = 8
"""Lines at the end of an output that are looked at for the one which says how it ended; chosen."""
LONGEST_ENDING = 120
"""Characters of such a line; chosen."""


def _ending(sources: Sequence[LineSource], last: ScoredLine, line: int, language: str) -> list[str]:
    """What follows the last kept line of a call: a short result, that there was none, or how its output ended."""
    call = sources[last.source]
    for source in islice(sources, last.source, None):
        if source.call != call.call:
            break
        if source.unit != call.unit or source.kind not in _LISTING:
            continue
        if source is call:
            return _outcome(source, line)
        told = [text for text in source.lines if text.strip()]
        if sum(len(text) + 1 for text in told) <= SHORT_ANSWER:
            return [ANSWERED, *told] if told else [f"{ANSWERED} {NO_OUTPUT.get(language, NO_OUTPUT['en'])}"]
        return (
            [ANSWERED, *told]
            if (told := _outcome(source, -1)[-1:]) and call.kind is not LineKind.PATCH
            else []
        )
    return []


def _outcome(source: LineSource, after: int) -> list[str]:
    """The line at the end of an output that sums it up, behind a mark where lines are left out before it."""
    if source.kind is not LineKind.OUTPUT:
        return []
    lines = source.lines
    ends = [at for at, text in enumerate(lines) if text.strip()][-ENDING:]
    closing = Sheet("\n".join(lines[at] for at in ends)).closing
    at = next((ends[k] for k in sorted(closing, reverse=True) if len(lines[ends[k]]) <= LONGEST_ENDING), -1)
    return [] if at <= after else [lines[at]] if at == after + 1 else [GAP, lines[at]]


def _section_heading(source: LineSource, line: int, last: int) -> list[str]:
    """The heading that a line of a listing stands under (a folder, a file), where it is not kept; else nothing.

    Args:
        source: of the line.
        line: its index.
        last: index of the kept line before it, -1 where there is none.
    """
    if source.kind not in _LISTING:
        return _title_above(source, line, last) if source.kind in _TEXTS else []
    lines = source.lines
    for at in range(line, max(last, line - LONGEST_SECTION), -1):
        if at and lines[at - 1].strip():
            continue
        if at == line or not SECTION.fullmatch(lines[at]):
            return []
        return [lines[at]] if at + 1 == line else [lines[at], GAP]
    return []


_TEXTS = (LineKind.READ, LineKind.WRITTEN)
LONGEST_SCOPE = 80
"""Lines that are looked back over for the heading that a line of a document stands under; chosen."""
_TITLE = re.compile(r"#{1,6} \S")
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")


def _title_above(source: LineSource, line: int, last: int) -> list[str]:
    """The heading that a line of a document stands under, where it is not kept."""
    lines = source.lines
    if not is_markup(source.path) or _TITLE.match(lines[line]):
        return []
    above = range(line - 1, max(last, line - LONGEST_SCOPE), -1)
    at = next((i for i in above if _TITLE.match(lines[i]) and not _is_fenced(lines, i)), -1)
    if at < 0:
        return []
    return [lines[at]] if not any(text.strip() for text in lines[at + 1 : line]) else [lines[at], GAP]


def _is_fenced(lines: Sequence[str], at: int) -> bool:
    """Whether a line stands in a block of code: behind an odd number of fences."""
    return sum(_FENCE.match(text) is not None for text in lines[:at]) % 2 == 1


def _as_values(
    sources: Sequence[LineSource], members: Sequence[ScoredLine], chances: Mapping[str, float]
) -> tuple[ExcerptLine, ...]:
    """Kept lines with all that is known of them."""
    out = []
    for c in members:
        source = sources[c.source]
        text, number = source.lines[c.line], source.read.number_of(c.line) or c.line
        reasons = reasons_of(source, c, chances)
        out.append(ExcerptLine(source.message, source.part, number, source.kind, text, c.chance, reasons))
    return tuple(out)


def _bridge(sources: Sequence[LineSource], a: ScoredLine, b: ScoredLine) -> list[str] | None:
    """The lines between two kept ones where they are few enough to be kept too, else None."""
    if not between_part(sources, a, b):
        return None
    out, size = [], 0.0
    for text in between(sources, a, b):
        size += (len(text) + 1) / 4
        if size > BRIDGE:
            return None
        out.append(text)
    return out


def reasons_of(source: LineSource, line: ScoredLine, chances: Mapping[str, float]) -> tuple[str, ...]:
    """Say why a line was kept: its likeliest names, then what speaks for its text."""
    likely = [(-chances[name], name) for name in line.names if chances[name] >= 0.05]  # noqa: PLR2004  # worth saying
    out = [f"{name} may be needed ({-chance:.0%})" for chance, name in sorted(likely)[:2]]
    if line.chance >= 0.1:  # noqa: PLR2004  # worth saying
        out.append(f"its text may be used again ({line.chance:.0%})")
    return tuple(out) or (f"context of {source.kind.name.lower()}",)
