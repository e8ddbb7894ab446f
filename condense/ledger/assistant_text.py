"""What an assistant message says in words, and whether it says anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reading import ToolAction, row_of
from memory.conversation import PartKind

if TYPE_CHECKING:
    from memory.conversation import Message, Part

_STEP_TITLE = re.compile(r"\*\*[^*\n]{1,120}\*\*")
"""What some agents write in place of their thinking: the title of a step, and nothing else."""
_REPORT_KEYS = ("result", "message", "summary", "text")


def spoken(message: Message) -> str:
    """What an assistant message says aloud and, unsigned, to itself; a report that it hands over by a tool, too."""
    wanted = [p.text for p in message.parts if p.kind in (PartKind.TEXT, PartKind.THINKING) and not p.signed]
    for call in message.calls:
        if is_report(call) and isinstance(call.arguments, dict):
            found = (call.arguments.get(key) for key in _REPORT_KEYS)
            wanted.append(next((text for text in found if isinstance(text, str)), ""))
    return "\n".join(text.strip() for text in wanted if text.strip())


def is_report(call: Part) -> bool:
    """Whether a call hands over the closing report of a turn; a plan that is put forward is none."""
    name = call.name or ""
    return "plan" not in name.lower() and row_of(name).action is ToolAction.ANSWER


def says_something(message: Message) -> bool:
    """Say whether a message tells more than the title of a step."""
    text = spoken(message)
    return bool(text) and not _STEP_TITLE.fullmatch(text)
