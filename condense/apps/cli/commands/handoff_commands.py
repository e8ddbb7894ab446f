"""`holdfast handoff`, `holdfast repair`: a session goes on elsewhere, or at all."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated

import typer

from condense import CondenseConfig, Condenser
from condense.apps.cli.amounts import read_amount
from condense.apps.cli.options import From, Lenient, Output  # noqa: TC001  # typer reads them
from condense.apps.cli.outputs import checked_output, write_file, write_stdout
from condense.apps.cli.places import archive_of
from condense.apps.cli.refusals import Refusal, reason_of
from condense.apps.cli.sessions import read_session, session_name, shown_warnings
from condense.apps.cli.workspaces import recall_for
from condense.apps.handoff import AGENTS, Carried, Written, carry, mend, read_broken, write_session
from condense.apps.words import counted
from memory import ConversationMemory
from memory.errors import TranscriptError

if TYPE_CHECKING:
    from memory.conversation import Transcript

HOMES = {"claude-code": ("CLAUDE_CONFIG_DIR", ".claude"), "codex": ("CODEX_HOME", ".codex")}
"""Where an agent keeps its sessions: a variable, else a folder at home."""
WINDOW = 180_000


def handoff(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="A session, or 'latest' of this folder.")
    ] = "latest",
    *,
    to: Annotated[str, typer.Option("--to", metavar="AGENT", help="claude-code, codex or markdown.")],
    target: Annotated[str, typer.Option("--target", help="Tokens that go over at most.")] = "16k",
    folder: Annotated[
        str | None, typer.Option("--folder", metavar="DIR", help="Where the new session works.")
    ] = None,
    form: From = None,
    lenient: Lenient = False,
    output: Output = None,
) -> None:
    """Carry a session into a new one of the same or another agent: condensed, with every rule.

    With --to markdown the prompt that begins the new session goes to standard output, or to OUT.
    """
    if to not in {*AGENTS, "markdown"}:
        raise Refusal(f"--to {to!r} should be one of {', '.join((*AGENTS, 'markdown'))}")
    transcript = read_session(file, form=form, lenient=lenient)
    for line in shown_warnings(transcript):
        _say(line)
    condenser = Condenser(
        CondenseConfig(),
        archive=archive_of(transcript),
        project_memory=recall_for(transcript.cwd),
        memory=ConversationMemory(session_name(transcript)),
    )
    try:
        amount = read_amount(target).of(WINDOW)
        carried = carry(transcript, condenser, amount, as_text=to == "markdown")
    except ValueError as error:
        raise Refusal(str(error)) from error
    if to == "markdown":
        place = checked_output(output, transcript.path)
        content = f"{carried.text}\n".encode()
        if place is None:
            write_stdout(content)
        else:
            write_file(place, content)
        return
    where = _where(folder, transcript)
    written = _written(carried, to, where)
    _say(f"{carried.before:,} -> {carried.after:,} tokens, written to {written.path}")
    typer.echo(f"cd {shlex.quote(str(where))} && {written.command}")


def repair(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A session file of Claude Code or Codex.")],
    *,
    window: Annotated[str, typer.Option("--window", help="Tokens above which it is condensed, too.")] = "150k",
    target: Annotated[str, typer.Option("--target", help="Tokens that it then has.")] = "50k",
    folder: Annotated[str | None, typer.Option("--folder", metavar="DIR", help="Where it works.")] = None,
    output: Output = None,
) -> None:
    """Make a session go on that will not resume: broken links, torn lines, lost results, refused thinking, too long.

    A new session is written where there is something to mend, and to OUT in any case; FILE stays as it is.
    """
    place = Path(file).expanduser()
    out = checked_output(output, file)
    try:
        transcript = read_broken(place)
    except TranscriptError as error:
        raise Refusal(f"{place}: {error.reason}") from error
    except (OSError, EOFError) as error:
        raise Refusal(f"{place}: {getattr(error, 'strerror', None) or error}") from error
    if not transcript.messages:
        raise Refusal(f"{place}: it holds no messages; there is nothing to go on with")
    condenser = Condenser(CondenseConfig(), archive=archive_of(transcript))
    carried = mend(transcript, condenser, read_amount(window).of(WINDOW), read_amount(target).of(WINDOW))
    if carried.sound and out is None:
        typer.echo(f"there is nothing to mend in {place}; nothing was written")
        if carried.notes:
            _say("where a provider refuses its thinking blocks: -o OUT writes it without them")
        return
    for line in carried.notes:
        _say(line)
    agent = "codex" if str(transcript.format) == "codex" else "claude-code"
    where = _where(folder, transcript)
    if out is not None:
        with TemporaryDirectory() as home:
            made = write_session(
                carried.messages, agent, folder=where.resolve(), home=Path(home), title=carried.title
            )
            write_file(out, made.path.read_bytes())
        _say(f"{counted(len(carried.messages), 'message')}, written to {out}")
        return
    written = _written(carried, agent, where)
    _say(f"{counted(len(carried.messages), 'message')}, written to {written.path}")
    typer.echo(f"cd {shlex.quote(str(where))} && {written.command}")


def _where(folder: str | None, transcript: Transcript) -> Path:
    """The folder that is named, else the session's; the current one where that is not on this machine."""
    if folder is not None and not Path(folder).expanduser().is_dir():
        raise Refusal(f"--folder {folder!r} is not a folder")
    where = Path(folder or transcript.cwd or ".").expanduser()
    return (where if where.is_dir() else Path.cwd()).resolve()


def _written(carried: Carried, agent: str, folder: Path) -> Written:
    variable, usual = HOMES[agent]
    home = Path(os.environ.get(variable) or Path.home() / usual).expanduser()
    try:
        return write_session(carried.messages, agent, folder=folder.resolve(), home=home, title=carried.title)
    except (ValueError, OSError) as error:
        raise Refusal(reason_of(error)) from error


def _say(line: str) -> None:
    typer.echo(f"holdfast: {line}", err=True)
