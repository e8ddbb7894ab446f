"""Speed: what each operation takes, as milliseconds of processor time and as ratios to a plain pass over the same text.

The plain pass is `keep-last` for compactions, and for the rest a JSON round trip of the same messages. Each figure is
the median of several runs with its quartiles; the times of machines differ, the ratios hardly.

usage: python -m benchmarks.speed [--sessions DIR] [--quick]
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from typing import TYPE_CHECKING

from benchmarks.figures import Figures, spread, table
from benchmarks.options import Options, parse_options, save
from benchmarks.systems import keep_last, ours
from benchmarks.texts import count_tokens, size_of, typed_in
from condense import CondenseConfig, Condenser, TokenBudget
from memory import ConversationMemory

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.sessions import Session

_RUNS = 5
_TARGET = 8000


def timed(work: Callable[[], object], runs: int, clock: Callable[[], float] = time.process_time) -> Figures:
    """Return median and quartiles of a piece of work, in milliseconds of processor time, or of another clock."""
    seconds = []
    for _ in range(runs):
        start = clock()
        work()
        seconds.append(clock() - start)
    return spread(s * 1000 for s in seconds)


def _extraction(session: Session, runs: int) -> tuple[Figures, int]:
    typed = [{"role": "user", "content": text} for m in session.messages for text in typed_in(m)]

    def work() -> None:
        ConversationMemory("speed").extract_memories(typed)

    return timed(work, runs), len(typed)


def _views(session: Session) -> tuple[Figures, Figures, int]:
    """Play a session; return the times of calls that compacted and of those that did not, and the window."""
    window = max(2000, session.tokens // 3)
    condenser = Condenser(CondenseConfig(budget=TokenBudget.for_window(window)), count_tokens=count_tokens)
    quiet: list[float] = []
    compacting: list[float] = []
    for i, message in enumerate(session.messages):
        if message["role"] == "assistant" and i:
            known = len(condenser.records)
            start = time.process_time()
            condenser.view(session.messages[:i])
            seconds = time.process_time() - start
            (compacting if len(condenser.records) > known else quiet).append(seconds * 1000)
    return spread(quiet), spread(compacting), window


def _children() -> float:
    """Return the processor time of processes that ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def import_time(runs: int = _RUNS) -> dict[str, Figures]:
    """Return what importing takes, less what starting the interpreter takes, in milliseconds."""

    def start(code: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603  # ourselves

    empty = timed(start("pass"), runs, _children)["median"] or 0
    found = {}
    for code in ("import memory", "import condense", "from condense import Condenser"):
        whole = timed(start(code), runs, _children)
        found[code] = {
            key: None if value is None else (value if key == "n" else max(0.0, value - empty))
            for key, value in whole.items()
        }
    return found


def run(options: Options) -> dict[str, object]:
    """Time the largest of the sessions; return what goes into `results.json`."""
    runs = 3 if options.quick else _RUNS
    session = max(options.load(), key=lambda one: one.tokens)
    messages, size = session.messages, session.tokens
    extraction, typed = _extraction(session, runs)
    quiet, compacting, window = _views(session)
    operations: dict[str, Figures] = {
        "JSON round trip": timed(lambda: json.loads(json.dumps(messages)), runs),
        "keep-last": timed(lambda: keep_last(messages, _TARGET), runs),
        "extract, all typed messages": extraction,
        "condense, cold": timed(lambda: ours(messages, _TARGET), runs),
        "view, a call that compacts": compacting,
        "view, any other call": quiet,
        "count tokens": timed(lambda: size_of(messages), runs),
    }
    base = operations["JSON round trip"]["median"] or 1.0
    rows: list[list[object]] = [
        [name, f["median"], f["q1"], f["q3"], f["n"], None if f["median"] is None else f["median"] / base]
        for name, f in operations.items()
    ]
    imports = import_time(runs)
    rows += [[name, f["median"], f["q1"], f["q3"], f["n"], None] for name, f in imports.items()]
    print(f"a session of {size} tokens, {len(messages)} messages, {typed} typed; window of the views {window}")
    print(table(["ms", "median", "q1", "q3", "n", "x JSON"], rows))
    return {
        "tokens": size,
        "messages": len(messages),
        "typed": typed,
        "operations": operations,
        "imports": imports,
    }


def main() -> None:
    """Run this piece alone."""
    options = parse_options(__doc__)
    save(options, "speed", run(options))


if __name__ == "__main__":
    main()
