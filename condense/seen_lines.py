"""The different lines of a history: where each stands, how often, and which names it holds.

Nearly half the lines of a session stand in it more than once, so what is known of a line is found once for all its
places, and whatever can be done for many lines in one call is done so.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from condense.line_sources import CALL_KINDS, LineKind
from condense.names import LINE_END, read_long_run, runs_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.line_sources import LineSource
    from condense.names import NameKind


class SeenLines:
    """The lines of a history by what makes them the same; places are numbers of lines over all sources.

    Attributes:
        starts: of each source, the place of its first line; one more for the end.
        keys: of each line, its text without indentation and without the sign of a patch.
        newest: where each different line stood last, ascending.
        times: in how many sources more than one a line stands.
        calls: of how many calls' inputs it is a part.
        last_call: the newest source that is a call's input and holds a line.
        different: of each source, its different lines.
        names: the names of each line that holds any, in order, repeated ones too.
        kinds: of each name.
    """

    def __init__(self, sources: Sequence[LineSource]) -> None:
        self.starts = [0]
        self.keys: list[str] = []
        self.different: list[set[str]] = []
        self.times: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.last_call: dict[str, int] = {}
        known: set[str] = set()
        for i, source in enumerate(sources):
            if source.kind is LineKind.PATCH:
                keys = [(line[1:] if line[:1] in "+- " else line).strip() for line in source.lines]
            else:
                keys = [line.strip() for line in source.lines]
            self.keys += keys
            self.starts.append(len(self.keys))
            different = set(keys)
            self.different.append(different)
            self.times.update(different & known)
            known |= different
            if source.kind in CALL_KINDS:
                self.calls.update(different)
                self.last_call.update(dict.fromkeys(different, i))
        places = dict(zip(self.keys, range(len(self.keys)), strict=True))
        self.newest = sorted(places.values())
        self.names: dict[str, tuple[str, ...]] = {}
        self.kinds: dict[str, NameKind] = {}
        self._read(list(places))

    def _read(self, keys: Sequence[str]) -> None:
        """Find the names of some different lines."""
        runs = runs_of(keys)
        named: dict[str, tuple[str, ...]] = {}
        for run in dict.fromkeys(runs):
            read = read_long_run(run)
            if read:
                named[run] = tuple([name for name, _ in read])
                for name, kind in read:
                    self.kinds.setdefault(name, kind)
        named[LINE_END] = end = (LINE_END,)
        line, own = iter(keys), tuple[str, ...]()
        for found in filter(None, map(named.get, runs)):
            if found is not end:
                own += found
            elif own:
                self.names[next(line)] = own
                own = ()
            else:
                next(line)
