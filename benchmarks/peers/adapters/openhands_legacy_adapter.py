"""OpenHands before its SDK (openhands-ai 0.62): the condensers that need no model.

They count events, not tokens: each is asked for fewer and fewer until the budget is kept. Calls and results that lost
their other half are left out, as its own conversation memory does when it writes messages.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

os.environ.update({"LITELLM_LOCAL_MODEL_COST_MAP": "True", "LOG_LEVEL": "ERROR"})

from openhands.events.action import CmdRunAction, MessageAction  # the environment comes first
from openhands.events.event import EventSource
from openhands.events.observation import CmdOutputObservation
from openhands.memory.condenser.condenser import Condensation
from openhands.memory.condenser.impl.amortized_forgetting_condenser import (
    AmortizedForgettingCondenser,
)
from openhands.memory.condenser.impl.conversation_window_condenser import (
    ConversationWindowCondenser,
)
from openhands.memory.condenser.impl.observation_masking_condenser import (
    ObservationMaskingCondenser,
)
from openhands.memory.condenser.impl.recent_events_condenser import RecentEventsCondenser
from openhands.memory.view import View
from serving import block_text, blocks_of, flat, result_text, serve, size_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_MASK = "<MASKED>"
_WINDOWS = (100, 50, 30, 20, 15, 10, 7, 5, 3, 2, 1)
_SHRINK = 0.8
_HALVINGS = 12


class _Events:
    """A conversation as events numbered from 0, and the blocks they stand for."""

    def __init__(self, messages: list[dict[str, Any]]) -> None:
        self.blocks = [(m["role"], n, b) for n, m in enumerate(messages) for b in blocks_of(m)]
        self.events = [self._event(i, role, block) for i, (role, _, block) in enumerate(self.blocks)]

    @staticmethod
    def _event(number: int, role: str, block: dict[str, Any]) -> Any:
        kind = block.get("type")
        event: Any
        if kind == "tool_use":
            event = CmdRunAction(command=flat(block.get("input")))
        elif kind == "tool_result":
            event = CmdOutputObservation(content=result_text(block), command="")
        else:
            event = MessageAction(content=block_text(block))
        event._id = number  # noqa: SLF001  # as its event stream does
        event._source = EventSource.USER if role == "user" and kind == "text" else EventSource.AGENT  # noqa: SLF001
        return event

    def write(self, view: View) -> list[dict[str, Any]]:
        """Return the blocks of a view as messages; a masked event (without number) stands at its old place."""
        kept: list[tuple[str, int, dict[str, Any]]] = []
        for place, event in enumerate(view.events):
            number = event.id if event.id >= 0 else place
            role, message, block = self.blocks[number]
            kept.append((role, message, block if event.id >= 0 else {**block, "content": _MASK}))
        calls = {b.get("id") for _, _, b in kept if b.get("type") == "tool_use"}
        answers = {b.get("tool_use_id") for _, _, b in kept if b.get("type") == "tool_result"}
        return list(_joined(kept, calls & answers))


def _joined(kept: list[tuple[str, int, dict[str, Any]]], paired: set[Any]) -> Iterator[dict[str, Any]]:
    last: tuple[str, int] | None = None
    blocks: list[dict[str, Any]] = []
    for role, number, block in kept:
        if (
            block.get("type") in ("tool_use", "tool_result")
            and (block.get("id") or block.get("tool_use_id")) not in paired
        ):
            continue
        if last is not None and last[0] == role and (role == "user" or last[1] == number):
            blocks.append(block)
        else:
            if last is not None:
                yield {"role": last[0], "content": blocks}
            blocks = [block]
        last = (role, number)
    if last is not None:
        yield {"role": last[0], "content": blocks}


def _applied(condenser: Any, events: list[Any]) -> View:
    done = condenser.condense(View.from_events(events))
    return View.from_events([*events, done.action]) if isinstance(done, Condensation) else done


def _masking(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    conversation = _Events(messages)
    out: list[dict[str, Any]] = []
    for window in _WINDOWS:
        out = conversation.write(_applied(ObservationMaskingCondenser(window), conversation.events))
        if size_of(out) <= budget:
            break
    return out


def _amortized(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    conversation = _Events(messages)
    out, most = messages, float(len(conversation.events) - 1)
    while most >= 4:
        out = conversation.write(_applied(AmortizedForgettingCondenser(int(most), 1), conversation.events))
        if size_of(out) <= budget:
            break
        most *= _SHRINK
    return out


def _recent(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    conversation = _Events(messages)
    out, most = messages, float(len(conversation.events))
    while most >= 2:
        out = conversation.write(_applied(RecentEventsCondenser(1, int(most)), conversation.events))
        if size_of(out) <= budget:
            break
        most *= _SHRINK
    return out


def _window(messages: list[dict[str, Any]], budget: int) -> list[dict[str, Any]]:
    conversation = _Events(messages)
    events, out = conversation.events, messages
    for _ in range(_HALVINGS):
        if size_of(out) <= budget:
            break
        done = ConversationWindowCondenser().get_condensation(View.from_events(events))
        view = View.from_events([*events, done.action])
        events, out = list(view.events), conversation.write(view)
    return out


if __name__ == "__main__":
    serve(
        {"masking": _masking, "amortized": _amortized, "recent": _recent, "window": _window},
        ["openhands-ai"],
    )
