"""Lines of one result that say the same of different things: the first few tell it, the others hardly more."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from condense.lines.model.listings import entry_path, names_said
from condense.lines.sources import LineKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense.lines.model.features import HistoryView
    from condense.lines.model.scores import ScoredLine

ENOUGH = 4
"""Lines of one wording that count in full; of more each counts the less, all together as much (3 and 5 are alike)."""
OWN = 3
"""Lines of a result up to which a name is no part of their wording: a file with three matches, say; chosen."""
SHORTEST_WORDING = 8
"""Characters that must be left of a line without its own names: of a path alone nothing is (chosen)."""
_RESULTS = (LineKind.FOUND, LineKind.OUTPUT, LineKind.PAGE, LineKind.REPLY)
"""Files are left out: what repeats in one is its content (alike in recall)."""
_PRINTED = (LineKind.OUTPUT, LineKind.REPLY)
_TROUBLE = re.compile(
    r"(?<![A-Za-z])(?:FAIL(?:ED|URE)?|ERROR|[Ee]rrors?|[Ff]ailed|[Ff]ailures?|[Pp]anicked|[Ww]arning)(?![a-z])"
    r"|[✕✗✘×✖❌]|错误|失败"
)
"""What tells that a program complains: each complaint counts by itself."""
_DIGITS = str.maketrans("", "", "0123456789")


def alike_factors(view: HistoryView, lines: Sequence[ScoredLine]) -> Iterator[tuple[str, float]]:
    """Yield the keys of lines of a result that differ from many others of it in names and numbers only, and a factor.

    Args:
        view: the history.
        lines: its lines, scored, in order of their sources.
    """
    said = names_said(view)
    for at, group in groupby(lines, attrgetter("source")):
        members = list(group)
        kind = view.sources[at].kind
        if len(members) <= ENOUGH or kind not in _RESULTS:
            continue
        times = Counter(chain.from_iterable(line.names for line in members))
        wordings = [_wording(line, times) for line in members]
        counts = Counter(wordings)
        for line, wording in zip(members, wordings, strict=True):
            if counts[wording] <= ENOUGH or len(wording) < SHORTEST_WORDING:
                continue
            if not said.isdisjoint(line.names):
                continue
            if kind not in _PRINTED or not _TROUBLE.search(line.key):
                yield line.key, ENOUGH / counts[wording]


def _wording(line: ScoredLine, times: Counter[str]) -> str:
    """What is left of a line without the names that few lines of its source hold, and without digits; "" of a path."""
    text = line.key
    if entry_path(text):
        return ""
    for name in line.names:
        if times[name] <= OWN:
            text = text.replace(name, "")
    return text.translate(_DIGITS).strip()
