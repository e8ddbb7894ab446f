"""`holdfast backfill`: take a company's archive of sessions in."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import Progress

from condense.apps.backfill import backfill as take_in, session_files
from condense.apps.cli.options import Json  # noqa: TC001  # typer reads it
from condense.apps.cli.outputs import json_bytes, write_stdout
from condense.apps.cli.refusals import Refusal
from condense.apps.cli.screens import payloads, session_screens as screens, tell
from condense.apps.words import counted
from memory.stores import open_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def backfill(
    folders: Annotated[
        list[str], typer.Argument(metavar="FOLDER...", help="Where sessions are: folders, or single files.")
    ],
    *,
    project: Annotated[
        str | None,
        typer.Option("--project", metavar="KEY", help="All belong to this project; else their folders tell."),
    ] = None,
    store: Annotated[
        str,
        typer.Option(
            "--store", metavar="URL", envvar="DATABASE_URL", help="A database; your own store when left out."
        ),
    ] = "",
    workers: Annotated[
        int | None,
        typer.Option("--workers", min=1, help="Processes that read; one a processor when left out."),
    ] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Read on the Ray cluster of RAY_ADDRESS, or here.")] = False,
    as_json: Json = False,
) -> None:
    """Take in all sessions of an archive: what people said, into the memories of their projects.

    Files that were taken in before are skipped, so it can be stopped and run again at any time.
    """
    try:
        files = session_files(folders)
        if not files:
            raise Refusal(f"no session was found in {', '.join(folders)}")
        mapper = _ray() if ray else None
        kept = open_store(store)
    except (FileNotFoundError, ImportError) as error:
        raise Refusal(str(error)) from error
    with Progress(console=screens.err(), disable=as_json or not screens.err().is_terminal) as shown:
        bar = shown.add_task("sessions", total=len(files))
        done = take_in(
            files,
            kept,
            workers=workers or os.cpu_count() or 1,
            clock=time.time,
            project=project,
            mapper=mapper,
            progress=lambda number, of: shown.update(bar, completed=number, total=of),
        )
    kept.close()
    failures = [{"file": one.file, "reason": one.reason} for one in done.failures]
    if as_json:
        counts = {"sessions": done.sessions, "messages": done.messages, "skipped": done.skipped}
        told = counts | {
            "projects": len(done.projects),
            "memories": dict(done.memories),
            "failures": failures,
        }
        write_stdout(json_bytes(payloads.heading("backfill") | told))
    else:
        for one in done.failures:
            tell(screens.err(), f"holdfast: {one.file}: {one.reason}")
        held = ", ".join(f"{number} {name}" for name, number in done.memories.items() if number) or "nothing new"
        tell(
            screens.out(),
            f"{counted(done.sessions, 'session')} of {counted(len(done.projects), 'project')}, "
            f"{counted(done.messages, 'message')}: {held}; "
            f"{counted(done.skipped, 'file')} known, {len(failures)} left out",
        )
    if by_hand := [one["file"] for one in failures if one["file"] in folders]:
        raise Refusal(f"nothing was taken of {', '.join(by_hand)}")


def _ray() -> Callable[..., Any]:
    from condense.apps.backfill import on_ray

    return on_ray
