"""Read a text as the lines somebody could use again, whatever history it stands in.

A result wrapped in JSON is unwrapped, line numbers of a listing are taken off, very long lines are cut at sensible
places. Every line is verbatim text, but for the padding and the colour codes that a console adds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Any

import orjson

from condense.reading import frame_weights, without_codes, without_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class TextForm(IntEnum):
    """How a text is read."""

    PLAIN = 0
    PATCH = 1
    RESULT = 2
    COUNTED = 3  # a result of a tool that numbers lines of files


WORDY, MOST_GLUED, LONGEST_LINE = 12, 3, 400
"""Characters to a blank in a text of words at most, sentences without a blank between them that tell a page turned into
text, and characters after which a line is cut into pieces; chosen."""
_GLUED = re.compile(r"[a-z]{2}[.!?][A-Z][a-z]{0,20} [a-z]")


@dataclass(slots=True)
class TextLines:
    """A text read as lines."""

    lines: list[str]  # verbatim, in order; a very long line stands in pieces
    pieces: frozenset[int]  # indexes of lines that go on in the next
    first: int  # number of the first line of the longest listing that numbers its lines, 0 where there is none
    text: str  # the lines, joined
    keys: list[str]  # of each line, its text without indentation and without the sign of a patch
    different: frozenset[str]  # the keys, each once
    listed: range = range(0)  # the indexes of that listing's lines

    def number_of(self, line: int) -> int:
        """Return the number that a line had in a listing, by its index; 0 where it had none."""
        return self.first + line - self.listed.start if line in self.listed else 0

    def is_piece(self, line: int) -> bool:
        """Say whether a line is a piece of a very long one, the last included."""
        return line in self.pieces or line - 1 in self.pieces

    def is_packed(self, line: int) -> bool:
        """Say whether a line is a piece of data: minified code, a source map, an encoded file."""
        text = self.lines[line]
        return self.is_piece(line) and WORDY * text.count(" ") < len(text)

    def is_glued(self) -> bool:
        """Say whether blanks are missing between the sentences, as where a page was turned into text."""
        return sum(1 for _ in islice(_GLUED.finditer(self.text), MOST_GLUED)) == MOST_GLUED


def read_lines(text: str, form: TextForm = TextForm.PLAIN) -> TextLines:
    """Read a text as lines; linear."""
    is_result = form in (TextForm.RESULT, TextForm.COUNTED)
    shown = without_page_numbers(_without_envelope(without_codes(_unwrapped(text)))) if is_result else text
    lines, pieces = whole_lines(shown)
    first, listed = 0, range(0)
    if is_result:
        whole = shown.splitlines() if pieces else lines
        first, listed, bare = without_numbers(whole, counted=form is TextForm.COUNTED)
        if not pieces:
            lines = bare
        elif bare is not whole:
            lines, pieces = whole_lines("\n".join(bare))
        if pieces and min(pieces) < listed.stop:  # of pieces nobody could tell the lines' numbers
            first, listed = 0, range(0)
        if 2 * sum(line.endswith("  ") for line in lines) > len(lines):  # padded by a console
            lines = [line.rstrip() for line in lines]
    signs = "+- " if form is TextForm.PATCH else ""
    keys = [(line[1:] if signs and line[:1] in signs else line).strip() for line in lines]
    return TextLines(lines, pieces, first, "\n".join(lines), keys, frozenset(keys), listed)


LONGEST_ENVELOPE, DEEPEST = 8, 1
"""Lines that Codex writes above an output at most, and how deep an object of JSON is taken apart; chosen."""
_ENVELOPES = ("Chunk ID:", "Wall time:", "Exit code:", "Process exited", "Script completed")


def _without_envelope(text: str) -> str:
    """Leave the lines empty that Codex writes above an output, but for how the command failed, or that it goes on."""
    if not text.startswith(_ENVELOPES):
        return text
    parts = text.split("\n", LONGEST_ENVELOPE)
    head, rest = parts[:LONGEST_ENVELOPE], parts[LONGEST_ENVELOPE:]
    last = next((i for i, line in enumerate(head) if line.startswith("Output:")), len(head) - 1)
    for i, weight in frame_weights(head[: last + 1]).items():
        if weight < 1 and not head[i].startswith("Process running"):
            head[i] = ""
    return "\n".join([*head, *rest])


def _unwrapped(text: str) -> str:
    """Take a result out of its JSON envelope: one line that is an object becomes `name: value` lines."""
    if not text.startswith(("{", "[{")) or not text.rstrip().endswith(("}", "]")) or "\n" in text[:-1]:
        return text
    try:
        value = orjson.loads(text)
        if isinstance(value, list):
            same = "".join(orjson.dumps(value).decode().split()) == "".join(text.split())
            rows = same and any(isinstance(row, dict) for row in value)
            return "\n".join(_rows("", value)) if rows else text
        inner = value.pop("output") if isinstance(value.get("output"), str) else None
        flat = [line for key, one in value.items() for line in _rows(f"{key}: ", one)]
        return "\n".join([inner, *flat] if inner is not None else flat)
    except (ValueError, TypeError):  # no JSON; nested too deep to be written again
        return text


def _rows(lead: str, value: Any, depth: int = 0) -> Iterator[str]:
    """A value of JSON in lines: short ones whole, of longer ones each entry, texts as they read."""
    whole = value if isinstance(value, str) else orjson.dumps(value).decode()
    if len(whole) <= LONGEST_LINE or depth == DEEPEST or not isinstance(value, dict | list):
        yield f"{lead}{whole}"
        return
    if lead:
        yield lead.rstrip()
    entries = value.items() if isinstance(value, dict) else (("", inner) for inner in value)
    for name, inner in entries:
        yield from _rows(f"{name}: " if isinstance(value, dict) else "", inner, depth + 1)


def whole_lines(text: str) -> tuple[list[str], frozenset[int]]:
    """Cut a text into lines; a line over `LONGEST_LINE` characters into pieces, whose indexes come second.

    It is cut at escaped line ends where it has them, else behind the last sentence, blank, comma or word before 300
    characters.
    """
    out: list[str] = []
    pieces: set[int] = set()
    for line in text.splitlines():
        if len(line) <= LONGEST_LINE:
            out.append(line)
            continue
        start = len(out)
        escaped = line.count("\\n") > len(line) // LONGEST_LINE
        for part in line.replace("\\n", "\\n\n").split("\n") if escaped else [line]:
            out += _cut(part)
        pieces.update(range(start, len(out) - 1))
    return out, frozenset(pieces)


def _cut(line: str) -> Iterator[str]:
    start = 0
    while len(line) - start > LONGEST_LINE:
        window = line[start + 120 : start + 300]
        best = max(map(window.rfind, (". ", "。", "; ")))
        if best < 0:
            best = max(map(window.rfind, (" ", ",", "，")))
        if best < 0:
            ends = (i for i, sign in enumerate(window) if not (sign.isalnum() or sign == "_"))
            best = max(ends, default=len(window) - 1)
        stop = start + 120 + best + 1
        yield line[start:stop]
        start = stop
    if start < len(line):
        yield line[start:]


_PAGE_LINE = re.compile(r"^L(\d{1,6}):(?: |$)", re.MULTILINE)
_MARKED = re.compile(r"(?<=\ue201) L\d{1,6}:(?: |$)", re.MULTILINE)
_MARKS = re.compile(r"^(?:\ue200cite\ue202\d{1,4}†[^\ue201\n]{0,300}\ue201\s{0,4})+$", re.MULTILINE)
"""How Codex numbers the lines of web pages, also behind the mark of a link; a line of nothing but marks."""
FEWEST_NUMBERED = 8
"""Lines that have such a number before it counts as one, where half of all have; chosen."""


def without_page_numbers(text: str) -> str:
    """Take the line numbers off web pages ("L12: ..."), of which one result may hold many, and bare marks."""
    numbers = [int(number) for number in _PAGE_LINE.findall(text)]
    onward = sum(b - a in (1, 2) for a, b in pairwise(numbers))
    if len(numbers) < FEWEST_NUMBERED or 2 * len(numbers) < text.count("\n") or 2 * onward < len(numbers):
        return text
    return _MARKS.sub("", _MARKED.sub("\n", _PAGE_LINE.sub("", text)))


_HEAD = re.compile(r"[^|]*[:{(\[]|\|(?:[^|]{1,200}\|){2,30}")
"""A line that only leads to what follows: the head of a block, a row of a table."""


def led_to(lines: Sequence[str], at: int, room: float) -> list[str]:
    """The few lines that one leads to: the rest of a short block, the first rows of a table."""
    head = lines[at].rstrip()
    row = head.lstrip().startswith("|")
    size, out = 0.0, list[str]()
    for text in islice(lines, at + 1, None) if _HEAD.fullmatch(head.lstrip()) else ():
        size += (len(text) + 1) / 4
        if size > room:
            return out if row else []
        bare = text.lstrip("+- \t")  # the sign of a patch is a column
        beyond = bare.strip() and len(text) - len(bare) <= len(head) - len(head.lstrip("+- \t"))
        if text.lstrip().startswith("|") != row or (not row and beyond):
            return [*out, text] if not row and bare.startswith((")", "]", "}")) else out
        out.append(text)
    return out
