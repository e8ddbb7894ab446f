"""What the proxy costs: `python -m benchmarks.proxy` sends the same requests directly and through it.

Many conversations at once send large requests to a stand-in that answers after a pause, as a model would. Printed are
the CPU that the proxy takes a request (its own time, whatever the machine does beside it), the wall time a request
takes longer through it, and its memory from the first requests to the last.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

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


async def provider(pause: float) -> asyncio.Server:
    """Serve answers after a pause, reading every request to its end."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                size = int(head.lower().partition(b"content-length:")[2].split()[0])
                await reader.readexactly(size)
                slept = pause * random.uniform(0.5, 1.5)  # noqa: S311  # models answer when they do
                await asyncio.sleep(slept)
                writer.write(
                    b"HTTP/1.1 200 OK\r\nx-slept: %.6f\r\ncontent-type: application/json\r\n" % slept
                )
                writer.write(b"content-length: %d\r\n\r\n%s" % (len(ANSWER), ANSWER))
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()

    return await asyncio.start_server(serve, "127.0.0.1", 0, limit=2**22)


async def conversation(port: int, body: bytes, times: int, took: list[float]) -> None:
    """Send a body so many times over one connection, and note how long each took beside the pause."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**22)
    head = b"POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1:%d\r\ncontent-type: application/json\r\n" % port
    head += b"x-api-key: test\r\ncontent-length: %d\r\n\r\n" % len(body)
    for _ in range(times):
        begun = time.perf_counter()
        writer.write(head)
        writer.write(body)
        await writer.drain()
        answer = await reader.readuntil(b"\r\n\r\n")
        if not answer.startswith(b"HTTP/1.1 200"):
            raise RuntimeError(answer.decode("latin-1"))
        rest = b""
        while ANSWER not in rest:
            rest += await reader.read(65_536)
        slept = float(answer.partition(b"x-slept:")[2].split()[0])
        took.append(time.perf_counter() - begun - slept)
    writer.close()


async def load(port: int, body: bytes, at_once: int, times: int) -> list[float]:
    """Run many conversations at once; returns seconds of all requests."""
    took: list[float] = []
    await asyncio.gather(*(conversation(port, body, times, took) for _ in range(at_once)))
    return took


def cpu_of(process: subprocess.Popen[str]) -> float:
    """CPU seconds of a process so far (Linux)."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(process: subprocess.Popen[str]) -> int:
    """Resident memory of a process in kB (Linux)."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def percentile(values: list[float], share: float) -> float:
    """A percentile."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


async def measured(tokens: int, at_once: int, times: int, pause: float, warm: int) -> dict[str, float]:
    """Measure; see the module."""
    text = "The quick brown fox reads part_17.py and runs the tests again. "
    body = json.dumps(
        {"model": "m", "messages": [{"role": "user", "content": text * (tokens * 4 // len(text))}]}
    ).encode()
    server = await provider(pause)
    port = server.sockets[0].getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "condense.apps.cli",
        "proxy",
        "--port",
        "0",
        "--upstream",
        f"http://127.0.0.1:{port}",
    ]
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HOLDFAST_HOME": home}
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=env) as proxy:  # noqa: ASYNC220, S603  # our own command, started once
            try:
                line = await asyncio.to_thread(proxy.stderr.readline)
                own = int(line.split("listening on http://127.0.0.1:")[1].split()[0])
                os.sched_setaffinity(proxy.pid, {0})
                await load(own, body, at_once, warm)
                memory, before = memory_of(proxy), cpu_of(proxy)
                through = await load(own, body, at_once, times)
                spent, later = cpu_of(proxy) - before, memory_of(proxy)
                direct = await load(port, body, at_once, times)
            finally:
                proxy.terminate()
    server.close()
    return {
        "requests": len(through),
        "body_mb": len(body) / 1e6,
        "cpu_ms_a_request": 1000 * spent / len(through),
        "direct_p50_ms": 1000 * statistics.median(direct),
        "through_p50_ms": 1000 * statistics.median(through),
        "more_p50_ms": 1000 * (statistics.median(through) - statistics.median(direct)),
        "more_p99_ms": 1000 * (percentile(through, 0.99) - percentile(direct, 0.99)),
        "memory_before_mb": memory / 1000,
        "memory_after_mb": later / 1000,
    }


def main() -> None:
    """Print the figures, a line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=int, default=200_000, help="of a request, four characters each")
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--times", type=int, default=10, help="requests of each conversation")
    parser.add_argument("--warm", type=int, default=2, help="requests of each before anything is measured")
    parser.add_argument("--pause", type=float, default=2.0, help="seconds until the stand-in answers")
    chosen = parser.parse_args()
    figures = asyncio.run(measured(chosen.tokens, chosen.at_once, chosen.times, chosen.pause, chosen.warm))
    for name, value in figures.items():
        print(f"{name:20} {value:10.2f}")
    print(f"{'own peak mb':20} {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000:10.2f}")


if __name__ == "__main__":
    main()
