"""The official SDKs as clients of a local server with scripted replies: history never lost, error named, no key."""

from __future__ import annotations

import asyncio
import logging

import pytest
from agent_stories import ASK, GOOD, PORT, RULE, story
from builders import quarter

from condense import asummarize_conversation, summarize_conversation
from condense.adapters.anthropic import AnthropicSummarizer, AsyncAnthropicSummarizer
from condense.adapters.openai import AsyncOpenAISummarizer, OpenAISummarizer
from condense.compaction.validity import violations
from condense.errors import SummarizerError
from condense.summarizing.requests import Purpose, SummaryRequest
from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer
from memory.conversation.tokens.counting import count_message
from memory.conversation.wire.parsing import parse_messages

KEY = "-".join(("sk", "ant", "api03", "Zx9Qw7Er5Ty3" * 8))
TARGET = 1_200
STORY = story(6)
REQUEST = SummaryRequest(Purpose.SUMMARY, "Summarise.", "A transcript.", 500, 0.3)
PROTOCOLS = ("anthropic", "chat", "responses")
QUICK = {"retry-after-ms": "5"}


def summarizer(protocol, server, model="claude-haiku-4-5", timeout=20.0, retries=1, **settings):
    if protocol == "anthropic":
        return AnthropicSummarizer(
            model, api_key=KEY, base_url=server.url, timeout=timeout, max_retries=retries, **settings
        )
    return OpenAISummarizer(
        model,
        api=protocol,
        api_key=KEY,
        base_url=f"{server.url}/v1",
        timeout=timeout,
        max_retries=retries,
        **settings,
    )


def run(protocol, *replies, **settings):
    with ScriptedServer(*replies) as server:
        with summarizer(protocol, server, **settings) as model:
            done = summarize_conversation(STORY, model, target=TARGET, count_tokens=quarter)
        return done, server.requests


def sound(done) -> bool:
    parsed = parse_messages(done.messages)
    text = "\n".join(m.text for m in parsed)
    small = sum(count_message(m, quarter) for m in parsed) <= TARGET
    return small and not violations(parsed) and RULE in text and ASK in text


@pytest.fixture(autouse=True)
def _no_key_in_logs(caplog):
    caplog.set_level(logging.DEBUG)
    yield
    assert KEY not in caplog.text


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_good_summary_with_usage_and_cost(protocol):
    done, requests = run(protocol, Reply(GOOD, input_tokens=10_000, output_tokens=200))
    assert done.error is None
    assert sound(done)
    assert "Retries in `src/upload/client.py` are written" in done.summary
    assert done.cost == pytest.approx(0.011)
    path, body = requests[0]
    assert (
        path
        == {"anthropic": "/v1/messages", "chat": "/v1/chat/completions", "responses": "/v1/responses"}[protocol]
    )
    assert body["stream"] is True
    assert "tools" not in body
    assert RULE in str(body)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_model_without_a_known_price_costs_none(protocol):
    done, _ = run(protocol, Reply(GOOD), model="llama3:70b")
    assert done.error is None
    assert done.cost is None


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_summary_that_forgets_a_rule_is_mended_and_one_that_invents_is_marked(protocol):
    text = GOOD.replace(f"- {RULE}\n", "").replace(
        f"- {PORT}", "- Always deploy on Fridays without asking anybody."
    )
    done, _ = run(protocol, Reply(text))
    assert done.error is None
    assert sound(done)
    line = next(line for line in done.summary.split("\n") if "deploy on Fridays" in line)
    assert "unverified" in line


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("reply", "told", "asked"),
    [
        (Reply("Пользователь просит добавить повторные попытки. " * 9), "another language", 2),
        (Reply(""), "empty", 2),
        (Reply("I'm sorry, but I can't help with that."), "refusal", 2),
        (Reply('{"summary": "retries", "files": []}'), "JSON", 2),
        (Reply(call=("Bash", {"command": "ls"})), "tool call in place of text", 2),
        (Reply("- more and more and more words\n" * 3_000), "longer than what it replaces", 2),
        (Reply(status=401, message=f"invalid x-api-key {KEY}"), "HTTP 401", 1),
        (Reply(status=429, headers={"retry-after": "0.005"}), "HTTP 429", 2),
        (Reply(status=500, headers=QUICK), "HTTP 500", 2),
        (Reply(status=529, headers=QUICK), "HTTP 529", 2),
        (Reply(status=413, message="prompt is too long"), "prompt is too long", 1),
        (Reply(GOOD, cut_after=700), "cut", 2),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_whatever_goes_wrong_the_history_is_kept_and_the_error_named(protocol, reply, told, asked):
    done, requests = run(protocol, reply)
    assert sound(done)
    assert told in done.error
    assert "without a model" in done.error
    assert KEY not in done.error
    assert len(requests) == asked


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_answer_that_cannot_be_read_or_does_not_come(protocol):
    done, _ = run(protocol, Reply(body=b'{"id": "x", '))
    assert sound(done)
    assert "could not be read" in done.error
    done, requests = run(protocol, Reply(GOOD, delay=0.4), timeout=0.1, retries=0)
    assert sound(done)
    assert "timed out" in done.error
    assert len(requests) == 1
    with ScriptedServer() as gone:
        pass
    model = summarizer(protocol, gone, retries=0)
    done = summarize_conversation(STORY, model, target=TARGET, count_tokens=quarter)
    assert sound(done)
    assert "no connection" in done.error


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_trouble_that_passes_is_got_over(protocol):
    for trouble in (Reply(status=529, headers=QUICK), Reply(GOOD, cut_after=700), Reply("")):
        done, requests = run(protocol, trouble, Reply(GOOD))
        assert done.error is None
        assert len(requests) == 2
        assert "are written" in done.summary


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_summary_ten_times_too_long_is_compressed(protocol):
    long = GOOD + "\n".join(f"- detail {i}: value_{i % 40}_{i % 10}" for i in range(160))
    done, requests = run(protocol, Reply(long), Reply(GOOD))
    assert done.error is None
    assert sound(done)
    assert len(requests) == 2
    assert "too long" in str(requests[1][1])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_answer_cut_at_its_limit_is_used_and_noted(protocol):
    done, _ = run(protocol, Reply(GOOD, stop="max_tokens"))
    assert done.error is None
    assert any("cut off" in note for note in done.report.notes)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_models_own_refusal_is_an_error(protocol):
    if protocol != "responses":
        done, _ = run(protocol, Reply("no", stop="refusal"))
        assert "refused" in done.error
        assert sound(done)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_async_adapters_do_the_same(protocol):
    async def both():
        with ScriptedServer(Reply(GOOD)) as server:
            settings = {"api_key": KEY, "timeout": 5.0, "max_retries": 0}
            model = (
                AsyncAnthropicSummarizer("claude-haiku-4-5", base_url=server.url, **settings)
                if protocol == "anthropic"
                else AsyncOpenAISummarizer("gpt-4.1", api=protocol, base_url=f"{server.url}/v1", **settings)
            )
            done = await asummarize_conversation(STORY, model, target=TARGET, count_tokens=quarter)
        async with model:
            broken = await asummarize_conversation(STORY, model, target=TARGET, count_tokens=quarter)
        return done, broken

    done, broken = asyncio.run(both())
    assert done.error is None
    assert sound(done)
    assert done.cost
    assert sound(broken)
    assert "no connection" in broken.error


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_progress_is_told_and_a_temperature_goes_where_it_is_taken(protocol):
    seen: list[int] = []
    with ScriptedServer(Reply("x" * 100)) as server:
        summarizer(protocol, server, progress=seen.append)(REQUEST)
        summarizer(protocol, server, model="gpt-5.5" if protocol != "anthropic" else "claude-opus-5")(REQUEST)
        bodies = [body for _, body in server.requests]
    assert seen[-1] == 100
    assert seen == sorted(seen)
    assert bodies[0]["temperature"] == pytest.approx(0.3)
    assert "temperature" not in bodies[1]


def test_a_server_of_ones_own_needs_no_key(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with ScriptedServer(Reply(GOOD)) as server:
        assert OpenAISummarizer("llama3", base_url=f"{server.url}/v1", max_retries=0)(REQUEST).text == GOOD
    with pytest.raises(Exception, match="api_key"):
        OpenAISummarizer("gpt-5")


def test_without_its_sdk_an_adapter_names_the_extra(monkeypatch):
    import importlib
    import sys

    for name in ("anthropic", "openai"):
        monkeypatch.setitem(sys.modules, name, None)
        monkeypatch.delitem(sys.modules, f"condense.adapters.{name}")
        with pytest.raises(ImportError, match=rf"holdfast-context\[{name}\]"):
            importlib.import_module(f"condense.adapters.{name}")
        monkeypatch.undo()


def test_a_broken_reply_raises_our_error_with_its_cause():
    with (
        ScriptedServer(Reply(status=401)) as server,
        pytest.raises(SummarizerError, match="HTTP 401") as caught,
    ):
        summarizer("anthropic", server)(REQUEST)
    assert type(caught.value.__cause__).__name__ == "AuthenticationError"
