"""What the proxy costs: `python -m benchmarks.proxy [--mode view]` sends the same requests directly and through it.

The proxy has one core to itself; the load and a stand-in for the provider, which answers after a pause as a model
would, have another. Four measures:

- own: many conversations are open, one request at a time; the CPU that the proxy's process spends on each. It is what
  a request costs, whatever the machine does beside it; waiting for sockets is no part of it.
- paced: requests arrive at random, so many a second; how much longer each takes than directly.
- burst: all conversations send at once, so that each waits for the core that the others use.
- stall: how late the pieces of an answer that streams come while nothing else happens, and while the compaction of
  another conversation is answered.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

ANSWER = json.dumps(
    {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": "ok"}],
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
).encode()
ASK = "CRITICAL: Respond with TEXT ONLY.\n\nYour task is to create a detailed summary of the conversation so far."
TURN = 2_000  # characters of a turn
LINE = "    return total_{0} + read_part(path / 'part_{0}.py', limit={1})  # \\u2014 checked in run {1}\n"


@dataclass
class Chosen:
    """What is measured: conversations, tokens of a request (four characters each), requests of each measure."""

    mode: str = "answer"
    conversations: int = 64
    tokens: int = 200_000
    requests: int = 640
    rate: float = 20.0
    pause: float = 1.0
    memory_over: int = 0


@dataclass
class Conversation:
    """One conversation: a history that grows by a turn a request, as an agent's does, and its connection."""

    name: str
    messages: list[str] = field(default_factory=list)
    turns: int = 0

    def turn(self, characters: int) -> None:
        """Add a call and what it printed."""
        self.turns += 1
        call = {"type": "tool_use", "id": f"t{self.turns}", "name": "Bash", "input": {"command": "make"}}
        lines = "".join(LINE.format(self.turns, i) for i in range(characters // len(LINE)))
        result = {"type": "tool_result", "tool_use_id": f"t{self.turns}", "content": lines}
        for role, block in (("assistant", call), ("user", result)):
            self.messages.append(json.dumps({"role": role, "content": [block]}))

    def request(self, port: int, more: str = "") -> bytes:
        """Write the request that sends all of it, and a text of the user at its end."""
        asked = json.dumps({"role": "user", "content": f"Build the shop of {self.name}. Never use MySQL."})
        last = [json.dumps({"role": "user", "content": more})] if more else []
        body = (
            '{"model": "m", "max_tokens": 1000, "tools": [{"name": "Bash"}], "messages": ['
            f"{', '.join((asked, *self.messages, *last))}]}}"
        ).encode()
        head = (
            f"POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\ncontent-type: application/json\r\n"
            f"x-api-key: test\r\nx-claude-code-session-id: {self.name}\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body


@contextlib.asynccontextmanager
async def provider(pause: Callable[[], float]) -> AsyncIterator[int]:
    """Serve answers after a pause, reading every request to its end; gives the port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                size = int(head.lower().partition(b"content-length:")[2].split()[0])
                await reader.readexactly(size)
                if head.startswith(b"POST /stream"):
                    await stream(writer)
                    return
                slept = pause()
                await asyncio.sleep(slept)
                writer.write(b"HTTP/1.1 200 OK\r\nx-slept: %.6f\r\ncontent-type: text/plain\r\n" % slept)
                writer.write(b"content-length: %d\r\n\r\n%s" % (len(ANSWER), ANSWER))
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**22)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


async def stream(writer: asyncio.StreamWriter) -> None:
    """Send the time every some milliseconds, until the client goes away."""
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")
    while not writer.is_closing():
        writer.write(b"%.6f\n" % time.perf_counter())
        await asyncio.sleep(0.005)


class Client:
    """One connection of a client, kept open."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, request: bytes) -> float:
        """Send a request; returns milliseconds until its answer is there, the provider's pause left out."""
        if self._open is None:
            self._open = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        reader, writer = self._open
        begun = time.perf_counter()
        writer.write(request)
        await writer.drain()
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(answer.decode("latin-1"))
        await reader.readexactly(int(answer.lower().partition(b"content-length:")[2].split()[0]))
        slept = float((answer.partition(b"x-slept:")[2] or b"0").split()[0])  # an answer of ours did not sleep
        return 1000 * (time.perf_counter() - begun - slept)

    async def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            self._open[1].close()
            await self._open[1].wait_closed()


@dataclass(frozen=True)
class Running:
    """A proxy that runs on a core of its own (Linux)."""

    process: subprocess.Popen[str]
    port: int

    def cpu(self) -> float:
        """CPU milliseconds of all its threads so far; the kernel's own clock of a process."""
        return time.clock_gettime_ns(~self.process.pid << 3 | 2) / 1e6

    def memory(self) -> float:
        """Resident memory in MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) / 1000


@contextlib.contextmanager
def running_proxy(upstream: str, *arguments: str) -> Iterator[Running]:
    """Run `holdfast proxy` before an upstream, with a store of its own."""
    command = [sys.executable, "-m", "condense.apps.cli", "proxy", "--port", "0", "--upstream", upstream]
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HOLDFAST_HOME": home}
        proxy = subprocess.Popen([*command, *arguments], stderr=subprocess.PIPE, text=True, env=env)  # noqa: S603  # our own command
        try:
            assert proxy.stderr is not None
            line = proxy.stderr.readline()
            yield Running(proxy, int(line.split("listening on http://127.0.0.1:")[1].split()[0]))
        finally:
            proxy.terminate()
            proxy.communicate()


async def own_of(proxy: Running, conversations: list[Conversation], chosen: Chosen) -> list[float]:
    """CPU milliseconds of each request, sent one at a time over all connections in turn."""
    clients = [Client(proxy.port) for _ in conversations]
    found = []
    for i in range(chosen.requests):
        conversations[i % len(conversations)].turn(TURN)
        request = conversations[i % len(conversations)].request(proxy.port)
        await asyncio.sleep(0.005)  # what the request before left to do is its own
        before = proxy.cpu()
        await clients[i % len(clients)].send(request)
        await asyncio.sleep(0.005)
        found.append(proxy.cpu() - before)
    for client in clients:
        await client.close()
    return found


async def paced(port: int, conversations: list[Conversation], chosen: Chosen) -> list[float]:
    """Wall milliseconds of each request, `rate` a second at random times, no two of one conversation at once."""
    free: asyncio.Queue[tuple[Conversation, Client]] = asyncio.Queue()
    for conversation in conversations:
        free.put_nowait((conversation, Client(port)))
    found: list[float] = []
    chance = random.Random(1)  # noqa: S311  # the same times directly and through the proxy

    async def send(conversation: Conversation, client: Client) -> None:
        conversation.turn(TURN)
        found.append(await client.send(conversation.request(port)))
        free.put_nowait((conversation, client))

    async with asyncio.TaskGroup() as group:
        for _ in range(chosen.requests):
            await asyncio.sleep(chance.expovariate(chosen.rate))
            group.create_task(send(*await free.get()))
    while not free.empty():
        await free.get_nowait()[1].close()
    return found


async def burst(port: int, conversations: list[Conversation]) -> list[float]:
    """Wall milliseconds of requests that all conversations send at once."""
    clients = [Client(port) for _ in conversations]
    requests = [one.request(port) for one in conversations]
    found = await asyncio.gather(*map(Client.send, clients, requests))
    for client in clients:
        await client.close()
    return found


async def stalls(port: int, meanwhile: Callable[[], Awaitable[object]]) -> list[float]:
    """Milliseconds that each piece of a streamed answer is late while something else is done."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"POST /stream HTTP/1.1\r\nhost: 127.0.0.1:%d\r\ncontent-length: 0\r\n\r\n" % port)
    await reader.readuntil(b"\r\n\r\n")
    found: list[float] = []

    async def listen() -> None:
        async for line in reader:
            if b"." in line:
                found.append(1000 * (time.perf_counter() - float(line)))  # noqa: PERF401  # kept when it is cancelled

    listening = asyncio.create_task(listen())
    await meanwhile()
    listening.cancel()
    writer.close()
    return found


def shares(values: list[float]) -> dict[str, float]:
    """The median, what one in a hundred is above, and the largest."""
    ranked = sorted(values)
    return {"p50": ranked[len(ranked) // 2], "p99": ranked[int(0.99 * len(ranked))], "most": ranked[-1]}


async def measured(chosen: Chosen) -> dict[str, dict[str, float]]:
    """Measure; see the module."""
    pauses = random.Random(2)  # noqa: S311  # a provider answers when it does
    pause = chosen.pause
    conversations = [Conversation(f"s{i}") for i in range(chosen.conversations)]
    for conversation in conversations:
        for _ in range(20):
            conversation.turn(4 * chosen.tokens // 20)
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, cores[:1])
    async with provider(lambda: pause * pauses.uniform(0.5, 1.5)) as port:
        arguments = ("--mode", chosen.mode)
        with running_proxy(f"http://127.0.0.1:{port}", *arguments) as proxy:
            os.sched_setaffinity(0, cores[-1:])
            pause = 0.0
            await own_of(proxy, conversations, Chosen(requests=2 * len(conversations)))  # warm
            figures = {
                "body bytes": {"of each": len(conversations[0].request(port))},
                "own CPU ms": shares(await own_of(proxy, conversations, chosen)),
            }
            pause = chosen.pause
            before = proxy.cpu()
            through = shares(await paced(proxy.port, conversations, chosen))
            busy = (proxy.cpu() - before) / chosen.requests
            direct = shares(await paced(port, conversations, chosen))
            figures["paced wall ms, through"] = through
            figures["paced wall ms, directly"] = direct
            figures["paced wall ms, more"] = {name: through[name] - direct[name] for name in direct}
            figures["paced CPU ms a request"] = {"mean": busy}
            figures["burst wall ms, through"] = shares(await burst(proxy.port, conversations))
            figures["burst wall ms, directly"] = shares(await burst(port, conversations))
            asks = conversations[0].request(proxy.port, ASK)
            figures["late ms, alone"] = shares(await stalls(proxy.port, lambda: asyncio.sleep(3)))
            for at in ("first", "later"):
                late = await stalls(proxy.port, lambda: Client(proxy.port).send(asks))
                figures[f"late ms, {at} compaction"] = {**shares(late), "pieces": len(late)}
            memory = proxy.memory()
            if chosen.memory_over:
                pause = 0.0
                await paced(proxy.port, conversations, Chosen(requests=chosen.memory_over, rate=200))
                figures["memory MB"] = {"before": memory, "after": proxy.memory()}
    return figures


def main() -> None:
    """Print the figures, a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in vars(Chosen()).items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    chosen = Chosen(**vars(parser.parse_args()))
    print(chosen)
    for name, values in asyncio.run(measured(chosen)).items():
        print(f"{name:28}", *(f"{share} {value:10.2f}" for share, value in values.items()))


if __name__ == "__main__":
    main()
