"""What the documents show as a call works as that call, in snake_case, with no clock, key or store handed over."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path

import pytest

from condense import (
    RunningSummary,
    SummaryAnswer,
    calculate_message_importance,
    format_messages_for_summary,
    memory_line,
    overflow_line,
    score_all_messages,
    should_summarize,
    split_messages,
    summarize_conversation,
)
from memory import (
    AgingConfig,
    ConversationMemory,
    Documents,
    HashingEmbedder,
    MemoryConfig,
    Notebook,
    PersistentMemoryManager,
    SimilarityConfig,
    ToolSettings,
    VectorMemoryStore,
    call_tool,
    data_folder,
    memory_tools,
)

RULE = "必须使用 PostgreSQL 数据库"
MESSAGES = [
    {"role": "user", "content": RULE},
    {"role": "assistant", "content": "数据库已经换成 PostgreSQL，测试全部通过。"},
    {"role": "user", "content": "端口改为 3001"},
]


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """A repository as the current folder, and a data folder of its own."""
    monkeypatch.setenv("HOLDFAST_HOME", str(tmp_path / "home"))
    shop = tmp_path / "shop"
    (shop / ".git").mkdir(parents=True)
    (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    monkeypatch.chdir(shop)


@pytest.fixture
def memory():
    told = ConversationMemory("task-1")
    told.extract_memories(MESSAGES)
    return told


def model(said):
    return lambda _request: SummaryAnswer(said)


# ---- the notebook


def test_a_notebook_needs_its_folder_only():
    memory = Notebook(Path("workspace/memory"))
    assert memory.append_entry("web-chat", "用户偏好Python；项目用FastAPI") == 1
    assert memory.append_entry("telegram", "API限流100req/min") == 2
    line = f"[1] {time.strftime('%Y-%m-%d')}|web-chat|用户偏好Python；项目用FastAPI"
    assert memory.search(["python", "限流"], max_results=15).splitlines()[0] == line
    assert memory.search(["python", "fastapi"], match_mode="and") == memory.read_lines(1) == line
    assert memory.read_lines(1, 2) == memory.get_recent(5)
    stats = memory.get_stats()
    assert stats["total"] == memory.get_line_count() == 2
    assert stats["sources"] == {"web-chat": 1, "telegram": 1}
    memory.write_all(memory.read_all())
    assert memory.delete_lines([2]) == 1


def test_a_notebook_takes_another_day_for_tests():
    book = Notebook("memory", today=lambda: date(2026, 2, 15))
    book.append_entry("cron", "日报")
    assert book.read_all() == "2026-02-15|cron|日报"


def test_the_notebook_s_tools_take_the_documented_parameters():
    tools = memory_tools(notebook=Notebook("memory"), settings=ToolSettings(channel="telegram"))
    written = call_tool(tools, "memory_write", {"content": "用户偏好Python开发；项目使用Vue3前端"})
    assert "已写入记忆第 1 行（共 1 条）" in written.text
    asked = {"keywords": "python fastapi", "max_results": 15, "match_mode": "or"}
    found = call_tool(tools, "memory_search", asked)
    assert "记忆库共 1 条" in found.text
    assert "|telegram|用户偏好Python开发" in found.text
    for given in ({"start_line": 1, "end_line": 1}, {"recent_count": 10}, {}):
        assert "[1] " in call_tool(tools, "memory_read", given).text


def test_passages_are_searched_and_read_as_documented():
    Path("memory").mkdir()
    Path("memory/devops.md").write_text("# 部署\n上次部署用的配置是 staging\n", encoding="utf-8")
    tools = memory_tools(documents=Documents("."))
    found = call_tool(tools, "memory_search", {"query": "上次部署用的什么配置？", "maxResults": 5})
    (passage,) = found.value["results"]
    assert set(passage) == {"path", "startLine", "endLine", "snippet", "score"}
    read = call_tool(tools, "memory_get", {"path": passage["path"], "from": 2, "lines": 1})
    assert read.value == {"path": "memory/devops.md", "text": "上次部署用的配置是 staging"}


# ---- conversation memory


def test_a_conversation_memory_answers_as_documented(memory):
    assert [entry.content for entry in memory.get_critical_memories()] == [RULE]
    assert RULE in memory.generate_memory_summary()
    stats = memory.get_memory_stats()
    assert stats.total_memories == stats.pending_memories == 2
    assert stats.by_type["user_instruction"] == stats.by_priority["critical"] == 1
    assert memory.record_memory_access(memory.get_all_memories()[0].id)
    assert ConversationMemory.deserialize(memory.serialize()).get_all_memories() == memory.get_all_memories()
    assert memory.prune_low_priority_memories(1) == 1
    memory.dispose()
    assert memory.get_all_memories() == ()


def test_a_conversation_memory_is_configured_as_documented():
    config = MemoryConfig(
        similarity=SimilarityConfig(threshold=0.75, enable_semantic_similarity=True),
        aging=AgingConfig(
            high_priority_half_life=7 * 86_400,
            medium_priority_half_life=3 * 86_400,
            low_priority_half_life=86_400,
            enable_auto_aging=True,
        ),
    )
    assert ConversationMemory("task-1", config).config == MemoryConfig()


def test_a_message_is_scored_as_documented():
    scored = score_all_messages(MESSAGES)[0]
    assert scored.is_user_message
    assert scored.is_memory_related
    assert scored.score > 0
    assert scored.reasons
    assert scored.token_count > 0
    assert scored.memory_tags
    assert calculate_message_importance(MESSAGES[0]).is_user_message


def test_a_conversation_is_summarised_by_the_documented_positions(memory):
    done = summarize_conversation(
        MESSAGES,
        model("数据库换成了 PostgreSQL。"),
        "你是一个聊天助手",
        "task-1",
        1000,
        False,  # the documented positions
        "",
        None,
        memory,
        True,
    )
    assert done.messages
    assert done.cost is not None
    assert done.new_context_tokens > 0
    assert isinstance(done.summary, str)
    assert done.error is None or done.error


# ---- across tasks


def test_a_project_is_opened_by_its_folder(memory):
    before = time.time()
    with PersistentMemoryManager.open(".").store as store:
        project = PersistentMemoryManager.open(".", store=store)
        saved = project.save_task(memory)
        assert saved.new
        assert before <= project.conversations()[0].updated_at <= time.time()
        kept = project.save_project_memory(memory.get_critical_memories()[0])
        assert kept in project.get_project_memories()
        assert project.remember("部署只在周一", task_id="task-1").entry.created_at >= before
        assert project.search("数据库")[0].memory.entry.content == RULE
        assert project.prune_conversations() == ()
    assert (data_folder() / "memory.db").is_file()


def test_what_was_saved_is_there_for_the_next_process_in_any_folder_of_the_project(memory):
    first = PersistentMemoryManager.open(".")
    first.save_task(memory)
    first.store.close()
    Path("src").mkdir()
    second = PersistentMemoryManager.open("src")
    assert RULE in [kept.entry.content for kept in second.get_project_memories()]
    assert second.restore_task("task-1").get_all_memories() == memory.get_all_memories()
    second.store.close()


def test_a_project_s_tools_need_no_clock(memory):
    project = PersistentMemoryManager.open(".")
    project.save_task(memory)
    tools = memory_tools(project=project)
    assert RULE in call_tool(tools, "recall_memory", {"query": "数据库"}).text
    assert not call_tool(tools, "remember", {"content": "部署只在周一"}).is_error
    assert call_tool(tools, "list_pending", {}).value["total"] >= 1
    assert not call_tool(tools, "forget", {"content": RULE}).is_error
    project.store.close()


def test_a_project_takes_another_clock_and_ages_what_nobody_confirmed():
    unsure = "We decided to use Redis for the cache."
    told = ConversationMemory("task-1")
    told.extract_memories([*MESSAGES, {"role": "user", "content": unsure}])
    project = PersistentMemoryManager.open(".", clock=lambda: 1_700_000_000.0)
    project.save_task(told)
    assert project.conversations()[0].updated_at == 1_700_000_000.0
    project.clock = lambda: 1_700_000_000.0 + 30 * 86_400
    read = {m.entry.content: m.entry.priority.value for m in project.get_project_memories()}
    assert read == {RULE: "critical", "端口改为 3001": "high", unsure: "low"}
    project.store.close()


# ---- by meaning


@pytest.mark.parametrize("given", ["place", "client"])
def test_vectors_are_kept_and_found_as_documented(given, memory):
    client = pytest.importorskip("qdrant_client").QdrantClient(":memory:")
    store = VectorMemoryStore("task-1", ":memory:" if given == "place" else client, HashingEmbedder())
    for entry in memory.get_all_memories():
        store.store_memory(entry)
    (similar,) = store.search_similar_memories("如何配置数据库连接?", limit=1)
    assert similar.content == RULE
    other = VectorMemoryStore("task-2", client, HashingEmbedder())
    assert other.search_similar_memories("数据库", 5) == ()
    store.store_memory(similar, project=".")
    assert [kept.content for kept in store.get_project_memories(Path.cwd())] == [RULE]
    store.close()


# ---- lines and summaries by a model


def test_a_conversation_becomes_a_line_as_documented():
    chat = [{"role": "user", "content": f"第 {n} 个问题是缓存怎么选"} for n in range(21)]
    assert should_summarize(chat, message_threshold=20, char_threshold=10_000)
    old, recent = split_messages(chat, keep_recent=10)
    assert (len(old), len(recent)) == (11, 10)
    assert "好的" not in format_messages_for_summary([*old, {"role": "user", "content": "好的"}], max_chars=4000)
    said = "讨论了缓存；决定使用Redis"
    assert memory_line(old, model(said), previous_summary="", char_limit=2000).text == said
    assert overflow_line(chat, model(said), 10).line.text == said


def test_a_running_summary_is_added_to_checked_summarised_and_put_back_together():
    running = RunningSummary().add(
        {"role": "user", "content": "什么是人工智能？"},
        {"role": "assistant", "content": "人工智能是模拟人类智能的技术。"},
        {"role": "user", "content": "有哪些应用？"},
    )
    assert not running.is_due(100_000)
    assert running.is_due(100_000, by_hand=True)
    after = running.summarize(model("用户询问人工智能的定义。"), keep_recent=1)
    assert after.error is None
    prompt, messages = after.context("你是一个聊天助手")
    assert prompt == f"你是一个聊天助手\n\n对话历史总结：\n{after.conversation_summary}"
    assert [message.text for message in messages] == ["有哪些应用？"]
