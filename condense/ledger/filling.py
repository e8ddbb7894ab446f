"""Fill a ledger under a token budget: what the person said first, then rules, state, and the lines worth most."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from condense.ledger.assistant_text import says_something, spoken
from condense.ledger.document import CRITICAL_MARK, Excerpt, Ledger, Said, quoted
from condense.ledger.draft import Filled, Filling
from condense.ledger.excerpt_section import fill_excerpts
from condense.ledger.history import DEMONSTRATION, INSTRUCTIONS
from condense.ledger.quotes import GAP, binding_lines, partly_quoted
from condense.ledger.state_section import fill_state, last_finished
from condense.reading import by_size
from memory.consolidation import marked_text, unmarked
from memory.conversation import Role
from memory.entries import MemoryPriority, MemoryType
from memory.extraction import carried_in

if TYPE_CHECKING:
    from collections.abc import Container

    from memory.conversation import TokenCounter

TYPED_PART = ((3000, 0.75), (4000, 1.0))
"""Part of its share that typed text may take of a small target: what was said long ago is what the rules, and the
handles, are for (measured at 3,000 tokens: names +.013, copied text +.011, questions on what was said -.02)."""
RULES_SHARE = 0.12
"""Share of the target for rules that are not critical; critical ones always stand. Chosen."""
ONCE = 80
"""Characters above which a text that was typed again, word for word, is quoted only where it was typed last; chosen."""
PART_SHARE = 0.75
"""Share of the room for typed text that goes to a part of the latest request, or of the task, where the whole is too
long; chosen."""
RULE = 6
"""Tokens that a rule's line costs beside its text; chosen."""
NOTES_SHARE = ((3000, 0.06), (4000, 0.1))
"""Share of the target for texts that programs put into the user role, by target (from 4,000 on rules are found less
often at .08; at 3,000 names and copied text fall by .004 and .006 with .1; measured)."""
ANSWERS_SHARE = ((3000, 0.04), (4000, 0.08), (8000, 0.08), (16_000, 0.04))
"""Share of the target for what the assistant said last, by target (measured on 18 cuts: at 4,000 and 8,000 from .04 to
.08 questions .740 to .744 and .808 to .814; at 8,000 names fall by .003, copied text by .002)."""
FRESH_SHARE = 0.08
"""The least of it where the work on the latest request has not begun: it speaks of what was said before; chosen."""
SHORT_REQUEST = 300
"""Characters up to which a request leans on what it answers ("yes, the second"); chosen."""
LAST_WORDS = 4
"""How many of the assistant's newest texts are considered; chosen."""
SHORTEST_ANSWER = 30
"""Tokens below which a quote of the assistant is not worth its heading; chosen."""
FRAME = 24
"""Tokens kept free for what a line or block costs beside its text (number, handle, length, newline); chosen."""


def fill_ledger(filling: Filling) -> Filled:
    """Fill a ledger; its text is within `room` wherever the frame and the latest request fit at all."""
    history, tail, count = filling.history, filling.tail, filling.count
    folded = sum(1 for i in range(tail.start) if not history.must_stay(i))
    folded += sum(ledger.folded for i, ledger in filling.carried.ledgers if i < tail.start)
    ledger = Ledger(
        language=filling.language,
        folded=folded,
        reach=filling.config.reach,
        narrative=filling.narrative,
        project=filling.project,
    )
    left = filling.room - count(ledger.render()) - FRAME
    reserved = sum(count(text) + RULE for text in dict.fromkeys(critical_rules(filling)))
    ledger, left, shown = _quote(filling, ledger, left - reserved)
    ledger, left = _brief(filling, ledger, left, shown)
    ledger, left = _rules(filling, ledger, left + reserved)
    ledger, left = _notes(filling, ledger, left, shown)
    ledger, left = _answers(filling, ledger, left, shown)
    ledger = fill_state(filling, ledger, left - FRAME)
    ledger = fill_excerpts(filling, ledger, shown)
    quotes = {said.text for said in (*ledger.earlier, ledger.latest) if said is not None}
    whole = frozenset(said.handle for _, said in filling.carried.said if said.text in quotes)
    return Filled(ledger, shown, whole)


def typed_room(filling: Filling) -> int:
    """Tokens that verbatim typed messages may take."""
    part = by_size(TYPED_PART, filling.target)
    return int(part * filling.config.typed_share * filling.target)


def quote_cost(said: Said, count: TokenCounter) -> int:
    """Tokens of a quote as it will be written; one more for a counter that says more of the whole than of its parts."""
    return count(quoted(said)) + 2


def _quote(filling: Filling, ledger: Ledger, left: int) -> tuple[Ledger, int, dict[int, int]]:
    """Quote what the person typed: the latest first, then newest first while the share lasts, the rest by handle."""
    said = [(i, s) for i, s in filling.carried.said if i < filling.tail.start]
    shown: dict[int, int] = {}
    if not said:
        return ledger, left, shown
    allowance = min(left, typed_room(filling))
    latest: Said | None = None
    rest = said
    if not any(i >= filling.tail.start for i, _ in filling.carried.said):
        index, newest = said[-1]
        cost = quote_cost(newest, filling.count)
        latest = newest if cost <= allowance else _part(newest, int(PART_SHARE * allowance), filling.count)
        if latest is not None:
            rest, cost = said[:-1], quote_cost(latest, filling.count)
            shown[index] = cost
            left, allowance = left - cost, allowance - cost
    kept: list[Said] = []
    unshown: list[str] = []
    once = {latest.text} if latest is not None else set()
    for index, one in reversed(rest):
        cost = quote_cost(one, filling.count)
        if len(one.text) > ONCE and any(one.text in text for text in once):
            continue
        if cost <= allowance:
            once.add(one.text)
            kept.append(one)
            shown[index] = shown.get(index, 0) + cost
            allowance, left = allowance - cost, left - cost
        elif one.handle:
            unshown.append(one.handle)
    older = [h for _, earlier in filling.carried.ledgers for h in earlier.unshown]
    handles = list(dict.fromkeys((*older, *reversed(unshown))))
    each = filling.count("hf_0123456789ab ") or 1
    room = max(0, int(left * 0.1)) // each
    left -= each * min(len(handles), room) + (FRAME if handles else 0)
    return (
        replace(
            ledger,
            latest=latest,
            earlier=tuple(reversed(kept)),
            unshown=tuple(handles[-room:] if room else ()),
        ),
        left,
        shown,
    )


def _brief(filling: Filling, ledger: Ledger, left: int, shown: dict[int, int]) -> tuple[Ledger, int]:
    """Quote the task a program gave, where nobody typed one; the telling lines of one that is too long."""
    brief = filling.carried.brief
    if brief is None or brief[0] >= filling.tail.start:
        return ledger, left
    quote: Said | None = brief[1]
    cost = quote_cost(brief[1], filling.count)
    allowance = min(left, typed_room(filling))
    if cost > allowance:
        quote = _part(brief[1], int(PART_SHARE * allowance), filling.count)
        if quote is None:
            return ledger, left
        cost = quote_cost(quote, filling.count)
    shown[brief[0]] = cost
    return replace(ledger, brief=quote), left - cost


def _part(said: Said, room: int, count: TokenCounter) -> Said | None:
    """A quote of what matters most in a text that is too long; None where there is no room for any of it."""
    text = partly_quoted(said.text, room - FRAME, count)
    return replace(said, text=text) if text else None


def _notes(filling: Filling, ledger: Ledger, left: int, shown: dict[int, int]) -> tuple[Ledger, int]:
    """Quote what programs said in the user role, each text once, the newest first, while their share lasts.

    Of a text that is too long only the lines that bind are quoted.
    """
    allowance = min(left, int(by_size(NOTES_SHARE, filling.target) * filling.target))
    kept: list[Said] = []
    seen = {s.text for s in (ledger.brief, ledger.latest, *ledger.earlier) if s is not None}
    told = filling.carried.brief[1].text if filling.carried.brief is not None else None
    asked = max((i for i, _ in filling.carried.said), default=-1)
    for index, note in reversed(filling.carried.notes):
        if index >= filling.tail.start or note.text in seen or note.text == told:
            continue
        if DEMONSTRATION.match(note.text) or _REPROACH.match(note.text):
            continue
        seen.add(note.text)
        one, cost = note, quote_cost(note, filling.count)
        if cost > allowance:
            quotes = (ledger.brief, ledger.latest, *ledger.earlier, *kept)
            known = {line.strip() for s in quotes if s is not None for line in s.text.split("\n")}
            one = replace(
                note,
                text=_instructions(note.text, allowance - FRAME, filling.count, known, steps=index > asked),
            )
            cost = quote_cost(one, filling.count)
            if not one.text or cost > allowance:
                continue
        if one is not note and one.text in seen:
            continue
        seen.add(one.text)
        kept.append(one)
        shown[index] = shown.get(index, 0) + cost
        allowance, left = allowance - cost, left - cost
    return replace(ledger, notes=tuple(reversed(kept))), left


_REPROACH = re.compile(r"\s{0,20}\[ERROR\] You did not use a tool in your previous response")
"""How a client begins to tell the agent that it made a mistake of form, which is over with the next message."""


def _instructions(text: str, room: int, count: TokenCounter, known: Container[str], *, steps: bool) -> str:
    """The lines of instructions that bind, also the `steps` of what is under way; of a project's also orders.

    Its own come before those on the use of skills.
    """
    if not INSTRUCTIONS.match(text):
        return binding_lines(text, room, count, known, steps=steps)
    head, _, body = text.strip().partition("\n")  # by its heading it is known again in the next compaction
    room -= count(head) + 2
    skills = _SKILLS.search(body)
    if skills is None:
        lines = binding_lines(body, room, count, known, orders=True)
    else:
        own = binding_lines(body[: skills.start()], int(OWN_SHARE * room), count, known, orders=True)
        use = _SKILL.sub("", body[skills.start() :])
        rest = binding_lines(use, room - count(own) - 2, count, known)
        lines = f"\n{GAP}\n".join(filter(None, (own, rest)))
    return f"{head}\n{lines}" if lines else ""


OWN_SHARE = 0.6
"""Share of a project's own lines where a client adds how skills are used; chosen."""
_SKILLS = re.compile(r"^#{1,3} (?:Available )?skills\s*$", re.MULTILINE | re.IGNORECASE)
"""The heading of what a client adds about skills to a project's instructions."""
_SKILL = re.compile(r"^- [^\n]{1,2000}\(file: [^\n]{1,400}\)$", re.MULTILINE)
"""One of the skills it lists."""


def critical_rules(filling: Filling) -> list[str]:
    """The critical rules: of earlier ledgers, then of this conversation, the marks of the former taken off."""
    carried = [rule for rule in _carried(filling) if rule.startswith(CRITICAL_MARK)]
    own = {m.content: marked_text(m) for m in filling.memories if m.priority is MemoryPriority.CRITICAL}
    older = [r.removeprefix(CRITICAL_MARK) for r in carried]
    return [*(r for r in older if unmarked(r) not in own), *own.values()]


def _carried(filling: Filling) -> list[str]:
    """Rules of earlier ledgers, and what they list of earlier requests."""
    return [rule for _, older in filling.carried.ledgers for rule in (*older.rules, *older.asked)]


_HOLDS_ON = frozenset(("never", "not", "always", "only", "keep"))
"""Cues of what a request forbids or wants kept: it holds on when the request is done."""


def _done_with(filling: Filling) -> set[str]:
    """Orders of requests behind which a later one was worked on to its end: no rule, they may be done."""
    messages = filling.history.messages
    finished = last_finished(messages, [i for i, _ in filling.carried.said])
    later = {message.digest for message in messages[max(0, finished) :]}
    done = {
        marked_text(memory)
        for memory in filling.memories
        if memory.type is MemoryType.USER_INSTRUCTION
        and not (memory.standing or memory.slots or memory.overtaken)
        and (memory.source is None or memory.source.message not in later)
        and _HOLDS_ON.isdisjoint(memory.tags)
    }
    older = (line for _, ledger in filling.carried.ledgers for line in ledger.asked)
    return done | {line.removeprefix(CRITICAL_MARK) for line in older}


def _rules(filling: Filling, ledger: Ledger, left: int) -> tuple[Ledger, int]:
    """List what binds: critical rules always and marked, others where no quote holds them and the share lasts."""
    quotes = [s.text for s in (*ledger.earlier, *((ledger.latest,) if ledger.latest else ()))]
    said = "\n".join((*quotes, *(item for quote in quotes for item in carried_in(quote))))
    critical = list(dict.fromkeys(critical_rules(filling)))
    rules = []
    for text in critical:
        cost = filling.count(text) + RULE
        if cost <= left:
            left -= cost
            rules.append(CRITICAL_MARK + text)
    carried = [rule for rule in _carried(filling) if not rule.startswith(CRITICAL_MARK)]
    known = {memory.content for memory in filling.memories if memory.overtaken}
    wanted = dict.fromkeys((rule for rule in carried if unmarked(rule) not in known), True)
    for memory in sorted(filling.memories, key=lambda m: (-m.priority.rank, not m.standing)):
        if memory.is_report:
            continue  # it is among the errors
        binds = memory.standing and memory.priority.rank >= MemoryPriority.HIGH.rank
        wanted.setdefault(marked_text(memory), binds or bool(memory.overtaken))
    share = min(left, int(RULES_SHARE * filling.target))
    for text, binds in wanted.items():
        cost = filling.count(text) + RULE
        if text in critical or cost > share or (not binds and text in said):
            continue
        share, left = share - cost, left - cost
        rules.append(text)
    done = _done_with(filling)
    past = tuple(rule for rule in rules if rule.removeprefix(CRITICAL_MARK) in done)
    return replace(ledger, rules=tuple(rule for rule in rules if rule not in past), asked=past), left


def _answers(filling: Filling, ledger: Ledger, left: int, shown: dict[int, int]) -> tuple[Ledger, int]:
    """Quote what the assistant said last, and what short requests answer to: the ends of its messages, whole lines."""
    asked = max((i for i, _ in filling.carried.said), default=-1)
    begun = asked < 0 or any(message.calls for message in filling.history.messages[asked:])
    share = by_size(ANSWERS_SHARE, filling.target)
    allowance = min(left, int((share if begun else max(share, FRESH_SHARE)) * filling.target))
    kept: dict[int, Excerpt] = {}
    for i in _worth_quoting(filling):
        room = min(allowance // 2 if begun else 3 * allowance // 4, allowance - FRAME)
        if room < SHORTEST_ANSWER:
            break
        body = ending(spoken(filling.history.messages[i]), room, filling.count)
        if not body:
            continue
        cost = filling.count(body) + FRAME
        kept[i] = Excerpt(f"#{i}", body, filling.history.handle(i))
        shown[i] = shown.get(i, 0) + cost
        allowance, left = allowance - cost, left - cost
    return replace(ledger, answers=tuple(kept[i] for i in sorted(kept))), left


def _worth_quoting(filling: Filling) -> list[int]:
    """Folded assistant messages with words, in order of worth: what the latest short request answers, then newest."""
    messages, start = filling.history.messages, filling.tail.start
    spoke = [i for i in range(start) if messages[i].role is Role.ASSISTANT and says_something(messages[i])]
    first: list[int] = []
    for index, said in filling.carried.said[-1:]:
        if len(said.text) <= SHORT_REQUEST:
            first = [i for i in spoke if i < index][-1:]
    return list(dict.fromkeys((*first, *reversed(spoke[-LAST_WORDS:]))))


def ending(text: str, room: int, count: TokenCounter) -> str:
    """The last lines of a text that fit, whole, after a mark where lines are left out; "" where none fits."""
    lines = text.split("\n")
    kept: list[str] = []
    for line in reversed(lines):
        cost = count(line) + 1
        if cost > room:
            break
        room -= cost
        kept.append(line)
    body = "\n".join(reversed(kept)).strip("\n")
    return body if len(kept) == len(lines) or not body else f"…\n{body}"
