"""Commands and test runs while a trail is being folded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from condense.reading.outputs import Outcome, TestTally, read_tally, running_session
from condense.reading.shell import Purpose, opens_shell, purpose_of, read_shell, without_prefix
from condense.reading.text import is_absolute, is_windows
from condense.reading.trail.trails import CommandTrail

if TYPE_CHECKING:
    from condense.reading.calls import ToolUse
    from condense.reading.shell import Effect, ShellReading
    from condense.reading.trail.trails import Place

Key = tuple[str | None, str]
"""A command is the same when folder and text are."""
_LONGEST_COMMAND = 8000


class CommandFold:
    """Trails of commands, growing."""

    def __init__(self) -> None:
        self.commands: dict[Key, CommandTrail] = {}
        self.sessions: dict[str, Key] = {}  # what runs on, by the session's id (Codex)

    def run(self, use: ToolUse, at: Place, outcome: Outcome, text: str) -> tuple[Effect, ...]:
        """Count one run of a command; returns its effects on files and addresses.

        What is typed into a running session is a command where that is a shell; what is typed into any other program
        is none, and may be a secret. Of what is typed, files are seen where their path is whole: the folder that the
        shell is in is not known.

        Args:
            use: the RUN.
            at: the call.
            outcome: how it ended.
            text: its output.
        """
        command, session = use.subject.strip(), use.session
        if session is not None:
            typed = self.is_shell(session) and command.isprintable()
            self._went_on(session, outcome, text)
            if not typed:
                return ()
            outcome = Outcome() if outcome.running else outcome  # the session runs on, not the line
        if not command:
            return ()
        windows = True if session is None and is_windows(use.workdir) else None
        reading = read_shell(command, windows=windows)
        tally = read_tally(text) if text and not reading.looks_only else None
        if tally is None and reading.purpose is Purpose.TEST:
            tally = TestTally()
        own = command if tally is None else _test_command(reading, command)
        key = use.workdir, own[:_LONGEST_COMMAND]
        before = self.commands.get(key)
        self.commands[key] = CommandTrail(
            command=key[1],
            workdir=use.workdir,
            purpose=reading.purpose,
            looks_only=reading.looks_only,
            runs=(before.runs if before else 0) + 1,
            failures=(before.failures if before else 0) + (outcome.failed is True and not outcome.refused),
            last=at,
            outcome=outcome,
            tally=tally,
        )
        if outcome.running and (started := running_session(text)):
            self.sessions[started] = key
        return tuple(e for e in reading.effects if session is None or is_absolute(e.target))

    def is_shell(self, session: str) -> bool:
        """Whether what runs in a session is an open shell, so that what is typed into it are commands."""
        key = self.sessions.get(session)
        return key is not None and opens_shell(key[1].split())

    def _went_on(self, session: str, outcome: Outcome, text: str) -> None:
        """More output of a command that was still running; the last of it says how it ended."""
        key = self.sessions.get(session)
        if key is None or outcome.running or outcome.exit_code is None:
            return
        del self.sessions[session]
        if (before := self.commands.get(key)) is not None:
            failures = before.failures + (outcome.failed is True)
            tally = read_tally(text) or before.tally if not before.looks_only else None
            self.commands[key] = replace(before, outcome=outcome, failures=failures, tally=tally)


def _test_command(reading: ShellReading, text: str) -> str:
    """The test command itself, without what stands around it."""
    tests = (c.words for c in reading.commands if purpose_of(without_prefix(c.words)) is Purpose.TEST)
    words = next(tests, None)
    return text.split("\n", 1)[0] if words is None else " ".join(words)
