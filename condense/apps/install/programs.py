"""The programs that are called: the client's own command line, and ours as a client will call it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

from condense.apps.install.files import InstallError

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS: Final = 120
PASSING: Final = ("/archive-v0/", "/.cache/uv/", "/_npx/")
"""What stands in the path of an environment that is thrown away after use."""


def our_command() -> list[str]:
    """Return how another program calls holdfast: the installed script, else this Python.

    Raises:
        InstallError: this environment is thrown away after use.
    """
    script = Path(sys.executable).with_name("holdfast")
    if any(part in str(script) for part in PASSING):
        raise InstallError(
            f"{script.parent} is a temporary environment; install holdfast permanently first: "
            "uv tool install 'holdfast-context[cli]'"
        )
    return [str(script)] if script.exists() else [sys.executable, "-P", "-m", "condense.apps.cli"]


def quoted(command: Sequence[str]) -> str:
    """Return a command as a shell reads it."""
    return shlex.join(command)


def find_client(name: str, given: str | None, hint: str) -> str:
    """Return the path of a client's command line.

    Raises:
        InstallError: there is none.
    """
    found = shutil.which(given or name)
    if found is None:
        raise InstallError(f"{given or name} is not on the PATH; {hint}")
    return found


def call(command: Sequence[str], *, folder: str | None = None) -> str:
    """Run a client's command, which can take half a minute, and return what it printed; stderr says that it runs.

    Raises:
        InstallError: it failed; with its own last words.
    """
    print(f"holdfast: running {quoted(command)}", file=sys.stderr, flush=True)  # noqa: T201  # it is silent itself
    try:
        done = subprocess.run(  # noqa: S603  # the client's own command line
            list(command),
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallError(f"{quoted(command)}: {error}") from error
    said = f"{done.stdout}\n{done.stderr}".strip()
    if done.returncode != 0 or "✘" in said:
        raise InstallError(f"{quoted(command)}: {' '.join(said.split())[-400:] or f'exit code {done.returncode}'}")
    return said
