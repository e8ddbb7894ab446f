"""Compactions as OpenTelemetry spans and metrics; extra `otel`.

    from condense.adapters import HoldfastInstrumentor

    HoldfastInstrumentor().instrument()

or, with OpenTelemetry's own command, without a change: `opentelemetry-instrument holdfast proxy`. No text of a
conversation goes into a span: numbers, names of operations, classes of errors.

| metric | what it counts |
|---|---|
| `holdfast.compactions` | compactions, by `holdfast.operation` and `holdfast.outcome` |
| `holdfast.compaction.duration` | seconds of each |
| `holdfast.compaction.tokens.before`, `.after` | tokens of the history, where something was folded |
| `holdfast.compaction.facts` | facts held against the conversation in a model's summary, by `holdfast.state` |
| `holdfast.compaction.mended` | tokens that were added to a model's summary because it had lost them |

Outcomes are "done", "unneeded" (it was small enough), "fallback" (done, but not as asked: without the model) and
"failed" (the history came back as it was).
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from contextvars import ContextVar
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any, Final

try:
    from opentelemetry import metrics, trace
    from opentelemetry.trace import Status, StatusCode
except ImportError as error:
    raise ImportError("spans and metrics need opentelemetry-api: pip install 'holdfast-context[otel]'") from error

from condense.compaction import observe

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

    from condense.compaction import Condensation

NAME: Final = "holdfast"
_INSIDE: ContextVar[bool] = ContextVar("holdfast_compaction", default=False)
"""Whether this is part of another compaction, which is counted once."""


class HoldfastInstrumentor:
    """Switches spans and metrics of all compactions in this process on and off, as OpenTelemetry's instrumentors do."""

    _end: Callable[[], None] | None = None

    def instrument(
        self,
        *,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
        **_: Any,
    ) -> None:
        """Switch them on, once; by default with the providers of this process."""
        if HoldfastInstrumentor._end is None:
            HoldfastInstrumentor._end = observe(_Watching(tracer_provider, meter_provider).watch)

    def uninstrument(self, **_: Any) -> None:
        """Switch them off."""
        end, HoldfastInstrumentor._end = HoldfastInstrumentor._end, None
        if end is not None:
            end()


class _Watching:
    def __init__(self, tracers: TracerProvider | None, meters: MeterProvider | None) -> None:
        self._tracer = trace.get_tracer(NAME, _release(), tracer_provider=tracers)
        meter = metrics.get_meter(NAME, _release(), meter_provider=meters)
        self._compactions = meter.create_counter("holdfast.compactions", "{compaction}")
        self._seconds = meter.create_histogram("holdfast.compaction.duration", "s")
        self._before = meter.create_histogram("holdfast.compaction.tokens.before", "{token}")
        self._after = meter.create_histogram("holdfast.compaction.tokens.after", "{token}")
        self._facts = meter.create_counter("holdfast.compaction.facts", "{fact}")
        self._mended = meter.create_counter("holdfast.compaction.mended", "{token}")

    @contextmanager
    def watch(self, operation: str) -> Iterator[Callable[[Condensation], None]]:
        """Make a span of a compaction, and count it."""
        begun = time.perf_counter()
        inside = _INSIDE.get()
        told: list[Condensation] = []
        before = _INSIDE.set(True)
        try:
            with self._tracer.start_as_current_span(f"holdfast.{operation}", record_exception=False) as span:
                yield told.append
                for done in told:
                    span.set_attributes(_attributes(done))
                    if outcome_of(done) == "failed":
                        span.set_status(Status(StatusCode.ERROR))
        finally:
            _INSIDE.reset(before)
            if not inside:
                for done in told:
                    self._count(operation, done, time.perf_counter() - begun)

    def _count(self, operation: str, done: Condensation, seconds: float) -> None:
        named = {"holdfast.operation": operation, "holdfast.outcome": outcome_of(done)}
        self._compactions.add(1, named)
        self._seconds.record(seconds, named)
        if done.record is not None:
            self._before.record(done.prev_context_tokens, named)
            self._after.record(done.new_context_tokens, named)
        for state, number in done.report.checked.items():
            if state == "mended":
                self._mended.add(number, named)
            else:
                self._facts.add(number, {**named, "holdfast.state": state})


def outcome_of(done: Condensation) -> str:
    """Say in one word what came of a compaction: "done", "unneeded", "fallback" or "failed"."""
    if done.record is None:
        return "unneeded" if done.error is None else "failed"
    return "done" if done.error is None else "fallback"


def _attributes(done: Condensation) -> dict[str, str | int | float]:
    values: dict[str, str | int | float] = {
        "holdfast.outcome": outcome_of(done),
        "holdfast.tokens.before": done.prev_context_tokens,
        "holdfast.tokens.after": done.new_context_tokens,
        "holdfast.tokens.target": done.plan.target,
        "holdfast.typed.messages": done.report.typed_messages,
        "holdfast.typed.verbatim": done.report.typed_verbatim,
    }
    if done.record is not None:
        values["holdfast.messages.folded"] = done.record.length
    if done.cost:
        values["holdfast.cost"] = done.cost
    if done.cause is not None:
        values["error.type"] = type(done.cause).__name__
    return values | {f"holdfast.checked.{name}": number for name, number in done.report.checked.items()}


def _release() -> str:
    try:
        return version("holdfast-context")
    except PackageNotFoundError:  # run from a folder that was never installed
        return ""
