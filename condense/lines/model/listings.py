"""Entries of long listings that hardly matter: one file name many times, folders nobody worked in."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from condense.lines.sources import LineKind
from condense.reading import STATE, names_in

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from condense.lines.model.features import HistoryView
    from condense.lines.model.scores import ScoredLine

OFTEN = 2
"""Entries of one name in a listing that count in full; of more each counts the less, all together as much (chosen)."""
ELSEWHERE = 0.25
"""Factor on the worth of an entry none of whose folders, but for those all entries are in, was worked in (0.1 to 0.5
are alike; measured: .002 more of the facts that questions ask for, at the same recall). What was found in such files
weighs as it is, or .002 of the copied text are lost."""
ENOUGH = 4
"""Entries of one folder with one ending that count in full where no file of it was touched; of more each counts the
less, all together as much (measured: .002 more of
the facts that questions ask for at 8,000, .0005 of the names less)."""
MOST_SHORT = 10
"""Entries up to which a listing counts as it is; chosen."""
_NO_PATH = re.compile(r"\s|://|::|[<>=\"'`|(),;{}]|:\d")
_CHANGED = re.compile(r"\bgit\s+(?:diff|status|show|log)\b")
"""Commands whose listings are the work."""
_LISTINGS = (LineKind.FOUND, LineKind.OUTPUT, LineKind.USER)


def listing_factors(view: HistoryView, lines: Sequence[ScoredLine]) -> Iterator[tuple[str, float]]:
    """Yield the keys of entries of long listings that are worth less than others, and by how much.

    Args:
        view: the history.
        lines: its lines, scored, in order of their sources.
    """
    homes = {path[:-1] for path in _paths_touched(view)}
    inner = {home[k:] for home in homes for k in range(len(home))}
    worked_in = {folder for home in homes for folder in home}
    said = names_said(view)
    for at, group in groupby(lines, attrgetter("source")):
        source = view.sources[at]
        if source.kind not in _LISTINGS or _CHANGED.search(source.title):
            continue
        if source.kind is LineKind.USER and STATE not in source.read.text:
            continue
        paths = {line.key: tuple(entry.split("/")) for line in group if (entry := entry_path(line.key))}
        if len(paths) <= MOST_SHORT:
            continue
        names = Counter(path[-1] for path in paths.values())
        kinds = Counter(map(_kind_of, paths.values()))
        common = set.intersection(*(set(path[:-1]) for path in paths.values()))
        for key, path in paths.items():
            factor = min(1.0, OFTEN / names[path[-1]])
            own = set(path[:-1]) - common
            if worked_in and own and own.isdisjoint(worked_in):
                factor *= ELSEWHERE
            if kinds[_kind_of(path)] > ENOUGH and not _is_home(path[:-1], homes, inner):
                factor *= ENOUGH / kinds[_kind_of(path)]
            if factor < 1 and path[-1] not in said:
                yield key, factor


def names_said(view: HistoryView) -> frozenset[str]:
    """The names in the latest request and in what the assistant said last: what is said now matters however often."""
    said = [
        view.texts[at][:LONGEST_SAID].partition(STATE)[0] for at in (view.last_ask, view.last_said) if at >= 0
    ]
    return frozenset(name for text in said for name, _ in names_in(text))


LONGEST_SAID = 10_000
"""Characters of each that are looked at; chosen."""


def entry_path(entry: str) -> str:
    """The path that an entry of a listing is, "" where it is something else: a match, an address, a test, markup."""
    path = entry.replace("\\", "/").rstrip("/")
    return path if "/" in path and not _NO_PATH.search(path) else ""


def _paths_touched(view: HistoryView) -> set[tuple[str, ...]]:
    """The files that were touched, by the segments of their paths, without a drive."""
    paths = (view.sources[at].path.replace("\\", "/") for at in view.touched.values())
    return {tuple(part for part in path.split("/") if part[-1:] not in ("", ".", ":")) for path in paths}


def _is_home(
    folders: tuple[str, ...], homes: Collection[tuple[str, ...]], inner: Collection[tuple[str, ...]]
) -> bool:
    """Whether a folder is one that a touched file is in, told from another root as either may be."""
    return folders in inner or any(folders[k:] in homes for k in range(len(folders)))


def _kind_of(path: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """The folder of a file and the ending of its name."""
    *folders, name = path
    return tuple(folders), name.rpartition(".")[2] if "." in name else ""
