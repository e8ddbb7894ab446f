"""A history read once, and the expected use of its lines: which names each brings, how likely its text is repeated.

Two additive models (`weights`): the probability that a name is needed in the assistant's next dozen messages, and the
share of a line's text that it is going to repeat in them. Ages are in messages, sizes in tokens (characters / 4); both
are put into doubling buckets.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, chain
from math import exp, log2, sqrt
from operator import getitem
from typing import TYPE_CHECKING, NamedTuple

from condense.lines.sources import CALL_KINDS, EDIT_KINDS, LineKind
from condense.lines.weights import LINE_BASE, LINE_WEIGHTS, NAME_BASE, NAME_WEIGHTS
from condense.reading import names_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from condense.lines.sources import LineSource
    from condense.reading import NameKind

NAME_FEATURES = tuple(
    "kind age sources call_age calls token_age first_age length file_rank size user ask said last_said edited written "
    "command read found output thought reply hot_file edited_file closeness".split()
)
"""Columns of the table of names."""
LINE_FEATURES = tuple(
    "kind repeats calls call_age best_name all_names names length place indent "
    "age token_age file_rank stale edited lines newest mean_name top_name".split()
)
OWN = 10
"""Columns of the table of lines, of which so many belong to the line, the others to its source."""
PATCH_SIGNS = {"+": 14, "-": 15}
"""Columns of lines of a patch by their sign, beside the numbers of `LineKind`."""
SHORTEST, HOT_FILES = 2, 3
"""Characters of the shortest line that counts, and how many files touched last are being worked on; chosen."""
FOCUS, FOCUS_NAMES, IN_FOCUS = 1500, 20, 11
"""Tokens at the end of a history whose names say what is worked on, names up to which a source of them counts in full
(chosen), and the bucket of the closeness of what stands there itself."""
MARKS = 14
"""Columns of names from "user" to "edited_file": what a source is that shows one."""
REMEMBERED = 200_000
"""Different lines whose names are remembered; beyond, all are read anew (chosen: about 40 MB)."""


def bucket(value: int, most: int) -> int:
    """Doubling buckets: 0, 1, 2-3, 4-7, ... up to number `most`."""
    return min(most, value.bit_length())


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
        names, kinds: the names of each line, in order, and what each name is (of other lines too).
        names_of: the names of each source.
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
        self.names, self.kinds = _READER.read(places), _READER.kinds
        self.names_of = [
            frozenset(chain.from_iterable(map(self.names.__getitem__, one.different))) for one in reads
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
        self._known: dict[str, tuple[str, ...]] = {}
        self.kinds: dict[str, NameKind] = {}

    def read(self, lines: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
        """Return the names of lines, each once; of other lines too."""
        if len(self._known) > REMEMBERED:
            self._known, self.kinds = {}, {}
        for line in lines:
            if line not in self._known:
                found = names_in(line)
                self._known[line] = tuple([name for name, _ in found])
                self.kinds.update(found)
        return self._known


_READER = LineReader()


class ScoredLine(NamedTuple):
    """A line that may be kept: where it stands and what keeping it is worth."""

    source: int
    line: int  # in its source
    key: str  # its text without indentation
    chance: float  # expected share of its text that is repeated soon, 0..1
    names: tuple[str, ...]  # each once
    hope: float  # the sum of their probabilities
    size: float  # characters / 4


@dataclass(frozen=True, slots=True)
class ScoredHistory:
    """A history read and scored once; good for any number of choices from the same messages."""

    view: HistoryView
    lines: list[ScoredLine]  # each different one
    chances: Mapping[str, float]  # of each name to be needed soon
    source_factors: Sequence[float]  # on the worth of all lines of each source
    factors: Mapping[str, float]  # of single lines beside that, by key; 1 where it is missing


def score_lines(view: HistoryView) -> tuple[list[ScoredLine], dict[str, float]]:
    """Score each different line of a history where it stood last, in order, and its names; linear in its text."""
    seen = SeenLines(view.sources)
    chances = {name: _name_chance(row) for name, row in name_features(view, seen).items()}
    lines = []
    for at, around, rows in line_features(view, seen, chances):
        base = LINE_BASE + sum(map(getitem, LINE_WEIGHTS[OWN:], around))
        texts, keys = view.sources[at].lines, view.sources[at].read.keys
        for number, names, hope, own in rows:
            chance = _chance(base + sum(map(getitem, LINE_WEIGHTS, own)))
            lines.append(ScoredLine(at, number, keys[number], chance, names, hope, len(texts[number]) / 4))
    return lines, chances


@lru_cache(maxsize=1 << 16)  # many are alike
def _name_chance(row: tuple[int, ...]) -> float:
    return _chance(NAME_BASE + sum(map(getitem, NAME_WEIGHTS, row)))


def _chance(log_odds: float) -> float:
    return 1.0 / (1.0 + exp(-log_odds))


@dataclass(slots=True)
class _NameUse:
    """Where a name was seen, as numbers of sources, and the marks of these."""

    first: int
    last: int = -1
    last_call: int = -1
    times: int = 0
    calls: int = 0
    marks: int = 0
    close: float = 0.0


def name_features(view: HistoryView, seen: SeenLines) -> dict[str, tuple[int, ...]]:
    """The buckets of each name of a history, in the order of `NAME_FEATURES`."""
    uses: dict[str, _NameUse] = {}
    for at, (source, names) in enumerate(zip(view.sources, seen.names_of, strict=True)):
        marks, is_call = _marks(view, at), source.kind in CALL_KINDS
        for name in sorted(names):
            use = uses.get(name) or uses.setdefault(name, _NameUse(at))
            use.last = at
            use.times += 1
            use.marks |= marks
            if is_call:
                use.last_call = at
                use.calls += 1
    for names, close in zip(seen.names_of, closeness(view, seen, uses), strict=True):
        if close:
            for name in names:
                uses[name].close += close
    ages = [bucket(view.age(at), 9) for at in range(len(view.sources))]
    after = [bucket(tokens >> 9, 8) for tokens in view.tokens_after]
    sizes = [bucket(len(text) // 200, 8) for text in view.texts]
    bits = cache(lambda marks: [marks >> column & 1 for column in range(MARKS)])
    out = {}
    for name, use in uses.items():
        last = use.last
        rank = view.file_rank.get(name, view.file_rank.get(name.rpartition("/")[2], -1))
        close = close_bucket(use.close / use.times) if view.tokens_after[last] >= FOCUS else IN_FOCUS
        called = (1 + ages[use.last_call], bucket(use.calls, 5)) if use.calls else (0, 0)
        out[name] = (
            seen.kinds[name], ages[last], bucket(use.times, 6), *called, after[last], ages[use.first],
            min(len(name) // 6, 5), 1 + bucket(rank, 5) if rank >= 0 else 0, sizes[last],
            *bits(use.marks), close,
        )  # fmt: skip
    return out


def _marks(view: HistoryView, at: int) -> int:
    """What a source is, as bits in the order of `NAME_FEATURES` from "user" to "edited_file"."""
    is_, key = view.sources[at].kind.__eq__, view.keys[at]
    found = (
        is_(LineKind.USER), at == view.last_ask, is_(LineKind.SAID), at == view.last_said,
        is_(LineKind.OLD) or is_(LineKind.NEW) or is_(LineKind.PATCH), is_(LineKind.WRITTEN), is_(LineKind.COMMAND),
        is_(LineKind.READ), is_(LineKind.FOUND), is_(LineKind.OUTPUT), is_(LineKind.THOUGHT), is_(LineKind.REPLY),
        bool(key) and view.file_rank[key] < HOT_FILES, bool(key) and key in view.edited,
    )  # fmt: skip
    return sum(1 << column for column, is_so in enumerate(found) if is_so)


def closeness(view: HistoryView, seen: SeenLines, uses: Mapping[str, _NameUse]) -> list[float]:
    """How much each source has to do with what is worked on: the rarity of the names it shares with the focus.

    Summed in bits and divided by the square root of the number of its names, as a cosine would; 0 for the focus itself.
    """
    shares: dict[str, float] = {}
    for names, after in zip(seen.names_of, view.tokens_after, strict=True):
        if names and after < FOCUS:
            share = min(1.0, FOCUS_NAMES / len(names))
            shares.update({name: share for name in names if share > shares.get(name, 0.0)})
    total = len(seen.names_of) + 1
    weights = {name: share * log2(total / uses[name].times) for name, share in sorted(shares.items())}
    out = []
    for names, after in zip(seen.names_of, view.tokens_after, strict=True):
        shared = sorted(weights.keys() & names) if after >= FOCUS else ()
        out.append(sum(weights[name] for name in shared) / sqrt(len(names) + 5) if shared else 0.0)
    return out


def close_bucket(value: float) -> int:
    """Doubling buckets of a closeness: 0 none, 1 below 0.2, 2 below 0.4, ..."""
    return min(10, int(value * 10).bit_length() or 1) if value > 0 else 0


def line_features(
    view: HistoryView, seen: SeenLines, chances: Mapping[str, float]
) -> Iterator[tuple[int, tuple[int, ...], list[tuple[int, tuple[str, ...], float, tuple[int, ...]]]]]:
    """Yield each source with lines that stood last in it: its number, its buckets, and these lines.

    Of each its number there, its names, the sum of their chances, and its own buckets.
    """
    low = 0
    for at, start in enumerate(seen.starts[:-1]):
        high = bisect_left(seen.newest, seen.starts[at + 1], low)
        numbers = [place - start for place in seen.newest[low:high] if len(seen.keys[place]) >= SHORTEST]
        low = high
        if not numbers:
            continue
        source, tops = view.sources[at], []
        rows: list[tuple[int, tuple[str, ...], float, tuple[int, ...]]] = []
        for number in numbers:
            key, text = source.read.keys[number], source.lines[number]
            names = seen.names[key]
            found = [chances[name] for name in names]
            top, hope = max(found, default=0.0), sum(found, 0.0)
            kind = PATCH_SIGNS.get(text[0], source.kind) if source.kind is LineKind.PATCH else source.kind
            called = seen.last_call.get(key, -1)
            own = (
                kind, bucket(seen.times[key] - 1, 5), bucket(seen.calls[key], 4),
                0 if called < 0 else 1 + bucket(view.age(called), 9),
                chance_bucket(top), chance_bucket(hope), bucket(len(found), 5),
                bucket(len(key) // 5, 7), bucket(number, 8), min((len(text) - len(text.lstrip())) // 2, 7),
            )  # fmt: skip
            rows.append((number, names, hope, own))
            tops.append(top)
        around = (*_source_features(view, at), chance_bucket(sum(tops) / len(tops)), chance_bucket(max(tops)))
        yield at, around, rows


def _source_features(view: HistoryView, at: int) -> tuple[int, ...]:
    """Buckets of one source, in the order of `LINE_FEATURES` from "age" to "newest"."""
    source, key = view.sources[at], view.keys[at]
    rank = stale = edited = 0
    if key:
        rank = 1 + bucket(view.file_rank[key], 5)
        edited = 2 if key in view.edited else 1
        stale = 2 if view.content.get(key, -1) > at else 1 if view.edited.get(key, -1) > at else 3
    newest = 1 if at == view.last_ask else 2 if at == view.last_said else 0
    age, after = bucket(view.age(at), 9), bucket(view.tokens_after[at] >> 9, 8)
    return age, after, rank, stale, edited, bucket(len(source.lines), 9), newest
