"""A history read once: its sources and files, its different lines, and which names these hold.

Ages are in messages, sizes in tokens (characters / 4); both are put into doubling buckets.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import accumulate, chain, takewhile
from typing import TYPE_CHECKING

from condense.lines.sources import CALL_KINDS, EDIT_KINDS, LineKind
from condense.reading import LINE_END, NameKind, has_extension, read_long_run, runs_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from condense.lines.sources import LineSource

REMEMBERED = 200_000
"""Different lines whose names are remembered; beyond, all are read anew (chosen: about 40 MB)."""


def bucket(value: int, most: int) -> int:
    """Doubling buckets: 0, 1, 2-3, 4-7, ... up to number `most`."""
    return min(most, value.bit_length()) if value > 0 else 0


def chance_bucket(chance: float) -> int:
    """Halving buckets of a probability: 10 is above one half, 1 below 2**-9, 0 none at all."""
    return min(10, int(chance * 1024).bit_length() or 1) if chance > 0 else 0


def file_key(path: str) -> str:
    """The name by which a file is known again under different roots: its last segment."""
    return path.rstrip("/").rsplit("/", 1)[-1].rsplit("\\", 1)[-1]


class HistoryView:
    """The sources of a history, the number of messages they come from, and of each source its text.

    Attributes:
        tokens_after: of each source, how much text stands behind it.
        last_ask, last_said: the newest source of what was asked, and of what the assistant said; -1 where none.
        keys: the file each source is about, "" where none.
        touched, edited, content: the newest source by file: that is about it, changes it, shows its text.
        file_rank: the files, 0 for the one touched last.
    """

    def __init__(self, sources: Sequence[LineSource], messages: int) -> None:
        self.sources, self.messages = sources, messages
        self.texts = [source.read.text for source in sources]
        sizes = [len(text) // 4 + 1 for text in self.texts]
        self.tokens_after = [*accumulate(reversed(sizes), initial=0)][-2::-1]
        self.last_ask, self.last_said = self._last(LineKind.USER), self._last(LineKind.SAID)
        self.keys = [file_key(source.path) if source.path else "" for source in sources]
        about = [(key, i) for i, key in enumerate(self.keys) if key]
        self.touched = dict(about)
        self.edited = {key: i for key, i in about if sources[i].kind in EDIT_KINDS}
        self.content = {key: i for key, i in about if sources[i].kind in (LineKind.READ, LineKind.WRITTEN)}
        newest_first = sorted(self.touched, key=lambda k: -self.touched[k])
        self.file_rank = {key: rank for rank, key in enumerate(newest_first)}

    def _last(self, kind: LineKind) -> int:
        """The newest source of a kind that no program wrote."""
        own = (i for i, s in enumerate(self.sources) if s.kind is kind and not s.read.text.startswith("<"))
        return max(own, default=-1)

    def age(self, at: int) -> int:
        """Messages since a source."""
        return self.messages - self.sources[at].message


class SeenLines:
    """The lines of a history by their keys; places are numbers of lines over all sources.

    Attributes:
        starts: of each source, the place of its first line; one more for the end.
        newest: where each different line stood last, ascending; of one that a call holds and its answer repeats,
            where it stands in the call.
        times, calls: in how many sources a line stands, and in how many calls' inputs.
        last_call: the newest source that is a call's input and holds a line.
        names, kinds, names_of: the names of each line, in order, the kind of each, and those of each source.
    """

    def __init__(self, sources: Sequence[LineSource]) -> None:
        reads = [source.read for source in sources]
        self.starts = [0, *accumulate(len(read.keys) for read in reads)]
        self.keys = [*chain.from_iterable(read.keys for read in reads)]
        self.times = Counter(chain.from_iterable(read.different for read in reads))
        calls = [i for i, source in enumerate(sources) if source.kind in CALL_KINDS]
        self.calls = Counter(chain.from_iterable(reads[i].different for i in calls))
        self.last_call = {line: i for i in calls for line in reads[i].different}
        places = {key: place for place, key in enumerate(self.keys)}
        places.update(self._called(sources, calls, places))
        self.newest = sorted(places.values())
        read = _READER.read([*places])
        self.names = {line: tuple([name for name, _ in read[line]]) for line in places}
        self.kinds: dict[str, NameKind] = dict(chain.from_iterable(read[line] for line in places))
        self.names_of = [
            frozenset(chain.from_iterable(self.names[line] for line in one.different)) for one in reads
        ]

    def _called(
        self, sources: Sequence[LineSource], calls: Sequence[int], places: Mapping[str, int]
    ) -> Iterator[tuple[str, int]]:
        """Yield the lines that stood last in the answer to a call that holds them, and where in that call.

        Calls are repeated far more often than answers, and an edit stays whole beside the file shown behind it.
        """
        messages = [source.message for source in sources]
        homes: dict[str, tuple[int, int]] = {}
        for i in calls:
            answered = self.starts[bisect_right(messages, messages[i] + 1)]
            for place in range(self.starts[i], self.starts[i + 1]):
                homes[self.keys[place]] = (place, answered)
        for key, (place, answered) in homes.items():
            if place < places[key] < answered:
                yield key, place


class LineReader:
    """Reads the names of lines and remembers them for a later compaction."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[tuple[str, NameKind], ...]] = {}

    def read(self, lines: Sequence[str]) -> Mapping[str, tuple[tuple[str, NameKind], ...]]:
        """Return the names of lines, each once, with their kinds; of other lines too."""
        if len(self._known) > REMEMBERED:
            self._known = {}
        new = [line for line in lines if line not in self._known]
        runs = iter(runs_of(new))
        for line in new:
            found = dict(chain.from_iterable(map(read_long_run, takewhile(LINE_END.__ne__, runs))))
            for name, kind in found.items():
                if kind is NameKind.FILE and not has_extension(name):
                    found[name] = NameKind.DOTTED
            self._known[line] = tuple(found.items())
        return self._known


_READER = LineReader()
