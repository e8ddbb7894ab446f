"""What terminals and tools add to the text they show: codes for colours and the like, numbers before lines."""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple

_CODE = re.compile(
    r"\x1b(?:\[[0-9:;<=>?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|P[^\x1b\n]{0,4000}\x1b\\"
    r"|O[A-Z]|%[@G]|#[0-9]|[()][0-9A-Z]|[=>78cDEHMNZ])"
)
_SURE = re.compile(r"(\s{0,8}\d{1,7})→|(\s{1,8}\d{1,7})\t")
_ANY = re.compile(r"(\s{0,8}\d{1,7})(?:→|\t| ?\||:(?!\d\d:\d))")
"""A number as a tool writes it, and what it puts behind it; no time of day."""
FEWEST, MOST_OF = 2, 0.8
"""Lines of a listing, and its share of the lines from its first on where its numbers could be text; chosen."""


def without_codes(text: str) -> str:
    """Return a text without codes for terminals: the same number of lines, the very text where it has none."""
    return _CODE.sub("", text)


class Numbered(NamedTuple):
    """Lines without their numbers."""

    first: int  # the number of the first line of the longest listing, 0 where there is none
    listed: range  # the indexes of its lines
    lines: list[str]  # all; where no number was taken off, the very same list


def without_numbers(lines: list[str], *, counted: bool) -> Numbered:
    """Take running line numbers off the listings of files; everything else stays as it is.

    A listing is a run of lines whose numbers ascend by one, all before the same sign, in one column or ended by one.
    `counted`: the lines are of a tool or command that numbers them; otherwise only numbers count that cannot be text:
    before an arrow, or behind blanks and before a tab.
    """
    pattern = _ANY if counted else _SURE
    found = {i: m for i, line in enumerate(lines) if (m := pattern.match(line))}
    numbered = [(i, int(_number(m)), m[0][-1]) for i, m in found.items()]
    longest, bare = Numbered(0, range(0), lines), list(lines)
    for _, group in groupby(enumerate(numbered), lambda e: (e[1][0] - e[0], e[1][1] - e[1][0], e[1][2])):
        members = [entry for _, entry in group]
        (start, first, sign), listed = members[0], range(members[0][0], members[-1][0] + 1)
        marks = [found[i] for i in listed]
        if len(listed) < FEWEST or not _is_listing(marks, lines[start:], counted=counted):
            continue
        rests = [lines[i][found[i].end() :] for i in listed]
        least = min((len(rest) - len(rest.lstrip(" ")) for rest in rests if rest.strip()), default=0)
        # a blank behind the sign is the tool's where all lines have one, behind a colon exactly one
        drop = int(least == 1 if sign == ":" else least >= 1) if sign in ":|" else 0
        bare[start : listed.stop] = [rest[drop:] for rest in rests]
        if len(listed) > len(longest.listed):
            longest = Numbered(first, listed, bare)
    return longest


def _number(found: re.Match[str]) -> str:
    return found[found.lastindex or 0]


def _is_listing(found: list[re.Match[str]], lines: list[str], *, counted: bool) -> bool:
    """Tell whether numbers that ascend are a tool's: by their column, or as they begin most of the lines left."""
    numbers, sign = [_number(m) for m in found], found[0][0][-1]
    starts = {len(number) - len(number.lstrip()) for number in numbers}
    if starts != {0} and (len({len(number) for number in numbers}) > 1 or sign == ":"):
        return False
    if not counted or sign in "→|" or (sign == "\t" and starts != {0}):
        return True
    return len(found) >= MOST_OF * sum(1 for line in lines if line.strip())
