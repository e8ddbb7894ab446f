"""The sections of the report behind fidelity: a table or two each, nothing where a piece was not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.markdown import bold, rows_of
from benchmarks.systems import OURS

if TYPE_CHECKING:
    from collections.abc import Iterable

Run = dict[str, Any]

_REPLAY = (
    "cost", "saved_median", "saved_q1", "saved_q3", "recall", "tokens", "compactions", "broke", "over",
    "ms_p50", "ms_p99",
)  # fmt: skip

DAGGER = "† on average over the budget by more than 5 %: not comparable at this size.\n"


def _repeated(run: Run) -> Iterable[str]:
    found = run.get("repeated")
    if found:
        yield f"### Compacted again and again, to {found['budget']:,} tokens\n"
        columns = ("n", "broke", "failed", "user", "recall", "size")
        rows = [
            [bold(name), int(times), *(row[c] for c in columns)]
            for name, each in found["systems"].items()
            for times, row in each.items()
            if row["n"]
        ]
        yield rows_of(["system", "compactions", *columns], rows)


def _verified(run: Run) -> Iterable[str]:
    found = run.get("verified")
    if found:
        yield f"### Facts retained / recoverable / lost, and invented ({found['budget']:,} tokens)\n"
        yield (
            "By our own verifier, for every system alike. Shares of the facts of a kind; inventions are counted.\n"
        )
        rows = [
            [
                bold(name),
                kind,
                row["facts"],
                row["retained"],
                row["recoverable"],
                row["lost"],
                row["invented"],
            ]
            for name, kinds in found["systems"].items()
            for kind, row in kinds.items()
            if row["facts"] or row["invented"]
        ]
        yield rows_of(["system", "kind", "facts", "retained", "recoverable", "lost", "invented"], rows)


def _replay(run: Run) -> Iterable[str]:
    found = run.get("replay")
    if found:
        some = next(iter(found["systems"].values()))
        yield (
            f"## Replay: window {found['window']:,}, {some['sessions']} sessions, {some['calls']:,} calls\n\n"
            "Cost and savings are relative to sending everything with prompt caching; systems that only compact are "
            "called at 80 % of the window and aim at 35 %, as ours does by default.\n"
        )
        rows = [[bold(name), *(row[c] for c in _REPLAY)] for name, row in found["systems"].items()]
        yield rows_of(["system", *_REPLAY], rows)
        yield f"Cost by model, at its published cache prices (as of {found['prices_as_of']}, `condense/prices.py`):\n"
        models = list(found["prices"])
        rows = [[bold(n), *(row[f"cost_{m}"] for m in models)] for n, row in found["systems"].items()]
        rates = [f"{m} ({p['read']:g} read, {p['write']:g} write)" for m, p in found["prices"].items()]
        yield rows_of(["system", *rates], rows)


def _native(run: Run) -> Iterable[str]:
    found = run.get("native") or {}
    columns = ("n", "recall", "copy", "n_copy", "tokens", "tokens_before")
    titles = {
        "own": "## Against the agents' own compaction with a model, at the size of its summary\n",
        "small": "## At 3,000 tokens, the size of an agent's own summary\n\n"
        "Ordinary cuts of all sessions; what each system makes of so little room.\n",
    }
    for kind, title in titles.items():
        if found.get(kind):
            yield title
            rows = sorted(found[kind].items(), key=lambda item: -(item[1]["recall"] or 0.0))
            over = {n for n, r in rows if kind == "small" and (r["tokens"] or 0) > 1.05 * 3000}
            rows = [r for r in rows if r[0] not in over] + [r for r in rows if r[0] in over]
            yield rows_of(
                ["system", *columns],
                [[bold(n) + (" †" if n in over else ""), *(r[c] for c in columns)] for n, r in rows],
            )
            if over:
                yield DAGGER


def _importance(run: Run) -> Iterable[str]:
    found = run.get("importance")
    if not found:
        return
    yield (
        "## Does the importance score predict what is needed?\n\n"
        f"{found['messages']:,} messages before cuts (which were referenced later?), {found['labelled']:,} labelled "
        "ones (which hold something durable?). AUC 0.5 is chance.\n"
    )
    rows = [
        [name, *(found[q][name][c] for q in ("referenced", "durable") for c in ("auc", "precision_at_10"))]
        for name in found["referenced"]
    ]
    yield rows_of(["", "AUC, referenced", "first 10, referenced", "AUC, durable", "first 10, durable"], rows)
    fitted = found["fitted"]
    weights = found["weights"]
    if fitted:
        held = fitted["held_out"]
        yield (
            f"{fitted['folds']} folds by session ({fitted['sessions']}) and person ({fitted['persons']}); AUC on "
            "what was left out:\n"
        )
        rows = [
            ["fitted freely", held["referenced"], held["durable"]],
            ["the default, `MEASURED`", held["referenced measured"], held["durable measured"]],
            ["documented, `SEED`", held["referenced seed"], held["durable seed"]],
        ]
        yield rows_of(["weights", "referenced", "durable"], rows)
    names = dict.fromkeys(name for preset in weights.values() for name in preset)
    columns = [
        *(weights[preset] for preset in ("seed", "measured")),
        *([fitted["weights"]] if fitted else []),
    ]
    head = ["signal", "documented", "default", *(["fitted on all"] if fitted else [])]
    yield rows_of(head, [[n, *(c.get(n) for c in columns)] for n in names])


def _extraction(run: Run) -> Iterable[str]:
    found = run.get("extraction")
    if not found:
        return
    source = (
        "messages labelled by hand"
        if found["labels"]
        else "the bundled examples (written for tests, no evidence)"
    )
    yield f"## Extraction, on {source}\n"
    columns = ("precision", "recall", "f1", "binding_recall", "type", "priority", "noise", "gold", "said")
    rows = [
        [bold(name), language, *(row[c] for c in columns)]
        for name, each in found["extractors"].items()
        for language, row in each["languages"].items()
    ]
    yield rows_of(["extractor", "language", *columns], rows)
    kinds = found["extractors"][OURS]["kinds"]
    parts = ("precision", "recall", "f1", "gold", "said")
    yield rows_of(
        ["ours, by kind", *parts], [[kind, *(row[c] for c in parts)] for kind, row in kinds.items()]
    )


def _speed(run: Run) -> Iterable[str]:
    found = run.get("speed")
    if found:
        yield f"## Speed: one session of {found['tokens']:,} tokens, {found['messages']} messages, ms\n"
        base = found["operations"]["JSON round trip"]["median"]
        rows = [
            [
                n,
                f["median"],
                f["q1"],
                f["q3"],
                f["n"],
                f["median"] / base if f["median"] is not None else None,
            ]
            for n, f in found["operations"].items()
        ]
        rows += [[n, f["median"], f["q1"], f["q3"], f["n"], None] for n, f in found["imports"].items()]
        yield rows_of(["operation", "median", "q1", "q3", "n", "x JSON round trip"], rows)
    if run.get("scale"):
        yield "## Scale: exponent 1 is linear, 2 quadratic\n"
        rows = [
            [work, p["size"], p["seconds"], p["peak_mb"], e]
            for work, each in run["scale"].items()
            for p, e in zip(each["points"], [None, *each["exponents"]], strict=True)
        ]
        yield rows_of(["work", "size", "seconds", "peak MB", "exponent"], rows)


def _peers(run: Run) -> Iterable[str]:
    if run.get("peers"):
        yield "## Peers\n"
        rows = [
            [
                name,
                state["status"],
                ", ".join(f"{p} {v}" for p, v in state.get("versions", {}).items()) or state.get("why"),
            ]
            for name, state in run["peers"].items()
        ]
        yield rows_of(["environment", "status", "versions, or why not"], rows)


SECTIONS = (_repeated, _verified, _replay, _native, _importance, _extraction, _speed, _peers)
"""In the order of the report; each takes a run and yields paragraphs."""
