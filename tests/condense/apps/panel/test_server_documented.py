"""The documented REST of memory and threads, by the documents' own examples and in the caller's language."""

from __future__ import annotations

import json
import threading

import pytest
from panels import Asking

from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer
from memory.entries import ThreadMessage
from memory.stores import InMemoryThreads

LINES = "2026-02-15|web-chat|用户偏好Python\n2026-02-15|telegram|API限流100req/min"
ZH = {"accept-language": "zh-CN,zh;q=0.9,en;q=0.8"}
EN = {"accept-language": "en-GB"}


def test_all_of_the_memory_is_read_and_written(asking):
    assert asking.get("/api/memory/long-term") == {"content": ""}
    answer = asking.send("PUT", "/api/memory/long-term", {"content": LINES})
    assert answer == {"success": True, "message": "Memory updated"}
    assert asking.get("/api/memory/long-term") == {"content": LINES}
    assert (asking.folder / "memory" / "MEMORY.md").read_text("utf-8") == LINES + "\n"


def test_the_memory_is_counted(asking):
    asking.send("PUT", "/api/memory/long-term", {"content": f"{LINES}\n2026-01-01|web-chat|x"})
    assert asking.get("/api/memory/stats") == {
        "total": 3,
        "sources": {"web-chat": 2, "telegram": 1},
        "date_range": "2026-01-01 ~ 2026-02-15",
    }


def test_the_newest_lines(asking):
    asking.send(
        "PUT", "/api/memory/long-term", {"content": "\n".join(f"2026-02-15|web-chat|n{i}" for i in range(12))}
    )
    assert asking.get("/api/memory/recent?count=2") == {
        "content": "[11] 2026-02-15|web-chat|n10\n[12] 2026-02-15|web-chat|n11"
    }
    assert len(asking.get("/api/memory/recent")["content"].splitlines()) == 10


def test_the_search_by_words(asking):
    asking.send("PUT", "/api/memory/long-term", {"content": f"{LINES}\n2026-02-15|web-chat|用FastAPI；Python 3.11"})
    found = asking.send("POST", "/api/memory/search", {"keywords": "python fastapi", "max_results": 15})
    assert found == {
        "results": "[1] 2026-02-15|web-chat|用户偏好Python\n[3] 2026-02-15|web-chat|用FastAPI；Python 3.11",
        "total": 3,
    }
    both = asking.send("POST", "/api/memory/search", {"keywords": "python fastapi", "match_mode": "and"})
    assert both["results"].startswith("[3]")
    one = asking.send("POST", "/api/memory/search", {"keywords": "python", "max_results": 1}, **ZH)
    assert one["results"].endswith("共 2 条匹配，仅显示前 1 条")
    one = asking.send("POST", "/api/memory/search", {"keywords": "python", "max_results": 1}, **EN)
    assert one["results"].endswith("2 matches, only the first 1 are shown")
    assert asking.send("POST", "/api/memory/search", {"keywords": "zig"}, **ZH)["results"] == "未找到匹配的记忆"
    assert asking.send("POST", "/api/memory/search", {"keywords": "zig"}, **EN)["results"] == "no memory matches"


def test_a_session_becomes_a_line(busy):
    (entry,) = busy.get("/api/v1/sessions?agent=claude-code")["items"]
    answer = busy.ask("POST", f"/api/chat/sessions/{entry['id']}/summarize", headers=ZH).json()
    assert answer["success"] is True
    assert answer["message"] == "已保存到记忆第 1 行（共 1 条）"
    assert "never touch the tests directory" in answer["summary"]
    assert "；" in answer["summary"]
    line = busy.get("/api/v1/notes")["lines"][0]
    assert "；".join(line["items"]) == answer["summary"]
    again = busy.send("POST", f"/api/chat/sessions/{entry['id']}/summarize", **EN)
    assert again["message"] == "Saved to memory line 2 (2 in all)"


def test_a_session_goes_by_its_own_id_too(busy):
    answer = busy.send("POST", "/api/chat/sessions/11111111-2222-4333-8444-555555555555/summarize")
    assert answer["success"] is True


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("讨论了API设计方案；决定使用RESTful风格", "讨论了API设计方案；决定使用RESTful风格"),
        ("无需记录", ""),
    ],
)
def test_a_model_writes_the_line_where_one_is_chosen(asking, monkeypatch, said, answer):
    asking.claude_session(made=[(("ask", "我们讨论API设计方案，决定使用RESTful风格。请继续。"), ("turn", []))])
    asking.send("PUT", "/api/v1/settings", {"model": "anthropic:claude-sonnet-4"})
    (entry,) = asking.get("/api/v1/sessions")["items"]
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-key")
    with ScriptedServer(Reply(said)) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        told = asking.send("POST", f"/api/chat/sessions/{entry['id']}/summarize", **ZH)
    assert told["summary"] == answer
    assert "RESTful" in str(server.requests[0][1])
    assert len(asking.get("/api/v1/notes")["lines"]) == bool(answer)


def test_a_model_that_is_away_is_told_and_nothing_is_written(busy, monkeypatch):
    busy.send("PUT", "/api/v1/settings", {"model": "anthropic:claude-sonnet-4"})
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-key")
    with ScriptedServer(Reply(status=400)) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        answer = busy.send("POST", "/api/chat/sessions/11111111-2222-4333-8444-555555555555/summarize", None, 502)
    assert "sk-test-key" not in answer["error"]
    assert busy.get("/api/v1/notes")["lines"] == []


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("PUT", "/api/memory/long-term", {}, 400),
        ("PUT", "/api/memory/long-term", {"content": None}, 400),
        ("POST", "/api/memory/search", {}, 400),
        ("POST", "/api/memory/search", {"keywords": "x", "max_results": 0}, 400),
        ("POST", "/api/memory/search", {"keywords": "x", "match_mode": "xor"}, 400),
        ("GET", "/api/memory/recent?count=x", None, 400),
        ("POST", "/api/chat/sessions/none/summarize", {}, 404),
        ("GET", "/api/chat/history?thread_id=none", None, 404),
        ("GET", "/api/chat/history", None, 400),
    ],
)
def test_errors_are_a_text(asking, method, path, body, status):
    answer = asking.ask(method, path, headers=ZH, **({} if body is None else {"json": body}))
    assert answer.status_code == status
    assert isinstance(answer.json()["error"], str)


# ---- notes of the panel


def test_a_hand_edit_meanwhile_is_shown_and_never_overwritten(asking):
    tag = asking.ask("GET", "/api/v1/notes").headers["etag"]
    saved = asking.ask("PUT", "/api/v1/notes", json={"content": LINES}, headers={"if-match": tag})
    assert saved.json()["etag"] == saved.headers["etag"] != tag
    place = asking.folder / "memory" / "MEMORY.md"
    place.write_text("2026-02-16|hand|mine\n", "utf-8")
    for path in ("/api/v1/notes", "/api/memory/long-term"):
        late = asking.ask("PUT", path, json={"content": "x"}, headers={"if-match": saved.headers["etag"]})
        assert late.status_code == 412
        assert late.json()["content"] == "2026-02-16|hand|mine"
    assert place.read_text("utf-8") == "2026-02-16|hand|mine\n"
    fresh = asking.ask("PUT", "/api/v1/notes", json={"content": "x"}, headers={"if-match": late.headers["etag"]})
    assert fresh.status_code == 200


def test_of_many_writers_who_saw_the_same_one_wins(asking):
    tag = asking.ask("GET", "/api/v1/notes").headers["etag"]
    got = []

    def write(number):
        answer = asking.ask("PUT", "/api/v1/notes", json={"content": f"w{number}"}, headers={"if-match": tag})
        got.append((answer.status_code, number))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    won = [number for status, number in got if status == 200]
    assert sorted(status for status, _ in got) == [200, *[412] * 7]
    assert asking.get("/api/v1/notes")["content"] == f"w{won[0]}"


def test_notes_are_searched_line_by_line_and_by_passages(asking):
    asking.send("PUT", "/api/v1/notes", {"content": LINES})
    (asking.folder / "memory" / "deploy.md").write_text("# Deploying\n\nPython wheels go to the mirror first.\n")
    found = asking.get("/api/v1/notes/search?q=python")
    assert found["items"][0] == {
        "path": "memory/MEMORY.md",
        "start": 1,
        "end": 1,
        "text": "2026-02-15|web-chat|用户偏好Python",
        "score": 1.0,
    }
    assert any(one["path"] == "memory/deploy.md" for one in found["items"])
    assert asking.get("/api/v1/notes/search?q=python+api&mode=and")["items"] == []


def test_notes_of_a_project_that_is_not_here(asking):
    answer = asking.get("/api/v1/notes?project=p_0000000000000000", 404)
    assert answer["error"]["code"] == "no_folder"


# ---- threads


@pytest.fixture
def threaded(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "kept"))
    store = InMemoryThreads()
    store.touch_thread("thread-a1b2c3", 1_700_000_000.0)
    store.label_thread("thread-a1b2c3", "会话 1")
    values = [{"role": "user", "content": "Use port 8085."}, {"role": "assistant", "content": "Yes."}]
    store.append_messages("thread-a1b2c3", [ThreadMessage(f"m{i}", v) for i, v in enumerate(values)])
    made = Asking(tmp_path, threads=store)
    made.claude_session()
    yield made
    made.close()


def test_conversations_are_the_threads_and_the_sessions_of_this_machine(threaded):
    rows = threaded.get("/api/conversations")
    assert rows[-1] == {
        "id": "thread-a1b2c3",
        "label": "会话 1",
        "lastActiveAt": "2023-11-14T22:13:20.000+00:00",
    }
    told = threaded.get("/api/chat/history?thread_id=thread-a1b2c3")
    assert told["threadId"] == "thread-a1b2c3"
    assert [(m["id"], m["role"], m["text"]) for m in told["messages"]] == [
        ("m0", "user", "Use port 8085."),
        ("m1", "assistant", "Yes."),
    ]
    session = threaded.get(f"/api/chat/history?thread_id={rows[0]['id']}")
    assert session["messages"][0]["text"].startswith("Please build the shop's price list")


def test_a_thread_is_a_session_of_the_panel(threaded):
    (thread,) = threaded.get("/api/v1/sessions?agent=thread")["items"]
    assert (thread["thread"], thread["title"], thread["path"]) == (True, "会话 1", None)
    assert threaded.get(f"/api/v1/sessions/{thread['id']}")["totals"]["typed"] == 1
    answer = threaded.send("POST", "/api/chat/sessions/thread-a1b2c3/summarize", **ZH)
    assert "8085" in answer["summary"]


def test_a_thread_is_named_and_deleted_and_a_session_of_an_agent_is_not(threaded):
    assert threaded.send("PUT", "/api/conversations/thread-a1b2c3", {"label": "Ports"})["label"] == "Ports"
    gone = threaded.ask("DELETE", "/api/conversations/thread-a1b2c3").json()
    assert gone["deleted"]["messages"] == 2
    (left,) = threaded.get("/api/conversations")
    assert threaded.ask("DELETE", f"/api/conversations/{left['id']}").status_code == 404
    assert len(threaded.get("/api/conversations")) == 1


def test_answers_are_utf_8_json(asking):
    asking.send("PUT", "/api/memory/long-term", {"content": LINES})
    answer = asking.ask("GET", "/api/memory/long-term")
    assert answer.headers["content-type"] == "application/json"
    assert json.loads(answer.content.decode("utf-8"))["content"] == LINES
