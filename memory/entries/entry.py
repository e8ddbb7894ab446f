"""The nouns of memory: entries, their types, priorities, states, and what is counted about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class MemoryType(StrEnum):
    """The six documented kinds of memory."""

    USER_INSTRUCTION = "user_instruction"
    TECHNICAL_DECISION = "technical_decision"
    CONFIGURATION = "configuration"
    IMPORTANT_ERROR = "important_error"
    PROJECT_CONTEXT = "project_context"
    WORKFLOW_PATTERN = "workflow_pattern"


class MemoryPriority(StrEnum):
    """How much it would hurt to lose it."""

    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """3 for critical, 2 high, 1 medium, 0 low."""
        return ("low", "medium", "high", "critical").index(self)


class MemoryStatus(StrEnum):
    """Where an entry stands: fresh, accepted for keeping across tasks, replaced by a later one, or withdrawn."""

    PENDING = "pending"
    PERSISTED = "persisted"
    SUPERSEDED = "superseded"
    FORGOTTEN = "forgotten"


ACTIVE = (MemoryStatus.PENDING, MemoryStatus.PERSISTED)
"""States of memories that hold."""

PROPOSED = "by:agent"
"""Tag of what the agent wants kept, in its own words: no person said it, and none has to abide by it."""


ASKED, ANSWERED = "asked", " → "
"""Tag of an answer to a question of the agent's, and what stands between the two: "Which port? → 4000"."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A question that has one answer at a time ("port", "replaces:redis"), and this memory's, normalised ("3001")."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Overtaken:
    """An answer (`slot`) of a memory that no longer holds, while the rest of the memory does.

    `by` is the later memory's id, None where there is none any more; `later` its answer, "" where it only takes back.
    """

    slot: Slot
    by: str | None = None
    later: str = ""


class Candidate(NamedTuple):
    """What one clause of typed text says that is worth keeping; the extracting stage's output.

    Attributes:
        content: the clause, verbatim: `text[start:end]` of its text part (secrets redacted), behind the words of its
            `heads` ("Do not use:" over an item), or behind the agent's question and `ANSWERED`.
        standing: a rule beyond the current task.
        tags: cue names that fired, endpoints, symbols; lower case, sorted.
        related_files, related_tech: paths and canonical technology names it mentions, in order of appearance.
        slots: the questions it answers; the later answer retires the earlier.
        retracts: what it withdraws, as terms to look for ("redis", "the dark theme"); empty for most.
        confidence: 0 to 1, how strong the evidence is.
        explicit: the person asked to remember it.
    """

    content: str
    start: int
    end: int
    type: MemoryType
    priority: MemoryPriority
    standing: bool = False
    tags: tuple[str, ...] = ()
    related_files: tuple[str, ...] = ()
    related_tech: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    retracts: tuple[str, ...] = ()
    confidence: float = 1.0
    explicit: bool = False
    heads: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """Where a memory was said: digest of the message, index of its part, spans of the words and of their heads."""

    message: str
    part: int
    start: int
    end: int
    heads: tuple[tuple[int, int], ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One memory: verbatim words a person typed (or the agent proposed), where they stand, how much they matter.

    Attributes:
        id: stable name: digest of type, content and first source.
        content: the verbatim clause (the more detailed one after a merge), said at `source`.
        slots: the answers that are in force; other fields as in `Candidate`.
        created_at, last_accessed_at: seconds since 1970 UTC (0.0 where no time is known).
        access_count: 1 when new; a merge and `record_memory_access` each add one.
        supersedes, superseded_by: ids; both stay visible with the link.
        overtaken: its answers that no longer hold, with the links; `marked_text` writes them behind its words.
    """

    id: str
    task_id: str
    type: MemoryType
    priority: MemoryPriority
    content: str
    source: Source | None
    created_at: float
    last_accessed_at: float
    access_count: int = 1
    standing: bool = False
    tags: tuple[str, ...] = ()
    related_files: tuple[str, ...] = ()
    related_tech: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    overtaken: tuple[Overtaken, ...] = ()
    status: MemoryStatus = MemoryStatus.PENDING
    supersedes: tuple[str, ...] = ()
    superseded_by: str | None = None
    explicit: bool = False
    confidence: float = 1.0

    @property
    def is_active(self) -> bool:
        """Neither superseded nor forgotten."""
        return self.status in ACTIVE

    @property
    def parts(self) -> tuple[str, str]:
        """The words of the heads it stands under or of the question it answers, "" for most, and its own."""
        if self.source is None or not (self.source.heads or self.is_answer):
            return "", self.content
        at = max(0, len(self.content) - (self.source.end - self.source.start))
        return self.content[:at], self.content[at:]

    @property
    def is_answer(self) -> bool:
        """An answer to a question of the agent's, which stands before it."""
        return ASKED in self.tags

    @property
    def is_proposal(self) -> bool:
        """The agent's words, from its `remember` tool; everything else is a person's."""
        return PROPOSED in self.tags

    @property
    def is_report(self) -> bool:
        """An error that somebody reported or pasted: a fact, and no rule."""
        return self.type is MemoryType.IMPORTANT_ERROR and not self.explicit


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    """What one call of `extract_memories` did: new or changed entries, new messages read, new entries."""

    memories: tuple[MemoryEntry, ...]
    scanned_messages: int
    new_memories_count: int


@dataclass(frozen=True, slots=True)
class MemoryStats:
    """Counts over the active entries: all, by type and priority (every key present), by status.

    `superseded_memories` are retired but still visible; `created_this_turn` are new in the latest `extract_memories`.
    """

    total_memories: int
    by_type: dict[str, int] = field(default_factory=dict)
    by_priority: dict[str, int] = field(default_factory=dict)
    pending_memories: int = 0
    persisted_memories: int = 0
    superseded_memories: int = 0
    created_this_turn: int = 0
