"""What is known about each name and each line of a history, as bucket numbers: the columns of the weight tables.

Ages are in messages, sizes in tokens (characters / 4); both are put into doubling buckets, so a table stays small and
says the same of a short and of a long history.
"""

from __future__ import annotations

from math import frexp
from typing import TYPE_CHECKING

from condense.line_sources import CALL_KINDS, LineKind
from condense.names import RUN, read_run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from condense.line_sources import LineSource
    from condense.names import NameKind

NAME_FEATURES = (
    "kind", "age", "sources", "call_age", "calls", "token_age", "first_age", "length", "file_rank", "size",
    "user", "ask", "said", "last_said", "edited", "written", "command", "read", "found", "output", "thought", "reply",
    "hot_file", "edited_file",
)  # fmt: skip
LINE_FEATURES = (
    "kind", "repeats", "calls", "call_age", "best_name", "all_names", "names", "length", "place", "indent",
    "age", "token_age", "file_rank", "stale", "edited", "lines", "newest", "mean_name", "top_name",
)  # fmt: skip
"""The first ten belong to the line, the others to its source."""
OWN_FEATURES = 10

_EDITS = (LineKind.OLD, LineKind.NEW, LineKind.PATCH, LineKind.WRITTEN)
_IN_CALL = sum(1 << k for k in CALL_KINDS)
_IN_EDIT = 1 << LineKind.OLD | 1 << LineKind.NEW | 1 << LineKind.PATCH
_ASK, _LAST_SAID, _HOT, _EDITED = 1 << 20, 1 << 21, 1 << 23, 1 << 24
HOT_FILES = 3
"""How many of the most recently touched files count as being worked on (chosen)."""
PATCH_ADDED, PATCH_REMOVED = 14, 15
"""Columns of patch lines that begin with + and -, beside the numbers of `LineKind`."""


def bucket(value: int, most: int) -> int:
    """Doubling buckets: 0, 1, 2-3, 4-7, ... up to number `most`."""
    return min(most, value.bit_length()) if value > 0 else 0


def chance_bucket(chance: float) -> int:
    """Halving buckets of a probability: 10 is above one half, 1 below 2**-9, 0 none at all."""
    return min(10, max(1, 10 + frexp(chance)[1])) if chance > 0 else 0


class SeenName:
    """Where a name was seen: numbers of sources, and a mask of their kinds."""

    __slots__ = ("calls", "first", "kind", "last", "last_call", "mask", "sources")

    def __init__(self, kind: NameKind, at: int) -> None:
        self.kind = kind
        self.first = at
        self.last = -1
        self.sources = 0
        self.mask = 0
        self.last_call = -1
        self.calls = 0


def file_key(path: str) -> str:
    """The name by which a file is known again under different roots: its last segment."""
    return path.rstrip("/").rsplit("/", 1)[-1].rsplit("\\", 1)[-1]


class HistoryView:
    """A history read once: its sources, files and names; everything the features are made from. Linear."""

    def __init__(self, sources: Sequence[LineSource], messages: int) -> None:
        self.sources = sources
        self.messages = messages
        self.texts = ["\n".join(source.lines) for source in sources]
        self.tokens_after = [0] * len(sources)
        total = 0
        for i in range(len(sources) - 1, -1, -1):
            self.tokens_after[i] = total
            total += len(self.texts[i]) // 4 + 1
        self.last_ask = self._last(LineKind.USER)
        self.last_said = self._last(LineKind.SAID)
        self.touched: dict[str, int] = {}
        self.edited: dict[str, int] = {}
        self.content: dict[str, int] = {}
        self.keys = [file_key(source.path) if source.path else "" for source in sources]
        for i, (key, source) in enumerate(zip(self.keys, sources, strict=True)):
            if key:
                self.touched[key] = i
                if source.kind in _EDITS:
                    self.edited[key] = i
                if source.kind in (LineKind.READ, LineKind.WRITTEN):
                    self.content[key] = i
        newest_first = sorted(self.touched, key=lambda k: -self.touched[k])
        self.file_rank = {key: rank for rank, key in enumerate(newest_first)}
        self.names = self._see_names()

    def _last(self, kind: LineKind) -> int:
        for i in range(len(self.sources) - 1, -1, -1):
            source = self.sources[i]
            if source.kind is kind and not (source.lines and source.lines[0].startswith("<")):
                return i
        return -1

    def _see_names(self) -> dict[str, SeenName]:
        names: dict[str, SeenName] = {}
        for i, source in enumerate(self.sources):
            bit = 1 << source.kind
            if i == self.last_ask:
                bit |= _ASK
            if i == self.last_said:
                bit |= _LAST_SAID
            key = self.keys[i]
            if key:
                if self.file_rank[key] < HOT_FILES:
                    bit |= _HOT
                if key in self.edited:
                    bit |= _EDITED
            call = bool(bit & _IN_CALL)
            for run in set(RUN.findall(self.texts[i])):
                for name, kind in read_run(run):
                    seen = names.get(name)
                    if seen is None:
                        names[name] = seen = SeenName(kind, i)
                    if seen.last != i:
                        seen.sources += 1
                        seen.last = i
                        if call:
                            seen.last_call = i
                            seen.calls += 1
                    seen.mask |= bit
        return names

    def name_features(self, name: str, seen: SeenName) -> tuple[int, ...]:
        """Buckets of one name, in the order of `NAME_FEATURES`."""
        now, sources, mask = self.messages, self.sources, seen.mask
        rank = self.file_rank.get(name.rsplit("/", 1)[-1])
        return (
            seen.kind,
            bucket(now - sources[seen.last].message, 9),
            bucket(seen.sources, 6),
            0 if seen.last_call < 0 else bucket(now - sources[seen.last_call].message, 9) + 1,
            bucket(seen.calls, 5),
            bucket(self.tokens_after[seen.last] >> 9, 8),
            bucket(now - sources[seen.first].message, 9),
            min(len(name) // 6, 5),
            0 if rank is None else 1 + bucket(rank, 5),
            bucket(len(self.texts[seen.last]) // 200, 8),
            mask >> LineKind.USER & 1,
            1 if mask & _ASK else 0,
            mask >> LineKind.SAID & 1,
            1 if mask & _LAST_SAID else 0,
            1 if mask & _IN_EDIT else 0,
            mask >> LineKind.WRITTEN & 1,
            mask >> LineKind.COMMAND & 1,
            mask >> LineKind.READ & 1,
            mask >> LineKind.FOUND & 1,
            mask >> LineKind.OUTPUT & 1,
            mask >> LineKind.THOUGHT & 1,
            mask >> LineKind.REPLY & 1,
            1 if mask & _HOT else 0,
            1 if mask & _EDITED else 0,
        )

    def source_features(self, at: int) -> tuple[int, ...]:
        """Buckets of one source, in the order of `LINE_FEATURES` from "age" to "newest"."""
        source, key = self.sources[at], self.keys[at]
        rank = stale = edited = 0
        if key:
            rank = 1 + bucket(self.file_rank[key], 5)
            edited = 2 if key in self.edited else 1
            stale = 2 if self.content.get(key, -1) > at else 1 if self.edited.get(key, -1) > at else 3
        return (
            bucket(self.messages - source.message, 9),
            bucket(self.tokens_after[at] >> 9, 8),
            rank,
            stale,
            edited,
            bucket(len(source.lines), 9),
            1 if at == self.last_ask else 2 if at == self.last_said else 0,
        )


class SeenLine:
    """One line by its text: where it stood last, and how often before."""

    __slots__ = ("at", "calls", "last_call", "line", "sources")

    def __init__(self) -> None:
        self.at = -1
        self.line = 0
        self.sources = 0
        self.calls = 0
        self.last_call = -1


def line_key(kind: LineKind, line: str) -> str:
    """What makes two lines the same: their text without indentation and without the sign of a patch."""
    return (line[1:] if kind is LineKind.PATCH and line[:1] in "+- " else line).strip()


def see_lines(sources: Sequence[LineSource]) -> dict[str, SeenLine]:
    """Find each different line of a history where it stood last; lines of less than two characters are left out."""
    seen: dict[str, SeenLine] = {}
    for i, source in enumerate(sources):
        call = source.kind in CALL_KINDS
        kind = source.kind
        for j, text in enumerate(source.lines):
            key = line_key(kind, text)
            if len(key) < 2:  # noqa: PLR2004  # a lone bracket is the same everywhere
                continue
            line = seen.get(key)
            if line is None:
                seen[key] = line = SeenLine()
            if line.at != i:
                line.sources += 1
                line.at = i
                if call:
                    line.calls += 1
                    line.last_call = i
            line.line = j
    return seen


_NO_NAMES: dict[str, float] = {}
"""Shared by all that have none; never written to."""
_NOTHING = (_NO_NAMES, 0.0, 0.0)


class RunReadings(dict[str, tuple[dict[str, float], float, float]]):
    """What a run of characters says in a history, read when first asked for: names and chances, their sum, the best."""

    def __init__(self, chances: Mapping[str, float]) -> None:
        super().__init__()
        self._chances = chances

    def __missing__(self, run: str) -> tuple[dict[str, float], float, float]:
        """Read a run that was not met before."""
        found = read_run(run)
        if found:
            chances = self._chances
            names = {name: chances[name] for name, _ in found if name in chances}
            total = sum(names.values(), 0.0)
            reading = (names, total, max(names.values(), default=0.0))
        else:
            reading = _NOTHING
        self[run] = reading
        return reading


_CAP = [[min(most, bits) for bits in range(64)] for most in range(10)]
"""`bucket` as a table: by its largest number, then by bit length."""
_MOST_INDENT = 7


def source_lines(
    view: HistoryView, at: int, entries: Sequence[tuple[str, SeenLine]], readings: RunReadings
) -> list[tuple[tuple[int, ...], Mapping[str, float], float]]:
    """Read the lines of one source.

    Returns:
        For each entry the buckets of the line, the first `OWN_FEATURES` of `LINE_FEATURES`; its names with their
        chances; and the largest chance.
    """
    source = view.sources[at]
    patch = source.kind is LineKind.PATCH
    lines, now = source.lines, view.messages
    cap5, cap7, cap8, cap9 = _CAP[5], _CAP[7], _CAP[8], _CAP[9]
    out: list[tuple[tuple[int, ...], Mapping[str, float], float]] = []
    for key, seen in entries:
        text = lines[seen.line]
        kind: int = source.kind
        if patch and text[:1] in "+-" and text:
            kind = PATCH_ADDED if text[0] == "+" else PATCH_REMOVED
        names = _NO_NAMES
        best = total = 0.0
        for run in RUN.findall(key):
            found, together, highest = readings[run]
            if found:
                names = {**names, **found} if names else found
                total += together
                best = max(best, highest)
        buckets = (
            kind,
            cap5[(seen.sources - 1).bit_length()],
            _CAP[4][seen.calls.bit_length()],
            0 if seen.last_call < 0 else 1 + cap9[(now - view.sources[seen.last_call].message).bit_length()],
            chance_bucket(best),
            chance_bucket(total),
            cap5[len(names).bit_length()],
            cap7[(len(key) // 5).bit_length()],
            cap8[seen.line.bit_length()],
            min(_MOST_INDENT, (len(text) - len(text.lstrip())) // 2),
        )
        out.append((buckets, names, best))
    return out
