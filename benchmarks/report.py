"""The report: `results.json` as tables and plots; nothing in it is typed by hand.

usage: python -m benchmarks.report [--out DIR] [--readme [README.md]]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import plots, verdicts
from benchmarks.headline import readme_of
from benchmarks.markdown import bold, number, rows_of
from benchmarks.options import RESULTS, read_results
from benchmarks.sections import DAGGER, SECTIONS
from benchmarks.systems import OURS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

README = RESULTS.parent.parent / "README.md"
START, END = "<!-- bench:start -->", "<!-- bench:end -->"
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
Run = dict[str, Any]


def ranked(systems: Mapping[str, Run]) -> list[tuple[str, Run]]:
    """Return systems within the budget by far recall, best first, then those that do not keep to it."""
    order = sorted(systems.items(), key=lambda item: -(item[1]["distant"] or 0.0))
    return [i for i in order if not verdicts.is_over(i[1])] + [i for i in order if verdicts.is_over(i[1])]


def _fidelity(run: Run) -> Iterable[str]:
    for budget, systems in sorted(run["fidelity"]["budgets"].items(), key=lambda item: int(item[0])):
        n = max(row["n"] for row in systems.values())
        yield f"### {int(budget):,} tokens ({n} cuts)\n"
        rows = [
            [bold(name) + (" †" if verdicts.is_over(row) else ""), *(row[c] for c in _FIDELITY)]
            for name, row in ranked(systems)
        ]
        yield rows_of(["system", *_FIDELITY], rows)
    yield DAGGER
    languages = run["fidelity"]["languages"]
    if len(languages) > 1:
        yield "### English and Chinese apart (ours)\n"
        rows = [
            [language, int(budget), systems[OURS]["n"], *(systems[OURS][c] for c in _HEADLINE)]
            for language, budgets in languages.items()
            for budget, systems in sorted(budgets.items(), key=lambda item: int(item[0]))
        ]
        yield rows_of(["language", "budget", "n", *_HEADLINE], rows)


def _about(label: str, run: Run) -> Iterable[str]:
    about = run.get("about")
    yield f"# Sessions: {label}\n"
    if about:
        packages = ", ".join(f"{p} {v}" for p, v in about["versions"].items())
        seeds = ", ".join(f"{name} {seed}" for name, seed in about["seeds"].items())
        tokens, cuts = about["tokens"], about["cuts"]
        yield (
            f"{about['sessions']} sessions ({about['languages']['en']} English, {about['languages']['zh']} Chinese), "
            f"median {number(tokens['median'])} tokens (quartiles {number(tokens['q1'])}, {number(tokens['q3'])}); "
            f"at most {cuts} cut{'s' if cuts > 1 else ''} a session and budget. {about['machine']}; load "
            f"{about['load']}. {packages}. Seeds: {seeds}.{' Quick run.' if about['quick'] else ''}\n"
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
        for section in SECTIONS:
            parts += section(run)
    return "\n".join(parts)


_HOW = """\
Every session is cut where its agent is about to act; what stands before is compacted to the budget; then it is
counted what of it the agent really went on to use. Tokens are UTF-8 bytes / 4 for every system. Columns: recall (names
the agent brings up in its next 12 messages), distant (those that the newest messages of the same size would not hold),
copy and far copy (runs of 8 word tokens repeated verbatim), user (typed messages verbatim), rules (labelled quotes of
critical and high priority), size (of the budget), over (cuts more than 5 % above it), broke (valid before, invalid
after), ms per 100k (processor time per 100,000 tokens, the median). What is measured, and how, stands at the head of
each module of `benchmarks/`. Run it on your own sessions: `python -m benchmarks --sessions ~/.claude/projects`.
"""


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
        raise ValueError(f"{readme.name!r} has no {START!r} followed by {END!r}; they mark where the table goes")
    made = readme_of(results, "benchmarks/results", readme.parent)
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
