"""What the checks found, for people and for programs."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from condense.apps.doctor.findings import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.apps.doctor.findings import Finding

_WIDTH: Final = 8
_CONTROL: Final = dict.fromkeys(range(32), " ") | dict.fromkeys(range(127, 160), " ")


def doctor(*, json_wanted: bool, every: bool = False) -> int:
    """Examine, tell, and return the exit code: 1 where something is broken."""
    from condense.apps.doctor.examining import examine

    found = examine()
    print(as_json(found) if json_wanted else as_text(found, every=every))  # noqa: T201  # plain on purpose: it runs without extras
    return int(any(one.state is State.BROKEN for one in found))


def as_json(found: Sequence[Finding]) -> str:
    """Write the findings as JSON."""
    from condense.apps.doctor.installation import release

    broken = sum(one.state is State.BROKEN for one in found)
    value = {"command": "doctor", "version": release(), "broken": broken}
    value["findings"] = [asdict(one) for one in found]
    return json.dumps(value, indent=2)


def as_text(found: Sequence[Finding], *, every: bool = True) -> str:
    """Write the findings for people, each with what to do; unless `every`, extras that are off on one line."""
    there = [one.name for one in found if _plain_extra(one)]
    off = [] if every else [one.name for one in found if _off_extra(one)]
    shown = (one for one in found if not _plain_extra(one) and (every or not _off_extra(one)))
    lines = [line for one in shown for line in _lines(one)]
    if off:
        lines.insert(2, f"{State.OFF:{_WIDTH}}extras: {', '.join(off)} (holdfast doctor --all says what for)")
    if there:
        lines.insert(2, f"{State.OK:{_WIDTH}}extras: {', '.join(there)}")
    broken = sum(one.state is State.BROKEN for one in found)
    return "\n".join([*lines, "", f"{broken} broken" if broken else "nothing is broken"])


def _plain_extra(one: Finding) -> bool:
    """Extras that are there need no line each; `--json` says of each what it is for."""
    return one.area == "extra" and one.state is State.OK


def _off_extra(one: Finding) -> bool:
    return one.area == "extra" and one.state is State.OFF


def _lines(one: Finding) -> list[str]:
    name = f"{one.area} {one.name}".strip()
    state = one.state.upper() if one.state is State.BROKEN else one.state
    lines = [f"{state:{_WIDTH}}{name}: {one.told}"]
    if one.mend and one.state is State.OFF:
        lines[0] += f" ({one.mend})"
    elif one.mend:
        lines.append(f"{'':{_WIDTH}}mend: {one.mend}")
    return [line.translate(_CONTROL) for line in lines]


def run_plainly(arguments: Sequence[str]) -> int:
    """Run `holdfast doctor` where the rest of the command line cannot be loaded."""
    if set(arguments) - {"--json", "--all"}:
        print("holdfast: doctor takes --json and --all only", file=sys.stderr)  # noqa: T201  # plain on purpose
        return 2
    return doctor(json_wanted="--json" in arguments, every="--all" in arguments)
