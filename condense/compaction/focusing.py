"""Passages of a conversation that speak of something: what a person names when they compact by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.conversation import Role
from memory.search import HybridIndex

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.conversation import Message, TokenCounter

LONGEST = 600
"""Characters of a passage at most; chosen."""
HEADINGS = {"en": "Asked to be kept: {}", "zh": "要求保留：{}"}


def passages_about(
    focus: str, messages: Sequence[Message], room: int, count: TokenCounter, language: str = "en"
) -> str:
    """Quote the paragraphs that speak of something, in the order they happened, under a line that names it.

    Args:
        focus: words.
        messages: the conversation; its instructions are left out.
        room: tokens at most; the heading stands in any case.
        count: the token counter.
        language: of the heading.
    """
    index = HybridIndex()
    passages: list[str] = []
    for message in messages:
        if message.role is Role.SYSTEM:
            continue
        for paragraph in message.text.split("\n\n"):
            text = " ".join(paragraph.split())[:LONGEST]
            if text and text not in passages[-50:]:
                index.add(len(passages), text)
                passages.append(text)
    heading = HEADINGS.get(language, HEADINGS["en"]).format(" ".join(focus.split())[:LONGEST])
    left = room - count(heading)
    chosen: list[int] = []
    for row, _ in index.search(focus):
        left -= count(passages[row]) + 3
        if left < 0:
            break
        chosen.append(row)
    return "\n".join([heading, *(f"- {passages[row]}" for row in sorted(chosen))])
