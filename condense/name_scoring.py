"""Expected use of every name of a history: where it was seen, and how likely it is needed again.

A small additive model (one weight per bucket of each feature, `line_weights`) gives the probability that a name is
needed in the assistant's next dozen messages. Whatever can be done for all names of a source at once is done with
sets and dicts at once: there are several thousand names to 100,000 tokens, each in several places.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain
from math import exp, log2, sqrt
from typing import TYPE_CHECKING

from condense.line_features import ASK, EDITED, HOT, LAST_SAID, bucket
from condense.line_sources import LineKind
from condense.line_weights import NAME_BASE, NAME_WEIGHTS

if TYPE_CHECKING:
    from condense.line_features import HistoryView
    from condense.seen_lines import SeenLines

(
    _KIND, _AGE, _SOURCES, _CALL_AGE, _CALLS, _TOKEN_AGE, _FIRST_AGE, _LENGTH, _FILE_RANK, _SIZE,
) = NAME_WEIGHTS[:10]  # fmt: skip
OLD_TOKENS = 8192
"""Names last seen before the newest so many tokens are old; one of the bounds of the buckets."""
OLD = 0.65
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


class SeenNames:
    """Where the names of a history were seen, as numbers of sources.

    Attributes:
        first, last, last_call: the first and the newest source that holds a name; the newest that is a call's input.
        times, calls: how many sources hold a name; how many calls.
        masks: the bits of all sources of a name (`HistoryView.mask`), for names that several hold.
        by_source: the names of each source.
    """

    def __init__(self, view: HistoryView, lines: SeenLines) -> None:
        self.first: dict[str, int] = {}
        self.last: dict[str, int] = {}
        self.last_call: dict[str, int] = {}
        self.times: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        self.by_source: list[set[str]] = []
        by_mask: dict[int, set[str]] = {}
        for i, different in enumerate(lines.different):
            names = set(chain.from_iterable(filter(None, map(lines.names.get, different))))
            self.by_source.append(names)
            if not names:
                continue
            self.first.update(dict.fromkeys(names.difference(self.last), i))
            self.last.update(dict.fromkeys(names, i))
            self.times.update(names)
            if view.is_call(i):
                self.last_call.update(dict.fromkeys(names, i))
                self.calls.update(names)
            by_mask.setdefault(view.mask(i), set()).update(names)
        self.masks = dict.fromkeys((name for name, times in self.times.items() if times > 1), 0)
        for mask, group in by_mask.items():
            for name in self.masks.keys() & group:
                self.masks[name] |= mask


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
    sources = range(len(view.sources))
    ages = [view.age(i) for i in sources]
    newest = [
        _AGE[bucket(ages[i], 9)]
        + _TOKEN_AGE[bucket(view.tokens_after[i] >> 9, 8)]
        + _SIZE[bucket(len(view.texts[i]) // 200, 8)]
        for i in sources
    ]
    oldest = [_FIRST_AGE[bucket(age, 9)] for age in ages]
    called = [_CALL_AGE[bucket(age, 9) + 1] for age in ages]
    close = closeness(view, seen)
    closes: defaultdict[str, float] = defaultdict(float)
    for names, value in zip(seen.by_source, close, strict=True):
        if value:
            for name in names:
                closes[name] += value
    marks: dict[int, float] = {}
    alike: dict[tuple[int, int, int], float] = {}
    chances: dict[str, float] = {}
    ranks, kinds, first, last_call = view.file_rank, lines.kinds, seen.first, seen.last_call
    for (name, last), times in zip(seen.last.items(), map(seen.times.__getitem__, seen.last), strict=True):
        rank = ranks.get(name.rsplit("/", 1)[-1]) if "/" in name else ranks.get(name)
        once = (last, kinds[name], len(name) // 6) if times == 1 and rank is None else None
        if once is not None and once in alike:
            chances[name] = alike[once]
            continue
        mask = seen.masks[name] if times > 1 else view.mask(last)
        weight = marks.get(mask)
        if weight is None:
            weight = marks[mask] = sum(weights[1 if mask & bits else 0] for weights, bits in _MARKS)
        weight += NAME_BASE + newest[last] + oldest[first[name]]
        weight += _KIND[kinds[name]] + _LENGTH[min(len(name) // 6, 5)] + _SOURCES[bucket(times, 6)]
        weight += _FILE_RANK[0 if rank is None else 1 + bucket(rank, 5)]
        if view.tokens_after[last] >= FOCUS:
            weight += _CLOSENESS[close_bucket(closes.get(name, 0.0) / times)]
        if name in last_call:
            weight += called[last_call[name]] + _CALLS[bucket(seen.calls[name], 5)]
        else:
            weight += _CALL_AGE[0] + _CALLS[0]
        chance = chances[name] = 1.0 / (1.0 + exp(-weight))
        if once is not None:
            alike[once] = chance
    return chances
