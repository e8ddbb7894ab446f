"""`holdfast notes`: MEMORY.md of this folder's project, read and written line by line."""

from __future__ import annotations

from typing import Annotated

import typer

from condense.apps.cli.options import EmbedderName, Json, ModelDir, Most, Where, show_help
from condense.apps.cli.outputs import json_bytes, write_stdout
from condense.apps.cli.refusals import Refusal
from condense.apps.cli.screens import payloads, session_screens as screens, tell
from condense.apps.cli.sessions import read_text
from condense.apps.cli.workspaces import Workspace, open_model, open_workspace
from memory.notes import DEFAULT_LINES, DEFAULT_RECENT, MatchMode, citation_of

notes = typer.Typer(name="notes", invoke_without_command=True, rich_markup_mode=None)


@notes.callback()
def helped(context: typer.Context) -> None:
    """MEMORY.md: one line a memory, date|source|item；item, yours to edit."""
    show_help(context)


def _say(text: str) -> None:
    write_stdout((text + "\n").encode("utf-8", "backslashreplace"))


def _answer(kind: str, place: Workspace, values: dict[str, object]) -> None:
    head = payloads.heading(f"notes {kind}") | {"path": str(place.notebook.path)}
    write_stdout(json_bytes(head | values))


@notes.command()
def add(
    content: Annotated[str, typer.Argument(help="One or more items, parted by ；.")],
    *,
    source: Annotated[str, typer.Option("--source", help="Where it comes from.")] = "cli",
    workspace: Where = None,
    as_json: Json = False,
) -> None:
    """Write one line of today."""
    place = open_workspace(workspace)
    line = place.notebook.append_entry(source, content)
    total = place.notebook.get_stats()["total"]
    if as_json:
        _answer("add", place, {"line": line, "total": total})
    else:
        _say(place.notebook.say("written", content, line=line, total=total))
        tell(screens.err(), f"holdfast: {place.notebook.path}", "dim")


@notes.command()
def show(
    start: Annotated[int | None, typer.Argument(metavar="[START]", help="First line.", show_default=False)] = None,
    end: Annotated[int | None, typer.Argument(metavar="[END]", help="Last line.", show_default=False)] = None,
    *,
    workspace: Where = None,
    as_json: Json = False,
) -> None:
    """Show all lines with their numbers, or one, or some."""
    place = open_workspace(workspace)
    known = place.notebook.entries()
    if as_json:
        last = start if end is None else end
        shown = [e for e in known if start is None or start <= e.number <= (last or start)]
        _answer("show", place, {"lines": [_row(e.number, e.date, e.source, e.items) for e in shown]})
    elif not known:
        _say(f"there are no notes yet in {place.notebook.path}; holdfast notes add TEXT writes one")
    else:
        tell(screens.err(), f"holdfast: {place.notebook.path}", "dim")
        _say(place.notebook.get_recent(len(known)) if start is None else place.notebook.read_lines(start, end))


@notes.command()
def recent(
    count: Annotated[int, typer.Argument(min=1, help="How many.")] = DEFAULT_RECENT,
    *,
    workspace: Where = None,
) -> None:
    """Show the newest lines."""
    _say(open_workspace(workspace).notebook.get_recent(count))


@notes.command()
def search(
    keywords: Annotated[list[str], typer.Argument(help="Words; case does not matter.")],
    *,
    every: Annotated[bool, typer.Option("--and", help="Only lines that hold all of them.")] = False,
    passages: Annotated[
        bool,
        typer.Option("--passages", help="Search passages of MEMORY.md and memory/*.md by likeness instead."),
    ] = False,
    most: Most = DEFAULT_LINES,
    model: ModelDir = None,
    embedder: EmbedderName = None,
    workspace: Where = None,
    as_json: Json = False,
) -> None:
    """Find lines by keywords, or passages of all Markdown notes, with --model-dir by meaning, too."""
    if not "".join(keywords).strip():
        raise Refusal("the query is empty; it should be one or more words (holdfast notes show shows all)")
    place = open_workspace(workspace, embedder=open_model(model, embedder) if passages else None)
    if not passages:
        mode: MatchMode = "and" if every else "or"
        found = place.notebook.search(keywords, most, mode)
        if as_json:
            lines = [_row(e.number, e.date, e.source, e.items) for e in place.notebook.matches(keywords, mode)]
            total = place.notebook.get_stats()["total"]
            values = {"results": found, "lines": lines[:most], "matches": len(lines), "total": total}
            _answer("search", place, values)
        else:
            _say(found)
        return
    hits = place.documents.search(" ".join(keywords), most)
    if place.documents.embedder_error:
        tell(
            screens.err(),
            f"holdfast: the model failed ({place.documents.embedder_error}); found by words alone",
        )
    if as_json:
        rows = [
            {
                "path": hit.path,
                "startLine": hit.start_line,
                "endLine": hit.end_line,
                "snippet": hit.snippet,
                "score": hit.score,
            }
            for hit in hits
        ]
        _answer("search", place, {"results": rows})
    else:
        _say("\n\n".join(f"{citation_of(hit)}  {hit.score:.2f}\n{hit.snippet}" for hit in hits) or "nothing found")


@notes.command()
def delete(
    lines: Annotated[list[int], typer.Argument(min=1, help="Numbers of lines.")],
    *,
    workspace: Where = None,
) -> None:
    """Remove lines by their numbers."""
    gone = open_workspace(workspace).notebook.delete_lines(lines)
    if not gone:
        raise Refusal(f"MEMORY.md has none of the lines {', '.join(map(str, lines))}; see holdfast notes show")
    _say(f"removed: {gone}")


@notes.command()
def write(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A text, '-' for standard input.")],
    *,
    workspace: Where = None,
) -> None:
    """Put a text in place of the whole MEMORY.md."""
    text = read_text(file)
    place = open_workspace(workspace)
    place.notebook.write_all(text)
    _say(f"written: {place.notebook.path}")


@notes.command()
def stats(*, workspace: Where = None, as_json: Json = False) -> None:
    """Count the lines, by source."""
    place = open_workspace(workspace)
    known = place.notebook.get_stats()
    if as_json:
        _answer("stats", place, known)
        return
    sources = known["sources"]
    _say(f"{place.notebook.path}\nmemories  {known['total']}\ndates     {known['date_range'] or '-'}")
    for source, count in sources.items() if isinstance(sources, dict) else ():
        _say(f"  {count:>6}  {source}")


def _row(number: int, date: str, source: str, items: tuple[str, ...]) -> dict[str, object]:
    return {"line": number, "date": date, "source": source, "items": items}
