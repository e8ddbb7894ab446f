"""What a shell called by a list of words is given to run: a script in its words, or a file with its arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_POSIX = frozenset({"bash", "sh", "zsh", "dash"})
_POWERSHELL = frozenset({"pwsh", "powershell"})
SHELLS = _POSIX | _POWERSHELL | {"cmd"}
_LEAST = 3

_SCRIPT = re.compile(r"-[a-zA-Z]{0,4}c")
_TAKES_A_WORD = frozenset({"-o", "+o", "-O", "+O", "--rcfile", "--init-file"})
_SWITCHES = ("-noprofile", "-nologo", "-noninteractive", "-mta", "-sta", "-noexit", "-login", "-interactive")
_PLAIN = re.compile(r"[\w@%+=:,./\\~-]+")


def joined(words: Sequence[str]) -> str:
    """Words as one command line, quoted where a shell would need it."""
    return " ".join(word if _PLAIN.fullmatch(word) else _quoted(word) for word in words)


def _quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"


def given_to_run(words: Sequence[str]) -> str:
    """Return what a list of words runs: of a shell's its script, or its file and arguments; else all of them."""
    name = words[0].replace("\\", "/").rsplit("/", 1)[-1].lower().removesuffix(".exe") if words else ""
    if len(words) < _LEAST:
        return joined(words)
    if name in _POSIX:
        return _posix(words)
    if name in _POWERSHELL:
        return _powershell(words)
    if name == "cmd":
        return _cmd(words)
    return joined(words)


def _posix(words: Sequence[str]) -> str:
    i = 1
    while i < len(words) - 1 and words[i][:1] in ("-", "+") and words[i] != "--":
        if _SCRIPT.fullmatch(words[i]):
            return words[i + 1]
        i += 2 if words[i] in _TAKES_A_WORD else 1
    return joined(words)


def _powershell(words: Sequence[str]) -> str:
    """PowerShell takes its options by any beginning of their names, and all words behind `-Command` as one script."""
    i = 1
    while i < len(words) - 1 and words[i].startswith("-"):
        option = words[i].lower()
        if "-command".startswith(option) and len(option) > 1:
            return " ".join(words[i + 1 :])
        if "-file".startswith(option) and len(option) > 1:
            return joined(words[i + 1 :])
        i += 1 if any(switch.startswith(option) for switch in _SWITCHES) else 2
    return joined(words)


def _cmd(words: Sequence[str]) -> str:
    for i, word in enumerate(words[1:-1], 1):
        if word.lower() in ("/c", "/k"):
            return " ".join(words[i + 1 :])
        if not word.startswith("/"):
            break
    return joined(words)
