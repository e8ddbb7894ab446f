"""The different lines of a history: where each stands, how often, and which names it holds.

Nearly half the lines of a session stand in it more than once, so what is known of a line is found once for all its
places, and whatever can be done for many lines in one call is done so.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from condense.lines.sources import CALL_KINDS
from condense.reading import LINE_END, LONGEST_RUN, SHORTEST, NameKind, has_extension, read_long_run, runs_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from condense.lines.sources import LineSource
    from condense.lines.text_lines import TextLines


class SeenLines:
    """The lines of a history by what makes them the same; places are numbers of lines over all sources.

    Attributes:
        starts: of each source, the place of its first line; one more for the end.
        keys: of each line, its text without indentation and without the sign of a patch.
        newest: where each different line stood last, ascending; of one that a call holds and its answer repeats,
            where it stands in the call.
        times: in how many sources more than one a line stands.
        calls: of how many calls' inputs it is a part.
        last_call: the newest source that is a call's input and holds a line.
        names: the names of each line, in order, each once; of other lines too.
        kinds: of each name.
        names_of: the names of each source.
    """

    def __init__(self, sources: Sequence[LineSource]) -> None:
        reads = [source.read for source in sources]
        self.starts = [0, *accumulate(len(read.keys) for read in reads)]
        self.keys: list[str] = list(chain.from_iterable(read.keys for read in reads))
        counted = Counter(chain.from_iterable(read.different for read in reads))
        self.times = {line: times - 1 for line, times in counted.items() if times > 1}
        calls = [(i, source.read.different) for i, source in enumerate(sources) if source.kind in CALL_KINDS]
        self.calls = Counter(chain.from_iterable(different for _, different in calls))
        self.last_call: dict[str, int] = {}
        for i, different in calls:
            self.last_call.update(dict.fromkeys(different, i))
        places = dict(zip(self.keys, range(len(self.keys)), strict=True))
        places.update(self._called(sources, [i for i, _ in calls], places))
        self.newest = sorted(places.values())
        self.names, self.kinds = _READER.read(list(places))
        self.names_of = _READER.names_of(reads, self.names)

    def _called(
        self, sources: Sequence[LineSource], calls: Sequence[int], places: Mapping[str, int]
    ) -> Iterator[tuple[str, int]]:
        """Yield the lines that stood last in the answer to a call that holds them, and where in that call.

        Without this an edit would fall apart into a bare frame and the lines that the file shown behind it repeats;
        calls are repeated far more often than answers (measured: .004 of the copied text).
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


REMEMBERED = 200_000
"""Different lines whose names are remembered; beyond, all are read anew (chosen: about 40 MB)."""


BATCH = 10_000
"""Lines read at a time (chosen: the words of a batch take a few megabytes while it is read)."""


class LineReader:
    """Reads the names of lines and remembers them: a later compaction reads only the lines that are new.

    What a line says is the same in every history, so nothing but time depends on what is remembered.
    """

    def __init__(self) -> None:
        self._known: tuple[dict[str, tuple[str, ...]], dict[str, NameKind], object] = ({}, {}, object())

    def read(self, lines: Sequence[str]) -> tuple[Mapping[str, tuple[str, ...]], Mapping[str, NameKind]]:
        """Return the names of lines, and what these are; of other lines too."""
        if len(self._known[0]) > REMEMBERED:
            self._known = ({}, {}, object())
        known, kinds, _ = self._known
        new = [line for line in lines if line not in known]
        for at in range(0, len(new), BATCH):
            self._read(new[at : at + BATCH])
        return known, kinds

    def _read(self, new: Sequence[str]) -> None:
        """Read lines that are not known yet."""
        known, kinds, _ = self._known
        runs = runs_of(new)
        named: dict[str, tuple[str, ...]] = {}
        for run in dict.fromkeys(runs):
            if run.isalpha() and (run[1:].islower() or run.isupper()):
                continue
            if (
                run.isidentifier() and "_" in run and SHORTEST <= len(run) <= LONGEST_RUN
            ):  # the usual ones at once
                named[run] = (run,)
                kinds[run] = NameKind.CONSTANT if run.isupper() else NameKind.IDENTIFIER
                continue
            read = read_long_run(run)
            if read:
                named[run] = tuple([name for name, _ in read])
                for name, kind in read:
                    kinds[name] = (
                        kind if kind is not NameKind.FILE or has_extension(name) else NameKind.DOTTED
                    )
        named[LINE_END] = end = (LINE_END,)
        line, own = iter(new), tuple[str, ...]()
        for found in filter(None, map(named.get, runs)):
            if found is not end:
                own = own + found if own else found
            else:
                known[next(line)] = own if len(set(own)) == len(own) else tuple(dict.fromkeys(own))
                own = ()

    def names_of(
        self, texts: Sequence[TextLines], names: Mapping[str, tuple[str, ...]]
    ) -> list[frozenset[str]]:
        """Return the names of texts, given those of their lines; each text remembers its own."""
        known, _, token = self._known
        out: list[frozenset[str]] = []
        for text in texts:
            if text.names is not None and text.names[0] is token and known is names:
                out.append(text.names[1])
                continue
            found = frozenset(chain.from_iterable(filter(None, map(names.get, text.different))))
            out.append(found)
            if known is names:
                text.names = (token, found)
        return out


_READER = LineReader()
