"""Recommendations say why: the file, the folder, the technology, the words, the priority, the use."""

from __future__ import annotations

from stored_memories import stored

from memory.entries import MemoryFilter, MemoryPriority
from memory.projects import recommend
from memory.stores.in_memory import InMemoryStore


def test_what_shares_a_file_or_a_technology_is_recommended_and_says_why():
    memories = [
        stored("file", "keep it short", related_files=("src/app.py",), priority=MemoryPriority.LOW),
        stored("tech", "cache pages", related_tech=("redis",), access_count=4),
        stored("folder", "no prints", related_files=("src/other.py",), priority=MemoryPriority.MEDIUM),
        stored("nothing", "the sky is blue", priority=MemoryPriority.CRITICAL, access_count=99),
        stored("pin", "call Ada", pinned=True),
    ]
    found = recommend(memories, files=["/home/you/shop/src/app.py"], technologies=["redis"])
    assert {one.memory.id for one in found} == {"file", "tech", "pin", "folder"}
    assert found[0].memory.id == "file"
    reasons = {one.memory.id: one.reasons for one in found}
    assert reasons["file"] == ("speaks of /home/you/shop/src/app.py",)
    assert reasons["tech"] == ("is about redis", "high", "used 4 times")
    assert reasons["folder"][0] == "speaks of a file in src"
    assert "pinned" in reasons["pin"]
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_words_of_the_request_recommend_too():
    store = InMemoryStore()
    store.put([stored("db", "orders live in PostgreSQL"), stored("css", "blue header")])
    hits = store.search("where are orders kept", MemoryFilter("p_one"))
    (only,) = recommend([], hits=hits)
    assert only.memory.id == "db"
    assert only.reasons == ("matches orders", "high")
    assert recommend([], hits=hits, limit=0) == ()
