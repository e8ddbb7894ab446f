"""Which clauses of a typed text are worth keeping, and as what: `extract_candidates`.

The text is cut into clauses; pasted machine output gives at most the lines that name a failure; every other clause is
weighed by its evidence or kept for certain. What is kept is the clause, verbatim.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from memory.conversation import redact, search_secrets
from memory.entries import Candidate, MemoryPriority, MemoryType
from memory.extraction.classifier import (
    THRESHOLDS,
    best_type,
    priority_of,
    stands,
    strength_of,
    type_scores,
)
from memory.extraction.clauses import clauses_of
from memory.extraction.durable import DURABLE, LASTING, durable_of
from memory.extraction.features import endpoints_in, evidence_of, files_in, setting_of, symbols_in
from memory.extraction.heads import ADOPTED, NAMED, STRONG, VERDICT, is_neutral
from memory.extraction.pasted_errors import identifying_lines
from memory.extraction.referents import pointed_at
from memory.extraction.rules import announces, certainty_of, certainty_under, is_note
from memory.extraction.slots import retracted_in, slots_in
from memory.extraction.technologies import technologies_in
from memory.extraction.text import PASTED, LineKind, begged, core_starts, is_courtesy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.conversation import SecretSpan
    from memory.extraction.clauses import Clause
    from memory.extraction.features import Setting
    from memory.extraction.rules import Certainty

LONGEST_TEXT = 400_000
"""Characters of a text that are read: nobody types more; what is beyond was pasted (chosen)."""
_LONG = frozenset(f"width:{n}" for n in range(6, 10))  # evidence of a line that is no short message
MOST_WEIGHED = 150
"""Clauses weighed in one text, two thirds from its beginning: people speak around what they paste (chosen)."""
LONGEST_CONTENT = 600
"""Characters of a clause that are kept (chosen; the longest marked by hand has 250)."""

ASKED, FORMED = 0.95, 0.75
"""Confidence of what is to be remembered (chosen), and of what is kept for its form (measured)."""
LEADING = 0.55
"""Confidence up to which a part of a long line gives way to a surer part of it (measured)."""

_HEADING = LineKind.HEADING


class _Kept(NamedTuple):
    clause: Clause
    evidence: set[str]
    strength: float
    certainty: Certainty | None
    explicit: bool
    lasts: bool

    @property
    def confidence(self) -> float:
        """How likely it is worth keeping: by its evidence, its form, or because it was asked for."""
        return max(self.strength, ASKED if self.explicit else FORMED if self.certainty is not None else 0.0)


def extract_candidates(text: str, *, before: str = "") -> tuple[Candidate, ...]:
    """Return the memories of one typed text, in order of appearance, none twice; linear, never raises.

    `before` is the end of the assistant's text before it: an answer to a question weighs more.
    """
    text = text[:LONGEST_TEXT]
    searched = search_secrets(text)
    secrets = searched or ()
    if is_note(text):
        return (_without(secrets, _explicit_note(text), text),)
    clauses = clauses_of(text)
    setting = setting_of(text, clauses, before)
    kept = _leading([read for at in _spoken(clauses) if (read := _read(clauses, at, setting)) is not None])
    clean = None if searched is None else "" if secrets else text
    found = _pointed(_typed(kept, clean), clauses, text, clean)
    found += [_failure(clauses[at], clean) for at in identifying_lines(clauses)]
    found.sort(key=lambda candidate: candidate.start)
    if secrets:
        found = [_without(secrets, candidate, text) for candidate in found]
    return tuple({" ".join(c.content.casefold().split()): c for c in reversed(found)}.values())[::-1]


_ADVICE = re.compile(r"(?:please )?(?:make sure|ensure|check|verify)\b[^.!?]{0,60}\byour\b", re.IGNORECASE)


def _read(clauses: tuple[Clause, ...], at: int, setting: Setting) -> _Kept | None:
    """Weigh a clause without its openers; behind what may be one only where it is not certain without."""
    clause = clauses[at]
    if clause.kind is _HEADING and clause.text.endswith((":", "：")):
        return None  # it says nothing without what it leads to
    if at and clauses[at - 1].kind in PASTED and _ADVICE.match(clause.text):
        return None
    text = clause.weighed
    cores = [text[start:] for start in core_starts(text)]
    cores += filter(None, [begged(text)])
    if any(map(is_courtesy, cores)):
        return None
    found: _Kept | None = None
    for core in cores:
        read = _weighed(clauses, at, setting, core)
        if read is not None and read.certainty is not None:
            return read
        found = found or read
    return found


def _weighed(clauses: tuple[Clause, ...], at: int, setting: Setting, text: str) -> _Kept | None:
    """Weigh the core of a clause; None where it is not worth keeping."""
    clause = clauses[at]
    evidence = evidence_of(clauses, at, setting, text)
    strength = strength_of(evidence, setting.size)
    weak = setting.answers or strength < THRESHOLDS[setting.size]
    certainty = certainty_of(text, evidence, weak=weak)
    if certainty is None and clause.own and clause.reading:
        certainty = certainty_of(clause.reading, evidence, weak=weak)
    if certainty is None and clause.force is not None:
        certainty = certainty_under(clause.force)
    is_short = setting.size == "few" and not clauses[-1].line and _LONG.isdisjoint(evidence)
    durable = durable_of(evidence, strength, text) if is_short and not setting.answers else 0.0
    if certainty is None and weak and durable >= DURABLE:  # it is one short line that holds on
        strength, weak = durable, False
    explicit = certainty is not None and certainty.explicit
    explicit = explicit or (bool(clause.heading) and clause.run > 0 and announces(clause.heading))
    kept = explicit or certainty is not None or not (weak or clause.kind is _HEADING)
    return _Kept(clause, evidence, strength, certainty, explicit, durable >= LASTING) if kept else None


def _spoken(clauses: tuple[Clause, ...]) -> list[int]:
    """Indexes of the clauses that are weighed: no machine output, no code; both ends of a very long text."""
    said = [at for at, clause in enumerate(clauses) if clause.kind not in PASTED and not clause.fenced]
    whole = "\n".join(clauses[at].text for at in said if clauses[at].kind is not LineKind.QUOTE)
    if not ADOPTED.search(whole):
        judged = VERDICT.search(whole) is not None
        said = [at for at in said if not _is_anothers(clauses[at], judged=judged)]
    if len(said) <= MOST_WEIGHED:
        return said
    tail = MOST_WEIGHED // 3
    return said[: MOST_WEIGHED - tail] + said[-tail:]


def _is_anothers(clause: Clause, *, judged: bool) -> bool:
    """Tell whether a clause is a quote that the person does not ask for, or a rule that others lay down."""
    if clause.kind is LineKind.QUOTE:
        return not is_neutral(clause.heading)
    told = clause.force is not None and clause.force.told
    return bool(told or (judged and NAMED.match(clause.text))) and STRONG.search(clause.text)


def _leading(kept: list[_Kept]) -> list[_Kept]:
    """Leave out the weak parts of a long line where another part says more: pieces cut at its commas."""
    best: dict[int, float] = {}
    for one in kept:
        if one.clause.cut:
            best[one.clause.line] = max(one.confidence, best.get(one.clause.line, 0.0))
    return [k for k in kept if not k.clause.cut or k.confidence >= min(LEADING, best[k.clause.line])]


def _typed(kept: list[_Kept], clean: str | None) -> list[Candidate]:
    """Settle the types, list by list, and make the candidates; `clean` as `_redacted` takes it."""
    found: list[Candidate] = []
    for in_list, group in groupby(kept, key=lambda k: k.clause.heading if k.clause.run > 1 else None):
        members = list(group)
        scores = [type_scores(member.evidence) for member in members]
        for member, own in zip(members, scores, strict=True):
            kind = best_type(own, scores if in_list is not None else ())
            found.append(_candidate(member, kind, clean))
    return found


def _pointed(found: list[Candidate], clauses: Sequence[Clause], text: str, clean: str | None) -> list[Candidate]:
    """Put what a rule points back at before it, in place of that as a memory of its own."""
    places = {clause.start: at for at, clause in enumerate(clauses)}
    shown: list[Candidate] = []
    for one in found:
        ruling = (one.standing or one.priority is MemoryPriority.CRITICAL) and one.start in places
        heads = pointed_at(clauses, places[one.start]) if ruling else ()
        if heads:
            taken = [other for other in shown if any(low <= other.start < high for low, high in heads)]
            shown = [other for other in shown if other not in taken]
            words = " ".join((*(text[low:high] for low, high in heads), one.content))
            files = dict.fromkeys(name for c in (*taken, one) for name in c.related_files)
            names = dict.fromkeys(name for c in (*taken, one) for name in c.related_tech)
            merged = one._replace(content=_redacted(words, clean), heads=heads, related_files=tuple(files))
            shown.append(merged._replace(related_tech=tuple(names)))
        else:
            shown.append(one)
    return shown


def _redacted(content: str, clean: str | None) -> str:
    """Take out secrets; `clean` is a text known to hold none, None where no part of the whole text may hold any."""
    return content if clean is None or content == clean else redact(content)


def _candidate(kept: _Kept, kind: MemoryType, clean: str | None) -> Candidate:
    clause, certainty, explicit, force = kept.clause, kept.certainty, kept.explicit, kept.clause.force
    content = clause.text[:LONGEST_CONTENT]
    safe = _redacted(content, clean)
    said = _redacted(clause.reading[:LONGEST_CONTENT], clean) or safe
    kind = (certainty and certainty.type) or kind
    priority = certainty and certainty.priority
    if priority is None:
        priority = MemoryPriority.CRITICAL if explicit else priority_of(kept.evidence, kind)
    tags = {name.removeprefix("cue:") for name in kept.evidence if name.startswith("cue:")}
    tags.update(name.lower() for name in (*endpoints_in(content), *symbols_in(content)))
    if safe is not content:
        tags = {redact(tag) for tag in tags}
    technical = "has:tech" in kept.evidence
    standing = kept.lasts or (certainty is not None and certainty.standing) or stands(kept.evidence, kind)
    standing = explicit or (standing and kind is not MemoryType.IMPORTANT_ERROR)
    bound = force is not None and (force.negates or force.conditions or not force.orders)
    held = len(clause.heads) > 1 or (force is not None and force.conditions)
    if force is not None and force.void:
        standing, explicit, priority = False, False, MemoryPriority.MEDIUM
    return Candidate(
        content=safe,
        start=clause.start,
        end=clause.end - len(clause.text) + len(content),
        type=kind,
        priority=priority,
        standing=standing,
        tags=tuple(sorted(tags)),
        related_files=files_in(content),
        related_tech=technologies_in(content) if technical else (),
        slots=() if bound else slots_in(said, technical=technical),
        retracts=() if held else retracted_in(said),
        confidence=round(kept.confidence, 3),
        explicit=explicit,
        heads=clause.heads,
    )


def _without(secrets: tuple[SecretSpan, ...], candidate: Candidate, text: str) -> Candidate:
    """Take secrets out that only the whole text shows to be some: a clause may lack its label or half an address."""
    places = (*candidate.heads, (candidate.start, candidate.end))
    if not any(span.start < end and start < span.end for span in secrets for start, end in places):
        return candidate
    pieces: list[str] = []
    for start, end in places:
        at = start
        for span in secrets:
            if span.start < end and start < span.end:
                pieces += (text[at : max(at, span.start)], f"[REDACTED:{span.kind}]")
                at = span.end
        pieces += (text[at:end], " ")
    clean = redact("".join(pieces[:-1]))
    was, now = " ".join(text[start:end] for start, end in places).casefold(), clean.casefold()

    def stays(name: str) -> bool:
        return name.casefold() not in was or name.casefold() in now

    return candidate._replace(
        content=clean,
        tags=tuple(tag for tag in candidate.tags if stays(tag)),
        related_files=tuple(filter(stays, candidate.related_files)),
        slots=tuple(slot for slot in candidate.slots if stays(slot.value)),
        retracts=tuple(filter(stays, candidate.retracts)),
    )


def _failure(clause: Clause, clean: str | None) -> Candidate:
    """Make the candidate of a pasted line that names a failure."""
    content = clause.text[:LONGEST_CONTENT]
    return Candidate(
        content=_redacted(content, clean),
        start=clause.start,
        end=clause.start + len(content),
        type=MemoryType.IMPORTANT_ERROR,
        priority=MemoryPriority.HIGH,
        tags=("error",),
        related_files=files_in(content),
        related_tech=technologies_in(content),
        confidence=0.8,
    )


def _explicit_note(text: str) -> Candidate:
    """Make the candidate of a message that is one "# ..." line."""
    start = text.index("#") + 1
    start += len(text[start:]) - len(text[start:].lstrip())
    content = text[start:].rstrip()[:LONGEST_CONTENT]
    return Candidate(
        content=redact(content),
        start=start,
        end=start + len(content),
        type=MemoryType.USER_INSTRUCTION,
        priority=MemoryPriority.CRITICAL,
        standing=True,
        tags=("note",),
        related_files=files_in(content),
        related_tech=technologies_in(content),
        slots=slots_in(content),
        retracts=retracted_in(content),
        explicit=True,
    )
