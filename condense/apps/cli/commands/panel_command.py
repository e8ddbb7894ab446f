"""`holdfast panel`: see what was kept, dropped and remembered, and decide."""

from __future__ import annotations

import os
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from condense.apps.cli.refusals import Refusal, reason_of
from memory.errors import MemoryFailure

if TYPE_CHECKING:
    from memory.stores import SqlStore

NEEDED = ("starlette", "uvicorn", "sse_starlette", "jinja2")


def panel(
    *,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Where to listen; 0: any.")] = 7474,
    browser: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    project: Annotated[
        str | None,
        typer.Option("--project", metavar="DIR", help="Whose project it shows first; the current folder's."),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="Where to listen; others than you need its token.")
    ] = "127.0.0.1",
    threads: Annotated[
        str | None,
        typer.Option(
            "--threads",
            metavar="URL",
            envvar="DATABASE_URL",
            help="Also show the conversations in this database; your own when left out.",
        ),
    ] = None,
) -> None:
    """Show in the browser what was kept, dropped and remembered; review memories, take compactions back.

    The address that is printed holds a token; nobody gets in without it.
    """
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise Refusal(f"the panel needs {', '.join(missing)}: pip install 'holdfast-context[panel]'")
    from condense.apps.panel import PanelSettings, serve

    folder = Path(project).expanduser() if project else Path.cwd()
    if not folder.is_dir():
        raise Refusal(f"--project {project!r} is not a folder")
    claude_code, codex = (
        Path(place).expanduser() if (place := os.environ.get(name)) else None
        for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME")
    )

    def ready(address: str) -> None:
        typer.echo(f"holdfast: the panel is at {address}", err=True)
        if browser:
            webbrowser.open(address)

    try:
        serve(
            PanelSettings(
                folder.resolve(), host, port, claude_code=claude_code, codex=codex, threads=_opened(threads)
            ),
            ready=ready,
        )
    except OSError as error:
        raise Refusal(f"cannot listen on {host}:{port}: {reason_of(error)}") from error


def _opened(url: str | None) -> SqlStore | None:
    """Return the store of threads; where it does not open, the panel goes without and says so."""
    try:
        from memory.stores import has_sql_store, open_sql  # what they need is an extra of its own
    except ImportError:
        if not url:
            return None
        typer.echo("holdfast: threads are not shown: pip install 'holdfast-context[sql]'", err=True)
        return None
    if not url and not has_sql_store():
        return None
    try:
        return open_sql(url or None)
    except (ImportError, MemoryFailure) as error:
        typer.echo(f"holdfast: threads are not shown: {error}", err=True)
        return None
