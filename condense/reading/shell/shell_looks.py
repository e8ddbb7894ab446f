"""Telling command lines that only look from those that do something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction
from condense.reading.shell.commands_table import word_set
from condense.reading.shell.purposes import without_prefix
from condense.reading.shell.scripts import command_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.reading.shell.effects import Effect
    from condense.reading.shell.scripts import ShellScript

_LOOKS = (ToolAction.READ, ToolAction.SEARCH, ToolAction.LIST)
_NAMES = word_set(
    "pwd echo printf which where whereis whoami id date true test [ cd env printenv ps hostname uname cat head tail "
    "sed nl ls find grep rg wc tree stat file du less for fd awk sort uniq cut diff type command get-childitem "
    "get-content select-string test-path write-output write-host if foreach get-location jq bat pgrep lsof"
)
_GIT = word_set("status log diff show branch remote ls-files blame rev-parse ls-tree")


def only_looks(script: ShellScript, effects: Sequence[Effect]) -> bool:
    """Tell whether a command line changes nothing and starts nothing: it reads, searches, lists, prints.

    Args:
        script: its commands.
        effects: what they do to files.
    """
    if not script.commands or any(e.action not in _LOOKS for e in effects):
        return False
    readers = {e.how for e in effects}
    for command in script.commands:
        words = without_prefix(command.words)
        if not words or command.joined in ("|", "|&"):
            continue
        name = command_name(words[0])
        if not (name in _NAMES or name in readers or (name == "git" and any(w in _GIT for w in words[1:5]))):
            return False
    return True


_SILENT = word_set("cd true echo printf test [ set source pushd popd for write-output")


def only_shows_files(script: ShellScript, effects: Sequence[Effect]) -> bool:
    """Tell whether what a command line prints is the text of the files it reads (and what `echo` puts between).

    Args:
        script: its commands.
        effects: what they do to files.
    """
    if not effects or any(e.action is not ToolAction.READ for e in effects):
        return False
    readers = {e.how for e in effects}
    for command in script.commands:
        words = without_prefix(command.words)
        if not words or command.joined in ("|", "|&"):
            continue
        if command_name(words[0]) not in readers | _SILENT:
            return False
    return True
