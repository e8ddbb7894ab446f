"""Which runs of words the chosen lines tell already: the text of one much like them is worth less."""

from __future__ import annotations

import re

WORDS = 4
"""Words of a run; a line with fewer says nothing that could be told already (3 gives more names, .005 fewer copies)."""
TOLD = 0.2
"""What text that is told already is still worth: it goes on where the other ends (measured at 8,000 tokens: .002 of the
names, .004 of the copied text and .009 of the facts that questions ask for more than at 1; 0 has .005 fewer copies)."""
_WORD = re.compile(r"\w{3,}")


class ToldRuns:
    """The runs of words of the lines chosen so far."""

    def __init__(self) -> None:
        self._told: set[tuple[str, ...]] = set()
        self._known: dict[str, tuple[tuple[str, ...], ...]] = {}

    def novelty(self, line: str) -> float:
        """Return what is left of the worth of a line's text: 1 where nothing was told yet, else down to `TOLD`."""
        runs = self._runs(line)
        if not runs:
            return 1.0
        new = sum(run not in self._told for run in runs) / len(runs)
        return TOLD + (1.0 - TOLD) * new

    def tell(self, line: str) -> None:
        """Count the runs of a line as told."""
        self._told.update(self._runs(line))

    def _runs(self, line: str) -> tuple[tuple[str, ...], ...]:
        known = self._known.get(line)
        if known is None:
            words = _WORD.findall(line)
            known = tuple(zip(*(words[i:] for i in range(WORDS)), strict=False))
            self._known[line] = known
        return known
