"""Sentences of a line, with the stops that end them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.extraction.heads import LONGEST_RUN_IN, force_of, run_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory.extraction.heads import Span

SHORTEST = 2
"""Fewest characters of a clause: one alone says nothing (chosen)."""

_STOP = re.compile(r"[.!?…。！？；;]{1,8}[\"')\]”’*`」』）]{0,3}")
_FULL_STOPS = frozenset("。！？；")
_NUMBERED = re.compile(r"\s{1,4}(?=\(?\d[.)]\s[^\s\d])")
"""The numbers of a list that was typed in one line: "1) this 2) that"."""
_NUMBERED_ITEM = re.compile(r"\(?\d[.)]\s")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|Mr|Mrs|Dr|No|incl|resp|z\.B|d\.h|p\.ej|т\.д|т\.п|[A-Z])$"
)


def sentences_of(body: str) -> Iterator[Span]:
    """Yield the spans of the sentences of a line; a list that runs on in it is one: "do not use: a; b", "never 1) a".

    Args:
        body: the line, without stops inside brackets and quotes.
    """
    low, high = 0, 0
    for start, end in _cut(body):
        if high == 0:
            low = start
        elif not _runs_on(body, low, start):
            yield low, high
            low = start
        high = end
    yield low, high or len(body)


def _runs_on(body: str, low: int, start: int) -> bool:
    """Tell whether what begins at `start` is one more item of a list whose head stands at `low`."""
    head = body[low : min(start, low + LONGEST_RUN_IN)]
    if _NUMBERED_ITEM.match(body, start):
        return force_of(head) is not None
    return body[low:start].rstrip()[-1] in ";；" and run_in(head)[2] is not None


def _cut(body: str) -> list[tuple[int, int]]:
    """Return the spans of sentences, with their stops and the blanks around them."""
    size = len(body)
    stops = _STOP.finditer(body)
    inside = [stop for stop in stops if stop.end() < size]
    ends = [stop.end() for stop in inside if _is_stop(body, stop)]
    ends = sorted({*ends, *(number.end() for number in _NUMBERED.finditer(body))})
    found: list[tuple[int, int]] = []
    at = 0
    for end in (*ends, size):
        if end - at >= SHORTEST:
            found.append((at, end))
            at = end
    return found


def _is_stop(body: str, stop: re.Match[str]) -> bool:
    """Tell the stop of a sentence, inside its line, from a dot in a name, a number or an abbreviation."""
    signs = stop.group()
    if not _FULL_STOPS.isdisjoint(signs):
        return True
    if body[stop.end()].isspace():
        start = stop.start()
        return signs[0] != "." or not _ABBREVIATION.search(body[max(0, start - 8) : start])
    if signs[0] == ";":
        return False
    if signs[0] in "!?" and _is_ideograph(body[stop.start() - 1 : stop.start()]):
        return True
    return len(signs) == 1 and _is_ideograph(body[stop.end()])


def _is_ideograph(char: str) -> bool:
    return "\u3040" <= char <= "\u30ff" or "\u4e00" <= char <= "\u9fff"
