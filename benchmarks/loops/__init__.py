"""The agent loops of frameworks, with models that say what a journey says and keep what they are sent."""

from __future__ import annotations

import json
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.texts import count_tokens

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.journeys import Call, Journey
    from benchmarks.texts import Message

WINDOW = 16_000
TRIGGER, TARGET = int(0.8 * WINDOW), int(0.35 * WINDOW)
SUMMARY = 800
"""Tokens a summary of the stub may have; with what is kept beside it it makes the target."""
SYSTEM = "You mend a service for bookkeeping."


@dataclass
class Recorder:
    """What one run of a journey was sent, call by call, and the CPU the loop took before each call.

    Attributes:
        journey: whose script is said.
        requests: as Anthropic messages.
        milliseconds: of CPU from what the loop was last given (an ask, an answer, an output) to the model's call.
        summaries: tokens that a stub for a summarising model read.
    """

    journey: Journey
    requests: list[list[Message]] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)
    summaries: int = 0
    _since: float = 0.0

    def begin(self) -> None:
        """Start the clock: the loop works from here on."""
        self._since = time.process_time()

    def step(self, write: Callable[[], list[Message]]) -> Call | str:
        """Keep what the model is sent; return what it says."""
        self.milliseconds.append(1000 * (time.process_time() - self._since))
        said = self.journey.steps[len(self.requests)]
        self.requests.append(write())
        self.begin()
        return said

    def run_tool(self, key: str) -> str:
        """Print what the call prints."""
        self.begin()
        return self.journey.outputs[key]


@dataclass(frozen=True)
class System:
    """A framework with one way to keep its requests small; `run` drives a journey through its agent loop."""

    framework: str
    name: str
    run: Callable[[Recorder], None]


def tool_use(call: str, name: str, given: Any) -> dict[str, Any]:
    """Write a call as Anthropic's block."""
    return {
        "type": "tool_use",
        "id": call,
        "name": name,
        "input": json.loads(given) if isinstance(given, str) else given,
    }


def tool_result(call: str, text: str) -> dict[str, Any]:
    """Write a result as Anthropic's block."""
    return {"type": "tool_result", "tool_use_id": call, "content": text}


def sentences(text: str) -> list[str]:
    """Return the sentences of a text; a full stop inside a name or a number ends none."""
    parts = re.split(r"(?<=[.!?])\s+|(?<=[。!?])|\n+", text)
    return [part.strip() for part in parts if part and part.strip()]


def extractive(old: str, texts: list[str], *, every_third: bool, limit: int) -> str:
    """Summarise as the stubs do: the sentences of the summary before, then the new ones, to a limit of tokens.

    Stub A leaves out every third new one; a sentence that does not fit is left out.
    """
    new = [one for text in texts for one in sentences(text)]
    if every_third:
        new = [one for k, one in enumerate(new) if k % 3 != 2]
    kept: list[str] = []
    room = limit
    for one in dict.fromkeys([*sentences(old), *new]):
        room -= count_tokens(one) + 1
        if room >= 0:
            kept.append(one)
    return "\n".join(kept)
