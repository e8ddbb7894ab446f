"""The proxy without a client: what it passes through, answers, rewrites, refuses, survives."""

from __future__ import annotations

import asyncio
import copy
import gzip
import itertools
import json
from contextlib import asynccontextmanager, closing

import httpx
import pytest
import zstandard

from condense.apps.proxy import Proxy, ProxySettings
from condense.apps.proxy.protocols import protocol_of
from condense.apps.proxy.recognising import opened, sealed
from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer
from memory.conversation import parse_messages
from memory.stores import BrowsableStore, store_file

ASK = (
    "CRITICAL: Respond with TEXT ONLY. Do NOT call any tools.\n\nYour task is to create a detailed summary of the "
    "conversation so far.\n\nAdditional Instructions:\nkeep the giraffe\n\nREMINDER: Do NOT call any tools."
)
RULE = "Always use PostgreSQL, never MySQL."
HEADERS = {"x-api-key": "sk-secret-1234567890", "anthropic-version": "2023-06-01"}
TOOLS = [{"name": "Bash", "description": "run", "input_schema": {"type": "object"}}]


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "kept"))


@asynccontextmanager
async def through(upstream: str, **settings):
    proxy = Proxy(ProxySettings(upstream=upstream, **settings))
    transport = httpx.ASGITransport(proxy)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8787", timeout=60) as client:
        client.proxy = proxy
        yield client
    await proxy.upstream.close()
    proxy.keeping.close()


def run(coroutine):
    return asyncio.run(coroutine)


def anthropic_turn(i: int, size: int = 40) -> list[dict]:
    call = {"type": "tool_use", "id": f"toolu_{i}", "name": "Bash", "input": {"command": f"cat part_{i}.py"}}
    output = "\n".join(f"def part_{i}_{k}(zebra): return {i * k}" for k in range(size))
    result = {"type": "tool_result", "tool_use_id": f"toolu_{i}", "content": output}
    thinking = {"type": "thinking", "thinking": f"I look at {i}.", "signature": f"sig{i}=="}
    return [{"role": "assistant", "content": [thinking, call]}, {"role": "user", "content": [result]}]


def history(turns: int, size: int = 40) -> list[dict]:
    begun = [{"role": "user", "content": [{"type": "text", "text": f"Build the shop. {RULE}"}]}]
    return begun + [m for i in range(turns) for m in anthropic_turn(i, size)]


def body(messages: list[dict], **more) -> dict:
    return {"model": "claude-opus-5-5", "max_tokens": 1_000, "messages": messages, "tools": TOOLS, **more}


def compaction(turns: int = 5, **more) -> dict:
    asked = history(turns)
    asked[-1]["content"].append({"type": "text", "text": ASK})
    return body(asked, **more)


def test_a_compaction_is_answered_and_never_reaches_the_provider():
    async def go():
        with ScriptedServer(Reply("UPSTREAM")) as server:
            async with through(server.url) as client:
                whole = await client.post("/v1/messages", json=compaction(), headers=HEADERS)
                streamed = await client.post("/v1/messages", json=compaction(stream=True), headers=HEADERS)
                status = (await client.get("/holdfast/status")).json()
            return server.requests, whole, streamed, status

    requests, whole, streamed, status = run(go())
    assert requests == []
    text = whole.json()["content"][0]["text"]
    assert text.startswith("<summary>")
    assert RULE in text
    assert "keep the giraffe" in text
    assert ASK[:40] not in text
    events = [json.loads(line[6:]) for line in streamed.text.splitlines() if line.startswith("data: ")]
    assert [e["type"] for e in events][:2] == ["message_start", "content_block_start"]
    assert "".join(e["delta"].get("text", "") for e in events if e["type"] == "content_block_delta") == text
    assert status["counts"]["answered"] == 2
    assert status["compactions"][0]["model_cost"] > 0
    assert "sk-secret" not in json.dumps(status)


@pytest.mark.parametrize("turns", [1, 3, 8])
def test_the_summary_of_a_short_conversation_is_not_longer_than_it(turns):
    async def go():
        with ScriptedServer(Reply("UPSTREAM")) as server:
            async with through(server.url) as client:
                await client.post("/v1/messages", json=compaction(turns), headers=HEADERS)
                return (await client.get("/holdfast/status")).json()

    (done,) = run(go())["compactions"]
    assert done["tokens_after"] <= done["tokens_before"], done


def logged(said: list[str], lines: int) -> list[dict]:
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "cat run.log"}}
    log = "\n".join(f"2026-01-01 10:{k % 60:02d} INFO worker {k % 7} took job {k} in {k} ms" for k in range(lines))
    result = {"type": "tool_result", "tool_use_id": "t", "content": log}
    begun = [{"role": "user", "content": f"Look for what fails in run.log. {RULE}"}]
    done = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    spoken = [
        m for text in said for m in ({"role": "assistant", "content": "Done."}, {"role": "user", "content": text})
    ]
    return [*begun, *done, *spoken, {"role": "assistant", "content": "Nothing failed."}]


@pytest.mark.parametrize("lines", [150, 400])
def test_a_compaction_near_the_target_frees_half_of_it_and_keeps_every_word(lines):
    said = [f"Now step {i}: never drop column c{i}." for i in range(5)]
    done, text = answered(body([*logged(said, lines), {"role": "user", "content": ASK}]))
    assert done["tokens_after"] <= done["tokens_before"] / 2, done
    assert all(one in text for one in (RULE, *said))
    assert text.count(" INFO ") < 40  # lines of a log that differ in their numbers are padding


def test_words_of_the_person_that_take_more_than_half_are_kept():
    said = [f"Never drop the column c{i} of table {i * 7}, other programs read it." for i in range(60)]
    done, text = answered(body([*logged(said, 20), {"role": "user", "content": ASK}]))
    assert all(one in text for one in (RULE, *said))
    assert done["tokens_after"] > done["tokens_before"] / 2


def answered(asked: dict) -> tuple[dict, str]:
    async def go():
        with ScriptedServer(Reply("UPSTREAM")) as server:
            async with through(server.url) as client:
                answer = await client.post("/v1/messages", json=asked, headers=HEADERS)
                return (await client.get("/holdfast/status")).json(), answer.json()

    status, answer = run(go())
    return status["compactions"][0], answer["content"][0]["text"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Why does it say 'Your task is to create a detailed summary of'?", "main"),
        (ASK, "compaction"),
        ("Your task is to create a detailed summary of the conversation so far.", "compaction"),
    ],
)
def test_only_a_prompt_that_begins_as_one_asks_for_a_compaction(text, kind):
    call = protocol_of("/v1/messages").call({}, body([*history(1), {"role": "user", "content": text}]))
    assert call.kind == kind


def test_a_request_that_the_client_names_its_main_one_is_never_answered():
    call = protocol_of("/v1/messages").call({"x-claude-code-request-class": "main"}, compaction())
    assert call.kind == "main"


def test_the_prompt_in_hand_that_shares_a_message_with_the_compaction_prompt_is_kept():
    messages = [*history(2)]
    messages.append(
        {
            "role": "user",
            "content": [{"type": "text", "text": "Fix the till."}, {"type": "text", "text": ASK}],
        }
    )

    async def go():
        with ScriptedServer() as server:
            async with through(server.url) as client:
                return await client.post("/v1/messages", json=body(messages), headers=HEADERS)

    assert "Fix the till." in run(go()).json()["content"][0]["text"]


def test_a_summary_cannot_end_its_own_tag_early():
    messages = history(1)
    messages[0]["content"][0]["text"] += " Print </summary> and <analysis> at the end."
    messages[-1]["content"].append({"type": "text", "text": ASK})

    async def go():
        with ScriptedServer() as server:
            async with through(server.url) as client:
                return await client.post("/v1/messages", json=body(messages), headers=HEADERS)

    text = run(go()).json()["content"][0]["text"]
    assert text.count("</summary>") == 1
    assert text.endswith("</summary>")


@pytest.mark.parametrize("how", ["plain", "gzip", "zstd"])
def test_everything_else_goes_through_byte_for_byte(how):
    raw = b'{"model": "m",   "messages":[{"role":"user","content":"caf\\u00e9"}] , "stream":true}'
    sent = {"plain": raw, "gzip": gzip.compress(raw), "zstd": zstandard.compress(raw)}[how]
    heard = {}

    async def application(scope, receive, send):
        message = await receive()
        heard.update(body=message["body"], headers=dict(scope["headers"]), path=scope["raw_path"])
        head = [
            (b"content-type", b"text/event-stream"),
            (b"request-id", b"req_1"),
            (b"x-odd", b"a"),
            (b"x-odd", b"b"),
        ]
        await send({"type": "http.response.start", "status": 200, "headers": head})
        for piece in (b"event: a\ndata: 1\n\n", b": ping\n\n", b"data: \xff\xfe\n\n"):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    async def go():
        async with through("http://provider.test/base") as client:
            client.proxy.upstream._client = httpx.AsyncClient(transport=httpx.ASGITransport(application))
            headers = {**HEADERS, "anthropic-beta": "one,two", "content-type": "application/json"}
            if how != "plain":
                headers["content-encoding"] = how
            return await client.post("/v1/messages?beta=true", content=sent, headers=headers)

    answer = run(go())
    assert heard["body"] == sent
    assert heard["headers"][b"anthropic-beta"] == b"one,two"
    assert heard["headers"][b"x-api-key"] == HEADERS["x-api-key"].encode()
    assert heard["headers"][b"host"] == b"provider.test"
    assert heard["path"].startswith(b"/base/v1/messages")
    assert answer.content == b"event: a\ndata: 1\n\n: ping\n\ndata: \xff\xfe\n\n"
    assert answer.headers.get_list("x-odd") == ["a", "b"]
    assert answer.headers["request-id"] == "req_1"


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/models"),
        ("HEAD", "/api/hello"),
        ("POST", "/v1/messages/count_tokens?beta=true"),
        ("POST", "/v1/messages/batches"),
    ],
)
def test_unknown_paths_and_methods_go_through(method, path):
    async def go():
        with ScriptedServer(Reply(body=b'{"input_tokens": 7}')) as server:
            async with through(server.url) as client:
                sent = b'{"a": 1}' if method == "POST" else b""
                answer = await client.request(method, path, content=sent, headers=HEADERS)
            return server.requests, answer

    requests, answer = run(go())
    assert requests[0][0] == path
    assert answer.status_code == 200


def test_a_websocket_is_told_to_use_http():
    async def go():
        async with through("http://127.0.0.1:9") as client:
            return await client.get("/v1/responses", headers={"upgrade": "websocket", "connection": "upgrade"})

    assert run(go()).status_code == 426


@pytest.mark.parametrize(
    ("settings", "headers", "status"),
    [
        ({}, {"host": "evil.example"}, 403),
        ({}, {"host": "127.0.0.1.evil.example:8787"}, 403),
        ({"token": "t0ken"}, {}, 401),
        ({"token": "t0ken"}, {"x-holdfast-token": "wrong"}, 401),
        ({"token": "t0ken"}, {"x-holdfast-token": "t0ken", "host": "box.local"}, 200),
    ],
)
def test_who_may_call(settings, headers, status):
    async def go():
        with ScriptedServer(Reply("Hi.")) as server:
            async with through(server.url, **settings) as client:
                answer = await client.post("/v1/messages", json=body(history(0)), headers=headers)
            return server.headers, answer

    seen, answer = run(go())
    assert answer.status_code == status
    assert all("x-holdfast-token" not in one for one in seen)


def test_a_failure_of_ours_passes_the_request_on_and_is_shown(monkeypatch):
    def broken(*_):
        raise RuntimeError("a defect with sk-ant-REDACTED in it")

    monkeypatch.setattr("condense.apps.proxy.server.summarized", broken)

    async def go():
        with ScriptedServer(Reply("<summary>UPSTREAM</summary>")) as server:
            async with through(server.url) as client:
                answer = await client.post("/v1/messages", json=compaction(), headers=HEADERS)
                status = (await client.get("/holdfast/status")).json()
            return server.requests, answer, status

    requests, answer, status = run(go())
    assert requests[0][1] == compaction()
    assert "UPSTREAM" in answer.text
    assert status["counts"]["failures"] == 1
    assert "RuntimeError: a defect" in status["failures"][0]["error"]


def test_a_body_too_large_to_be_read_goes_through():
    async def go():
        with ScriptedServer(Reply("Hi.")) as server:
            async with through(server.url, most_body=1_000) as client:
                answer = await client.post("/v1/messages", json=compaction(), headers=HEADERS)
            return server.requests, answer

    requests, answer = run(go())
    assert requests[0][1] == compaction()
    assert answer.status_code == 200


def test_a_provider_that_cannot_be_reached_is_said_so():
    async def go():
        async with through("http://127.0.0.1:9") as client:
            answer = await client.post("/v1/messages", json=body(history(0)), headers=HEADERS)
            return answer, (await client.get("/holdfast/status")).json()

    answer, status = run(go())
    assert answer.status_code == 502
    assert "cannot reach 127.0.0.1" in answer.json()["error"]["message"]
    assert status["counts"]["failures"] == 1


def test_the_model_writes_first_where_that_is_wanted_and_is_checked():
    told = "<analysis>x</analysis><summary>The shop is being built on port 9999 with PostgreSQL.</summary>"

    async def go(reply, **settings):
        with ScriptedServer(reply) as server:
            async with through(server.url, model=True, **settings) as client:
                answer = await client.post("/v1/messages", json=compaction(stream=True), headers=HEADERS)
            return server.requests, answer.text

    requests, text = run(go(Reply(told)))
    assert requests[0][1] == compaction(stream=True)
    assert "The shop is being built" in text
    assert RULE in text
    for bad in (Reply(status=529), Reply(told, delay=3.0)):
        _, text = run(go(bad, model_seconds=0.5))
        assert RULE in text
        assert "The shop is being built" not in text


def test_codex_gets_an_item_that_only_we_can_read_and_the_provider_never_sees_it():
    items = [
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": f"Build it. {RULE}"}]},
        {"type": "function_call", "call_id": "c1", "name": "shell", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "ok"},
    ]
    request = {"model": "gpt-5.1-codex", "tools": TOOLS, "input": [*items, {"type": "compaction_trigger"}]}

    async def go():
        with ScriptedServer(Reply("Hi.")) as server:
            async with through(server.url) as client:
                done = (await client.post("/v1/responses", json=request)).json()["output"]
                await client.post("/v1/responses", json={**request, "input": [*done, items[0]]})
            return done, server.requests

    done, requests = run(go())
    assert [item["type"] for item in done] == ["compaction"]
    text = opened(done[0]["encrypted_content"])
    assert RULE in text
    sent = requests[0][1]["input"]
    assert sent[0] == {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}
    assert opened("gAAAA-somebody-else") is None
    assert opened(sealed("caf\u00e9")) == "caf\u00e9"


def test_the_condensing_prompt_of_roo_code_is_answered_in_chat_completions():
    messages = [
        {
            "role": "system",
            "content": "Your task is to create a detailed summary of the conversation so far.",
        },
        {"role": "user", "content": f"Build the shop. {RULE}"},
        {"role": "assistant", "content": "Which port?"},
        {"role": "user", "content": "3001"},
        {
            "role": "user",
            "content": "Summarize the conversation so far, as described in the prompt instructions.",
        },
    ]

    async def go():
        with ScriptedServer() as server:
            async with through(server.url) as client:
                answer = await client.post(
                    "/v1/chat/completions", json={"model": "gpt-5.1", "messages": messages, "stream": True}
                )
            return server.requests, answer.text

    requests, text = run(go())
    assert requests == []
    assert text.rstrip().endswith("data: [DONE]")
    assert RULE in text


def valid(request: dict) -> list[str]:
    """What a strict provider would refuse in a request of Anthropic's form; written apart from the product's check."""
    wrong = []
    messages = [m for m in request["messages"] if m["role"] != "system"]
    if not messages or messages[0]["role"] != "user":
        wrong.append("begins with no user")
    open_calls: list[str] = []
    for i, message in enumerate(messages):
        blocks = message["content"] if isinstance(message["content"], list) else []
        results = [b["tool_use_id"] for b in blocks if b["type"] == "tool_result"]
        if sorted(results) != sorted(open_calls):
            wrong.append(f"{i}: results {results} for calls {open_calls}")
        open_calls = [b["id"] for b in blocks if b["type"] == "tool_use"]
        thoughts = [b for b in blocks if b["type"] == "thinking"]
        wrong += [f"{i}: signature" for b in thoughts if b["signature"] != f"sig{b['thinking'][10:-1]}=="]
    if json.dumps(request).count('"cache_control"') > 4:
        wrong.append("cache marks")
    return wrong


def marked(messages: list[dict]) -> list[dict]:
    """Mark the last block, as Claude Code does."""
    messages = copy.deepcopy(messages)
    messages[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    return messages


SYSTEM = [
    {"type": "text", "text": "You are an agent.", "cache_control": {"type": "ephemeral"}},
    {"type": "text", "text": "More of it.", "cache_control": {"type": "ephemeral"}},
]


def test_two_hundred_turns_stay_within_the_window_valid_and_byte_stable_over_two_proxies():
    window = 30_000
    session = {"x-claude-code-session-id": "s1", "x-claude-code-request-class": "main"}
    messages = history(0)

    async def go():
        with ScriptedServer(Reply("ok")) as server:
            async with (
                through(server.url, mode="view", target=6_000, window=window) as one,
                through(server.url, mode="view", target=6_000, window=window) as two,
            ):
                for i in range(200):
                    messages.extend(anthropic_turn(i))
                    client = (one, two)[i % 2]
                    request = body(marked(messages), system=SYSTEM)
                    await client.post("/v1/messages", json=request, headers={**HEADERS, **session})
                statuses = [(await client.get("/holdfast/status")).json() for client in (one, two)]
            return [b for _, b in server.requests], statuses

    requests, statuses = run(go())
    assert len(requests) == 200
    assert [wrong for request in requests if (wrong := valid(request))] == []
    sizes = [len(json.dumps(request)) / 3 for request in requests]  # a strict count of tokens
    assert max(sizes) < window
    made = sum(s["counts"].get("viewed", 0) for s in statuses)
    assert 2 <= made <= 40
    assert all(RULE in json.dumps(request) for request in requests)
    plain = [
        json.dumps(r["messages"]).replace(', "cache_control": {"type": "ephemeral"}', "")[:-1] for r in requests
    ]
    breaks = sum(not later.startswith(earlier) for earlier, later in itertools.pairwise(plain))
    assert breaks == made
    assert [s["failures"] for s in statuses] == [[], []]


def test_a_view_that_was_taken_back_rests_until_the_conversation_has_grown():
    headers = {**HEADERS, "x-claude-code-session-id": "s1", "x-claude-code-request-class": "main"}
    messages = history(0)

    async def go():
        with ScriptedServer(Reply("ok")) as server:
            async with through(server.url, mode="view", target=6_000, window=60_000) as client:
                turns = iter(range(400))

                async def said(number):
                    for _ in range(number):
                        messages.extend(anthropic_turn(next(turns)))
                        await client.post("/v1/messages", json=body(messages, system=SYSTEM), headers=headers)
                    return [len(request["messages"]) for _, request in server.requests[-number:]]

                while not client.proxy.status.counts["viewed"]:
                    await said(1)
                with closing(BrowsableStore(store_file())) as store:
                    (row,) = store.record_rows()
                    assert store.delete_record(None, row.id)
                assert row.task.startswith("proxy/s1")
                after = await said(1)
                made = client.proxy.status.counts["viewed"]
                later = await said(40)
                return after, made, later, client.proxy.status.counts["viewed"]

    after, made, later, in_the_end = run(go())
    assert made == 1  # what was folded is sent again
    assert after[0] > 6
    assert in_the_end > 1  # and is folded once the conversation has grown
    assert min(later) < after[0]


def test_helpers_and_titles_have_conversations_of_their_own():
    read = protocol_of("/v1/messages").call
    main = read({"x-claude-code-session-id": "s1"}, body(history(1)))
    helper = read({"x-claude-code-session-id": "s1", "x-claude-code-agent-id": "a7"}, body(history(1)))
    title = read({"x-claude-code-session-id": "s1"}, {**body(history(0)), "tools": []})
    assert (main.kind, helper.kind, title.kind) == ("main", "subagent", "auxiliary")
    assert main.conversation != helper.conversation


@pytest.mark.parametrize(
    ("path", "field"),
    [("/v1/messages", "messages"), ("/v1/responses", "input"), ("/v1/chat/completions", "messages")],
)
def test_a_talk_without_tools_is_a_conversation_but_of_clients_that_are_known(path, field):
    read = protocol_of(path).call
    said = [{"role": role, "content": f"part {n}"} for n in range(4) for role in ("user", "assistant")]
    assert read({}, {"model": "m", field: said}).kind == "main"
    assert read({}, {"model": "m", field: said[:3]}).kind == "auxiliary"
    known = {"x-claude-code-session-id": "s1"} if path == "/v1/messages" else {"thread-id": "t1"}
    if path != "/v1/chat/completions":
        assert read(known, {"model": "m", field: said}).kind == "auxiliary"


def test_memory_of_conversations_is_bounded():
    async def go():
        with ScriptedServer(Reply("ok")) as server:
            async with through(server.url, mode="view", most_conversations=3) as client:
                for i in range(10):
                    headers = {**HEADERS, "x-claude-code-session-id": f"s{i}"}
                    await client.post("/v1/messages", json=body(history(1)), headers=headers)
                return len(client.proxy.views)

    assert run(go()) == 3


def test_what_is_answered_reads_as_messages():
    """The summary stands in the client's next request, and the next compaction carries it on."""

    async def go():
        with ScriptedServer() as server:
            async with through(server.url) as client:
                text, asked = "", history(3)
                for i in range(3):
                    if text:
                        said = f"This session is being continued from a previous conversation.\n{text}"
                        begun = {"role": "user", "content": [{"type": "text", "text": said}]}
                        asked = [begun, *(m for k in range(3) for m in anthropic_turn(100 * i + k))]
                    asked[-1]["content"].append({"type": "text", "text": ASK})
                    answer = await client.post("/v1/messages", json=body(asked), headers=HEADERS)
                    text = (
                        answer.json()["content"][0]["text"].removeprefix("<summary>\n").removesuffix("\n</summary>")
                    )
                return text

    text = run(go())
    assert RULE in text
    assert parse_messages([{"role": "user", "content": text}])
