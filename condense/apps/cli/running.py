"""Run one command: parse, do, and turn whatever goes wrong into one line and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
import warnings
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.main import get_command

from condense.apps.cli.refusals import (
    EXIT_BROKEN_PIPE,
    EXIT_INTERRUPTED,
    EXIT_REFUSED,
    EXPECTED,
    Refusal,
    one_line,
    reason_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_USAGE: Any = typer.BadParameter.__mro__[2]
"""The root of all complaints about arguments; its module differs between releases of typer."""

STORE = "HOLDFAST_STORE"
DEBUG = "HOLDFAST_DEBUG"
"""Set to anything, this variable lets tracebacks through."""


def run(arguments: Sequence[str]) -> int:
    """Run the command line; see `condense.apps.cli.main` for the exit codes."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]  # TextIOWrapper has it
    warnings.formatwarning = lambda message, *_, **__: f"holdfast: {one_line(str(message))}\n"
    try:
        return _run(arguments)
    except Refusal as refusal:
        return _refuse(refusal.reason, refusal.code)
    except (KeyboardInterrupt, typer.Abort):
        return _refuse("interrupted; nothing was written", EXIT_INTERRUPTED)
    except BrokenPipeError:
        _abandon_stdout()
        return EXIT_BROKEN_PIPE
    except _USAGE as wrong:
        command = wrong.ctx.command_path if wrong.ctx else "holdfast"
        return _refuse(one_line(f"{wrong.format_message()} ({command} --help)"))
    except EXPECTED as error:
        return _refuse(reason_of(error))
    except Exception as error:  # the outermost door: a defect of ours is one line, too
        if os.environ.get(DEBUG):
            raise
        said = one_line(f"internal error, please report it: {type(error).__name__}: {error}")
        return _refuse(f"{said} ({DEBUG}=1 shows where)")


def holdfast(
    context: typer.Context,
    *,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
    store: Annotated[
        str | None,
        typer.Option(
            "--store",
            envvar=STORE,
            metavar="NAME:PLACE",
            help="Another store than your own file: a URL of SQLite or PostgreSQL, or a plug-in's.",
        ),
    ] = None,
) -> None:
    """Make long agent sessions small without losing what you said.

    Exit codes: 0 done; 1 the target could not be reached (the output is the original); 2 bad input or options;
    130 interrupted.
    """
    del version  # told by `condense.apps.cli.main`
    if store is not None:
        os.environ[STORE] = store  # for the processes that we start, too
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


_APART = (
    "notes",
    "memory",
    "backfill",
    "mcp",
    "proxy",
    "panel",
    "install",
    "uninstall",
    "handoff",
    "repair",
    "doctor",
)
"""Commands in files of their own."""


def command_line(first: str = "") -> typer.Typer:
    """Return the command line; where its first argument names a command, only what that one needs is loaded."""
    app = typer.Typer(
        name="holdfast",
        add_completion=False,
        no_args_is_help=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(holdfast)
    apart: tuple[str, ...] = (first,) if first in _APART else _APART
    if first not in _APART:
        from condense.apps.cli.commands import session_commands as commands

        app.registered_commands += commands.app.registered_commands
        if hasattr(commands, first):
            apart = ()
    if "notes" in apart:
        from condense.apps.cli.commands import notes

        app.add_typer(notes)
    if "memory" in apart:
        from condense.apps.cli.commands import memory

        app.add_typer(memory)
    if "backfill" in apart:
        from condense.apps.cli.commands import backfill

        app.command()(backfill)
    if "mcp" in apart:
        from condense.apps.cli.commands import mcp

        app.command()(mcp)
    if "install" in apart or "uninstall" in apart:
        from condense.apps.cli.commands import install, uninstall

        app.add_typer(install)
        app.add_typer(uninstall)
    if "handoff" in apart or "repair" in apart:
        from condense.apps.cli.commands import handoff, repair

        app.command()(handoff)
        app.command()(repair)
    if "doctor" in apart:
        from condense.apps.cli.commands import doctor

        app.command()(doctor)
    if "proxy" in apart:
        from condense.apps.cli.commands import proxy

        app.command()(proxy)
    if "panel" in apart:
        from condense.apps.cli.commands import panel

        app.command()(panel)
    return app


def _run(arguments: Sequence[str]) -> int:
    command = get_command(command_line(next(iter(arguments), "")))
    try:
        with command.make_context("holdfast", list(arguments)) as context:
            command.invoke(context)
    except typer.Exit as leaving:
        sys.stdout.flush()
        return leaving.exit_code
    sys.stdout.flush()
    return 0


def _refuse(reason: str, code: int = EXIT_REFUSED) -> int:
    _abandon_stdout()
    with contextlib.suppress(OSError):
        print(f"holdfast: {reason}", file=sys.stderr, flush=True)  # noqa: T201  # plain on purpose: one line for logs
    return code


def _abandon_stdout() -> None:
    """Leave nothing in stdout's buffer that would fail again when the interpreter closes it."""
    try:
        sys.stdout.flush()
    except OSError:
        with contextlib.suppress(OSError, ValueError, AttributeError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
