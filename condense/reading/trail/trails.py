"""The nouns of the artifact trail: files, commands, tests, addresses, the plan; all frozen.

Everything here is a lower bound: what a generator or a build script wrote is seen only where a command says so.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction
from condense.reading.outputs import UNKNOWN, Outcome, TestTally

if TYPE_CHECKING:
    from collections.abc import Mapping

    from condense.reading.calls import LineRange
    from condense.reading.shell import Purpose
    from memory.conversation import Part


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a message: the message's digest and the part's index."""

    message: str
    part: int


@dataclass(frozen=True, slots=True)
class FileOperation:
    """Something done to a file.

    Attributes:
        action: READ, CREATE, EDIT or DELETE.
        at: the tool call.
        outcome: how it ended.
        lines: READ: the lines shown, None for the whole file; EDIT by line numbers: the lines replaced.
        names: what the written text defines (functions, classes, ...), in order.
        moved_to: where the file went (DELETE).
    """

    action: ToolAction
    at: Place
    outcome: Outcome = UNKNOWN
    lines: LineRange | None = None
    names: tuple[str, ...] = ()
    moved_to: str | None = None

    @property
    def happened(self) -> bool:
        """Not known to have failed."""
        return not self.outcome.failed


@dataclass(frozen=True, slots=True)
class FileTrail:
    """Everything done to one file, in order.

    Attributes:
        path: as it was first written.
        key: normalised; the same file under another spelling has the same key.
        operations: in order, failed ones included.
        names: what the texts written to it in this conversation define, later edits taken into account.
    """

    path: str
    key: str
    operations: tuple[FileOperation, ...]
    names: tuple[str, ...] = ()

    @property
    def last(self) -> FileOperation:
        """The newest operation."""
        return self.operations[-1]

    def count(self, *actions: ToolAction) -> int:
        """How many operations of these kinds happened."""
        return sum(1 for o in self.operations if o.action in actions and o.happened)

    @property
    def state(self) -> ToolAction:
        """What became of it: DELETE, CREATE (new in this conversation), EDIT, or READ (only looked at)."""
        done = [operation.action for operation in self.operations if operation.happened]
        changes = [action for action in done if action is not ToolAction.READ]
        if not changes or changes[-1] is ToolAction.DELETE:
            return changes[-1] if changes else ToolAction.READ
        is_new = done[0] is ToolAction.CREATE and ToolAction.DELETE not in changes
        return ToolAction.CREATE if is_new else ToolAction.EDIT

    @property
    def is_changed(self) -> bool:
        """It was created, edited or deleted."""
        return self.state is not ToolAction.READ


@dataclass(frozen=True, slots=True)
class CommandTrail:
    """A command line and how it ended when it last ran.

    Attributes:
        command: verbatim.
        workdir: where it ran, None where unknown.
        purpose: what it is run for.
        looks_only: it only reads, searches or lists.
        runs, failures: how often it ran, and how often it is known to have failed.
        last: the newest call.
        outcome: of the newest run.
    """

    command: str
    workdir: str | None
    purpose: Purpose
    looks_only: bool
    runs: int
    failures: int
    last: Place
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class TestTrail:
    """A test command and what it last counted.

    Attributes:
        command: the test command itself, without what it is piped through.
        workdir: where it ran, None where unknown.
        runs: how often it ran.
        last: the newest call.
        tally: the newest counts.
        outcome: of the newest run.
    """

    __test__ = False

    command: str
    workdir: str | None
    runs: int
    last: Place
    tally: TestTally
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class ErrorTrail:
    """An error that a call ended in, and what came of it.

    Attributes:
        line: the line that names it, verbatim; "" where the output names none.
        subject: what failed: the command's first line, or the tool and its path.
        kind: what was done: RUN, EDIT, ...
        at: the newest call that ended so.
        times: how often it was seen.
        resolved_by: the call that did the same again later and succeeded; None where it was not, or failed again.
        gave_way: the same command failed later, and in another way.
        done_by: the command that did or showed the same, where it was not the same again; otherwise "".
    """

    line: str
    subject: str
    kind: ToolAction
    at: Place
    times: int = 1
    resolved_by: Place | None = None
    gave_way: bool = False
    done_by: str = ""

    @property
    def resolved(self) -> bool:
        """The same was done again later and succeeded."""
        return self.resolved_by is not None


@dataclass(frozen=True, slots=True)
class UrlTrail:
    """An address (or a web query) that was fetched: when last, and how that ended."""

    url: str
    last: Place
    outcome: Outcome


class PlanStatus(StrEnum):
    """Where an entry of a to-do list stands."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class PlanItem:
    """One entry of the agent's to-do list: its text, verbatim, its status, and its id where the tool gives one."""

    text: str
    status: PlanStatus
    id: str = ""


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call that has no result yet."""

    place: Place
    call: Part


@dataclass(frozen=True, slots=True)
class Artifacts:
    """What the tool calls of a conversation did: at least this.

    Attributes:
        files: in order of first touch.
        commands: in order of first run.
        tests: in order of first run.
        urls: in order of first fetch.
        errors: in order of first appearance.
        plan: the newest to-do list.
        plan_at: where it was written, None where there is none.
        open_calls: calls without a result yet; not counted anywhere above.
        workdirs: folders that commands ran in, in order of first use.
        sessions: command lines that still run, by the session's id (Codex).
        answered: something has been said to the agent since its last call; calls left open by then are given
            up at its next one.
    """

    files: tuple[FileTrail, ...] = ()
    commands: tuple[CommandTrail, ...] = ()
    tests: tuple[TestTrail, ...] = ()
    urls: tuple[UrlTrail, ...] = ()
    errors: tuple[ErrorTrail, ...] = ()
    plan: tuple[PlanItem, ...] = ()
    plan_at: Place | None = None
    open_calls: tuple[OpenCall, ...] = ()
    workdirs: tuple[str, ...] = ()
    sessions: Mapping[str, tuple[str | None, str]] = field(default_factory=dict)
    answered: bool = False

    @property
    def changed(self) -> tuple[FileTrail, ...]:
        """Files that were created, edited or deleted, in order of first touch."""
        return tuple(f for f in self.files if f.is_changed)

    def file(self, path: str) -> FileTrail | None:
        """Return the trail of a file by the path it was first written with, or by its key; None where unknown."""
        return next((f for f in self.files if path in (f.path, f.key)), None)
