"""Decide what stays: how much of each unit, under a token budget.  Pure: nothing is written, nothing is sent.

The compacted history is: instructions, one ledger in the user role, and the newest units as the messages they were
(their largest outputs reduced).  Shares of the target go first to what the person typed, then to the newest units,
then to the lines of older ones that are most likely needed again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from condense.compaction.plans import CompactionPlan, Piece
from condense.compaction.receipts import actions_of
from condense.compaction.repairing import NO_BEGINNING
from condense.ledger import (
    CRITICAL_MARK,
    Carried,
    Filled,
    Filling,
    History,
    HistoryReading,
    carried_over,
    choose_tail,
    critical_rules,
    digest_chain,
    fill_ledger,
    widen_tail,
)
from condense.reading import collect_artifacts, language_of
from memory.conversation import Form, Role, count_message, make_text, parse_message

if TYPE_CHECKING:
    from condense.config import CondenseConfig
    from memory.conversation import Message, TokenCounter
    from memory.entries import MemoryEntry

SHRINK_STEPS = (1.0, 0.6, 0.3, 0.0)
"""Shares of the wanted tail that are tried in turn until the whole fits; chosen."""

LESS = (0.9, 0.75, 0.6)
"""Shares of the target that are planned for in its place where the whole never fits; chosen."""

LINES_FIRST = 6000
"""Tokens that go to the ledger before the newest messages get more than the least (measured on recall of names and
of copied text at 3,000 to 32,000 tokens)."""
LEAST_TAIL = 0.03
"""Share of a small target that the newest messages may take all the same; chosen."""
LADDER, RUNGS, HALVINGS = 1.25, 16, 3
"""How the least that can be reached is looked for: targets a quarter apart from the barest ledger on, then between the
last that failed and the first that fitted; chosen (35 times the barest at most)."""
INSTRUCTED = 0.5
"""Share of what is needed at least from which the error says that instructions take it; chosen."""
WIDER_FROM = 0.02
"""Share of the target that the ledger may leave free before more of the newest messages is kept; chosen."""
WIDER_TRIES = 3
"""How often they are widened: what was quoted of a message that is kept now is free again; chosen."""
SEAMS = 0.02
"""Share of the target by which a text may count more than its parts together; with the estimate 0.6 % was measured."""
LEAST_SEAMS = 40
"""Tokens that it may be in any case: of a small target headings are the greater part; chosen."""


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
        overhead: tokens that are sent with every request beside the messages (system prompt, tools); they count
            into the target and into the tokens before and after.
        whole: all of the history goes into the ledger, however small it is, and none of it stays as messages.
    """

    target: int
    config: CondenseConfig
    count: TokenCounter
    memories: tuple[MemoryEntry, ...] = ()
    project: tuple[str, ...] = field(default=())
    narrative: str = ""
    overhead: int = 0
    whole: bool = False


Attempt = Callable[[Request, float], CompactionPlan]
"""Plans for a request with a share of the room for the newest messages; over the target where it does not fit."""


def plan_compaction(history: History, request: Request) -> CompactionPlan:
    """Decide a compaction.

    Returns:
        The plan; its `error` says why where there is nothing to do or the target is out of reach.
        Linear in the history's size apart from sorting.
    """
    before = history.total + request.overhead
    digests = digest_chain(history.messages)
    digest = digests[-1] if digests else ""
    form = history.messages[0].form.value if history.messages else ""
    nothing = CompactionPlan(
        form, len(history.messages), digest, request.target, before, before, overhead=request.overhead
    )
    if before <= request.target and not request.whole:
        return replace(
            nothing, error=f"{before} tokens are within the target of {request.target}; nothing to do"
        )
    if request.overhead >= request.target:
        return replace(
            nothing,
            error=f"the system prompt and the tools alone take {request.overhead} tokens; "
            f"a target of {request.target} cannot be reached",
        )
    carried = carried_over(history)
    reading = HistoryReading(history, carried, collect_artifacts(history.messages))
    wanted = request.config.language
    language = language_of(said.text for _, said in carried.said) if wanted == "auto" else wanted
    attempt = partial(_attempt, history, carried, reading, language, nothing)
    best = _fitting(attempt, request) or _least(attempt, request, before)
    if best is None:
        error = f"target of {request.target} tokens cannot be reached: little of the {before} can be folded"
        return replace(nothing, error=error)
    if best.tokens_after > request.target:
        error = (
            f"target of {request.target} tokens cannot be reached: at least {best.tokens_after} are needed"
        )
        fixed = sum(size for _, size in history.staying.values())
        if fixed > INSTRUCTED * best.tokens_after:
            error += f", {fixed} of them for instructions that stay as they are"
        return replace(nothing, error=error)
    if not request.whole and before - best.tokens_after < request.config.minimum_progress * before:
        return replace(
            nothing, error=f"only {before - best.tokens_after} of {before} tokens could be saved; too little"
        )
    return best


def _fitting(attempt: Attempt, request: Request) -> CompactionPlan | None:
    """Plan with as much of the newest messages as fits, then for less than the target; None where nothing fits."""
    plans = [(1.0, share) for share in SHRINK_STEPS] + [(less, 0.0) for less in LESS]
    for part, share in plans:
        plan = _seamed(attempt, replace(request, target=max(1, int(part * request.target))), share)
        if _fits(plan, request.target):
            return replace(plan, target=request.target)
    return None


def _fits(plan: CompactionPlan, target: int) -> bool:
    return plan.error is None and plan.tokens_after <= target


def _seamed(attempt: Attempt, request: Request, share: float) -> CompactionPlan:
    """Plan, and once more a little tighter where the parts fitted and only as one text count a little more."""
    plan = attempt(request, share)
    over = plan.tokens_after - request.target
    if plan.error is None and 0 < over <= max(SEAMS * request.target, LEAST_SEAMS):
        plan = attempt(replace(request, target=max(1, request.target - 2 * over)), share)
    return replace(plan, target=request.target)


def _least(attempt: Attempt, request: Request, before: int) -> CompactionPlan | None:
    """Plan the smallest compaction there is, whatever the target; None where none is smaller than the history.

    Costs some twenty plans of little text.
    """
    whole = [attempt(replace(request, target=request.overhead + 1), 0.0)]
    low = high = whole[0].tokens_after
    for _ in range(RUNGS):
        high = min(int(low * LADDER) + 1, before)
        whole.append(_seamed(attempt, replace(request, target=high), 0.0))
        if _fits(whole[-1], high) or high == before:
            break
        low = high
    for _ in range(HALVINGS):
        middle = (low + high) // 2
        whole.append(_seamed(attempt, replace(request, target=middle), 0.0))
        low, high = (low, middle) if _fits(whole[-1], middle) else (middle, high)
    smaller = [plan for plan in whole if plan.error is None and plan.tokens_after < before]
    best = min(smaller, key=lambda plan: plan.tokens_after, default=None)
    return best and replace(best, target=request.target)


def _attempt(
    history: History,
    carried: Carried,
    reading: HistoryReading,
    language: str,
    nothing: CompactionPlan,
    request: Request,
    share: float,
) -> CompactionPlan:
    fixed = sum(size for _, size in history.staying.values())
    room = request.target - request.overhead - fixed
    newest = 0 if request.whole else int(share * tail_room(room, request.config))
    tail = choose_tail(history, newest, request.count, language)
    filling = Filling(
        history=history,
        carried=carried,
        tail=tail,
        reading=reading,
        room=room - tail.tokens,
        target=request.target - request.overhead,
        language=language,
        config=request.config,
        count=request.count,
        memories=request.memories,
        project=request.project,
        narrative=request.narrative,
    )
    filling, filled, made, size = _filled(filling, 0 if request.whole else WIDER_TRIES)
    tail, text = filling.tail, made.text
    pieces, after = _staying(history, tail.start, request.count)
    first, merged = tail.start, tuple[int, ...]()
    if request.config.alternate_roles and follows_as_user(history, first):
        made = merge_into(made, history.messages[first])
        size = count_message(made, request.count)
        first, merged = first + 1, (first,)
    pieces.append(Piece(made=made.raw))
    pieces += [
        Piece(made=tail.reduced[i].raw) if i in tail.reduced else Piece(kept=i)
        for i in range(first, len(history.messages))
    ]
    after += size + request.overhead + tail.tokens - sum(history.tokens[i] for i in merged)
    kept = "\n".join(history.messages[i].text for i in range(tail.start, len(history.messages)))
    rules = (*filled.ledger.rules, *filled.ledger.asked)
    listed = {rule.removeprefix(CRITICAL_MARK) for rule in rules}  # a quote may go next time
    missing = [rule for rule in critical_rules(filling) if rule not in listed and rule not in kept]
    return replace(
        nothing,
        target=request.target,
        error=f"{len(missing)} critical rules do not fit" if missing else None,
        tokens_after=after + sum(request.count(rule) for rule in missing),
        pieces=tuple(pieces),
        summary=text,
        language=language,
        actions=actions_of(history, tail, filled, merged),
        folded=tuple(i for i in range(first) if not history.must_stay(i)) + tuple(sorted(tail.reduced)),
    )


def _staying(history: History, end: int, count: TokenCounter) -> tuple[list[Piece], int]:
    """What stays of the messages before `end` whatever happens, with its tokens; it begins as the form wants it."""
    pieces: list[Piece] = []
    tokens, begun = 0, history.messages[0].form is not Form.ANTHROPIC
    for i, (message, size) in history.staying.items():
        if i >= end:
            break
        if not begun and message.role is not Role.SYSTEM:
            beginning = make_text(message.form, Role.USER, NO_BEGINNING)
            pieces.append(Piece(made=beginning.raw))
            tokens, begun = tokens + count_message(beginning, count), True
        pieces.append(Piece(kept=i) if history.must_stay(i) else Piece(made=message.raw))
        tokens += size
    return pieces, tokens


def _filled(filling: Filling, tries: int) -> tuple[Filling, Filled, Message, int]:
    """Fill a ledger; what it leaves free, where all there is stands in it, goes to the newest messages.

    Returns:
        What it was filled from, the ledger, the message it makes, and the tokens of that.
    """
    filled, made, size = _written(filling)
    for _ in range(tries):
        spare = filling.room - size
        if spare <= WIDER_FROM * filling.target:
            break
        tail = widen_tail(filling.history, filling.tail, spare, filling.count, filling.language)
        if tail.tokens <= filling.tail.tokens:
            break
        wider = replace(filling, tail=tail, room=filling.room - tail.tokens + filling.tail.tokens)
        written = _written(wider)
        if written[2] > wider.room:
            break
        filling, (filled, made, size) = wider, written
    return filling, filled, made, size


def _written(filling: Filling) -> tuple[Filled, Message, int]:
    """Fill a ledger and write it as a message."""
    filled = fill_ledger(filling)
    made = make_text(filling.history.messages[0].form, Role.USER, filled.ledger.render())
    return filled, made, count_message(made, filling.count)


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
