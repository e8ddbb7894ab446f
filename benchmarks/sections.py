"""The sections of the report behind fidelity: a table or two each, nothing where a piece was not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks.markdown import bold, number, rows_of
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
    if not found:
        return
    yield (
        f"### Facts retained, and invented ({found['budget']:,} tokens, {found['sessions']} sessions)\n\n"
        "By our own verifier, for every system alike: of the facts of each kind the share that stands in what is left; "
        "of all facts those that can be had again by a handle or a named file, and those that are lost; how many names "
        "and claims have no ground.\n"
    )
    kinds = [k for k in _FACTS if any(k in row and row[k]["facts"] for row in found["systems"].values())]
    rows = []
    for name, row in found["systems"].items():
        total = sum(one["facts"] for one in row.values())
        shares = [sum((o[s] or 0) * o["facts"] for o in row.values()) for s in ("recoverable", "lost")]
        rows.append(
            [
                bold(name),
                *(row[k]["retained"] if k in row else None for k in kinds),
                *(part / total if total else None for part in shares),
                sum(one["invented"] for one in row.values()),
            ]
        )
    rows.sort(key=lambda row: row[-2] or 0.0)
    yield rows_of(["system", *kinds, "recoverable", "lost", "invented"], rows)


_FACTS = ("rule", "ask", "error", "path", "identifier", "url", "number")


def _replay(run: Run) -> Iterable[str]:
    found = run.get("replay")
    if found:
        some = next(iter(found["systems"].values()))
        yield (
            f"## Replay: window {found['window']:,}, {some['sessions']} sessions, {some['calls']:,} calls\n\n"
            "Cost and savings are relative to sending everything with prompt caching; systems that only compact are "
            "called at 80 % of the window and aim at 35 %, as ours does by default.\n"
        )
        best = sorted(found["systems"].items(), key=lambda item: -(item[1]["recall"] or 0.0))
        rows = [[bold(name), *(row[c] for c in _REPLAY)] for name, row in best]
        yield rows_of(["system", *_REPLAY], rows)
        yield f"Cost by model, at its published cache prices (as of {found['prices_as_of']}, `condense/prices.py`):\n"
        models = list(found["prices"])
        rows = [[bold(n), *(row[f"cost_{m}"] for m in models)] for n, row in best]
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
    fitted, weights = found["fitted"], found["weights"]
    titles = {
        "measured weights": "the default, `MEASURED`",
        "seed weights": "documented, `SEED`",
        "length alone": "length alone",
        "recency alone": "recency alone",
    }
    rows = [
        [title, *(found[q][name][c] for q in _QUESTIONS for c in ("auc", "precision_at_10"))]
        for name, title in titles.items()
    ]
    yield rows_of(["", "AUC, referenced", "first 10, referenced", "AUC, durable", "first 10, durable"], rows)
    if fitted:
        held = fitted["held_out"]
        yield (
            f"On what was left out of a fit ({fitted['folds']} folds by {fitted['sessions']} sessions and "
            f"{fitted['persons']} persons), AUC of referenced / durable: weights fitted to the rest "
            f"{number(held['referenced'])} / {number(held['durable'])}, the default "
            f"{number(held['referenced measured'])} / {number(held['durable measured'])}, documented "
            f"{number(held['referenced seed'])} / {number(held['durable seed'])}.\n"
        )
    yield "Each signal: its weights, its AUC by itself, and that of the default without it (referenced, durable).\n"
    names = dict.fromkeys(name for preset in ("seed", "measured") for name in weights[preset])
    rows = [
        [
            name,
            *(_points(weights[preset].get(name)) for preset in ("seed", "measured")),
            *([_points(fitted["weights"].get(name))] if fitted else []),
            *(found[q].get(f"{name} alone", {}).get("auc") for q in _QUESTIONS),
            *(found[q].get(f"without {name}", {}).get("auc") for q in _QUESTIONS),
        ]
        for name in names
    ]
    head = ["signal", "documented", "default", *(["fitted"] if fitted else [])]
    yield rows_of([*head, "alone, ref.", "alone, dur.", "without, ref.", "without, dur."], rows)


_QUESTIONS = ("referenced", "durable")


def _points(weight: float | None) -> int | None:
    return None if weight is None else round(weight)


def _extraction(run: Run) -> Iterable[str]:
    found = run.get("extraction")
    if not found:
        return
    source = (
        "messages labelled by hand" if found["labels"] else "the bundled examples (written for tests, no evidence)"
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
    yield rows_of(["ours, by kind", *parts], [[kind, *(row[c] for c in parts)] for kind, row in kinds.items()])


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


_FRAMEWORKS = {
    "rules": "rules", "typed": "typed", "concluded": "concluded", "details": "details", "far_details": "far details",
    "sent": "sent", "for_summaries": "for summaries", "billed": "billed", "compactions": "breaks",
    "largest": "largest request", "over": "over", "invalid": "invalid", "ms_median": "ms, median",
    "ms_max": "ms, largest",
}  # fmt: skip


def frameworks_section(run: Run) -> Iterable[str]:
    """Write the table of `python -m benchmarks.frameworks`."""
    found = run.get("frameworks")
    if not found:
        return
    versions = ", ".join(f"{package} {version}" for package, version in found["versions"].items())
    yield (
        "## Against what they replace in agent frameworks\n\n"
        f"Scripted journeys in a window of {found['window']:,} tokens through each framework's own loop ({versions}), "
        "with fake models. Whatever compacts may do so above 80 % of the window, what aims at a size aims at 35 %. The "
        "shares are of what was planted: rules, what else was typed and what the assistant concluded, verbatim in the "
        "last request; details of outputs (far: of more than eight calls before) in the request of the call that takes "
        "them up. Tokens are of a journey: sent in all, of them read by a summarising model, and billed with prompt "
        "caching (0.1 for the prefix in common, 1.25 else). Breaks: requests a journey that do not begin with all of "
        "the one before. Over and invalid: requests, in all. ms: CPU a call above the loop's own.\n\n"
        "Stub A of a summarising model writes every sentence that was typed or said but every third (800 tokens), stub "
        "B every sentence (1,600), each behind the summary before; no model is that exact, fast or free, and their "
        "times and the prices of their output are not here. SummarizationMiddleware's defaults keep 20 messages and "
        "show its model the newest 4,000 tokens; in the other rows the model sees all.\n"
    )
    for length in found["lengths"]:
        yield f"### {length['calls']} tool calls (journeys: {length['journeys']})\n"
        rows: list[list[object]] = []
        for one in length["systems"]:
            name = f"{one['framework']}, {one['system']}"
            ours = one["system"].startswith(OURS.title())
            rows.append([f"**{name}**" if ours else name, *(one[column] for column in _FRAMEWORKS)])
        yield rows_of(["system", *_FRAMEWORKS.values()], rows)


SECTIONS = (
    _repeated,
    _verified,
    _replay,
    _native,
    _importance,
    _extraction,
    _speed,
    frameworks_section,
    _peers,
)
"""In the order of the report; each takes a run and yields paragraphs."""
