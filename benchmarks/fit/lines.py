"""Fit the weights of line choice to recorded sessions, and compare them with those in use.

Two ridge-penalised logistic regressions over the buckets that `condense.lines.scores` names: will a name that stands
before a cut be needed again (as `benchmarks.texts.needed_after` measures it: the agent brings it up in its next dozen
messages and nothing after the cut showed it first), and what share of a line's words stands in runs of eight that the
agent repeats in them. What stands in the last `TAIL` tokens before a cut stays whole, and is left out. The ridge is
chosen, and both tables are judged, on sessions left out of the fit; the table in use may have seen them.

usage: python -m benchmarks.fit lines --sessions DIR [--cuts 4] [--write]

`--write` writes `condense/lines/weights.py`: of each table the refit where it is no worse on sessions left out, else
the one in use. Needs scikit-learn (the extra "bench"); some minutes for 70 sessions.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold

from benchmarks.figures import quantile, table
from benchmarks.sessions import cuts_of, load_sessions
from benchmarks.texts import RUN, copied_after, needed_after, words_in
from condense.lines import weights
from condense.lines.scores import (
    LINE_FEATURES,
    NAME_FEATURES,
    HistoryView,
    SeenLines,
    line_features,
    name_features,
)
from condense.lines.sources import line_sources
from memory.conversation import Form, parse_messages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.sessions import Session
    from condense.lines.sources import LineSource

    Table = tuple[float, tuple[tuple[float, ...], ...]]

FOLDS, DRAWS, FEWEST = 5, 1000, 2
"""Groups of sessions left out in turn, samples of the bootstrap, and sessions that there must be."""
RIDGES = (0.003, 0.01, 0.03)
"""Values tried of scikit-learn's `C`: the smaller, the nearer to nought the weights are held."""
LEAST, TAIL = 16_000, 2000
"""Tokens before a cut at least, and of its end that stays whole."""
KEPT = 0.1
"""Share of the names and lines not needed that are looked at; each counts the more."""
KINDS, WIDTH = 16, 12
"""Buckets of the first column, and of any other."""
WRITTEN = Path(weights.__file__)


class Sample(NamedTuple):
    """A name or a line before a cut.

    Attributes:
        session: its number.
        buckets: of its features.
        goal: what share of it is needed, 0..1.
        weight: how many like it this one stands for.
    """

    session: int
    buckets: tuple[int, ...]
    goal: float
    weight: float


def chances_of(buckets: Any, used: Table) -> Any:
    """The probabilities that a table gives to rows of buckets."""
    base, rows = used
    return 1 / (1 + np.exp(-base - sum(np.array(row)[buckets[:, k]] for k, row in enumerate(rows))))


def read_samples(sessions: Sequence[Session], cuts: int, names: Table) -> tuple[list[Sample], list[Sample]]:
    """The names and the lines before the cuts of sessions, with the chances of names by a table."""
    found: tuple[list[Sample], list[Sample]] = ([], [])
    draw = random.Random(7)  # noqa: S311  # seeded: a sample
    for number, session in enumerate(sessions):
        for cut in cuts_of(session.messages, cuts, LEAST):
            messages = parse_messages(session.messages[:cut], Form.ANTHROPIC)
            view = HistoryView(line_sources(messages), len(messages))
            seen = SeenLines(view.sources)
            named = name_features(view, seen)
            needed = set(needed_after(session.messages, cut))
            tail = [own for own, after in zip(seen.names_of, view.tokens_after, strict=True) if after < TAIL]
            stays = frozenset().union(*tail)
            goals = ((row, float(name in needed)) for name, row in named.items() if name not in stays)
            found[0].extend(_sampled(number, goals, draw))
            chances = dict(zip(named, chances_of(np.array([*named.values()]), names), strict=True))
            runs = copied_after(session.messages, cut)
            shares = [_shares(source, runs) for source in view.sources]
            lines = (
                ((*own, *around), shares[at][line])
                for at, around, rows in line_features(view, seen, chances)
                for line, _, _, own in (rows if view.tokens_after[at] >= TAIL else ())
            )
            found[1].extend(_sampled(number, lines, draw))
    return found


def _sampled(number: int, goals: Any, draw: random.Random) -> Iterator[Sample]:
    """All that is needed, and some of the rest."""
    for row, goal in goals:
        if goal or draw.random() < KEPT:
            yield Sample(number, row, goal, 1.0 if goal else 1 / KEPT)


def _shares(source: LineSource, runs: set[int]) -> list[float]:
    """Of each line of a source, the share of its words in runs that are copied."""
    words = [(at, word) for at, line in enumerate(source.lines) for word in words_in(line)]
    hits = np.zeros(len(words), bool)
    for start in range(len(words) - RUN + 1):
        if hash(tuple(word for _, word in words[start : start + RUN])) in runs:
            hits[start : start + RUN] = True
    places = np.array([at for at, _ in words], int)
    counts = np.bincount(places, minlength=len(source.lines))
    return [*(np.bincount(places, hits, len(source.lines)) / np.maximum(counts, 1))]


class Fit:
    """The regression of one table.

    Attributes:
        buckets, goals, loads, groups: the columns of the samples.
    """

    def __init__(self, samples: Sequence[Sample]) -> None:
        self.buckets = np.array([sample.buckets for sample in samples])
        self.goals = np.array([sample.goal for sample in samples])
        self.loads = np.array([sample.weight for sample in samples])
        self.groups = np.array([sample.session for sample in samples])
        sessions = len(set(self.groups.tolist()))
        if sessions < FEWEST:
            raise SystemExit(f"{sessions} sessions are long enough to be cut; there must be {FEWEST} at least")
        self.folds = list(GroupKFold(min(FOLDS, sessions)).split(self.goals, groups=self.groups))

    def fitted(self, at: Any, ridge: float) -> Table:
        """The table that fits some samples; a share counts as two samples, needed and not."""
        width = self.buckets.shape[1]
        columns = np.arange(width) * KINDS + self.buckets[at]
        places = np.repeat(np.arange(len(at)), width)
        shape = (len(at), width * KINDS)
        rows = csr_matrix((np.ones(columns.size), (places, columns.ravel())), shape)
        goals, loads = self.goals[at], self.loads[at]
        some = goals > 0
        picked = np.r_[np.arange(len(at)), np.flatnonzero(some)]
        truth = np.r_[np.zeros(len(at)), np.ones(some.sum())]
        share = np.r_[loads * (1 - goals), (loads * goals)[some]]
        model = LogisticRegression(C=ridge, max_iter=300, tol=1e-3)
        model.fit(rows[picked], truth, sample_weight=share)
        found = model.coef_[0].reshape(width, KINDS)
        return float(model.intercept_[0]), tuple(map(tuple, found.tolist()))

    def left_out(self, ridge: float) -> Any:
        """Of each sample, its chance by tables fitted to other sessions."""
        out = np.zeros(len(self.goals))
        for train, test in self.folds:
            out[test] = chances_of(self.buckets[test], self.fitted(train, ridge))
        return out

    def figures(self, chances: Any) -> dict[int, tuple[float, float]]:
        """By session: the log loss, and how often what is needed has the better chance than what is not (AUC)."""
        safe = np.clip(chances, 1e-6, 1 - 1e-6)
        losses = -self.loads * (self.goals * np.log(safe) + (1 - self.goals) * np.log(1 - safe))
        out = {}
        for group in np.unique(self.groups):
            at = self.groups == group
            truth = self.goals[at] > 0
            if truth.any() and not truth.all():
                auc = roc_auc_score(truth, chances[at], sample_weight=self.loads[at])
                out[int(group)] = (float(losses[at].sum() / self.loads[at].sum()), float(auc))
        return out


def interval(differences: Sequence[float]) -> tuple[float, float, float]:
    """The mean of paired differences of sessions, and its 95 % interval by a bootstrap."""
    draw = random.Random(7)  # noqa: S311  # seeded: a sample
    means = sorted(sum(draw.choices(differences, k=len(differences))) for _ in range(DRAWS))
    low, high = (quantile(means, share) / len(differences) for share in (0.025, 0.975))
    return sum(differences) / len(differences), low, high


def refit(title: str, samples: Sequence[Sample], used: Table, rows: list[list[str]]) -> Table | None:
    """Fit one table and judge it; None where the one in use is better on sessions left out."""
    fit = Fit(samples)
    tried = {ridge: fit.figures(fit.left_out(ridge)) for ridge in RIDGES}
    ridge = min(tried, key=lambda one: sum(loss for loss, _ in tried[one].values()))
    now, new = fit.figures(chances_of(fit.buckets, used)), tried[ridge]
    better = []
    for k, measure in enumerate(("log loss", "AUC")):
        mean, low, high = interval([new[group][k] - now[group][k] for group in now])
        before = sum(figures[k] for figures in now.values()) / len(now)
        told = f"{mean:+.4f} [{low:+.4f}, {high:+.4f}]"
        rows.append([f"{title}, C = {ridge}", measure, f"{before:.4f}", f"{before + mean:.4f}", told])
        better.append(mean <= 0 if measure == "log loss" else mean >= 0)
    return fit.fitted(np.arange(len(samples)), ridge) if all(better) else None


def written(title: str, origin: str, names: Table, lines: Table) -> str:
    """The module that holds both tables."""
    out = [f'"""{title}\n\n{origin}\n"""\n\nfrom __future__ import annotations\n']
    for kind, (base, rows), features in (("NAME", names, NAME_FEATURES), ("LINE", lines, LINE_FEATURES)):
        out.append(f"{kind}_BASE = {round(base, 2)}\n{kind}_WEIGHTS: tuple[tuple[float, ...], ...] = (")
        for k, (row, feature) in enumerate(zip(rows, features, strict=True)):
            told = ", ".join(str(round(weight, 2) + 0.0) for weight in row[: WIDTH if k else KINDS])
            out.append(f"    ({told}),  # {feature}")
        out.append(")  # fmt: skip\n")
    return "\n".join(out).rstrip("\n") + "\n"


def main(arguments: list[str]) -> None:
    """Fit, compare, print, and write where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit lines", description=__doc__)
    parser.add_argument("--sessions", type=Path, required=True)
    parser.add_argument("--cuts", type=int, default=4)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    sessions = load_sessions(options.sessions)
    used = (weights.NAME_BASE, weights.NAME_WEIGHTS), (weights.LINE_BASE, weights.LINE_WEIGHTS)
    samples = read_samples(sessions, options.cuts, used[0])
    rows: list[list[str]] = []
    new = [refit(*one, rows) for one in zip(("names", "lines"), samples, used, strict=True)]
    counts = " and ".join(f"{len(one):,} {title}" for one, title in zip(samples, ("names", "lines"), strict=True))
    print(f"{counts} before the cuts of {len(sessions)} sessions\n")
    print(table(["table", "measure", "in use", "refit, left out", "difference"], rows))
    kept = [title for title, one in zip(("names", "lines"), new, strict=True) if one is None]
    if kept:
        print(f"\nNo better on sessions left out, so the one in use stays: {', '.join(kept)}")
    if options.write and any(new):
        origin = (
            f"Origin: `python -m benchmarks.fit lines --cuts {options.cuts}` on {len(sessions)} recorded sessions."
        )
        title, _, before = (weights.__doc__ or "").strip().partition("\n\n")
        origin += f"\nThe table of {kept[0]} is the one before. {before}" if kept else ""
        WRITTEN.write_text(written(title, origin, new[0] or used[0], new[1] or used[1]), encoding="utf-8")
