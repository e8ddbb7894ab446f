"""One choice of lines under one budget."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from condense.lines.excerpt_groups import render_group
from condense.lines.line_chooser import LineChooser

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from condense.lines.excerpt_groups import ExcerptGroup
    from condense.lines.scores import ScoredLine
    from memory.conversation.messages import Message
    from memory.conversation.tokens.counting import TokenCounter


@dataclass(frozen=True)
class Chosen:
    """What was chosen."""

    groups: tuple[ExcerptGroup, ...]

    @property
    def lines(self) -> list[ScoredLine]:
        """The lines, in order."""
        return [line for group in self.groups for line in group.lines]

    def render(self, write: Callable[[ExcerptGroup], str] = render_group) -> str:
        """All groups as they are written."""
        return "\n".join(map(write, self.groups))


def choose_lines(messages: Sequence[Message], *, budget: int, count: TokenCounter, **options: Any) -> Chosen:
    """Choose the lines of a history once."""
    return Chosen(LineChooser(messages, budget=budget, count=count, **options).choose(budget))
