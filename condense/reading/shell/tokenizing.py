"""Cut a line of bash or PowerShell into simple commands: one pass, linear in the text; never raises, never expands."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from condense.reading.calls import command_name

_DEEPEST = 12  # substitutions within substitutions that are followed
_LONGEST = 400_000


class Redirect(NamedTuple):
    """One redirection: of a file, or of a text ("<<", "<<<")."""

    operator: str  # "<", ">", ">>", "<<" or "<<<"
    target: str
    descriptor: str  # the number before the operator


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """One command: its words without their quotes (variables stay as `$NAME`), and its redirections."""

    words: tuple[str, ...]
    redirects: tuple[Redirect, ...] = ()
    joined: str = ""  # what stands before it: "" (the first), "&&", "||", ";", "|", "&" or a newline
    depth: int = 0  # 0 on the line itself, more inside substitutions and groups

    @property
    def name(self) -> str:
        """The command's name in lower case, without folder and `.exe`."""
        return command_name(self.words[0]) if self.words else ""

    @property
    def is_piped(self) -> bool:
        """Tell whether it reads what the command before it prints."""
        return self.joined in ("|", "|&")

    @property
    def documents(self) -> list[str]:
        """The texts of its here-documents."""
        return [r.target for r in self.redirects if r.operator == "<<"]


def split_commands(text: str, *, windows: bool = False) -> tuple[SimpleCommand, ...]:
    """Cut a script into its simple commands; those of a substitution come before the one they stand in.

    With `windows` backslashes are ordinary and backticks escape. At most 400,000 characters are read.
    """
    reader = _Reader(text[:_LONGEST], windows=windows)
    reader.read_list(closing="", depth=0)
    return tuple(c for draft in reader.drafts if (c := draft.command()).words or c.redirects)


def _tokens(escape: str, plain: str, only_here: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<blank>(?:[ \t\r]|{escape}\r?\n)+)"
        r"|(?P<redirect>\d{0,2}(?:<<<|<<-?|>>|>\||>&|<&|<>|(?<![=-])>(?!\()|<(?!\())|&>>?)"
        rf"|(?P<plain>{plain}+)"
        rf"|{only_here}|(?P<escape>{escape}.?)"
        r"|(?P<end>\n|&&|\|\||\|&|;;&?|[|;&])|(?P<single>\$?'(?:(?<=\$')(?:\\.|[^'\\])*|[^']*)'?)"
        r'|(?P<double>")|(?P<arithmetic>\$?\(\()|(?P<nested>[$<>]\()|(?P<brace>\$\{[^}\n]{0,200}\})'
        r"|(?P<group>\()|(?P<ungroup>\))|(?P<comment>#)|(?P<other>.)",
        re.DOTALL,
    )


_BASH = _tokens(r"\\", r"[^\s'\"`$|&;<>()#\\]", "(?P<tick>`)")
_WINDOWS = _tokens(r"`", r"[^\s'\"`$|&;<>(){}#@]", r"(?P<block>[{}])|(?P<herestring>@['\"]\r?\n)")
_IN_DOUBLE_BASH = re.compile(r'[^"\\$`]+|\\.?|\$\(|.', re.DOTALL)
_IN_DOUBLE_WINDOWS = re.compile(r'[^"$`]+|`.?|""|\$\(|.', re.DOTALL)
_RESERVED_FIRST = frozenset("then do else elif if while until { ! time coproc try finally".split())
_RESERVED_ONLY = frozenset("fi done esac }".split())
_ANSI = {"\\n": "\n", "\\t": "\t", "\\'": "'", "\\\\": "\\"}
_SAME_OPERATOR = {">|": ">", "&>": ">", ">&": ">", "&>>": ">>", "<>": "<"}


@dataclass(slots=True)
class _Draft:
    """A command while it is being read; `word` holds the pieces of the word at hand."""

    joined: str
    depth: int
    words: list[str] = field(default_factory=list)
    redirects: list[Redirect] = field(default_factory=list)
    word: list[str] = field(default_factory=list)
    operator: tuple[str, str] | None = None

    def command(self) -> SimpleCommand:
        first = next((i for i, word in enumerate(self.words) if word not in _RESERVED_FIRST), len(self.words))
        words = tuple(self.words[first:])
        if words and words[0] in _RESERVED_ONLY:
            words = ()
        return SimpleCommand(words, tuple(self.redirects), self.joined, self.depth)


class _Reader:
    """One pass over a script."""

    def __init__(self, text: str, *, windows: bool) -> None:
        self.text = text
        self.pos = 0
        self.windows = windows
        self.drafts: list[_Draft] = []
        self.heredocs: list[tuple[str, str, list[Redirect], int]] = []
        self.absent: set[str] = set()  # closing marks that do not occur any more: looked for once only

    def read_list(self, closing: str, depth: int) -> None:
        """Read commands up to `closing` (")", "`", or "" for the end of the text)."""
        tokens = _WINDOWS if self.windows else _BASH
        draft = _Draft("", depth)
        while m := tokens.match(self.text, self.pos):
            kind, piece = m.lastgroup or "", m[0]
            self.pos = m.end()
            if kind in ("end", "block", "ungroup") or piece == closing:
                self._end_command(draft)
                if piece == closing:
                    return
                if piece == "\n":
                    self._read_heredocs()
                draft = _Draft(piece if kind == "end" else ";", depth)
            elif kind == "blank":
                self._end_word(draft)
            elif kind == "redirect":
                self._end_word(draft)
                operator = piece.lstrip("0123456789")
                draft.operator = operator, piece[: -len(operator)]
            elif kind == "group":
                draft = self._group(draft)
            else:
                self._piece(draft, kind, piece)
        self._end_command(draft)

    def _piece(self, draft: _Draft, kind: str, piece: str) -> None:
        """Add one piece to the word that is being read."""
        match kind:
            case "single":
                inner = piece.lstrip("$")[1:].removesuffix("'")
                if piece[0] == "$":
                    inner = re.sub(r"\\[nt'\\]", lambda e: _ANSI[e[0]], inner)
                draft.word.append(inner)
            case "double":
                self._double(draft)
            case "nested" | "tick":
                self._nested(draft, piece)
            case "escape":
                draft.word.append(piece[1:])
            case "arithmetic":
                close = self._find("))")
                draft.word.append(piece + self.text[self.pos : close + 2] if close >= 0 else piece)
                self.pos = max(self.pos, close + 2)
            case "herestring":
                close = self._find(f"\n{piece[1]}@")
                stop = close if close >= 0 else len(self.text)
                draft.word.append(self.text[self.pos : stop].replace("\r\n", "\n"))
                self.pos = min(stop + 3, len(self.text))
            case "comment" if not draft.word:
                end = self.text.find("\n", self.pos)
                self.pos = end if end >= 0 else len(self.text)
            case _:
                draft.word.append(piece)

    def _end_word(self, draft: _Draft) -> None:
        if not draft.word:
            return
        word = "".join(draft.word)
        draft.word = []
        if draft.operator is None:
            draft.words.append(word)
            return
        (operator, descriptor), draft.operator = draft.operator, None
        if operator in (">&", "<&") and (word.isdigit() or word == "-"):
            return
        if operator in ("<<", "<<-"):
            self.heredocs.append((word, operator, draft.redirects, len(draft.redirects)))
            operator = "<<"
        draft.redirects.append(Redirect(_SAME_OPERATOR.get(operator, operator), word, descriptor))

    def _end_command(self, draft: _Draft) -> None:
        self._end_word(draft)
        if draft.words or draft.redirects:
            self.drafts.append(draft)

    def _double(self, draft: _Draft) -> None:
        draft.word.append("")
        tokens = _IN_DOUBLE_WINDOWS if self.windows else _IN_DOUBLE_BASH
        while m := tokens.match(self.text, self.pos):
            piece = m[0]
            self.pos = m.end()
            if piece == '"':
                return
            if piece == "$(" or (piece == "`" and not self.windows):
                self._nested(draft, piece)
            elif piece[0] == "\\" and not self.windows:
                draft.word.append(piece[1:] if piece[1:] in '"\\$`' else "" if piece[1] == "\n" else piece)
            else:
                draft.word.append(piece[1:] if piece[0] in '`"' else piece)

    def _nested(self, draft: _Draft, piece: str) -> None:
        """A substitution: what it runs are commands of their own."""
        draft.word.append(piece)
        if draft.depth < _DEEPEST:
            self.read_list("`" if piece == "`" else ")", draft.depth + 1)
            draft.word.append(")")

    def _group(self, draft: _Draft) -> _Draft:
        """An opening parenthesis: a subshell, a function's `()`, an array."""
        word = "".join(draft.word)
        if word.endswith("=") or draft.depth >= _DEEPEST:
            close = self._find(")")
            draft.word.append("()")
            self.pos = close + 1 if close >= 0 else len(self.text)
            return draft
        if word and self.text.startswith(")", self.pos):
            self.pos += 1
            return _Draft(";", draft.depth)
        self._end_command(draft)
        self.read_list(")", draft.depth + 1)
        return _Draft(draft.joined or ";", draft.depth)

    def _find(self, mark: str) -> int:
        found = -1 if mark in self.absent else self.text.find(mark, self.pos)
        if found < 0:
            self.absent.add(mark)
        return found

    def _read_heredocs(self) -> None:
        pending, self.heredocs = self.heredocs, []
        for delimiter, operator, redirects, index in pending:
            tabs = r"\t*+" if operator == "<<-" else ""
            last = rf"^{tabs}{re.escape(delimiter)}(?:\r*(?:\n|\Z)|(?=[)\"' ]+\r*$))"
            end = re.compile(last, re.MULTILINE).search(self.text, self.pos)
            body = self.text[self.pos : end.start() if end else len(self.text)]
            self.pos = end.end() if end else len(self.text)
            redirects[index] = redirects[index]._replace(target=body)
