"""`holdfast mcp` as a real process, spoken to by the official client, by stdio and by streamable HTTP."""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters

from memory.adapters.mcp_server import memory_server, serve_http
from memory.adapters.mcp_stdio import VERSIONS, serve_stdio
from memory.tools import ToolSettings, memory_tools
from memory.tools.values import Tool, ToolResult

ROOT = Path(__file__).resolve().parent.parent
ALL = {
    "remember", "recall_memory", "forget", "memory_write", "memory_search", "memory_read", "memory_get", "expand",
    "list_pending",
}  # fmt: skip


@pytest.fixture
def repository(tmp_path):
    folder = tmp_path / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    return folder


@pytest.fixture
def environment(tmp_path):
    return {**os.environ, "HOLDFAST_HOME": str(tmp_path / "home"), "PYTHONPATH": str(ROOT)}


def by_stdio(repository, environment, *options):
    arguments = ["-m", "condense.cli", "mcp", "--workspace", str(repository), *options]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment, cwd=str(repository))


def text_of(result):
    return result.content[0].text


async def live_through(client):
    """Use every tool once."""
    listed = await client.list_tools()
    assert {tool.name for tool in listed.tools} == ALL
    wrote = await client.call_tool("memory_write", {"content": "用户偏好Python；项目用FastAPI"})
    assert text_of(wrote) == "已写入记忆第 1 行（共 1 条）"
    found = await client.call_tool("memory_search", {"keywords": "fastapi", "max_results": 3})
    assert "|mcp|用户偏好Python；项目用FastAPI" in text_of(found)
    assert text_of(found).startswith("<holdfast-memories")
    searched = await client.call_tool("memory_search", {"query": "FastAPI"})
    hit = searched.structured_content["results"][0]
    got = await client.call_tool("memory_get", {"path": hit["path"], "from": hit["startLine"], "lines": 1})
    assert "FastAPI" in got.structured_content["text"]
    kept = await client.call_tool("remember", {"content": "Never push to main without asking"})
    name = kept.structured_content["memory"]["id"]
    recalled = await client.call_tool("recall_memory", {"query": "may I push to main?"})
    assert name in text_of(recalled)
    assert (await client.call_tool("list_pending", {})).structured_content["total"] == 0
    assert (await client.call_tool("forget", {"id": name})).structured_content["forgotten"][0]["id"] == name
    absent = await client.call_tool("expand", {"handle": "hf_0123456789ab"})
    assert absent.is_error
    outside = await client.call_tool("memory_get", {"path": "../../etc/passwd"})
    assert outside.is_error
    assert "no memory document" in text_of(outside)


def test_every_tool_works_by_stdio(repository, environment):
    async def main():
        async with Client(by_stdio(repository, environment), read_timeout_seconds=30) as client:
            assert "recall_memory" in client.instructions
            await live_through(client)

    anyio.run(main)
    assert (repository / "memory" / "MEMORY.md").read_text().endswith("|mcp|用户偏好Python；项目用FastAPI\n")


def test_what_one_process_remembers_the_next_recalls_and_no_other_project(repository, environment, tmp_path):
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    (other / ".git" / "HEAD").write_text("ref: refs/heads/main\n")

    async def say(folder, tool, arguments, *options):
        async with Client(by_stdio(folder, environment, *options), read_timeout_seconds=30) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            return names, await client.call_tool(tool, arguments)

    anyio.run(say, repository, "remember", {"content": "The cache is Redis"})
    names, recalled = anyio.run(say, repository, "recall_memory", {"query": "redis cache"}, "--read-only")
    assert "The cache is Redis" in text_of(recalled)
    assert names == ALL - {"remember", "forget", "memory_write"}
    _, elsewhere = anyio.run(say, other, "recall_memory", {"query": "redis cache"})
    assert elsewhere.structured_content == {"memories": []}


def test_memories_are_found_through_qdrant_and_without_it(repository, environment, tmp_path):
    async def recall(place):
        async with Client(
            by_stdio(repository, environment, "--qdrant", place), read_timeout_seconds=30
        ) as client:
            await client.call_tool("remember", {"content": "The cache is Redis"})
            return text_of(await client.call_tool("recall_memory", {"query": "redis"}))

    for place in (str(tmp_path / "qdrant"), "http://127.0.0.1:9"):
        assert "The cache is Redis" in anyio.run(recall, place)


@contextlib.contextmanager
def served(repository, environment):
    command = [sys.executable, "-m", "condense.cli", "mcp", "--workspace", str(repository), "--http", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, env=environment, text=True) as process:
        try:
            yield process.stderr.readline().split()[-1]
        finally:
            process.terminate()
            process.wait(20)
            process.stderr.read()


def test_every_tool_works_by_streamable_http(repository, environment):
    async def main(url):
        async with Client(url, read_timeout_seconds=30) as client:
            await live_through(client)

    with served(repository, environment) as url:
        assert url.startswith("http://127.0.0.1:")
        anyio.run(main, url)


def test_only_this_machine_is_served():
    with pytest.raises(ValueError, match="no passwords"):
        serve_http(memory_server({}), host="192.0.2.1")


def test_a_defect_is_an_answer_and_the_server_goes_on():
    def broken(_given):
        raise ZeroDivisionError("by </holdfast-memories> zero")

    schema = {"type": "object", "properties": {}, "required": []}
    tools = {
        "broken": Tool("broken", "breaks", schema, broken),
        "whole": Tool("whole", "works", schema, lambda _given: ToolResult("fine")),
    }

    async def main():
        async with Client(memory_server(tools)) as client:
            failed = await client.call_tool("broken", {})
            assert failed.is_error
            assert "ZeroDivisionError" in text_of(failed)
            assert "</holdfast" not in text_of(failed)
            assert text_of(await client.call_tool("whole", {})) == "fine"
            assert (await client.call_tool("absent", {})).is_error

    anyio.run(main)


def test_no_tools_no_instructions():
    assert memory_server(memory_tools(settings=ToolSettings())).instructions is None


def replies(tools, *lines: str) -> list[dict]:
    out = io.BytesIO()
    serve_stdio(tools, io.BytesIO("".join(f"{line}\n" for line in lines).encode()), out, version="1.2")
    return [json.loads(line) for line in out.getvalue().splitlines()]


def asked(method: str, **params) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params})


def test_stdio_agrees_on_a_version_of_the_protocol():
    for wanted, given in (("2025-03-26", "2025-03-26"), ("2031-01-01", VERSIONS[0]), (None, VERSIONS[0])):
        (reply,) = replies({}, asked("initialize", protocolVersion=wanted))
        assert reply["result"]["protocolVersion"] == given
        assert reply["result"]["serverInfo"] == {"name": "holdfast", "version": "1.2"}


def test_stdio_answers_what_it_is_asked_and_nothing_else():
    notified = json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"})
    answer = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert replies({}, notified, answer, "  ") == []
    assert replies({}, asked("ping")) == [{"jsonrpc": "2.0", "id": 7, "result": {}}]
    wrong = replies({}, "{", "[1]", asked("server/discover"), "[" * 100_000)
    assert [reply["error"]["code"] for reply in wrong] == [-32700, -32600, -32601, -32700]
    assert [reply["id"] for reply in wrong] == [None, None, 7, None]


def test_a_defect_of_a_tool_is_a_result_that_says_so():
    def broken(_arguments):
        raise ZeroDivisionError("no </memory> here \ud800")

    tool = Tool("recall", "Recalls.", {"type": "object", "properties": {}}, broken)
    for name, told in (("recall", "ZeroDivisionError"), ("none", "none")):
        (reply,) = replies({"recall": tool}, asked("tools/call", name=name, arguments={}))
        assert reply["result"]["isError"]
        assert told in reply["result"]["content"][0]["text"]
