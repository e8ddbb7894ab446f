"""A peer's process: started when it is first asked, asked over JSON lines, stopped when it takes too long."""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from benchmarks.peers.installing import PeerMissingError, command_for
from benchmarks.systems import Compacted, System

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from benchmarks.peers.catalogue import Peer
    from benchmarks.texts import Message

_AT_ONCE = 2
_LIMIT = 120.0
"""Seconds one compaction may take (chosen)."""
_START_LIMIT = 600.0
"""Seconds the first start may take, which compiles what was installed (chosen)."""


class PeerProcess:
    """One running adapter.

    Args:
        command: what starts it.
    """

    def __init__(self, command: list[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None
        self.versions: dict[str, str] = {}

    def start(self) -> None:
        """Start it and read what it announces.

        Raises:
            PeerMissingError: it does not start.
        """
        self._process = subprocess.Popen(  # noqa: S603  # the adapter
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        errors: list[str] = []
        self._reader = threading.Thread(target=_drain, args=(self._process, errors), daemon=True)
        self._reader.start()
        hello = self._read(_START_LIMIT)
        if hello is None:
            self.stop()
            said = [line for line in errors if line.strip()]
            raise PeerMissingError(f"does not start: {said[-1].strip()[:200] if said else 'no message'}")
        self.versions = hello["versions"]

    def _read(self, limit: float = _LIMIT) -> dict[str, Any] | None:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        watch = threading.Timer(limit, process.kill)
        watch.start()
        try:
            line = process.stdout.readline()
        finally:
            watch.cancel()
        return json.loads(line) if line else None

    def compact(self, variant: str, messages: Sequence[Message], budget: int) -> Compacted:
        """Ask for one compaction; what goes wrong is a result."""
        if self._process is None:
            self.start()
        process = self._process
        assert process is not None
        assert process.stdin is not None
        plain = [{"role": m["role"], "content": m["content"]} for m in messages]
        try:
            process.stdin.write(json.dumps({"variant": variant, "messages": plain, "budget": budget}) + "\n")
            process.stdin.flush()
            answer = self._read()
        except BrokenPipeError:
            answer = None
        if answer is None:
            self.stop()
            return Compacted([], _LIMIT, f"died, or took more than {_LIMIT:.0f} s")
        if "error" in answer:
            return Compacted([], answer["seconds"], answer["error"])
        return Compacted(answer["messages"], answer["seconds"])

    def stop(self) -> None:
        """End it, and close what led to it."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
        if self._reader is not None:
            self._reader.join()


def _drain(process: subprocess.Popen[str], lines: list[str]) -> None:
    """Keep the newest lines of standard error, so that the pipe never fills."""
    assert process.stderr is not None
    with process.stderr as errors:
        for line in errors:
            lines.append(line)
            del lines[:-20]


def start_peers(
    peers: Sequence[Peer], folder: Path, stack: contextlib.ExitStack
) -> tuple[list[System], dict[str, dict[str, Any]]]:
    """Install and start peers.

    Args:
        peers: which.
        folder: where their environments are kept.
        stack: ends their processes when it is closed.

    Returns:
        The systems that run, and for every peer its versions or why it is missing.
    """
    systems: list[System] = []
    states: dict[str, dict[str, Any]] = {}
    for peer in peers:
        process, states[peer.name] = _started(peer, folder)
        if process is not None:
            stack.callback(process.stop)
            systems += [
                System(v.row, asking(process, v.name), None, process.versions, v.note) for v in peer.variants
            ]
    return systems, states


def install_peers(peers: Sequence[Peer], folder: Path) -> dict[str, dict[str, Any]]:
    """Install peers, two at a time, and start each once; return its versions, or why it is missing."""

    def tried(peer: Peer) -> dict[str, Any]:
        process, state = _started(peer, folder)
        if process is not None:
            process.stop()
        return state

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return dict(zip((peer.name for peer in peers), pool.map(tried, peers), strict=True))


def _started(peer: Peer, folder: Path) -> tuple[PeerProcess | None, dict[str, Any]]:
    rows = [variant.row for variant in peer.variants]
    try:
        process = PeerProcess(command_for(peer, folder))
        process.start()
    except PeerMissingError as error:
        print(f"{peer.name}: {error}")
        return None, {"status": "missing", "why": str(error), "rows": rows}
    return process, {"status": "ran", "versions": process.versions, "rows": rows}


def asking(process: PeerProcess, variant: str) -> Callable[[Sequence[Message], int], Compacted]:
    """Return one way of a peer to compact, as a plain function."""
    return lambda messages, budget: process.compact(variant, messages, budget)
