"""Recommendations with reasons, the knowledge graph, related code, export and import."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, strategies as st
from stored_memories import entry, full, stored

from memory.entries.entry import MemoryStatus, MemoryType, Slot
from memory.errors import SnapshotError
from memory.projects.exporting import export_json, export_markdown, import_json, knowledge_graph
from memory.projects.project_memory import PersistentMemoryManager
from memory.projects.recommending import is_same_file, related_code
from memory.stores.in_memory import InMemoryStore


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("app.py", "src/app.py", True),
        ("./src/app.py", "src\\app.py", True),
        ("map.py", "src/app.py", False),
        ("p.py", "app.py", False),
        ("", "app.py", False),
        ("src/app.py", "lib/app.py", False),
    ],
)
def test_paths_are_compared_by_whole_names(one, other, same):
    assert is_same_file(one, other) is same
    assert is_same_file(other, one) is same


def graph_of_two_topics():
    return [
        stored("a", "app uses redis", related_files=("app.py",), related_tech=("redis",)),
        stored("b", "redis in app is slow", related_files=("app.py",), related_tech=("redis",)),
        stored("c", "port 1", slots=(Slot("port", "1"),), status=MemoryStatus.SUPERSEDED, superseded_by="d"),
        stored("d", "port 2", slots=(Slot("port", "2"),), supersedes=("c", "lost")),
        stored("alone", "be kind"),
    ]


def test_the_graph_joins_memories_with_what_they_name():
    graph = knowledge_graph(graph_of_two_topics())
    nodes = {node.id: node for node in graph.nodes}
    assert nodes["technology:redis"].weight == 2
    assert nodes["memory:a"].label == "app uses redis"
    edges = {(edge.source, edge.target): edge for edge in graph.edges}
    assert edges["memory:a", "file:app.py"].kind == "names"
    assert edges["file:app.py", "technology:redis"].weight == 1.0
    assert edges["memory:d", "memory:c"].kind == "supersedes"
    assert all({edge.source, edge.target} <= nodes.keys() for edge in graph.edges)
    assert [set(cluster) for cluster in graph.clusters] == [
        {"memory:a", "memory:b", "file:app.py", "technology:redis"},
        {"memory:c", "memory:d", "slot:port"},
    ]
    assert knowledge_graph([]).clusters == ()


class TestRelatedCode:
    @pytest.fixture
    def root(self, tmp_path):
        files = {
            "src/app.py": "def start_server(port):\n    return port\n",
            "src/store.py": "x = 1\n\n\ndef openLedger():\n    pass\n",
            "src/mail.py": "# newsletters are queued and sent at night by the worker\nqueue = []\n",
            "node_modules/app.py": "def start_server(): ...\n",
            ".hidden/app.py": "x",
            "data.bin.py": "a\0b",
        }
        for name, text in files.items():
            place = tmp_path / name
            place.parent.mkdir(exist_ok=True, parents=True)
            place.write_text(text)
        (tmp_path / "link.py").symlink_to("/etc/hosts")
        return tmp_path

    def found(self, root, content, **more):
        return [(one.path, one.line, one.reason) for one in related_code(entry(content=content, **more), root)]

    def test_by_path(self, root):
        assert self.found(root, "never edit it", related_files=("app.py",))[0] == ("src/app.py", 1, "path")

    def test_by_symbol(self, root):
        assert ("src/store.py", 4, "symbol") in self.found(root, "call `openLedger()` only once")

    def test_nothing_is_made_up(self, root):
        assert self.found(root, "zebras eat grass") == []
        assert related_code(entry(content="x"), root / "missing") == ()


def test_an_export_comes_back_as_it_was():
    memories = (full(), stored("b", "端口改为 3001", pinned=True))
    text = export_json(memories)
    assert "p_one" not in text
    project = PersistentMemoryManager(InMemoryStore(), "p_two")
    assert project.import_memories(import_json(text)).new == 2
    back = {memory.id: memory for memory in project.get_project_memories(statuses=())}
    assert back["b"].entry == memories[1].entry
    assert back["full"].entry == full().entry
    assert back["full"].sightings == full().sightings
    assert back["b"].pinned


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format":"holdfast-project-memory","version":9}', "\x00", "nul"]
)
def test_something_else_is_refused(text):
    with pytest.raises(SnapshotError, match=r"import|export"):
        import_json(text)


@given(st.text())
def test_a_damaged_export_is_refused(junk):
    value = json.loads(export_json([stored()]))
    value["memories"][0]["entry"]["priority"] = junk
    if junk not in ("critical", "high", "medium", "low"):
        with pytest.raises(SnapshotError, match="damaged"):
            import_json(json.dumps(value))


def test_markdown_tells_what_holds_from_what_no_longer_does_in_a_language_that_it_knows():
    memories = [
        stored("a", "Use pnpm", type=MemoryType.USER_INSTRUCTION, pinned=True, status=MemoryStatus.PERSISTED),
        stored("b", "port\n3001", type=MemoryType.CONFIGURATION, created_at=0.0),
        stored("c", "port 1", status=MemoryStatus.SUPERSEDED),
    ]
    for language in ("en", "zh"):
        lines = export_markdown(memories, language).split("\n")
        (kept, port, gone) = (line for line in lines if line.startswith("- "))
        assert "Use pnpm" in kept
        assert "port 3001" in port
        assert "~~port 1~~" in gone
    with pytest.raises(ValueError, match="language is 'xx'"):
        export_markdown([], "xx")
