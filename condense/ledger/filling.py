"""Fill a ledger under a token budget: what the person said first, then rules, state, and the lines worth most."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from condense.ledger.document import CRITICAL_MARK, Excerpt, Ledger, Said, quoted
from condense.ledger.excerpt_section import fill_excerpts
from condense.ledger.history import DEMONSTRATION, last_finished, says_something, spoken
from condense.ledger.quotes import GAP, binding_lines, partly_quoted
from condense.ledger.readings import Filled, Filling
from condense.ledger.state_section import fill_state
from condense.reading import by_size
from memory.consolidation import marked_text, unmarked
from memory.conversation import INSTRUCTIONS, Role
from memory.entries import MemoryPriority, MemoryType
from memory.extraction import carried_in

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from memory.conversation import TokenCounter

TYPED_PART = ((3000, 0.75), (4000, 1.0))
"""Part of its share that typed text may take of a small target: what was said long ago is what the rules, and the
handles, are for (measured at 3,000 tokens: names +.013, copied text +.011, questions on what was said -.02)."""
PART_SHARE = 0.75
"""Share of the room for typed text that goes to a part of a request, or task, that is too long; chosen."""
RULES_SHARE, OWN_SHARE = 0.12, 0.6
"""Shares of the target for rules that are not critical (critical ones always stand), and of a project's own lines where
a client adds how skills are used; chosen."""
NOTES_SHARE = ((3000, 0.06), (4000, 0.1))
"""Share of the target for texts that programs put into the user role (from 4,000 on rules are found less often at .08;
at 3,000 names and copied text fall by .004 and .006 with .1; measured)."""
ANSWERS_SHARE, FRESH_SHARE = ((3000, 0.04), (4000, 0.08), (8000, 0.08), (16_000, 0.04)), 0.08
"""Share of the target for what the assistant said last (measured on 18 cuts: from .04 to .08 questions .740 to .744 and
.808 to .814; at 8,000 names fall by .003), and the least of it where work on the latest request has not begun."""
ONCE, SHORT_REQUEST = 80, 300
"""Characters above which a text that was typed again is quoted only where it was typed last, and up to which a request
leans on what it answers ("yes, the second"); chosen."""
LAST_WORDS, SHORTEST_ANSWER = 4, 30
"""How many of the assistant's newest texts are considered, and tokens of a quote worth its heading; chosen."""
RULE, FRAME = 6, 24
"""Tokens that a rule's line, and a block, cost beside their text; chosen."""


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
    critical = list(dict.fromkeys(critical_rules(filling)))
    reserved = sum(count(text) + RULE for text in critical)
    draft = _Draft(filling, ledger, filling.room - count(ledger.render()) - FRAME - reserved)
    draft.quote_typed()
    draft.quote_brief()
    draft.left += reserved
    draft.list_rules(critical)
    draft.quote_notes()
    draft.quote_answers()
    ledger = fill_state(filling, draft.ledger, draft.left - FRAME)
    ledger = fill_excerpts(filling, ledger, draft.shown)
    quotes = {said.text for said in ledger.quotes}
    whole = frozenset(said.handle for _, said in filling.carried.said if said.text in quotes)
    return Filled(ledger, draft.shown, whole)


class _Draft:
    """A ledger while what was said is quoted in it, the tokens that are left, and those of each message shown."""

    def __init__(self, filling: Filling, ledger: Ledger, left: int) -> None:
        self._filling = filling
        self._said = [(i, s) for i, s in filling.carried.said if i < filling.tail.start]
        self.ledger = ledger
        self.left = left
        self.shown: dict[int, int] = {}

    def _count(self, text: str) -> int:
        return self._filling.count(text)

    def _cost(self, said: Said) -> int:
        """Tokens of a quote; one more for a counter that says more of the whole than of its parts."""
        return self._count(quoted(said)) + 2

    def _take(self, index: int, cost: int) -> int:
        """Note what a quote of a message costs; return it."""
        self.shown[index] = self.shown.get(index, 0) + cost
        self.left -= cost
        return cost

    def _typed_room(self) -> int:
        """Tokens that verbatim typed messages may take."""
        filling = self._filling
        share = by_size(TYPED_PART, filling.target) * filling.config.typed_share
        return min(self.left, int(share * filling.target))

    def _whole_or_part(self, said: Said, room: int) -> Said | None:
        """A quote, of a text that is too long of what matters most in it; None where there is no room for any."""
        if self._cost(said) <= room:
            return said
        text = partly_quoted(said.text, int(PART_SHARE * room) - FRAME, self._filling.count)
        return replace(said, text=text) if text else None

    def quote_typed(self) -> None:
        """Quote what was typed: the latest first, then newest first while the share lasts, the rest by handle."""
        if not self._said:
            return
        room, rest, latest = self._typed_room(), self._said, None
        if len(self._said) == len(self._filling.carried.said):
            latest = self._whole_or_part(self._said[-1][1], room)
            if latest is not None:
                rest = self._said[:-1]
                room -= self._take(self._said[-1][0], self._cost(latest))
        kept: list[Said] = []
        unshown: list[str] = []
        for index, one in reversed(rest):
            if len(one.text) > ONCE and any(one.text in other.text for other in (latest, *kept) if other):
                continue
            cost = self._cost(one)
            if cost <= room:
                kept.append(one)
                room -= self._take(index, cost)
            elif one.handle:
                unshown.append(one.handle)
        older = [h for _, earlier in self._filling.carried.ledgers for h in earlier.unshown]
        handles = list(dict.fromkeys((*older, *reversed(unshown))))
        each = self._count("hf_0123456789ab ") or 1
        most = max(0, int(self.left * 0.1)) // each
        self.left -= each * min(len(handles), most) + (FRAME if handles else 0)
        listed = tuple(handles[-most:] if most else ())
        self.ledger = replace(self.ledger, latest=latest, earlier=tuple(kept[::-1]), unshown=listed)

    def quote_brief(self) -> None:
        """Quote the task a program gave, where nobody typed one; the telling lines of one that is too long."""
        brief = self._filling.carried.brief
        if brief is not None and brief[0] < self._filling.tail.start:
            quote = self._whole_or_part(brief[1], self._typed_room())
            if quote is not None:
                self._take(brief[0], self._cost(quote))
                self.ledger = replace(self.ledger, brief=quote)

    def list_rules(self, critical: Sequence[str]) -> None:
        """List what binds: critical rules always and marked, others where no quote holds them and the share lasts."""
        filling = self._filling
        quotes = [s.text for s in self.ledger.quotes]
        said = "\n".join((*quotes, *(item for quote in quotes for item in carried_in(quote))))
        rules = []
        for text in critical:
            cost = self._count(text) + RULE
            if cost <= self.left:
                self.left -= cost
                rules.append(CRITICAL_MARK + text)
        known = {memory.content for memory in filling.memories if memory.overtaken}
        carried = (rule for rule in _carried(filling) if not rule.startswith(CRITICAL_MARK))
        wanted = dict.fromkeys((rule for rule in carried if unmarked(rule) not in known), True)
        for memory in sorted(filling.memories, key=lambda m: (-m.priority.rank, not m.standing)):
            if not memory.is_report:  # such a one is among the errors
                binds = memory.standing and memory.priority.rank >= MemoryPriority.HIGH.rank
                wanted.setdefault(marked_text(memory), binds or bool(memory.overtaken))
        share = min(self.left, int(RULES_SHARE * filling.target))
        for text, binds in wanted.items():
            cost = self._count(text) + RULE
            if text not in critical and cost <= share and (binds or text not in said):
                share, self.left = share - cost, self.left - cost
                rules.append(text)
        done = _done_with(filling)
        past = tuple(rule for rule in rules if rule.removeprefix(CRITICAL_MARK) in done)
        self.ledger = replace(self.ledger, rules=tuple(r for r in rules if r not in past), asked=past)

    def quote_notes(self) -> None:
        """Quote what programs said in the user role, each text once, the newest first, while their share lasts.

        Of a text that is too long only the lines that bind are quoted.
        """
        filling, carried = self._filling, self._filling.carried
        room = min(self.left, int(by_size(NOTES_SHARE, filling.target) * filling.target))
        quotes = [s for s in (self.ledger.brief, *self.ledger.quotes) if s is not None]
        seen = {s.text for s in quotes} | ({carried.brief[1].text} if carried.brief is not None else set())
        asked = max((i for i, _ in carried.said), default=-1)
        kept: list[Said] = []
        for index, note in reversed(carried.notes):
            is_over = DEMONSTRATION.match(note.text) or _REPROACH.match(note.text)
            if index >= filling.tail.start or note.text in seen or is_over:
                continue
            seen.add(note.text)
            one = note
            if self._cost(note) > room:
                known = {line.strip() for s in (*quotes, *kept) for line in s.text.split("\n")}
                text = _instructions(note.text, room - FRAME, filling.count, known, steps=index > asked)
                one = replace(note, text=text)
                if not text or text in seen or self._cost(one) > room:
                    continue
                seen.add(text)
            kept.append(one)
            room -= self._take(index, self._cost(one))
        self.ledger = replace(self.ledger, notes=tuple(reversed(kept)))

    def quote_answers(self) -> None:
        """Quote what the assistant said last, and what a short request answers: whole lines at the ends of messages."""
        filling, history = self._filling, self._filling.history
        asked = max((i for i, _ in filling.carried.said), default=-1)
        begun = asked < 0 or any(message.calls for message in history.messages[asked:])
        share = by_size(ANSWERS_SHARE, filling.target)
        allowance = min(self.left, int((share if begun else max(share, FRESH_SHARE)) * filling.target))
        kept: dict[int, Excerpt] = {}
        for i in _worth_quoting(filling):
            room = min(allowance // 2 if begun else 3 * allowance // 4, allowance - FRAME)
            if room < SHORTEST_ANSWER:
                break
            if body := ending(spoken(history.messages[i]), room, filling.count):
                kept[i] = Excerpt(f"#{i}", body, history.handle(i))
                allowance -= self._take(i, self._count(body) + FRAME)
        self.ledger = replace(self.ledger, answers=tuple(kept[i] for i in sorted(kept)))


_REPROACH = re.compile(r"\s{0,20}\[ERROR\] You did not use a tool in your previous response")
"""How a client begins to tell the agent that it made a mistake of form, which is over with the next message."""
_SKILLS = re.compile(r"^#{1,3} (?:Available )?skills\s*$", re.MULTILINE | re.IGNORECASE)
"""The heading of what it adds."""
_SKILL = re.compile(r"^- [^\n]{1,2000}\(file: [^\n]{1,400}\)$", re.MULTILINE)
"""One of the skills it lists."""


def _instructions(text: str, room: int, count: TokenCounter, known: Container[str], *, steps: bool) -> str:
    """The lines of instructions that bind, also the `steps` of what is under way; of a project's also orders.

    A project's own lines come before those on the use of skills.
    """
    if not INSTRUCTIONS.match(text):
        return binding_lines(text, room, count, known, steps=steps)
    head, _, body = text.strip().partition("\n")  # by its heading it is known again in the next compaction
    room -= count(head) + 2
    skills = _SKILLS.search(body)
    at, share = (skills.start(), int(OWN_SHARE * room)) if skills else (len(body), room)
    own = binding_lines(body[:at], share, count, known, orders=True)
    use = binding_lines(_SKILL.sub("", body[at:]), room - count(own) - 2, count, known)
    lines = f"\n{GAP}\n".join(filter(None, (own, use)))
    return f"{head}\n{lines}" if lines else ""


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
