"""What Prometheus reads off the proxy."""

from __future__ import annotations

import pytest
from prometheus_client.openmetrics.parser import (
    text_string_to_metric_families as open_metrics,
)
from prometheus_client.parser import text_string_to_metric_families as plain_metrics
from test_proxy import HEADERS, body, compaction, history, run, through

from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "kept"))


def samples(text: str, parse) -> dict:
    return {
        (sample.name, *sample.labels.values()): sample.value for family in parse(text) for sample in family.samples
    }


@pytest.mark.parametrize(
    ("accept", "parse"), [("", plain_metrics), ("application/openmetrics-text; version=1.0.0", open_metrics)]
)
def test_prometheus_reads_what_the_status_tells(accept, parse):
    async def go():
        with ScriptedServer(Reply("UPSTREAM")) as server:
            async with through(server.url) as client:
                before = await client.get("/holdfast/metrics", headers={"accept": accept})
                for _ in range(2):
                    await client.post("/v1/messages", json=compaction(40), headers=HEADERS)
                await client.post("/v1/messages", json=body(history(1)), headers=HEADERS)
                client.proxy.status.failed("a test", "with sk-ant-REDACTED in it")
                after = await client.get("/holdfast/metrics", headers={"accept": accept})
                status = (await client.get("/holdfast/status")).json()
            return before, after, status

    before, after, status = run(go())
    assert after.headers["content-type"].startswith(accept.partition(";")[0] or "text/plain")
    first, seen = samples(before.text, parse), samples(after.text, parse)
    done = status["compactions"]
    assert first["holdfast_compactions_total", "answered"] == 0
    assert seen["holdfast_compactions_total", "answered"] == len(done) == 2
    assert seen["holdfast_asked_compactions_total",] == 2
    assert seen["holdfast_requests_total",] == status["counts"]["requests"] - 1
    assert seen["holdfast_failures_total",] == 1
    assert seen["holdfast_saved_tokens_total",] == status["counts"]["tokens saved"] > 0
    for when in ("before", "after"):
        tokens = sum(one[f"tokens_{when}"] for one in done)
        assert seen["holdfast_compacted_tokens_total", "answered", when] == tokens
    assert seen["holdfast_compaction_seconds_sum", "answered"] == pytest.approx(sum(one["seconds"] for one in done))
    assert "sk-ant" not in after.text


def test_metrics_want_the_token_too():
    settings = {"token": "open"}

    async def go():
        async with through("http://127.0.0.1:9", **settings) as client:
            refused = await client.get("/holdfast/metrics")
            told = await client.get("/holdfast/metrics", headers={"x-holdfast-token": "open"})
            return refused.status_code, told.status_code

    assert run(go()) == (401, 200)
