"""The 31 documented behaviours of conversation memory, under their documented names."""
# ruff: noqa: N802, PLC2401  # the documented names are Chinese

from __future__ import annotations

from dataclasses import fields, replace

from builders import assistant, user

from memory import (
    AgingConfig,
    ConversationMemory,
    MemoryConfig,
    MemoryPriority,
    MemoryStatus,
    MemoryType,
    SimilarityConfig,
)

DAY = 86_400.0
START = 1_700_000_000.0


def memory_of(*texts, config=None, now=None):
    memory = ConversationMemory("task", config)
    memory.extract_memories([user(text) for text in texts], now=now)
    return memory


def contents(entries):
    return [entry.content for entry in entries]


def about(memory, words):
    """The one active entry that holds these words."""
    (entry,) = [entry for entry in memory.get_all_memories() if words in entry.content]
    return entry


class TestExtractMemories:
    def test_应该从用户消息中提取关键指令(self):
        memory = ConversationMemory("task")
        result = memory.extract_memories([user("必须使用 PostgreSQL 数据库"), user("You must never push to main.")])
        assert result.new_memories_count == 2
        assert [entry.type for entry in result.memories] == [MemoryType.USER_INSTRUCTION] * 2
        assert [entry.priority for entry in result.memories] == [MemoryPriority.CRITICAL] * 2
        assert "PostgreSQL" in result.memories[0].content

    def test_应该检测技术决策(self):
        memory = memory_of("We use PostgreSQL as the database.", "缓存使用 Redis")
        found = memory.get_memories_by_type(MemoryType.TECHNICAL_DECISION)
        assert len(found) == 2
        assert all(entry.priority.rank >= MemoryPriority.HIGH.rank for entry in found)

    def test_应该检测配置变更指令(self):
        memory = memory_of("端口改为 3001", "Change the API timeout to 30 seconds.")
        assert MemoryType.CONFIGURATION in {about(memory, "3001").type, about(memory, "timeout").type}
        assert about(memory, "3001").type is MemoryType.CONFIGURATION

    def test_应该跳过助手消息(self):
        memory = ConversationMemory("task")
        result = memory.extract_memories(
            [assistant("You must use PostgreSQL. 必须使用 MySQL 数据库。"), user("ok")]
        )
        assert result.scanned_messages == 2
        assert memory.get_all_memories() == ()

    def test_应该只处理新消息(self):
        memory = ConversationMemory("task")
        history = [user("必须使用 PostgreSQL 数据库"), assistant("好的")]
        first = memory.extract_memories(history)
        again = memory.extract_memories(history)
        more = memory.extract_memories([*history, user("端口改为 3001")])
        assert (first.scanned_messages, first.new_memories_count) == (2, 1)
        assert (again.scanned_messages, again.new_memories_count, again.memories) == (0, 0, ())
        assert (more.scanned_messages, more.new_memories_count) == (1, 1)
        assert "3001" in more.memories[0].content


class TestMemoryManagement:
    def test_应该正确获取关键记忆(self):
        memory = memory_of("必须使用 PostgreSQL 数据库", "端口改为 3001")
        critical = memory.get_critical_memories()
        assert contents(critical) == ["必须使用 PostgreSQL 数据库"]
        assert critical[0].priority is MemoryPriority.CRITICAL

    def test_应该按优先级过滤记忆(self):
        memory = memory_of("必须使用 PostgreSQL 数据库", "端口改为 3001")
        high = memory.get_memories_by_priority(MemoryPriority.HIGH)
        assert [entry.priority for entry in high] == [MemoryPriority.HIGH] * len(high)
        every = [entry for p in MemoryPriority for entry in memory.get_memories_by_priority(p)]
        assert sorted(contents(every)) == sorted(contents(memory.get_all_memories()))
        assert memory.get_memories_by_priority("critical") == memory.get_critical_memories()

    def test_应该按类型过滤记忆(self):
        memory = memory_of("必须使用 PostgreSQL 数据库", "端口改为 3001")
        assert contents(memory.get_memories_by_type(MemoryType.CONFIGURATION)) == ["端口改为 3001"]
        assert memory.get_memories_by_type("workflow_pattern") == ()

    def test_应该正确记录记忆访问(self):
        memory = memory_of("必须使用 PostgreSQL 数据库", now=START)
        (before,) = memory.get_all_memories()
        assert memory.record_memory_access(before.id, now=START + 60)
        (after,) = memory.get_all_memories()
        assert (before.access_count, after.access_count) == (1, 2)
        assert (before.last_accessed_at, after.last_accessed_at) == (START, START + 60)
        assert not memory.record_memory_access("no such id")


class TestGenerateMemorySummary:
    def test_应该生成空摘要当没有重要记忆时(self):
        assert ConversationMemory("task").generate_memory_summary() == ""
        assert memory_of("谢谢！", "hello", "ok").generate_memory_summary() == ""

    def test_应该生成包含关键指令的摘要(self):
        summary = memory_of("必须使用 PostgreSQL 数据库").generate_memory_summary()
        assert summary.startswith("## 重要上下文记忆")
        assert "关键指令" in summary
        assert "- 必须使用 PostgreSQL 数据库" in summary
        english = memory_of("You must never push to main.").generate_memory_summary()
        assert english.startswith("## Important context")
        assert "You must never push to main" in english

    def test_应该限制高优先级记忆的数量(self):
        memory = memory_of(*(f"端口改为 {name} {port}" for name, port in NAMED_PORTS))
        many = with_high(memory, 40)
        shown = [line for line in many.generate_memory_summary().splitlines() if line.startswith("- 第")]
        assert 0 < len(shown) <= 15


class TestPruneLowPriorityMemories:
    def test_应该保留指定数量的最重要记忆(self):
        memory = memory_of("必须使用 PostgreSQL 数据库", "端口改为 3001")
        for number in range(10):
            memory.remember(f"第 {number} 号备注 note-{number}", type=MemoryType.PROJECT_CONTEXT)
        assert memory.prune_low_priority_memories(4) == 8
        left = memory.get_all_memories()
        assert len(left) == 4
        assert "必须使用 PostgreSQL 数据库" in contents(left)
        assert memory.prune_low_priority_memories(4) == 0


class TestGetMemoryStats:
    def test_应该返回正确的统计信息(self):
        stats = memory_of("必须使用 PostgreSQL 数据库", "端口改为 3001").get_memory_stats()
        assert stats.total_memories == 2
        assert stats.by_type["user_instruction"] == 1
        assert stats.by_type["configuration"] == 1
        assert set(stats.by_type) == {kind.value for kind in MemoryType}
        assert stats.by_priority["critical"] == 1
        assert set(stats.by_priority) == {priority.value for priority in MemoryPriority}
        assert sum(stats.by_type.values()) == sum(stats.by_priority.values()) == 2
        assert stats.created_this_turn == 2

    def test_应该正确统计待处理记忆(self):
        memory = memory_of("必须使用 PostgreSQL 数据库", "端口改为 3001")
        assert memory.get_memory_stats().pending_memories == 2
        assert memory.mark_persisted(memory.get_all_memories()[0].id)
        stats = memory.get_memory_stats()
        assert (stats.pending_memories, stats.persisted_memories) == (1, 1)
        assert memory.get_all_memories()[0].status is MemoryStatus.PERSISTED


class TestSerialization:
    def test_应该能够序列化和恢复记忆(self):
        history = [user("必须使用 PostgreSQL 数据库"), user("端口改为 3001")]
        memory = ConversationMemory("task")
        memory.extract_memories(history)
        restored = ConversationMemory.deserialize(memory.serialize())
        assert restored.get_all_memories() == memory.get_all_memories()
        assert restored.extract_memories(history).new_memories_count == 0

    def test_应该保留记忆的所有属性(self):
        config = MemoryConfig(similarity=SimilarityConfig(threshold=0.9))
        memory = memory_of("必须使用 PostgreSQL，见 src/db/pool.py", config=config, now=START)
        memory.record_memory_access(memory.get_all_memories()[0].id, now=START + 5)
        restored = ConversationMemory.deserialize(memory.serialize())
        (before,), (after,) = memory.get_all_memories(), restored.get_all_memories()
        for field in fields(before):
            assert getattr(after, field.name) == getattr(before, field.name)
            assert type(getattr(after, field.name)) is type(getattr(before, field.name))
        assert restored.task_id == memory.task_id
        assert restored.config == config


class TestDeduplication:
    def test_应该检测并合并重复的记忆(self):
        memory = memory_of("必须使用 PostgreSQL", "必须使用 PostgreSQL 数据库")
        (entry,) = memory.get_all_memories()
        assert entry.content == "必须使用 PostgreSQL 数据库"
        assert entry.priority is MemoryPriority.CRITICAL
        assert entry.access_count == 2

    def test_应该在合并时保留更高的优先级(self):
        memory = memory_of("必须使用 PostgreSQL 数据库")
        memory.remember("必须使用 PostgreSQL", type=MemoryType.USER_INSTRUCTION, priority=MemoryPriority.HIGH)
        (entry,) = memory.get_all_memories()
        assert entry.priority is MemoryPriority.CRITICAL
        memory = ConversationMemory("task")
        memory.remember("服务必须使用连接池", type=MemoryType.USER_INSTRUCTION)
        memory.remember("服务必须使用连接池", type=MemoryType.USER_INSTRUCTION, priority=MemoryPriority.CRITICAL)
        (entry,) = memory.get_all_memories()
        assert entry.priority is MemoryPriority.CRITICAL

    def test_应该合并相关文件和技术栈信息(self):
        memory = ConversationMemory("task")
        first = memory.remember("登录页面必须使用 React 框架", type=MemoryType.USER_INSTRUCTION)
        memory._holdings.put(replace(first, related_files=("src/Login.tsx",), related_tech=("React",)))
        second = memory.remember("登录页面必须使用 React 框架 TypeScript", type=MemoryType.USER_INSTRUCTION)
        assert second.id == first.id
        assert second.related_files[0] == "src/Login.tsx"
        assert second.related_tech[0] == "React"
        assert len(memory.get_all_memories()) == 1


class TestAging:
    def test_应该在配置启用时应用老化(self):
        memory = memory_of("端口改为 3001", now=START)
        read = [memory.get_all_memories(now=START + days * DAY) for days in (6.9, 7.1, 10.1, 11.1)]
        assert [entry.priority.value for entries in read for entry in entries] == ["high", "medium", "low"]
        assert memory.get_all_memories(now=START)[0].priority is MemoryPriority.HIGH
        memory.record_memory_access(memory.get_all_memories(now=START)[0].id, now=START + 7 * DAY)
        assert memory.get_all_memories(now=START + 13 * DAY)[0].priority is MemoryPriority.HIGH

    def test_关键记忆不应该老化(self):
        memory = memory_of("必须使用 PostgreSQL 数据库", now=START)
        (entry,) = memory.get_all_memories(now=START + 10_000 * DAY)
        assert entry.priority is MemoryPriority.CRITICAL


class TestRicherExtraction:
    def test_应该提取文件路径(self):
        memory = memory_of("必须保持 src/components/Button.vue 不变")
        assert "src/components/Button.vue" in memory.get_all_memories()[0].related_files

    def test_应该提取技术栈信息(self):
        memory = memory_of("必须使用FastAPI框架和PostgreSQL数据库")
        tech = {name.lower() for entry in memory.get_all_memories() for name in entry.related_tech}
        assert {"fastapi", "postgresql"} <= tech

    def test_应该提取API端点(self):
        memory = memory_of("API 地址必须是 https://api.example.com/users")
        (entry,) = memory.get_all_memories()
        assert "https://api.example.com/users" in entry.content

    def test_应该检测localhost端口(self):
        memory = memory_of("The service must run on localhost:3000.")
        (entry,) = memory.get_all_memories()
        assert "localhost:3000" in entry.content


class TestSummaryGrouping:
    def test_应该按类型分组记忆(self):
        memory = memory_of("必须使用 PostgreSQL 数据库", "端口改为 3001")
        summary = memory.generate_memory_summary()
        assert summary.index("**用户指令**") < summary.index("必须使用 PostgreSQL 数据库")
        assert summary.index("重要决策") < summary.index("**配置**") < summary.index("端口改为 3001")

    def test_应该包含技术栈总结(self):
        memory = memory_of("必须使用 PostgreSQL 数据库", "缓存使用 Redis")
        summary = memory.generate_memory_summary()
        tail = summary[summary.index("技术栈") :].lower()
        assert "postgresql" in tail
        assert "redis" in tail

    def test_应该限制每种类型的记忆数量(self):
        memory = with_high(ConversationMemory("task"), 12)
        lines = memory.generate_memory_summary().splitlines()
        assert len([line for line in lines if line.startswith("- 第")]) == 5
        assert "（共另有 7 条）" in lines


class TestConfiguration:
    def test_应该使用自定义相似度阈值(self):
        texts = ("必须使用 PostgreSQL", "必须使用 PostgreSQL 数据库")
        strict = MemoryConfig(similarity=SimilarityConfig(threshold=0.95))
        assert len(memory_of(*texts, config=strict).get_all_memories()) == 2
        assert len(memory_of(*texts).get_all_memories()) == 1
        exact = MemoryConfig(similarity=SimilarityConfig(enable_semantic_similarity=False))
        assert len(memory_of(*texts, config=exact).get_all_memories()) == 2
        assert len(memory_of(texts[0], "必须 使用PostgreSQL。", config=exact).get_all_memories()) == 1

    def test_应该使用自定义老化配置(self):
        quick = MemoryConfig(aging=AgingConfig(high_priority_half_life=60))
        memory = memory_of("端口改为 3001", config=quick, now=START)
        assert memory.get_all_memories(now=START + 61)[0].priority is MemoryPriority.MEDIUM
        never = MemoryConfig(aging=AgingConfig(enable_auto_aging=False))
        memory = memory_of("端口改为 3001", config=never, now=START)
        assert memory.get_all_memories(now=START + 1000 * DAY)[0].priority is MemoryPriority.HIGH


NAMED_PORTS = (("前端", 3001), ("后端", 8001))


def with_high(memory, count):
    """Add `count` different memories of one type and high priority."""
    for number in range(count):
        memory.remember(f"第 {number} 号约定见 docs/rule-{number}.md", type=MemoryType.WORKFLOW_PATTERN)
    return memory
