"""What the proxy did, in Prometheus' text format: `GET /holdfast/metrics`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from prometheus_client.metrics_core import Metric

    from condense.apps.proxy.status import Status

COUNTED: Final = {
    "requests": ("holdfast_requests", "Requests that came in."),
    "rewritten": ("holdfast_rewritten_requests", "Requests that went on smaller than they came."),
    "compactions asked for": ("holdfast_asked_compactions", "Compactions that agents asked for."),
    "tokens saved": ("holdfast_saved_tokens", "Tokens by which histories became smaller."),
    "failures": ("holdfast_failures", "What went wrong; requests went on as they came."),
    "not in time": ("holdfast_late_compactions", "Compactions that were not done in time."),
    "too large to be read": ("holdfast_unread_requests", "Requests that were too large to be read."),
}
"""Counts of the status, with the names and words they have here."""


class Metrics(Collector):
    """Gives a status to Prometheus.

    Args:
        status: what is counted.
        conversations: how many are held in memory now.
    """

    def __init__(self, status: Status, conversations: Callable[[], int]) -> None:
        self._status = status
        self._conversations = conversations
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def written(self, accept: str) -> tuple[str, bytes]:
        """Return media type and text, in the format that a client accepts."""
        encode, media_type = choose_encoder(accept)
        return media_type, encode(self._registry)

    def collect(self) -> Iterable[Metric]:
        """Yield everything as it is now."""
        status = self._status
        for count, (name, words) in COUNTED.items():
            yield CounterMetricFamily(name, words, value=status.counts[count])
        made = CounterMetricFamily("holdfast_compactions", "Compactions that were made.", labels=["how"])
        took = SummaryMetricFamily("holdfast_compaction_seconds", "How long they took.", labels=["how"])
        sizes = CounterMetricFamily(
            "holdfast_compacted_tokens", "Tokens of histories before and after.", labels=["how", "when"]
        )
        for how in ("answered", "viewed"):
            made.add_metric([how], status.counts[how])
            took.add_metric([how], count_value=status.counts[how], sum_value=status.totals[how, "seconds"])
            for when in ("before", "after"):
                sizes.add_metric([how, when], status.totals[how, when])
        yield from (made, took, sizes)
        yield GaugeMetricFamily("holdfast_conversations", "Conversations held in memory.", self._conversations())
        yield GaugeMetricFamily("holdfast_start_time_seconds", "When it started.", status.started)
