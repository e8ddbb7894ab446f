"""An outline of what is not quoted: the names most likely needed again, each under the file or message it stood in.

A name in a list costs a quarter of the line it stood in, and tells where to look, as aider's maps of repositories do.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache, lru_cache
from heapq import heapify, heappop, heappush
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from condense.lines.scores import file_key
from condense.lines.sources import CALL_KINDS, EDIT_KINDS, LineKind
from condense.reading import HANDLE, VENDORED, NameKind, beginning_of, is_garbled, read_run, stands_alone
from memory.conversation import find_secrets, quarters

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from condense.lines.scores import ScoredHistory, ScoredLine
    from condense.lines.sources import LineSource
    from memory.conversation import TokenCounter

END = ": "
"""Stands between a place and its names."""
LEAST, ELSEWHERE = 0.01, 0.5
"""Chance below which a name is not listed, and factor on chances of names that stood in no file (measured)."""
SPARE, OVER = 1, 1.3
"""So many times the names that fit are looked at, and the room is filled before names that others hold go; chosen."""
LONGEST_LINE, LONGEST_LISTED, SHORTEST_OWNER = 400, 100, 2
"""Characters of a line looked through for secrets, of the longest name, of the first part of a dotted one; chosen."""
LONGEST_PLACE, MOST_FILES = 24, 3
"""Characters of what was run that tell a place which is no file, and files told of an output of several; chosen."""
UNTOLD = frozenset({NameKind.NUMBER, NameKind.HASH, NameKind.VERSION, NameKind.KEBAB})
_SAID = frozenset({LineKind.SAID, LineKind.THOUGHT, LineKind.USER, LineKind.PAGE})
_OF_FILES = EDIT_KINDS | {LineKind.READ}
DOCUMENT = re.compile(r"\.(?:md|mdx|mdc|markdown|txt|rst|adoc)$|^\.\w+rules$")
"""Names of files that hold text for people."""
IN_FILE, IN_OLD_TEXT, NOT_IN_FILE = 2, 1, 0
"""What a place is, the best first."""

_JOINT = re.compile(r"[a-z][.!?]?[A-Z]")
"""Where a word may be glued to the next."""


class _Place(NamedTuple):
    """Where a name stood: of two the one of higher `rank` is told, as `label`, with the name as `entry`."""

    rank: tuple[int, int]
    label: str
    order: int
    line: str
    entry: str


def outline_lines(
    scored: ScoredHistory,
    *,
    room: int,
    count: TokenCounter,
    present: str,
    names: Collection[str],
    older: Collection[int] = (),
) -> tuple[str, ...]:
    """Choose the names worth most for their length, and write them under where they stood.

    Args:
        scored: the history.
        room: tokens the lines may take, as bullets; never exceeded.
        count: the token counter.
        present, names: the text they will stand in, and the names kept beside it; none is said again.
        older: indexes of messages that are outlines of earlier compactions.

    Returns:
        Lines "place: name name", in the order of the history. Linear apart from sorting.
    """
    wanted = _likeliest(scored, names, room)
    places = _places(scored, wanted, older)
    chances = {n: wanted[n] * (1.0 if p.rank[0] != NOT_IN_FILE else ELSEWHERE) for n, p in places.items()}
    chosen = _chosen(places, chances, present, OVER * room, quarters(" ".join(wanted)[:20_000], count))
    chosen = _without_secrets(chosen, places)

    def tokens(most: int) -> int:
        return count("".join(f"- {line}\n" for line in _written(chosen[:most], places)))

    fits = bisect_right(range(1, len(chosen) + 1), room, key=tokens)
    return _written(chosen[:fits], places)


def _likeliest(scored: ScoredHistory, names: Collection[str], room: int) -> dict[str, float]:
    """The names that may be listed, the best for their length, more than will fit."""
    listed = ((n, c) for n, c in scored.chances.items() if c >= LEAST and len(n) <= LONGEST_LISTED)
    worth = {name: chance / (len(name) + 2) for name, chance in listed if name not in names}
    best = sorted(worth, key=lambda name: (-worth[name], name))[: SPARE * room]
    return {name: scored.chances[name] for name in best if _is_telling(name)}


def _is_telling(name: str) -> bool:
    """Say whether a name tells a reader something without the text around it."""
    read = () if name[0].isdigit() else read_run(name)
    if not read or read[0][1] in UNTOLD or VENDORED.search(name) or HANDLE.fullmatch(name) or is_garbled(name):
        return False
    return read[0][1] is not NameKind.DOTTED or name.index(".") >= SHORTEST_OWNER


def _places(scored: ScoredHistory, wanted: Mapping[str, float], older: Collection[int]) -> dict[str, _Place]:
    """Where each name stood: in a file rather than an output, in the newest of them."""
    out: dict[str, _Place] = {}
    sources = scored.view.sources
    is_glued = cache(lambda at: sources[at].read.is_glued())
    holding = [one for one in enumerate(scored.lines) if not wanted.keys().isdisjoint(one[1].names)]
    for number, line in sorted(holding, key=lambda one: -one[1].source):  # the newest source first
        source, text = sources[line.source], line.key[:LONGEST_LINE]
        if source.read.is_packed(line.line):
            continue
        names = [name for name in line.names if name in wanted]
        rank = (_level(source, source.lines[line.line], older), line.source)
        label = _label(source, line.line, older)
        is_text = rank[0] == NOT_IN_FILE and source.message not in older
        for name in names:
            known = out.get(name)
            if (known is not None and rank <= known.rank) or name == label:
                continue
            glued = is_text and _JOINT.search(name) and is_glued(line.source)
            if not glued and not _is_no_name(name, line, source, older):
                entry = beginning_of(name, source.lines[line.line]) + name
                out[name] = _Place(rank, label, number, text, entry)
    return out


def _is_no_name(name: str, line: ScoredLine, source: LineSource, older: Collection[int]) -> bool:
    """Say whether a name is "and/or", the end of a dependency's path, or what a tool calls its argument."""
    prose = source.message not in older and (source.kind in _SAID or DOCUMENT.search(source.path) is not None)
    if prose and "/" in name and read_run(name)[0][1] is NameKind.SLASHED:
        return not beginning_of(name, source.lines[line.line])
    if any(one.endswith(f"/{name}") and VENDORED.search(one) for one in line.names):
        return True
    return source.kind in CALL_KINDS and not line.line and line.key.startswith(f"{name}:")


def _level(source: LineSource, line: str, older: Collection[int]) -> int:
    """What a place is: a file, text that an edit replaced, or no file."""
    is_file = not line.startswith("#") if source.message in older else source.path and source.kind in _OF_FILES
    old = source.message not in older and source.kind is LineKind.OLD
    return (IN_OLD_TEXT if old else IN_FILE) if is_file else NOT_IN_FILE


def _label(source: LineSource, line: int, older: Collection[int]) -> str:
    """How a place is told: a file by its name, else what was run or said; an earlier outline's as it was."""
    if source.message in older:
        return source.lines[line].partition(END)[0]
    if source.path and source.kind in _OF_FILES:
        files = [*dict.fromkeys(file_key(path) or path for path in source.shows or (source.path,))]
        label = " ".join(", ".join(files[:MOST_FILES]).split()) + (", …" if len(files) > MOST_FILES else "")
    else:
        label = f"#{source.call} {_title(source.title) or ' '.join(source.tool.split())}".rstrip()
    return label.replace(END, ":")


@lru_cache(maxsize=4096)
def _title(title: str) -> str:
    """What was run, cut to whole words (half a word would be a name of its own); "" where it is long, or a secret."""
    title = " ".join(title.split())
    whole = title if len(title) <= LONGEST_PLACE else title[: LONGEST_PLACE + 1].rpartition(" ")[0]
    return "" if find_secrets(title) else whole


def _chosen(
    places: Mapping[str, _Place], chances: Mapping[str, float], present: str, room: float, scale: float
) -> list[str]:
    """The names in the order in which they are worth their tokens; the first of a place pays for naming it."""

    def cost(name: str, *, opens: bool) -> float:
        label = places[name].label if opens else ""
        return scale * (len(places[name].entry) + 1) / 4 + (scale * (len(label) + 2) / 4 + 2 if opens else 0)

    beside: dict[str, list[str]] = {}
    for name, place in places.items():
        beside.setdefault(place.label, []).append(name)
    heap = [(-chances[name] / cost(name, opens=True), name) for name in places]
    heapify(heap)
    done: dict[str, None] = {}
    while heap:
        worth, name = heappop(heap)
        opens = places[name].label in beside
        price = cost(name, opens=opens)
        if name in done or price > room or (not opens and worth > -chances[name] / price):
            continue  # the last: a better entry is there, made when the place was named
        if stands_alone(name, present):
            continue
        done[name] = None
        room -= price
        for other in beside.pop(places[name].label, ()):
            if other != name:
                heappush(heap, (-chances[other] / cost(other, opens=False), other))
    return list(done)


def _without_secrets(names: Sequence[str], places: Mapping[str, _Place]) -> list[str]:
    """Names whose lines tell no key, token or password by them."""
    text = "\n".join(dict.fromkeys(places[name].line for name in names))
    secrets = {text[span.start : span.end] for span in find_secrets(text)}
    return [n for n in names if not any(n in secret or secret in places[n].entry for secret in secrets)]


def _written(names: Iterable[str], places: Mapping[str, _Place]) -> tuple[str, ...]:
    """Write names under their places, both in the order of the history; none that another of its place holds."""
    by_label: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda n: places[n].order):
        by_label.setdefault(places[name].label, []).append(name)
    lines = []
    for label, own in by_label.items():
        cuts = [(name, at) for name in own for at, sign in enumerate(name) if sign in "./"]
        held = set(chain.from_iterable((name[:at], name[at + 1 :]) for name, at in cuts))
        told = [places[name].entry for name in own if name not in held and not stands_alone(name, label)]
        if told:
            lines.append(f"{label}{END}{' '.join(told)}")
    return tuple(lines)
