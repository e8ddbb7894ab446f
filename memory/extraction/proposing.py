"""Extraction with a model: what it is asked, which of its proposals count, and how they meet our own.

A proposal counts only where its quote stands in a typed text, blanks aside; a model invents nothing here. Where it has
read a text its judgement decides: of ours stays what it proposes too, and what the person asked to remember or lays
down for certain.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from memory.conversation import redact
from memory.entries import Candidate, MemoryPriority, MemoryType
from memory.extraction.extracting import FORMED, LONGEST_CONTENT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

LEAST_TYPED, MOST_TYPED, MOST_BEFORE = 12, 24_000, 300
"""Characters of a text that is worth asking about, of all texts of one request, and of what the assistant said before
each (chosen)."""
AGREED, PROPOSED_ALONE = 0.95, 0.85
"""Confidence of what both found, and of what only the model did (chosen)."""


@dataclass(frozen=True, slots=True)
class ExtractionRequest:
    """One call of a model, plain text, no tools: `system` and `prompt` as they are; `texts` are those it is about."""

    system: str
    prompt: str
    texts: tuple[str, ...]
    max_tokens: int = 8192  # tokens the answer may have, a model's thinking included


class Extractor(Protocol):
    """Any callable of one request that returns the model's answer; whatever it raises is survived and counted."""

    def __call__(self, request: ExtractionRequest, /) -> str:
        """Return the model's answer, as it is."""


class Typed(NamedTuple):
    """A typed text, and the end of the assistant's text before it."""

    text: str
    before: str = ""


class Proposal(NamedTuple):
    """What a model proposes of a text: a span of it, and what it takes it for (None where it names nothing known)."""

    start: int
    end: int
    type: MemoryType | None
    priority: MemoryPriority | None
    standing: bool


@cache
def _system() -> str:
    path = files("memory.extraction") / "prompts" / "extract.md"
    return path.read_text(encoding="utf-8").rstrip("\n")


def requests_of(texts: Sequence[Typed]) -> Iterator[tuple[ExtractionRequest, tuple[Typed, ...]]]:
    """Yield the requests about some texts, with those each is about; short ones are left out, long ones cut."""
    part: list[Typed] = []
    for one in (*(t for t in texts if len(t.text.strip()) >= LEAST_TYPED), None):
        if part and (one is None or sum(len(t.text) for t in (*part, one)) > MOST_TYPED):
            blocks = [_block(number, typed) for number, typed in enumerate(part, 1)]
            yield ExtractionRequest(_system(), "\n\n".join(blocks), tuple(t.text for t in part)), tuple(part)
            part = []
        part += [one] if one else []


def _block(number: int, typed: Typed) -> str:
    """Write a text between tags that it cannot close: they carry its own digest."""
    text, half = redact(typed.text), MOST_TYPED // 2
    if len(text) > MOST_TYPED:
        text = f"{text[:half]}\n[...]\n{text[-half:]}"
    mark = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    said = redact(typed.before.strip())[-MOST_BEFORE:]
    before = f"Before it the assistant said (not to be quoted): …{' '.join(said.split())}\n" if said else ""
    return f'{before}<message number="{number}" id="{mark}">\n{text}\n</message id="{mark}">'


def read_answer(answer: str, texts: Sequence[Typed]) -> tuple[list[list[Proposal]], int]:
    """Return the proposals for each text, in order, and how many were dropped; `ValueError` where it is no answer."""
    try:
        start, end = answer.find("{"), answer.rfind("}")
        told: Any = json.loads(answer[start : end + 1])
    except (ValueError, AttributeError, TypeError) as error:
        raise ValueError(f"the model's answer is no JSON: {error}") from error
    if not isinstance(told, dict) or not all(isinstance(told.get(str(n + 1)), list) for n in range(len(texts))):
        raise ValueError(f"the model's answer has no list for each of {len(texts)} messages")
    found = [[_proposal(one, t.text) for one in told[str(n)]] for n, t in enumerate(texts, 1)]
    kept = [list({p.start: p for p in row if p is not None}.values()) for row in found]
    return [sorted(row) for row in kept], sum(p is None for row in found for p in row)


def _proposal(told: object, text: str) -> Proposal | None:
    words = told.get("quote") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(words, str) or not words.strip():
        return None
    at = re.search(r"\s+".join(map(re.escape, words.split())), text)
    if at is None or at.end() - at.start() > LONGEST_CONTENT:
        return None
    kind = next((one for one in MemoryType if one.value == told.get("type")), None)
    rank = next((one for one in MemoryPriority if one.value == told.get("priority")), None)
    return Proposal(at.start(), at.end(), kind, rank, told.get("standing") is True)


def settled(
    own: Sequence[Candidate], proposals: Sequence[Proposal], text: str, make: Callable[[str], Candidate]
) -> tuple[Candidate, ...]:
    """Return what a text says by both judgements, in order; `make` reads a quote that extraction did not find."""
    found: list[Candidate] = []
    left = list(own)
    for one in proposals:
        alike = [c for c in left if 2 * (min(c.end, one.end) - max(c.start, one.start)) > c.end - c.start]
        left = [c for c in left if c not in alike]
        quote = text[one.start : one.end]
        base = next((c for c in alike if 2 * (c.end - c.start) > len(quote)), None)
        sure = AGREED if alike else PROPOSED_ALONE
        base = base or make(quote)._replace(start=one.start, end=one.end, explicit=False, tags=())
        rank = one.priority or base.priority
        standing = one.standing or base.explicit
        kind = one.type or base.type
        found.append(base._replace(type=kind, priority=rank, standing=standing, confidence=sure))
    found += [c for c in left if c.explicit or (c.priority is MemoryPriority.CRITICAL and c.confidence >= FORMED)]
    return tuple(sorted(found, key=lambda candidate: candidate.start))
