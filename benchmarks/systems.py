"""The systems that are measured: ours, and the simple ones that anybody could write in ten lines."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.texts import MESSAGE_TOKENS, Message, blocks_of, count_tokens, size_of, text_of
from condense import CondenseConfig, Condenser, TokenBudget
from memory import ConversationMemory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Compact = Callable[[Sequence[Message], int], Sequence[Message]]
    Step = Callable[[Sequence[Message]], Sequence[Message]]

OURS = "holdfast"
TRIGGER = 0.8
TARGET = 0.35
"""Shares of the window at which a conversation is compacted in the replay, and to which: the defaults of ours, used for
every system that leaves this open."""
_AGAIN = 0.1


@dataclass(frozen=True)
class Compacted:
    """What a system made of a conversation.

    Attributes:
        messages: the result; empty when it failed.
        seconds: processor time it took, without passing the messages to another process.
        error: why it failed.
    """

    messages: list[Message]
    seconds: float
    error: str | None = None


@dataclass(frozen=True)
class System:
    """One way to compact.

    Attributes:
        name: as the tables show it.
        compact: (messages, budget) -> result.
        session: window -> step, a middleware that follows one growing conversation; by default `amortised`.
        versions: the packages behind it.
        note: what should be known about the row.
    """

    name: str
    compact: Callable[[Sequence[Message], int], Compacted]
    session: Callable[[int], Step] | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    note: str = ""

    def follow(self, window: int) -> Step:
        """Return a middleware for one conversation in a window."""
        return self.session(window) if self.session else amortised(self.compact, window)


def timed(compact: Compact) -> Callable[[Sequence[Message], int], Compacted]:
    """Measure a plain function; one that falls over is a result too."""

    def run(messages: Sequence[Message], budget: int) -> Compacted:
        start = time.process_time()
        try:
            out, error = list(compact(messages, budget)), None
        except Exception as failure:  # noqa: BLE001  # a system under test may fail in any way
            out, error = [], f"{type(failure).__name__}: {failure}"
        return Compacted(out, time.process_time() - start, error)

    return run


def keep_last(messages: Sequence[Message], budget: int) -> list[Message]:
    """Keep the newest messages that fit."""
    total = 0
    for start in range(len(messages) - 1, -1, -1):
        total += count_tokens(text_of(messages[start])) + MESSAGE_TOKENS
        if total > budget:
            return list(messages[start + 1 :])
    return list(messages)


def first_and_last(messages: Sequence[Message], budget: int) -> list[Message]:
    """Keep the first message and the newest that fit beside it."""
    return [*messages[:1], *keep_last(messages[1:], budget - size_of(messages[:1]))]


_NEWEST_RESULTS = 10
_MASK = "[old tool result omitted]"


def mask_observations(messages: Sequence[Message], budget: int) -> list[Message]:
    """Blank all tool results but the newest ten; then first and last where it is still too much."""
    results = sum(block.get("type") == "tool_result" for m in messages for block in blocks_of(m))
    seen = 0
    masked = []
    for message in messages:
        blocks = []
        for block in blocks_of(message):
            is_result = block.get("type") == "tool_result"
            seen += is_result
            old = is_result and seen <= results - _NEWEST_RESULTS
            blocks.append({**block, "content": _MASK} if old else block)
        masked.append({**message, "content": blocks})
    return masked if size_of(masked) <= budget else first_and_last(masked, budget)


def ours(messages: Sequence[Message], budget: int) -> Compacted:
    """One cold compaction: nothing remembered from before, no model, no network.

    Ours never falls over: it gives the history back and says why, which counts as an error here.
    """
    config = CondenseConfig(budget=TokenBudget.for_window(4 * budget))
    start = time.process_time()
    condenser = Condenser(config, count_tokens=count_tokens)
    done = condenser.condense(messages, memory=ConversationMemory("benchmark"), target=budget)
    return Compacted(list(done.messages), time.process_time() - start, done.error)


def _our_session(window: int) -> Step:
    config = CondenseConfig(budget=TokenBudget.for_window(window))
    return Condenser(config, count_tokens=count_tokens, memory=ConversationMemory("benchmark")).view


def amortised(compact: Callable[[Sequence[Message], int], Compacted], window: int) -> Step:
    """Follow a conversation with a system that only knows how to compact: at the trigger, down to the target.

    What was compacted stays as it came out until the next time, as agents do it; where it is still above the trigger,
    the system is asked again when a tenth of the window has come on top.
    """
    head: list[Message] = []
    taken = 0
    size = counted = 0
    limit = TRIGGER * window

    def step(messages: Sequence[Message]) -> Sequence[Message]:
        nonlocal head, taken, size, counted, limit
        view = [*head, *messages[taken:]]
        size, counted = size + size_of(messages[counted:]), len(messages)
        if size > limit:
            done = compact(view, int(TARGET * window))
            if done.error is None and done.messages:
                head, taken, view = done.messages, len(messages), list(done.messages)
                size = size_of(head)
            limit = max(TRIGGER * window, size + _AGAIN * window)
        return view

    return step


def _everything(_: int) -> Step:
    return lambda messages: messages


def _sliding(window: int) -> Step:
    return lambda messages: keep_last(messages, int(TRIGGER * window))


def _masking(window: int) -> Step:
    return lambda messages: mask_observations(messages, int(TRIGGER * window))


_HALF = 0.4


def _drop_half(window: int) -> Step:
    """Drop the older half at the trigger, behind the first message; what is dropped stays dropped."""
    start = 1

    def step(messages: Sequence[Message]) -> Sequence[Message]:
        nonlocal start
        view = [*messages[:1], *messages[start:]]
        if size_of(view) > TRIGGER * window:
            last = len(messages) - 1
            while start < last and size_of([*messages[:1], *messages[start:]]) > _HALF * window:
                start += 1
            while start < last and messages[start]["role"] != "assistant":
                start += 1
            view = [*messages[:1], *messages[start:]]
        return view

    return step


def _halved(messages: Sequence[Message], budget: int) -> list[Message]:
    """Drop the older half behind the first message, again and again until it fits."""
    rest = list(messages[1:])
    while rest and size_of([messages[0], *rest]) > budget:
        rest = rest[(len(rest) + 1) // 2 :]
        while rest and rest[0]["role"] != "assistant":
            rest.pop(0)
    return [messages[0], *rest]


def our_system() -> System:
    """Return the system this project is."""
    return System(OURS, ours, _our_session)


def baselines() -> list[System]:
    """Return the simple systems."""
    return [
        System("keep-last", timed(keep_last), _sliding),
        System("first+last", timed(first_and_last)),
        System("mask-observations", timed(mask_observations), _masking),
        System("drop-half", timed(_halved), _drop_half),
    ]


def everything() -> System:
    """Return the system that sends all there is, over the window or not."""
    return System("everything", timed(lambda messages, _: messages), _everything)
