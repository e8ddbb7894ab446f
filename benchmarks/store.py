"""Speed and size of the SQLite store with 100 000 memories: `python benchmarks/store.py [count] [projects]`."""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

from memory.entries import (
    MemoryEntry,
    MemoryFilter,
    MemoryPriority,
    MemoryScope,
    MemoryType,
    Source,
    StoredMemory,
)
from memory.stores import SqliteStore

RULES = (
    "Always use {t} for the {a} {n}",
    "Never edit {f} by hand",
    "The {a} listens on port {n}",
    "Write tests for {f} before you change the {a}",
    "{a} 必须使用 {t}，不要改 {f}",
    "端口改为 {n}，数据库用 {t}",
    "error in {f}: the {a} fails with code {n}",
    "We decided that the {a} keeps its data in {t} for {n} days",
)
AREAS = [
    "login page",
    "payment service",
    "report builder",
    "search index",
    "user table",
    "mail queue",
    "admin panel",
    "image cache",
]
TOOLS = [
    "PostgreSQL",
    "Redis",
    "React",
    "Vue",
    "Docker",
    "Kafka",
    "FastAPI",
    "Django",
    "pnpm",
    "Terraform",
    "SQLite",
    "GraphQL",
]
SYLLABLES = ["ba", "co", "di", "fu", "ga", "ho", "ki", "lo", "mu", "ne", "po", "ri", "sa", "te", "vo", "za"]


def word(chance: random.Random) -> str:
    """Return a made-up word; a few are common, most are rare, as words are."""
    return "".join(SYLLABLES[min(15, int(chance.paretovariate(0.7)) - 1)] for _ in range(4))


def memory(number: int, chance: random.Random, project: str | None) -> StoredMemory:
    rule = chance.choice(RULES).format(
        a=chance.choice(AREAS),
        t=chance.choice(TOOLS),
        n=chance.randrange(1, 60000),
        f=f"src/{word(chance)}/{word(chance)}.py",
    )
    content = f"{rule}, {word(chance)} {word(chance)} {word(chance)}"
    entry = MemoryEntry(
        id=f"{number:016x}",
        task_id=f"task-{number % 997}",
        type=chance.choice(list(MemoryType)),
        priority=chance.choice(list(MemoryPriority)),
        content=content,
        source=Source(f"{number:032x}", 0, 0, len(content)),
        created_at=1.7e9 + number,
        last_accessed_at=1.7e9 + number,
        tags=("must", "use"),
        related_files=(),
        related_tech=("postgresql",),
    )
    return StoredMemory(entry, project, MemoryScope.PROJECT)


def main(count: int = 100_000, projects: int = 10) -> None:
    chance = random.Random(7)  # noqa: S311  # seeded: the same texts each time
    made = [memory(n, chance, f"p_{n % projects}") for n in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.db"
        with SqliteStore(path) as store:
            started, working = time.perf_counter(), time.process_time()
            for at in range(0, count, 10_000):
                store.put(made[at : at + 10_000])
            taken = time.perf_counter() - started
            print(f"{count} memories in {projects} projects")
            busy = time.process_time() - working
            print(
                f"insert in batches of 10000: {count / taken:,.0f} a second ({count / busy:,.0f} of processor time)"
            )
            started = time.perf_counter()
            for n in range(500):
                store.put([memory(count + n, chance, "p_0")])
            print(f"insert one by one: {500 / (time.perf_counter() - started):,.0f} a second")
            for asked in ("exact", "natural", "chinese", "common"):
                times, working = [], time.process_time()
                for _ in range(100):
                    one = chance.choice(made)
                    query = {
                        "exact": one.entry.content,
                        "natural": f"which {chance.choice(['database', 'port', 'framework', 'cache'])} does the "
                        f"{chance.choice(AREAS)} use and {word(chance)}",
                        "chinese": "数据库用什么，端口是多少",
                        "common": "use the data",
                    }[asked]
                    started = time.perf_counter()
                    hits = store.search(query, MemoryFilter(one.project), 5)
                    times.append(1000 * (time.perf_counter() - started))
                    assert all(hit.memory.project == one.project for hit in hits)
                    assert hits, query
                times.sort()
                busy = 10 * (time.process_time() - working)
                print(
                    f"search, {asked:8} p50 {statistics.median(times):6.2f} ms, p95 {times[94]:6.2f} ms, "
                    f"processor {busy:6.2f} ms"
                )
        print(f"size on disk: {path.stat().st_size / (count + 500):.0f} bytes a memory")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
