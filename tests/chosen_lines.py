"""One choice of lines under one budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense.excerpting import LineChooser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.excerpts import Excerpts
    from memory.messages import Message
    from memory.tokens import TokenCounter


def choose_lines(
    messages: Sequence[Message], *, budget: int, count: TokenCounter, **options: Any
) -> Excerpts:
    """Choose the lines of a history once."""
    return LineChooser(messages, budget=budget, count=count, **options).choose(budget)
