"""Compactions watched from outside, by OpenTelemetry, say: an observer is entered when one begins and told its outcome.

An observer is called with what was asked for ("condense", "summarize", "summarize_conversation", "view") and gives a
context manager; what that gives is called with the `Condensation`. It may not raise. `view` is told only of failures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import wraps
from typing import ParamSpec

from condense.compaction.plans import Condensation

P = ParamSpec("P")
Work = Callable[P, Condensation]
Observer = Callable[[str], AbstractContextManager[Callable[[Condensation], object]]]
_OBSERVERS: list[Observer] = []


def observe(observer: Observer) -> Callable[[], None]:
    """Let an observer watch every compaction in this process; call what comes back to end that."""
    _OBSERVERS.append(observer)
    return lambda: _OBSERVERS.remove(observer)


@contextmanager
def watched(name: str) -> Iterator[Callable[[Condensation], Condensation]]:
    """Let observers watch what happens inside; give its outcome to what is given, which returns it."""
    with ExitStack() as stack:
        told = [stack.enter_context(one(name)) for one in _OBSERVERS]

        def tell(done: Condensation) -> Condensation:
            for one in told:
                one(done)
            return done

        yield tell


def observed(name: str) -> Callable[[Work[P]], Work[P]]:
    """Let observers watch all calls of a function."""

    def watching(work: Work[P]) -> Work[P]:
        @wraps(work)
        def watched_work(*given: P.args, **named: P.kwargs) -> Condensation:
            with watched(name) as tell:
                return tell(work(*given, **named))

        return watched_work

    return watching
