"""The proxy under clients, providers and histories that are not as they should be."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import json
import socket
import threading
import time

import anyio
import pytest
from agent_clients import proxied
from test_proxy import (
    ASK,
    HEADERS,
    RULE,
    TOOLS,
    anthropic_turn,
    body,
    compaction,
    history,
    through,
    valid,
)

from benchmarks.proxy import Running
from condense.apps.proxy.recognising import sealed
from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "kept"))


def sent(*requests, path="/v1/messages", headers=HEADERS, reply=None, tell=None, **settings):
    """Send requests in turn; gives answers, what the provider saw, and the status."""

    async def go():
        with ScriptedServer(reply or Reply("UPSTREAM")) as server:
            async with through(server.url, **settings) as client:
                if tell is not None:
                    client.proxy.status.tell = tell
                answers = []
                for request in requests:
                    how = {"content": request} if isinstance(request, bytes) else {"json": request}
                    answers.append(await client.post(path, **how, headers=headers))
                status = (await client.get("/holdfast/status")).json()
            return answers, [seen for _, seen in server.requests], status

    return asyncio.run(go())


RESULT = {"type": "function_call_output", "call_id": "c9", "output": "ok " * 50}


@pytest.mark.parametrize("mode", ["answer", "view"])
@pytest.mark.parametrize(
    "more",
    [
        {"previous_response_id": "resp_1", "input": [RESULT]},
        {"conversation": "conv_1", "input": [RESULT]},
        {"input": [{"type": "item_reference", "id": "rs_1"}, RESULT]},
        {"input": "Hello."},
    ],
)
def test_a_conversation_that_the_provider_holds_goes_through_as_it_is(more, mode):
    request = {"model": "gpt-5.1", "tools": TOOLS, **more}
    _, seen, status = sent(request, path="/v1/responses", mode=mode)
    assert seen == [request]
    assert status["failures"] == []


def test_a_compaction_of_what_only_the_provider_holds_is_left_to_it():
    request = {
        "model": "gpt-5.1",
        "previous_response_id": "r",
        "input": [RESULT, {"type": "compaction_trigger"}],
    }
    _, seen, status = sent(request, path="/v1/responses")
    assert seen == [request]
    assert "only the provider has" in status["failures"][0]["error"]


def test_a_provider_never_gets_a_summary_it_cannot_read_even_where_we_fail():
    items = [
        {"type": "compaction", "encrypted_content": sealed(f"So far. {RULE}")},
        {"type": "compaction_trigger"},
    ]
    _, seen, status = sent({"model": "m", "tools": TOOLS, "input": items}, path="/v1/responses", seconds=1e-9)
    assert status["counts"]["failures"] == 1
    assert "holdfast1." not in json.dumps(seen)
    assert RULE in json.dumps(seen)


def test_a_terminal_that_is_gone_stops_nothing():
    def gone(_):
        raise BrokenPipeError

    answers, seen, status = sent(compaction(), tell=gone)
    assert seen == []
    assert RULE in answers[0].text
    assert status["counts"]["answered"] == 1


@pytest.mark.parametrize("mode", ["answer", "view"])
def test_a_compaction_in_words_of_a_newer_client_goes_through_and_is_told(mode):
    request = body(history(3))
    headers = {**HEADERS, "x-claude-code-request-class": "compaction"}
    _, seen, status = sent(request, headers=headers, mode=mode)
    assert seen == [request]
    assert "unknown words" in status["failures"][0]["error"]


def test_half_of_an_emoji_is_no_reason_to_ask_the_model():
    raw = json.dumps(compaction()).replace("Build the shop", "Build \\ud83d the shop").encode()
    answers, seen, _ = sent(raw)
    assert seen == []
    assert RULE in answers[0].text


def streamed(*events: dict) -> bytes:
    return b"".join(b"event: x\ndata: " + json.dumps(event).encode() + b"\n\n" for event in events)


HALF = {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "<summary>HALFWAY the shop"}}
OVERLOADED = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (Reply(call=("Bash", {"command": "x"})), "it is empty"),
        (Reply("<summary>The shop is HALFWAY", stop="max_tokens"), "it breaks off"),
        (Reply(body=b"[1]"), "or is none"),
        (Reply(body=json.dumps(OVERLOADED).encode()), "tells of an error"),
        (Reply(body=streamed(HALF, OVERLOADED), headers={"content-type": "text/event-stream"}), ""),
    ],
)
def test_half_an_answer_of_the_model_is_none_and_the_status_says_so(reply, told):
    answers, _, status = sent(compaction(), reply=reply, model=True)
    assert RULE in answers[0].text
    assert "HALFWAY" not in answers[0].text
    assert told in status["failures"][0]["error"]
    assert status["compactions"][0]["note"] == ""


def test_a_refusal_of_the_model_is_not_called_its_narrative():
    reply = Reply("I'm sorry, I can't help with that request at all today.", stop="refusal")
    answers, _, status = sent(compaction(), reply=reply, model=True)
    assert RULE in answers[0].text
    assert "with the model's narrative" not in status["compactions"][0]["note"]
    assert "refusal" in status["compactions"][0]["note"]


def test_the_model_is_asked_for_an_answer_that_we_can_read():
    heard = []

    async def go():
        with ScriptedServer(Reply("<summary>The shop is being built.</summary>")) as server:
            async with through(server.url, model=True) as client:
                headers = {**HEADERS, "accept-encoding": "br"}
                await client.post("/v1/messages", json=compaction(), headers=headers)
            heard.extend(server.headers)

    asyncio.run(go())
    assert "br" not in heard[0].get("accept-encoding", "")


def test_a_name_and_password_of_the_upstream_are_not_shown():
    async def go():
        async with through("http://me:s3cret@127.0.0.1:9") as client:
            return (await client.get("/holdfast/status")).text

    assert "s3cret" not in asyncio.run(go())


def test_tools_that_come_later_take_their_room():
    tool = {"name": "look", "description": "look at the zebra " * 60, "input_schema": {"type": "object"}}
    many = [{**tool, "name": f"look_{i}"} for i in range(45)]
    messages = history(24)
    before, after = body(copy.deepcopy(messages)), body([*messages, *anthropic_turn(24)], tools=many)
    headers = {**HEADERS, "x-claude-code-session-id": "s1"}
    _, seen, _ = sent(before, after, headers=headers, mode="view", target=4_000, window=30_000)
    assert seen[0] == before
    assert len(json.dumps(seen[1])) / 4 < 25_000


def test_a_mark_that_moves_on_does_not_make_another_conversation():
    messages = history(60)
    first = copy.deepcopy(messages)
    first[0]["content"][0]["cache_control"] = {"type": "ephemeral"}
    _, seen, status = sent(body(first), body(messages), mode="view", target=4_000, window=30_000)
    assert status["counts"]["viewed"] == 1
    assert seen[0]["messages"][1:] == seen[1]["messages"][1:]


def test_conversations_that_part_from_one_another_keep_a_record_each():
    """A session that was forked begins as the other does, and makes the same record."""

    async def go():
        with ScriptedServer(Reply("ok")) as server:
            for _ in range(2):  # the second proxy knows only what the first one kept
                async with through(server.url, mode="view", target=4_000, window=30_000) as client:
                    for session in ("one", "other"):
                        headers = {**HEADERS, "x-claude-code-session-id": session}
                        await client.post("/v1/messages", json=body(history(60)), headers=headers)
                    counts = client.proxy.status.counts
            return [seen for _, seen in server.requests], counts

    seen, counts = asyncio.run(go())
    assert counts["viewed"] == 0
    assert counts["rewritten"] == 2
    assert seen[2:] == seen[:2]


def test_a_compaction_that_takes_too_long_goes_to_the_provider_and_is_counted():
    _, seen, status = sent(compaction(), seconds=1e-9)
    assert seen == [compaction()]
    assert status["counts"]["compactions asked for"] == status["counts"]["not in time"] == 1
    assert "it goes to the provider" in status["failures"][0]["error"]


def test_helpers_that_give_no_name_are_conversations_of_their_own():
    helper = [{"type": "text", "text": "x-header: cc_is_subagent=true;"}]
    main, other = history(60), history(60)
    other[0]["content"][0]["text"] = "Count the zebras."
    headers = {**HEADERS, "x-claude-code-session-id": "s1"}

    async def go():
        with ScriptedServer(Reply("ok")) as server:
            async with through(server.url, mode="view", target=4_000, window=30_000) as client:
                await client.post("/v1/messages", json=body(main), headers=headers)
                await client.post("/v1/messages", json=body(other, system=helper), headers=headers)
                return [seen for _, seen in server.requests], len(client.proxy.views)

    seen, conversations = asyncio.run(go())
    assert conversations == 2
    assert RULE not in json.dumps(seen[1])


def test_a_conversation_that_is_let_go_while_it_is_waited_for_is_still_served():
    async def go():
        with ScriptedServer(Reply("ok")) as server:
            settings = {"mode": "view", "target": 4_000, "window": 30_000, "most_conversations": 1}
            async with through(server.url, **settings) as client, anyio.create_task_group() as group:

                async def ask(name: str, turns: int) -> None:
                    headers = {**HEADERS, "x-claude-code-session-id": name}
                    await client.post("/v1/messages", json=body(history(turns)), headers=headers)

                for name, turns in (("a", 60), ("a", 61), ("b", 1)):
                    group.start_soon(ask, name, turns)
                    await anyio.sleep(0.05)
            return client.proxy.status.to_json()["failures"]

    assert asyncio.run(go()) == []


@pytest.mark.parametrize(("host", "status"), [("[::1]:8787", b"200"), ("[::1].evil.example:8787", b"403")])
def test_hosts_of_the_sixth_version(host, status):
    async def go():
        async with through("http://127.0.0.1:9") as client:
            return (await client.get("/holdfast/status", headers={"host": host})).status_code

    assert str(asyncio.run(go())).encode() == status


@contextlib.contextmanager
def silent():
    """A provider that takes requests and says nothing; gives its address and when its clients hung up."""
    ended = threading.Event()
    taken = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection:
                taken.set()
                with contextlib.suppress(OSError):
                    while connection.recv(65_536):
                        pass
            ended.set()

        threading.Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", taken, ended


@pytest.mark.parametrize(
    ("path", "payload", "options"),
    [
        ("/v1/messages", body(history(1)), ()),
        ("/v1/messages/batches", {"filler": "x" * 200_000}, ()),
        ("/v1/messages", compaction(stream=True), ("--model",)),
    ],
    ids=["a request", "a large one of another kind", "the model's summary"],
)
def test_a_client_that_hangs_up_ends_the_request_at_the_provider(tmp_path, path, payload, options):
    raw = json.dumps(payload).encode()
    head = f"POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: {len(raw)}\r\n\r\n"
    with silent() as (upstream, taken, ended), proxied(upstream, tmp_path, *options) as (address, _):
        with socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as client:
            client.sendall(head.encode() + raw)
            assert taken.wait(10)
            time.sleep(0.3)
            assert not ended.is_set()
        assert ended.wait(5)


def test_a_client_that_reads_slowly_holds_the_provider_back_not_the_memory(tmp_path):
    piece, whole = b"x" * 65_536, 1_500
    given = [0]
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            connection, _ = listening.accept()
            with connection, contextlib.suppress(OSError):
                connection.recv(65_536)
                connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % (whole * len(piece)))
                for _ in range(whole):
                    connection.sendall(piece)
                    given[0] += 1

        threading.Thread(target=serve, daemon=True).start()
        upstream = f"http://127.0.0.1:{listening.getsockname()[1]}"
        with (
            proxied(upstream, tmp_path) as (address, process),
            socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as client,
        ):
            client.sendall(b"GET /v1/files/1 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
            assert client.recv(10)
            before = Running(process, 0).memory()
            time.sleep(1.5)
            assert 0 < given[0] < whole / 2
            assert Running(process, 0).memory() < before + 10
            got = 10
            while got < whole * len(piece):
                got += len(client.recv(2**20))
    assert given[0] == whole


def picture(i: int) -> dict:
    source = {"type": "base64", "media_type": "image/png", "data": f"{i:04d}" + "iVBORw0KGgo" * 2_000}
    return {"type": "image", "source": source}


def test_pictures_of_what_is_folded_go_and_those_that_are_kept_are_untouched():
    messages = history(90)
    for i in range(2, len(messages), 2):  # each tool shows what it did
        block = messages[i]["content"][0]
        block["content"] = [{"type": "text", "text": block["content"]}, picture(i)]
    messages[0]["content"].append(picture(0))
    _, seen, status = sent(body(messages), mode="view", target=16_000, window=60_000)
    assert status["counts"]["viewed"] == 1
    assert valid(seen[0]) == []
    left = [b for m in seen[0]["messages"] for b in pictures_in(m)]
    assert 0 < len(left) < 20
    assert left == [picture(i) for i in range(len(messages)) if picture(i) in left]
    assert left[-1] == picture(len(messages) - 1)


def pictures_in(message: dict) -> list[dict]:
    blocks = message["content"] if isinstance(message["content"], list) else []
    inner = [
        b for block in blocks for b in (block.get("content") or [] if block["type"] == "tool_result" else [block])
    ]
    return [b for b in inner if isinstance(b, dict) and b["type"] == "image"]


def test_what_is_no_path_is_refused(tmp_path):
    with (
        proxied("http://127.0.0.1:9", tmp_path) as (address, _),
        socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2]))) as client,
    ):
        client.sendall(b"OPTIONS * HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n")
        assert client.recv(65_536).startswith(b"HTTP/1.1 400")


def test_the_prompt_of_a_compaction_in_a_longer_one_is_not_answered():
    quoted = body([*history(1), {"role": "user", "content": f"What does this mean?\n{ASK}"}])
    assert sent(quoted)[1] == [quoted]
