"""Whole screens: a compaction, a plan, a record."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from rich.text import Text

from condense.apps.cli.places import expand_options
from condense.apps.cli.refusals import one_line
from condense.apps.cli.screens import session_screens as screens
from condense.apps.cli.screens.payloads import bands_of
from condense.apps.words import counted
from condense.verifying import Finding
from memory.stores import store_elsewhere, store_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from condense.compaction import CompactionPlan, CompactionRecord, Condensation, MessageImportanceScore
    from condense.verifying import Fact, Verification
    from memory.conversation import Transcript
    from memory.engine import ConversationMemory

LARGEST = 10
"""Folded units listed in a receipt; chosen, all of them are in `holdfast report`."""


def tell(console: Console, text: str, style: str = "") -> None:
    """Say one line; on stderr, where logs read it, it is not broken either."""
    console.print(Text(screens.clean(one_line(text)), style), soft_wrap=console.stderr)


def show_condensation(
    console: Console, transcript: Transcript, done: Condensation, memory: ConversationMemory
) -> None:
    """Show before and after, what is remembered, and the receipt."""
    typed = done.report.typed_messages if done.record else None
    console.print(screens.header(transcript, typed))
    if done.record is None:
        if done.error is None:
            tell(
                console,
                f"{done.prev_context_tokens:,} tokens are within the target of {done.plan.target:,}; nothing to do",
            )
        return
    console.print()
    console.print(screens.bars(console, done.prev_context_tokens, done.new_context_tokens, done.plan.target))
    _tell_overhead(console, done.plan)
    console.print()
    show_memory_summary(console, memory)
    show_receipt(console, transcript, done)


def _tell_overhead(console: Console, plan: CompactionPlan) -> None:
    if plan.overhead:
        tell(console, f"{plan.overhead:,} of them in the system prompt and the tools, which stay", "dim")


def show_memory_summary(console: Console, memory: ConversationMemory) -> None:
    """Show what is remembered, framed; nothing where nothing is."""
    summary = memory.generate_memory_summary()
    if summary:
        console.print(screens.titled("remembered, in your words", screens.prose(summary), "green"))


def show_receipt(console: Console, transcript: Transcript, done: Condensation) -> None:
    """Show what was folded, by kind and level, with handles, and how it comes back."""
    record = done.record
    if record is None:
        return
    report = done.report
    console.print(Text("\nreceipt", "bold"))
    console.print(screens.folding(record.actions), "")
    console.print(screens.folded_rows(record.actions, cwd=transcript.cwd, most=LARGEST), "")
    rows = [
        ("messages", f"{record.length:,} before, {len(done.messages):,} after"),
        (
            "your words",
            f"{report.typed_verbatim} of {report.typed_messages} typed messages verbatim in the result",
        ),
        ("originals", f"{len(record.handles):,} kept"),
        ("record", record.id),
        *(("note", note) for note in report.notes),
    ]
    console.print(screens.facts(rows))
    if record.handles:
        command = f"holdfast expand {record.handles[0]}{expand_options(transcript)}"
        console.print(Text(screens.clean(f"fetch one from this folder: {command}")), soft_wrap=True)


def show_plan(console: Console, transcript: Transcript, plan: CompactionPlan, *, every: bool) -> None:
    """Show what a compaction would do and why; nothing has happened."""
    console.print(screens.header(transcript))
    if not plan.actions:
        if plan.tokens_before <= plan.target:
            tell(console, plan.error or "nothing to do")
        return
    console.print()
    console.print(screens.bars(console, plan.tokens_before, plan.tokens_after, plan.target))
    _tell_overhead(console, plan)
    console.print("", screens.folding(plan.actions), "")
    console.print(screens.reasons(plan.actions), "")
    console.print(screens.folded_rows(plan.actions, cwd=transcript.cwd, most=None if every else 4 * LARGEST))
    tell(console, "a plan: nothing was written, nothing is folded yet, and no handle can be fetched", "dim")


def show_record(console: Console, record: CompactionRecord, session: str, *, every: bool) -> None:
    """Show a compaction that was made earlier, of a session."""
    about = f"   {counted(record.length, 'message')}, {record.form}{f', session {session}' if session else ''}"
    console.print(Text.assemble((record.id, "bold"), (about, "dim")))
    console.print()
    console.print(screens.bars(console, record.tokens_before, record.tokens_after, record.target))
    console.print("", screens.folding(record.actions), "")
    console.print(screens.reasons(record.actions), "")
    console.print(screens.folded_rows(record.actions, most=None if every else 4 * LARGEST))
    place = "the store that HOLDFAST_STORE names" if store_elsewhere() else store_file()
    whose = f" --session {shlex.quote(session)}" if session else ""
    tell(console, f"originals are in {place}", "dim")
    command = screens.clean(f"fetch one from this folder: holdfast expand HANDLE{whose}")
    console.print(Text(command, "dim"), soft_wrap=True)  # to be copied


def show_scores(
    console: Console, transcript: Transcript, scores: Sequence[MessageImportanceScore], *, every: bool
) -> None:
    """Show how important the messages are, by band and one by one."""
    console.print(screens.header(transcript, sum(s.is_user_message for s in scores)))
    rows = [(b["band"].replace("_", " "), b["messages"], b["tokens"]) for b in bands_of(scores)]
    console.print("", screens.counts(("band", "messages", "tokens"), rows), "")
    console.print(screens.score_rows(scores, None if every else 4 * LARGEST))


def show_verification(console: Console, transcript: Transcript, found: Verification, *, every: bool) -> None:
    """Show what a summary kept, lost and made up."""
    console.print(screens.header(transcript))
    names = ("retained", "recoverable", "lost", "invented", "unsupported")
    console.print(screens.counts(("", *names), found.rows()))
    most = None if every else LARGEST
    for title, style in (("lost", "yellow"), ("invented", "red"), ("unsupported", "dim")):
        entries: tuple[Fact | Finding, ...] = getattr(found, title)
        if entries:
            console.print(Text(title, f"bold {style}"))
            console.print(screens.listed([_entry(e) for e in entries], most))
    if found.missing_critical:
        tell(
            console,
            f"missing from the summary: {counted(len(found.missing_critical), 'critical fact')}",
            "bold red",
        )
    tell(console, "ok" if found.ok else "not ok", "bold green" if found.ok else "bold red")


def _entry(entry: Fact | Finding) -> tuple[str, str, str]:
    if isinstance(entry, Finding):
        return entry.kind.value, entry.text, f"line {entry.line}: {entry.reason}"
    return entry.kind.value, entry.text, "critical" if entry.critical else ""
