"""Expected use of every name of a history: where it was seen, and how likely it is needed again.

A small additive model (one weight per bucket of each feature, `line_weights`) gives the probability that a name is
needed in the assistant's next dozen messages. Whatever can be done for all names of a source at once is done with
sets and dicts at once: there are several thousand names to 100,000 tokens, each in several places.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain
from math import exp, inf, log2, sqrt
from typing import TYPE_CHECKING

from condense.lines.model.features import ASK, EDITED, HOT, LAST_SAID, bucket
from condense.lines.model.weights import NAME_BASE, NAME_WEIGHTS
from condense.lines.sources import LineKind

if TYPE_CHECKING:
    from collections.abc import Collection

    from condense.lines.model.features import HistoryView
    from condense.lines.model.occurrences import SeenLines

(
    _KIND, _AGE, _SOURCES, _CALL_AGE, _CALLS, _TOKEN_AGE, _FIRST_AGE, _LENGTH, _FILE_RANK, _SIZE,
) = NAME_WEIGHTS[:10]  # fmt: skip
OLD_TOKENS = 8192
"""Names last seen before the newest so many tokens are old; one of the bounds of the buckets."""
OLD = 0.57
"""Log-odds added to old names: newer ones more often stand in other kept lines anyway, which the fit cannot know
(measured: best sum of the four recalls at 8000 and 16000 tokens)."""
_TOKEN_AGE = tuple(w + OLD * (256 << k >= OLD_TOKENS) for k, w in enumerate(_TOKEN_AGE))
_CLOSENESS = NAME_WEIGHTS[-1]
_MARKS = tuple(
    (weights, bits)
    for weights, bits in zip(
        NAME_WEIGHTS[10:-1],
        (
            1 << LineKind.USER,
            ASK,
            1 << LineKind.SAID,
            LAST_SAID,
            1 << LineKind.OLD | 1 << LineKind.NEW | 1 << LineKind.PATCH,
            1 << LineKind.WRITTEN,
            1 << LineKind.COMMAND,
            1 << LineKind.READ,
            1 << LineKind.FOUND,
            1 << LineKind.OUTPUT,
            1 << LineKind.THOUGHT,
            1 << LineKind.REPLY,
            HOT,
            EDITED,
        ),
        strict=True,
    )
)


_KINDS = tuple(tuple(kind + length for length in _LENGTH[:6]) for kind in _KIND)
"""Weights of kind and length together."""
_NOT_CALLED = _CALL_AGE[0] + _CALLS[0]


class SeenNames:
    """Where the names of a history were seen, as numbers of sources.

    Attributes:
        first, last, last_call: the first and the newest source that holds a name; the newest that is a call's input.
        times, calls: how many sources hold a name; how many calls.
        bits: of each source (`HistoryView.mask`).
        masks: the bits of all sources of a name, for names that several hold.
        by_source: the names of each source.
    """

    def __init__(self, view: HistoryView, lines: SeenLines) -> None:
        self.last: dict[str, int] = {}
        self.last_call: dict[str, int] = {}
        self.by_source = lines.names_of
        self.bits = list(map(view.mask, range(len(view.sources))))
        by_mask: dict[int, set[str]] = {}
        calls: list[frozenset[str]] = []
        for i, (names, mask) in enumerate(zip(self.by_source, self.bits, strict=True)):
            if not names:
                continue
            where = dict.fromkeys(names, i)
            self.last.update(where)
            if view.is_call(i):
                self.last_call.update(where)
                calls.append(names)
            by_mask.setdefault(mask, set()).update(names)
        self.times = Counter(chain.from_iterable(self.by_source))
        self.calls = Counter(chain.from_iterable(calls))
        self.masks = dict.fromkeys((name for name, times in self.times.items() if times > 1), 0)
        for mask, group in by_mask.items():
            for name in self.masks.keys() & group:
                self.masks[name] |= mask
        self.first: dict[str, int] = {}
        for i in range(len(self.by_source) - 1, -1, -1):
            self.first.update(dict.fromkeys(self.by_source[i], i))


FOCUS = 1500
"""Tokens at the end of a history whose names say what is worked on (chosen)."""
FOCUS_NAMES = 20
"""Names up to which a source of the focus counts in full; of a long listing each counts less (chosen)."""


def closeness(view: HistoryView, seen: SeenNames) -> list[float]:
    """How much each source has to do with what is worked on: the rarity of the names it shares with the focus.

    Summed in bits over the shared names and divided by the square root of the number of its names, as a cosine would;
    0 for the focus itself. Linear in the names of all sources.
    """
    shares: dict[str, float] = {}
    for names, after in zip(seen.by_source, view.tokens_after, strict=True):
        if names and after < FOCUS:
            share = min(1.0, FOCUS_NAMES / len(names))
            shares.update({name: share for name in names if share > shares.get(name, 0.0)})
    total = len(seen.by_source) + 1
    weights = {name: share * log2(total / seen.times[name]) for name, share in sorted(shares.items())}
    out: list[float] = []
    for names, after in zip(seen.by_source, view.tokens_after, strict=True):
        shared = sorted(weights.keys() & names) if after >= FOCUS else ()
        out.append(sum(map(weights.__getitem__, shared)) / sqrt(len(names) + 5) if shared else 0.0)
    return out


def close_bucket(value: float) -> int:
    """Doubling buckets of a closeness: 0 none, 1 below 0.2, 2 below 0.4, ..."""
    return min(10, int(value * 10).bit_length() or 1) if value > 0 else 0


def name_chances(view: HistoryView, lines: SeenLines) -> dict[str, float]:
    """The probability of each name of a history to be needed soon."""
    seen = SeenNames(view, lines)
    ages = [bucket(view.age(i), 9) for i in range(len(view.sources))]
    newest = [
        NAME_BASE + (_AGE[age] + _TOKEN_AGE[bucket(after >> 9, 8)] + _SIZE[bucket(len(text) // 200, 8)])
        for age, after, text in zip(ages, view.tokens_after, view.texts, strict=True)
    ]
    close = closeness(view, seen)
    closes: defaultdict[str, float] = defaultdict(float)
    for names, value in zip(seen.by_source, close, strict=True):
        if value:
            for name in names & seen.masks.keys():
                closes[name] += value
    marks = {
        mask: sum(weights[1 if mask & bits else 0] for weights, bits in _MARKS)
        for mask in {*seen.bits, *seen.masks.values()}
    }
    ranks, kinds, first, times = _ranks(view, seen.last), lines.kinds, seen.first, seen.times
    last_call, calls, after = seen.last_call, seen.calls, view.tokens_after

    def weigh(name: str, last: int, mask: int, near: float) -> float:
        """Log-odds of a name."""
        weight = marks[mask] + (newest[last] + _FIRST_AGE[ages[first[name]]])
        weight += _KINDS[kinds[name]][min(len(name) // 6, 5)] + _SOURCES[bucket(times[name], 6)]
        weight += _FILE_RANK[ranks.get(name, 0)]
        if after[last] >= FOCUS:
            weight += _CLOSENESS[close_bucket(near)]
        if name in last_call:
            return weight + (_CALL_AGE[ages[last_call[name]] + 1] + _CALLS[bucket(calls[name], 5)])
        return weight + _NOT_CALLED

    chances: dict[str, float] = {}
    for name, mask in seen.masks.items():
        chances[name] = 1.0 / (
            1.0 + exp(-weigh(name, seen.last[name], mask, closes.get(name, 0.0) / times[name]))
        )
    for i, names in enumerate(seen.by_source):
        alike: dict[float, float] = {}  # what one source alone holds differs in kind and length
        for name in names.difference(chances):
            key = _KINDS[kinds[name]][min(len(name) // 6, 5)] if name not in ranks else inf
            chance = alike.get(key)
            if chance is None:
                chance = 1.0 / (1.0 + exp(-weigh(name, i, seen.bits[i], close[i])))
                if key != inf:
                    alike[key] = chance
            chances[name] = chance
    return chances


def _ranks(view: HistoryView, names: Collection[str]) -> dict[str, int]:
    """Buckets of the rank of the files that names are, or end in; only of those."""
    ranks = {key: 1 + bucket(rank, 5) for key, rank in view.file_rank.items()}
    own = {name: ranks[name] for name in ranks.keys() & names}
    for name in names:
        if "/" in name:
            rank = ranks.get(name.rsplit("/", 1)[1])
            if rank is not None:
                own[name] = rank
    return own
