"""A shell line cut into simple commands: the built-in reader.

A state machine in one pass, linear in the text: quotes, escapes, here-documents, pipes, lists, redirections,
command and process substitutions, comments, reserved words; and the PowerShell way of the same. It reads, it
does not expand; what it cannot follow it says (`certain=False`). It never raises.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from condense.reading.shell.scripts import Redirect, ShellScript, SimpleCommand

if TYPE_CHECKING:
    from collections.abc import Callable

DEEPEST = 12
"""Substitutions within substitutions that are followed (chosen)."""

LONGEST = 400_000
"""Characters of a script that are read (chosen: more than any command line that was seen)."""


def split_commands(text: str, *, windows: bool = False) -> ShellScript:
    """Cut a command line or script into its simple commands; never raises; linear.

    Args:
        text: the script; only its first 400,000 characters are read.
        windows: PowerShell or cmd: backslashes are ordinary, backticks escape.
    """
    reader = _Reader(text[:LONGEST], windows=windows)
    reader.read_list(closing="", depth=0)
    commands = (draft.command() for draft in reader.drafts)
    certain = reader.certain and len(text) <= LONGEST
    return ShellScript(tuple(c for c in commands if c.words or c.redirects), certain)


@cache
def _tokens(windows: bool) -> re.Pattern[str]:  # noqa: FBT001  # a cache key, passed by position
    escape = "`" if windows else "\\\\"
    plain = r"[^\s'\"`$|&;<>(){}#@]" if windows else r"[^\s'\"`$|&;<>()#\\]"
    return re.compile(
        rf"(?P<blank>(?:[ \t\r]|{escape}\r?\n)+)"
        r"|(?P<newline>\n)"
        r"|(?P<redirect>\d{0,2}(?:<<<|<<-?|>>|>\||>&|<&|<>|>(?!\()|<(?!\())|&>>?)"
        r"|(?P<join>&&|\|\||\|&|;;&?|[|;&])"
        rf"|(?P<plain>{plain}+)"
        r"|(?P<single>'[^']*'?)"
        r"|(?P<double>\")"
        r"|(?P<ansi>\$'(?:\\.|[^'\\])*'?)"
        r"|(?P<arithmetic>\$?\(\()"
        r"|(?P<nested>[$<>]\()"
        r"|(?P<brace>\$\{[^}\n]{0,200}\})"
        r"|(?P<group>\()"
        r"|(?P<ungroup>\))"
        r"|(?P<tick>`)"
        r"|(?P<escape>\\.?)"
        r"|(?P<block>[{}])"
        r"|(?P<comment>#)"
        r"|(?P<herestring>@['\"]\r?\n)"
        r"|(?P<other>.)",
        re.DOTALL,
    )


_IN_DOUBLE = re.compile(r"[^\"\\$`]+")
_RESERVED_FIRST = frozenset(
    ["then", "do", "else", "elif", "if", "while", "until", "{", "!", "time", "coproc", "try", "finally"]
)
_RESERVED_ONLY = frozenset(["fi", "done", "esac", "}"])


class _Draft:
    """A command while it is being read; here-documents fill their redirection in later."""

    __slots__ = ("depth", "joined", "open_redirect", "redirects", "word", "words")

    def __init__(self, joined: str, depth: int) -> None:
        self.words: list[str] = []
        self.redirects: list[Redirect] = []
        self.word: list[str] | None = None
        self.open_redirect: tuple[str, int | None] | None = None
        self.joined = joined
        self.depth = depth

    def add(self, text: str) -> None:
        if self.word is None:
            self.word = [text]
        else:
            self.word.append(text)

    def command(self) -> SimpleCommand:
        words = self.words
        while words and words[0] in _RESERVED_FIRST:
            words = words[1:]
        if words and words[0] in _RESERVED_ONLY:
            words = []
        return SimpleCommand(tuple(words), tuple(self.redirects), self.joined, self.depth)


class _Reader:
    """One pass over a script."""

    def __init__(self, text: str, *, windows: bool) -> None:
        self.text = text
        self.pos = 0
        self.windows = windows
        self.certain = True
        self.drafts: list[_Draft] = []
        self.heredocs: list[tuple[str, bool, list[Redirect], int]] = []
        self.absent: set[str] = set()  # closing marks that do not occur any more: looked for once only
        self.closed = False
        self.steps: dict[str, Callable[[_Draft, str], None]] = {
            "redirect": self._redirect,
            "plain": _Draft.add,
            "brace": _Draft.add,
            "single": self._single,
            "double": self._double,
            "ansi": self._ansi,
            "arithmetic": self._arithmetic,
            "nested": self._nested,
            "tick": self._tick,
            "escape": self._escape,
            "comment": self._comment,
            "herestring": self._herestring,
            "other": _Draft.add,
        }

    def read_list(self, closing: str, depth: int) -> None:
        """Read commands up to `closing` (")" or "" for the end of the text)."""
        tokens = _tokens(self.windows)
        text, end = self.text, len(self.text)
        draft = _Draft("", depth)
        while self.pos < end:
            m = tokens.match(text, self.pos)
            if m is None:  # pragma: no cover  # the last alternative matches anything
                break
            kind, token = m.lastgroup or "other", m[0]
            self.pos = m.end()
            if kind == "blank":
                self._end_word(draft)
            elif kind in ("newline", "join") or (kind == "block" and self.windows):
                self._end_command(draft)
                if kind == "newline":
                    self._read_heredocs()
                draft = _Draft(token if kind != "block" else ";", depth)
            elif kind == "group":
                draft = self._group(draft, depth)
            elif kind == "ungroup":
                self._end_command(draft)
                if closing == ")":
                    return
                self.certain = False
                draft = _Draft(";", depth)
            elif kind == "block":
                draft.add(token)
            else:
                self.steps[kind](draft, token)
        self._end_command(draft)
        if closing:
            self.certain = False

    def _end_word(self, draft: _Draft) -> None:
        if draft.word is None:
            return
        word = "".join(draft.word)
        draft.word = None
        if draft.open_redirect is None:
            draft.words.append(word)
            return
        operator, descriptor = draft.open_redirect
        draft.open_redirect = None
        if operator in (">&", "<&") and (word.isdigit() or word == "-"):
            return
        operator = {">|": ">", "&>": ">", ">&": ">", "&>>": ">>", "<>": "<"}.get(operator, operator)
        if operator in ("<<", "<<-"):
            self.heredocs.append((word, operator == "<<-", draft.redirects, len(draft.redirects)))
            draft.redirects.append(Redirect("<<", "", descriptor))
            return
        draft.redirects.append(Redirect(operator, word, descriptor))

    def _end_command(self, draft: _Draft) -> None:
        self._end_word(draft)
        if draft.words or draft.redirects:
            self.drafts.append(draft)

    def _redirect(self, draft: _Draft, token: str) -> None:
        self._end_word(draft)
        digits = token.rstrip("<>&|-")
        draft.open_redirect = (
            token[len(digits) :] if digits.isdigit() else token,
            int(digits) if digits.isdigit() else None,
        )

    def _single(self, draft: _Draft, token: str) -> None:
        closed = len(token) > 1 and token.endswith("'")
        self.certain = self.certain and closed
        draft.add(token[1:-1] if closed else token[1:])

    def _ansi(self, draft: _Draft, token: str) -> None:
        closed = token.endswith("'")
        self.certain = self.certain and closed
        inner = token[2:-1] if closed else token[2:]
        draft.add(inner.replace("\\n", "\n").replace("\\t", "\t").replace("\\'", "'").replace("\\\\", "\\"))

    def _escape(self, draft: _Draft, token: str) -> None:
        draft.add(token if self.windows else token[1:])

    def _comment(self, draft: _Draft, token: str) -> None:
        if draft.word is not None:
            draft.add(token)
            return
        end = self.text.find("\n", self.pos)
        self.pos = len(self.text) if end < 0 else end

    def _double(self, draft: _Draft, _token: str) -> None:
        draft.add("")
        text, end = self.text, len(self.text)
        while self.pos < end:
            m = _IN_DOUBLE.match(text, self.pos)
            if m:
                draft.add(m[0])
                self.pos = m.end()
                continue
            char = text[self.pos]
            following = text[self.pos + 1 : self.pos + 2]
            self.pos += 1
            if char == '"':
                if not (self.windows and following == '"'):
                    return
                draft.add('"')
                self.pos += 1
            elif char == "\\" and not self.windows:
                draft.add(
                    following if following in '"\\$`' else "" if following == "\n" else char + following
                )
                self.pos += 1
            elif char == "$" and following == "(":
                self.pos += 1
                self._nested(draft, "$(")
            elif char == "`" and self.windows:
                draft.add(following)
                self.pos += 1
            elif char == "`":
                self._tick(draft, char)
            else:
                draft.add(char)
        self.certain = False

    def _nested(self, draft: _Draft, token: str) -> None:
        draft.add(token)
        if draft.depth >= DEEPEST:
            self.certain = False
            return
        self.read_list(")", draft.depth + 1)
        draft.add(")")

    def _arithmetic(self, draft: _Draft, token: str) -> None:
        close = self._find("))")
        if close < 0:
            draft.add(token)
            self.certain = False
            return
        draft.add(token + self.text[self.pos : close + 2])
        self.pos = close + 2

    def _tick(self, draft: _Draft, token: str) -> None:
        if self.windows:
            draft.add(self.text[self.pos : self.pos + 1])
            self.pos += 1
            return
        close = self._find("`")
        if close < 0 or draft.depth >= DEEPEST:
            self.certain = False
            draft.add(token)
            return
        inner = _Reader(self.text[self.pos : close], windows=False)
        inner.read_list("", draft.depth + 1)
        self.drafts.extend(inner.drafts)
        self.certain = self.certain and inner.certain
        draft.add("$()")
        self.pos = close + 1

    def _herestring(self, draft: _Draft, token: str) -> None:
        if not self.windows:
            draft.add("@")
            self.pos -= len(token) - 1
            return
        close = self._find("\n" + token[1] + "@")
        stop = len(self.text) if close < 0 else close
        draft.add(self.text[self.pos : stop].replace("\r\n", "\n"))
        self.pos = min(stop + 3, len(self.text))
        self.certain = self.certain and close >= 0

    def _group(self, draft: _Draft, depth: int) -> _Draft:
        """An opening parenthesis: a subshell, a function's `()`, an array."""
        word = "".join(draft.word) if draft.word is not None else ""
        if word.endswith("=") or depth >= DEEPEST:
            close = self._find(")")
            draft.add("()")
            self.pos = len(self.text) if close < 0 else close + 1
            return draft
        if word and self.text.startswith(")", self.pos):
            self.pos += 1
            return _Draft(";", depth)
        joined = draft.joined
        self._end_command(draft)
        self.read_list(")", depth + 1)
        return _Draft(joined or ";", depth)

    def _find(self, mark: str) -> int:
        if mark in self.absent:
            return -1
        found = self.text.find(mark, self.pos)
        if found < 0:
            self.absent.add(mark)
        return found

    def _read_heredocs(self) -> None:
        pending, self.heredocs = self.heredocs, []
        for delimiter, dash, redirects, index in pending:
            body = self._heredoc_body(delimiter, dash=dash)
            redirects[index] = Redirect("<<", body, redirects[index].descriptor)

    def _heredoc_body(self, delimiter: str, *, dash: bool) -> str:
        text, start, i = self.text, self.pos, self.pos
        while i < len(text):
            end = text.find("\n", i)
            line = text[i : end if end >= 0 else len(text)].rstrip("\r")
            bare = line.lstrip("\t") if dash else line
            if bare == delimiter:
                self.pos = end + 1 if end >= 0 else len(text)
                return text[start:i]
            if delimiter and bare.startswith(delimiter) and not bare[len(delimiter) :].strip(")\"' "):
                self.pos = i + len(line) - len(bare) + len(delimiter)
                return text[start:i]
            if end < 0:
                break
            i = end + 1
        self.pos = len(text)
        self.certain = False
        return text[start:]
