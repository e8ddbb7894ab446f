"""What the SQLite store survives: `python benchmarks/durability.py [rounds]` kills writers and counts what is lost.

Also the process that it kills: `python benchmarks/durability.py write PATH NAME COUNT` keeps one memory after the
other and prints each id when it is acknowledged.
"""

from __future__ import annotations

import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from memory.entries import MemoryEntry, MemoryFilter, MemoryPriority, MemoryScope, MemoryType, StoredMemory
from memory.stores import SqliteStore


def write(path: str, name: str, count: int) -> None:
    """Keep `count` memories, one transaction each, and print the id of each when `put` has returned."""
    with SqliteStore(path) as store:
        for number in range(count):
            entry = MemoryEntry(
                id=f"{name}-{number}",
                task_id=name,
                type=MemoryType.CONFIGURATION,
                priority=MemoryPriority.HIGH,
                content=f"service {name} listens on port {number} 端口",
                source=None,
                created_at=float(number),
                last_accessed_at=float(number),
            )
            store.put([StoredMemory(entry, "p_durable", MemoryScope.PROJECT)])
            print(entry.id, flush=True)


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    """Start a process that writes."""
    command = [sys.executable, __file__, "write", str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parent.parent)  # noqa: S603  # this very file


def kept(path: Path) -> set[str]:
    """Return the ids in a store, after checking that the file is whole and that search agrees with it."""
    with SqliteStore(path) as store:
        ids = {memory.id for memory in store.find(MemoryFilter("p_durable"))}
        found = store.search("端口", MemoryFilter("p_durable"), 1)
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    indexed = connection.execute("SELECT count(*) FROM terms WHERE terms MATCH 'words : port'").fetchone()[0]
    connection.close()
    assert indexed == len(ids)
    assert bool(found) == bool(ids)
    return ids


def kill_rounds(path: Path, rounds: int, seed: int = 1) -> tuple[int, int]:
    """Kill a writer `rounds` times, each time a little later; return how many were acknowledged and how many lost."""
    chance = random.Random(seed)  # noqa: S311  # when to kill
    acknowledged: set[str] = set()
    for number in range(rounds):
        process = writer(path, f"r{number}", 100_000)
        assert process.stdout is not None
        for _ in range(chance.randrange(1, 60)):
            acknowledged.add(process.stdout.readline().strip())
        time.sleep(chance.random() / 50)
        process.kill()
        acknowledged |= {line for line in process.stdout.read().split("\n")[:-1] if line}
        process.wait()
        process.stdout.close()
        lost = acknowledged - kept(path)
        if lost:
            return len(acknowledged), len(lost)
    return len(acknowledged), 0


def write_together(path: Path, processes: int, count: int) -> tuple[float, int]:
    """Let several processes write at once while this one reads; return seconds and memories kept."""
    started = time.perf_counter()
    running = [writer(path, f"w{number}", count) for number in range(processes)]
    reads = 0
    with SqliteStore(path) as store:
        while any(process.poll() is None for process in running):
            seen = store.statistics(MemoryFilter("p_durable")).total_memories
            assert seen >= reads
            reads = seen
            for process in running:
                if process.stdout is not None and process.poll() is None:
                    process.stdout.readline()
    for process in running:
        assert process.stdout is not None
        process.stdout.read()
        process.stdout.close()
        assert process.wait() == 0
    return time.perf_counter() - started, len(kept(path))


def main(rounds: int = 20) -> None:
    with tempfile.TemporaryDirectory() as folder:
        acknowledged, lost = kill_rounds(Path(folder) / "killed.db", rounds)
        print(f"kill -9, {rounds} rounds: {acknowledged} acknowledged, {lost} lost")
        seconds, count = write_together(Path(folder) / "shared.db", 4, 2000)
        print(f"4 processes, 2000 writes each, one reader: {count} kept in {seconds:.1f} s")


if __name__ == "__main__":
    if sys.argv[1:2] == ["write"]:
        write(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        main(*map(int, sys.argv[1:]))
