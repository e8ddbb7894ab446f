"""What an assistant message says in words, and whether it says anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.messages import PartKind

if TYPE_CHECKING:
    from memory.messages import Message

STEP_TITLE = re.compile(r"\*\*[^*\n]{1,120}\*\*")
"""What some agents write in place of their thinking: the title of a step, and nothing else."""


def spoken(message: Message) -> str:
    """What an assistant message says aloud and, unsigned, to itself."""
    wanted = (p for p in message.parts if p.kind in (PartKind.TEXT, PartKind.THINKING) and not p.signed)
    return "\n".join(p.text.strip() for p in wanted if p.text.strip())


def says_something(message: Message) -> bool:
    """Say whether a message tells more than the title of a step."""
    text = spoken(message)
    return bool(text) and not STEP_TITLE.fullmatch(text)
