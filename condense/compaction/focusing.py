"""Passages that speak of what the person wants kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.ledger import Excerpt
from memory.conversation import Role
from memory.search import HybridIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.conversation import Message, TokenCounter

FOCUS_SHARE = 0.1  # share of the target for them; chosen
LONGEST = 600  # characters of a passage at most; chosen


def focused(messages: Sequence[Message], focus: str, target: int, count: TokenCounter) -> tuple[Excerpt, ...]:
    """Return the passages of a history as a ledger of `target` tokens has them; none for a blank focus."""
    asked = " ".join(focus.split())[:LONGEST]
    if not asked:
        return ()
    return (Excerpt(asked, passages_about(asked, messages, int(FOCUS_SHARE * target), count)),)


def passages_about(focus: str, messages: Sequence[Message], room: int, count: TokenCounter) -> str:
    """Quote paragraphs that speak of something, a line each, in their order, within `room` tokens; "" for none."""
    index = HybridIndex()
    passages: list[str] = []
    for message in messages:
        for paragraph in message.text.split("\n\n") if message.role is not Role.SYSTEM else ():
            text = " ".join(paragraph.split())[:LONGEST]
            if text and text not in passages[-50:]:
                index.add(len(passages), text)
                passages.append(text)
    left = room - count(focus)
    chosen: list[int] = []
    for row, _ in index.search(focus):
        left -= count(passages[row]) + 3
        if left < 0:
            break
        chosen.append(row)
    return "\n".join(f"- {passages[row]}" for row in sorted(chosen))
