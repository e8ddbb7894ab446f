"""Fit the weights of extraction to labelled messages, and compare them with those in use.

Two ridge-penalised logistic regressions over the evidence of clauses, as the shipped code names it: is a clause worth
keeping, and of which type is it. For the first, families of evidence whose absence costs nothing, the ridge and the
thresholds are chosen by cross-validation that never splits a group (`group` of a label: a project or session).
Thresholds have the best F1 with at most `MOST_NOISE` of the messages without anything durable giving something: a
wrong memory is shown for ever. Types have few families of evidence and a strong ridge. Then whole messages of the
groups left out are extracted with tables fitted to the others.

usage: python -m benchmarks.fit extraction --labels FILE.jsonl [--labels FILE.jsonl ...] [--types-only] [--write]

`--write` writes `memory/extraction/weights.py`. Label files are described in `benchmarks.extraction`. Needs
scikit-learn (the extra "bench"); about a minute for 650 messages.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import textwrap
from collections import Counter, defaultdict
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from benchmarks.extraction import matches, measure, summed
from benchmarks.figures import quantile, table
from memory.extraction import classifier, extract_candidates, weights
from memory.extraction.clauses import clauses_of
from memory.extraction.features import evidence_of, setting_of
from memory.extraction.text import PASTED, LineKind, core_starts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    Row = dict[str, Any]
    Memory = tuple[str, str, str]

FOLDS, DRAWS = 10, 1000
LEAST_SEEN = 10
"""Clauses in which a name must be found to be given a weight."""
LEAST_WEIGHT = 3
"""Weights nearer to nought, in hundredths of a logit, are left out."""
RIDGES = (0.1, 0.2, 0.5, 1.0)
"""Values tried of scikit-learn's `C`: the smaller, the nearer to nought the weights are held."""
FIRST_RIDGE = 0.5
LEVELS = (0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65)
MOST_NOISE = 0.25
"""Share of the messages without anything durable that may give something (chosen)."""
SIZES, SIZED = ("few", "mid", "many"), ("few", "many")
"""Sizes of messages, and those in which evidence may weigh differently than in the others."""
UNTYPED = frozenset(
    "by size,form,lead,reads,share,share-han,specific,specific-han,width,details,directives,size,alone,opening,closing"
    ",first,later,indented,long-run,with-paste,headed,han,answering".split(",")
)
"""Families of evidence that say nothing of the type: how a clause is built, where it stands, how much it says."""
TYPE_RIDGE = 0.05
"""`C` of the types: few are marked of most, so that they are held near to the most frequent one (measured)."""
SHOWN = ("precision", "recall", "f1", "type", "noise")


class Clause(NamedTuple):
    """A clause of a labelled message: where it is from, its evidence, and the types of the quotes that it matches."""

    message: int
    group: str
    size: str
    evidence: frozenset[str]
    types: tuple[str, ...]


class Tables(NamedTuple):
    """What `memory.extraction.weights` holds: weights by evidence, in hundredths of a logit, and thresholds."""

    strength: dict[str, tuple[int, ...]]
    types: dict[str, tuple[int, ...]]
    thresholds: dict[str, float]


def read_labels(paths: Iterable[Path]) -> list[Row]:
    """Read labelled messages; groups of different files are different ones."""
    return [
        row | {"group": f"{path.stem}:{row.get('group', number)}"}
        for path in paths
        for number, row in enumerate(map(json.loads, path.read_text(encoding="utf-8").splitlines()))
    ]


def clauses_in(rows: Sequence[Row]) -> list[Clause]:
    """Return the clauses of labelled messages that extraction weighs, with their evidence."""
    found = []
    for number, row in enumerate(rows):
        clauses = clauses_of(row["text"])
        setting = setting_of(row["text"], clauses, row.get("before") or "")
        for at, clause in enumerate(clauses):
            if clause.kind in PASTED or clause.fenced or clause.kind is LineKind.HEADING:
                continue
            core = clause.weighed[core_starts(clause.weighed)[0] :]
            evidence = evidence_of(clauses, at, setting, core)
            if setting.size in SIZED:
                evidence |= {f"{setting.size}/{name}" for name in evidence}
            types = tuple(m["type"] for m in row["memories"] if matches(clause.text, m["quote"]))
            found.append(Clause(number, row["group"], setting.size, frozenset(evidence), types))
    return found


def family(name: str) -> str:
    """Return the family of evidence that a name belongs to."""
    return "by size" if "/" in name else name.split(":", maxsplit=1)[0]


class Fit:
    """A regression over the evidence of clauses; large groups weigh by the root of their size.

    Attributes:
        clauses: what it is fitted to.
        goal: of each clause; booleans, or the index of a type.
        names: the evidence that may be weighed: none of the families `without`.
        shares: the weight of each clause.
    """

    def __init__(
        self, clauses: Sequence[Clause], goal: Sequence[int], without: frozenset[str] = frozenset()
    ) -> None:
        self.clauses, self.goal = clauses, np.array(goal, int)
        counts = Counter(name for clause in clauses for name in clause.evidence if family(name) not in without)
        self.names = sorted(name for name, count in counts.items() if count >= LEAST_SEEN)
        self.rows = np.array([[name in clause.evidence for name in self.names] for clause in clauses], float)
        groups = [clause.group for clause in clauses]
        sizes = Counter(groups)
        self.shares = np.array([sizes[group] ** -0.5 for group in groups])
        self.shares /= self.shares.mean()
        folds = GroupKFold(min(FOLDS, len(set(groups))))
        self.folds = list(folds.split(self.rows, self.goal, groups))

    def fitted(self, at: Any, kept: Any, ridge: float) -> LogisticRegression:
        """Return the regression of the clauses `at`, over the names `kept`."""
        model = LogisticRegression(C=ridge, tol=1e-3, max_iter=1000)
        return model.fit(self.rows[at][:, kept], self.goal[at], sample_weight=self.shares[at])

    def left_out(self, kept: Any, ridge: float) -> Any:
        """Return for each clause how likely each goal is, by regressions of the other groups."""
        found = np.full((len(self.goal), self.goal.max() + 1), 1e-6)
        for train, test in self.folds:
            model = self.fitted(train, kept, ridge)
            found[np.ix_(test, model.classes_)] = model.predict_proba(self.rows[test][:, kept])
        return found

    def losses(self, kept: Any, ridge: float) -> Any:
        """Return the log loss of each clause when its group is left out."""
        return -np.log(self.left_out(kept, ridge)[np.arange(len(self.goal)), self.goal])

    def chosen(self, title: str) -> tuple[Any, float]:
        """Leave out, the least worth first, the families that are worth nothing; return the names and the ridge."""
        families = np.array([family(name) for name in self.names])
        kept = np.ones(len(families), bool)
        losses = self.losses(kept, FIRST_RIDGE)
        gains = {name: self.losses(families != name, FIRST_RIDGE) - losses for name in set(families)}
        lines = []
        for name in sorted(gains, key=lambda name: (gains[name].mean(), name)):
            without = self.losses(kept & (families != name), FIRST_RIDGE)
            stays = without.mean() > losses.mean()
            if not stays:
                kept, losses = kept & (families != name), without
            low, high = self.interval(gains[name])
            worth = f"{1000 * gains[name].mean():+.2f}", f"[{1000 * low:+.2f}, {1000 * high:+.2f}]"
            lines.append([name, (families == name).sum(), *worth, "stays" if stays else ""])
        columns = ("names", "worth (log loss / 1000)", "95 %", "")
        print(f"\n{title}\n{table(['evidence', *columns], lines)}")
        return kept, min(RIDGES, key=lambda ridge: self.losses(kept, ridge).mean())

    def interval(self, values: Any) -> tuple[float, float]:
        """Return the 95 % interval of the mean of one value a clause, by groups drawn anew."""
        sums: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        for clause, value in zip(self.clauses, values, strict=True):
            sums[clause.group][0] += value
            sums[clause.group][1] += 1
        means = [sum(a for a, _ in draw) / sum(b for _, b in draw) for draw in drawn(list(sums.values()))]
        return quantile(means, 0.025), quantile(means, 0.975)

    def weights(self, at: Any, kept: Any, ridge: float) -> dict[str, tuple[int, ...]]:
        """Return the table of weights of a regression of the clauses `at`."""
        model = self.fitted(at, kept, ridge)
        columns = np.rint(100 * np.vstack([model.intercept_, model.coef_.T])).astype(int)
        if columns.shape[1] > 1:  # types that no label has are out of the question
            full = np.zeros((len(columns), len(classifier.TYPE_ORDER)), int)
            full[0] = -1000
            full[:, model.classes_] = columns
            columns = full
        names = [classifier.BIAS, *np.array(self.names)[kept]]
        rows = {name: tuple(row.tolist()) for name, row in zip(names, columns, strict=True)}
        least = LEAST_WEIGHT
        return {n: row for n, row in rows.items() if n == names[0] or max(map(abs, row)) >= least}


def drawn(groups: Sequence[Any]) -> Iterator[list[Any]]:
    """Draw as many groups as there are, with replacement, again and again."""
    chance = random.Random(7)  # noqa: S311  # a bootstrap
    for _ in range(DRAWS):
        yield chance.choices(groups, k=len(groups))


def thresholds_of(clauses: Sequence[Clause], likely: Any) -> dict[str, float]:
    """Return the thresholds with the best F1 of clauses among those with little noise.

    Args:
        clauses: those of all messages.
        likely: how likely each is worth keeping, by regressions of other groups.
    """
    size = np.array([SIZES.index(clause.size) for clause in clauses])
    right = np.array([bool(clause.types) for clause in clauses])
    message = np.array([clause.message for clause in clauses])
    empty = ~np.isin(message, message[right])

    def worth(levels: tuple[float, ...]) -> tuple[bool, float]:
        kept = likely >= np.array(levels)[size]
        noise = len(set(message[kept & empty])) / max(1, len(set(message[empty])))
        return noise <= MOST_NOISE, 2 * (kept & right).sum() / max(1, kept.sum() + right.sum())

    return dict(zip(SIZES, max(product(LEVELS, repeat=len(SIZES)), key=worth), strict=True))


@contextmanager
def in_use(tables: Tables) -> Iterator[None]:
    """Let extraction weigh by these tables for a while."""
    places = (classifier.STRENGTH_WEIGHTS, classifier.TYPE_WEIGHTS, classifier.THRESHOLDS)
    shipped = [dict(place) for place in places]
    try:
        for place, content in zip(places, tables, strict=True):
            place.clear()
            place.update(content)
        yield
    finally:
        for place, content in zip(places, shipped, strict=True):
            place.clear()
            place.update(content)


def extract(text: str, before: str) -> list[Memory]:
    """Return what extraction finds in one message."""
    found = extract_candidates(text, before=before)
    return [(c.content, c.type.value, c.priority.value) for c in found]


Counts = dict[str, Counter[str]]
"""Counts of `benchmarks.extraction.measure`, by group."""


def counted(rows: Sequence[Row], groups: Iterable[str]) -> Counts:
    """Extract the messages of some groups with the tables in use, and count what was right."""
    return {
        group: measure(extract, [row for row in rows if row["group"] == group])["all"] for group in sorted(groups)
    }


def figures(counts: Iterable[Counter[str]]) -> list[float]:
    """Return the figures named in `SHOWN`."""
    total: Counter[str] = Counter()
    for count in counts:
        total.update(count)
    found = summed(total)
    return [found[name] or 0.0 for name in SHOWN]


def compared(present: Counts, refit: Counts) -> list[list[object]]:
    """Return lines of a table: both figures, and their difference, each with an interval by groups drawn anew."""
    pairs = [(present[group], refit[group]) for group in sorted(present)]
    draws = [(figures(a for a, _ in draw), figures(b for _, b in draw)) for draw in drawn(pairs)]
    lines: list[list[object]] = []
    views: tuple[tuple[str, Callable[[Any, Any], float]], ...] = (
        ("in use", lambda a, _: a),
        ("refit", lambda _, b: b),
        ("difference", lambda a, b: b - a),
    )
    one = figures(a for a, _ in pairs), figures(b for _, b in pairs)
    for title, view in views:
        cells: list[object] = [title]
        for at in range(len(SHOWN)):
            spread = [view(a[at], b[at]) for a, b in draws]
            low, high = quantile(spread, 0.025), quantile(spread, 0.975)
            cells.append(f"{view(one[0][at], one[1][at]):.3f} [{low:.3f}, {high:.3f}]")
        lines.append(cells)
    return lines


def fit(rows: Sequence[Row], *, types_only: bool = False) -> tuple[Tables, Counts]:
    """Fit the tables to all messages; return them, and what tables of the other groups find in each group."""
    clauses = clauses_in(rows)
    order = [kind.value for kind in classifier.TYPE_ORDER]
    keeping = Fit(clauses, [bool(clause.types) for clause in clauses])
    typed = [clause for clause in clauses if clause.types]
    typing = Fit(typed, [order.index(clause.types[0]) for clause in typed], UNTYPED)
    types = np.ones(len(typing.names), bool), TYPE_RIDGE
    strength, thresholds = dict(classifier.STRENGTH_WEIGHTS), dict(classifier.THRESHOLDS)
    chosen = None if types_only else keeping.chosen("Worth keeping?")
    if chosen is not None:
        thresholds = thresholds_of(clauses, keeping.left_out(*chosen)[:, 1])

    def tables(without: frozenset[str]) -> Tables:
        at = [[n for n, c in enumerate(f.clauses) if c.group not in without] for f in (keeping, typing)]
        kept = strength if chosen is None else keeping.weights(at[0], *chosen)
        return Tables(kept, typing.weights(at[1], *types), thresholds)

    found: Counts = {}
    for _, test in keeping.folds:
        groups = frozenset(clauses[at].group for at in test)
        with in_use(tables(groups)):
            found |= counted(rows, groups)
    print(f"\nridges {chosen and chosen[1]} and {types[1]}, thresholds {thresholds}")
    return tables(frozenset()), found


def source_of(tables: Tables, rows: Sequence[Row], held_out: Counts, digest: str) -> str:
    """Return the text of the module of weights, with what the tables come from."""
    shown = ", ".join(f"{n} {v:.3f}" for n, v in zip(SHOWN, figures(held_out.values()), strict=True))
    groups = len({row["group"] for row in rows})
    memories = sum(len(row["memories"]) for row in rows)
    origin = (
        f"Origin: {len(rows)} typed messages of {groups} groups (projects or sessions), {memories} memories marked "
        f"in them by hand; SHA-256 of the labels {digest}. Logistic regressions with a ridge penalty; on groups left "
        f"out of the fit: {shown}. Written by `python -m benchmarks.fit extraction --write`: fit anew rather than edit."
    )
    parts = [
        '"""Weights of evidence, in hundredths of a logit: for a clause being worth keeping, and for each type.',
        "",
        textwrap.fill(origin, 110),
        '"""',
        "",
        "from __future__ import annotations",
        "",
        f"THRESHOLDS = {json.dumps(tables.thresholds)}",
        '"""By size of the message: how likely a clause must be worth keeping to be kept."""',
    ]
    for name, rows_ in (("STRENGTH", tables.strength), ("TYPES", tables.types)):
        words = " ".join(f"{key} {' '.join(map(str, row))}" for key, row in rows_.items())
        lines = textwrap.fill(words, 110, break_on_hyphens=False, break_long_words=False)
        parts += ["", f'{name} = """', lines, '"""']
    parts += ['"""For each type in the order of `MemoryType`."""', ""]
    return "\n".join(parts)


def main(arguments: Sequence[str]) -> None:
    """Fit, compare with the tables in use, and write the new ones if asked to."""
    parser = argparse.ArgumentParser(prog="benchmarks.fit extraction", description=__doc__)
    parser.add_argument("--labels", type=Path, action="append", required=True)
    parser.add_argument("--types-only", action="store_true", help="leave what is worth keeping as it is weighed")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    rows = read_labels(options.labels)
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in options.labels)).hexdigest()[:16]
    tables, held_out = fit(rows, types_only=options.types_only)
    present = counted(rows, held_out)
    for path in (None, *options.labels):
        kept = {g for g in held_out if path is None or g.startswith(f"{path.stem}:")}
        print(f"\n{path.name if path else 'all'}: {len(kept)} groups, those of the refit left out of its fit")
        both = ({g: c for g, c in counts.items() if g in kept} for counts in (present, held_out))
        print(table(["tables", *SHOWN], compared(*both)))
    if options.write:
        Path(weights.__file__).write_text(source_of(tables, rows, held_out, digest), encoding="utf-8")
        print(f"\nwritten: {weights.__file__}")
