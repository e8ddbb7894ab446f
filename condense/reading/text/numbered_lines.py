"""The line numbers that tools put before the lines of a file they show, told from numbers that are text."""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple

_ARROWED = re.compile(r"(\s{0,8}\d{1,7})→")
_PADDED = re.compile(r"(\s{1,8}\d{1,7})\t")
_ANY = re.compile(r"(\s{0,8}\d{1,7})(→|\t| ?\||:(?!\d\d:\d))")
"""A number as a tool writes it, and what it puts behind it; no time of day."""
FEWEST = 2
"""Lines that show that the numbers ascend; chosen."""
MOST_OF = 0.8
"""Share of the lines from the first numbered one on that a listing has whose numbers could be text as well: those
before a colon, or without blanks before a tab; chosen."""


class Numbered(NamedTuple):
    """Lines without their numbers.

    Attributes:
        first: the number of the first line of the longest listing, 0 where there is none.
        listed: the indexes of its lines.
        lines: all lines; where no number was taken off, the very same list.
    """

    first: int
    listed: range
    lines: list[str]


class _Run(NamedTuple):
    """Lines whose numbers ascend by one."""

    start: int
    stop: int
    first: int


def without_numbers(lines: list[str], *, counted: bool) -> Numbered:
    """Take running line numbers off the listings of files; everything else stays as it is.

    A listing is a run of lines whose numbers ascend by one, all before the same sign, in one column or ended by one.

    Args:
        lines: of a result.
        counted: it shows files, by a tool or a command that numbers lines. Otherwise numbers only count that cannot be
            text: before an arrow, or behind blanks and before a tab.
    """
    found = [_ANY.match(line) if counted else _ARROWED.match(line) or _PADDED.match(line) for line in lines]
    runs = [run for run in _runs(found) if _is_listing(run, found, lines, counted=counted)]
    if not runs:
        return Numbered(0, range(0), lines)
    bare = list(lines)
    for run in runs:
        rests = [lines[i][found[i].end() :] for i in range(run.start, run.stop)]  # type: ignore[union-attr]
        drop = _blanks(rests, _sign(found[run.start]))
        bare[run.start : run.stop] = [rest[drop:] if rest else rest for rest in rests]
    longest = max(runs, key=lambda run: run.stop - run.start)
    return Numbered(longest.first, range(longest.start, longest.stop), bare)


def _runs(found: list[re.Match[str] | None]) -> list[_Run]:
    """Runs of at least `FEWEST` lines next to each other whose numbers ascend by one, before the same sign."""
    numbered = [(i, int(m[1]), _sign(m)) for i, m in enumerate(found) if m]
    out = []
    for _, group in groupby(enumerate(numbered), lambda entry: _offset(entry[0], *entry[1])):
        members = [entry for _, entry in group]
        if len(members) >= FEWEST:
            out.append(_Run(members[0][0], members[-1][0] + 1, members[0][1]))
    return out


def _offset(rank: int, index: int, number: int, sign: str) -> tuple[int, int, str]:
    """What the lines of one run have in common."""
    return index - rank, number - index, sign


def _sign(found: re.Match[str] | None) -> str:
    """What stands behind a number: an arrow, a tab, a bar, a colon."""
    return "" if found is None else found[0][-1]


def _is_listing(run: _Run, found: list[re.Match[str] | None], lines: list[str], *, counted: bool) -> bool:
    numbers = [m[1] for m in found[run.start : run.stop] if m]
    sign = _sign(found[run.start])
    starts = {len(number) - len(number.lstrip()) for number in numbers}
    if starts != {0} and (len({len(number) for number in numbers}) > 1 or sign == ":"):
        return False
    if not counted or sign in "→|" or (sign == "\t" and starts != {0}):
        return True
    rest = sum(1 for line in lines[run.start :] if line.strip())
    return run.stop - run.start >= MOST_OF * rest


def _blanks(rests: list[str], sign: str) -> int:
    """How many blanks a tool writes between its sign and the lines: one where all have one, of colons exactly one."""
    least = min((len(rest) - len(rest.lstrip(" ")) for rest in rests if rest.strip()), default=0)
    return int(least == 1 if sign == ":" else least >= 1) if sign in ":|" else 0
