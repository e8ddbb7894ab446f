"""`holdfast install`, `holdfast uninstall`: in Claude Code and Codex."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from condense.apps.cli.commands.proxy_command import PORT, checked_settings, missing_packages
from condense.apps.cli.options import Json, show_help
from condense.apps.cli.refusals import Refusal
from condense.apps.hooks import failures_file
from condense.apps.install import (
    APPROVE,
    ClaudeCode,
    Codex,
    Installed,
    InstallError,
    installed,
    listener,
    started_ports,
)
from condense.apps.words import counted

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
RUNS = {
    "proxy": "running",
    "": "not running; it starts with the agent",
    "other": "another program has this port, and the agent's requests go there; install again with another --port",
}

install = typer.Typer(
    name="install", help="Switch holdfast on in an agent: hooks, memory tools, proxy.", add_completion=False
)
uninstall = typer.Typer(
    name="uninstall", help="Switch it off again; your settings come back as they were.", add_completion=False
)
install.callback(invoke_without_command=True)(show_help)
uninstall.callback(invoke_without_command=True)(show_help)

Proxy = Annotated[bool, typer.Option("--proxy", help="Let the agent's requests go through holdfast proxy, too.")]
Port = Annotated[
    int | None,
    typer.Option("--port", min=1, max=65535, help="With --proxy: where it listens; 8787 when left out."),
]
Scope = Annotated[str, typer.Option("--scope", metavar="SCOPE", help="user or project.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Don't ask.")]
Client = Annotated[
    str | None, typer.Option("--client", metavar="PATH", help="The agent's program, if not on the PATH.")
]
Upstream = Annotated[
    str | None,
    typer.Option("--upstream", metavar="URL", help="With --proxy: where requests go."),
]


@install.command("claude-code")
def install_claude_code(
    *,
    proxy: Proxy = False,
    port: Port = None,
    scope: Scope = "user",
    yes: Yes = False,
    client: Client = None,
    upstream: Upstream = None,
) -> None:
    """Install the plugin: hooks, memory tools, two commands; with --proxy instant compactions, too."""
    port, upstream = _of_proxy(port, upstream, proxy=proxy)
    _install(ClaudeCode(_scope(scope), ".", port, client, upstream), yes=yes)
    again = "" if scope == "user" else f" --scope {scope}"
    _say(f"holdfast is on in Claude Code; restart it. To switch it off: holdfast uninstall claude-code{again}")


@install.command("codex")
def install_codex(
    *,
    proxy: Proxy = False,
    port: Port = None,
    yes: Yes = False,
    client: Client = None,
    upstream: Upstream = None,
) -> None:
    """Install hooks and memory tools; with --proxy instant compactions."""
    port, upstream = _of_proxy(port, upstream, proxy=proxy)
    _install(Codex(port, client, upstream), yes=yes)
    _say(f"holdfast is on in Codex; {APPROVE}")
    if proxy:
        _say(f"the hooks start the proxy once they are approved; by hand: holdfast proxy --port {port}")
    _say("to switch it off: holdfast uninstall codex")


@install.command("status")
def status(*, as_json: Json = False) -> None:
    """Show where holdfast is on, whether the proxy runs, and what went wrong in hooks."""
    rows = _checked(installed)
    failures = _failures()
    if as_json:
        value = [
            {"client": r.client, "scope": r.scope, "folder": r.folder, "port": r.port, "backups": r.backups}
            for r in rows
        ]
        print(json.dumps({"installed": value, "hook_failures": failures}, indent=2))  # noqa: T201  # for machines
        return
    if not rows:
        typer.echo("holdfast is off everywhere; switch it on with holdfast install claude-code, or codex")
    for row in rows:
        typer.echo(f"{row.client}: on {row.name.removeprefix(row.client).strip()}")
        if row.key == ("codex", "user", Codex().place):
            typer.echo(f"  hooks: {'approved' if _checked(Codex().approved) else f'not approved yet; {APPROVE}'}")
        if row.port is not None:
            typer.echo(f"  proxy on port {row.port}: {RUNS[listener(row.port)[0]]}")
        for backup in row.backups:
            typer.echo(f"  backup of your settings: {backup}")
    if failures:
        typer.echo(f"{counted(len(failures), 'failure')} of hooks in {failures_file()}; the newest:")
        for failure in failures[-3:]:
            typer.echo(f"  {failure.get('event')}: {failure.get('error')}")


@uninstall.command("claude-code")
def uninstall_claude_code(*, scope: Scope = "user", client: Client = None, yes: Yes = False) -> None:
    """Remove the plugin and the proxy's settings."""
    del yes  # nothing is asked; scripts that install with it need not know
    agent = ClaudeCode(_scope(scope), ".", client=client)
    record = _record(agent, Installed("claude-code", scope, agent.place))
    place = _checked(lambda: agent.uninstall(record))
    _say(f"holdfast is off in Claude Code; {_settings(place)}")
    _say_what_runs(record)


@uninstall.command("codex")
def uninstall_codex(*, yes: Yes = False) -> None:
    """Remove hooks, memory tools and provider."""
    del yes
    agent = Codex()
    record = _record(agent, Installed("codex", folder=agent.place))
    place = _checked(lambda: agent.uninstall(record))
    _say(f"holdfast is off in Codex; {_settings(place)}")
    _say_what_runs(record)


def _settings(place: str | Path) -> str:
    return f"your settings are in {place}" if Path(place).exists() else f"there is no {place}, as before"


def _of_proxy(port: int | None, upstream: str | None, *, proxy: bool) -> tuple[int | None, str | None]:
    """Return the port and the upstream of the proxy, which are of no use without --proxy."""
    if not proxy:
        if given := [name for name, one in (("--port", port), ("--upstream", upstream)) if one is not None]:
            raise Refusal(f"{given[0]} needs --proxy")
        return None, None
    if missing := missing_packages():
        raise Refusal(f"nothing was changed: {missing}")  # the agent would speak to nobody
    return port or PORT, checked_settings(upstream=upstream).upstream


def _install(agent: ClaudeCode | Codex, *, yes: bool) -> None:
    if agent.port is not None and listener(agent.port)[0] == "other":
        raise Refusal(f"nothing was changed: another program has port {agent.port}; name one with --port")
    for step in _checked(agent.steps):
        typer.echo(step, err=True)
    if not yes:
        if not sys.stdin.isatty():
            raise Refusal("nothing was changed; --yes does it without asking")
        typer.confirm("Do this?", abort=True, err=True)
    _say("working; the agent's own commands can take half a minute each")
    done = _checked(agent.install)
    for backup in done.backups:
        _say(f"backup of your settings: {backup}")


def _say_what_runs(record: Installed) -> None:
    """Agents that are open still need the proxy, so it is left to the person when it ends."""
    who, process = listener(record.port) if record.port is not None else ("", None)
    if who == "proxy" and record.port not in started_ports():
        end = f"; kill {process} ends it" if process else ""
        _say(f"the proxy on port {record.port} goes on running for agents that are open{end}")


def _checked(action: Callable[[], T]) -> T:
    try:
        return action()
    except InstallError as error:
        raise Refusal(str(error)) from error


def _record(agent: ClaudeCode | Codex, like: Installed) -> Installed:
    found = next((r for r in _checked(installed) if r.key == like.key), None) or _checked(agent.traces)
    if found is None:
        raise Refusal(f"holdfast is not on in {like.name}; holdfast install status shows where it is")
    return found


def _scope(scope: str) -> str:
    if scope not in {"user", "project"}:
        raise Refusal(f"--scope {scope!r} should be user or project")
    return scope


def _failures() -> list[dict[str, object]]:
    try:
        lines = failures_file().read_text("utf-8").splitlines()
    except OSError:
        return []
    return [json.loads(line) for line in lines if line.startswith("{")]


def _say(line: str) -> None:
    typer.echo(f"holdfast: {line}", err=True)
