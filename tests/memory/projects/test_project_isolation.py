"""Two projects in one file: whatever is done, no answer ever holds the other's memory; the file agrees with a model."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from stored_memories import stored

from memory import ConversationMemory
from memory.entries.entry import MemoryPriority, MemoryStatus, Slot
from memory.entries.stored import MemoryFilter, MemoryScope
from memory.projects.project_memory import PersistentMemoryManager
from memory.stores.in_memory import InMemoryStore
from memory.stores.sqlite.store import SqliteStore

PROJECTS = st.sampled_from(["p_one", "p_two"])
NAMES = st.sampled_from([f"m{number}" for number in range(6)])
TASKS = st.sampled_from(["t1", "t2"])
TEXTS = st.sampled_from(
    [
        "Always use PostgreSQL for the {} database",
        "The {} port is 3001",
        "Change the {} port to 4000 from now on",
        "Never push to main in {}",
        "数据库一律用 {} 的 PostgreSQL",
        "From now on no longer use PostgreSQL in {}",
    ]
)
QUERIES = st.sampled_from(["database", "port", "数据", "main", "p_one", "p_two", "postgres port main"])
MARKS = {"p_one": "quokka", "p_two": "narwhal"}
"""Words that stand in every text of a project and in none of the other's."""


class TwoProjects(RuleBasedStateMachine):
    """Operations on two projects, in a file and in the model."""

    @initialize()
    def open(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "store.db"
        self.file = SqliteStore(self.path, durability="normal")
        self.model = InMemoryStore()
        self.now = 1000.0

    def both(self, do):
        one, other = do(self.file), do(self.model)
        assert one == other
        return one

    def teardown(self):
        if hasattr(self, "file"):
            self.file.close()
            self.folder.cleanup()

    def check(self, project, memories):
        other = MARKS["p_two" if project == "p_one" else "p_one"]
        for memory in memories:
            assert memory.project == project
            assert other not in memory.entry.content

    @rule(
        project=PROJECTS,
        name=NAMES,
        task=TASKS,
        text=TEXTS,
        scope=st.sampled_from(MemoryScope),
        status=st.sampled_from(MemoryStatus),
        priority=st.sampled_from(MemoryPriority),
        pinned=st.booleans(),
        slots=st.sampled_from([(), (Slot("port", "1"),), (Slot("port", "2"), Slot("database", "x"))]),
    )
    def put(self, project, name, task, text, scope, status, priority, pinned, slots):
        memory = stored(
            name,
            text.format(MARKS[project]),
            project=project,
            scope=scope,
            pinned=pinned,
            task_id=task,
            status=status,
            priority=priority,
            slots=slots,
        )
        self.both(lambda store: store.put([memory]))

    @rule(project=PROJECTS, names=st.lists(NAMES, max_size=2))
    def delete(self, project, names):
        self.both(lambda store: store.delete(project, names))

    @rule(project=PROJECTS, task=TASKS)
    def clear_task(self, project, task):
        self.both(lambda store: store.clear_task(project, task))

    @rule(project=PROJECTS, names=st.lists(NAMES, max_size=3))
    def use(self, project, names):
        self.now += 1
        self.both(lambda store: store.record_access(project, names, self.now))

    @rule(project=PROJECTS, task=TASKS, text=TEXTS)
    def save_task(self, project, task, text):
        self.now += 1

        def save(store):
            manager = PersistentMemoryManager(store, project)
            memory = manager.restore_task(task) or ConversationMemory(task)
            said = {"role": "user", "content": text.format(MARKS[project])}
            memory.extract_memories([said], now=self.now)
            return manager.save_task(memory, now=self.now)

        saved = self.both(save)
        self.check(project, [*saved.new, *saved.strengthened])

    @rule(project=PROJECTS, name=NAMES, what=st.sampled_from(["accept", "dismiss", "pin", "forget"]))
    def review(self, project, name, what):
        self.both(lambda store: getattr(PersistentMemoryManager(store, project), what)(name))

    @rule(project=PROJECTS)
    def prune(self, project):
        self.both(lambda store: PersistentMemoryManager(store, project).prune_conversations(now=self.now, days=0))

    @rule(project=PROJECTS, query=QUERIES, task=st.sampled_from([(), ("t1",), ("t2",)]))
    def search(self, project, query, task):
        hits = self.both(lambda store: store.search(query, MemoryFilter(project, tasks=task, statuses=()), 20))
        self.check(project, [hit.memory for hit in hits])

    @rule(project=PROJECTS, query=QUERIES)
    def recall(self, project, query):
        lines = self.both(
            lambda store: PersistentMemoryManager(store, project).relevant_memories(query, 500, count_tokens=len)
        )
        assert not any(MARKS["p_two" if project == "p_one" else "p_one"] in line for line in lines)

    @rule()
    def open_again(self):
        self.file.close()
        self.file = SqliteStore(self.path, durability="normal")

    @invariant()
    def nothing_leaks(self):
        if not hasattr(self, "file"):
            return
        for project in MARKS:
            everything = MemoryFilter(project, statuses=())
            self.check(project, self.both(lambda store, wanted=everything: store.find(wanted)))
            self.both(lambda store, wanted=everything: store.statistics(wanted))
            self.both(lambda store, key=project: store.answering(key, ["port"]))


TwoProjects.TestCase.settings = settings(
    max_examples=25,
    stateful_step_count=40,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),  # shrinking takes minutes
    suppress_health_check=list(HealthCheck),
)
TestTwoProjects = pytest.mark.slow(TwoProjects.TestCase)
