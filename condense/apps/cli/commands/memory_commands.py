"""`holdfast memory`: what the tasks of this project share, to see, to review, to take along."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from condense.apps.cli.options import (
    EmbedderName,
    From,
    Json,
    Lenient,
    ModelDir,
    Most,
    Output,
    QdrantPlace,
    Where,
    show_help,
)
from condense.apps.cli.outputs import checked_output, json_bytes, write_file, write_stdout
from condense.apps.cli.refusals import Refusal, one_line
from condense.apps.cli.screens import (
    ID_DIGITS,
    graph_text,
    memory_table,
    payloads,
    search_table,
    session_screens as screens,
    tell,
    told_memory,
)
from condense.apps.cli.sessions import read_session, read_text, session_name, shown_warnings
from condense.apps.cli.workspaces import clock, open_model, open_project, open_workspace
from condense.apps.saving import save_session, title_of
from condense.apps.words import counted
from memory.consolidation import marked_text
from memory.entries import ACTIVE, MemoryStatus
from memory.errors import SnapshotError
from memory.projects import export_json, export_markdown, import_json, knowledge_graph, related_code

if TYPE_CHECKING:
    from pathlib import Path

    from memory.entries import StoredMemory
    from memory.projects import PersistentMemoryManager

memory = typer.Typer(name="memory", invoke_without_command=True, rich_markup_mode=None)


@memory.callback()
def helped(context: typer.Context) -> None:
    """Keep, review and find the memories of this project across its sessions, and take them along."""
    show_help(context)


Id = Annotated[str, typer.Argument(metavar="ID", help="A memory's id, or its first characters.")]


def _opened(
    workspace: str | None, *, qdrant: str | None = None, model: str | None = None, embedder: str | None = None
) -> tuple[PersistentMemoryManager, Path]:
    root = open_workspace(workspace).root
    project = open_project(root, qdrant=qdrant, embedder=open_model(model, embedder) if qdrant else None)
    if project.project is None:
        raise Refusal(f"{root} is in no git repository, and nothing is shared outside one")
    return project, root


def _known(project: PersistentMemoryManager, name: str) -> StoredMemory:
    found = project.get_memory(name)
    if found is None:
        many = name and any(one.id.startswith(name) for one in project.get_project_memories(statuses=()))
        told = "several memories of this project begin with" if many else "no memory of this project is called"
        raise Refusal(f"{told} {name!r}; holdfast memory list --all shows them")
    return found


def _answer(kind: str, values: dict[str, Any]) -> None:
    write_stdout(json_bytes(payloads.heading(f"memory {kind}") | values))


def _row(stored: StoredMemory) -> dict[str, Any]:
    entry = stored.entry
    return payloads.memory_of(entry) | {
        "created_at": entry.created_at or None,
        "last_accessed_at": entry.last_accessed_at or None,
        "pinned": stored.pinned,
        "sightings": [asdict(seen) | {"seen_at": seen.seen_at or None} for seen in stored.sightings],
    }


def _changed(kind: str, done: StoredMemory | None, name: str, *, as_json: bool) -> None:
    if done is None:
        raise Refusal(f"{name!r} cannot be changed: another memory took its place; see holdfast memory show {name}")
    if as_json:
        _answer(kind, {"memory": _row(done)})
    else:
        tell(
            screens.out(),
            f"{'dismissed' if kind == 'dismiss' else done.entry.status.value}"
            f"{', pinned' if done.pinned else ''}: {done.entry.content}",
        )


@memory.command("list")
def list_memories(
    *,
    pending: Annotated[bool, typer.Option("--pending", help="Only what nobody has reviewed yet.")] = False,
    every: Annotated[bool, typer.Option("--all", help="Superseded, dismissed and faded ones, too.")] = False,
    workspace: Where = None,
    as_json: Json = False,
) -> None:
    """Show what the project knows: pinned first, then the most important."""
    project, _ = _opened(workspace)
    statuses = () if every else (MemoryStatus.PENDING,) if pending else ACTIVE
    found = project.get_project_memories(statuses=statuses, now=0.0 if every else clock())
    if as_json:
        _answer("list", {"stats": asdict(project.statistics()), "memories": [_row(one) for one in found]})
    elif found:
        screens.out().print(memory_table(found))
    else:
        tell(
            screens.out(),
            "nothing is shared yet: holdfast memory save takes in the standing rules of a session; "
            "holdfast memories shows all that was said in one",
        )


@memory.command()
def save(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="A session file, or 'latest', the newest of this folder.")
    ] = "latest",
    *,
    form: From = None,
    lenient: Lenient = False,
    workspace: Where = None,
    as_json: Json = False,
) -> None:
    """Take in what you said in a session: rules and decisions are shared with the project, the rest is kept with it."""
    project, _ = _opened(workspace)
    transcript = read_session(file, form=form, lenient=lenient)
    for line in shown_warnings(transcript):
        tell(screens.err(), f"holdfast: {line}")
    task = session_name(transcript)
    title = title_of(transcript)
    said, done = save_session(project, task, lambda: transcript.messages, title=title, now=clock())
    if as_json:
        rows = {"new": [_row(m) for m in done.new], "strengthened": [_row(m) for m in done.strengthened]}
        _answer("save", {"task": task, **rows, "superseded": list(done.superseded)})
        return
    counts = f"{len(done.new)} new, {len(done.strengthened)} said again, {len(done.superseded)} superseded"
    known = {m.entry.id for m in project.get_project_memories(now=0.0)}
    own = sum(entry.id not in known for entry in said.get_all_memories()) - len(done.strengthened)
    of_task = f"; {own} more of this session's own (facts, errors, one-off instructions)" if own > 0 else ""
    tell(screens.out(), f"session {task}: {counts}{of_task}")
    if done.new:
        screens.out().print(memory_table(done.new))
    later = {m.id for m in (*done.new, *done.strengthened)}
    for one in project.get_project_memories(now=0.0):
        if any(mark.by in later for mark in one.entry.overtaken):
            tell(screens.out(), f"no longer holds whole: {marked_text(one.entry)} ({one.id[:ID_DIGITS]})")


@memory.command()
def search(
    query: Annotated[list[str], typer.Argument(help="A question or words.")],
    *,
    most: Most = 5,
    model: ModelDir = None,
    embedder: EmbedderName = None,
    qdrant: QdrantPlace = None,
    workspace: Where = None,
    as_json: Json = False,
) -> None:
    """Find memories by what they say, in your words or similar ones; with --qdrant and --model-dir by meaning, too."""
    words = " ".join(query).strip()
    if not words:
        raise Refusal("the query is empty; it should be a question or words (holdfast memory list shows all)")
    project, _ = _opened(workspace, qdrant=qdrant, model=model, embedder=embedder)
    hits = project.search(words, limit=most, now=clock())
    if as_json:
        rows = [_row(hit.memory) | {"score": hit.score, "matched": list(hit.matched)} for hit in hits]
        _answer("search", {"results": rows})
    elif hits:
        screens.out().print(search_table(hits))
    else:
        tell(screens.out(), "nothing found")


@memory.command()
def show(name: Id, *, workspace: Where = None, as_json: Json = False) -> None:
    """Show one memory: where it was said, what it replaced, which files it speaks of."""
    project, root = _opened(workspace)
    known = _known(project, name)
    chain = project.chain(known.id)
    places = related_code(known.entry, root)
    if as_json:
        rows = {"memory": _row(known), "chain": [_row(one) for one in chain]}
        _answer("show", rows | {"code": [asdict(place) for place in places]})
    else:
        write_stdout(told_memory(known, chain, places).encode("utf-8", "backslashreplace"))


@memory.command()
def accept(name: Id, *, workspace: Where = None, as_json: Json = False) -> None:
    """Keep a memory for good."""
    project, _ = _opened(workspace)
    _changed("accept", project.accept(_known(project, name).id), name, as_json=as_json)


@memory.command()
def dismiss(name: Id, *, workspace: Where = None, as_json: Json = False) -> None:
    """Sort a memory out: what it replaced holds again; saying it in passing does not bring it back."""
    project, _ = _opened(workspace)
    known = _known(project, name)
    _changed("dismiss", project.dismiss(known.id), name, as_json=as_json)
    for older in (project.get_memory(replaced) for replaced in known.entry.supersedes):
        if older is not None and older.entry.is_active and not as_json:
            tell(screens.out(), f"holds again: {older.entry.content} ({older.id})")


@memory.command()
def edit(
    name: Id,
    content: Annotated[str, typer.Argument(help="The new wording.")],
    *,
    workspace: Where = None,
    as_json: Json = False,
) -> None:
    """Give a memory other words."""
    project, _ = _opened(workspace)
    _changed("edit", project.edit(_known(project, name).id, content), name, as_json=as_json)


@memory.command()
def pin(
    name: Id,
    *,
    off: Annotated[bool, typer.Option("--off", help="Unpin it.")] = False,
    workspace: Where = None,
    as_json: Json = False,
) -> None:
    """Pin a memory: it comes first and never fades."""
    project, _ = _opened(workspace)
    _changed("pin", project.pin(_known(project, name).id, on=not off), name, as_json=as_json)


@memory.command()
def forget(
    name: Id,
    *,
    erase: Annotated[bool, typer.Option("--erase", help="Remove it from the store for good.")] = False,
    workspace: Where = None,
    as_json: Json = False,
) -> None:
    """Withdraw a memory; it stays visible with list --all unless it is erased."""
    project, _ = _opened(workspace)
    done = project.forget(_known(project, name).id, erase=erase)
    if not erase or done is None:
        _changed("forget", done, name, as_json=as_json)
    elif as_json:
        _answer("forget", {"memory": _row(done), "erased": True})
    else:
        tell(screens.out(), f"erased from the store for good: {done.entry.content}")


@memory.command("export")
def export_memories(
    *,
    markdown: Annotated[bool, typer.Option("--markdown", help="For people; JSON can be imported again.")] = False,
    language: Annotated[str, typer.Option("--language", help="Of the Markdown headings: en or zh.")] = "en",
    output: Output = None,
    workspace: Where = None,
) -> None:
    """Write all memories of the project out, superseded ones too."""
    place = checked_output(output, None)
    project, _ = _opened(workspace)
    found = project.get_project_memories(statuses=())
    content = (export_markdown(found, language) if markdown else export_json(found)).encode(
        "utf-8", "backslashreplace"
    )
    if place is None:
        write_stdout(content)
    else:
        write_file(place, content)
        tell(screens.out(), f"{counted(len(found), 'memory', 'memories')} written to {place}")


@memory.command("import")
def import_memories(
    file: Annotated[str, typer.Argument(metavar="FILE", help="What export wrote; '-' for standard input.")],
    *,
    workspace: Where = None,
    as_json: Json = False,
) -> None:
    """Take the memories of an export into this project; what is known here is never overwritten."""
    text = read_text(file)
    try:
        memories = import_json(text)
    except SnapshotError as error:
        where = "standard input" if file == "-" else file
        raise Refusal(one_line(f"{where}: {error}")) from error
    project, _ = _opened(workspace)
    done = project.import_memories(memories, now=clock())
    if as_json:
        _answer("import", asdict(done))
        return
    more = f", {done.superseded} superseded" if done.superseded else ""
    counts = f"{done.new} new, {done.strengthened} strengthened, {done.unchanged} unchanged{more}"
    tell(screens.out(), f"{counted(len(memories), 'memory', 'memories')} read: {counts}")


@memory.command()
def graph(*, workspace: Where = None, as_json: Json = False) -> None:
    """Show what belongs together: memories, files, technologies, settings."""
    project, _ = _opened(workspace)
    made = knowledge_graph(project.get_project_memories(now=clock()))
    if as_json:
        _answer("graph", asdict(made))
    elif made.nodes:
        write_stdout(graph_text(made).encode("utf-8", "backslashreplace"))
    else:
        tell(screens.out(), "nothing yet")
