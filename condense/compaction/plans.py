"""The nouns of a compaction: plan, action, record, condensation.

A compaction is a record, not a mutation: the history is append-only, what is sent is `view(history, records)`, and
undo drops the record.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from condense.errors import PlanMismatchError, RecordError
from memory.conversation import redact_quoting

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memory.conversation import TokenCounter

RECORD_VERSION = 1


class Level(StrEnum):
    """How much of a unit stays."""

    VERBATIM = "verbatim"
    REDUCED = "reduced"
    LINE = "line"
    FOLDED = "folded"


@dataclass(frozen=True, slots=True)
class Action:
    """What happens to one unit, and why."""

    start: int  # its messages, `start` to `end` exclusive
    end: int
    kind: str  # the unit's kind ("turn", "typed", ...)
    level: Level  # how much of it stays
    reason: str  # why, in words
    tokens_before: int
    tokens_after: int  # what stays of it as messages and in the summary
    handles: tuple[str, ...] = ()  # where its originals are, one a message; empty when it stays verbatim
    label: str = ""  # what it was, short: tool and path or command, or the beginning of the text


@dataclass(frozen=True, slots=True)
class Piece:
    """One message of the compacted history: the index of one that is kept, or else one that we made, in its form."""

    kept: int | None = None
    made: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class CompactionPlan:
    """What a compaction would do; pure data, nothing has happened yet."""

    form: str  # wire form of the history
    length: int  # how many messages the plan covers: all of the history at planning
    digest: str  # their name
    target: int  # tokens to come down to
    tokens_before: int  # of the whole history
    tokens_after: int
    actions: tuple[Action, ...] = ()  # one a unit, in order
    pieces: tuple[Piece, ...] = ()  # the compacted history
    summary: str = ""  # the text of the ledger
    language: str = "en"
    folded: tuple[int, ...] = ()  # indexes of the messages whose originals go to the archive
    error: str | None = None  # why there is nothing to do or the target is out of reach
    overhead: int = 0  # of the tokens before and after: system prompt and tools, beside the messages

    def __str__(self) -> str:
        """Print one line an action and a total."""
        lines = [
            f"{a.start:>5}-{a.end - 1:<5} {a.level.value:<9} {a.tokens_before:>7} -> {a.tokens_after:<6} {a.reason}"
            + (f"  [{a.label}]" if a.label else "")
            for a in self.actions
        ]
        lines.append(f"total {self.tokens_before} -> {self.tokens_after} tokens (target {self.target})")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class CompactionRecord:
    """A compaction that happened: enough to rebuild its result from the history, and to undo it."""

    id: str  # names the record by its content
    form: str
    length: int  # of the prefix it replaces
    digest: str  # of that prefix; where a history no longer has it, it does not apply
    pieces: tuple[Piece, ...]  # what stands in the prefix's place
    summary: str  # the text of the ledger in it
    actions: tuple[Action, ...]  # what was done to each unit and why: the receipt
    tokens_before: int
    tokens_after: int
    target: int
    origin: tuple[Any, ...] = field(default=(), repr=False, compare=False)  # what was compacted; not serialized

    def replacement(self, history: Sequence[Any]) -> list[Any]:
        """Build what stands in the prefix's place: kept messages are the very objects of the history."""
        if len(history) < self.length:
            raise PlanMismatchError(f"the record covers {self.length} messages; this history has {len(history)}")
        return [piece.made if piece.kept is None else history[piece.kept] for piece in self.pieces]

    def to_json(self) -> str:
        """Serialize without secrets; `from_json` restores it, lone surrogates included (orjson refuses them)."""
        plain = asdict(replace(self, origin=()))
        del plain["origin"]
        value = redact_quoting({"version": RECORD_VERSION, **plain}, self.origin)
        try:
            return orjson.dumps(value).decode()
        except TypeError:
            return json.dumps(value)

    @classmethod
    def from_json(cls, text: str | bytes) -> CompactionRecord:
        """Restore a serialized record; `RecordError` where it is not one, or of a newer version."""
        try:
            data = json.loads(text)
            version = data.pop("version")
            if version != RECORD_VERSION:
                raise RecordError(f"record version {version!r}; this release reads {RECORD_VERSION}")
            pieces = tuple(Piece(**p) for p in data.pop("pieces"))
            actions = tuple(
                Action(**{**a, "level": Level(a["level"]), "handles": tuple(a["handles"])})
                for a in data.pop("actions")
            )
            return cls(pieces=pieces, actions=actions, **data)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise RecordError(f"not a compaction record: {error}") from error

    @property
    def handles(self) -> tuple[str, ...]:
        """Every handle under which an original of this compaction can be had."""
        return tuple(dict.fromkeys(h for a in self.actions for h in a.handles))


@dataclass(frozen=True, slots=True)
class Report:
    """The receipt of a compaction, in numbers; `typed_verbatim` of the typed messages stand verbatim in the result.

    `checked` counts, in a model's summary, facts retained, recoverable, lost, invented, and tokens `mended`.
    """

    units_by_level: Mapping[str, int] = field(default_factory=dict)
    tokens_saved_by_kind: Mapping[str, int] = field(default_factory=dict)
    typed_messages: int = 0
    typed_verbatim: int = 0
    notes: tuple[str, ...] = ()
    checked: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Condensation:
    """The outcome of a compaction; `messages` are always complete and valid to send.

    `cost` is of a model that took part: 0.0 without one, None where the price is unknown; with an `error`, `messages`
    are the original or the deterministic result.
    """

    messages: Any  # the history to send, in the form that came in; the very input when nothing was done
    summary: str  # the ledger's text, "" when nothing was done
    record: CompactionRecord | None  # the record to keep for `view` and undo, None when nothing was done
    plan: CompactionPlan  # what was decided
    cost: float | None
    prev_context_tokens: int  # before and after
    new_context_tokens: int
    error: str | None
    report: Report  # the receipt in numbers
    cause: Exception | None = None  # the exception behind `error`, where one was swallowed


class ProjectRecall(Protocol):
    """What a condenser asks of a project's memory."""

    def relevant_memories(
        self, latest_ask: str, budget: int, *, count_tokens: TokenCounter, task_id: str = ""
    ) -> tuple[str, ...]:
        """Return lines that have to do with a request, within a budget of tokens."""
