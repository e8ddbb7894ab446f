"""Scale: how time and memory grow, each size in a process of its own, growth exponents from neighbouring sizes.

Processor time ~ size ** exponent: 1 is linear, 2 quadratic. Conversations are made up (`sessions.generated_session`),
up to two million tokens; memories are distinct rules, up to 100,000 (the documented original compares each with each
and takes 169 s for 9,000).

usage: python -m benchmarks.scale [--quick]
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import re
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.figures import Figures, table
from benchmarks.options import Options, parse_options, save
from benchmarks.sessions import generated_session
from benchmarks.systems import ours
from benchmarks.texts import count_tokens
from condense import CondenseConfig, Condenser, TokenBudget
from memory import ConversationMemory

if TYPE_CHECKING:
    from collections.abc import Callable

TOKENS = (125_000, 500_000, 2_000_000)
PLAYED = (125_000, 500_000, 1_000_000)
MEMORIES = (1_000, 10_000, 100_000)
_QUICK_TOKENS = (20_000, 80_000)
_QUICK_MEMORIES = (200, 1_000)
_TARGET = 16_000
_WINDOW = 60_000
_LIMIT = 900


def _dedupe(count: int) -> Callable[[], object]:
    """Remember distinct rules and each tenth of them again."""
    words = (
        "billing",
        "parcel",
        "ledger",
        "refund",
        "depot",
        "tariff",
        "voucher",
        "invoice",
        "route",
        "cart",
    )
    texts = [
        f"Always validate {words[n % 10]}{n // 10} before {words[n // 10 % 10]} in job {words[n // 100 % 10]}{n}"
        for n in range(count)
    ]
    texts += texts[::10]

    def work() -> None:
        memory = ConversationMemory("scale")
        for text in texts:
            memory.remember(text)
        assert len(memory.get_all_memories()) >= 0.99 * count

    return work


def _condense(tokens: int) -> Callable[[], object]:
    session = generated_session(tokens)
    return lambda: ours(session.messages, _TARGET)


def _views(tokens: int) -> Callable[[], object]:
    """Play a whole session through `view`; the time is that of all calls."""
    session = generated_session(tokens)
    condenser = Condenser(CondenseConfig(budget=TokenBudget.for_window(_WINDOW)), count_tokens=count_tokens)

    def work() -> None:
        for i, message in enumerate(session.messages):
            if message["role"] == "assistant":
                condenser.view(session.messages[:i])

    return work


WORKS: dict[str, Callable[[int], Callable[[], object]]] = {
    "condense, cold": _condense,
    "view, every call of a session": _views,
    "remember and merge": _dedupe,
}


_SIZES = {
    "view, every call of a session": (_QUICK_TOKENS, PLAYED),
    "remember and merge": (_QUICK_MEMORIES, MEMORIES),
}


def measured(work: str, size: int) -> Figures:
    """Return seconds and peak memory (MB, whole process) of one work at one size, in a new process."""
    command = [sys.executable, "-m", "benchmarks.scale", "--one", work, str(size)]
    here = Path(__file__).resolve().parent.parent
    try:
        done = subprocess.run(  # noqa: S603  # ourselves
            command, capture_output=True, text=True, check=True, timeout=_LIMIT, cwd=here
        )
    except subprocess.TimeoutExpired:
        return {"size": size, "seconds": None, "peak_mb": None}
    found: Figures = json.loads(done.stdout.splitlines()[-1])
    return found


def exponent(one: Figures, other: Figures) -> float | None:
    """Return the growth exponent between two sizes."""
    if not one["seconds"] or not other["seconds"] or not one["size"] or not other["size"]:
        return None
    return math.log(other["seconds"] / one["seconds"]) / math.log(other["size"] / one["size"])


def run(options: Options) -> dict[str, object]:
    """Measure every work at every size; return what goes into `results.json`."""
    found: dict[str, object] = {}
    rows: list[list[object]] = []
    for work in WORKS:
        small, large = _SIZES.get(work, (_QUICK_TOKENS, TOKENS))
        points = [measured(work, size) for size in (small if options.quick else large)]
        grown = [exponent(a, b) for a, b in itertools.pairwise(points)]
        found[work] = {"points": points, "exponents": grown}
        rows += [
            [work, p["size"], p["seconds"], p["peak_mb"], e] for p, e in zip(points, [None, *grown], strict=True)
        ]
    print(table(["work", "size", "seconds", "peak MB", "exponent"], rows))
    return found


def _one(work: str, size: int) -> None:
    """Measure in this process and print the figures."""
    job = WORKS[work](size)
    start = time.process_time()
    job()
    seconds = time.process_time() - start
    print(json.dumps({"size": size, "seconds": seconds, "peak_mb": _peak_mb()}))


def _peak_mb() -> float:
    """Return the most memory this process held; `getrusage` would count what its parent held when it was forked."""
    status = Path("/proc/self/status")
    if status.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text(encoding="ascii", errors="replace"))
        if found:
            return int(found.group(1)) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1024**2)


def main() -> None:
    """Run this piece alone."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--one", nargs=2, metavar=("WORK", "SIZE"))
    single, rest = parser.parse_known_args()
    if single.one:
        _one(single.one[0], int(single.one[1]))
        return
    options = parse_options(__doc__, rest)
    save(options, "scale", run(options))


if __name__ == "__main__":
    main()
