"""What people see in a terminal: bars, tables, panels.  Everything of a session is shown as plain, cleaned text."""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from rich import box
from rich.console import Console, Group
from rich.panel import Panel
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from condense.apps.cli.screens.payloads import folding_of
from condense.apps.words import counted
from memory.consolidation import marked_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import RenderableType

    from condense.compaction import Action, MessageImportanceScore
    from memory.conversation import Transcript
    from memory.entries import MemoryEntry

WIDEST = 100
"""Columns; longer lines are hard to read.  Chosen."""

BAR = 40
"""Cells of a bar at most; chosen."""

BESIDE_BAR = 42
"""Columns that label, tokens and note beside a bar take."""

KINDS = {
    "typed": "your words",
    "turn": "the assistant's turns",
    "note": "client notes",
    "system": "instructions",
    "context": "earlier compaction",
}
LEVELS = {
    "verbatim": ("kept word for word", "green"),
    "reduced": ("cut down", "cyan"),
    "line": ("lines kept", "yellow"),
    "folded": ("folded away", "magenta"),
}
PRIORITIES = {"critical": "bold red", "high": "yellow", "medium": "cyan", "low": "dim"}

BANDS = {"must_keep": "bold red", "keep_first": "yellow", "may_compress": "cyan", "may_drop": "dim"}

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def out() -> Console:
    """Open the console on stdout."""
    return _console(stderr=False)


def err() -> Console:
    """Open the console on stderr."""
    return _console(stderr=True)


class _Screen(Console):
    """A console that leaves a reader who went away to whoever runs the command; rich would exit with code 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def _console(*, stderr: bool) -> Console:
    file = sys.stderr if stderr else sys.stdout
    width = min(_columns(file), WIDEST)
    return _Screen(file=file, stderr=stderr, width=width, height=40, highlight=False, markup=False, emoji=False)


def _columns(file: TextIO) -> int:
    """Count the terminal's columns; `COLUMNS` decides where it is set, and the widest serves without a terminal."""
    wanted = os.environ.get("COLUMNS", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    try:
        return os.get_terminal_size(file.fileno()).columns or WIDEST
    except (OSError, ValueError):
        return WIDEST


@contextmanager
def working(what: str) -> Iterator[None]:
    """Show on stderr that something is being done, while it is; nothing where stderr is no terminal."""
    console = err()
    if not console.is_terminal:
        yield
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        progress.add_task(what, total=None)
        yield


def clean(text: str) -> str:
    """Take out what could steer a terminal: control characters, bidirectional marks, lone surrogates."""
    return _CONTROL.sub("�", text.replace("\r\n", "\n").expandtabs(4))


def one_row(text: str, width: int) -> str:
    """Fit a text into one row of a table."""
    flat = clean(" ".join(text.split()))
    return flat if len(flat) <= width else flat[: width - 1] + "…"


def header(transcript: Transcript, typed: int | None = None) -> Text:
    """Say which session this is, on one line."""
    name = transcript.path.rsplit("/", 1)[-1] if transcript.path and transcript.path != "-" else "standard input"
    facts = [str(transcript.format), counted(len(transcript.messages), "message")]
    if typed is not None:
        facts.append(f"{typed:,} typed by you")
    return Text.assemble((clean(name), "bold"), (f"   {' · '.join(facts)}", "dim"))


def bars(console: Console, before: int, after: int, target: int | None = None) -> Group:
    """Draw tokens before and after as two bars that fit the console."""
    width = max(5, min(BAR, console.width - BESIDE_BAR))
    saved = f"-{100 * (before - after) / before:.0f} %" if before and after < before else ""
    aim = f"target {target:,}" if target is not None else ""
    rows = Table.grid(padding=(0, 1))
    for label, tokens, style, note in (("before", before, "red", aim), ("after", after, "green", saved)):
        cells = max(1, round(width * tokens / max(before, after, 1)))
        rows.add_row(
            Text(label, "dim"),
            Text("█" * cells + "·" * (width - cells), style),
            Text(f"{tokens:>9,} tokens", "bold", justify="right"),
            Text(note, "bold green" if style == "green" else "dim"),
        )
    return Group(rows)


def facts(rows: Iterable[tuple[str, str]]) -> Table:
    """Set out names and values in two columns."""
    table = Table.grid(padding=(0, 2))
    for name, value in rows:
        table.add_row(Text(name, "dim"), Text(clean(value)))
    return table


def titled(title: str, body: RenderableType, style: str = "cyan") -> Panel:
    """Put a frame with a title around something."""
    return Panel(
        body,
        title=Text(f" {title} ", f"bold {style}"),
        title_align="left",
        border_style=style,
        padding=(0, 1),
    )


def prose(text: str) -> Table:
    """Show Markdown-like text: headings bold, items with a hanging indent, the rest as it is."""
    shown = Table.grid(padding=(0, 1))
    shown.add_column(width=1)
    shown.add_column(overflow="fold")
    for line in clean(text).strip().split("\n"):
        plain = line.replace("**", "").strip()
        if line.startswith(("#", "**")):
            shown.add_row("", Text(plain.lstrip("# "), "bold" if line.startswith("#") else "dim"))
        elif line.startswith("- "):
            shown.add_row("·", plain[2:])
        elif plain:
            shown.add_row("", plain)
    return shown


def outline(text: str, lines: int) -> Text:
    """Show the beginning of each section of a ledger, and how much more of it there is."""
    made = Text(overflow="fold")
    for section in re.split(r"\n(?=# )", clean(text).strip()):
        head, *body = [line for line in section.split("\n") if line.strip()]
        made.append(head + "\n", "bold" if head.startswith("# ") else "dim")
        for line in body[:lines]:
            made.append(one_row(line, WIDEST - 6) + "\n")
        if len(body) > lines:
            made.append(f"  … {counted(len(body) - lines, 'more line')}\n", "dim")
    made.rstrip()
    return made


def folding(actions: Sequence[Action]) -> Table:
    """Count what became of the units, by kind and level."""
    table = _table(
        ("what", ""), ("became of it", ""), ("units", "right"), ("tokens before", "right"), ("after", "right")
    )
    for row in sorted(
        folding_of(actions), key=lambda r: (list(KINDS).index(r["kind"]), list(LEVELS).index(r["level"]))
    ):
        level, style = LEVELS[row["level"]]
        table.add_row(
            KINDS[row["kind"]],
            Text(level, style),
            f"{row['units']:,}",
            f"{row['tokens_before']:,}",
            f"{row['tokens_after']:,}",
        )
    return table


def folded_rows(actions: Sequence[Action], *, cwd: str | None = None, most: int | None = None) -> Table:
    """List what does not stay whole: where, what, tokens, what becomes of it, and the handle that fetches it.

    Args:
        actions: of the plan or record.
        cwd: the folder the agent worked in; paths are shown without it.
        most: rows at most, the largest ones; None for all.
    """
    table = _table(
        ("messages", "right"), ("what it was", "wide"), ("tokens", "right"), ("becomes", ""), ("handle", "")
    )
    changed = [a for a in actions if a.handles]
    shown = changed
    if most is not None and len(changed) > most:
        largest = sorted(changed, key=lambda a: a.tokens_before - a.tokens_after, reverse=True)[:most]
        shown = sorted(largest, key=lambda a: a.start)
    for action in shown:
        _, style = LEVELS[action.level.value]
        span = f"{action.start}" if action.end - action.start == 1 else f"{action.start}-{action.end - 1}"
        table.add_row(
            span,
            one_row(_without(cwd, action.label) or KINDS.get(action.kind, action.kind), WIDEST),
            f"{action.tokens_before:,} → {action.tokens_after:,}",
            Text(action.level.value, style, no_wrap=True),
            Text(action.handles[0], "dim", no_wrap=True),
        )
    if len(changed) > len(shown):
        table.caption = f"the {len(shown)} largest of {len(changed)}"
        table.caption_justify = "left"
    return table


def _without(cwd: str | None, label: str) -> str:
    return label.replace(f"{cwd.rstrip('/')}/", "") if cwd else label


def reasons(actions: Sequence[Action]) -> Table:
    """Count the reasons."""
    counted: dict[tuple[str, str], list[int]] = {}
    for action in actions:
        sums = counted.setdefault((action.level.value, action.reason), [0, 0])
        sums[0] += 1
        sums[1] += action.tokens_before - action.tokens_after
    table = _table(("becomes", ""), ("why", ""), ("units", "right"), ("tokens saved", "right"))
    for (level, reason), (units, saved) in sorted(counted.items(), key=lambda item: list(LEVELS).index(item[0][0])):
        name, style = LEVELS[level]
        table.add_row(Text(name, style), clean(reason), f"{units:,}", f"{saved:,}")
    return table


def memory_rows(entries: Sequence[MemoryEntry]) -> Table:
    """List memories: priority, type, words; retired ones struck through."""
    table = _table(("priority", ""), ("type", ""), ("in your words", "words"), ("about", ""))
    for entry in entries:
        words = words_of(entry)
        if not entry.is_active:
            words.append(f"  {entry.status.value}", "dim")
        about = ", ".join(
            dict.fromkeys([*(s.name for s in entry.slots), *entry.related_tech, *entry.related_files])
        )
        table.add_row(
            Text(entry.priority.value, PRIORITIES[entry.priority.value]),
            Text(entry.type.value.replace("_", " "), "dim", no_wrap=True),
            words,
            Text(one_row(about, 24), "dim", no_wrap=True),
        )
    return table


def words_of(entry: MemoryEntry) -> Text:
    """Show the words of a memory: retired ones struck through, the agent's said to be the agent's."""
    words = Text(one_row(marked_text(entry), 400), "" if entry.is_active else "strike dim")
    return words.append("  the agent's words, proposed", "dim") if entry.is_proposal else words


def score_rows(scores: Sequence[MessageImportanceScore], most: int | None = None) -> Table:
    """List scores in the order of the messages; at most so many, then the most important ones."""
    table = _table(("message", "right"), ("from", ""), ("score", "right"), ("why", "words"), ("tokens", "right"))
    order = sorted(range(len(scores)), key=lambda i: (-scores[i].score, i))
    for i in sorted(order[:most]):
        score = scores[i]
        table.add_row(
            f"{i}",
            "you" if score.is_user_message else "tool" if score.message.results else score.message.role.value,
            Text(f"{score.score}", BANDS[score.band.value]),
            clean("; ".join(score.reasons)),
            f"{score.token_count:,}",
        )
    if most is not None and len(scores) > most:
        table.caption = f"the {most} most important of {len(scores)}; --all shows them all"
        table.caption_justify = "left"
    return table


def counts(names: Sequence[str], rows: Iterable[Sequence[str | int]]) -> Table:
    """Set out counts: a name and numbers a row; zeros are dim."""
    table = _table(*((name, "right" if at else "") for at, name in enumerate(names)))
    for first, *numbers in rows:
        table.add_row(str(first), *(Text(f"{number:,}", "" if number else "dim") for number in numbers))
    return table


def listed(rows: Sequence[tuple[str, str, str]], most: int | None = None) -> Table:
    """List kinds, texts and remarks, at most so many."""
    table = Table.grid(padding=(0, 2), expand=True)
    table.add_column(no_wrap=True)
    table.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_column(overflow="fold")
    for kind, text, remark in rows[:most]:
        table.add_row(Text(f"  {kind}", "dim"), one_row(text, 2 * WIDEST), Text(clean(remark), "dim"))
    if most is not None and len(rows) > most:
        table.add_row("", Text(f"… {len(rows) - most} more; --all shows them", "dim"), "")
    return table


def _table(*columns: tuple[str, str]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="dim", expand=False)
    for name, justify in columns:
        if justify == "wide":
            table.expand = True
            table.add_column(name, ratio=1, no_wrap=True, overflow="ellipsis")
        elif justify == "words":
            table.expand = True
            table.add_column(name, ratio=1, overflow="fold")
        else:
            table.add_column(name, justify="right" if justify == "right" else "left")
    return table
