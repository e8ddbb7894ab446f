"""Excerpts: whole lines of older messages, grouped by the call or the text they stood in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from typing import TYPE_CHECKING

from condense.lines.factors import says_why
from condense.lines.sources import CALL_KINDS, LineKind
from condense.lines.text_lines import led_to
from condense.reading import Sheet, is_markup

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from condense.lines.scores import ScoredLine
    from condense.lines.sources import LineSource

LONGEST_TITLE, LONGEST_PATH = 80, 300
"""Characters of a heading's title, and where it is a path, which is of no use in part (chosen)."""
SPEAKERS = {"en": ("assistant", "user"), "zh": ("助手", "用户")}
NO_OUTPUT = {"en": "(no output)", "zh": "（无输出）"}
GAP, ANSWERED = "…", "→"
"""Stand for lines left out between two kept ones, and between the lines of a call and those of its result."""
BRIDGE = 20.0
"""Tokens of lines between two kept ones that are kept too, so that blocks stay whole (measured)."""
LONGEST_SECTION, LONGEST_SCOPE = 400, 80
"""Lines that are looked back over for the heading of a section of a listing, and of a document; chosen."""
LONGEST_LEAD = 60  # characters of the line that a list is read by; chosen
ENDING, LONGEST_ENDING, SHORT_ANSWER = 8, 120, 32
"""Lines at the end of an output that may say how it ended, characters of such a line, and of a result that stands with
its call although none of its lines was chosen; chosen."""
_SECTION = re.compile(r"(?:\.{1,2}|(?=[^\n]*[/\\])[^\s:][^:\n]{0,200}|[A-Za-z]:\\[^:\n]{1,200}):?")
"""A line that heads a section of a listing: a folder (`ls -R`), a file (`rg --heading`, linters)."""
_TITLE = re.compile(r"#{1,6} \S")
_FENCE = re.compile(r"\s{0,8}(?:```|~~~)")
_ITEM = re.compile(r"\s{0,40}(?:[-*+•]|\d{1,3}[.)])\s")


@dataclass(frozen=True, slots=True)
class ExcerptGroup:
    """The kept lines of one call and its result, or of one text."""

    message: int  # the one most of them stand in, for a handle
    heading: str  # number of the message, tool or speaker, what the call was for unless its first line is kept
    body: str  # the lines with marks for gaps
    lines: tuple[ScoredLine, ...] = ()  # those that were chosen


def render_group(group: ExcerptGroup) -> str:
    """Write one group: "## heading", then its lines."""
    return f"## {group.heading}\n{group.body}"


def bridges(sources: Sequence[LineSource], lines: Sequence[ScoredLine]) -> list[float | None]:
    """Size of what stands between each line and the one before it; None where it is too much or another part."""
    found = [_between(sources, a, b) for a, b in pairwise(lines)]
    sizes = [None if one is None else sum((len(text) + 1) / 4 for text in one) for one in found]
    return [None, *sizes, None][: len(lines) + 1]


def _between(sources: Sequence[LineSource], a: ScoredLine, b: ScoredLine) -> list[str] | None:
    """The lines between two of one part, the later arguments of a call counted as going on; None where too many."""
    first, last = sources[a.source], sources[b.source]
    if (first.message, first.part, first.path) != (last.message, last.part, last.path):
        return None
    if a.source == b.source:
        texts = [first.lines[a.line + 1 : b.line]]
    else:
        texts = [source.lines for source in sources[a.source : b.source + 1]]
        texts[0], texts[-1] = texts[0][a.line + 1 :], texts[-1][: b.line]
    out, size = [], 0.0
    for text in chain.from_iterable(texts):
        size += (len(text) + 1) / 4
        if size > BRIDGE:
            return None
        out.append(text)
    return out


def group_of_lines(sources: Sequence[LineSource], members: Sequence[ScoredLine], language: str) -> ExcerptGroup:
    """Write the kept lines (one at least) of one call and its result, or of one message's texts, as a group."""
    first = sources[members[0].source]
    body = _heading_above(first, members[0].line, -1) or [GAP] * _cut(first, first.lines[: members[0].line])
    body.append(first.lines[members[0].line])
    for last, line in pairwise(members):
        before, source = sources[last.source], sources[line.source]
        bridge = _between(sources, last, line)
        if bridge is not None:
            body += bridge
        else:
            answered = before.kind in CALL_KINDS and source.kind not in CALL_KINDS
            mark, number = ANSWERED if answered else GAP, source.read.number_of(line.line)
            above = _heading_above(source, line.line, last.line if source is before else -1)
            begun = answered and not above and _cut(source, source.lines[: line.line])
            place = number or (GAP if begun else "")
            body += [*led_to(before.lines, last.line, BRIDGE), f"{mark} {place}".rstrip(), *above]
        body.append(source.lines[line.line])
    last = members[-1]
    held = led_to(sources[last.source].lines, last.line, BRIDGE)
    ends = _ending(sources, last, last.line + len(held), language)
    source = sources[last.source]
    body += [*held, *(ends or [GAP] * _cut(source, source.lines[last.line + len(held) + 1 :]))]
    title = first.title[: LONGEST_PATH if first.title == first.path else LONGEST_TITLE]
    number = first.read.number_of(members[0].line)
    if title and title == first.path and number:
        title = f"{title}:{number}"
    heading = f"#{first.call}"
    who = first.tool or SPEAKERS.get(language, SPEAKERS["en"])[first.kind is LineKind.USER]
    if names_call(first, members[0].line):
        body[0] = f"{who} {body[0]}"
    else:
        heading += f" {who}: {title}" if title else f" {who}"
    sizes: dict[int, float] = {}
    for line in members:
        message = sources[line.source].message
        sizes[message] = sizes.get(message, 0.0) + line.size
    most = max(sizes, key=lambda m: (sizes[m], -m))
    return ExcerptGroup(most, heading, "\n".join(body), tuple(members))


def _cut(source: LineSource, lines: Iterable[str]) -> bool:
    """Whether these lines of what a command printed say anything, so that an excerpt without them was cut."""
    return source.kind is LineKind.OUTPUT and any(line.strip() for line in lines)


def names_call(source: LineSource, line: int) -> bool:
    """Say whether a line is the first of an argument that says what its call is for, as its title does."""
    tells = source.kind is LineKind.COMMAND or source.title[:LONGEST_TITLE] in source.lines[0]
    return source.kind in CALL_KINDS and line == 0 and tells


def _ending(sources: Sequence[LineSource], last: ScoredLine, line: int, language: str) -> list[str]:
    """What follows the last kept line of a call: a short result, that there was none, or how its output ended."""
    call = sources[last.source]
    for source in islice(sources, last.source, None):
        if source.call != call.call:
            break
        if source.unit != call.unit or source.kind not in (LineKind.FOUND, LineKind.OUTPUT):
            continue
        if source is call:
            return _outcome(source, line)
        told = [text for text in source.lines if text.strip()]
        if not told:
            return [f"{ANSWERED} {NO_OUTPUT.get(language, NO_OUTPUT['en'])}"]
        if sum(len(text) + 1 for text in told) > SHORT_ANSWER:
            told = [] if call.kind is LineKind.PATCH else _outcome(source, -1)[-1:]
        return [ANSWERED, *told] if told else []
    return []


def _outcome(source: LineSource, after: int) -> list[str]:
    """The line at the end of an output that sums it up, behind a mark where lines are left out before it."""
    if source.kind is not LineKind.OUTPUT:
        return []
    lines = source.lines
    ends = [at for at, text in enumerate(lines) if text.strip()][-ENDING:]
    closing = [ends[k] for k in Sheet("\n".join(lines[at] for at in ends)).closing]
    at = max((at for at in closing if len(lines[at]) <= LONGEST_ENDING), default=-1)
    return [] if at <= after else [lines[at]] if at == after + 1 else [GAP, lines[at]]


def _heading_above(source: LineSource, line: int, last: int) -> list[str]:
    """The heading (a folder, a file, a title) of a line of a listing or a document, if it stands behind `last`."""
    lines, at, nothing = source.lines, -1, True
    if source.kind in (LineKind.FOUND, LineKind.OUTPUT):
        above = range(line, max(last, line - LONGEST_SECTION), -1)
        at = next((k for k in above if not k or not lines[k - 1].strip()), -1)
        at = at if 0 <= at < line and _SECTION.fullmatch(lines[at]) else -1
        nothing = at + 1 == line
    elif source.kind in (LineKind.READ, LineKind.WRITTEN) and is_markup(source.path):
        above = range(line - 1, max(last, line - LONGEST_SCOPE), -1) if not _TITLE.match(lines[line]) else range(0)
        titles = (k for k in above if _TITLE.match(lines[k]))
        at = next((k for k in titles if sum(map(bool, map(_FENCE.match, lines[:k]))) % 2 == 0), -1)
        nothing = not any(text.strip() for text in lines[at + 1 : line])
    elif source.kind is LineKind.SAID and _ITEM.match(lines[line]):
        at = _lead_of(lines, line, last)
        nothing = not any(text.strip() for text in lines[at + 1 : line])
    return [] if at < 0 else [lines[at]] if nothing else [lines[at], GAP]


def _lead_of(lines: Sequence[str], line: int, last: int) -> int:
    """Index of the short line that an item of a list is read by ("Not done yet:", "Rejected"); -1 for any other."""
    indent = [len(text) - len(text.lstrip()) if text.strip() else LONGEST_SECTION for text in lines[: line + 1]]
    above = (k for k in range(line - 1, last, -1) if indent[k] <= indent[line])
    at = next((k for k in above if indent[k] < indent[line] or not _ITEM.match(lines[k])), -1)
    told = lines[at].strip(" \t#*_:：") if at >= 0 else ""
    return at if len(told) <= LONGEST_LEAD and (says_why(told) or "?" in told or "？" in told) else -1
