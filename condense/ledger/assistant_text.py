"""What an assistant message says in words, and whether it says anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reading import ToolAction, row_of
from memory.conversation import PartKind

if TYPE_CHECKING:
    from memory.conversation import Message, Part

STEP_TITLE = re.compile(r"\*\*[^*\n]{1,120}\*\*")
"""What some agents write in place of their thinking: the title of a step, and nothing else."""


def spoken(message: Message) -> str:
    """What an assistant message says aloud and, unsigned, to itself; a report that it hands over by a tool, too."""
    wanted = [p.text for p in message.parts if p.kind in (PartKind.TEXT, PartKind.THINKING) and not p.signed]
    wanted += [closing_words(call) for call in message.calls]
    return "\n".join(text.strip() for text in wanted if text.strip())


def is_report(call: Part) -> bool:
    """Whether a call hands over the closing report of a turn; a plan that is put forward is none."""
    name = call.name or ""
    return "plan" not in name.lower() and row_of(name).action is ToolAction.ANSWER


def closing_words(call: Part) -> str:
    """The closing report that a call hands over; "" for any other call."""
    if not is_report(call) or not isinstance(call.arguments, dict):
        return ""
    found = (call.arguments.get(key) for key in ("result", "message", "summary", "text"))
    return next((text for text in found if isinstance(text, str)), "")


def says_something(message: Message) -> bool:
    """Say whether a message tells more than the title of a step."""
    text = spoken(message)
    return bool(text) and not STEP_TITLE.fullmatch(text)
