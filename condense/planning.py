"""Decide what stays: how much of each unit, under a token budget.  Pure: nothing is written, nothing is sent.

The compacted history is: instructions, one ledger in the user role, and the newest units as the messages they were
(their largest outputs reduced).  Shares of the target go first to what the person typed, then to the newest units,
then to the lines of older ones that are most likely needed again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from condense.fillings import Filling
from condense.histories import Carried, History, carried_over, digest_chain
from condense.history_readings import ArtifactCollector, HistoryReading
from condense.ledger_filling import CRITICAL_MARK, critical_rules, fill_ledger
from condense.phrases import language_of
from condense.plans import CompactionPlan, Piece
from condense.receipts import actions_of
from condense.tails import choose_tail
from memory.messages import Form, Role
from memory.tokens import count_message
from memory.wire import make_text, parse_message

if TYPE_CHECKING:
    from condense.config import CondenseConfig
    from memory.entries import MemoryEntry
    from memory.messages import Message
    from memory.tokens import TokenCounter

SHRINK_STEPS = (1.0, 0.6, 0.3, 0.0)
"""Shares of the wanted tail that are tried in turn until the whole fits; chosen."""

LINES_FIRST = 6000
"""Tokens that go to the ledger before the newest messages get more than the least (measured on recall of names and
of copied text at 3,000 to 32,000 tokens)."""
LEAST_TAIL = 0.03
"""Share of a small target that the newest messages may take all the same; chosen."""
SEAMS = 0.02
"""Share of the target by which a text may count more than its parts together; with the estimate 0.6 % was measured."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a compaction is asked for.

    Attributes:
        target: tokens to come down to.
        config: settings.
        count: the token counter.
        memories: active memories of this conversation, aged.
        project: lines from earlier tasks of the project, within their own budget.
        narrative: what a model wrote of the conversation, checked; it stands whole in the ledger.
        collector: reads the artifacts of a conversation on from where it stopped; by default from the start.
    """

    target: int
    config: CondenseConfig
    count: TokenCounter
    memories: tuple[MemoryEntry, ...] = ()
    project: tuple[str, ...] = field(default=())
    narrative: str = ""
    collector: ArtifactCollector | None = None


def plan_compaction(history: History, request: Request) -> CompactionPlan:
    """Decide a compaction.

    Returns:
        The plan; its `error` says why where there is nothing to do or the target is out of reach.
        Linear in the history's size apart from sorting.
    """
    before = history.total
    digests = digest_chain(history.messages)
    digest = digests[-1] if digests else ""
    form = history.messages[0].form.value if history.messages else ""
    nothing = CompactionPlan(form, len(history.messages), digest, request.target, before, before)
    if before <= request.target:
        return replace(
            nothing, error=f"{before} tokens are within the target of {request.target}; nothing to do"
        )
    carried = carried_over(history)
    collector = request.collector or ArtifactCollector()
    reading = HistoryReading(history, carried, collector.collect(history.messages, digests))
    wanted = request.config.language
    language = language_of(said.text for _, said in carried.said) if wanted == "auto" else wanted
    fixed = sum(history.tokens[i] for i in range(len(history.messages)) if history.must_stay(i))
    best: CompactionPlan | None = None
    for share in SHRINK_STEPS:
        plan = _attempt(history, request, carried, reading, language, share, fixed, nothing)
        over = plan.tokens_after - request.target
        if (
            0 < over <= SEAMS * request.target
        ):  # the parts fitted: only counted as one text they are a little more
            tighter = request.target - 2 * over
            plan = _attempt(
                history, replace(request, target=tighter), carried, reading, language, share, fixed, nothing
            )
        if plan.tokens_after <= request.target:
            best = plan
            break
        if best is None or plan.tokens_after < best.tokens_after:
            best = plan
    if best is None or best.tokens_after > request.target:
        least = best.tokens_after if best else before
        return replace(
            nothing, error=f"target of {request.target} tokens cannot be reached: at least {least} are needed"
        )
    if before - best.tokens_after < request.config.minimum_progress * before:
        return replace(
            nothing, error=f"only {before - best.tokens_after} of {before} tokens could be saved; too little"
        )
    return best


def _attempt(
    history: History,
    request: Request,
    carried: Carried,
    reading: HistoryReading,
    language: str,
    share: float,
    fixed: int,
    nothing: CompactionPlan,
) -> CompactionPlan:
    room = request.target - fixed
    tail = choose_tail(history, int(share * tail_room(room, request.config)), request.count, language)
    stays = [i for i in range(tail.start) if history.must_stay(i)]
    filling = Filling(
        history=history,
        carried=carried,
        tail=tail,
        reading=reading,
        room=room - tail.tokens,
        target=request.target,
        language=language,
        config=request.config,
        count=request.count,
        memories=request.memories,
        project=request.project,
        narrative=request.narrative,
    )
    filled = fill_ledger(filling)
    form = history.messages[0].form
    text = filled.ledger.render()
    made = make_text(form, Role.USER, text)
    first, merged = tail.start, tuple[int, ...]()
    if request.config.alternate_roles and follows_as_user(history, first):
        made = merge_into(made, history.messages[first])
        first, merged = first + 1, (first,)
    pieces = [Piece(kept=i) for i in stays]
    pieces.append(Piece(made=made.raw))
    pieces += [
        Piece(made=tail.reduced[i].raw) if i in tail.reduced else Piece(kept=i)
        for i in range(first, len(history.messages))
    ]
    after = sum(history.tokens[i] for i in stays) + count_message(made, request.count)
    after += tail.tokens - sum(history.tokens[i] for i in merged)
    kept = "\n".join(history.messages[i].text for i in range(tail.start, len(history.messages)))
    listed = {rule.removeprefix(CRITICAL_MARK) for rule in filled.ledger.rules}  # a quote may go next time
    missing = [rule for rule in critical_rules(filling) if rule not in listed and rule not in kept]
    if missing:
        after = max(after, request.target) + sum(request.count(rule) for rule in missing)
    return replace(
        nothing,
        tokens_after=after,
        pieces=tuple(pieces),
        summary=text,
        language=language,
        actions=actions_of(history, tail, filled),
        folded=tuple(i for i in range(first) if i not in stays) + tuple(sorted(tail.reduced)),
    )


def tail_room(room: int, config: CondenseConfig) -> float:
    """Tokens for the newest messages as they were: the more room there is, the larger their share of it."""
    return min(config.tail_share * room, max(LEAST_TAIL * room, config.tail_share * (room - LINES_FIRST)))


def follows_as_user(history: History, index: int) -> bool:
    """Say whether the message at `index` is in the user role, so that a summary before it breaks the alternation."""
    return index < len(history.messages) and history.messages[index].role is Role.USER


def merge_into(summary: Message, message: Message) -> Message:
    """Put a summary before the content of a user message, as one message; everything else of it is kept."""
    content = message.raw.get("content")
    if isinstance(content, str):
        return parse_message({**message.raw, "content": f"{summary.text}\n\n{content}"}, message.form)
    kind = "input_text" if message.form is Form.OPENAI_RESPONSES else "text"
    blocks = [{"type": kind, "text": summary.text}, *(content or ())]
    return parse_message({**message.raw, "content": blocks}, message.form)
