"""Replay: a session is played call by call through a middleware, as an agent drives it, and every call is billed.

Before each assistant message the middleware gets the history so far and answers with what it would send. A token in
the common prefix with the call before is read from the prompt cache, any other is written to it; prices as sold
(`condense.costs`, dated, with its sources), relative to sending everything, always. Recall: of the names that the
next action takes from further back, how many stood in what was sent. A compaction is a call whose prompt does not
begin with all of the one before.

usage: python -m benchmarks.replay [--sessions DIR] [--window 32000] [--quick]
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from benchmarks.figures import Figures, mean, quantile, share, spread, table
from benchmarks.options import Options, parse_options, save
from benchmarks.systems import System, baselines, everything, our_system
from benchmarks.texts import MESSAGE_TOKENS, action_of, count_tokens, names_in, text_of
from benchmarks.validity import violations_in
from condense.costs import PRICES_AS_OF, price_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from benchmarks.sessions import Session
    from benchmarks.systems import Step
    from benchmarks.texts import Message

READ, WRITE = 0.1, 1.25
"""A cached and a new prompt token in units of an uncached one, as most models are sold (the table has them)."""

MODELS = ("claude-opus-5-5", "claude-sonnet-4-6", "gpt-6.2-sol", "gpt-5.1-codex", "claude-haiku-4-5")
"""Models whose own prices are applied as well: every pair of cache rates in the table once."""

LEAST_WINDOWS = 1.5
"""Only sessions larger than this many windows are played."""

MOST_SESSIONS = 12
"""Sessions that are played, evenly over those that are large enough (chosen: it takes a while with all peers)."""


@dataclass
class Played:
    """One session under one system; sums over its calls.

    Attributes:
        calls: how many were made.
        sent, read: prompt tokens in all, and those of them in the prefix of the call before.
        all_sent, all_read: the same when everything is sent.
        needed, held: names that actions took from further back, and those that stood in the prompt.
        compactions: calls that broke the prefix.
        broke, left, over: prompts that are invalid though the history is not, invalid as it is, over the window.
        seconds: of each call.
    """

    calls: int = 0
    sent: int = 0
    read: int = 0
    all_sent: int = 0
    all_read: int = 0
    needed: int = 0
    held: int = 0
    compactions: int = 0
    broke: int = 0
    left: int = 0
    over: int = 0
    seconds: list[float] = field(default_factory=list)

    def cost(self, read: float = READ, write: float = WRITE) -> float:
        """Return what the prompts cost relative to sending everything."""
        whole = read * self.all_read + write * (self.all_sent - self.all_read)
        return (read * self.read + write * (self.sent - self.read)) / whole if whole else 1.0


def play(session: Session, step: Step, window: int) -> Played:
    """Play one session."""
    played = Played()
    before: list[tuple[str, int]] = []
    known: set[str] = set()
    total = sent_before = 0
    keys = _Keys()
    for i, message in enumerate(session.messages):
        if message["role"] == "assistant" and i:
            history = session.messages[:i]
            start = time.perf_counter()
            prompt = step(history)
            played.seconds.append(time.perf_counter() - start)
            read = [keys.of(m) for m in prompt]
            sized = [(key, tokens) for key, tokens, _ in read]
            size, shared = sum(tokens for _, tokens in sized), _shared(before, sized)
            played.calls += 1
            played.sent, played.read = played.sent + size, played.read + shared
            played.all_sent, played.all_read = played.all_sent + total, played.all_read + sent_before
            played.compactions += shared < sum(tokens for _, tokens in before)
            before, sent_before = sized, total
            bad = bool(violations_in(list(prompt)))
            was_bad = bad and bool(violations_in(history))
            played.broke, played.left = played.broke + (bad and not was_bad), played.left + was_bad
            played.over += size > window
            _recall(played, message, "\n".join(text for _, _, text in read), known)
        text = text_of(message)
        known.update(names_in(text))
        total += count_tokens(text) + MESSAGE_TOKENS
    return played


def _recall(played: Played, message: Message, context: str, known: set[str]) -> None:
    names = {name for name in names_in(action_of(message)) if name in known}
    played.needed += len(names)
    played.held += sum(name in context for name in names)


class _Keys:
    """Content, size and text of messages; each object is read once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[object, tuple[str, int, str]]] = {}

    def of(self, message: Message) -> tuple[str, int, str]:
        known = self._known.get(id(message))
        if known is None or known[0] is not message:
            key = json.dumps([message["role"], message["content"]], sort_keys=True, ensure_ascii=False)
            text = text_of(message)
            known = (message, (key, count_tokens(text) + MESSAGE_TOKENS, text))
            self._known[id(message)] = known
        return known[1]


def _shared(before: Sequence[tuple[str, int]], now: Sequence[tuple[str, int]]) -> int:
    """Return the tokens of the common prefix of two prompts, message by message."""
    total = 0
    for (one, tokens), (other, _) in zip(before, now, strict=False):
        if one != other:
            break
        total += tokens
    return total


def summed(played: Sequence[Played]) -> Figures:
    """Return the measures of one system over sessions; savings in shares of the cost of sending everything."""
    saved = spread(1 - p.cost() for p in played)
    seconds = [s for p in played for s in p.seconds]
    return {
        "sessions": len(played),
        "calls": sum(p.calls for p in played),
        "cost": mean(p.cost() for p in played),
        "saved_median": saved["median"],
        "saved_q1": saved["q1"],
        "saved_q3": saved["q3"],
        "recall": share(sum(p.held for p in played), sum(p.needed for p in played)),
        "tokens": share(sum(p.sent for p in played), sum(p.all_sent for p in played)),
        "compactions": mean(p.compactions for p in played),
        "broke": sum(p.broke for p in played),
        "left": sum(p.left for p in played),
        "over": sum(p.over for p in played),
        "ms_p50": quantile(seconds, 0.5) * 1000 if seconds else None,
        "ms_p99": quantile(seconds, 0.99) * 1000 if seconds else None,
    } | {f"cost_{model}": mean(p.cost(*_rates(model)) for p in played) for model in MODELS}


def _rates(model: str) -> tuple[float, float]:
    price = price_of(model)
    assert price is not None, model
    return price.cache_read / price.input, price.cache_write / price.input


_COLUMNS = (
    "cost", "saved_median", "saved_q1", "saved_q3", "recall", "tokens", "compactions",
    "broke", "left", "over", "calls", "ms_p50", "ms_p99",
)  # fmt: skip


def replay_table(found: Mapping[str, Figures]) -> str:
    """Write the measures for the terminal."""
    rows: list[list[object]] = [[name, *(row[c] for c in _COLUMNS)] for name, row in found.items()]
    return table(["system", *_COLUMNS], rows)


def played_sessions(options: Options) -> tuple[list[Session], int]:
    """Return the sessions that are played, and the window: smaller than asked for where no session is large enough."""
    window = options.window
    sessions = [s for s in options.load() if s.tokens > LEAST_WINDOWS * window]
    while not sessions and window > 1000:
        window //= 2
        sessions = [s for s in options.load() if s.tokens > LEAST_WINDOWS * window]
    step = -(-len(sessions) // MOST_SESSIONS) if len(sessions) > MOST_SESSIONS else 1
    return sessions[::step], window


def of_system(options: Options, system: System) -> list[dict[str, object]]:
    """Play the sessions through one system; return sums a session as plain values."""
    sessions, window = played_sessions(options)
    return [asdict(play(one, system.follow(window), window)) for one in sessions]


def run(options: Options, systems: Sequence[System]) -> dict[str, object]:
    """Play the sessions of the options; return what goes into `results.json`."""
    return result(options, {system.name: of_system(options, system) for system in systems})


def result(options: Options, rows_of: Mapping[str, Sequence[Mapping[str, Any]]]) -> dict[str, object]:
    """Sum up what systems sent, by name; return what goes into `results.json`."""
    sessions, window = played_sessions(options)
    found = {name: summed([Played(**one) for one in each]) for name, each in rows_of.items()}
    print(f"{len(sessions)} sessions, window {window}, prices of {PRICES_AS_OF}")
    print(replay_table(found))
    prices = {model: {"read": _rates(model)[0], "write": _rates(model)[1]} for model in MODELS}
    return {"window": window, "systems": found, "prices": prices, "prices_as_of": PRICES_AS_OF}


def main() -> None:
    """Run this piece alone."""
    options = parse_options(__doc__)
    save(options, "replay", run(options, [our_system(), everything(), *baselines()]))


if __name__ == "__main__":
    main()
