"""The values of a shell script: simple commands with their words and redirections; and which shell it is for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Redirect:
    """One redirection.

    Attributes:
        operator: "<", ">", ">>", "<<" (the target is the text of the here-document) or "<<<".
        target: the file, or the text.
        descriptor: the number before the operator, None where there is none.
    """

    operator: str
    target: str
    descriptor: int | None = None


@dataclass(frozen=True, slots=True)
class SimpleCommand:
    """One command: its words without their quotes, and its redirections.

    Attributes:
        words: name and arguments; variables stay as `$NAME`.
        redirects: in order.
        joined: what stands before it: "" (the first), "&&", "||", ";", "|", "&" or a newline.
        depth: 0 on the line itself, more inside substitutions and groups.
    """

    words: tuple[str, ...]
    redirects: tuple[Redirect, ...] = ()
    joined: str = ""
    depth: int = 0

    @property
    def name(self) -> str:
        """The command's name in lower case, without folder and `.exe`."""
        return command_name(self.words[0]) if self.words else ""


@lru_cache(maxsize=4096)
def command_name(word: str) -> str:
    """The name of the command that a first word calls, in lower case, without folder and `.exe`."""
    name = word.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1].lower()
    return name.removesuffix(".exe").removesuffix(".cmd").removesuffix(".bat")


@dataclass(frozen=True, slots=True)
class ShellScript:
    """A script as simple commands.

    Attributes:
        commands: in order of appearance; those of a substitution come before the command they stand in.
        certain: False where quotes, groups or here-documents did not close, or something was not understood.
    """

    commands: tuple[SimpleCommand, ...]
    certain: bool = True


_CMDLET = re.compile(
    r"(?<![\w-])(?:Get|Set|Select|New|Remove|Copy|Move|Rename|Test|Add|Out|Write|Invoke|Start|Stop|ConvertTo|Where|"
    r"ForEach|Measure|Resolve|Join|Split)-[A-Z][a-zA-Z]{2,30}\b|\$env:\w|\$PSVersionTable|-ErrorAction\b"
)
_DRIVE = re.compile(r"(?<![\w/])[A-Za-z]:\\[\w.$ -]")


def is_powershell(text: str) -> bool:
    """Tell whether a command line has what only PowerShell has: cmdlets, its variables."""
    return _CMDLET.search(text[:20_000]) is not None


def looks_like_windows(text: str) -> bool:
    """Tell whether a command line is for PowerShell or cmd, where a backslash is no escape."""
    head = text[:20_000]
    return bool(_CMDLET.search(head) or _DRIVE.search(head))
