"""Sessions and compactions in the panel: found, read, condensed as a trial, traced, taken back."""

from __future__ import annotations

import json
import os
import time

import pytest
from panels import EVERYWHERE
from sessions import ClaudeCode, call, text

from condense import Condenser
from condense.compaction import CompactionRecord, StoreArchive
from memory import read_transcript
from memory.stores import open_store

ALL = "/api/v1/sessions"


def one(asking, agent="claude-code"):
    return asking.get(f"{ALL}?agent={agent}")["items"][0]


def kept_record(asking, task_prefix="", target=4_000, mark=""):
    """Compact the session and keep record and originals, as the command line does; others, by a mark ("~", "@")."""
    read = read_transcript(asking.file)
    with open_store() as store:
        archive = StoreArchive(store, project=asking.project.key, task_id=read.session_id)
        done = Condenser(archive=archive).condense(read.messages, target=target)
        task = f"{task_prefix}{read.session_id}"
        mark = "@" if task_prefix else mark
        name = f"{done.record.id}{mark}{task}" if mark else done.record.id
        store.put_record(None, task, name, done.record.to_json(), time.time())
    return read, done


def command(name, words=""):
    """A slash command as Claude Code writes it down."""
    title = f"<command-name>/{name}</command-name>\n            <command-message>{name}</command-message>"
    return f"{title}\n            <command-args>{words}</command-args>"


def test_sessions_of_all_agents_are_listed_the_newest_first(busy):
    os.utime(busy.file, (1_900_000_000, 1_900_000_000))
    listed = busy.get(ALL)
    assert [s["agent"] for s in listed["items"]] == ["claude-code", "codex"]
    first = listed["items"][0]
    assert first["title"].startswith("Please build the shop's price list")
    assert first["project"] == busy.project.key
    assert first["folder"] == str(busy.folder)
    assert first["messages"] is None  # not read for a list
    assert listed["items"][1]["folder"] == "/home/you/shop"
    assert busy.get(f"{ALL}?q=price+shop&project={busy.project.key}")["total"] == 1
    assert busy.get(f"{ALL}?q=zeppelin")["total"] == 0


def test_roo_and_gemini_sessions_are_found(asking):
    roo = asking.home / ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/tasks/t-1"
    roo.mkdir(parents=True)
    said = [{"role": "user", "content": [{"type": "text", "text": "Use port 1."}], "ts": 1_700_000_000_000}]
    (roo / "api_conversation_history.json").write_text(json.dumps(said))
    chats = asking.home / ".gemini/tmp/abc/chats"
    chats.mkdir(parents=True)
    (chats / "session-1.json").write_text(
        json.dumps(
            {
                "sessionId": "g",
                "messages": [{"type": "user", "content": "Hi", "timestamp": "2025-05-01T10:00:00Z", "id": "1"}],
            }
        )
    )
    assert {s["agent"] for s in asking.get(ALL)["items"]} == {"roo", "gemini"}
    assert one(asking, "roo")["title"] == "Use port 1."


def test_a_large_session_is_listed_without_being_read(asking):
    place = asking.claude_session()
    with place.open("ab") as file:
        file.truncate(1_000_000_000)  # a hole: nothing is on the disk
    begun = time.process_time()
    listed = asking.get(ALL)
    assert time.process_time() - begun < 2
    assert listed["items"][0]["size"] == 1_000_000_000
    assert listed["items"][0]["title"].startswith("Please build")


def test_a_session_is_read_whole_and_its_messages_page_by_page(busy):
    session = one(busy)
    whole = busy.get(f"{ALL}/{session['id']}")
    assert whole["messages"] == len(read_transcript(busy.file))
    assert whole["totals"]["typed"] == 6
    assert whole["warnings"] == []
    first = busy.get(f"{ALL}/{session['id']}/messages?limit=3")
    second = busy.get(f"{ALL}/{session['id']}/messages?limit=3&from={first['next']}")
    assert [m["index"] for m in (*first["items"], *second["items"])] == list(range(6))
    assert first["total"] == whole["messages"]
    kinds = {m["kind"] for m in busy.get(f"{ALL}/{session['id']}/messages")["items"]}
    assert {"typed", "tool_call", "tool_result"} <= kinds
    around = busy.get(f"{ALL}/{session['id']}/messages?around=20&limit=10")
    assert around["items"][0]["index"] == 15
    assert first["items"][0]["importance"] > 50


def test_long_messages_are_cut_in_the_list_and_whole_alone(asking):
    asking.claude_session(made=[(("ask", "word " * 3_000), ("turn", []))])
    session = one(asking)
    shown = asking.get(f"{ALL}/{session['id']}/messages")["items"][0]
    assert (len(shown["text"]), shown["cut"]) == (4_000, True)
    whole = asking.get(f"{ALL}/{session['id']}/messages/0")
    assert (len(whole["text"]), whole["cut"]) == (15_000, False)
    assert asking.get(f"{ALL}/{session['id']}/messages/7", 404)["error"]["where"] == "index"


def test_condensing_is_tried_and_nothing_is_written(busy):
    session = one(busy)
    before = busy.file.read_bytes(), busy.panel.store.version()
    done = busy.send("POST", f"{ALL}/{session['id']}/condense", {"target": 4_000})
    assert done["tokens_after"] <= 4_000 < done["tokens_before"]
    assert done["error"] is None
    assert len(done["before"]) == len(read_transcript(busy.file))
    assert any(message["kind"] == "summary" and message["from"] is None for message in done["after"])
    kept = [m for m in done["after"] if m["from"] is not None]
    assert all(done["before"][m["from"]]["role"] == m["role"] for m in kept)
    folded = [m for m in done["before"] if m["level"] in ("folded", "line")]
    assert folded
    assert all(m["reason"] for m in folded)
    assert sum(done["units_by_level"].values()) == len(done["receipt"])
    assert done["typed_messages"] == 6
    assert (busy.file.read_bytes(), busy.panel.store.version()) == before


def test_what_the_person_wants_kept_comes_into_the_summary(busy):
    path = f"{ALL}/{one(busy)['id']}/condense"
    focused = busy.send("POST", path, {"target": 3_000, "focus": "line 77 of file 3"})
    plain = busy.send("POST", path, {"target": 3_000})
    assert focused["summary"] != plain["summary"]
    assert "line 77 of file 3" in focused["summary"]
    assert focused["tokens_after"] <= 3_000


@pytest.mark.parametrize(
    ("path", "body", "status", "where"),
    [
        ("condense", {}, 400, "body.target"),
        ("condense", {"target": 0}, 400, "body.target"),
        ("condense", {"target": "16k"}, 400, "body.target"),
        ("condense", {"target": 4_000, "mode": "x"}, 400, "body.mode"),
        ("messages?from=-1", None, 400, "query.from"),
        ("messages?limit=0", None, 400, "query.limit"),
        ("messages/x", None, 404, "path"),
    ],
)
def test_bad_requests_are_told_what_and_where(busy, path, body, status, where):
    method = "GET" if body is None else "POST"
    answer = busy.ask(method, f"{ALL}/{one(busy)['id']}/{path}", **({} if body is None else {"json": body}))
    assert answer.status_code == status
    assert answer.json()["error"]["where"] == where
    assert busy.get(f"{ALL}/none", 404)["error"]["code"] == "no_session"


@pytest.mark.parametrize(
    "content",
    [
        b"\x00\x01\x02",
        b"{",
        b"not json at all\n",
        b"\x1f\x8b broken gzip",
        b"[]",
        b'{"a": 1}\n',
        b"[" * 5_000,
        b"\xff" * 300,
    ],
)
def test_a_session_that_cannot_be_read_is_a_warning(asking, content):
    asking.claude_session("99999999-2222-4333-8444-555555555555", data=content)
    listed = asking.get(ALL)["items"][0]
    whole = asking.get(f"{ALL}/{listed['id']}")
    assert whole["messages"] == 0
    assert whole["warnings"] or content == b"[]"
    assert asking.get(f"{ALL}/{listed['id']}/messages")["items"] == []
    refused = asking.send("POST", f"{ALL}/{listed['id']}/condense", {"target": 4_000}, 400)
    assert refused["error"]["code"] == "unreadable"
    asking.get("/api/v1/overview")


def test_a_session_that_was_killed_in_a_line_is_read_up_to_there(asking):
    place = asking.claude_session()
    content = place.read_bytes()
    place.write_bytes(content[:-40])
    whole = asking.get(f"{ALL}/{one(asking)['id']}")
    assert whole["messages"] > 3
    assert any("middle of a line" in line for line in whole["warnings"])


def test_a_session_that_grows_is_read_anew(busy):
    session = one(busy)
    before = busy.get(f"{ALL}/{session['id']}")["messages"]
    busy.claude_session(made=[(("ask", "One more."), ("turn", []))])
    assert busy.get(f"{ALL}/{session['id']}")["messages"] != before


def test_a_session_that_is_gone_is_not_found(busy):
    session = one(busy)
    busy.file.unlink()
    assert busy.get(f"{ALL}/{session['id']}", 404)["error"]["code"] == "no_session"


# ---- compactions


@pytest.mark.parametrize("prefix", ["", "proxy/"])
def test_a_record_shows_its_receipt_before_and_after(busy, prefix):
    read, done = kept_record(busy, prefix)
    session = busy.get(f"{ALL}/{one(busy)['id']}")
    assert session["compactions"] == 1
    (record,) = session["records"]
    assert record["source"] == ("proxy view" if prefix else "command line")
    assert (record["tokens_before"], record["tokens_after"]) == (
        done.record.tokens_before,
        done.record.tokens_after,
    )
    whole = busy.get(f"/api/v1/records/{record['id']}")
    assert whole["summary"] == done.record.summary
    assert len(whole["receipt"]) == record["actions"]
    assert [m["index"] for m in whole["before"]] == list(range(len(read)))
    assert [m["from"] for m in whole["after"]] == [piece.kept for piece in done.record.pieces]


@EVERYWHERE
def test_messages_name_the_compaction_that_folded_them_and_their_originals_are_a_step_away(busy):
    kept_record(busy)  # a file of its own: no agent went on from it
    items = busy.get(f"{ALL}/{one(busy)['id']}/messages?limit=500")["items"]
    assert not any(m["folded_by"] for m in items)
    kept_record(busy, mark="~")
    records = busy.get(f"{ALL}/{one(busy)['id']}")["records"]
    (record,) = (kept for kept in records if kept["source"] == "library")
    items = busy.get(f"{ALL}/{one(busy)['id']}/messages?limit=500")["items"]
    folded = [m for m in items if m["folded_by"]]
    assert {m["folded_by"] for m in folded} == {record["id"]}
    before = busy.get(f"/api/v1/records/{record['id']}")["before"]
    handle = next(m["handle"] for m in before if m["index"] == folded[0]["index"])
    original = busy.get(f"/api/v1/originals/{handle}")
    assert (
        original["text"].strip()
        == busy.get(f"{ALL}/{one(busy)['id']}/messages/{folded[0]['index']}")["text"].strip()
    )
    assert busy.get("/api/v1/originals/hf_000000000000", 404)["error"]["code"] == "no_original"
    assert busy.get("/api/v1/originals/x", 404)["error"]["where"] == "handle"


@EVERYWHERE
def test_where_the_session_is_gone_a_record_tells_what_was_kept(busy):
    kept_record(busy)
    record = busy.get(f"{ALL}/{one(busy)['id']}")["records"][0]["id"]
    busy.file.unlink()
    whole = busy.get(f"/api/v1/records/{record}")
    assert whole["session"] is None
    folded = [m for m in whole["before"] if m["handle"]]
    assert folded
    assert all(m["text"] and m["tokens"] for m in folded)


@EVERYWHERE
def test_a_view_is_taken_back_and_put_in_force_again(busy):
    read, _ = kept_record(busy, "proxy/")
    (record,) = busy.get(f"{ALL}/{one(busy)['id']}")["records"]
    done = busy.send("POST", f"/api/v1/records/{record['id']}/undo")
    assert done["undone"] is True
    with open_store() as store:
        assert store.records(None, f"proxy/{read.session_id}") == ()
    (undone,) = busy.get(f"{ALL}/{one(busy)['id']}")["records"]
    assert undone == {**record, "undone": True}
    busy.send("POST", "/api/v1/undo", {"undo": done["undo"]})
    with open_store() as store:
        (content,) = store.records(None, f"proxy/{read.session_id}")
    assert CompactionRecord.from_json(content).tokens_after == record["tokens_after"]
    assert busy.get(f"{ALL}/{one(busy)['id']}")["records"] == [record]


def test_what_is_no_view_cannot_be_taken_back(busy):
    kept_record(busy)
    (record,) = busy.get(f"{ALL}/{one(busy)['id']}")["records"]
    assert busy.send("POST", f"/api/v1/records/{record['id']}/undo", status=409)["error"]["code"] == "not_undoable"
    assert busy.send("POST", "/api/v1/records/none/undo", status=404)["error"]["code"] == "no_record"


def test_an_agents_own_compaction_is_a_record_too(asking):
    built = ClaudeCode()
    built.user("Use port 8085.")
    built.assistant("m1", {"type": "text", "text": "Done. " * 200})
    built.user("This session is being continued. " * 5, isCompactSummary=True)
    built.user("Go on.")
    asking.claude_session(data=built.data)
    (record,) = asking.get(f"{ALL}/{one(asking)['id']}")["records"]
    assert record["source"] == "agent"
    assert record["tokens_before"] > record["tokens_after"] > 0
    whole = asking.get(f"/api/v1/records/{record['id']}")
    assert [m["level"] for m in whole["before"]] == ["folded", "folded"]
    assert "being continued" in whole["summary"]
    assert asking.send("POST", f"/api/v1/records/{record['id']}/undo", status=409)


@pytest.mark.parametrize("mark", ["", "@"])
def test_the_list_counts_the_compactions_that_the_session_shows(asking, mark):
    built = ClaudeCode()
    built.user("Use port 8085.")
    built.assistant("m1", text("Done. " * 2_000))
    asking.file = asking.claude_session(data=built.data)
    _, done = kept_record(asking, target=1_000, mark=mark)
    built.user(
        "This session is being continued from a previous conversation.\n" + done.summary,
        isCompactSummary=True,
    )
    built.assistant("m2", text("Noted."))
    built.user("This session is being continued. " * 5, isCompactSummary=True)
    asking.claude_session(data=built.data)
    listed = one(asking)
    shown = asking.get(f"{ALL}/{listed['id']}")
    assert listed["messages"] is None  # nothing is held for a list
    assert listed["compactions"] == shown["compactions"] == len(shown["records"]) == (2 if mark else 3)


def test_a_slash_command_is_shown_as_one_and_its_text_stays(asking):
    built = ClaudeCode()
    texts = [
        command("compact", "keep the rules"),
        command("plan", "the export"),
        command("clear"),
        "/compact",
        "Go on.",
    ]
    for words in texts:
        built.user(words)
    asking.claude_session(data=built.data)
    shown = asking.get(f"{ALL}/{one(asking)['id']}/messages")["items"]
    assert [m["command"] for m in shown] == [
        "/compact keep the rules",
        "/plan the export",
        "/clear",
        "/compact",
        None,
    ]
    assert [m["kind"] for m in shown] == ["command"] * 4 + ["typed"]
    assert [m["text"] for m in shown] == texts


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
def test_a_copy_that_repair_or_handoff_wrote_is_told_from_its_source(busy, agent):
    from condense.apps.handoff import write_session

    read = read_transcript(busy.file)
    home = busy.home / {"claude-code": ".claude", "codex": ".codex"}[agent]
    written = write_session(read.messages, agent, folder=busy.folder, home=home, title="Prices")
    listed = {session["path"]: session for session in busy.get(ALL)["items"]}
    assert [path for path, session in listed.items() if session["copy"]] == [str(written.path)]
    assert listed[str(written.path)]["title"] == listed[str(busy.file)]["title"]
    assert listed[str(written.path)]["started_at"] > listed[str(busy.file)]["started_at"]


def test_a_compaction_that_the_proxy_answered_is_shown_once(asking):
    built = ClaudeCode()
    built.user("Use port 8085.")
    built.assistant("m1", {"type": "text", "text": "Done. " * 2_000})
    asking.file = asking.claude_session(data=built.data)
    read, done = kept_record(asking, target=1_000)
    with open_store() as store:
        name = f"{done.record.id}@{read.session_id}"
        store.put_record(None, read.session_id, name, done.record.to_json(), time.time())
        store.delete_record(None, done.record.id)
    frame = "This session is being continued from a previous conversation.\nSummary:\n"
    built.user(frame + done.summary, isCompactSummary=True)
    built.user("Go on.")
    asking.claude_session(data=built.data)
    records = asking.get(f"{ALL}/{one(asking)['id']}")["records"]
    assert [record["source"] for record in records] == ["proxy answer"]


# ---- the overview


@EVERYWHERE
def test_the_overview_tells_the_newest_turns_and_what_was_saved(busy):
    _, done = kept_record(busy, "proxy/")
    told = busy.get("/api/v1/overview?days=7")
    assert (told["pending"], told["compactions"]) == (
        busy.get("/api/v1/memories")["facets"]["status"]["pending"],
        1,
    )
    assert told["tokens_saved"] == done.record.tokens_before - done.record.tokens_after
    assert len(told["activity"]) == 7
    assert told["activity"][-1]["compactions"] == 1
    (turn,) = told["turns"]
    assert turn["session"] == one(busy)["id"]
    assert turn["tools_used"] == 4
    assert turn["sentence"] == (
        f"{turn['memories_created']} memories created, 0 files changed, 4 tools used, {turn['pending']} pending"
    )
    assert "次工具" in busy.get("/api/v1/overview?lang=zh")["turns"][0]["sentence"]


@pytest.mark.parametrize(
    ("mark", "source", "counted"),
    [("", "command line", False), ("~", "library", True), ("@", "proxy answer", True)],
)
def test_only_compactions_that_an_agent_went_on_from_count_as_saved(busy, mark, source, counted):
    _, done = kept_record(busy, mark=mark)
    (record,) = busy.get(f"{ALL}/{one(busy)['id']}")["records"]
    assert record["source"] == source
    told = busy.get("/api/v1/overview?days=7")
    saved = done.record.tokens_before - done.record.tokens_after
    assert (told["compactions"], told["tokens_saved"]) == ((1, saved) if counted else (0, 0))
    assert sum(day["compactions"] for day in told["activity"]) == told["compactions"]


def test_the_newest_turn_says_what_was_asked_and_a_command_alone_begins_none(asking):
    built = ClaudeCode()
    built.user("Use port 8085.")
    built.assistant("m0", text("Done."))
    built.user("Now fix the prices.")
    for n in range(4):
        built.assistant(f"m{n + 1}", call(f"c{n}"))
        built.result(f"c{n}", "ok")
    edited = {"file_path": "/home/you/shop/prices.py", "old_string": "1", "new_string": "2"}
    built.assistant("m5", {"type": "tool_use", "id": "e", "name": "Edit", "input": edited})
    built.result("e", "The file has been updated.")
    built.user("This session is being continued. " * 5, isCompactSummary=True)
    built.user(command("compact"))
    built.user(command("holdfast:receipt"))
    built.assistant("m6", text("Going on."))
    asking.claude_session(data=built.data)
    (turn,) = asking.get("/api/v1/overview?project=")["turns"]
    assert (turn["title"], turn["words"]) == ("Use port 8085.", "Now fix the prices.")
    assert (turn["files_changed"], turn["tools_used"]) == (1, 5)


def test_what_hooks_swallowed_is_told(asking, tmp_path):
    from condense.apps.hooks import run_hook

    run_hook(["PreCompact"], stdin=__import__("io").StringIO("no json"))
    (failure,) = asking.get("/api/v1/overview")["failures"]
    assert failure["what"] == "hook PreCompact"
    assert "JSON" in failure["message"]
