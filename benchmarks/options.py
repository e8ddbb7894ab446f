"""The options every piece takes, and the file of results they share."""

from __future__ import annotations

import argparse
import json
import os
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.figures import rounded
from benchmarks.sessions import BUNDLED, Session, load_sessions

RESULTS = Path(__file__).resolve().parent / "results"
BUDGETS = (4000, 8000, 16000, 32000)
_JOBS = 2
_QUICK_BUDGETS = (4000, 8000)
_BINDING = ("critical", "high")


@dataclass(frozen=True)
class Options:
    """What a run measures, and where its numbers go.

    Attributes:
        sessions: a folder of transcripts, or one.
        label: how the report calls them.
        budgets: tokens, for `fidelity`.
        cuts: a session and budget.
        window: tokens, for `replay`.
        limit: sessions at most.
        quick: the smallest run that still shows every number.
        labels: JSON lines of labelled messages, None without.
        venvs: where the peers' environments are.
        peers: whether they are run.
        out: the folder of `results.json`.
        jobs: processes that measure at once.
        again: measure peers although their numbers are kept from an earlier run.
    """

    sessions: Path = BUNDLED
    label: str = "bundled"
    budgets: tuple[int, ...] = BUDGETS
    cuts: int = 3
    window: int = 32000
    limit: int | None = None
    quick: bool = False
    labels: Path | None = None
    venvs: Path = Path.home() / ".cache" / "holdfast-bench"
    peers: bool = False
    out: Path = RESULTS
    jobs: int = 1
    again: bool = False

    def load(self) -> list[Session]:
        """Read the sessions."""
        return list(_loaded(self.sessions, self.limit))

    def labelled(self) -> list[dict[str, Any]]:
        """Read the labelled messages; by default the written ones that are bundled."""
        path = self.labels or BUNDLED / "labelled_messages.jsonl"
        with path.open(encoding="utf-8") as lines:
            return [json.loads(line) for line in lines if line.strip()]

    def rules(self) -> dict[str, list[str]]:
        """Return typed text -> quotes of critical and high priority, where labels are given."""
        if self.labels is None:
            return {}
        return {
            row["text"].strip(): [m["quote"] for m in row["memories"] if m["priority"] in _BINDING]
            for row in self.labelled()
        }


@cache
def _loaded(folder: Path, limit: int | None) -> tuple[Session, ...]:
    return tuple(load_sessions(folder, limit))


def parse_options(description: str | None, arguments: list[str] | None = None) -> Options:
    """Read the command line."""
    given = Options()
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=Path, default=BUNDLED, help="a folder of transcripts, or one")
    parser.add_argument("--label", default=None, help="how the report calls them")
    parser.add_argument("--budget", type=int, nargs="+", default=None, help="tokens to compact to")
    parser.add_argument("--cuts", type=int, default=given.cuts, help="places where each session is cut, a budget")
    parser.add_argument("--window", type=int, default=None, help="of the replay, in tokens")
    parser.add_argument("--limit", type=int, default=None, help="sessions at most")
    parser.add_argument("--labels", type=Path, default=None, help="JSON lines of labelled messages")
    parser.add_argument("--venvs", type=Path, default=given.venvs, help="environments of the peers")
    parser.add_argument("--peers", action="store_true", help="install and run the peers too (network)")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder of results.json")
    parser.add_argument(
        "--jobs", type=int, default=None, help="processes at once (2, or as many as there are cores)"
    )
    parser.add_argument("--again", action="store_true", help="measure peers anew, although their numbers are kept")
    parser.add_argument("--quick", action="store_true", help="the smallest run, under a minute")
    found = parser.parse_args(arguments)
    bundled = found.sessions == BUNDLED
    return Options(
        sessions=found.sessions,
        label=found.label or ("bundled" if bundled else found.sessions.name),
        budgets=tuple(found.budget or (_QUICK_BUDGETS if found.quick else BUDGETS)),
        cuts=1 if found.quick else found.cuts,
        window=found.window or (16000 if bundled else given.window),
        limit=found.limit or (2 if found.quick else None),
        quick=found.quick,
        labels=found.labels,
        venvs=found.venvs,
        peers=found.peers,
        out=found.out,
        jobs=found.jobs or (1 if found.quick else min(_JOBS, os.cpu_count() or 1)),
        again=found.again,
    )


def read_results(path: Path) -> dict[str, Any]:
    """Read a file of results; an empty one where there is none."""
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"runs": {}}


def save(options: Options, piece: str, found: object) -> None:
    """Put a piece's numbers into `results.json`, beside those of the other pieces and sessions."""
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / "results.json"
    results = read_results(path)
    results["runs"].setdefault(options.label, {})[piece] = rounded(found)
    written = json.dumps(results, indent=1, sort_keys=True)
    path.write_text(_PAIR.sub(r"[\1, \2]", written) + "\n", encoding="utf-8")


_PAIR = re.compile(r"\[\s{1,20}(-?[\d.]{1,20}),\s{1,20}(-?[\d.]{1,20})\s{1,20}\]")
"""Points of plots, which need no lines of their own."""
