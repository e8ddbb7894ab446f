"""What an assistant message says in words, and whether it says anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.messages import PartKind

if TYPE_CHECKING:
    from memory.messages import Message, Part

STEP_TITLE = re.compile(r"\*\*[^*\n]{1,120}\*\*")
"""What some agents write in place of their thinking: the title of a step, and nothing else."""


def spoken(message: Message) -> str:
    """What an assistant message says aloud and, unsigned, to itself; a report that it hands over by a tool, too."""
    wanted = [p.text for p in message.parts if p.kind in (PartKind.TEXT, PartKind.THINKING) and not p.signed]
    wanted += [report_of(call) for call in message.calls]
    return "\n".join(text.strip() for text in wanted if text.strip())


REPORTING = frozenset({"attempt_completion", "finish", "complete_task", "submit"})
"""Tools by which an assistant ends its turn."""


def report_of(call: Part) -> str:
    """The closing report that a call hands over; "" for any other call."""
    if call.name not in REPORTING or not isinstance(call.arguments, dict):
        return ""
    found = (call.arguments.get(key) for key in ("result", "message", "summary", "text"))
    return next((text for text in found if isinstance(text, str)), "")


def says_something(message: Message) -> bool:
    """Say whether a message tells more than the title of a step."""
    text = spoken(message)
    return bool(text) and not STEP_TITLE.fullmatch(text)
