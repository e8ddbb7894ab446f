"""Cutting a typed text into clauses: sentences, list items and parts of long sentences, with exact spans."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memory.extraction.heads import NO_RUN_IN, carried_by, goes_on, listing_of, run_in
from memory.extraction.text import SHORTEST, LineKind, lines_of, sentences_of

if TYPE_CHECKING:
    from memory.extraction.heads import Force, Span


class Clause(NamedTuple):
    """A stretch of typed text that says one thing.

    Attributes:
        text: verbatim, trimmed.
        start, end: span of its own words in the text it was cut from.
        kind: kind of the line it stands in.
        marker: the list marker of its line.
        heading: text of the nearest heading above, "" for none.
        run: how many list items its list has, 0 outside of lists.
        place: index of the clause in its line.
        line: index of the line among those that are not blank.
        cut: it is a part of a longer sentence.
        fenced: it stands in a code fence.
        indent: columns before it.
        heads: spans of the heads above it whose words its text begins with: "Do not use: jQuery".
        reading: its text as a sentence, "Do not use jQuery", where that is another one; "" for most.
        own: how many characters of its text are its own words, where those of heads stand before them; 0 for most.
        force: what its heads make of it.
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


LONG_SENTENCE = 130
"""Width above which a sentence is cut at its commas; measured: best recall of marked quotes for the least cutting."""

_COMMA = re.compile(
    r"[，、,\s](?:(?<=，)\s*|(?<=、)(?:(?=[^、]{12})|(?<=[ァ-ヶー一-龠ぁ-ん]{6}、))|(?<=,)\s+"
    r"|(?<=\s)\s*(?=并且|但是|然后|而且|以及|(?:but|because)\s))"
)
HEAD_LINES = 160
TAIL_LINES = 80
"""Lines of prose that are cut at the beginning and the end of a text; what is between was pasted (chosen: the
longest message marked by hand has 117 lines)."""

_PROSE, _ITEM, _HEADING = LineKind.PROSE, LineKind.ITEM, LineKind.HEADING
_SPOKEN = frozenset((_PROSE, _ITEM, _HEADING, LineKind.QUOTE))


def clauses_of(text: str) -> tuple[Clause, ...]:
    """Return the clauses of a typed text, in order; linear in the text.

    Of a very long text the prose between its first `HEAD_LINES` and last `TAIL_LINES` is left out.
    """
    found: list[Clause] = []
    heading = ""
    lines = lines_of(text)
    kinds = [line.kind for line in lines]
    runs = _runs(kinds)
    left_out = _left_out(kinds) if len(kinds) > HEAD_LINES + TAIL_LINES else range(0)
    listing = listing_of(text, lines)
    for index, (kind, start, end, indent, marker, fenced) in enumerate(lines):
        if kind is _HEADING:
            heading = text[start:end]
        if listing.ends or listing.under or listing.heads:
            if index in listing.joined:
                continue
            end = listing.heads.get(index, listing.ends.get(index, end))  # noqa: PLW2901  # where its own words end
            if index in listing.under and start < end and index not in left_out:
                heads, force = listing.under[index]
                item = _first(text, start, end, force)
                shown, heads, reading = carried_by(text, item, heads, force)
                fields = (shown, *item, _ITEM, marker, heading, runs[index], 0, index, False, False, indent)
                found.append(Clause(*fields, heads, *reading))
                start, kind = item[1], _ITEM  # noqa: PLW2901  # what else is said
            if not text[start:end].strip():
                continue
        if kind not in _SPOKEN:
            body = text[start:end]
            fields = (body, start, end, kind, marker, heading, 0, 0, index, False, fenced, indent)
            found.append(Clause(*fields, (), *NO_RUN_IN))
        elif index not in left_out:
            body = text[start:end]
            pieces = _pieces(body)
            above = "" if kind is _HEADING else heading
            several = kind is _HEADING and len(pieces) > 1
            run = runs[index]
            for place, (low, high, cut) in enumerate(pieces):
                piece = " ".join(body[low:high].split()) if index in listing.ends else body[low:high]
                said = _in_heading(piece) if several else kind
                at, to = start + low, start + high
                fields = (piece, at, to, said, marker, above, run, place, index, cut, fenced, indent)
                found.append(Clause(*fields, (), *run_in(piece)))
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
    if force.negates or not force.conditions:
        ends = (start + high for _, high in sentences_of(_masked(text[start:end])))
        end = next(at for at in ends if at == end or text[start:at].rstrip()[-1] not in ";；")
    body = text[start:end]
    return start + len(body) - len(body.lstrip()), start + len(body.rstrip())


def _in_heading(piece: str) -> LineKind:
    """What one of several sentences in a heading is: what ends in a colon is what makes it one."""
    return _HEADING if piece.rstrip("*").endswith((":", "：")) else _PROSE


def _left_out(kinds: list[LineKind]) -> range:
    """The lines between the head and the tail of a long text."""
    spoken = [index for index, kind in enumerate(kinds) if kind in _SPOKEN]
    if len(spoken) <= HEAD_LINES + TAIL_LINES:
        return range(0)
    return range(spoken[HEAD_LINES], spoken[-TAIL_LINES])


def _runs(kinds: list[LineKind]) -> list[int]:
    """For each line the size of the list it belongs to (neighbouring items), 0 outside."""
    sizes = [0] * len(kinds)
    if _ITEM not in kinds:
        return sizes
    first = 0
    for index in range(len(kinds) + 1):
        if index == len(kinds) or kinds[index] is not _ITEM:
            for at in range(first, index):
                sizes[at] = index - first
            first = index + 1
    return sizes


_ENCLOSED = re.compile(
    r"`[^`]{1,300}`|\([^()]{1,200}\)|（[^（）]{1,200}）|\{[^{}]{0,300}\}"
    r"|\[[^\[\]]{1,200}\](?:\([^()]{1,200}\))?|“[^”]{1,200}”|「[^」]{1,200}」|『[^』]{1,200}』"
    r"|《[^》]{1,80}》|'(?<!\w')[^'\n]{1,120}'(?!\w)|\"[^\"\n]{1,200}\"|https?://[^\s，。）)]{4,400}"
)
_TURN = re.compile(
    r"(?i)(?:please |and |also |so |but )?(?:don['’]?t|do not|never|stop|no|not)\s[^,;，；]{2,60}[,;]\s{0,2}"
    r"(?=(?:please |just |but |and |then |rather )?(?:use|go with|switch|keep|make|put|do|write|run|instead"
    r"|only)\b)"
    r"|(?:请|請)?(?:不要|别|別|不用|禁止|不再)[^,;，；。]{1,30}[,，;；]\s{0,2}(?=(?:要|请|而是|只)?(?:改|换|換|用|使用|采用|直接))"
)
"""A prohibition and what to do instead, in one sentence: two clauses."""

_ATTACHED = re.compile(r"\s*(?:'[^'\n]{1,300}'\s\(see below for [a-z ]{2,20} content\)[\s,;:]*)+")
"""What Roo and Cline make of files that are mentioned at the beginning of a request."""
_LOGGED = re.compile(
    r"\s20\d\d-\d\d-\d\d(?:T\d\d:\d\d:\d\d[\w.:+-]{0,20}|\s\d\d:\d\d:\d\d[.,]\d{3}\w?)\s{1,4}\[?(?:TRACE|DEBUG|INFO|WARN(?:ING)?)\b"
)
"""Where a line of a log begins that was pasted behind a sentence."""
_MARKS = re.compile(r"\[(?:image|Image)(?: #?\d{0,4})?\]")


def _masked(body: str) -> str:
    """The line with everything in brackets, quotes and addresses blanked, so that no stop inside cuts it."""
    return _ENCLOSED.sub(lambda m: m.group()[0] + "x" * (len(m.group()) - 2) + m.group()[-1], body)


def _pieces(body: str) -> list[tuple[int, int, bool]]:
    """Return the spans of the sentences of a line, long ones cut at commas, and whether they are such cuts."""
    masked = _masked(body)
    found: list[tuple[int, int, bool]] = []
    for low, high in sentences_of(masked):
        if _is_long(body[low:high]):
            _add_long(found, body, masked, low, high)
            continue
        turn = _TURN.match(body, low, high)
        if turn is None:
            span = _trim(body, low, high)
            if span:
                found.append((*span, False))
            continue
        for start, end in ((low, turn.end()), (turn.end(), high)):
            span = _trim(body, start, end)
            if span:
                kept = body[span[0] : span[1]].rstrip(" ,;，；")
                found.append((span[0], span[0] + len(kept) if kept else span[1], True))
    return found


def _add_long(found: list[tuple[int, int, bool]], body: str, masked: str, low: int, high: int) -> None:
    """Cut a long sentence at its commas."""
    for comma in _COMMA.finditer(masked, low, high):
        start, end = comma.span()
        if (
            start - low < SHORT_CUT
            or high - end < SHORT_CUT
            or goes_on(body[low : min(start, low + REACH)], body[end : min(high, end + REACH)])
        ):
            continue
        span = _trim(body, low, start)
        if span:
            found.append((*span, True))
        low = end
    span = _trim(body, low, high)
    if span:
        found.append((*span, True))


REACH = 300
"""Characters before and behind a comma that say whether a rule goes on across it (chosen)."""

SHORT_CUT = 4
"""Fewest characters that are cut off at a comma (chosen)."""


def _trim(body: str, low: int, high: int) -> tuple[int, int] | None:
    """The span without blanks, image marks, attachments and log lines at its ends; None when nothing is left."""
    piece = body[low:high]
    if (named := _ATTACHED.match(piece)) and piece[named.end() :].strip():
        low += named.end()
        piece = body[low:high]
    if logged := _LOGGED.search(piece):
        high = low + logged.start()
        piece = body[low:high]
    if "[" in piece:
        for mark in _MARKS.finditer(piece):
            if not piece[: mark.start()].strip():
                low += mark.end()
                piece = body[low:high]
                break
        while piece.rstrip().endswith("]") and (
            tail := _MARKS.search(piece, max(0, len(piece.rstrip()) - 14))
        ):
            high = low + tail.start()
            piece = body[low:high]
    kept = piece.strip()
    if len(kept) < SHORTEST:
        return None
    low += len(piece) - len(piece.lstrip())
    return low, low + len(kept)


def _is_long(piece: str) -> bool:
    """Tell whether a sentence is wider than `LONG_SENTENCE`.

    A Chinese or Japanese character counts as five letters: a sentence of 26 of them is long (measured).
    """
    letters = len(piece)
    if letters > LONG_SENTENCE or piece.isascii() or 5 * letters <= LONG_SENTENCE:
        return letters > LONG_SENTENCE
    return letters + 4 * sum(map(len, _WIDE.findall(piece))) > LONG_SENTENCE


_WIDE = re.compile(r"[^\x00-\u2e7f][^\x00-\u2e7f]*")
