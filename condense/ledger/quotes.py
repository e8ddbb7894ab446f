"""Quote a text that is too long for its room: the lines that say most of what is asked, verbatim, gaps marked."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from condense.reading import is_order
from memory.extraction import BINDING, LineKind, clauses_of, lines_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from memory.conversation import TokenCounter

LONGEST_LINE, ENDS = 600, 2
"""Characters of a line that is taken whole (of a longer one the sentences are), lines at either end that come first:
what is wanted is mostly said before or after what is pasted. Chosen."""
GAP = "…"  # stands for what is left out
SAID = (LineKind.PROSE, LineKind.ITEM, LineKind.HEADING, LineKind.ERROR)
_LISTED = re.compile(r"\s{0,8}\d{1,6}(?::|\s?[|│]|\t)")  # a numbered line of a file
_ROW, _RULE = re.compile(r"\s{0,8}\|.{0,2000}\|\s*$"), re.compile(r"[\s|:-]*$")
"""A row of a table, and the line between its head and its rows."""
_BINDS, _OWED, _ORDERS = range(3)  # ranks of lines of instructions
_SENTENCE = re.compile(r".{1,600}?(?:[.!?;:](?=\s)|[。！？；])|.{1,600}", re.DOTALL)


class _Piece(NamedTuple):
    start: int
    end: int
    kind: LineKind
    text: str


def partly_quoted(text: str, room: int, count: TokenCounter, known: Container[str] = ()) -> str:
    """Quote what fits of a task or request, gaps marked: ends, what binds, is said or failed, then the rest.

    Of a text most of whose lines are `known`, those of a command's template, first what it has of its own.
    """
    if count(text) <= room:
        return text
    pieces = _pieces(text)
    own = {k for k, piece in enumerate(pieces) if piece.text not in known}
    own = own if 2 * len(own) <= len(pieces) else set()

    def rank(k: int) -> int:
        if k in own:
            return -1
        if min(k, len(pieces) - 1 - k) < ENDS:
            return 0
        if pieces[k].kind not in SAID:
            return 3
        return 1 if pieces[k].kind is LineKind.ERROR or BINDING.search(pieces[k].text) else 2

    order = sorted(range(len(pieces)), key=rank)
    taken = _fitting(pieces, order, room - 2, count, _heads(text, pieces))  # 2 for the gap at the end
    if not taken:
        return ""
    opening, closing = [GAP] * (min(taken) > 0), [GAP] * (max(taken) < len(pieces) - 1)
    return "\n".join([*opening, _joined(pieces, taken), *closing])


def binding_lines(
    text: str,
    room: int,
    count: TokenCounter,
    known: Container[str] = (),
    *,
    orders: bool = False,
    steps: bool = False,
) -> str:
    """The lines of an instruction text that bind (must, never, only, ...), verbatim, gaps marked, while they fit.

    Then entries and rows under a heading, or in a table, that says so of them ("Required"), and, if wanted, `orders`
    ("run the tests before you commit"), or these and all entries of lists, the shortest first: the `steps` of a task
    that is under way.  `known` lines are left out; pasted code and output binds nobody.  Linear.
    """
    pieces = _pieces(text)
    wanted: list[tuple[int, int, int]] = []  # rank, length of a step, index
    heads: dict[int, set[int]] = {}
    owed = rows_owed = False
    table_end, lead, above = -2, -2, None  # above: the rank of the lead
    for k, (start, end, kind, line) in enumerate(pieces):
        binds, is_row, is_item = bool(BINDING.search(line)), _ROW.match(line), kind is LineKind.ITEM
        owed = binds if kind is LineKind.HEADING else owed
        if is_row:
            rows_owed = rows_owed if start == table_end + 1 else owed or binds
            table_end = end
        says = (kind in SAID or (is_row and (rows_owed or binds))) and not _LISTED.match(line)
        rank = _BINDS if says and binds else None
        if says and not binds and ((rows_owed and not _RULE.match(line)) if is_row else (owed and is_item)):
            rank = _OWED
        elif says and not binds and ((steps and is_item) or ((steps or orders) and is_order(line))):
            rank = _ORDERS
        is_code = kind is LineKind.CODE
        if lead >= 0 and kind is not LineKind.HEADING and (is_item or is_code or k == lead + 1):
            heads[k] = {lead, *heads.get(lead, ())}
            rank = above if rank is None else rank
            if is_code and pieces[k - 1].kind is LineKind.CODE:  # a block stands whole
                heads[k] |= {k - 1, *heads[k - 1]}
            if is_code and k + 1 < len(pieces) and pieces[k + 1].kind is LineKind.CODE:
                continue
        else:
            lead = -2
        if line.rstrip().endswith((":", "：")) and line[0] != "#":
            lead, above = k, rank
        elif rank is not None and line.strip() not in known:
            wanted.append((rank, len(line) if steps and rank == _ORDERS else 0, k))
    return _joined(pieces, _fitting(pieces, [k for *_, k in sorted(wanted)], room, count, heads))


def _fitting(
    pieces: list[_Piece], order: Iterable[int], room: int, count: TokenCounter, heads: Mapping[int, set[int]]
) -> set[int]:
    """Take pieces in an order while they fit, each with its heads: an item without its head may say the contrary."""
    taken: set[int] = set()
    for k in order:
        new = {k, *heads.get(k, ())} - taken
        cost = sum(count(pieces[j].text) + 2 for j in new)
        if cost <= room:
            room -= cost
            taken |= new
    return taken


def _joined(pieces: list[_Piece], taken: Iterable[int]) -> str:
    out, before = "", -1
    for k in sorted(taken):
        gap = "" if k == before + 1 and pieces[k].start == pieces[before].end else "\n"
        out += (gap if k == before + 1 else f"\n{GAP}\n") + pieces[k].text if out else pieces[k].text
        before = k
    return out


def _pieces(text: str) -> list[_Piece]:
    out: list[_Piece] = []
    for line in lines_of(text):
        start, end = text.rfind("\n", 0, line.start) + 1, text.find("\n", line.start)
        end = len(text) if end < 0 else end
        long = end - start > LONGEST_LINE
        spans = [m.span() for m in _SENTENCE.finditer(text, start, end)] if long else [(start, end)]
        out += [_Piece(a, b, line.kind, text[a:b]) for a, b in spans]
    return out


def _heads(text: str, pieces: list[_Piece]) -> dict[int, set[int]]:
    starts = [piece.start for piece in pieces]
    found: dict[int, set[int]] = {}
    for clause in clauses_of(text):
        at = bisect_right(starts, clause.start) - 1
        found.setdefault(at, set()).update(bisect_right(starts, head) - 1 for head, _ in clause.heads)
    return found
