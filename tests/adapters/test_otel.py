"""Compactions as OpenTelemetry sees them: its own SDK, exporters in memory."""

from __future__ import annotations

import asyncio

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from condense import Condenser, MemoryArchive, asummarize_conversation, summarize_conversation
from condense.adapters import HoldfastInstrumentor
from condense.config import CondenseConfig, TokenBudget
from condense.errors import ArchiveError

RULE = "The person said so herself: never touch the migrations folder."
HISTORY = [
    {"role": "user", "content": f"Build the price list. {RULE}"},
    *(
        message
        for n in range(12)
        for message in (
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": f"t{n}", "name": "Bash", "input": {"command": f"cat f{n}"}}],
            },
            {
                "role": "user",
                "content": [{"type": "tool_result", "tool_use_id": f"t{n}", "content": f"value_{n} = {n}\n" * 300}],
            },
        )
    ),
    {"role": "user", "content": "Show me the result."},
]
CONFIG = CondenseConfig(budget=TokenBudget.for_window(10_000))


class Seen:
    """What the SDK collected."""

    def __init__(self) -> None:
        self.spans = InMemorySpanExporter()
        self.reader = InMemoryMetricReader()
        self.tracers = TracerProvider()
        self.tracers.add_span_processor(SimpleSpanProcessor(self.spans))
        self.meters = MeterProvider([self.reader])

    def points(self, name: str) -> dict[tuple, float]:
        """The points of a metric, by its attributes without their prefix."""
        data = self.reader.get_metrics_data()
        return {
            tuple(value for _, value in sorted(point.attributes.items())): getattr(point, "value", None)
            or getattr(point, "sum", 0)
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if metric.name == name
            for point in metric.data.data_points
        }


@pytest.fixture
def seen():
    collected = Seen()
    HoldfastInstrumentor().instrument(tracer_provider=collected.tracers, meter_provider=collected.meters)
    yield collected
    HoldfastInstrumentor().uninstrument()
    collected.meters.shutdown()


def quarter(text: str) -> int:
    return len(text) // 4


def condenser(**more) -> Condenser:
    return Condenser(CONFIG, count_tokens=quarter, **more)


def test_a_compaction_is_a_span_with_its_numbers_and_is_counted(seen):
    done = condenser().condense(HISTORY, target=2_000)
    (span,) = seen.spans.get_finished_spans()
    assert span.name == "holdfast.condense"
    assert span.attributes["holdfast.outcome"] == "done"
    assert span.attributes["holdfast.tokens.before"] == done.prev_context_tokens
    assert span.attributes["holdfast.tokens.after"] == done.new_context_tokens
    assert span.attributes["holdfast.messages.folded"] == done.record.length
    assert span.end_time > span.start_time
    assert seen.points("holdfast.compactions") == {("condense", "done"): 1}
    assert seen.points("holdfast.compaction.tokens.before") == {("condense", "done"): done.prev_context_tokens}
    assert seen.points("holdfast.compaction.tokens.after") == {("condense", "done"): done.new_context_tokens}
    assert seen.points("holdfast.compaction.duration")["condense", "done"] > 0


def test_nothing_that_was_said_is_told(seen):
    condenser().condense(HISTORY, target=2_000)
    summarize_conversation(HISTORY, lambda _: f"- {RULE}", count_tokens=quarter, target=2_000)
    told = "".join(span.to_json() for span in seen.spans.get_finished_spans())
    assert "migrations" not in told
    assert "value_1" not in told


def test_what_was_not_needed_is_no_failure(seen):
    condenser().condense(HISTORY[:1], target=2_000)
    assert seen.points("holdfast.compactions") == {("condense", "unneeded"): 1}
    assert seen.points("holdfast.compaction.tokens.before") == {}


class Full(MemoryArchive):
    def put(self, content):
        raise ArchiveError(f"no room for {content[:20]!r}")


def test_a_failure_is_an_error_of_its_class(seen):
    condenser(archive=Full()).condense(HISTORY, target=2_000)
    (span,) = seen.spans.get_finished_spans()
    assert span.status.status_code is StatusCode.ERROR
    assert span.attributes["error.type"] == "ArchiveError"
    assert seen.points("holdfast.compactions") == {("condense", "failed"): 1}


def test_a_models_summary_tells_what_was_verified_and_mended(seen):
    done = summarize_conversation(
        HISTORY, lambda _: "- The price list was built.", count_tokens=quarter, target=2_000
    )
    assert done.record is not None
    spans = seen.spans.get_finished_spans()
    assert [span.name for span in spans] == ["holdfast.summarize_conversation"]
    assert spans[0].attributes["holdfast.checked.mended"] == done.report.checked["mended"]
    facts = seen.points("holdfast.compaction.facts")
    assert facts["summarize_conversation", "done", "lost"] == done.report.checked["lost"]
    assert sum(done.report.checked.values()) > 0
    assert seen.points("holdfast.compactions") == {("summarize_conversation", "done"): 1}


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_without_its_model_a_compaction_is_a_fallback_and_counted_once(seen, kind):
    def broken(request):
        raise OSError(f"no connection for {request.purpose}")

    given = {"count_tokens": quarter, "target": 2_000}
    if kind == "sync":
        summarize_conversation(HISTORY, broken, **given)
    else:
        asyncio.run(asummarize_conversation(HISTORY, broken, **given))
    assert seen.points("holdfast.compactions") == {("summarize_conversation", "fallback"): 1}


def test_a_model_that_another_instrumentation_sees_is_called_within_our_span(seen):
    tracer = seen.tracers.get_tracer("model")

    def model(_):
        with tracer.start_as_current_span("chat"):
            return "- The price list was built."

    summarize_conversation(HISTORY, model, count_tokens=quarter, target=2_000)
    inner, outer = seen.spans.get_finished_spans()
    assert (inner.name, outer.name) == ("chat", "holdfast.summarize_conversation")
    assert inner.parent.span_id == outer.context.span_id


def test_a_view_tells_its_compaction_once_and_its_failures(seen):
    ours = condenser()
    for _ in range(3):
        assert ours.view(HISTORY) is not HISTORY
    assert seen.points("holdfast.compactions") == {("condense", "done"): 1}
    failing = condenser(on_error=lambda _: None)
    failing.view([*HISTORY, {"role": "user", "content": object()}])
    assert seen.points("holdfast.compactions")["view", "failed"] == 1


def test_it_is_switched_on_once_and_off(seen):
    HoldfastInstrumentor().instrument(tracer_provider=seen.tracers, meter_provider=seen.meters)
    condenser().condense(HISTORY, target=2_000)
    assert len(seen.spans.get_finished_spans()) == 1
    HoldfastInstrumentor().uninstrument()
    condenser().condense(HISTORY, target=2_000)
    assert len(seen.spans.get_finished_spans()) == 1
