"""Decide what stays: how much of each unit, under a token budget.  Pure: nothing is written, nothing is sent.

The compacted history is: instructions, one ledger in the user role, and the newest units as the messages they were
(their largest outputs reduced).  Shares of the target go first to what the person typed, then to the newest units,
then to the lines of older ones that are most likely needed again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from math import isqrt
from typing import TYPE_CHECKING

from condense.compaction.plans import CompactionPlan, Piece
from condense.compaction.receipts import action_of
from condense.compaction.validity import NO_BEGINNING
from condense.ledger import (
    CRITICAL_MARK,
    Carried,
    Excerpt,
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

TAIL_SHARES = (1.0, 0.6, 0.3, 0.0)
"""Shares of the wanted tail that are tried in turn until the whole fits; chosen."""
LINES_FIRST = 6000
"""Tokens that go to the ledger before the newest messages get more than the least (measured on recall of names and
of copied text at 3,000 to 32,000 tokens)."""
LEAST_TAIL, WIDER_FROM = 0.06, 0.02
"""Share of a small target that the newest messages may take all the same, and that the ledger may leave free before
more of them is kept; chosen."""
WIDER_TRIES, TIGHTER_TRIES, SEARCHES = 3, 3, 10
"""How often more of the newest messages is kept, and less aimed at where a text counts more than its parts; plans that
are made to find the least that can be reached, each halving what is in question; chosen."""
INSTRUCTED = 0.5
"""Share of what is needed at least from which the error says that instructions take it; chosen."""


@dataclass(frozen=True, slots=True)
class Request:
    """What a compaction is asked for; `whole`: all of it goes into the ledger, none stays as messages."""

    target: int  # tokens to come down to
    config: CondenseConfig  # settings
    count: TokenCounter  # the token counter
    memories: tuple[MemoryEntry, ...] = ()  # active memories of this conversation, aged
    project: tuple[str, ...] = ()  # lines from earlier tasks of the project, within their own budget
    focus: tuple[Excerpt, ...] = ()  # what the person wants kept, with passages that speak of it
    narrative: str = ""  # what a model wrote of the conversation, checked; it stands whole in the ledger
    overhead: int = 0  # tokens sent beside the messages: they count into the target, before and after
    whole: bool = False
    keep: int = 0  # newest messages that stay as they are, as far as there is room


def plan_compaction(history: History, request: Request) -> CompactionPlan:
    """Decide a compaction; `error` says why there is none: nothing to do, or the target out of reach.  Linear."""
    before, target = history.total + request.overhead, request.target
    digests = digest_chain(history.messages)
    nothing = CompactionPlan(
        form=history.messages[0].form.value if history.messages else "",
        length=len(history.messages),
        digest=digests[-1] if digests else "",
        target=target,
        tokens_before=before,
        tokens_after=before,
        overhead=request.overhead,
    )
    if before <= target and not request.whole:
        return replace(nothing, error=f"{before} tokens are within the target of {target}; nothing to do")
    if request.overhead >= target:
        error = f"the system prompt and the tools alone take {request.overhead} tokens; "
        return replace(nothing, error=f"{error}a target of {target} cannot be reached")
    request = replace(request, count=lru_cache(request.count))  # a ledger is counted more than once
    carried = carried_over(history)
    reading = HistoryReading(history, carried, collect_artifacts(history.messages))
    wanted = request.config.language
    language = language_of(said.text for _, said in carried.said) if wanted == "auto" else wanted
    planning = _Planning(history, carried, reading, language, nothing, request)
    best = planning.fitting() or planning.least()
    if best is None:
        error = f"target of {target} tokens cannot be reached: little of the {before} can be folded"
        return replace(nothing, error=error)
    if best.tokens_after > target:
        error = f"target of {target} tokens cannot be reached: at least {best.tokens_after} are needed"
        if (fixed := planning.fixed) > INSTRUCTED * best.tokens_after:
            error += f", {fixed} of them for instructions that stay as they are"
        return replace(nothing, error=error)
    saved = before - best.tokens_after
    if not request.whole and saved < request.config.minimum_progress * before:
        return replace(nothing, error=f"only {saved} of {before} tokens could be saved; too little")
    return replace(best, target=target)


def _fits(plan: CompactionPlan, target: int) -> bool:
    return plan.error is None and plan.tokens_after <= target


@dataclass(frozen=True, slots=True)
class _Planning:
    history: History
    carried: Carried
    reading: HistoryReading
    language: str
    nothing: CompactionPlan
    request: Request

    @property
    def fixed(self) -> int:
        """Tokens of what stays whatever happens."""
        return sum(size for _, size in self.history.staying.values())

    def fitting(self) -> CompactionPlan | None:
        """Plan with as much of the newest messages as fits; None where nothing fits."""
        target = self.request.target
        shares = (0.0,) if self.request.whole else TAIL_SHARES
        plans = (self.aimed(target, share) for share in shares)
        return next((plan for plan in plans if _fits(plan, target)), None)

    def least(self) -> CompactionPlan | None:
        """Plan the smallest compaction there is, whatever the target; None where none is smaller than the history."""
        before = self.nothing.tokens_before
        plans = [self.attempt(self.request.overhead + 1, 0.0)]
        low, high = plans[0].tokens_after, before
        for _ in range(SEARCHES):
            if high - low <= 1:
                break
            middle = isqrt(low * high)
            plans.append(self.aimed(middle, 0.0))
            low, high = (low, middle) if _fits(plans[-1], middle) else (middle, high)
        smaller = (plan for plan in plans if _fits(plan, before - 1))
        return min(smaller, key=lambda plan: plan.tokens_after, default=None)

    def aimed(self, target: int, share: float) -> CompactionPlan:
        """Plan for a target, and tighter where the whole counts more than its parts."""
        plan = self.attempt(target, share)
        aim = target
        for _ in range(TIGHTER_TRIES):
            over = plan.tokens_after - target
            if plan.error is not None or over <= 0 or aim <= 2 * over:
                break
            aim -= 2 * over
            plan = self.attempt(aim, share)
        return plan

    def attempt(self, target: int, share: float) -> CompactionPlan:
        """Plan with a share of the room for the newest messages; over the target where it does not fit."""
        history, request, count = self.history, self.request, self.request.count
        room = target - request.overhead - self.fixed
        newest = 0 if request.whole else int(share * tail_room(room, request.config))
        whole = int(share * request.keep)
        newest = max(newest, sum(history.tokens[-whole:]) if whole else 0)
        tail = choose_tail(history, newest, count, self.language, whole)
        filling = Filling(
            history=history,
            carried=self.carried,
            tail=tail,
            reading=self.reading,
            room=room - tail.tokens,
            target=target - request.overhead,
            language=self.language,
            config=request.config,
            count=count,
            memories=request.memories,
            project=request.project,
            focus=request.focus,
            narrative=request.narrative,
        )
        filling, filled, made, size = _filled(filling, 0 if request.whole else WIDER_TRIES)
        tail, text = filling.tail, made.text
        pieces, after = _staying(history, tail.start, count)
        first, merged = tail.start, tuple[int, ...]()
        follows = history.messages[first : first + 1]
        if request.config.alternate_roles and follows and follows[0].role is Role.USER:
            made = _merged(made, follows[0])
            size = count_message(made, count) - history.tokens[first]
            first, merged = first + 1, (first,)
        pieces.append(Piece(made=made.raw))
        for i in range(first, len(history.messages)):
            pieces.append(Piece(made=tail.reduced[i].raw) if i in tail.reduced else Piece(kept=i))
        kept = "\n".join(message.text for message in history.messages[tail.start :])
        rules = (*filled.ledger.rules, *filled.ledger.asked)
        listed = {rule.removeprefix(CRITICAL_MARK) for rule in rules}  # a quote may go next time
        missing = [rule for rule in critical_rules(filling) if rule not in listed and rule not in kept]
        return replace(
            self.nothing,
            error=f"{len(missing)} critical rules do not fit" if missing else None,
            tokens_after=after + size + request.overhead + tail.tokens + sum(map(count, missing)),
            pieces=tuple(pieces),
            summary=text,
            language=self.language,
            actions=tuple(action_of(history, unit, tail, filled, merged) for unit in history.units),
            folded=tuple(i for i in range(first) if not history.must_stay(i)) + tuple(sorted(tail.reduced)),
        )


def _staying(history: History, end: int, count: TokenCounter) -> tuple[list[Piece], int]:
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
    """Fill a ledger; what it leaves free goes to the newest messages. Also return what it was filled from."""
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
    filled = fill_ledger(filling)
    made = make_text(filling.history.messages[0].form, Role.USER, filled.ledger.render())
    return filled, made, count_message(made, filling.count)


def tail_room(room: int, config: CondenseConfig) -> float:
    """Tokens for the newest messages as they were: the more room there is, the larger their share of it."""
    return min(config.tail_share * room, max(LEAST_TAIL * room, config.tail_share * (room - LINES_FIRST)))


def _merged(summary: Message, message: Message) -> Message:
    content = message.raw.get("content")
    if isinstance(content, str):
        return parse_message({**message.raw, "content": f"{summary.text}\n\n{content}"}, message.form)
    kind = "input_text" if message.form is Form.OPENAI_RESPONSES else "text"
    blocks = [{"type": kind, "text": summary.text}, *(content or ())]
    return parse_message({**message.raw, "content": blocks}, message.form)
