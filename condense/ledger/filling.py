"""Fill a ledger under a token budget: what the person said first, then rules, state, and the lines worth most."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from condense.ledger.document import CRITICAL_MARK, Excerpt, Ledger, Said
from condense.ledger.excerpt_section import fill_excerpts
from condense.ledger.history import OVER, last_finished
from condense.ledger.quotes import GAP, binding_lines, partly_quoted
from condense.ledger.readings import Filled, Filling
from condense.ledger.state_lines import within
from condense.ledger.state_section import fill_state
from condense.reading import by_size
from memory.consolidation import marked_text, unmarked
from memory.conversation import INSTRUCTIONS, bare_request, typed_spans
from memory.entries import MemoryPriority, MemoryType
from memory.extraction import carried_in

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from memory.conversation import TokenCounter

TYPED_PART, PART_SHARE = ((3000, 0.75), (4000, 1.0)), 0.75
"""Part of its share that typed text may take of a small target (there are rules and handles too; measured), and of that
the part for a request, or task, that is too long; chosen."""
RULES_SHARE, FOCUS_SHARE, NOTES_SHARE = 0.12, 0.1, ((3000, 0.06), (4000, 0.1))
"""Shares of the target for rules that are not critical (critical ones always stand), for what earlier compactions were
asked to keep (chosen), and for texts that programs put into the user role, by target (measured)."""
BESIDE_NARRATIVE = 0.5  # part of that beside a model's summary (names .70 -> .72 on 16 cuts at 4,000)
BARE_UNDER = 8000  # tokens of a target below which older requests lack an editor's list of files; chosen
ONCE = 80  # characters above which a text that was typed again is quoted only where it was typed last; chosen
RULE, FRAME = 6, 24  # tokens that a rule's line, and a block, cost beside their text; chosen


def fill_ledger(filling: Filling) -> Filled:
    """Fill a ledger; its text is within `room` wherever the frame and the latest request fit at all."""
    history, tail, count = filling.history, filling.tail, filling.count
    folded = sum(1 for i in range(tail.start) if not history.must_stay(i))
    folded += sum(ledger.folded for i, ledger in filling.carried.ledgers if i < tail.start)
    ledger = Ledger(
        language=filling.language,
        folded=folded,
        reach=filling.config.reach,
        focus=_asked_to_keep(filling),
        narrative=filling.narrative,
        project=filling.project,
    )
    critical = critical_rules(filling)
    reserved = sum(count(text) + RULE for text in critical)
    draft = _Draft(filling, ledger, filling.room - count(ledger.render()) - FRAME - reserved)
    draft.quote_typed()
    draft.left += reserved
    draft.list_rules(critical)
    draft.quote_notes()
    ledger = fill_state(filling, draft.ledger, draft.left - FRAME)
    ledger = fill_excerpts(filling, ledger, draft.shown)
    quotes = {said.text for said in ledger.quotes}
    said = ((said.handle, {said.text, bare_request(said.text)}) for _, said in filling.carried.said)
    whole = frozenset(handle for handle, texts in said if texts & quotes)
    return Filled(ledger, draft.shown, whole)


def _asked_to_keep(filling: Filling) -> tuple[Excerpt, ...]:
    kept = {one.heading: one for one in filling.focus}
    room = FOCUS_SHARE * filling.target - sum(filling.count(str(one)) for one in filling.focus)
    for one in reversed([one for _, ledger in filling.carried.ledgers for one in ledger.focus]):
        cost = filling.count(str(one))
        if one.heading not in kept and cost <= room:
            kept[one.heading], room = one, room - cost
    return tuple(kept.values())


@dataclass
class _Draft:
    filling: Filling
    ledger: Ledger
    left: int
    shown: dict[int, int] = field(default_factory=dict)

    def _cost(self, said: Said) -> int:
        return self.filling.count(str(said)) + 2

    def _take(self, index: int, cost: int) -> int:
        self.shown[index] = self.shown.get(index, 0) + cost
        self.left -= cost
        return cost

    def _share(self, share: float) -> int:
        return min(self.left, int(share * self.filling.target))

    def quote_typed(self) -> None:
        """Quote what was typed (else a program's task): the latest, then newest first by share, the rest by handle."""
        filling, carried = self.filling, self.filling.carried
        every = carried.said if carried.brief is None else (carried.brief,)
        if filling.target < BARE_UNDER:
            every = (*((i, replace(said, text=bare_request(said.text))) for i, said in every[:-1]), *every[-1:])
        rest = [(i, said) for i, said in every if i < filling.tail.start]
        if not rest:
            return
        room = self._share(by_size(TYPED_PART, filling.target) * filling.config.typed_share)
        latest: Said | None = None
        kept: list[Said] = []
        unshown: list[str] = []
        for index, said in reversed(rest):
            one, is_latest = said, said is every[-1][1]
            if is_latest and self._cost(said) > room:
                spans = typed_spans(filling.history.messages[index])
                typed = {"", *(line for span in spans for line in span.text.split("\n"))}
                before = {line for _, o in (*every[:-1], *carried.notes) for line in o.text.split("\n")}
                known = set(said.text.split("\n")) - typed or before  # put around it by a client, or said before
                text = partly_quoted(said.text, int(PART_SHARE * room) - FRAME, filling.count, known)
                one = replace(said, text=text)
            if len(said.text) > ONCE and any(said.text in other.text for other in kept):
                twice = f"{said.place} {{}}".strip()
                kept = [replace(o, place=twice.format(o.place)) if o.text == said.text else o for o in kept]
                latest = kept[0] if latest else None
                continue
            if one.text and self._cost(one) <= room:
                kept.append(one)
                room -= self._take(index, self._cost(one))
                latest = one if is_latest else latest
            elif said.handle and not carried.brief:
                unshown.append(said.handle)
        older = [h for _, earlier in carried.ledgers for h in earlier.unshown]
        handles = list(dict.fromkeys((*older, *reversed(unshown))))
        each = filling.count("hf_0123456789ab ") or 1
        most = max(0, int(self.left * 0.1)) // each
        self.left -= each * min(len(handles), most) + (FRAME if handles else 0)
        listed = tuple(handles[-most:] if most else ())
        self.ledger = replace(
            self.ledger,
            brief=latest if carried.brief else None,
            latest=None if carried.brief else latest,
            earlier=tuple(reversed(kept[1:] if latest else kept)),
            unshown=listed,
        )

    def list_rules(self, critical: Sequence[str]) -> None:
        """List what binds: critical rules always and marked, others while the share lasts, where no quote holds them.

        What holds beyond its request is listed beside older quotes, too.
        """
        memories = self.filling.memories
        latest = self.ledger.latest
        said = _told([one.text for one in self.ledger.quotes])
        now = _told([latest.text] if latest else [])
        marked = [CRITICAL_MARK + text for text in critical]
        listed, cost = within(marked, self.left, self.filling.count, newest_last=False)
        self.left -= cost
        known = {memory.content for memory in memories if memory.overtaken}
        carried = (rule for rule in _carried(self.filling) if not rule.startswith(CRITICAL_MARK))
        wanted = dict.fromkeys((rule for rule in carried if unmarked(rule) not in known), True)
        for memory in sorted(memories, key=lambda m: (-m.priority.rank, not m.standing)):
            if not memory.is_report:  # such a one is among the errors
                binds = memory.standing and memory.priority.rank >= MemoryPriority.HIGH.rank
                wanted.setdefault(marked_text(memory), binds or bool(memory.overtaken))
        others = [t for t, binds in wanted.items() if t not in critical and t not in (now if binds else said)]
        share, more = self._share(RULES_SHARE), list[str]()
        for text in others:
            cost = self.filling.count(text) + RULE
            if cost <= share:
                share, self.left = share - cost, self.left - cost
                more.append(text)
        rules = (*listed, *more)
        done = _done_with(self.filling)
        past = tuple(rule for rule in rules if rule.removeprefix(CRITICAL_MARK) in done)
        self.ledger = replace(self.ledger, rules=tuple(r for r in rules if r not in past), asked=past)

    def quote_notes(self) -> None:
        """Quote what programs said in the user role, the newest first; of too long a text the lines that bind."""
        share = by_size(NOTES_SHARE, self.filling.target)
        room = self._share(share * BESIDE_NARRATIVE if self.filling.narrative else share)
        quotes = [s for s in (self.ledger.brief, *self.ledger.quotes) if s is not None]
        carried, count = self.filling.carried, self.filling.count
        seen = {s.text for s in quotes} | {s.text for _, s in filter(None, (carried.brief,))}
        asked = max((i for i, _ in carried.said), default=-1)
        kept: list[Said] = []
        for index, note in reversed(carried.notes):
            if index >= self.filling.tail.start or note.text in seen or OVER.match(note.text):
                continue
            seen.add(note.text)
            one = note
            if self._cost(note) > room:
                known = {line.strip() for s in (*quotes, *kept) for line in s.text.split("\n")}
                text = _instructions(note.text, room - FRAME, count, known, steps=index > asked)
                one = replace(note, text=text)
                if not text or text in seen or self._cost(one) > room:
                    continue
                seen.add(text)
            kept.append(one)
            room -= self._take(index, self._cost(one))
        self.ledger = replace(self.ledger, notes=tuple(reversed(kept)))


_SKILLS = re.compile(r"^#{1,3} (?:Available )?skills\s*$", re.MULTILINE | re.IGNORECASE)
"""The heading of what a client adds to a project's instructions on the use of skills."""
_SKILL = re.compile(r"^- [^\n]{1,2000}\(file: [^\n]{1,400}\)$", re.MULTILINE)  # one of the skills it lists


def _instructions(text: str, room: int, count: TokenCounter, known: Container[str], *, steps: bool) -> str:
    """The lines that bind, and `steps` of what is under way; of a project's, own lines before skills, also orders."""
    if not INSTRUCTIONS.match(text):
        return binding_lines(text, room, count, known, steps=steps)
    head, _, body = text.strip().partition("\n")  # by its heading it is known again in the next compaction
    room -= count(head) + 2
    kept: list[str] = []
    for part in _SKILLS.split(body, maxsplit=1):
        lines = binding_lines(_SKILL.sub("", part), room, count, known, orders=not kept)
        room -= count(lines) + 2
        kept.append(lines)
    lines = f"\n{GAP}\n".join(filter(None, kept))
    return f"{head}\n{lines}" if lines else ""


def critical_rules(filling: Filling) -> list[str]:
    """The critical rules: of earlier ledgers, then of this conversation, the marks of the former taken off."""
    own = {m.content: marked_text(m) for m in filling.memories if m.priority is MemoryPriority.CRITICAL}
    carried = (rule for rule in _carried(filling) if rule.startswith(CRITICAL_MARK))
    older = (rule.removeprefix(CRITICAL_MARK) for rule in carried)
    return list(dict.fromkeys((*(r for r in older if unmarked(r) not in own), *own.values())))


def _carried(filling: Filling) -> list[str]:
    return [rule for _, older in filling.carried.ledgers for rule in (*older.rules, *older.asked)]


def _told(quotes: Sequence[str]) -> str:
    """What quotes say, and what their lists say item by item."""
    return "\n".join((*quotes, *(item for quote in quotes for item in carried_in(quote))))


_HOLDS_ON = frozenset("never not always only keep".split())  # cues of what holds on when its request is done


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
