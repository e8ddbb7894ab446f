"""Commands and test runs while a trail is being folded."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from condense.reading.outputs import UNKNOWN, TestTally, read_tally, running_session
from condense.reading.shell import Purpose, opens_shell, purpose_of, read_shell, without_prefix
from condense.reading.text import is_absolute, is_windows
from condense.reading.trail.trails import CommandTrail, TestTrail

if TYPE_CHECKING:
    from condense.reading.calls import ToolUse
    from condense.reading.outputs import Outcome
    from condense.reading.shell import Effect, ShellReading
    from condense.reading.trail.trails import Artifacts, Place

Key = tuple[str | None, str]
"""A command is the same when folder and text are."""

_LONGEST_COMMAND = 8000


class CommandFold:
    """Trails of commands and tests, growing."""

    def __init__(self, before: Artifacts) -> None:
        self.commands: dict[Key, CommandTrail] = {(c.workdir, c.command): c for c in before.commands}
        self.tests: dict[Key, TestTrail] = {(t.workdir, t.command): t for t in before.tests}
        self.sessions: dict[str, Key] = dict(before.sessions)

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
        command = use.subject.strip()
        if use.session is not None:
            typed = self.is_shell(use.session) and command.isprintable()
            self._went_on(use.session, outcome, text)
            if not typed or not command:
                return ()
            outcome = (
                UNKNOWN if outcome.running else outcome
            )  # the session's running says nothing of the line
        if not command:
            return ()
        windows = True if use.session is None and is_windows(use.workdir) else None
        reading = read_shell(command, windows=windows)
        key = self._count(use, reading, at, outcome)
        session = running_session(text) if outcome.running else None
        if session:
            self.sessions[session] = key
        self._test(use.workdir, command, reading, at, outcome, text)
        return tuple(e for e in reading.effects if use.session is None or is_absolute(e.target))

    def is_shell(self, session: str) -> bool:
        """Whether what runs in a session is an open shell, so that what is typed into it are commands."""
        key = self.sessions.get(session)
        return key is not None and opens_shell(key[1].split())

    def of(self, use: ToolUse) -> CommandTrail | None:
        """Return the trail of the command that a use ran, None where it ran none."""
        return self.commands.get((use.workdir, use.subject.strip()[:_LONGEST_COMMAND]))

    def _count(self, use: ToolUse, reading: ShellReading, at: Place, outcome: Outcome) -> Key:
        key = (use.workdir, use.subject.strip()[:_LONGEST_COMMAND])
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
        )
        return key

    def running(self, session: str) -> Key | None:
        """What runs in a session: its folder and its command; None where that is not known."""
        return self.sessions.get(session)

    def _went_on(self, session: str, outcome: Outcome, text: str) -> None:
        """More output of a command that was still running; the last of it says how it ended."""
        key = self.sessions.get(session)
        if key is None or outcome.running or outcome.exit_code is None:
            return
        del self.sessions[session]
        before = self.commands.get(key)
        if before is not None:
            failures = before.failures + (outcome.failed is True)
            self.commands[key] = replace(before, outcome=outcome, failures=failures)
            self._test(key[0], key[1], read_shell(key[1]), before.last, outcome, text)

    def _test(
        self,
        workdir: str | None,
        text: str,
        reading: ShellReading,
        at: Place,
        outcome: Outcome,
        output: str,
    ) -> None:
        """Note the tests that a command ran, if any."""
        tally = read_tally(output) if output and not reading.looks_only else None
        if reading.purpose is not Purpose.TEST and tally is None:
            return
        command = _test_command(reading, text)
        before = self.tests.get((workdir, command))
        again = before is not None and before.last == at  # the end of a run that was counted at its start
        self.tests[workdir, command] = TestTrail(
            command=command,
            workdir=workdir,
            runs=(before.runs if before else 0) + (not again),
            last=at,
            tally=tally or TestTally(),
            outcome=outcome,
        )


def _test_command(reading: ShellReading, text: str) -> str:
    """The test command itself, without what stands around it."""
    for command in reading.commands:
        if purpose_of(without_prefix(command.words)) is Purpose.TEST:
            return " ".join(command.words)
    return text.split("\n", 1)[0]
