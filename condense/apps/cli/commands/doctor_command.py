"""`holdfast doctor`: what is on, found, broken, and how to mend it."""

from __future__ import annotations

from typing import Annotated

import typer

from condense.apps.cli.options import Json  # noqa: TC001  # typer reads it
from condense.apps.doctor import doctor as examine


def doctor(
    *,
    every: Annotated[bool, typer.Option("--all", help="Extras that are off, too, one a line.")] = False,
    as_json: Json = False,
) -> None:
    """Say what is on, found and broken here, and how to mend it; changes nothing.

    Exit code 1: something is broken.
    """
    if code := examine(json_wanted=as_json, every=every):
        raise typer.Exit(code)
