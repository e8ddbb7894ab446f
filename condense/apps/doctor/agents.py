"""What is switched on in Claude Code and Codex, the proxies that they use, and what went wrong in hooks."""

from __future__ import annotations

import json
import os
import re
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.error import HTTPError, URLError

from condense.apps.doctor.findings import Finding, State
from condense.apps.hooks import failures_file
from condense.apps.install import ClaudeCode, Installed, InstallError, installed, proxy_status, started_ports
from condense.apps.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS: Final = 2.0
"""How long a proxy on this machine may take to answer; chosen."""
DAYS: Final = 7
"""Days that a failure of a hook is shown; chosen."""
DEFAULT_PORT: Final = 8787
_LOCAL: Final = re.compile(r"http://(?:127\.0\.0\.1|localhost|\[::1\]):(\d+)")


def agents() -> Iterator[Finding]:
    """Where holdfast is on, and whether the agents' settings still say so."""
    try:
        records = installed()
    except InstallError as error:
        mend = "move that file away, and run holdfast install for each agent again"
        yield Finding("agent", "installed.json", State.BROKEN, str(error), mend)
        records = []
    kinds: dict[str, type[Any] | None] = {"claude-code": ClaudeCode, "codex": _codex()}
    for name, kind in kinds.items():
        of_it = [one for one in records if one.client == name]
        switch = f"holdfast install {name}"
        if kind is None:
            state = State.BROKEN if of_it else State.OFF
            yield Finding("agent", name, state, "needs tomlkit", "pip install 'holdfast-context[cli]'")
            continue
        for one in of_it:
            yield _of_record(one, kind, switch)
        if not any(one.scope == "user" for one in of_it):
            yield _unrecorded(kind(), name, switch)


def _codex() -> type[Any] | None:
    if find_spec("tomlkit") is None:
        return None
    from condense.apps.install import Codex

    return Codex


def _agent(one: Installed, kind: type[Any]) -> Any:
    if one.client == "codex":
        return kind()
    return kind(one.scope, one.folder or ".")


def _of_record(one: Installed, kind: type[Any], switch: str) -> Finding:
    if one.scope == "project":
        if not Path(one.folder).is_dir():
            return Finding("agent", one.name, State.NOTE, "its folder is gone", "nothing needs to be done")
        switch = f"cd {one.folder} && {switch} --scope project"
    try:
        agent = _agent(one, kind)
        if agent.place != one.folder:
            return Finding("agent", one.name, State.OK, "on; another folder of the agent is in use here")
        there = agent.traces()
    except InstallError as error:
        return Finding("agent", one.name, State.BROKEN, str(error), "mend that file")
    if there is None:
        told = "it was switched on, but the agent's settings no longer say so"
        return Finding("agent", one.name, State.BROKEN, told, switch)
    lost = _lost_program(agent)
    if lost:
        return Finding("agent", one.name, State.BROKEN, f"its hooks call {lost}, which is not there", switch)
    if one.client == "codex" and not agent.approved():
        from condense.apps.install import APPROVE

        return Finding("agent", one.name, State.NOTE, "on, its hooks are not approved yet", APPROVE)
    through = f", requests go through the proxy on port {one.port}" if one.port is not None else ""
    return Finding("agent", one.name, State.OK, f"on{through}")


def _unrecorded(agent: Any, name: str, switch: str) -> Finding:
    try:
        there = agent.traces()
    except InstallError as error:
        return Finding("agent", name, State.BROKEN, str(error), "mend that file")
    if there is not None:
        told = "its settings name holdfast, but nothing here knows of it"
        return Finding("agent", name, State.NOTE, told, f"{switch}, or holdfast uninstall {name}")
    return Finding("agent", name, State.OFF, "off", switch)


def _lost_program(agent: Any) -> str:
    """Return the program that an agent's hooks call, where it is not there."""
    import shlex

    for command in agent.commands():
        words = shlex.split(command)
        if words and words[0].startswith(os.sep) and not Path(words[0]).exists():
            return words[0]
    return ""


def proxies() -> Iterator[Finding]:
    """The proxies that agents on this machine are told to use, and the one on the usual port."""
    started = started_ports()
    wanted = dict.fromkeys(started, "hooks start it with the agent")
    try:
        there = ClaudeCode().proxy_port()
    except InstallError:  # told above
        there = None
    for port in (there, *_of_environment()):
        if port is not None:
            wanted.setdefault(port, "")
    for port, starter in wanted.items():
        yield _proxy(port, starter)
    if DEFAULT_PORT not in wanted:
        found = _proxy(DEFAULT_PORT, "holdfast proxy starts it")
        if found.state is State.OK:
            yield found
        elif not wanted:
            yield Finding(
                "proxy", "", State.OFF, "no agent is told to use one", "holdfast install claude-code --proxy"
            )


def _of_environment() -> list[int]:
    named = (os.environ.get(name, "") for name in ("ANTHROPIC_BASE_URL", "OPENAI_BASE_URL"))
    return [int(found[1]) for one in named if (found := _LOCAL.match(one))]


def _proxy(port: int, starter: str) -> Finding:
    name = f"http://127.0.0.1:{port}"
    try:
        value = proxy_status(name)
    except HTTPError as error:
        if error.code == 401:  # noqa: PLR2004  # unauthorised
            mend = "set HOLDFAST_PROXY_TOKEN to see what it does"
            return Finding("proxy", name, State.NOTE, "it runs, and wants its token", mend)
        told = f"something that is not a holdfast proxy answers there (HTTP {error.code})"
        return Finding("proxy", name, State.BROKEN, told, "give the proxy another port: --port")
    except ValueError:
        told = "something that is not a holdfast proxy answers there"
        return Finding("proxy", name, State.BROKEN, told, "give the proxy another port: --port")
    except (URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        if isinstance(reason, ConnectionRefusedError) and starter:
            return Finding("proxy", name, State.OFF, f"it does not run now; {starter}")
        told = (
            "an agent's requests are sent there, and nothing listens"
            if isinstance(reason, ConnectionRefusedError)
            else f"an agent's requests are sent there, and it does not answer ({reason})"
        )
        return Finding("proxy", name, State.BROKEN, told, f"holdfast proxy --port {port}")
    return _running(name, value)


def _running(name: str, value: dict[str, Any]) -> Finding:
    counts = value["counts"]
    made = sum(counts.get(how, 0) for how in ("answered", "viewed"))
    told = (
        f"runs, mode {value['mode']}, target {value.get('target')}, to {value.get('upstream') or 'the providers'}: "
        f"{counted(counts.get('requests', 0), 'request')}, {counted(made, 'compaction')}, "
        f"{counted(counts.get('tokens saved', 0), 'token')} saved"
    )
    failures = value.get("failures") or []
    if not failures:
        return Finding("proxy", name, State.OK, told)
    last = failures[-1]
    told += f"; {counted(counts.get('failures', len(failures)), 'failure')}, "
    told += f"the last: {last.get('what')}: {last.get('error')}"
    return Finding("proxy", name, State.NOTE, told, f"{name}/holdfast/status shows them")


def failed_hooks() -> Iterator[Finding]:
    """What went wrong in hooks lately; they never stand in an agent's way, so nobody was told."""
    file = failures_file()
    try:
        lines = file.read_text("utf-8", "replace").splitlines()
    except FileNotFoundError:
        return
    rows = []
    for line in lines:
        try:
            rows.append(json.loads(line))
        except ValueError:  # cut off by a full disk
            continue
    late = [row for row in rows if isinstance(row, dict) and row.get("at", 0) > time.time() - DAYS * 86_400]
    if late:
        last = late[-1]
        when = time.strftime("%Y-%m-%d %H:%M", time.localtime(last["at"]))
        told = f"{counted(len(late), 'failure')} in {DAYS} days, "
        told += f"the last at {when}: {last.get('event')}: {last.get('error')}"
        yield Finding("hooks", str(file), State.NOTE, told, "remove the file when they are mended")
