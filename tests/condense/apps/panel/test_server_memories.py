"""Memories in the panel: listed, searched, decided on, taken back, traced to the words they come from."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from panels import EVERYWHERE

from memory import PersistentMemoryManager
from memory.entries import MemoryFilter
from memory.stores import open_store

ALL = "/api/v1/memories"


def listed(asking, query=""):
    return asking.get(f"{ALL}?limit=500{query}")["items"]


def one_with(asking, words):
    return next(
        m for m in listed(asking, "&status=pending,persisted,superseded,forgotten") if words in m["content"]
    )


@EVERYWHERE
def test_memories_are_listed_with_their_counts(busy):
    answer = busy.get(ALL)
    assert answer["total"] == len(answer["items"]) == sum(answer["facets"]["status"].values()) > 2
    assert answer["next"] is None
    assert {m["project"] for m in answer["items"]} == {busy.project.key}
    tests = one_with(busy, "never touch the tests")
    assert (tests["status"], tests["priority"]) == ("pending", "critical")
    assert tests["created_at"].endswith("Z")


@EVERYWHERE
def test_pages_follow_one_another_without_a_gap(busy):
    whole = [m["id"] for m in listed(busy)]
    seen, cursor = [], ""
    while cursor is not None:
        page = busy.get(f"{ALL}?limit=2" + (f"&cursor={cursor}" if cursor else ""))
        seen += [m["id"] for m in page["items"]]
        cursor = page["next"]
    assert seen == whole


@EVERYWHERE
def test_filters_and_facets_agree(busy):
    kinds = busy.get(ALL)["facets"]["type"]
    for kind, number in kinds.items():
        page = busy.get(f"{ALL}?type={kind}")
        assert page["total"] == number
        assert page["facets"]["type"] == kinds  # of what else there is to choose
    assert busy.get(f"{ALL}?pinned=true")["total"] == 0
    assert busy.get(f"{ALL}?priority=low&type=important_error")["total"] == 0


@EVERYWHERE
def test_words_and_questions_find_memories(busy):
    found = busy.get(f"{ALL}?q=which+port")
    assert "9000" in found["items"][0]["content"]
    assert found["items"][0]["score"] > 0
    assert found["items"][0]["matched"]
    assert busy.get(f"{ALL}?q=zeppelin")["total"] == 0
    everywhere = busy.get(f"{ALL}?q=which+port&project=")
    assert everywhere["items"][0]["id"] == found["items"][0]["id"]


@EVERYWHERE
def test_all_projects_are_listed(busy):
    (project,) = busy.get("/api/v1/projects")["items"]
    assert (project["key"], project["name"]) == (busy.project.key, "shop")
    assert project["path"] == str(busy.folder)
    assert project["memories"] == busy.get(f"{ALL}?status=pending,persisted")["total"]
    assert busy.get(f"{ALL}?project=")["total"] == busy.get(ALL)["total"]


def test_a_memory_names_the_exact_words_it_comes_from(busy):
    tests = one_with(busy, "never touch the tests")
    answer = busy.ask("GET", f"{ALL}/{tests['id']}")
    source = answer.json()["source"]
    assert source["text"][source["start"] : source["end"]].strip(" .") in tests["content"]
    assert source["message_index"] == 0
    assert source["session_path"] == str(busy.file)
    session = busy.get(f"/api/v1/sessions/{source['session']}")
    assert session["title"].startswith("Please build the shop's price list")
    assert answer.headers["etag"]


def test_of_a_long_message_the_part_around_the_words_is_given(asking):
    days = [f"The report of day {i} was read by team {i} without a question. " for i in range(800)]
    text = "".join([*days[:400], "You must never push to main. ", *days[400:]])
    asking.saved(asking.claude_session(made=[(("ask", text), ("turn", []))]))
    known = asking.panel.store.find(MemoryFilter(asking.project.key, statuses=()))
    assert len(known) > 10
    for memory in (known[0], known[len(known) // 2], known[-1]):
        source = asking.get(f"{ALL}/{memory.id}")["source"]
        assert len(source["text"]) == 20_000
        assert source["text"][source["start"] : source["end"]].strip(" .") in memory.entry.content


def test_where_the_session_is_gone_the_memory_says_so(busy):
    memory = one_with(busy, "never touch the tests")
    busy.file.unlink()
    source = busy.get(f"{ALL}/{memory['id']}?lang=zh")["source"]
    assert source["text"] is None
    assert source["session"] is None
    assert "会话" in source["why"]


@pytest.mark.parametrize(
    ("act", "status", "pinned"),
    [
        ("accept", "persisted", False),
        ("dismiss", "forgotten", False),
        ("pin", "persisted", True),
        ("forget", "forgotten", False),
    ],
)
def test_each_decision_is_taken_back_by_its_token(busy, act, status, pinned):
    before = one_with(busy, "never touch the tests")
    done = busy.send("POST", f"{ALL}/{before['id']}/{act}")
    assert (done["memory"]["status"], done["memory"]["pinned"]) == (status, pinned)
    assert busy.get(f"{ALL}/{before['id']}")["status"] == status
    back = busy.send("POST", "/api/v1/undo", {"undo": done["undo"]})
    assert back["memory"] == before
    again = busy.send("POST", "/api/v1/undo", {"undo": done["undo"]}, 410)
    assert again["error"]["code"] == "no_undo"


@EVERYWHERE
def test_what_a_dismissed_one_had_replaced_holds_again_and_undo_sets_that_back_too(busy):
    later = one_with(busy, "port 9000")
    (older,) = busy.get(f"{ALL}/{later['id']}")["supersedes_items"]
    assert older["status"] == "superseded"
    done = busy.send("POST", f"{ALL}/{later['id']}/dismiss")
    assert busy.get(f"{ALL}/{older['id']}")["status"] == "pending"
    busy.send("POST", "/api/v1/undo", {"undo": done["undo"]})
    assert busy.get(f"{ALL}/{older['id']}")["status"] == "superseded"
    assert busy.get(f"{ALL}/{older['id']}")["superseded_by_item"]["id"] == later["id"]


@EVERYWHERE
def test_undo_never_overwrites_what_was_decided_since(busy):
    memory = one_with(busy, "never touch the tests")
    first = busy.send("POST", f"{ALL}/{memory['id']}/accept")
    busy.send("PATCH", f"{ALL}/{memory['id']}", {"content": "Never touch tests or fixtures."})
    assert busy.send("POST", "/api/v1/undo", {"undo": first["undo"]}, 410)
    assert busy.get(f"{ALL}/{memory['id']}")["content"] == "Never touch tests or fixtures."


def test_other_words_are_kept_only_as_they_were_seen(busy):
    memory = one_with(busy, "never touch the tests")
    tag = busy.ask("GET", f"{ALL}/{memory['id']}").headers["etag"]
    path, words = f"{ALL}/{memory['id']}", {"content": "Never touch tests."}
    answer = busy.ask("PATCH", path, json=words, headers={"if-match": tag})
    assert answer.json()["memory"]["content"] == "Never touch tests."
    late = busy.ask("PATCH", path, json={"content": "Touch all."}, headers={"if-match": tag})
    assert late.status_code == 412
    assert late.json()["memory"]["content"] == "Never touch tests."
    assert late.headers["etag"] == answer.headers["etag"] != tag


def test_reading_a_memory_does_not_make_its_etag_another(busy):
    memory = one_with(busy, "never touch the tests")
    before = busy.ask("GET", f"{ALL}/{memory['id']}").headers["etag"]
    with open_store() as store:
        store.record_access(busy.project.key, [memory["id"]], 2e9)
    assert busy.ask("GET", f"{ALL}/{memory['id']}").headers["etag"] == before


def test_what_a_person_writes_counts_at_once(asking):
    answer = asking.send("POST", ALL, {"content": "Use port 8085.", "priority": "high"}, 201)
    assert (answer["status"], answer["explicit"], answer["slots"]) == (
        "persisted",
        True,
        [{"name": "port", "value": "8085"}],
    )
    assert asking.get(f"{ALL}/{answer['id']}")["source"] is None


@EVERYWHERE
def test_many_are_decided_on_at_once_and_taken_back_together(busy):
    ids = [m["id"] for m in listed(busy, "&status=pending")]
    done = busy.send("POST", f"{ALL}/bulk?lang=zh", {"ids": [*ids, "none"], "action": "accept"})
    assert done["done"] == len(ids)
    assert done["failed"] == [{"id": "none", "message": "本项目没有记忆 'none'"}]
    assert busy.get(f"{ALL}?status=pending")["total"] == 0
    busy.send("POST", "/api/v1/undo", {"undo": done["undo"]})
    assert {m["id"] for m in listed(busy, "&status=pending")} == set(ids)


@EVERYWHERE
def test_those_of_several_projects_are_decided_on_and_taken_back_together(asking):
    names = []
    with open_store() as store:
        for project in ("p_two", "p_one"):
            done = PersistentMemoryManager(store, project).remember(f"Never push to {project}.", task_id="t")
            names.append(done.id)
    answer = asking.send("POST", f"{ALL}/bulk", {"ids": [*names, "none"], "action": "forget", "project": ""})
    assert (answer["done"], [one["id"] for one in answer["failed"]]) == (2, ["none"])
    assert asking.get(f"{ALL}?project=")["total"] == 0
    asking.send("POST", "/api/v1/undo", {"undo": answer["undo"]})
    assert {one["id"] for one in asking.get(f"{ALL}?project=")["items"]} == set(names)
    assert {row["key"]: row["memories"] for row in asking.get("/api/v1/projects")["items"]} == {
        "p_one": 1,
        "p_two": 1,
        asking.project.key: 0,
    }


def test_a_superseded_one_cannot_be_accepted(busy):
    older = one_with(busy, "port 9000")
    busy.send("POST", ALL, {"content": "Use port 9999."}, 201)
    answer = busy.send("POST", f"{ALL}/{older['id']}/accept", status=409)
    assert answer["error"]["code"] == "replaced"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "where"),
    [
        ("GET", f"{ALL}?limit=0", None, 400, "query.limit"),
        ("GET", f"{ALL}?limit=501", None, 400, "query.limit"),
        ("GET", f"{ALL}?limit=many", None, 400, "query.limit"),
        ("GET", f"{ALL}?cursor=-1", None, 400, "query.cursor"),
        ("GET", f"{ALL}?status=lost", None, 400, "query.status.0"),
        ("GET", f"{ALL}?sort=best", None, 400, "query.sort"),
        ("GET", f"{ALL}?colour=red", None, 400, "query.colour"),
        ("GET", f"{ALL}?q={'x' * 2001}", None, 400, "query.q"),
        ("GET", f"{ALL}/none", None, 404, "id"),
        ("POST", ALL, {}, 400, "body.content"),
        ("POST", ALL, {"content": "  "}, 400, "body.content"),
        ("POST", ALL, {"content": 7}, 400, "body.content"),
        ("POST", ALL, {"content": "x", "type": "poem"}, 400, "body.type"),
        ("POST", ALL, {"content": "x", "project": ""}, 400, "project"),
        ("POST", ALL, ["x"], 400, "body"),
        ("POST", ALL, "text", 400, "body"),
        ("POST", f"{ALL}/bulk", {"ids": [], "action": "accept"}, 400, "body.ids"),
        ("POST", f"{ALL}/bulk", {"ids": ["a"], "action": "erase"}, 400, "body.action"),
        ("POST", "/api/v1/undo", {}, 400, "body.undo"),
        ("POST", "/api/v1/undo", {"undo": "nothing"}, 410, "undo"),
        ("PATCH", f"{ALL}/none", {"content": "x"}, 404, "id"),
        ("POST", f"{ALL}/none/pin", {}, 404, "id"),
    ],
)
def test_bad_requests_are_told_what_and_where(asking, method, path, body, status, where):
    answer = asking.ask(method, path, **({} if body is None else {"json": body}))
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["where"] == where
    assert error["message"]
    assert (
        asking.ask(
            method, f"{path}{'&' if '?' in path else '?'}lang=zh", **({} if body is None else {"json": body})
        ).status_code
        == status
    )


@pytest.mark.parametrize("body", [b"{", b"\xff\xfe", b"[" * 100_000, b'{"content": NaN}x'])
def test_a_body_that_is_no_json_is_told(asking, body):
    answer = asking.ask("POST", ALL, content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "bad_json"


def test_writers_in_several_processes_and_threads_lose_nothing(asking):
    def other(number):
        with open_store() as store:
            manager = PersistentMemoryManager(store, asking.project.key)
            for i in range(10):
                manager.remember(f"Rule {number} {i} about module_{number}_{i}.", task_id=f"t{number}")

    threads = [threading.Thread(target=other, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for i in range(10):
        asking.send("POST", ALL, {"content": f"Written here {i} about page_{i}."}, 201)
    for thread in threads:
        thread.join(60)
    assert asking.get(f"{ALL}?limit=1")["total"] == 40


@EVERYWHERE
def test_the_graph_shows_what_belongs_together(busy):
    graph = busy.get("/api/v1/graph")
    names = {node["id"] for node in graph["nodes"]}
    port = one_with(busy, "port 9000")
    assert {port["id"], "slot:port"} <= names
    assert all({edge["source"], edge["target"]} <= names for edge in graph["edges"])
    small = busy.get("/api/v1/graph?limit=1")
    assert len(small["nodes"]) == 1
    assert small["left_out"] == len(graph["nodes"]) - 1


def test_a_memory_says_which_compactions_told_it_again(busy):
    from condense import Condenser
    from condense.compaction import CompactionRecord
    from memory import read_transcript

    read = read_transcript(busy.file)
    done = Condenser().condense(read.messages, target=4_000)
    assert isinstance(done.record, CompactionRecord)
    with open_store() as store:
        store.put_record(None, read.session_id, done.record.id, done.record.to_json(), 1_700_000_000.0)
    memory = one_with(busy, "never touch the tests")
    (use,) = busy.get(f"{ALL}/{memory['id']}")["used_in"]
    assert use["at"] == "2023-11-14T22:13:20.000Z"
    assert busy.get(f"/api/v1/records/{use['record']}")["session"] == use["session"] is not None


@EVERYWHERE
def test_memories_only_a_task_sees_are_not_listed(busy):
    store = busy.panel.store
    tasks = [m for m in store.find(MemoryFilter(busy.project.key, statuses=())) if m.scope.value == "task"]
    names = {m["id"] for m in listed(busy, "&status=pending,persisted,superseded,forgotten")}
    assert not names & {m.id for m in tasks}
    store.put([replace(busy.panel.store.find(MemoryFilter(busy.project.key))[0], pinned=True)])
