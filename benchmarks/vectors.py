"""Speed and size of `VectorMemoryStore` by where Qdrant is: `python -m benchmarks.vectors PLACE [count] [projects]`.

PLACE is "edge" (Qdrant's engine in this process) or "local" (the client's own local mode), in a folder that is removed
afterwards, or the address of a server. Vectors are hashed words, 384 numbers each, made beforehand and not counted.
"""

from __future__ import annotations

import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.store import AREAS, memory
from memory.entries import MemoryFilter
from memory.search import HashingEmbedder
from memory.stores import VectorMemoryStore, open_qdrant

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entries import StoredMemory


class Ready:
    """An embedder whose vectors are made once."""

    name = "ready-384"
    dimension = 384

    def __init__(self, texts: Sequence[str]) -> None:
        self._embed = HashingEmbedder(self.dimension)
        self._known = {text: self._embed([text])[0] for text in texts}

    def __call__(self, texts: Sequence[str]) -> list[Sequence[float]]:
        """Return the vectors."""
        return [self._known.get(text) or self._embed([text])[0] for text in texts]


def searches(store: VectorMemoryStore, made: list[StoredMemory], chance: random.Random) -> None:
    """Time questions in the words of a memory, and questions in words of their own."""
    for asked in ("exact", "natural"):
        times, working = [], time.process_time()
        for _ in range(50):
            one = chance.choice(made)
            kind = chance.choice(["database", "port", "framework", "cache"])
            natural = f"which {kind} does the {chance.choice(AREAS)} use"
            query = one.entry.content if asked == "exact" else natural
            started = time.perf_counter()
            hits = store.search(query, MemoryFilter(one.project), 5)
            times.append(1000 * (time.perf_counter() - started))
            assert all(hit.memory.project == one.project for hit in hits)
            assert asked == "natural" or hits[0].memory.entry.content == query
        busy = 20 * (time.process_time() - working)
        print(f"search, {asked:8} p50 {statistics.median(times):6.1f} ms, processor {busy:6.1f} ms", flush=True)


def main(place: str, count: int = 10_000, projects: int = 10) -> None:
    chance = random.Random(7)  # noqa: S311  # seeded: the same texts each time
    made = [memory(n, chance, f"p_{n % projects}") for n in range(count)]
    embedder = Ready([one.entry.content for one in made])
    with tempfile.TemporaryDirectory() as folder:
        named = {"edge": f"edge:{folder}/edge", "local": f"{folder}/local"}.get(place, place)
        store = VectorMemoryStore(open_qdrant(named), embedder, collection="holdfast_benchmark")
        started, working = time.perf_counter(), time.process_time()
        for at in range(0, count, 1000):
            store.put(made[at : at + 1000])
        taken, busy = time.perf_counter() - started, time.process_time() - working
        print(f"{place}: {count} memories in {projects} projects")
        print(f"insert: {count / taken:,.0f} a second ({count / busy:,.0f} of processor time)", flush=True)
        searches(store, made, chance)
        store.close()
        files = [path.stat() for path in Path(folder).rglob("*") if path.is_file()]
        if files:
            print(f"size on disk: {sum(512 * one.st_blocks for one in files) / count:.0f} bytes a memory")
            started = time.perf_counter()
            again = VectorMemoryStore(open_qdrant(named), embedder, collection="holdfast_benchmark")
            assert again.get(made[0].project, made[0].id) == made[0]
            print(f"opened again and read in {time.perf_counter() - started:.2f} s")
            again.close()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    main(sys.argv[1], *map(int, sys.argv[2:]))
