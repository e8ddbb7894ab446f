"""`holdfast demo`: the bundled session, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from condense.apps.cli.screens import session_screens as screens, show_memory_summary, show_receipt, tell
from memory.entries import MemoryPriority

if TYPE_CHECKING:
    from rich.console import Console

    from condense.compaction import Condensation
    from memory.conversation import Transcript
    from memory.engine import ConversationMemory

EXTRACT = 4
"""Lines of each section of the compacted context that are shown; chosen to fit a screen."""


_NOW_YOURS = (
    "To have it on your PATH: uv tool install 'holdfast-context[cli]'",
    "or pipx install 'holdfast-context[cli]'; in a clone, '.[cli]' with either",
    "Then, on your own session: holdfast condense latest -o smaller.json",
)


def show_demonstration(
    console: Console, transcript: Transcript, done: Condensation, memory: ConversationMemory
) -> None:
    """Show tokens, messages, typed messages and rules before and after, then memories, an extract, the receipt."""
    console.print(Text("A real Claude Code session, recorded on this project", "bold"))
    console.print(screens.header(transcript, done.report.typed_messages))
    console.print()
    console.print(screens.bars(console, done.prev_context_tokens, done.new_context_tokens, done.plan.target))
    console.print()
    console.print(screens.facts(_counts(transcript, done, memory)))
    console.print()
    show_memory_summary(console, memory)
    if done.record is not None:
        shown = screens.outline(done.summary, EXTRACT)
        console.print(screens.titled("what the agent sees instead of the folded messages", shown))
    show_receipt(console, transcript, done)
    console.print()
    for line in _NOW_YOURS:
        tell(console, line, "dim")


def _counts(transcript: Transcript, done: Condensation, memory: ConversationMemory) -> list[tuple[str, str]]:
    text = "\n".join(m.text for m in done.messages)
    important = (MemoryPriority.CRITICAL, MemoryPriority.HIGH)
    rules = [m for m in memory.get_all_memories() if m.priority in important and not m.is_proposal]
    kept = sum(m.content in text for m in rules)
    report = done.report
    return [
        ("messages", f"{len(transcript.messages):,} → {len(done.messages):,}"),
        (
            "typed by you",
            f"{report.typed_messages} messages, {report.typed_verbatim} still there word for word",
        ),
        ("rules and decisions", f"{len(rules)}, {kept} still there word for word"),
    ]
