"""Frameworks: a scripted journey through the agent loops of three, with nothing, with what each brings, with ours.

Sixty tool calls and twelve asks (`journeys`), about 40,000 tokens, in a window of 16,000; and one journey four times as
long. The models are fakes that say the script and keep what they are sent, so every system answers the same calls.
Whatever compacts may do so above 80 % of the window; what aims at a size aims at 35 %, as ours does by default.

- rules, typed, concluded: of what was planted, the share that stands verbatim in the last request;
- details, far details: of the details that calls take from earlier outputs, the share that stood in the request which
  the call answers; far are those of more than eight calls before;
- sent: tokens of all requests, and of what a summarising model reads (for summaries); billed: the same with prompt
  caching (`replay`): the prefix in common with the request before costs 0.1, the rest 1.25, summaries 1;
- largest request, requests over the window, requests that a provider refuses;
- ms: CPU from what the loop was last given to the model's call, less what it takes with nothing, median and largest.

The stubs are no models: stub A writes every sentence that was typed or said but every third, to 800 tokens, stub B
every sentence, to 1,600; each begins with all of the summary before. Neither takes anything of outputs. Everything is
given the counter that measures (UTF-8 bytes / 4).

usage: python -m benchmarks.frameworks [--quick] [--out DIR]
"""

from __future__ import annotations

import gc
from collections import defaultdict
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from benchmarks.figures import mean, quantile, share, table
from benchmarks.journeys import ASKS, Call, Journey
from benchmarks.loops import WINDOW, Recorder, System
from benchmarks.options import Options, parse_options, read_results, save
from benchmarks.replay import READ, WRITE
from benchmarks.texts import size_of, text_of
from benchmarks.validity import violations_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from benchmarks.texts import Message

LOOPS = ("langchain_loop", "pydantic_ai_loop", "openai_agents_loop")
LENGTHS = {ASKS: (1, 2, 3), 4 * ASKS: (1,)}
"""Seeds of the journeys, by how many asks they have."""
FAR = 8
QUICK_ASKS = 5
COLUMNS = (
    "rules", "typed", "concluded", "details", "far_details", "sent", "for_summaries", "billed", "compactions",
    "largest", "over", "invalid", "ms_median", "ms_max",
)  # fmt: skip


def systems(loops: Iterable[str] = LOOPS) -> tuple[list[System], dict[str, str]]:
    """Return what can be driven here, and the versions of its packages; a framework that is missing is said."""
    found: list[System] = []
    versions: dict[str, str] = {}
    for name in loops:
        try:
            loop: Any = import_module(f"benchmarks.loops.{name}")
        except ImportError as missing:
            print(f"{name.removesuffix('_loop')} is left out: {missing}")
            continue
        found += loop.systems()
        for package in loop.PACKAGES:
            try:
                versions[package] = version(package)
            except PackageNotFoundError:
                continue
    return found, versions


def drive(system: System, journey: Journey) -> Recorder:
    """Drive a journey through a system.

    Raises:
        RuntimeError: the loop did not make every call of the script.
    """
    recorder = Recorder(journey)
    gc.collect()
    gc.disable()
    try:
        system.run(recorder)
    finally:
        gc.enable()
    if len(recorder.requests) != len(journey.steps):
        raise RuntimeError(
            f"{system.framework}, {system.name}: {len(recorder.requests)} calls, not {len(journey.steps)}"
        )
    return recorder


def judge(recorder: Recorder) -> dict[str, float]:
    """Return the sums of one journey."""
    journey, requests = recorder.journey, recorder.requests
    last = _text(requests[-1])
    sums: dict[str, float] = defaultdict(float)
    for name, planted in (
        ("rules", journey.rules),
        ("typed", journey.values),
        ("concluded", journey.conclusions),
    ):
        sums[f"{name}_planted"] = len(planted)
        sums[f"{name}_kept"] = sum(one in last for one in planted)
    before: Sequence[Message] = ()
    for said, request in zip(journey.steps, requests, strict=True):
        if isinstance(said, Call) and said.needs:
            held = said.needs in _text(request)
            for name in ("details", "far_details")[: 1 + (said.back > FAR)]:
                sums[f"{name}_planted"] += 1
                sums[f"{name}_kept"] += held
        size, same = size_of(request), size_of(_shared(before, request))
        sums["sent"] += size
        sums["billed"] += READ * same + WRITE * (size - same)
        sums["compactions"] += same < size_of(before)
        sums["largest"] = max(sums["largest"], size)
        sums["over"] += size > WINDOW
        sums["invalid"] += bool(violations_in(request))
        before = request
    sums["for_summaries"] = recorder.summaries
    sums["sent"] += recorder.summaries
    sums["billed"] += recorder.summaries
    return dict(sums)


def _text(request: Iterable[Message]) -> str:
    return "\n".join(text_of(message) for message in request)


def _shared(before: Sequence[Message], now: Sequence[Message]) -> Sequence[Message]:
    for k, (one, other) in enumerate(zip(before, now, strict=False)):
        if one != other:
            return now[:k]
    return now[: min(len(before), len(now))]


def summed(judged: Sequence[dict[str, float]], more: Sequence[float]) -> dict[str, float | None]:
    """Return the measures over journeys; `more` are the milliseconds of each call above those with nothing."""
    total = {name: sum(one.get(name, 0) for one in judged) for name in judged[0]}
    shares = {
        name: share(total.get(f"{name}_kept", 0), total.get(f"{name}_planted", 0))
        for name in ("rules", "typed", "concluded", "details", "far_details")
    }
    means = {name: round(mean(one[name] for one in judged) or 0) for name in ("sent", "for_summaries", "billed")}
    return {
        **shares,
        **means,
        "compactions": mean(one["compactions"] for one in judged),
        "largest": max(one["largest"] for one in judged),
        "over": total["over"],
        "invalid": total["invalid"],
        "ms_median": quantile(more, 0.5),
        "ms_max": max(more),
    }


def run(options: Options) -> dict[str, Any]:
    """Drive everything; return what goes into `results.json`."""
    driven, versions = systems()
    lengths = {QUICK_ASKS: (1,)} if options.quick else LENGTHS
    return {
        "window": WINDOW,
        "versions": versions,
        "lengths": [_measured(driven, [Journey(seed, asks) for seed in seeds]) for asks, seeds in lengths.items()],
    }


def _measured(driven: Sequence[System], journeys: Sequence[Journey]) -> dict[str, Any]:
    found: list[dict[str, Any]] = []
    bare: dict[str, list[float]] = {}
    for first in driven[:1] if len(journeys[0].asks) > QUICK_ASKS else ():
        drive(first, Journey(0, 1))  # what is only done once
    for system in driven:
        recorders = [drive(system, journey) for journey in journeys]
        spent = [ms for recorder in recorders for ms in recorder.milliseconds]
        least = bare.setdefault(system.framework, spent)  # "nothing" comes first
        more = [ms - own for ms, own in zip(spent, least, strict=True)]
        figures = summed([judge(recorder) for recorder in recorders], more)
        found.append({"framework": system.framework, "system": system.name, **figures})
    rows = [[f"{f['framework']}, {f['system']}", *(f[c] for c in COLUMNS)] for f in found]
    print(table(["system", *COLUMNS], rows))
    calls = len(journeys[0].outputs)
    return {"journeys": len(journeys), "calls": calls, "systems": found}


def main() -> None:
    """Run this piece alone; write its numbers, the report, and its table."""
    from benchmarks import report  # only here: the report has no need of the frameworks
    from benchmarks.sections import frameworks_section

    options = parse_options(__doc__)
    found = run(options)
    if not found["versions"]:
        raise SystemExit("no framework is installed: nothing was measured, and nothing written")
    save(options, "frameworks", found)
    results = read_results(options.out / "results.json")
    text = "\n".join(frameworks_section(results["runs"][options.label]))
    (options.out / "frameworks.md").write_text(
        f"<!-- made by python -m benchmarks.frameworks -->\n\n{text}", encoding="utf-8"
    )
    report.write(options.out)


if __name__ == "__main__":
    main()
