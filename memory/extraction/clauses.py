"""Cut a typed text into clauses: sentences, list items and parts of long sentences, with exact spans."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from memory.extraction.heads import (
    LONGEST_RUN_IN,
    NEGATING,
    NO_RUN_IN,
    STRONG,
    TOLD,
    TURN,
    carried_by,
    directs,
    force_of,
    goes_on,
    listing_of,
    run_in,
)
from memory.extraction.text import LineKind, lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory.extraction.heads import Force, Span


SHORTEST, SHORT_CUT = 2, 4
"""Fewest characters of a clause, and of what is cut off at a comma."""
LONG_SENTENCE = 130
"""Width above which a sentence is cut at its commas (measured)."""
HEAD_LINES, TAIL_LINES = 160, 80
"""Lines of prose that are read at the beginning and the end of a text; what is between was pasted (chosen)."""
REACH = 300


class Clause(NamedTuple):
    """A stretch of typed text that says one thing: verbatim and trimmed, with the span of its own words.

    `line` and `place` count lines that are not blank and clauses in one; `kind`, `marker`, `indent`, `fenced` are its
    line's; `heading` is the nearest above, `run` the size of its list; `cut`: it is a part of a longer sentence.
    `heads` are spans of heads whose words its text begins with ("Do not use: jQuery"), `reading` is that as a sentence
    ("Do not use jQuery"), `own` how many characters are its own (0: all), `force` what its heads make of it.
    """

    text: str
    start: int
    end: int
    kind: LineKind
    marker: str = ""
    heading: str = ""
    run: int = 0
    place: int = 0
    line: int = 0
    cut: bool = False
    fenced: bool = False
    indent: int = 0
    heads: tuple[Span, ...] = ()
    reading: str = ""
    own: int = 0
    force: Force | None = None

    @property
    def weighed(self) -> str:
        """What of it is weighed: under a head that only conditions it, its own words."""
        if self.own and self.force is not None and not self.force.rules:
            return self.text[-self.own :]
        return self.reading or self.text


_COMMA = re.compile(
    r"[，、,\s](?:(?<=，)\s*|(?<=、)(?:(?=[^、]{12})|(?<=[ァ-ヶー一-龠ぁ-ん]{6}、))|(?<=,)\s+"
    r"|(?<=\s)\s*(?=并且|但是|然后|而且|以及|(?:but|because)\s))"
)
_PROSE, _ITEM, _HEADING = LineKind.PROSE, LineKind.ITEM, LineKind.HEADING
_SPOKEN = frozenset((_PROSE, _ITEM, _HEADING, LineKind.QUOTE))


@lru_cache(maxsize=4)  # what extracts and what corrects read the same text
def clauses_of(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a typed text, in order, between `HEAD_LINES` and `TAIL_LINES` no prose; linear."""
    found: list[Clause] = []
    heading = ""
    lines = lines_of(text)
    runs = _runs([line.kind for line in lines])
    spoken = [index for index, line in enumerate(lines) if line.kind in _SPOKEN]
    left_out = range(spoken[HEAD_LINES], spoken[-TAIL_LINES]) if len(spoken) > HEAD_LINES + TAIL_LINES else range(0)
    listing = listing_of(text, lines)
    for index, (kind, start, end, indent, marker, fenced) in enumerate(lines):
        if kind is _HEADING:
            heading = text[start:end]
        if index in listing.joined:
            continue
        end = listing.heads.get(index, listing.ends.get(index, end))  # noqa: PLW2901  # where its own words end
        if index in listing.heads and (stop := _BREAK.search(text, start, end)):
            end = stop.start()  # noqa: PLW2901
        if index in listing.under and start < end and index not in left_out:
            heads, force = listing.under[index]
            item = _first(text, start, end, force)
            shown, heads, reading = carried_by(text, item, heads, force)
            fields = (shown, *item, _ITEM, marker, heading, runs[index], 0, index, False, False, indent)
            found.append(Clause(*fields, heads, *reading))
            start, kind = item[1], _ITEM  # noqa: PLW2901  # what else is said
        body = text[start:end]
        if not body.strip():
            continue
        if kind not in _SPOKEN:
            fields = (body, start, end, kind, marker, heading, 0, 0, index, False, fenced, indent)
            found.append(Clause(*fields, (), *NO_RUN_IN))
        elif index not in left_out:
            pieces = _pieces(body)
            above, hearsay = "" if kind is _HEADING else heading, False
            for place, (low, high, cut, told) in enumerate(pieces):
                piece = " ".join(body[low:high].split()) if index in listing.ends else body[low:high]
                leads = piece.rstrip("*").endswith((":", "："))
                said = _PROSE if kind is _HEADING and len(pieces) > 1 and not leads else kind
                at, to = start + low, start + high
                fields = (piece, at, to, said, marker, above, runs[index], place, index, cut, fenced, indent)
                run_on = (body[low:told], 0, None) if told else run_in(piece)  # an exception is not weighed
                if hearsay and directs(piece):
                    run_on = ("", 0, TOLD)
                hearsay = run_on[2] is TOLD and (hearsay or ":" in piece or "：" in piece)
                found.append(Clause(*fields, (), *run_on))
    return tuple(found)


def carried_in(text: str) -> tuple[str, ...]:
    """Return what the lists of a text say item by item, each with the words of its heads: "Do not use: jQuery"."""
    found: list[str] = []
    for clause in clauses_of(text):
        if clause.heads:
            found.append(clause.text)
        elif clause.reading:
            head, _, items = clause.text.replace("：", ":").partition(":")
            found += [f"{head}: {item}" for item in _MEMBERS.split(items) if item.strip()]
    return tuple(found)


_MEMBERS = re.compile(r"\s{0,3}[,，、;；]\s{0,3}")


def _first(text: str, start: int, end: int, force: Force) -> Span:
    """Where what a head says of an item ends: what denies is said of its first sentence, what conditions of all."""
    if not force.told and (force.negates or not force.conditions):
        ends = (start + high for _, high in sentences_of(_masked(text[start:end])))
        end = next(at for at in ends if at == end or text[start:at].rstrip()[-1] not in ";；")
    body = text[start:end]
    return start + len(body) - len(body.lstrip()), start + len(body.rstrip())


def _runs(kinds: list[LineKind]) -> list[int]:
    """For each line the size of the list it belongs to (neighbouring items), 0 outside."""
    sizes: list[int] = []
    for kind, group in groupby(kinds):
        size = len(list(group))
        sizes += [size if kind is _ITEM else 0] * size
    return sizes


_STOP = re.compile(r"[.!?…。！？；;]{1,8}[\"')\]”’*`」』）]{0,3}")
_NUMBERED = re.compile(r"\s{1,4}(?=\(?\d[.)]\s[^\s\d])")
_NUMBERED_ITEM = re.compile(r"\(?\d[.)]\s")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|Mr|Mrs|Dr|No|incl|resp|z\.B|d\.h|p\.ej|т\.д|т\.п|[A-Z])$"
)
_ENCLOSED = re.compile(
    r"`[^`]{1,300}`|\([^()]{1,200}\)|（[^（）]{1,200}）|\{[^{}]{0,300}\}"
    r"|\[[^\[\]]{1,200}\](?:\([^()]{1,200}\))?|“[^”]{1,200}”|「[^」]{1,200}」|『[^』]{1,200}』"
    r"|《[^》]{1,80}》|'(?<!\w')[^'\n]{1,120}'(?!\w)|\"[^\"\n]{1,200}\"|https?://[^\s，。）)]{4,400}"
)

_BREAK = re.compile(r"(?:\s{0,3}[,;，；]|\s[-–—]{1,2})\s{0,3}\Z")
_ATTACHED = re.compile(r"\s*(?:'[^'\n]{1,300}'\s\(see below for [a-z ]{2,20} content\)[\s,;:]*)+")
"""What Roo and Cline make of files that are mentioned at the beginning of a request."""
_LOGGED = re.compile(
    r"\s20\d\d-\d\d-\d\d(?:T\d\d:\d\d:\d\d[\w.:+-]{0,20}|\s\d\d:\d\d:\d\d[.,]\d{3}\w?)\s{1,4}\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?)\b"
)
_FIRST_MARK = re.compile(r"\s{0,8}\[(?:image|Image)(?: #?\d{0,4})?\]")
_LAST_MARK = re.compile(r"\[(?:image|Image)(?: #?\d{0,4})?\]\s{0,8}\Z")


def _masked(body: str) -> str:
    """The line with everything in brackets, quotes and addresses blanked, so that no stop inside cuts it."""
    return _ENCLOSED.sub(lambda m: m.group()[0] + "x" * (len(m.group()) - 2) + m.group()[-1], body)


def sentences_of(body: str) -> Iterator[Span]:
    """Yield the spans of the sentences of a line (masked); a list that runs on in it is one: "do not use: a; b"."""
    size = len(body)
    ends = {stop.end() for stop in _STOP.finditer(body) if stop.end() < size and _is_stop(body, stop)}
    ends.update(number.end() for number in _NUMBERED.finditer(body))
    low = at = 0
    for end in (*sorted(ends), size):
        if end - at < SHORTEST:
            continue
        if at > low and not _runs_on(body, low, at):
            yield low, at
            low = at
        at = end
    yield low, at or size


def _runs_on(body: str, low: int, start: int) -> bool:
    """Tell whether what begins at `start` is one more item of a list whose head stands at `low`."""
    head = body[low : min(start, low + LONGEST_RUN_IN)]
    if _NUMBERED_ITEM.match(body, start):
        return force_of(head) is not None
    return body[low:start].rstrip()[-1] in ";；" and run_in(head)[2] is not None


def _is_stop(body: str, stop: re.Match[str]) -> bool:
    """Tell the stop of a sentence, inside its line, from a dot in a name, a number or an abbreviation."""
    signs, start = stop.group(), stop.start()
    if any(sign in "。！？；" for sign in signs):
        return True
    if body[stop.end()].isspace():
        return signs[0] != "." or not _ABBREVIATION.search(body[max(0, start - 8) : start])
    if signs[0] == ";":
        return False
    if signs[0] in "!?" and _IDEOGRAPH.match(body[start - 1 : start]):
        return True
    return len(signs) == 1 and _IDEOGRAPH.match(body[stop.end()]) is not None


_IDEOGRAPH = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_WIDE = re.compile(r"[\u2e80-\U0010ffff]")


def _pieces(body: str) -> list[tuple[int, int, bool, int]]:
    """Return the spans of the sentences of a line, long ones cut at commas, and whether they are such cuts.

    What makes an exception stays with what it excepts from, which ends where the last number says (0: at the end).
    """
    masked = _masked(body)
    found: list[tuple[int, int, bool, int]] = []
    for low, high in sentences_of(masked):
        cuts, long = [low], high - low + 4 * len(_WIDE.findall(body, low, high)) > LONG_SENTENCE
        if long:
            for comma in _COMMA.finditer(masked, low, high):
                start, end = comma.span()
                before = body[cuts[-1] : min(start, cuts[-1] + REACH)]
                behind = body[end : min(high, end + REACH)]
                if start - cuts[-1] >= SHORT_CUT <= high - end and not goes_on(before, behind):
                    cuts += (start, end)
        elif turn := TURN.match(body, high - len(body[low:high].lstrip()), high):
            said = turn.end(turn.lastindex or 0)
            if body[said] in ",;，；" or body[low:high].rstrip().endswith((":", "：")):
                cuts += (said, turn.end())
        spans = [_trim(body, at, to) for at, to in zip(cuts[::2], [*cuts[1::2], high], strict=True)]
        parts = [span for span in spans if span]
        excepting = [
            k for k, (at, to) in enumerate(parts) if _EXCEPTING.match(body, at, to) and _hangs(body[at:to])
        ]
        excepting += [k for k, (at, to) in enumerate(parts) if k and _LEFT_OUT.search(body, at, to)]
        if excepting and (last := max(excepting)):
            found.append((parts[0][0], parts[last][1], long, parts[0][1]))
            parts = parts[last + 1 :]
        elif excepting and found and _narrows(body[slice(*parts[0])], body[found[-1][0] : found[-1][1]]):
            begin, at, cut, told = found.pop()
            rest = _REST.match(body, *parts[0])
            found.append((begin, parts.pop(0)[1], cut, 0 if rest else told or at))
        found += [(*span, long or len(cuts) > 1, 0) for span in parts]
    return found


def _hangs(exception: str) -> bool:
    """Tell whether an exception says nothing without what stands before it: it has no main clause of its own."""
    return _OWN.match(exception) is None


def _narrows(exception: str, before: str) -> bool:
    """Tell whether an exception narrows the sentence before: "only ..." and "not ..." need a rule there."""
    return _ONLY.match(exception) is None or STRONG.search(before) or NEGATING.search(before)


_OWN = re.compile(
    r"(?i)(?!\W*(?:otherwise\b|否[则則]|exceptions?:))"
    r"(?:.*,(?! (?:when|where|wh(?:ich|o|ile)|and|or|but|since|because)\b)|.*[，才])"
)
_ONLY = re.compile(r"(?i)\W{0,3}(?:(?:and |but )?(?:only|not)\b|只|[仅僅])")
_REST = re.compile(r"(?i)\W{0,3}(?:(?:everything|anything|everyone) else|the (?:rest|others?))\b")
_EXCEPTED = (
    r"(?:(?:and |but )?(?:except|unless|otherwise|only (?:if|when|in|for|on|after)|not (?:if|when|in)"
    r"|apart from|with (?:the|one) exception)\b|exceptions?:|(?:excepto|salvo|außer|es sei denn|sauf|кроме)\b"
    r"|除非|否[则則]|例外|除了|只有|[仅僅][当當在限]|[^，。,.\s]{1,20}(?:除外|例外)\W{0,3}$)"
)
_EXCEPTING = re.compile(rf"(?i)\W{{0,3}}{_EXCEPTED}|{_REST.pattern.removeprefix('(?i)')}")
_LEFT_OUT = re.compile(rf"(?i)[,;，；]\s?{_EXCEPTED}")
"""How a sentence, or a part of one, begins that makes an exception from what stands before it, or tells of the rest."""


def _trim(body: str, low: int, high: int) -> Span | None:
    """The span without blanks, image marks, attachments and log lines at its ends; None when nothing is left."""
    if (named := _ATTACHED.match(body, low, high)) and body[named.end() : high].strip():
        low = named.end()
    if logged := _LOGGED.search(body, low, high):
        high = logged.start()
    if first := _FIRST_MARK.match(body, low, high):
        low = first.end()
    while last := _LAST_MARK.search(body, max(low, high - 30), high):
        high = last.start()
    kept = body[low:high].strip()
    if len(kept) < SHORTEST:
        return None
    low += len(body[low:high]) - len(body[low:high].lstrip())
    return low, low + len(kept)
