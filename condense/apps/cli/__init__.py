"""The command line `holdfast`: condense a session, look into it, fetch originals back.  An edge, behind extra `cli`."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]

_NEEDED = ("typer", "rich")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Args:
        arguments: without the program's name; `sys.argv` when left out.

    Returns:
        0 done; 1 the target could not be reached (what came out is the original); 2 the input, an option or the
        output was refused, with one line on stderr; 130 interrupted; 141 the reader of stdout went away.
    """
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if arguments[:1] == ["--version"]:  # needs none of the rest, which takes a while to load
        from condense.apps.cli.screens import release

        print(f"holdfast {release()}")  # noqa: T201  # one line, in any terminal
        return 0
    if arguments[:1] == ["hook"]:  # an agent waits: nothing but what it takes
        from condense.apps.hooks import run_hook

        return run_hook(arguments[1:])
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing and arguments[:1] == ["doctor"]:
        from condense.apps.doctor import run_plainly

        return run_plainly(arguments[1:])
    if missing and arguments[:1] == ["demo"]:
        from condense.apps.cli.plain_demo import run_plainly

        return run_plainly(arguments[1:])
    if missing:
        print(  # noqa: T201  # the one message for which rich cannot be used
            f"holdfast: the command line needs {' and '.join(missing)}: pip install 'holdfast-context[cli]' "
            "(holdfast demo and holdfast doctor run without)",
            file=sys.stderr,
        )
        return 2
    try:
        from condense.apps.cli.running import run

        return run(arguments)
    except KeyboardInterrupt:  # before the command has begun
        return 130
