"""Carry a plan out: originals into the archive, a record of it, and the messages it leaves."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from condense.compaction.plans import CompactionPlan, CompactionRecord, Piece
from condense.errors import PlanMismatchError
from memory.conversation import canonical_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from condense.compaction.archive import Archive
    from memory.conversation import Message


def keep_originals(plan: CompactionPlan, messages: Sequence[Message], archive: Archive) -> tuple[str, ...]:
    """Put every message that the plan folds or reduces into the archive and return the handles.

    Raises:
        ArchiveError: it could not be written; then the plan must not be carried out.
    """
    return tuple(archive.put(canonical_json(messages[i].original)) for i in plan.folded)


def record_of(
    plan: CompactionPlan, pieces: Sequence[Piece], messages: Sequence[Message], digest: str
) -> CompactionRecord:
    """Make the record of a plan.

    Args:
        plan: what was decided.
        pieces: its pieces, by the indexes of the history as it came in.
        messages, digest: the prefix of that history which the record replaces.
    """
    name = blake2b(digest.encode() + plan.summary.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return CompactionRecord(
        id=f"compaction_{name}",
        form=plan.form,
        length=len(messages),
        digest=digest,
        pieces=tuple(pieces),
        summary=plan.summary,
        actions=plan.actions,
        tokens_before=plan.tokens_before,
        tokens_after=plan.tokens_after,
        target=plan.target,
        origin=tuple(message.raw for message in messages),
    )


def replacement(record: CompactionRecord, history: Sequence[Any]) -> list[Any]:
    """Build what stands in a prefix's place: kept messages are the very objects of the history.

    Raises:
        PlanMismatchError: the history is shorter than the prefix.
    """
    if len(history) < record.length:
        raise PlanMismatchError(
            f"the record covers {record.length} messages; this history has {len(history)}"
        )
    return [piece.made if piece.kept is None else history[piece.kept] for piece in record.pieces]


def as_they_came(
    messages: Sequence[Message], parsed: Sequence[Message], values: Sequence[Any], *, read: bool
) -> list[Any]:
    """Write messages in the way a history came: what stands in it unchanged is the very value.

    Args:
        messages: what is to be written.
        parsed, values: the history, read and as it came.
        read: it came as `Message` values; otherwise what does not stand in it becomes a dict.
    """
    if read:
        return list(messages)
    came = {id(message): value for message, value in zip(parsed, values, strict=True)}
    return [came.get(id(message), message.raw) for message in messages]


def view(
    history: Sequence[Mapping[str, Any]], records: Sequence[CompactionRecord], digests: Sequence[str]
) -> list[Any]:
    """Compute what is sent of a history: the newest record that applies, and all that came after it.

    Args:
        history: the whole conversation, append-only.
        records: compactions of it, oldest first; those that do not apply are passed over.
        digests: names of its prefixes (`digest_chain`).
    """
    for record in reversed(records):
        if 0 < record.length <= len(history) and digests[record.length - 1] == record.digest:
            return [*replacement(record, history), *history[record.length :]]
    return list(history)


def check_arguments(messages: object, target: object = None, overhead: object = 0) -> None:
    """Refuse what can be neither a history nor a target.

    Raises:
        TypeError, ValueError: naming the argument and what it was.
    """
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
        raise TypeError(f"messages should be a list of messages, not {type(messages).__name__}")
    if target is not None and (not isinstance(target, int) or isinstance(target, bool)):
        raise TypeError(f"target should be a whole number of tokens, not {target!r}")
    if target is not None and target <= 0:
        raise ValueError(f"target should be above 0 tokens, not {target}")
    if not isinstance(overhead, int) or isinstance(overhead, bool):
        raise TypeError(f"overhead should be a whole number of tokens, not {overhead!r}")
    if overhead < 0:
        raise ValueError(f"overhead should be 0 tokens or more, not {overhead}")
