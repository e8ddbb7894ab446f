"""The receipt: what happened to each unit and why, in words a person understands; and the record that holds it."""

from __future__ import annotations

import re
from collections import Counter
from hashlib import blake2b
from typing import TYPE_CHECKING

from condense.compaction.plans import Action, CompactionRecord, Level, Piece, Report
from condense.ledger import UnitKind, digest_chain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.compaction.plans import CompactionPlan
    from condense.ledger import Filled, History, Tail, Unit
    from memory.conversation import Message

LABEL = 60  # characters of a label; chosen to fit a terminal line
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (\S.*)$", re.MULTILINE)
"""A file in a patch as Codex writes them."""
_SHELL = re.compile(  # a shell that is given a script, as lists of words have it
    r"^(?:\S{0,40}/)?(?:(?:ba|z|da)?sh|pwsh|powershell)(?:\.exe)?(?: -[a-z]{1,20}){0,4}? -(?:l?i?c|Command) ",
    re.IGNORECASE,
)


def action_of(history: History, unit: Unit, tail: Tail, filled: Filled, merged: Sequence[int] = ()) -> Action:
    """Say what becomes of a unit; `merged` are kept messages that the summary was put before as one with them."""
    span = range(unit.start, unit.end)
    before = sum(history.tokens[i] for i in span)
    after, gone = sum(filled.shown.get(i, 0) for i in span), list(span)
    if all(history.must_stay(i) for i in span):
        level, reason, after, gone = Level.VERBATIM, "instructions stay", before, []
    elif unit.start >= tail.start:
        level, reason = Level.VERBATIM, "among the newest"
        after, gone = (sum(tail.sizes.get(i, history.tokens[i]) for i in span), [i for i in span if i in merged])
        if cut := [i for i in span if i in tail.reduced]:
            level, reason, gone = Level.REDUCED, "among the newest, its output too large", cut
    elif unit.kind is UnitKind.TYPED and history.handle(unit.start) in filled.said:
        level, reason = Level.VERBATIM, "typed by the person: quoted in the summary"
    elif unit.kind is UnitKind.CONTEXT:
        level, reason = Level.REDUCED, "an earlier compaction: taken over into this one"
    elif after:
        level, reason = Level.LINE, "old: lines likely needed again are kept"
    elif unit.kind is UnitKind.TYPED:
        level, reason = Level.FOLDED, "typed by the person, beyond the share for verbatim text: reachable"
    else:
        level, reason = Level.FOLDED, "old, nothing in it is likely needed again"
    handles = tuple(history.handle(i) for i in gone)
    label = _label(history.messages[unit.start : unit.end])
    return Action(unit.start, unit.end, unit.kind.value, level, reason, before, after, handles, label)


def _label(messages: Sequence[Message]) -> str:
    call = next((part for message in messages for part in message.calls), None)
    if call is not None:
        text = f"{call.name}: {_first_argument(call.arguments)}"
    else:
        text = next((p.text for p in messages[0].parts if p.text.strip()), "")
    line = " ".join(text[: 4 * LABEL].split())
    return line if len(line) <= LABEL else line[: LABEL - 1] + "…"


def _first_argument(arguments: object) -> str:
    text = arguments if isinstance(arguments, str) else ""
    if isinstance(arguments, dict):
        value = next((value for value in arguments.values() if isinstance(value, str | list)), "")
        text = value if isinstance(value, str) else _SHELL.sub("", " ".join(map(str, value)))
    files = dict.fromkeys(_PATCHED.findall(text))
    return f"patch of {', '.join(files)}" if files else text


def record_of(plan: CompactionPlan, history: History, parsed: Sequence[Message]) -> CompactionRecord:
    """Make the record of a plan; `parsed` is the history as it came in, by whose indexes kept messages are named."""
    places = {id(message): i for i, message in enumerate(parsed)}
    pieces = []
    for piece in plan.pieces:
        if piece.kept is not None:
            message = history.messages[piece.kept]
            at = places.get(id(message))  # one that was mended is a made one
            pieces.append(Piece(made=message.raw) if at is None else Piece(kept=at))
        else:
            pieces.append(piece)
    digest = digest_chain(parsed)[-1]
    name = blake2b(digest.encode() + plan.summary.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return CompactionRecord(
        id=f"compaction_{name}",
        form=plan.form,
        length=len(parsed),
        digest=digest,
        pieces=tuple(pieces),
        summary=plan.summary,
        actions=plan.actions,
        tokens_before=plan.tokens_before,
        tokens_after=plan.tokens_after,
        target=plan.target,
        origin=tuple(message.raw for message in parsed),
    )


def report_of(
    plan: CompactionPlan, typed: Sequence[Sequence[str]], result_text: str, notes: Sequence[str]
) -> Report:
    """Count a plan's effects; `typed` are the spans of each typed message, `result_text` that of the new history."""
    saved: Counter[str] = Counter()
    for action in plan.actions:
        saved[action.kind] += action.tokens_before - action.tokens_after
    return Report(
        units_by_level=dict(Counter(a.level.value for a in plan.actions)),
        tokens_saved_by_kind=dict(saved),
        typed_messages=len(typed),
        typed_verbatim=sum(all(text in result_text for text in spans) for spans in typed),
        notes=tuple(notes),
    )
