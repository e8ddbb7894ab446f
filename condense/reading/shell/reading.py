"""What a command line does to files and to the network, at least, and what it is for: `read_shell`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction, command_name
from condense.reading.shell.commands_table import LOOKERS, Purpose, main_purpose, without_prefix, word_set
from condense.reading.shell.effects_walker import Effect, Walk
from condense.reading.shell.tokenizing import SimpleCommand, split_commands
from condense.reading.text import is_windows

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_SILENT = word_set("cd true echo printf test [ set source pushd popd for write-output")
_GIT_LOOKS = word_set("status log diff show branch remote ls-files blame rev-parse ls-tree")
_SEARCHES = word_set("grep egrep fgrep zgrep rg ag ack findstr")
_LOOKS = {ToolAction.READ, ToolAction.SEARCH, ToolAction.LIST}


@dataclass(frozen=True, slots=True)
class ShellReading:
    """What a command line does."""

    commands: tuple[SimpleCommand, ...]
    effects: tuple[Effect, ...]  # in order; paths are seen from the folder where it starts
    purpose: Purpose  # the weightiest of its commands'
    looks_only: bool  # it changes and starts nothing: it reads, searches, lists, prints
    shows_files: bool  # what it prints is the text of the files it reads, and nothing else
    runs: bool  # it may run something of the project
    finds: bool  # one of its commands searches or lists, and none tests, builds or checks


@lru_cache(maxsize=1024)
def read_shell(text: str, *, windows: bool | None = None) -> ShellReading:
    """Read a script of bash, PowerShell or cmd; `windows`: a backslash is ordinary, None decides by the text."""
    if windows is None:
        return read_shell(text, windows=is_powershell(text) or _DRIVE.search(text[:20_000]) is not None)
    commands = split_commands(text, windows=windows)
    walk = Walk()
    walk.take(commands)
    did = {effect.action for effect in walk.effects}
    readers, purpose = {effect.how for effect in walk.effects}, main_purpose(walk.purposes)
    return ShellReading(
        commands,
        tuple(walk.effects),
        purpose,
        looks_only=did <= _LOOKS and _runs_only(commands, LOOKERS | {"git"}),
        shows_files=did == {ToolAction.READ} and _runs_only(commands, _SILENT | readers),
        runs=walk.runs,
        finds=walk.finds and purpose is Purpose.OTHER,
    )


def _runs_only(commands: Sequence[SimpleCommand], names: Collection[str]) -> bool:
    """Tell whether all commands that no pipe feeds are of these names, or `git` where that is one and only looks."""
    own = [words for c in commands if not c.is_piped and (words := without_prefix(c.words))]
    called = [(command_name(name), rest) for name, *rest in own]
    return bool(commands) and all(name in names and (name != "git" or _looks(rest)) for name, rest in called)


def _looks(git: list[str]) -> bool:
    """Tell whether a git command shows something: by its verb, and what stands behind `branch`."""
    i = next((i for i, word in enumerate(git[:4]) if word in _GIT_LOOKS), None)
    return i is not None and (git[i] != "branch" or all(w.startswith("-") for w in git[i + 1 :]))


def looks_only(text: str, workdir: str | None) -> bool:
    """Tell whether a command line only looks, so that errors in its output are not its own."""
    return read_shell(text, windows=True if is_windows(workdir) else None).looks_only


def ends_in_search(text: str) -> bool:
    """Tell whether what a command line prints goes through a search at last: it ends with 1 where nothing matches."""
    commands = read_shell(text).commands
    words = without_prefix(commands[-1].words) if commands and commands[-1].is_piped else []
    return bool(words) and command_name(words[0]) in _SEARCHES


_CMDLET = re.compile(
    r"(?<![\w-])(?:Get|Set|Select|New|Remove|Copy|Move|Rename|Test|Add|Out|Write|Invoke|Start|Stop|ConvertTo|Where|"
    r"ForEach|Measure|Resolve|Join|Split)-[A-Z][a-zA-Z]{2,30}\b|\$env:\w|\$PSVersionTable|-ErrorAction\b"
)
_DRIVE = re.compile(r"(?<![\w/])[A-Za-z]:\\[\w.$ -]")


def is_powershell(text: str) -> bool:
    """Tell whether a command line has what only PowerShell has: cmdlets, its variables."""
    return _CMDLET.search(text[:20_000]) is not None
