"""What is known about each part of a history, as bucket numbers: the columns of the weight tables.

Ages are in messages, sizes in tokens (characters / 4); both are put into doubling buckets, so a table stays small and
says the same of a short and of a long history.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.lines.sources import CALL_KINDS, LineKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.lines.sources import LineSource

NAME_FEATURES = (
    "kind", "age", "sources", "call_age", "calls", "token_age", "first_age", "length", "file_rank", "size",
    "user", "ask", "said", "last_said", "edited", "written", "command", "read", "found", "output", "thought", "reply",
    "hot_file", "edited_file", "closeness",
)  # fmt: skip
LINE_FEATURES = (
    "kind", "repeats", "calls", "call_age", "best_name", "all_names", "names", "length", "place", "indent",
    "age", "token_age", "file_rank", "stale", "edited", "lines", "newest", "mean_name", "top_name",
)  # fmt: skip
"""The first ten belong to the line, the others to its source."""
OWN_FEATURES = 10

_EDITS = (LineKind.OLD, LineKind.NEW, LineKind.PATCH, LineKind.WRITTEN)
ASK, LAST_SAID, HOT, EDITED = 1 << 20, 1 << 21, 1 << 23, 1 << 24
"""Bits of a source beside the one of its kind: the newest request, the newest answer, a file being worked on."""
HOT_FILES = 3
"""How many of the most recently touched files count as being worked on (chosen)."""


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
    """A history read once: its sources, their sizes and their files. Linear.

    Attributes:
        sources, messages: the sources, and the number of messages they come from.
        texts: the text of each source.
        tokens_after: of each source, how much text stands behind it.
        keys: the file each source is about, "" where none.
        touched, edited, content: the newest source by file: that is about it, changes it, shows its text.
        file_rank: the files, 0 for the one touched last.
    """

    def __init__(self, sources: Sequence[LineSource], messages: int) -> None:
        self.sources = sources
        self.messages = messages
        self.texts = [source.read.text for source in sources]
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

    def _last(self, kind: LineKind) -> int:
        for i in range(len(self.sources) - 1, -1, -1):
            source = self.sources[i]
            if source.kind is kind and not (source.lines and source.lines[0].startswith("<")):
                return i
        return -1

    def age(self, at: int) -> int:
        """Messages since a source."""
        return self.messages - self.sources[at].message

    def is_call(self, at: int) -> bool:
        """Say whether a source is a call's own input."""
        return self.sources[at].kind in CALL_KINDS

    def mask(self, at: int) -> int:
        """A source as bits: its kind, and what else it is."""
        key = self.keys[at]
        bits = 1 << self.sources[at].kind
        bits |= ASK if at == self.last_ask else 0
        bits |= LAST_SAID if at == self.last_said else 0
        if key:
            bits |= HOT if self.file_rank[key] < HOT_FILES else 0
            bits |= EDITED if key in self.edited else 0
        return bits

    def source_features(self, at: int) -> tuple[int, ...]:
        """Buckets of one source, in the order of `LINE_FEATURES` from "age" to "newest"."""
        source, key = self.sources[at], self.keys[at]
        rank = stale = edited = 0
        if key:
            rank = 1 + bucket(self.file_rank[key], 5)
            edited = 2 if key in self.edited else 1
            stale = 2 if self.content.get(key, -1) > at else 1 if self.edited.get(key, -1) > at else 3
        return (
            bucket(self.age(at), 9),
            bucket(self.tokens_after[at] >> 9, 8),
            rank,
            stale,
            edited,
            bucket(len(source.lines), 9),
            1 if at == self.last_ask else 2 if at == self.last_said else 0,
        )
