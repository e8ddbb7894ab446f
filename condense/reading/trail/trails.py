"""The values of the artifact trail: files, commands, errors, the plan; what no call or command names is not there."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction
from condense.reading.outputs import UNKNOWN, Outcome, TestTally

if TYPE_CHECKING:
    from condense.reading.calls import LineRange
    from condense.reading.shell import Purpose


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a message."""

    message: str  # digest
    part: int  # index


@dataclass(frozen=True, slots=True)
class FileOperation:
    """Something done to a file: READ, CREATE, EDIT, DELETE or DISCARD, the call that did it, and how that ended.

    `lines` are the lines shown (READ, None for the whole file) or replaced (EDIT by line numbers), `names` what the
    written text defines, `moved_to` is where the file went (DELETE).
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
    """Everything done to one file."""

    path: str  # as it was first written
    key: str  # normalised; the same file under another spelling has the same key
    operations: tuple[FileOperation, ...]  # in order, failed ones included
    names: tuple[str, ...] = ()  # what the texts written to it define, later edits taken into account

    @property
    def last(self) -> FileOperation:
        """The newest operation."""
        return self.operations[-1]

    def count(self, *actions: ToolAction) -> int:
        """How many operations of these kinds happened."""
        return sum(1 for o in self.operations if o.action in actions and o.happened)

    @property
    def state(self) -> ToolAction:
        """What became of it: DELETE, CREATE (new in this conversation), EDIT, DISCARD, or READ (only looked at)."""
        done = [operation.action for operation in self.operations if operation.happened]
        changes = [action for action in done if action is not ToolAction.READ]
        changes = [action for action in changes if action is not ToolAction.DISCARD] or changes[-1:]
        if not changes or changes[-1] in (ToolAction.DELETE, ToolAction.DISCARD):
            return changes[-1] if changes else ToolAction.READ
        is_new = done[0] is ToolAction.CREATE and ToolAction.DELETE not in changes
        return ToolAction.CREATE if is_new else ToolAction.EDIT

    @property
    def is_changed(self) -> bool:
        """It was created, edited or deleted, or that was taken back."""
        return self.state is not ToolAction.READ


@dataclass(frozen=True, slots=True)
class CommandTrail:
    """A command line and how it ended when it last ran."""

    command: str  # verbatim; of a test run only the test command, without what it is piped through
    workdir: str | None
    purpose: Purpose
    looks_only: bool  # it only reads, searches or lists
    runs: int
    failures: int  # runs known to have failed
    last: Place  # the newest call
    outcome: Outcome  # of the newest run
    tally: TestTally | None = None  # what it counted, where it ran tests
    moved: bool = False  # it changed the files of the whole tree (`git reset --hard`)


@dataclass(frozen=True, slots=True)
class ErrorTrail:
    """An error that a call ended in, and what came of it."""

    line: str  # that names it, verbatim; "" where the output names none
    subject: str  # what failed: the command's first line, or the tool and its path
    kind: ToolAction
    at: Place  # the newest call that ended so
    times: int = 1
    resolved_by: Place | None = None  # the call that did the same again later and succeeded
    gave_way: bool = False  # the same command failed later, and in another way
    done_by: str = ""  # the command that did or showed the same, where it was not the same again
    where: str = ""  # the folder that a command ran in, "" where unknown

    @property
    def resolved(self) -> bool:
        """The same was done again later and succeeded."""
        return self.resolved_by is not None


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
class Artifacts:
    """What the tool calls of a conversation did: at least this."""

    files: tuple[FileTrail, ...] = ()  # in order of first touch
    commands: tuple[CommandTrail, ...] = ()  # in order of first run
    errors: tuple[ErrorTrail, ...] = ()  # in order of last appearance
    plan: tuple[PlanItem, ...] = ()  # the newest to-do list, and where it was written
    plan_at: Place | None = None

    @property
    def tests(self) -> tuple[CommandTrail, ...]:
        """The commands that ran tests."""
        return tuple(command for command in self.commands if command.tally is not None)

    @property
    def changed(self) -> tuple[FileTrail, ...]:
        """Files that were created, edited or deleted, in order of first touch."""
        return tuple(f for f in self.files if f.is_changed)
