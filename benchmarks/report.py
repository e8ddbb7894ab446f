"""The report: `results.json` as tables and plots; nothing in it is typed by hand.

usage: python -m benchmarks.report [--out DIR] [--readme [README.md]]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import plots, verdicts
from benchmarks.markdown import number, rows_of
from benchmarks.options import RESULTS, read_results
from benchmarks.systems import OURS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

README = RESULTS.parent.parent / "README.md"
START, END = "<!-- bench:start -->", "<!-- bench:end -->"
HEADLINE_BUDGET = "8000"
_FIDELITY = (
    "recall",
    "distant",
    "copy",
    "far_copy",
    "user",
    "rules",
    "size",
    "over",
    "broke",
    "errors",
    "ms_per_100k",
)
_HEADLINE = ("recall", "distant", "copy", "far_copy", "user", "size", "broke")
_REPLAY = (
    "cost", "saved_median", "saved_q1", "saved_q3", "recall", "tokens", "compactions", "broke", "over",
    "ms_p50", "ms_p99",
)  # fmt: skip

Run = dict[str, Any]


def ranked(systems: Mapping[str, Run]) -> list[tuple[str, Run]]:
    """Return systems within the budget by far recall, best first, then those that do not keep to it."""
    order = sorted(systems.items(), key=lambda item: -(item[1]["distant"] or 0.0))
    return [i for i in order if not verdicts.is_over(i[1])] + [i for i in order if verdicts.is_over(i[1])]


def headline(run: Run) -> tuple[str, list[tuple[str, Run]]]:
    """Return the budget the headline shows, and its rows."""
    budgets = run["fidelity"]["budgets"]
    budget = HEADLINE_BUDGET if HEADLINE_BUDGET in budgets else max(budgets, key=int)
    return budget, ranked(budgets[budget])


def _bold(name: str) -> str:
    return f"**{name}**" if name == OURS else name


def _fidelity(run: Run) -> Iterable[str]:
    for budget, systems in sorted(run["fidelity"]["budgets"].items(), key=lambda item: int(item[0])):
        n = max(row["n"] for row in systems.values())
        yield f"### {int(budget):,} tokens ({n} cuts)\n"
        rows = [
            [_bold(name) + (" †" if verdicts.is_over(row) else ""), *(row[c] for c in _FIDELITY)]
            for name, row in ranked(systems)
        ]
        yield rows_of(["system", *_FIDELITY], rows)
    yield "† on average over the budget by more than 5 %: not comparable at this size.\n"
    languages = run["fidelity"]["languages"]
    if len(languages) > 1:
        yield "### English and Chinese apart (ours)\n"
        rows = [
            [language, int(budget), systems[OURS]["n"], *(systems[OURS][c] for c in _HEADLINE)]
            for language, budgets in languages.items()
            for budget, systems in sorted(budgets.items(), key=lambda item: int(item[0]))
        ]
        yield rows_of(["language", "budget", "n", *_HEADLINE], rows)


def _repeated(run: Run) -> Iterable[str]:
    found = run.get("repeated")
    if found:
        yield f"### Compacted again and again, to {found['budget']:,} tokens\n"
        columns = ("n", "broke", "failed", "user", "recall", "size")
        rows = [
            [_bold(name), int(times), *(row[c] for c in columns)]
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
                _bold(name),
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
        rows = [[_bold(name), *(row[c] for c in _REPLAY)] for name, row in found["systems"].items()]
        yield rows_of(["system", *_REPLAY], rows)
        yield f"Cost by model, at its published cache prices (as of {found['prices_as_of']}, `condense/prices.py`):\n"
        models = list(found["prices"])
        rows = [[_bold(n), *(row[f"cost_{m}"] for m in models)] for n, row in found["systems"].items()]
        rates = [f"{m} ({p['read']:g} read, {p['write']:g} write)" for m, p in found["prices"].items()]
        yield rows_of(["system", *rates], rows)


def _native(run: Run) -> Iterable[str]:
    if run.get("native"):
        yield "## Against the agents' own compaction with a model, at the same size\n"
        columns = ("n", "recall", "copy", "n_copy", "tokens", "tokens_before")
        yield rows_of(
            ["system", *columns], [[_bold(n), *(r[c] for c in columns)] for n, r in run["native"].items()]
        )


def _importance(run: Run) -> Iterable[str]:
    found = run.get("importance")
    if not found:
        return
    yield "## Does the importance score predict what is needed?\n"
    names = list(dict.fromkeys([*found["referenced"], *found["durable"]]))
    rows = [
        [
            name,
            *(
                found[q].get(name, {}).get(c)
                for q in ("referenced", "durable")
                for c in ("auc", "precision_at_10")
            ),
        ]
        for name in names
    ]
    head = ["", "AUC, referenced", "first 10, referenced", "AUC, durable", "first 10, durable"]
    yield rows_of(head, rows)
    if found["fitted"]:
        held = found["fitted"]["held_out"]
        yield (
            "Weights fitted to `referenced`, on sessions they were not fitted on: AUC "
            f"{number(held['auc'])}, first ten {number(held['precision_at_10'])} "
            f"(documented weights: {number(found['referenced']['score']['auc'])}, "
            f"{number(found['referenced']['score']['precision_at_10'])}).\n"
        )
        rows = [[n, w, found["fitted"]["weights"][n]] for n, w in found["seed"].items()]
        yield rows_of(["signal", "documented", "fitted"], rows)


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
        [_bold(name), language, *(row[c] for c in columns)]
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


def _about(label: str, run: Run) -> Iterable[str]:
    about = run.get("about")
    yield f"# Sessions: {label}\n"
    if about:
        packages = ", ".join(f"{p} {v}" for p, v in about["versions"].items())
        tokens = about["tokens"]
        yield (
            f"{about['sessions']} sessions ({about['languages']['en']} English, {about['languages']['zh']} Chinese), "
            f"median {number(tokens['median'])} tokens (quartiles {number(tokens['q1'])}, {number(tokens['q3'])}); "
            f"{about['cuts']} cuts a session and budget. {about['machine']}; load {about['load']}. {packages}. "
            f"Seeds: {about['seeds']}.{' Quick run.' if about['quick'] else ''}\n"
        )


def report_of(results: Run, pictures: Mapping[str, list[str]]) -> str:
    """Return the report in Markdown."""
    parts = ["<!-- made by python -m benchmarks.report; do not edit -->\n", _HOW]
    for label, run in results["runs"].items():
        parts += _about(label, run)
        if "fidelity" in run:
            parts.append("## Fidelity: what was needed later and is still there\n")
            parts += verdicts.verdict_lines(run)
            parts += [f"![{Path(name).stem}]({name})\n" for name in pictures.get(label, [])]
            parts += _fidelity(run)
        for section in (_repeated, _verified, _replay, _native, _importance, _extraction, _speed, _peers):
            parts += section(run)
    return "\n".join(parts)


_HOW = """\
Every session is cut where its agent is about to act; what stands before is compacted to the budget; then it is
counted what of it the agent really went on to use. Tokens are UTF-8 bytes / 4 for every system. Columns: recall (names
the agent brings up in its next 12 messages), distant (those that the newest messages of the same size would not hold),
copy and far copy (runs of 8 word tokens repeated verbatim), user (typed messages verbatim), rules (labelled quotes of
critical and high priority), size (of the budget), over (cuts more than 5 % above it), broke (valid before, invalid
after). What is measured, and how, stands at the head of each module of `benchmarks/`. Run it on your own sessions:
`python -m benchmarks --sessions ~/.claude/projects`.
"""


def readme_of(results: Run, folder: str) -> str:
    """Return the headline for the README: one table and one plot of the largest run."""
    label, run = max(
        results["runs"].items(), key=lambda item: (item[1].get("about") or {}).get("sessions", 0)
    )
    budget, rows = headline(run)
    n = max(row["n"] for _, row in rows)
    lines = [
        f"Compacted to {int(budget):,} tokens at {n} places of {run['about']['sessions']} sessions ({label}):\n",
        rows_of(
            ["", *_HEADLINE],
            [
                [_bold(name) + (" †" if verdicts.is_over(row) else ""), *(row[c] for c in _HEADLINE)]
                for name, row in rows
            ],
        ),
    ]
    if any(verdicts.is_over(row) for _, row in rows):
        lines.append("† over the budget by more than 5 % on average: not comparable at this size.\n")
    picture = f"{folder}/recall-{plots.slug(label)}.svg"
    if (README.parent / picture).exists():
        lines.append(f"![distant recall against size]({picture})\n")
    return "\n".join(lines)


def write(folder: Path) -> None:
    """Write REPORT.md, and the plots where matplotlib is there."""
    results = read_results(folder / "results.json")
    pictures = plots.draw(results, folder)
    (folder / "REPORT.md").write_text(report_of(results, pictures), encoding="utf-8")


def write_readme(results: Run, readme: Path) -> None:
    """Write the headline between the markers of a README.

    Raises:
        ValueError: it has no such markers.
    """
    text = readme.read_text(encoding="utf-8")
    start, end = text.find(START), text.find(END)
    if start < 0 or end < start:
        raise ValueError(
            f"{readme.name!r} has no {START!r} followed by {END!r}; they mark where the table goes"
        )
    made = readme_of(results, "benchmarks/results")
    readme.write_text(f"{text[: start + len(START)]}\n{made}{text[end:]}", encoding="utf-8")


def main() -> None:
    """Write the report, and the README's part if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=RESULTS)
    parser.add_argument("--readme", type=Path, nargs="?", const=README, default=None)
    given = parser.parse_args()
    write(given.out)
    if given.readme:
        write_readme(read_results(given.out / "results.json"), given.readme)


if __name__ == "__main__":
    main()
