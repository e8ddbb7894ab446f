"""Python, this package, its extras, the counting of tokens."""

from __future__ import annotations

import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING, Final

from condense.apps.doctor.findings import Finding, State

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE: Final = "holdfast-context"
OLDEST: Final = (3, 11)
PURPOSES: Final = {
    "cli": "the command line",
    "proxy": "holdfast proxy",
    "mcp": "memory tools over HTTP (by stdio they need nothing)",
    "panel": "holdfast panel",
    "anthropic": "summaries by Anthropic's models, smaller requests through its SDK",
    "openai": "summaries by OpenAI's models and whatever speaks its API, smaller requests through its SDK",
    "litellm": "smaller requests through LiteLLM",
    "langchain": "LangChain, LangGraph and deepagents",
    "pydantic-ai": "pydantic-ai",
    "openai-agents": "the OpenAI Agents SDK",
    "claude-agent-sdk": "the Claude Agent SDK",
    "google-adk": "Google's ADK",
    "crewai": "CrewAI",
    "qdrant": "memories found by meaning, in Qdrant",
    "edge": "the same with Qdrant's engine in the process",
    "embed": "local embedding models",
    "sql": "threads and memories in an SQL database",
    "postgres": "the same in PostgreSQL",
    "ray": "an archive of sessions, read on a Ray cluster",
    "otel": "OpenTelemetry spans and metrics",
}
"""Extras that a user may want, and what they are for."""

_REQUIREMENT: Final = re.compile(
    r"""(?P<name>[A-Za-z0-9._-]+) (?:\[(?P<with>[^]]*)\])? \s* (?P<bounds>[^;]*)
    (?:;.*extra\s*==\s*['"](?P<extra>[^'"]+)['"].*)?""",
    re.VERBOSE,
)


def release() -> str:
    """Return the version of this package, "unknown" where it is not installed."""
    try:
        return version(PACKAGE)
    except PackageNotFoundError:
        return "unknown"


def python() -> Iterator[Finding]:
    """Which Python, which release."""
    here = f"{platform.python_version()} ({platform.system()} {platform.machine()}), {sys.executable}"
    old = sys.version_info < OLDEST
    mend = "use Python 3.11 or newer" if old else ""
    yield Finding("python", "", State.BROKEN if old else State.OK, here, mend)
    if release() != "unknown":
        yield Finding("holdfast", "", State.OK, release())
    else:
        told = (
            f"{PACKAGE} is not installed; it runs from a folder, and what plug-ins and extras are there is unknown"
        )
        yield Finding("holdfast", "", State.NOTE, told, f"pip install '{PACKAGE}[cli]'")


def extras() -> Iterator[Finding]:
    """Which extras are there, which are too old, which are missing, and what for."""
    wanted = _wanted()
    for extra, purpose in PURPOSES.items():
        if extra not in wanted:
            continue
        missing, old = _wanting(wanted[extra])
        install = f"pip install '{PACKAGE}[{extra}]'"
        if old:
            yield Finding("extra", extra, State.BROKEN, f"{purpose}: {', '.join(old)}", f"{install} --upgrade")
        elif missing:
            yield Finding("extra", extra, State.OFF, f"{purpose}: {', '.join(missing)} not installed", install)
        else:
            yield Finding("extra", extra, State.OK, purpose)


def _wanted() -> dict[str, list[tuple[str, str]]]:
    """Return the packages of each extra, and their bounds; nothing where this package is not installed."""
    try:
        listed = requires(PACKAGE) or []
    except PackageNotFoundError:
        return {}
    wanted: dict[str, list[tuple[str, str]]] = {}
    others: dict[str, list[str]] = {}
    for line in listed:
        found = _REQUIREMENT.fullmatch(line.strip())
        if found is None or not found["extra"]:
            continue
        rows = wanted.setdefault(found["extra"], [])
        if found["name"] == PACKAGE:
            others.setdefault(found["extra"], []).extend(found["with"].split(","))
        else:
            rows.append((found["name"], found["bounds"].strip(" ()")))
    return {
        extra: [row for one in (extra, *others.get(extra, ())) for row in wanted.get(one, ())] for extra in wanted
    }


def _wanting(requirements: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """Return what is missing, and what is older than it should be."""
    missing, old = [], []
    for name, bounds in requirements:
        try:
            there = version(name)
        except PackageNotFoundError:
            missing.append(name)
            continue
        least = re.search(r">=\s*([\w.]+)", bounds)
        if least and _numbers(there) < _numbers(least[1]):
            old.append(f"{name} is {there}, it should be {least[1]} or newer")
    return missing, old


def _numbers(release: str) -> tuple[int, ...]:
    found = [int(number) for number in re.match(r"[\d.]*", release)[0].split(".") if number]  # type: ignore[index]  # it always matches
    while found and found[-1] == 0:
        found.pop()
    return tuple(found)


def tokens() -> Iterator[Finding]:
    """Whether tokens are counted exactly."""
    from memory.conversation import has_ranks, ranks_folder

    if has_ranks("o200k_base"):
        yield Finding("tokens", "", State.OK, f"counted exactly (o200k_base, in {ranks_folder()})")
        return
    told = f"estimated, within some 10 %: the ranks of o200k_base are not in {ranks_folder() or 'any folder'}"
    mend = "python -c 'import tiktoken; tiktoken.get_encoding(\"o200k_base\")' fetches them once"
    yield Finding("tokens", "", State.NOTE, told, mend)
