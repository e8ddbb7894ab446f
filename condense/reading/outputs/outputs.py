"""What reducing an output yields."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reduced:
    """An output after reducing.

    Attributes:
        text: kept lines in their order, each gap as one marker line.
        kept_lines: lines of the input that stand in `text`.
        dropped_lines: lines of the input that do not; `kept_lines + dropped_lines` is the input's number of
            lines, where a marker line of an earlier reduction counts as the lines it stands for.
        cut_characters: characters left out inside of extremely long lines.
        unchanged: `text` is the input.
    """

    text: str
    kept_lines: int
    dropped_lines: int
    cut_characters: int = 0
    unchanged: bool = False
