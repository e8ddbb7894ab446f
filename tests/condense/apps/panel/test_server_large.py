"""A hundred thousand memories: what lists, searches and counts cost the server, and the database beside it."""

from __future__ import annotations

import contextlib
import time

import pytest
from panels import Asking

from memory.entries import MemoryEntry, MemoryPriority, MemoryScope, MemoryStatus, MemoryType, StoredMemory
from memory.stores import open_store

NUMBER = 100_000
MOST_SECONDS = 0.2
WORDS = "port cache invoice parser login retry queue schema token report theme index backup filter cursor".split()
PATHS = [
    "/api/v1/memories",
    "/api/v1/memories?limit=500",
    "/api/v1/memories?status=pending&type=configuration&priority=medium",
    "/api/v1/memories?sort=priority",
    "/api/v1/memories?sort=used&cursor=50000",
    "/api/v1/memories?pinned=true",
    "/api/v1/memories?q=which+port+has+the+invoice+parser+4711",
    "/api/v1/memories?q=login&limit=500",
    "/api/v1/memories?q=端口",
    "/api/v1/memories?project=",
    "/api/v1/memories?project=&q=backup",
    "/api/v1/projects",
]


def entry(number):
    words = [WORDS[(number // 15**k) % 15] for k in range(3)]
    return MemoryEntry(
        id=f"{number:016x}",
        task_id=f"task-{number % 500}",
        type=list(MemoryType)[number % 6],
        priority=list(MemoryPriority)[number % 4],
        content=f"The {words[0]} of the {words[1]} must keep its {words[2]} under {number}.",
        source=None,
        created_at=1_700_000_000.0 + number,
        last_accessed_at=1_700_000_000.0 + number,
        access_count=1 + number % 7,
        status=MemoryStatus.PENDING if number % 3 else MemoryStatus.PERSISTED,
    )


@pytest.fixture(scope="module", params=["file", "postgres"])
def asking(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("large")
    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as leaving:
        patch.setenv("HOLDFAST_HOME", str(place / "kept"))
        spent = [time.process_time]
        if request.param == "postgres":
            server = request.getfixturevalue("postgres")
            url = leaving.enter_context(server.database())
            patch.setenv("HOLDFAST_STORE", url)
            spent.append(server.cpu_seconds)
        made = leaving.enter_context(contextlib.closing(Asking(place)))
        made.spent = lambda: sum(one() for one in spent)
        made.most = MOST_SECONDS * len(spent)  # processor time of the database's parallel workers counts, too
        with open_store() as store, store.writing():
            for first in range(0, NUMBER, 10_000):
                store.put(
                    StoredMemory(entry(n), made.project.key, MemoryScope.PROJECT, pinned=n % 1_000 == 0)
                    for n in range(first, first + 10_000)
                )
        if request.param == "postgres":  # as the server does by itself some time later
            server.sql("VACUUM ANALYZE", url.partition("@/")[2].partition("?")[0])
        yield made


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.timeout(600)
@pytest.mark.parametrize("path", PATHS)
def test_lists_and_searches_are_quick(asking, path):
    asking.get("/api/v1/memories")
    begun = asking.spent()
    answer = asking.get(path)
    took = asking.spent() - begun
    assert answer["items"] or "端口" in path
    assert took <= asking.most, took


@pytest.mark.slow
@pytest.mark.timing
@pytest.mark.timeout(600)
def test_after_a_change_the_counts_are_right_and_as_quick(asking):
    pending = asking.get("/api/v1/memories?status=pending&limit=1")["items"][0]["id"]  # another one each time
    before = asking.get("/api/v1/memories")["facets"]["status"]
    begun = asking.spent()
    asking.send("POST", f"/api/v1/memories/{pending}/accept")
    after = asking.get("/api/v1/memories")["facets"]["status"]
    took = asking.spent() - begun
    assert after == {"pending": before["pending"] - 1, "persisted": before["persisted"] + 1}
    assert took <= 2 * asking.most, took
