"""Numbers and tables in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.systems import OURS

if TYPE_CHECKING:
    from collections.abc import Sequence


def number(value: object) -> str:
    """Write a value with as many digits as say something."""
    if value is None:
        return "–"
    if isinstance(value, float):
        if abs(value) >= 1000:
            return f"{value:,.0f}"
        return f"{value:.1f}" if abs(value) >= 10 else f"{value:.3f}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def bold(name: str) -> str:
    """Write the name of a system, ours in bold."""
    return f"**{name}**" if name == OURS else name


def rows_of(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Write a table: text to the left, the rest to the right."""
    marks = ["---" if not i else "---:" for i in range(len(head))]
    lines = [
        [name.replace("_", " ") for name in head],
        marks,
        *([number(value) for value in row] for row in rows),
    ]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"
