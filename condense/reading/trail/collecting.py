"""Collecting artifacts: a fold over messages; a call counts when its result arrives, or is given up."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from condense.reading.calls import ATTACHED, ToolAction, ToolUse, read_call, row_of
from condense.reading.outputs import Outcome, ended_tasks, printed_errors, printed_since, read_outcome
from condense.reading.shell import ends_in_search, looks_only, read_shell
from condense.reading.text import names_in_file
from condense.reading.trail.error_folding import LOOKING, ErrorFold
from condense.reading.trail.folding import CommandFold, FileFold
from condense.reading.trail.todo_lists import change_task, merge_plan, read_plan
from condense.reading.trail.trails import Artifacts, FileOperation, Place
from memory.conversation import Message, Part, PartKind, Role, provenance_of

if TYPE_CHECKING:
    from condense.reading.calls import ToolRow
    from condense.reading.trail.trails import PlanItem

_STOPPING = ("\x03", "\x04", "\x1c", "^C")  # typed to stop a program
_STOPS = ("taskstop", "killshell", "killbash")  # tools that stop what runs in the background
_POLLED = re.compile(r"(?:\s*<(?!status)(\w+)>[^<>]*</\1>)*\s*<status>(completed|failed|killed)<")
"""What Claude Code answers to a question for what ran in the background and has ended."""
_FILE_ACTIONS = (ToolAction.READ, ToolAction.CREATE, ToolAction.EDIT, ToolAction.DELETE)
MERGE = "merge"  # subject of a PLAN use that changes some entries and keeps the others


def collect_artifacts(messages: Sequence[Message], *, tools: Mapping[str, ToolRow] | None = None) -> Artifacts:
    """Return what the tool calls of a conversation did, at least: files, commands, tests, errors, plan; linear.

    `tools` are rows of the user's own for tools that the built-in table does not know (see `tool_names`).
    """
    fold = _Fold(tools)
    for message in messages:
        fold.take(message)
    return Artifacts(
        files=tuple(fold.files.trails.values()),
        commands=tuple(fold.commands.commands.values()),
        errors=fold.errors.value(),
        plan=fold.plan,
        plan_at=fold.plan_at,
    )


class _Fold:
    """The fold's state: growing trails, and the calls that wait for their results."""

    def __init__(self, tools: Mapping[str, ToolRow] | None) -> None:
        self.files, self.commands, self.errors = FileFold(), CommandFold(), ErrorFold()
        self.plan: tuple[PlanItem, ...] = ()
        self.plan_at: Place | None = None
        self._tools = tools
        self._open: list[tuple[Part, Place]] = []
        self._answered = False  # something was said to the agent since its last call
        self._shown: list[str] = []

    def take(self, message: Message) -> None:
        for index, part in enumerate(message.parts):
            if part.kind is PartKind.TOOL_CALL:
                if self._answered:
                    waiting, self._open, self._answered = self._open, [], False
                    for lost in waiting:  # given up, with an unknown outcome
                        self._count(*lost, None)
                self._open.append((part, Place(message.digest, index)))
            elif part.kind is PartKind.TOOL_RESULT:
                same = (i for i, (call, _) in enumerate(self._open) if call.call_id == part.call_id)
                asked = next(same, None)
                if asked is not None:
                    self._count(*self._open.pop(asked), part)
                self._answered = True
        if message.role is Role.USER:
            for index, part in enumerate(message.parts):
                for task, outcome in ended_tasks(part.text):
                    self.commands.ended(task, outcome)
                for command, output in printed_since(part):
                    for error in printed_errors(output):
                        self.errors.printed(command, error, Place(message.digest, index))
            for file in provenance_of(message).files:
                use = ToolUse(ATTACHED, ToolAction.READ)
                self._file(use, file.path, Place(message.digest, file.part), Outcome(failed=False))
        if message.role is not Role.ASSISTANT and self._open:
            self._answered = True

    def _count(self, call: Part, at: Place, result: Part | None) -> None:
        text = result.text if result is not None else ""
        uses = read_call(call.name or "", call.arguments, result=text, tools=self._tools)
        given = call.arguments if isinstance(call.arguments, Mapping) else {}
        ids = (given.get(key) for key in ("task_id", "shell_id", "bash_id"))
        task = next((one for one in ids if isinstance(one, str)), "")
        polled = _POLLED.match(text[:600]) if task in self.commands.sessions else None
        if (call.name or "").lower() in _STOPS or (polled and polled[2] == "killed"):
            self.commands.ended(task, Outcome(stopped=result is not None and not result.is_error))
        elif polled:  # more output of what ran
            uses = (ToolUse(call.name or "", ToolAction.RUN, session=task),)
        first, stopped = uses[0], False
        if first.action is ToolAction.RUN and first.session is not None:
            stopped = first.subject.strip(" \r\n") in _STOPPING
            if not stopped and not self.commands.is_shell(first.session):  # the program's own run goes on
                workdir, command = self.commands.sessions.get(first.session, (first.workdir, ""))
                first = replace(first, subject=command, workdir=workdir)
        runs = first.action is ToolAction.RUN
        shows = runs and looks_only(first.subject, first.workdir)
        outcome = Outcome()
        if result is not None:
            outcome = self._outcome(first, result, looks=shows)
            found_none = outcome.exit_code == 1 and not outcome.error and runs and ends_in_search(first.subject)
            outcome = replace(outcome, failed=None, error="") if stopped or found_none else outcome
        self._shown = []
        for use in uses:
            self._use(use, at, outcome, text)
        if self._shown and not outcome.failed:
            self.errors.shown(self._shown, at, first)
        missed = outcome.failed and not outcome.error and (shows or first.action in LOOKING)
        if not stopped and not missed:
            purpose = read_shell(first.subject.strip()).purpose if runs and first.subject.strip() else None
            self.errors.take(first, at, outcome, purpose, text)
        if runs and not shows:
            self.errors.again(text, at)

    def _outcome(self, use: ToolUse, result: Part, *, looks: bool) -> Outcome:
        """How a call ended; a patch that was given to a shell also as a command, where that has an exit code."""
        read = partial(read_outcome, result.text, is_error=result.is_error, exit_code=result.exit_code)
        piped = use.action is ToolAction.RUN and not looks and "|" in use.subject and "pipefail" not in use.subject
        piped = piped and any(c.joined == "|" for c in read_shell(use.subject.strip()).commands)
        outcome = read(action=use.action, looks=looks, piped=piped)
        by_shell = use.action in _FILE_ACTIONS and row_of(use.name, self._tools).action is ToolAction.RUN
        if outcome.failed or not by_shell:
            return outcome
        ended = read(action=ToolAction.RUN)
        return ended if ended.failed and ended.exit_code else outcome

    def _use(self, use: ToolUse, at: Place, outcome: Outcome, text: str) -> None:
        if use.action in _FILE_ACTIONS:
            for path in use.paths:
                self._file(use, path, at, outcome)
        elif use.action is ToolAction.RUN:
            for effect in self.commands.run(use, at, outcome, text):
                if effect.action in _FILE_ACTIONS:
                    touched = replace(
                        use, name=effect.how, action=effect.action, new=effect.text, old=effect.old,
                        lines=effect.lines, moved_to=effect.moved_to,
                    )  # fmt: skip
                    self._file(touched, effect.target, at, outcome)
                elif effect.how.startswith("git "):
                    self.files.git(effect, use.workdir, FileOperation(ToolAction.DISCARD, at, outcome), text)
        elif use.action is ToolAction.PLAN and not outcome.failed:
            if isinstance(use.items, Mapping):
                plan: Sequence[Any] | None = change_task(self.plan, use.items, text)
            else:
                plan = read_plan(use.items)
                plan = merge_plan(self.plan, plan) if plan and use.subject == MERGE else plan
            if plan is not None:
                self.plan, self.plan_at = tuple(plan), at

    def _file(self, use: ToolUse, path: str, at: Place, outcome: Outcome) -> None:
        if use.action is ToolAction.READ:
            self._shown.append(path)
        names = names_in_file(path, use.new) if use.new else ()
        moved = use.moved_to if use.action is ToolAction.EDIT else None
        done = ToolAction.DELETE if moved else use.action
        operation = FileOperation(done, at, outcome, use.lines, () if moved else names, use.moved_to)
        self.files.add(path, use.workdir, operation, names_in_file(path, use.old) if use.old else ())
        if moved:
            self.files.add(moved, use.workdir, FileOperation(ToolAction.CREATE, at, outcome, None, names))
