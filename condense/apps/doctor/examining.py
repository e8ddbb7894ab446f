"""All checks, one after the other; one that fails is a finding, too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from condense.apps.doctor.agents import agents, failed_hooks, proxies
from condense.apps.doctor.findings import Finding, State
from condense.apps.doctor.installation import extras, python, tokens
from condense.apps.doctor.memories import added, database, embedder, qdrant, store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CHECKS: tuple[Callable[[], Iterable[Finding]], ...] = (
    python,
    extras,
    tokens,
    store,
    agents,
    proxies,
    failed_hooks,
    added,
    embedder,
    qdrant,
    database,
)


def examine() -> tuple[Finding, ...]:
    """Look at everything; changes nothing, takes some seconds where something does not answer."""
    findings: list[Finding] = []
    for check in CHECKS:
        try:
            findings += check()
        except Exception as error:  # noqa: BLE001  # what it looks at is broken in whatever way
            told = f"cannot be checked: {type(error).__name__}: {' '.join(str(error).split())[:300]}"
            findings.append(Finding(check.__name__, "", State.BROKEN, told, "please report it"))
    return tuple(findings)
