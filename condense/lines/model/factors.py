"""Lines that a reader needs more than their names tell: reasons, what was added or set, where the task is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.lines.model.listings import listing_factors
from condense.lines.model.near_repeats import alike_factors
from condense.lines.model.query_words import asked_keys
from condense.lines.model.rationale import telling_keys
from condense.lines.sources import CALL_KINDS, LineKind
from condense.reading import STATE, VENDORED as IS_VENDORED, frame_weights, is_code

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from condense.lines.model.features import HistoryView
    from condense.lines.model.scores import ScoredLine
    from condense.lines.sources import LineSource

WHY = (1.0, 4.0, 8.0)
"""Factor on the worth of a line in which the assistant says why, by the number of cues: what a reader needs and names
alone don't tell (from 3 to this .001 of the recall; measured on questions about decisions)."""
ADDED = 3.0
"""The same for a line that a shown difference adds; no line of a file shown whole around it is as telling (1 to 4 are
alike in recall)."""
ASKED = 2.0
"""The same for a line that names a file which the request names without its ending, as errors and classes do (1 to 4
are alike in recall; measured on questions about where things are)."""
ABOUT = 1.5
"""The same for a line with a rare word of the latest request (measured: .004 more of the facts that questions ask for
in 8,000 tokens, .005 in 4,000; names and copied text are within .002 of what they were, at 2 some .004 less)."""
SETTING = 2.0
"""The same for a line of written text that sets a name, or reads an environment variable, an option or a port (2 to 4
raise copied text, 4 lowers names; measured, and on questions about exact details)."""
PIECE = 0.7
"""The same for a piece of a line that is too long to be read as one (data, minified code): full of names, of little use
to a reader (0.6 to 0.8 raise names and copied text alike, by .001; measured)."""
VENDORED = 0.1
"""The same for an entry of a listing that is a file of a dependency, or of version control: nobody works on it (0.1
to 1 are alike in recall; measured on questions about where things are)."""
CUT = 8.0
"""The same for the line in which a client says how much of an output it left out: nobody has read that (chosen)."""
AMBIENT = 0.05
"""The same for a line of the block in which a client tells of the machine and its own limits (1 is alike in recall,
.004 worse on one of three sets of questions)."""
FRAME = 0.3
"""The same for a line that a client puts around a result: what its call says already, and the state of the editor
(measured: .005 of the names further back less than at 1, as much copied text)."""
TUNING = 0.3
"""The same for an argument that only tunes its call: what a reader can't use without the call (chosen)."""
ERROR = 6.0
"""The same for a line with an error in the newest outputs: what is to be done next depends on it (alike in recall)."""
NEWEST = 2
"""Outputs that count as the newest; chosen."""
FRESH = 4.0
"""The same for the lines of a short edit made since the latest request: what has come of it so far (2 to 6 are alike in
recall)."""
FEW_LINES = 30
"""Lines of the longest edit that is short; chosen."""
LAST = 2.0
"""The same for the newest calls, unless they are long: what was just tried (to 5 alike in recall)."""
LAST_CALL = 2
"""Messages back to which a call counts as the newest: it, and its results."""
LONGEST_LAST = 6000
"""Characters of the longest of them; chosen (at 1,500 alike, without a bound .001 of the names less)."""
ANSWER = 6.0
"""The same for the lines of the newest result, unless it is long: where the call was too long to be kept as a message,
that stands here too (1 and 3 are alike in recall, 12 costs .002 of the copied text)."""
LONGEST_ANSWER = 3000
"""Characters of the longest of them; chosen."""
SMALL = 2.0
"""The same for the lines of a small file, shown or written: little room buys the whole of it (to 3 alike in recall;
measured on questions about what files hold)."""
SMALL_TEXT = 1000
"""Characters below which a file is small (2,000 costs .008 of the names further back)."""
PROSE = 2.0
"""The same for a sentence of a page from the network, beside its menus and links (2 and 4 are alike)."""
KIND_FACTORS = {
    LineKind.OLD: 1.7, LineKind.NEW: 1.7, LineKind.PATCH: 1.7, LineKind.WRITTEN: 1.3,
    LineKind.READ: 0.75, LineKind.OUTPUT: 1.1, LineKind.FOUND: 0.6, LineKind.PAGE: 1.5, LineKind.THOUGHT: 4.0,
}  # fmt: skip
"""The same for lines by where they stand: what an edit wrote is the newest state of a file, what was read is on disk
(measured: at 117 cuts more copied text at the same names, in either half of the sessions; at 177 cuts alike). What the
assistant thought tells why, and no other line does; what a search found can be found again: of 840 facts that 28 sets
of questions ask for .014 more stand in 4,000 tokens and .019 in 8,000, at the same recall."""

SIZED = 0.18
"""Power of the size of a result that the worth of its lines falls with: the longer a result, the less of it is needed
(measured at 8,000: .003 of the names, .007 of those further back and .005 of the copied text more; at 16,000 as much
of the copied text less; 0.12 and 0.25 are worse)."""
USUAL = 2000
"""Characters of a result whose lines count as they are; chosen (1,000 and 4,000 are worse)."""
LEAST_SIZE = 200
"""Characters below which a result counts as so long; chosen."""
LARGEST, SMALLEST = 2.5, 0.5
"""Bounds of the factor; chosen."""
_RESULTS = (LineKind.READ, LineKind.FOUND, LineKind.OUTPUT, LineKind.PAGE, LineKind.REPLY)

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{5,80}")
_MADE_UP = re.compile(r"[a-z][A-Z]|[A-Za-z0-9]_[A-Za-z0-9]|[A-Z]{2}[a-z]")
"""What tells an identifier from a word."""
_DIFFERENCE = re.compile(r"^@@ |^diff --git |^--- \S|\bdiff(?:_?string)?\b", re.MULTILINE | re.IGNORECASE)
_SETS = re.compile(
    r"env::var|environ|getenv|process\.env|\benv\b|^[+-]?\s{0,40}(?:export )?[a-z][a-z0-9]{1,30}_[a-z0-9_]{2,40}\s?[=:]"
    r"|[\"'`]--[a-z][\w-]{2,30}[\"'` =]|\bport\b.{0,20}\d{3,5}|localhost:\d",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"omitted [1-9]\d{0,9} of \d{1,9} lines|Output truncated after \d{1,9} lines"
    r"|(?<!\d)[1-9]\d{0,9} (?:characters|lines|tokens) (?:omitted|truncated)"
)
_ERROR = re.compile(
    r"\[\w{1,30} Error\] \d"
    r"|\b(?:[A-Z]\w{0,60}(?:Error|Exception)|[Ee]rror|ERROR|FAILED|[Ff]ailed|fatal|panic\w{0,9}|错误|失败)\b.{0,3}[:：]"
)
_FRAME = re.compile(
    r"\[[\w.-]{2,60} for '.{0,1000}\] Result:"
    r"|<(?:file|files|content|path|operation|notice|file_write_result)\b.{0,300}>|</(?:file|files|content|file_write_result|notice)>"
)
"""What Roo, Cline and their like put around the result of a call."""
_FRAMED = re.compile(r"\[[\w.-]{2,60} for .{0,1000}\] Result:|<(?:files|file_write_result)>|<file><path>")
"""How such a result begins."""
_SENTENCE = re.compile(r"[A-Z][a-z]+ .* .* .* ")
_PRINTED = (LineKind.OUTPUT, LineKind.REPLY)
_WRITTEN = (LineKind.OLD, LineKind.NEW, LineKind.PATCH, LineKind.WRITTEN)
_SHOWN = (LineKind.OUTPUT, LineKind.REPLY, LineKind.READ)
_PUT = (LineKind.NEW, LineKind.PATCH, LineKind.WRITTEN)
_FILES = (*_PUT, LineKind.READ)


def line_factors(view: HistoryView, lines: Sequence[ScoredLine], names: Collection[str]) -> dict[str, float]:
    """Return what the worth of lines is multiplied with, by key; lines that are not in it count as they are.

    Args:
        view: the history.
        lines: its lines, scored.
        names: all names of it.
    """
    factors = {key: WHY[cues] for key, cues in telling_keys(view.sources, lines).items()}
    for key in _added(view, lines):
        factors[key] = factors.get(key, 1.0) * ADDED
    for key in _asked(view, lines, names):
        factors[key] = factors.get(key, 1.0) * ASKED
    for key in asked_keys(view, lines):
        factors[key] = factors.get(key, 1.0) * ABOUT
    for key, factor in (*listing_factors(view, lines), *alike_factors(view, lines)):
        factors[key] = factors.get(key, 1.0) * factor
    newest = [at for at, source in enumerate(view.sources) if source.kind in _PRINTED][-NEWEST:]
    ambient = [_is_ambient(source) for source in view.sources]
    written = [source.kind in _WRITTEN for source in view.sources]
    pieces = [source.read.pieces for source in view.sources]
    pages = [source.kind is LineKind.PAGE for source in view.sources]
    framed = [_frames(source) if source.kind in _RESULTS else () for source in view.sources]
    for line in lines:
        cut = pieces[line.source]
        if ambient[line.source]:
            factors[line.key] = AMBIENT
            continue
        if framed[line.source] and line.line in framed[line.source]:
            factors[line.key] = 0.0 if line.key[0] == "|" else FRAME  # its table of to-dos stands in the plan
            continue
        if line.source in newest and _ERROR.search(line.key) and not is_code(line.key):
            factors[line.key] = factors.get(line.key, 1.0) * ERROR
        if cut and (line.line in cut or line.line - 1 in cut):
            factors[line.key] = factors.get(line.key, 1.0) * PIECE
        if " " not in line.key and not written[line.source] and IS_VENDORED.search(line.key):
            factors[line.key] = factors.get(line.key, 1.0) * VENDORED
        if (
            not written[line.source]
            and ("omitted" in line.key or "truncated" in line.key)
            and _CUT.search(line.key)
        ):
            factors[line.key] = factors.get(line.key, 1.0) * CUT
        if written[line.source] and _SETS.search(line.key):
            factors[line.key] = factors.get(line.key, 1.0) * SETTING
        if pages[line.source] and _SENTENCE.match(line.key):
            factors[line.key] = factors.get(line.key, 1.0) * PROSE
    return factors


def source_factors(view: HistoryView) -> list[float]:
    """Return what the worth of all lines of each source is multiplied with: by where they stand, and how many."""
    failed = {(source.call, source.unit) for source in view.sources if source.failed}
    out = []
    for at, (source, text) in enumerate(zip(view.sources, view.texts, strict=True)):
        factor = TUNING if _says_nothing(source) else KIND_FACTORS.get(source.kind, 1.0)
        if source.kind in _RESULTS:
            factor *= _size_factor(len(text))
        if source.kind in CALL_KINDS and view.age(at) <= LAST_CALL and len(text) <= LONGEST_LAST:
            factor *= LAST
        if source.kind in _RESULTS and view.age(at) <= 1 and len(text) <= LONGEST_ANSWER:
            factor *= ANSWER
        if (source.call, source.unit) not in failed:
            if source.kind in _FILES and len(text) < SMALL_TEXT:
                factor *= SMALL
            if _is_fresh(view, at):
                factor *= FRESH
        out.append(factor)
    return out


def _says_nothing(source: LineSource) -> bool:
    """Say whether a source is an argument that only tunes its call: a number, a switch."""
    return source.kind is LineKind.ARGUMENT and _TUNES.fullmatch(source.read.text) is not None


_TUNES = re.compile(r"[\w-]{1,60}: (?:-?[\d.]{1,20}|true|false|null|none)", re.IGNORECASE)


def _size_factor(characters: int) -> float:
    share: float = (USUAL / max(LEAST_SIZE, characters)) ** SIZED
    return min(LARGEST, max(SMALLEST, share))


def _is_fresh(view: HistoryView, at: int) -> bool:
    """Say whether a source is what a short edit puts into a file, made since the latest request."""
    source = view.sources[at]
    return at > view.last_ask and source.kind in _PUT and len(source.lines) <= FEW_LINES


def _frames(source: LineSource) -> Collection[int]:
    """The lines of a result that a client put around it."""
    text = source.read.text
    around: set[int] = set()
    if _FRAMED.match(text.lstrip()):
        around |= {i for i, line in enumerate(source.lines) if line[:1] in "[<" and _FRAME.fullmatch(line)}
    if STATE in text:
        around |= {i for i, weight in frame_weights(source.lines).items() if not weight}
    return around


def _added(view: HistoryView, lines: Sequence[ScoredLine]) -> Iterator[str]:
    """Yield the keys of lines that a difference among the results adds."""
    shows: dict[int, bool] = {}
    for line in lines:
        if line.key[0] != "+" or line.key.startswith("+++"):
            continue
        at = line.source
        if at not in shows:
            shows[at] = view.sources[at].kind in _SHOWN and _DIFFERENCE.search(view.texts[at]) is not None
        if shows[at]:
            yield line.key


def _asked(view: HistoryView, lines: Sequence[ScoredLine], names: Collection[str]) -> Iterator[str]:
    """Yield the keys of lines with a file whose name without its ending stands in the first or the latest request."""
    first = next((i for i, source in enumerate(view.sources) if _is_request(source)), -1)
    said = "\n".join(view.texts[at] for at in sorted({first, view.last_ask}) if at >= 0)
    wanted = {name for name in _IDENTIFIER.findall(said) if _MADE_UP.search(name)}
    if not wanted:
        return
    files = {name for name in names if "." in name and _stem(name) in wanted}
    if files:
        for line in lines:
            if not files.isdisjoint(line.names):
                yield line.key


def _is_request(source: LineSource) -> bool:
    return source.kind is LineKind.USER and bool(source.lines) and not source.lines[0].startswith("<")


def _is_ambient(source: LineSource) -> bool:
    return source.kind is LineKind.USER and source.read.text.startswith(_AMBIENT)


_AMBIENT = ("<environment_context>", "<permissions instructions>", "<collaboration_mode>")
"""How Codex begins to tell of the folder, the date, and what the agent may do."""


def _stem(name: str) -> str:
    """The last segment of a path without its endings."""
    return name.rstrip("/").replace("\\", "/").rsplit("/", 1)[-1].split(".", 1)[0]
