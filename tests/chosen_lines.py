"""One choice of lines under one budget."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from condense.lines.line_chooser import LineChooser

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.lines.excerpt_groups import Excerpts
    from memory.conversation.messages import Message
    from memory.conversation.tokens.counting import TokenCounter


def choose_lines(
    messages: Sequence[Message], *, budget: int, count: TokenCounter, **options: Any
) -> Excerpts:
    """Choose the lines of a history once."""
    return LineChooser(messages, budget=budget, count=count, **options).choose(budget)
