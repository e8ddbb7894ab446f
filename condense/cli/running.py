"""Run one command: parse, do, and turn whatever goes wrong into one line and an exit code."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TYPE_CHECKING, Any

import typer
from typer.main import get_command

from condense.cli.commands import app
from condense.cli.mcp_command import mcp
from condense.cli.memory_commands import memory
from condense.cli.notes_commands import notes
from condense.cli.refusals import (
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

app.add_typer(notes)
app.add_typer(memory)
app.command()(mcp)

_USAGE: Any = typer.BadParameter.__mro__[2]
"""The root of all complaints about arguments; its module differs between releases of typer."""

DEBUG = "HOLDFAST_DEBUG"
"""Set to anything, this variable lets tracebacks through."""


def run(arguments: Sequence[str]) -> int:
    """Run the command line; see `condense.cli.main` for the exit codes."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]  # TextIOWrapper has it
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
        return _refuse(one_line(f"{wrong.format_message()} (holdfast --help)"))
    except EXPECTED as error:
        return _refuse(reason_of(error))
    except Exception as error:  # the outermost door: a defect of ours is one line, too
        if os.environ.get(DEBUG):
            raise
        said = one_line(f"internal error, please report it: {type(error).__name__}: {error}")
        return _refuse(f"{said} ({DEBUG}=1 shows where)")


def _run(arguments: Sequence[str]) -> int:
    command = get_command(app)
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
