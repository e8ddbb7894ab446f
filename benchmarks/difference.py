"""What got worse: this tree against the committed `results.json`, our own row on the bundled sessions.

Runs fidelity, repeated compaction, verification, replay, importance and extraction again (a minute or two, no peers),
and prints every measure that is worse by more than its tolerance. Ends with 1 if any is. Times are compared as ratios
to `keep-last` in the same run.

usage: python -m benchmarks.difference [--with results.json] [--against results.json]
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import extraction, fidelity, importance, repeated, replay, verified
from benchmarks.markdown import number
from benchmarks.options import RESULTS, Options, read_results, save
from benchmarks.systems import OURS, baselines, everything, our_system

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HIGHER = {
    "recall",
    "distant",
    "copy",
    "far_copy",
    "user",
    "rules",
    "precision",
    "f1",
    "binding_recall",
    "type",
    "priority",
    "auc",
    "retained",
}
LOWER = {"over", "broke", "left", "errors", "failed", "noise", "cost", "invented"}
TOLERANCE = 0.005
TIMES = 1.5
"""Ratios of times may grow by half before it is said (chosen: they vary by a third on a busy machine)."""


def fresh(folder: Path) -> dict[str, Any]:
    """Run the pieces that are compared and return their results."""
    options = Options(out=folder, window=16000)
    systems = [our_system(), *baselines()[:1]]
    save(options, "fidelity", fidelity.run(options, systems))
    save(options, "repeated", repeated.run(options, systems))
    save(options, "verified", verified.run(options, systems[:1]))
    save(options, "importance", importance.run(options))
    save(options, "replay", replay.run(options, [*systems[:1], everything()]))
    save(options, "extraction", extraction.run(options))
    return read_results(folder / "results.json")


def figures_of(run: Mapping[str, Any]) -> dict[str, float]:
    """Return our measures of a run, flat: "fidelity 8000 recall" -> value."""
    flat: dict[str, float] = {}

    def take(place: str, row: Mapping[str, Any]) -> None:
        for name, value in row.items():
            if name in HIGHER | LOWER and value is not None:
                flat[f"{place} {name}"] = value

    for budget, systems in run.get("fidelity", {}).get("budgets", {}).items():
        take(f"fidelity {budget}", systems[OURS])
        plain = systems.get("keep-last", {}).get("ms_per_100k")
        if plain and systems[OURS]["ms_per_100k"]:
            flat[f"fidelity {budget} time"] = systems[OURS]["ms_per_100k"] / plain
    for times, row in run.get("repeated", {}).get("systems", {}).get(OURS, {}).items():
        take(f"repeated {times}", row)
    for kind, row in run.get("verified", {}).get("systems", {}).get(OURS, {}).items():
        take(f"verified {kind}", row)
    for question in ("referenced", "durable"):
        take(f"importance {question}", run.get("importance", {}).get(question, {}).get("measured weights", {}))
    take("replay", run.get("replay", {}).get("systems", {}).get(OURS, {}))
    languages = run.get("extraction", {}).get("extractors", {}).get(OURS, {}).get("languages", {})
    for language, row in languages.items():
        take(f"extraction {language}", row)
    return flat


def worse(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is worse in a new run, a line each."""
    before, now = figures_of(old), figures_of(new)
    for name in before.keys() & now.keys():
        measure = name.rsplit(" ", 1)[1]
        was, is_ = before[name], now[name]
        if measure == "time":
            if is_ > TIMES * was:
                yield f"{name}: {number(was)} -> {number(is_)} times keep-last"
        elif (was - is_ if measure in HIGHER else is_ - was) > TOLERANCE:
            yield f"{name}: {number(was)} -> {number(is_)}"


def main() -> None:
    """Compare and say what got worse."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, default=RESULTS / "results.json")
    parser.add_argument("--with", type=Path, default=None, dest="other")
    parser.add_argument("--label", default="bundled")
    given = parser.parse_args()
    old = read_results(given.against)["runs"].get(given.label)
    if old is None:
        sys.exit(f"{given.against.name} has no run {given.label!r}; `make bench` makes one")
    with tempfile.TemporaryDirectory() as folder:
        results = read_results(given.other) if given.other else fresh(Path(folder))
    lines = sorted(worse(old, results["runs"][given.label]))
    print("\n".join(["", "worse than the committed results:", *lines] if lines else ["", "nothing got worse"]))
    sys.exit(bool(lines))


if __name__ == "__main__":
    main()
