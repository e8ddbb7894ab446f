"""What people and agents read, word for word: `make golden` writes these files anew, and the diff shows what changed.

Wording is tested here alone; all other tests ask for what a text says, not how.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from stored_memories import stored
from typer.testing import CliRunner

from condense import CondenseConfig, Condenser, TokenBudget
from condense.apps.cli.running import command_line
from condense.apps.handoff import carry
from condense.testing import demo_session
from condense.verifying import verify
from memory import ConversationMemory, read_transcript
from memory.entries.entry import MemoryStatus, MemoryType
from memory.projects.exporting import export_markdown
from memory.tools.offering import guidance_for

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parent / "texts"
WRITE = "HOLDFAST_GOLDEN"

CHINESE = [
    {
        "role": "user",
        "content": "必须使用 PostgreSQL 数据库。端口改为 3001。不要改测试目录。请修复登录页面。",
    },
    {"role": "assistant", "content": "好的，我先看登录页面的代码。"},
    {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "src/login.py"}}],
    },
    {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "def login():\n    return 401\n"}],
    },
    {"role": "assistant", "content": "登录页面返回 401，我来修复。"},
    {"role": "user", "content": "端口改成 4000。继续。"},
]
ENGLISH = [
    {
        "role": "user",
        "content": "Always use PostgreSQL, never MySQL. The port is 3001. Build the search page.",
    },
    {"role": "assistant", "content": "Search is by title."},
    {"role": "user", "content": "Actually use port 4000. Never touch the migrations folder."},
]

KNOWN = [
    stored("a", "Use pnpm", type=MemoryType.USER_INSTRUCTION, pinned=True, status=MemoryStatus.PERSISTED),
    stored("b", "port\n3001", type=MemoryType.CONFIGURATION, created_at=0.0),
    stored("c", "port 1", status=MemoryStatus.SUPERSEDED),
]


def count(text: str) -> int:
    """Count tokens the same on every machine."""
    return (len(text.encode("utf-8", "replace")) + 3) // 4


def condenser() -> Condenser:
    config = CondenseConfig(budget=TokenBudget.for_window(32_000))
    return Condenser(config, count_tokens=count, memory=ConversationMemory("golden"))


def summary_of_memories(messages: list[dict]) -> str:
    memory = ConversationMemory("golden")
    memory.extract_memories(messages)
    return memory.generate_memory_summary()


def help_of(*words: str) -> str:
    result = CliRunner(env={"COLUMNS": "100"}).invoke(command_line(words[0] if words else ""), [*words, "--help"])
    return result.output


TEXTS: dict[str, Callable[[], str]] = {
    "ledger-en": lambda: condenser().condense(read_transcript(demo_session()), target=4_000).summary,
    "ledger-zh": lambda: condenser().summarize(CHINESE, target=2_000).summary,
    "ledger-focus": lambda: condenser().summarize(ENGLISH, target=2_000, focus="search by title").summary,
    "plan": lambda: str(condenser().plan(read_transcript(demo_session()), target=4_000)),
    "memories-en": lambda: summary_of_memories(ENGLISH),
    "memories-zh": lambda: summary_of_memories(CHINESE),
    "guidance-notebook": lambda: guidance_for(["memory_write", "memory_search", "memory_read"], language="zh"),
    "guidance-markdown": lambda: guidance_for(["memory_search", "memory_get"]),
    "project-en": lambda: export_markdown(KNOWN),
    "project-zh": lambda: export_markdown(KNOWN, "zh"),
    "verification": lambda: verify(
        "We built a page on port 8765 with MySQL; the user approved it.",
        read_transcript(demo_session()).messages,
    ).table(limit=5),
    "handoff": lambda: carry(read_transcript(demo_session()), condenser(), 2_000).text,
    "help": help_of,
    "help-proxy": lambda: help_of("proxy"),
    "help-install": lambda: help_of("install"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_reads_as_it_did(name):
    place = FOLDER / f"{name}.txt"
    text = TEXTS[name]().rstrip() + "\n"
    if os.environ.get(WRITE):
        FOLDER.mkdir(exist_ok=True)
        place.write_text(text, "utf-8")
    assert text == place.read_text("utf-8")


def test_no_file_is_left_without_its_text():
    assert {place.stem for place in FOLDER.iterdir()} == set(TEXTS)
