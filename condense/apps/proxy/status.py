"""What the proxy did, for its terminal and for `GET /holdfast/status`: counts, the newest compactions, what failed."""

from __future__ import annotations

import contextlib
import time
from collections import Counter, defaultdict, deque
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from condense.costs import price_of
from memory.conversation import redact

if TYPE_CHECKING:
    from collections.abc import Callable

NEWEST = 50
"""Compactions and failures that are kept to be shown; all are counted."""
SUMMARY_TOKENS = 2_500
"""Tokens that a model's summary has, for what it would have cost (as the clients' own summaries have)."""


@dataclass(frozen=True, slots=True)
class Done:
    """One compaction: when (seconds since 1970), whose, how large before and after, how long it took, what it saved."""

    at: float
    conversation: str
    how: str
    model: str
    trigger: str
    tokens_before: int
    tokens_after: int
    folded: int
    seconds: float
    model_cost: float | None
    note: str = ""

    @property
    def line(self) -> str:
        """The same in one line for people."""
        cost = "" if self.model_cost is None else f"; by {self.model} about ${self.model_cost:.2f}"
        named = f" [{self.conversation[:8]}]" if self.conversation else ""
        trigger = f" {self.trigger}" if self.trigger else ""
        note = f" ({self.note})" if self.note else ""
        return (
            f"{self.how}{trigger}{named}: {self.folded} messages, "
            f"{self.tokens_before:,} -> {self.tokens_after:,} tokens in {self.seconds:.2f} s{cost}{note}"
        )


@dataclass(slots=True)
class Status:
    """Counts since the start; `tell` gets a line a compaction and a line a failure.

    `totals` are tokens before and after, and seconds, of all compactions of a kind (`Done.how`).
    """

    tell: Callable[[str], None] = lambda _: None
    started: float = field(default_factory=time.time)
    counts: Counter[str] = field(default_factory=Counter)
    totals: defaultdict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    done: deque[Done] = field(default_factory=lambda: deque(maxlen=NEWEST))
    failures: deque[dict[str, Any]] = field(default_factory=lambda: deque(maxlen=NEWEST))

    def compacted(self, done: Done) -> None:
        """Note a compaction."""
        self.counts[done.how] += 1
        sizes = {"before": done.tokens_before, "after": done.tokens_after, "seconds": done.seconds}
        for name, number in sizes.items():
            self.totals[done.how, name] += number
        self.counts["tokens saved"] += max(0, done.tokens_before - done.tokens_after)
        self.done.append(done)
        self._say(done.line)

    def _say(self, line: str) -> None:
        """Tell a line; a terminal that is gone, or a full disk under a log, stops nothing."""
        with contextlib.suppress(OSError, ValueError):
            self.tell(line)

    def failed(self, what: str, error: BaseException | str) -> None:
        """Note what went wrong; no key stands in it."""
        said = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        said = redact(" ".join(said.split()))[:300]
        self.counts["failures"] += 1
        self.failures.append({"at": time.time(), "what": what, "error": said})
        self._say(f"{what}: {said}")

    def to_json(self, **more: Any) -> dict[str, Any]:
        """Return everything as a JSON value."""
        return {
            "since": self.started,
            **more,
            "counts": dict(self.counts),
            "compactions": [asdict(one) for one in self.done],
            "failures": list(self.failures),
        }


def cost_by_model(model: str, tokens: int) -> float | None:
    """Estimate in US dollars what the model's own compaction costs: the history read anew, a summary written."""
    price = price_of(model)
    if price is None:
        return None
    return (tokens * price.input + SUMMARY_TOKENS * price.output) / 1e6
