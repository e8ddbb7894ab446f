"""Lines that speak of what is asked: with a word of the latest request, or of what the assistant said last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.reading import LONGEST_SAID, MOST_WORDS, STATE, _found, _words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from condense.lines.model.features import HistoryView
    from condense.lines.model.scores import ScoredLine

RARE = 30
"""Lines of a history up to which a word tells what they are about (20 to 60 are alike)."""


def asked_keys(view: HistoryView, lines: Sequence[ScoredLine]) -> Iterator[str]:
    """Yield the keys of lines with a word of the latest request, or of the newest answer, that few lines have.

    Words are compared without their case and a plural's ending, and are found within names (`selectedState`). Linear
    in the text, for each word.

    Args:
        view: the history.
        lines: its lines, scored.
    """
    said = {at for at in (view.last_ask, view.last_said) if at >= 0}
    words = _words_of("\n".join(view.texts[at][:LONGEST_SAID].partition(STATE)[0] for at in sorted(said)))
    if not 0 < len(words) <= MOST_WORDS:
        return
    others = [line.key for line in lines if line.source not in said]
    for at in sorted(_found(others, words, RARE)):
        yield others[at]
