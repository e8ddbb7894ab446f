"""The laws of ARCHITECTURE.md, read off the code: rooms, front doors, imports, sizes, names, catch-alls."""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("memory", "condense")
MODULES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py"))
EDGES = (
    "memory.stores",
    "memory.projects.opening",  # the system's clock and the default store, for the package's front door
    "memory.tools.mcp_server",
    "condense.adapters",
    "condense.apps",
    "condense.testing",
)
CORE_THIRD_PARTY = {"pydantic", "regex", "orjson", "tiktoken"}
MOST_AT_THE_TOP, MOST_FILES, MOST_FLOORS = 14, 16, 8
CATCH_ALLS = {
    "memory.engine": 1,
    "condense.compaction.archive": 1,
    "condense.compaction.condenser": 2,
    "condense.summarizing.conversation": 1,
    "condense.summarizing.requests": 1,
    "condense.adapters.anthropic": 2,
    "condense.adapters.conversations": 3,
    "condense.adapters.crewai": 1,
    "condense.adapters.google_adk": 1,
    "condense.adapters.langchain": 2,
    "condense.adapters.openai": 2,
    "condense.adapters.requests": 1,
    "condense.adapters.openai_agents": 1,
    "condense.adapters.pydantic_ai": 2,
    "condense.adapters.threads.embedding": 2,
    "condense.adapters.threads.keeping": 3,
    "condense.adapters.threads.langgraph": 2,
    "condense.apps.models": 1,
    "condense.apps.cli.running": 1,
    "condense.apps.doctor.examining": 1,
    "condense.apps.doctor.memories": 4,
    "condense.apps.hooks.__main__": 1,
    "condense.apps.hooks.events": 1,
    "condense.apps.proxy.server": 1,
    "memory.tools.mcp_server": 1,
    "memory.search.hybrid": 1,
    "memory.stores.embedding": 1,
    "memory.stores.indexed": 1,
    "memory.stores.plugins": 4,
    "memory.stores.qdrant.store": 2,
}
"""`except Exception` and where it may stand: the outermost doors of the library, and around calls of a summariser and
of a provider's SDK (sync and async each, and where a client is made), of an embedder, of fastembed and of Qdrant, of
what a plug-in brings, of whatever the doctor examines; and
where a framework's agent calls us."""


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    return ".".join(module.split(".")[:2])


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


KNOWN = {name_of(p) for p in MODULES}
FOLDERS = {name_of(p) for p in MODULES if p.name == "__init__.py"} - set(PACKAGES)


def imports_of(path: Path) -> set[str]:
    """What a file imports, wherever in it; a module that a folder of the same room hands out counts as the folder."""
    found = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            subs = {f"{node.module}.{alias.name}" for alias in node.names} & KNOWN
            handed_out = room_of(node.module) == room_of(name_of(path)) != node.module
            found |= {node.module} if handed_out else subs or {node.module}
    return found


OURS = {p: {i for i in imports_of(p) if i.split(".")[0] in PACKAGES} for p in MODULES}


def rooms() -> list[str]:
    """The rooms as ARCHITECTURE.md lists them, lowest first."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `((?:memory|condense)\.\w+)` \|", text, re.MULTILINE)


def test_the_map_names_every_room():
    there = {room_of(name) for name in KNOWN} - set(PACKAGES)
    assert set(rooms()) == there
    assert len(rooms()) == len(there)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_run_up_the_map_and_through_front_doors(path):
    me = name_of(path)
    order = {name: at for at, name in enumerate(rooms())}
    for target in OURS[path]:
        assert not (me.startswith("memory") and target.startswith("condense")), (me, target)
        if target in PACKAGES:
            continue
        if me not in PACKAGES and room_of(target) != room_of(me):
            assert order[room_of(target)] < order[room_of(me)], f"{me} imports {target}, which stands below it"
        past = [f for f in FOLDERS if target.startswith(f + ".") and not (me + ".").startswith(f + ".")]
        inside = path.name == "__init__.py" and target.startswith(me + ".")
        assert not past or inside, f"{me} imports {target} past the front door of {past}"


def test_no_module_imports_itself_by_way_of_others():
    graph = {name_of(p): {i for i in OURS[p] if i in KNOWN} for p in MODULES if p.name != "__init__.py"}
    assert list(TopologicalSorter(graph).static_order())


def test_front_doors_lead_to_what_they_name():
    for path in MODULES:
        if path.name != "__init__.py" or "front_door(" not in path.read_text(encoding="utf-8"):
            continue
        package = name_of(path)
        typed = {
            (f"{node.module}", alias.name)
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(package + ".")
            for alias in node.names
        }
        (table,) = [
            node
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.Dict) and node.keys and all(isinstance(k, ast.Constant) for k in node.keys)
        ]
        loaded = {
            (f"{package}.{module}", name)
            for module, names in ast.literal_eval(table).items()
            for name in names.split()
        }
        assert typed == loaded, package


def test_no_package_is_too_wide_or_too_deep():
    for package in PACKAGES:
        top = [p for p in (ROOT / package).iterdir() if p.is_file() or next(p.rglob("*.py"), None)]
        assert len(top) <= MOST_AT_THE_TOP, (package, sorted(p.name for p in top))
        for folder in (ROOT / package).rglob("*/"):
            files = [p for p in folder.iterdir() if p.is_file() and folder.name != "__pycache__"]
            assert len(files) <= MOST_FILES, (folder, len(files))
        below = defaultdict(set)
        for path, targets in OURS.items():
            me = room_of(name_of(path))
            if me.startswith(package + "."):
                below[me] |= {room_of(t) for t in targets if t.startswith(package + ".")} - {me}
        floor: dict[str, int] = {}
        for room in TopologicalSorter(below).static_order():
            floor[room] = 1 + max((floor[other] for other in below[room]), default=0)
        assert max(floor.values()) <= MOST_FLOORS, floor


def test_nothing_inside_imports_an_edge():
    for path in MODULES:
        name = name_of(path)
        if name in PACKAGES or name.startswith(EDGES) or path.name == "__init__.py":
            continue
        assert not any(i.startswith(EDGES) for i in OURS[path]), path


def test_core_files_use_no_clock_no_chance_no_network_no_environment():
    banned = {"time", "random", "socket", "logging", "urllib", "http"}
    for path in MODULES:
        name = name_of(path)
        if name.startswith(EDGES) or name in PACKAGES:
            continue
        assert not {i.split(".")[0] for i in imports_of(path)} & banned, name
        text = path.read_text(encoding="utf-8")
        # tiktoken's own variables, which tiktoken reads all the same: the folder of its ranks
        assert "os.environ" not in text or name == "memory.conversation.tokens.counting", name
        assert "os.getenv" not in text, name
        assert not re.search(r"\bdatetime\.(now|utcnow|today)\(", text), name


def test_third_party_packages_beyond_the_core_stay_in_edges():
    for path in MODULES:
        if not name_of(path).startswith(EDGES):
            foreign = {i.split(".")[0] for i in imports_of(path)} - set(PACKAGES)
            assert {f for f in foreign if f not in sys.stdlib_module_names} <= CORE_THIRD_PARTY, path


def test_files_and_functions_stay_small():
    for path in MODULES:
        text = path.read_text(encoding="utf-8")
        lines = len(text.splitlines())
        assert lines <= 350 or "longer than the house allows" in text[:1500], (path, lines)
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                assert (node.end_lineno or 0) - node.lineno <= 75, (path, node.name)


def test_names_say_something():
    bad = re.compile(r"(?i)(^|_)(manager|handler|helpers?|utils?|common|service|misc)s?($|_)")
    for path in MODULES:
        assert not bad.search(path.stem), path
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ClassDef):
                words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", node.name)
                assert not bad.search(words) or node.name == "PersistentMemoryManager", (path, node.name)


def test_catch_alls_are_counted():
    for path in MODULES:
        name = name_of(path)
        caught = [node.type for node in ast.walk(tree_of(path)) if isinstance(node, ast.ExceptHandler)]
        words = [set() if one is None else set(re.findall(r"\w+", ast.unparse(one))) for one in caught]
        count = sum(not one or bool(one & {"Exception", "BaseException"}) for one in words)
        assert count == CATCH_ALLS.get(name, 0), (name, count)


def test_every_process_that_a_test_starts_has_a_limit():
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "subprocess.run":
                assert any(given.arg == "timeout" for given in node.keywords), (path, node.lineno)
            if isinstance(node, ast.With) and path.name not in ("processes.py", "test_mcp_server.py"):
                starts = [ast.unparse(item.context_expr) for item in node.items]
                assert not any(start.startswith("subprocess.Popen") for start in starts), (path, node.lineno)


def test_nothing_is_left_unfinished():
    for path in [*MODULES, *sorted((ROOT / "tests").rglob("*.py"))]:
        if path.name != "test_house.py":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"\b(TODO|FIXME|XXX|NotImplementedError)\b", text), path


def test_the_project_names_no_machine_and_no_workplace():
    pattern = re.compile(r"/(work|root|home)/(?!you|user|me\b)\w+|\.\./shared\b")
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.*"), ROOT / "mkdocs.yml"]
    for path in [*MODULES, *(page for page in pages if page.suffix in {".md", ".py", ".yml", ".svg"})]:
        found = pattern.search(path.read_text(encoding="utf-8"))
        assert not found, (path, found)
