"""The lines of a text, and what can be told of them whatever history it stands in: read once, remembered.

A text is read as lines somebody could use again: a result that is wrapped in JSON unwrapped, the line numbers of a
file listing taken off, very long lines cut at sensible places. Every line is verbatim text (of the decoded string
where it is JSON), but for what a console adds: the blanks it fills lines with, and the codes for colours.
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
    from collections.abc import Iterator, Mapping, Sequence


class TextForm(IntEnum):
    """How a text is to be read: as it is, as a patch (whose lines begin with a sign), as the result of a call.

    `COUNTED` is the result of a call that shows files, by a tool or a command that numbers lines.
    """

    PLAIN = 0
    PATCH = 1
    RESULT = 2
    COUNTED = 3


_RESULTS = (TextForm.RESULT, TextForm.COUNTED)


@dataclass(slots=True)
class TextLines:
    """A text read as lines; shared by all histories it stands in, so only `names` is ever written to.

    Attributes:
        lines: verbatim, in order; a very long line stands in pieces.
        pieces: indexes of lines that are a cut piece: the line goes on in the next.
        first: number of the first line of the longest listing that numbers its lines, 0 where there is none.
        text: the lines, joined.
        keys: of each line, its text without indentation and without the sign of a patch.
        different: the keys, each once.
        listed: the indexes of that listing's lines.
        names: the names of its lines, as the reader that goes with the token has read them; None before that.
    """

    lines: list[str]
    pieces: frozenset[int]
    first: int
    text: str
    keys: list[str]
    different: frozenset[str]
    listed: range = range(0)
    names: tuple[object, frozenset[str]] | None = None

    def number_of(self, line: int) -> int:
        """Return the number that a line had in a listing, by its index; 0 where it had none."""
        return self.first + line - self.listed.start if line in self.listed else 0

    def is_packed(self, line: int) -> bool:
        """Say whether a line is a piece of data: of minified code, a source map, an encoded file; words have blanks."""
        text = self.lines[line]
        return (line in self.pieces or line - 1 in self.pieces) and WORDY * text.count(" ") < len(text)

    def is_glued(self) -> bool:
        """Say whether blanks are missing between the sentences, as where a page was turned into text."""
        return sum(1 for _ in islice(_GLUED.finditer(self.text), MOST_GLUED)) == MOST_GLUED


WORDY = 12
"""Characters to a blank in a text of words at most; chosen."""
MOST_GLUED = 3
"""Sentences without a blank between them that happen by mistake, and one more; chosen."""
_GLUED = re.compile(r"[a-z]{2}[.!?][A-Z][a-z]{0,20} [a-z]")
"""How one ends and the next begins; what is called in code goes on with a bracket."""
LONGEST_LINE = 400
"""Characters after which a line is cut into pieces (chosen: twice a long line of code)."""


def read_lines(text: str, form: TextForm = TextForm.PLAIN) -> TextLines:
    """Read a text as lines; linear, and next to nothing for a text that was read lately."""
    return _READ.read(text, form)


REMEMBERED = 4_000_000
"""Characters of the texts whose lines are remembered; beyond, all are read anew (chosen: about 30 MB)."""


class _Shelf:
    """Texts read lately.  What a text says does not depend on what was read before, so this saves nothing but time."""

    def __init__(self) -> None:
        self._read: dict[tuple[str, TextForm], TextLines] = {}
        self._left = REMEMBERED

    def read(self, text: str, form: TextForm) -> TextLines:
        known = self._read.get((text, form))
        if known is None:
            known = _read(text, form)
            if len(text) > self._left:
                self._read, self._left = {}, REMEMBERED
            if len(text) <= self._left:
                self._read[text, form] = known
                self._left -= len(text)
        return known


_READ = _Shelf()


def _read(text: str, form: TextForm) -> TextLines:
    is_result = form in _RESULTS
    shown = _as_shown(text) if is_result else text
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
        padded = sum(line.endswith("  ") for line in lines)
        if 2 * padded > len(lines):  # a console fills its lines with blanks
            lines = list(map(str.rstrip, lines))
    if form is TextForm.PATCH:
        keys = [(line[1:] if line[:1] in "+- " else line).strip() for line in lines]
    else:
        keys = list(map(str.strip, lines))
    return TextLines(lines, pieces, first, "\n".join(lines), keys, frozenset(keys), listed)


def _as_shown(text: str) -> str:
    """A result without what clients write around it."""
    return without_page_numbers(without_envelope(without_codes(unwrapped(text))))


LONGEST_ENVELOPE = 8
"""Lines that Codex writes above an output at most; chosen."""
_ENVELOPES = ("Chunk ID:", "Wall time:", "Exit code:", "Process exited", "Script completed")


def without_envelope(text: str) -> str:
    """Leave the lines empty that Codex writes above an output, but for how the command failed, or that it goes on."""
    if not text.startswith(_ENVELOPES):
        return text
    *head, rest = (
        text.split("\n", LONGEST_ENVELOPE)
        if text.count("\n") >= LONGEST_ENVELOPE
        else (*text.split("\n"), "")
    )
    last = next((i for i, line in enumerate(head) if line.startswith("Output:")), len(head) - 1)
    weights = frame_weights(head[: last + 1])
    for i in weights:
        if weights[i] < 1 and not head[i].startswith("Process running"):
            head[i] = ""
    return "\n".join((*head, rest))


def unwrapped(text: str) -> str:
    """Take a result out of its JSON envelope: one line that is an object becomes `name: value` lines."""
    if not text.startswith(_OPENS) or not text.rstrip().endswith(("}", "]")) or text.find("\n", 0, -1) >= 0:
        return text
    try:
        value = orjson.loads(text)
    except ValueError:
        return text
    try:
        return _unfolded(value, text)
    except TypeError:  # nested too deep to be written again
        return text


def _unfolded(value: Any, text: str) -> str:
    if isinstance(value, list):
        same = "".join(orjson.dumps(value).decode().split()) == "".join(text.split())
        return "\n".join(_rows("", value)) if same and any(isinstance(row, dict) for row in value) else text
    inner = value.get("output")
    if isinstance(inner, str):
        rest = {k: v for k, v in value.items() if k != "output"}
        return f"{inner}\n{_flat(rest)}" if rest else inner
    return _flat(value)


_OPENS = ("{", "[{")


def _flat(value: Mapping[str, Any]) -> str:
    return "\n".join(line for key, inner in value.items() for line in _rows(f"{key}: ", inner))


def _rows(lead: str, value: Any, depth: int = 0) -> Iterator[str]:
    """A value of JSON in lines: short ones whole, of longer ones each entry, texts as they read."""
    if isinstance(value, str):
        yield f"{lead}{value}"
        return
    whole = orjson.dumps(value).decode()
    if len(whole) <= LONGEST_LINE or depth == DEEPEST or not isinstance(value, dict | list):
        yield f"{lead}{whole}"
    elif isinstance(value, dict):
        if lead:
            yield lead.rstrip()
        for key, inner in value.items():
            yield from _rows(f"{key}: ", inner, depth + 1)
    else:
        if lead:
            yield lead.rstrip()
        for inner in value:
            yield from _rows("", inner, depth + 1)


DEEPEST = 1
"""How deep an object is taken apart: its lists into their entries, these whole (at 6 a replay at 32,000 tokens recalls
.955 of the names in place of .962; measured)."""


def whole_lines(text: str) -> tuple[list[str], frozenset[int]]:
    """Cut a text into lines; a line over `LONGEST_LINE` characters into pieces, whose indexes come second."""
    lines = text.splitlines()
    if len(text) <= LONGEST_LINE or max(map(len, lines), default=0) <= LONGEST_LINE:
        return lines, frozenset()
    out: list[str] = []
    pieces: set[int] = set()
    for line in lines:
        if len(line) <= LONGEST_LINE:
            out.append(line)
            continue
        start = len(out)
        out += _cut(line)
        pieces.update(range(start, len(out) - 1))
    return out, frozenset(pieces)


_BREAK = re.compile(r"\\n|[.;!?。；！？]\s|[,;}\]>)]|\s")


def _cut(line: str) -> Iterator[str]:
    """Cut one long line: at escaped line ends where it has them, otherwise after the best break near 240 characters.

    A break is the end of a sentence, else of a word that a blank or a comma ends, else of any word: half a name is
    none.
    """
    if line.count("\\n") > len(line) // 400:
        *pieces, last = line.split("\\n")
        for piece in (*(f"{p}\\n" for p in pieces), last):
            yield from _cut_between_words(piece)
    else:
        yield from _cut_between_words(line)


def _cut_between_words(line: str) -> Iterator[str]:
    start = 0
    while len(line) - start > LONGEST_LINE:
        window = line[start + 120 : start + 300]
        best = max(window.rfind(". "), window.rfind("。"), window.rfind("; "))
        if best < 0:
            best = max(window.rfind(" "), window.rfind(","), window.rfind("，"))
        if best < 0:
            ends = (
                i for i in range(len(window) - 1, -1, -1) if not (window[i].isalnum() or window[i] == "_")
            )
            best = next(ends, -1)
        stop = start + 120 + (best + 1 if best >= 0 else len(window))
        yield line[start:stop]
        start = stop
    if start < len(line):
        yield line[start:]


_PAGE_LINE = re.compile(r"^L(\d{1,6}):(?: |$)", re.MULTILINE)
"""How Codex numbers the lines of web pages."""
_MARKED = re.compile(r"(?<=\ue201) L\d{1,6}:(?: |$)", re.MULTILINE)
"""Where the next line begins behind the mark of a link or a picture."""
_MARKS = re.compile(r"^(?:\ue200cite\ue202\d{1,4}†[^\ue201\n]{0,300}\ue201\s{0,4})+$", re.MULTILINE)
"""A line of such a page that holds nothing but marks of links and pictures."""
FEWEST_NUMBERED = 8
"""Lines that have such a number before it counts as one, where half of all have; chosen."""


def without_page_numbers(text: str) -> str:
    """Take the line numbers off web pages ("L12: ..."), of which one result may hold many, and bare marks."""
    if text.count("\nL") < FEWEST_NUMBERED:
        return text
    numbers = [int(number) for number in _PAGE_LINE.findall(text)]
    onward = sum(b - a in (1, 2) for a, b in pairwise(numbers))
    if len(numbers) < FEWEST_NUMBERED or 2 * len(numbers) < text.count("\n") or 2 * onward < len(numbers):
        return text
    bare = _PAGE_LINE.sub("", text)
    return _MARKS.sub("", _MARKED.sub("\n", bare))


_HEAD = re.compile(r"[^|]*[:{(\[]|\|(?:[^|]{1,200}\|){2,30}")
"""A line that only leads to what follows: the head of a block, a row of a table."""


def led_to(lines: Sequence[str], at: int, room: float) -> list[str]:
    """The few lines that one leads to: the rest of a short block, the first rows of a table.

    >>> led_to(["def rate(crate):", "    return 4 * crate", "", "x = 1"], 0, 20.0)
    ['    return 4 * crate', '']
    """
    head = lines[at].rstrip()
    row = head.lstrip().startswith("|")
    size, out = 0.0, list[str]()
    for text in islice(lines, at + 1, None) if _HEAD.fullmatch(head.lstrip()) else ():
        size += (len(text) + 1) / 4
        if size > room:
            return out if row else []
        if text.lstrip().startswith("|") != row or (
            not row and text.strip() and _indent(text) <= _indent(head)
        ):
            return [*out, text] if not row and text.lstrip("+- \t").startswith((")", "]", "}")) else out
        out.append(text)
    return out


def _indent(text: str) -> int:
    """Columns before a line, the sign of a patch taken as one."""
    return len(text) - len(text.lstrip("+- \t"))
