"""Lines of one result that say the same of different things: the first few tell it, the others hardly more."""

from __future__ import annotations

from collections import Counter
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from condense.line_sources import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense.line_features import HistoryView
    from condense.line_scoring import ScoredLine

ENOUGH = 4
"""Lines of one wording that count in full; of more each counts the less, all together as much (3 and 5 are alike)."""
OWN = 3
"""Lines of a result up to which a name is no part of their wording: a file with three matches, say; chosen."""
SHORTEST_WORDING = 8
"""Characters that must be left of a line without its own names: of a path alone nothing is (chosen)."""
_RESULTS = (LineKind.READ, LineKind.FOUND, LineKind.OUTPUT, LineKind.PAGE, LineKind.REPLY)
_DIGITS = str.maketrans("", "", "0123456789")


def alike_factors(view: HistoryView, lines: Sequence[ScoredLine]) -> Iterator[tuple[str, float]]:
    """Yield the keys of lines of a result that differ from many others of it in names and numbers only, and a factor.

    Args:
        view: the history.
        lines: its lines, scored, in order of their sources.
    """
    for at, group in groupby(lines, attrgetter("source")):
        members = list(group)
        if len(members) <= ENOUGH or view.sources[at].kind not in _RESULTS:
            continue
        times = Counter(chain.from_iterable(line.names for line in members))
        wordings = [_wording(line, times) for line in members]
        counts = Counter(wordings)
        for line, wording in zip(members, wordings, strict=True):
            if counts[wording] > ENOUGH and len(wording) >= SHORTEST_WORDING:
                yield line.key, ENOUGH / counts[wording]


def _wording(line: ScoredLine, times: Counter[str]) -> str:
    """What is left of a line without the names that few lines of its source hold, and without digits."""
    text = line.key
    for name in line.names:
        if times[name] <= OWN:
            text = text.replace(name, "")
    return text.translate(_DIGITS).strip()
