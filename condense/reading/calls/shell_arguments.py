"""What a shell called by a list of words is given to run: a script in its words, or a file with its arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_POWERSHELL = frozenset("pwsh powershell".split())
SHELLS = _POWERSHELL | frozenset("bash sh zsh dash ksh fish cmd".split())
"""Programs that take commands, as `command_name` writes them."""
_TAKES_A_WORD = frozenset("-o +o -O +O --rcfile --init-file".split())
_SWITCHES = "-noprofile -nologo -noninteractive -mta -sta -noexit -login -interactive".split()
_PLAIN = re.compile(r"[\w@%+=:,./\\~-]+")


def command_name(word: str) -> str:
    """The name of the command that a first word calls, in lower case, without folder and `.exe`."""
    name = word.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].lower()
    return name.removesuffix(".exe").removesuffix(".cmd").removesuffix(".bat")


def joined(words: Sequence[str]) -> str:
    """Words as one command line, quoted where a shell would need it."""
    return " ".join(w if _PLAIN.fullmatch(w) else "'" + w.replace("'", "'\\''") + "'" for w in words)


def given_to_run(words: Sequence[str]) -> str:
    """Return what a shell is given to run: its script, or its file and arguments; "" for anything else.

    PowerShell takes its options by any beginning of their names, and all words behind `-Command` as one script.
    """
    name = command_name(words[0]) if words else ""
    if name in ("eval", "wsl"):
        return " ".join(words[1:]) if name == "eval" else joined(words[1 + (words[1:2] == ("--",)) :])
    if name not in SHELLS:
        return ""
    i, marks = 1, ("/",) if name == "cmd" else ("-", "+")
    while i < len(words) - 1 and (word := words[i]).startswith(marks) and word != "--":
        option, rest = word.lower(), words[i + 1 :]
        if name == "cmd":
            if option in ("/c", "/k"):
                return " ".join(rest)
            i += 1
        elif name not in _POWERSHELL:
            if re.fullmatch(r"-[a-zA-Z]{0,4}c", word):
                return rest[0] if re.search(r"\s", rest[0]) else joined(rest)  # its quotes were lost
            i += 2 if word in _TAKES_A_WORD else 1
        elif len(option) > 1 and "-command".startswith(option):
            return " ".join(rest)
        elif len(option) > 1 and "-file".startswith(option):
            return joined(rest)
        else:
            i += 1 if any(switch.startswith(option) for switch in _SWITCHES) else 2
    return ""
