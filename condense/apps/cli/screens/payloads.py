"""What `--json` prints: stable keys, plain values.  Keys are added in later releases, never renamed or taken away."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from condense.compaction import (
        Action,
        CompactionPlan,
        CompactionRecord,
        Condensation,
        MessageImportanceScore,
    )
    from condense.verifying import Verification
    from memory.conversation import Transcript
    from memory.engine import ConversationMemory
    from memory.entries import MemoryEntry


def release() -> str:
    """Return the version of the installed distribution, "unknown" where it is not installed."""
    try:
        return version("holdfast-context")
    except PackageNotFoundError:
        return "unknown"


def heading(command: str) -> dict[str, Any]:
    """Begin every answer: which command, of which release."""
    return {"command": command, "version": release()}


def source_of(transcript: Transcript) -> dict[str, Any]:
    """Say where a session came from: path, format, form, session_id, cwd, messages, warnings."""
    return {
        "path": transcript.path,
        "format": str(transcript.format),
        "form": transcript.form.value,
        "session_id": transcript.session_id,
        "cwd": transcript.cwd,
        "messages": len(transcript.messages),
        "warnings": list(transcript.warnings),
    }


def action_of(action: Action) -> dict[str, Any]:
    """Say what happens to one unit: start, end (exclusive), kind, level, reason, tokens, handles, label."""
    return {**asdict(action), "level": action.level.value, "handles": list(action.handles)}


def folding_of(actions: Iterable[Action]) -> list[dict[str, Any]]:
    """Count units and tokens by kind and level: kind, level, units, tokens_before, tokens_after."""
    units: Counter[tuple[str, str]] = Counter()
    before: Counter[tuple[str, str]] = Counter()
    after: Counter[tuple[str, str]] = Counter()
    for action in actions:
        key = (action.kind, action.level.value)
        units[key] += 1
        before[key] += action.tokens_before
        after[key] += action.tokens_after
    return [
        {
            "kind": kind,
            "level": level,
            "units": count,
            "tokens_before": before[kind, level],
            "tokens_after": after[kind, level],
        }
        for (kind, level), count in units.items()
    ]


def plan_of(plan: CompactionPlan) -> dict[str, Any]:
    """A plan: target, tokens_before, tokens_after, of these overhead, error, folding, actions."""
    return {
        "target": plan.target,
        "overhead": plan.overhead,
        "tokens_before": plan.tokens_before,
        "tokens_after": plan.tokens_after,
        "error": plan.error,
        "folding": folding_of(plan.actions),
        "actions": [action_of(a) for a in plan.actions],
    }


def record_of(record: CompactionRecord) -> dict[str, Any]:
    """A compaction that was made earlier."""
    return {
        "record": record.id,
        "form": record.form,
        "target": record.target,
        "tokens_before": record.tokens_before,
        "tokens_after": record.tokens_after,
        "summary": record.summary,
        "handles": list(record.handles),
        "folding": folding_of(record.actions),
        "actions": [action_of(a) for a in record.actions],
    }


def condensation_of(done: Condensation, memory: ConversationMemory) -> dict[str, Any]:
    """A compaction that was made, without its messages."""
    record = done.record
    return {
        "target": done.plan.target,
        "overhead": done.plan.overhead,
        "tokens_before": done.prev_context_tokens,
        "tokens_after": done.new_context_tokens,
        "changed": record is not None,
        "error": done.error,
        "messages_after": len(done.messages),
        "typed_messages": done.report.typed_messages,
        "typed_verbatim": done.report.typed_verbatim,
        "memories": memory.get_memory_stats().total_memories,
        "memory_summary": memory.generate_memory_summary(),
        "summary": done.summary,
        "record": record.id if record else None,
        "handles": list(record.handles) if record else [],
        "folding": folding_of(record.actions) if record else [],
        "actions": [action_of(a) for a in record.actions] if record else [],
        "notes": list(done.report.notes),
        "cost": done.cost,
    }


def bands_of(scores: Iterable[MessageImportanceScore]) -> list[dict[str, Any]]:
    """Count messages and tokens by band, most important first: band, messages, tokens."""
    from condense.compaction import Band

    counted: dict[str, list[int]] = {band.value: [0, 0] for band in Band}
    for score in scores:
        counted[score.band.value][0] += 1
        counted[score.band.value][1] += score.token_count
    return [{"band": band, "messages": messages, "tokens": tokens} for band, (messages, tokens) in counted.items()]


def scores_of(scores: Sequence[MessageImportanceScore]) -> dict[str, Any]:
    """Scores in the order of the messages, and how many messages and tokens each band has."""
    return {
        "bands": bands_of(scores),
        "scores": [
            {
                "index": index,
                "role": score.message.role.value,
                "score": score.score,
                "band": score.band.value,
                "tokens": score.token_count,
                "reasons": list(score.reasons),
                "is_user_message": score.is_user_message,
                "is_memory_related": score.is_memory_related,
                "memory_tags": list(score.memory_tags),
            }
            for index, score in enumerate(scores)
        ],
    }


def verification_of(found: Verification) -> dict[str, Any]:
    """A verification: ok, counts by kind, and every fact and finding."""
    names = ("retained", "recoverable", "lost", "invented", "unsupported")
    return {
        "ok": found.ok,
        "missing_critical": [fact.text for fact in found.missing_critical],
        "kinds": [dict(zip(("kind", *names), row, strict=True)) for row in found.rows()],
        **{name: [asdict(entry) for entry in getattr(found, name)] for name in names},
    }


def memory_of(entry: MemoryEntry) -> dict[str, Any]:
    """Say all of one memory; `source` holds message digest, part and character span, `by` whose words it is."""
    value = asdict(entry) | {"by": "agent" if entry.is_proposal else "person"}
    return value | {k: str(value[k]) for k in ("type", "priority", "status")}


def memories_of(entries: Sequence[MemoryEntry], memory: ConversationMemory) -> dict[str, Any]:
    """Memories with their statistics and summary."""
    return {
        "stats": asdict(memory.get_memory_stats()),
        "summary": memory.generate_memory_summary(),
        "memories": [memory_of(e) for e in entries],
    }
