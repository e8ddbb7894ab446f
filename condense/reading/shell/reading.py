"""What a command line does to files, to the repository and to the network: `read_shell`.

The line is cut into simple commands (`tokenizing`), then each is looked up in the tables of `commands_table`. What
a command does behind a program's back (a generator, a script file) stays unseen: the effects are "at least".
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from condense.reading.shell.commands_table import Purpose
from condense.reading.shell.effects_walker import Walk
from condense.reading.shell.purposes import main_purpose
from condense.reading.shell.scripts import ShellScript, looks_like_windows
from condense.reading.shell.shell_looks import only_looks, only_shows_files
from condense.reading.shell.tokenizing import split_commands
from condense.reading.text import is_windows

if TYPE_CHECKING:
    from condense.reading.calls import ToolAction
    from condense.reading.shell.effects import Effect
    from condense.reading.shell.shell_git import GitAction


@dataclass(frozen=True, slots=True)
class ShellReading:
    """What a command line does.

    Attributes:
        script: its simple commands.
        effects: on files, folders and addresses, in order; paths are seen from `workdir` where that is known.
        git: what it does to the repository's history and branches.
        purpose: what it is run for: the weightiest purpose of its commands (tests, then builds, ...).
        looks_only: it changes and starts nothing: it reads, searches, lists, prints.
        shows_files: what it prints is the text of the files it reads, and nothing else.
        certain: False where some of it was not understood.
    """

    script: ShellScript
    effects: tuple[Effect, ...] = ()
    git: tuple[GitAction, ...] = ()
    purpose: Purpose = Purpose.OTHER
    looks_only: bool = False
    shows_files: bool = False
    certain: bool = True

    def paths(self, *actions: ToolAction) -> tuple[str, ...]:
        """Return the targets of the given actions, in order, each once."""
        return tuple(dict.fromkeys(e.target for e in self.effects if e.action in actions))


def read_shell(text: str, *, workdir: str | None = None, windows: bool | None = None) -> ShellReading:
    """Read a command line; never raises; linear in its length.

    Args:
        text: a command line or script, for bash, PowerShell or cmd.
        workdir: the folder it starts in; relative paths are joined to it. None leaves them relative.
        windows: whether a backslash is an ordinary character; None decides by the text and `workdir`.
    """
    if windows is None:
        windows = looks_like_windows(text) or is_windows(workdir)
    read = _read_again if len(text) <= REMEMBERED else _read_long_again
    return read(text, workdir, windows)


def looks_only(text: str, workdir: str | None) -> bool:
    """Tell whether a command line only looks, so that errors in its output are not its own."""
    return bool(text.strip()) and read_shell(text, windows=True if is_windows(workdir) else None).looks_only


REMEMBERED = 4000
"""Characters of a command line beyond which only a few readings are remembered (chosen)."""


def _read(text: str, workdir: str | None, windows: bool) -> ShellReading:  # noqa: FBT001  # a cache key, passed by position
    script = split_commands(text, windows=windows)
    walk = Walk(workdir, windows=windows)
    walk.take(script)
    return ShellReading(
        script=script,
        effects=tuple(walk.effects),
        git=tuple(walk.git),
        purpose=main_purpose(walk.purposes),
        looks_only=not walk.git and only_looks(script, walk.effects),
        shows_files=only_shows_files(script, walk.effects),
        certain=script.certain and walk.certain,
    )


_read_again, _read_long_again = lru_cache(maxsize=4096)(_read), lru_cache(maxsize=32)(_read)
"""The same for a command line that was read lately: a compaction asks for each twice, and so does the next one."""
