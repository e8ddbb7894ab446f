"""Fit what tells that which holds on from what passes: in messages of one short line, and in answers to a question.

Ridge-penalised logistic regressions over words and their runs; of statements also over the evidence of clauses, with
the strength by the tables in use as offset. Statements and answers are written for it; clauses of labelled messages of
one short line count as statements, durable where a standing memory was marked in them.

usage: python -m benchmarks.fit statements --labels FILE.jsonl ... --statements FILE.jsonl ...
           [--answers FILE.jsonl ...] [--real-answers FILE.jsonl ...] [--held-out FILE.jsonl ...] [--write]

Statements are lines of JSON: "text", "lang", and "label", "keep" or "skip"; answers have "question" and "answer" in
place of the text. With --write the tables are written into `memory/extraction/tables`. What extraction, with the tables
in use, keeps of the statements or answers held out is printed. Needs the extra "bench"; a minute.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.extraction import matches
from benchmarks.fit.extraction import read_labels
from memory import ConversationMemory
from memory.extraction import classifier
from memory.extraction.clauses import clauses_of
from memory.extraction.durable import BIAS, runs_of, runs_of_answer, table_of, weights_in
from memory.extraction.features import evidence_of, setting_of
from memory.extraction.text import PASTED, LineKind, core_starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Row = dict[str, Any]

LEAST_SEEN, RIDGE_OF_EVIDENCE, RIDGE, STEP, LONGEST = 3, 0.05, 0.3, 10, 100
"""Texts that a run of words must stand in; the inverses of the penalties; hundredths of a logit to which weights are
rounded; the width of a short line."""
NEWTON, GRADIENTS = 12, 200
"""Steps of the fit, and of each of them."""


class Short(NamedTuple):
    """A clause or an answer: what is weighed of it, its strength in logits, and whether it holds on."""

    names: frozenset[str]
    logit: float
    durable: bool


def short_clauses(text: str, before: str = "") -> Iterator[tuple[str, frozenset[str], float]]:
    """Yield the clauses of a message that has few, with what is weighed of them and their strength in logits."""
    clauses = clauses_of(text)
    setting = setting_of(text, clauses, before)
    for at, clause in enumerate(clauses):
        if clause.kind in PASTED or clause.fenced or clause.kind is LineKind.HEADING:
            continue
        core = clause.weighed[core_starts(clause.weighed)[0] :]
        evidence = evidence_of(clauses, at, setting, core)
        strength = classifier.strength_of(evidence, setting.size)
        names = frozenset((*map("=".__add__, evidence), *runs_of(core)))
        yield clause.text, names, math.log(strength / (1 - strength))


def of_statements(rows: Sequence[Row]) -> list[Short]:
    """Return the clauses of statements."""
    return [Short(e, s, row["label"] == "keep") for row in rows for _, e, s in short_clauses(row["text"])]


def of_answers(rows: Sequence[Row]) -> list[Short]:
    """Return the answers."""
    return [
        Short(frozenset(runs_of_answer(row["question"], row["answer"])), 0.0, row["label"] == "keep")
        for row in rows
    ]


def of_labels(rows: Sequence[Row]) -> list[Short]:
    """Return the clauses of labelled messages of one short line."""
    found = []
    for row in rows:
        clauses = clauses_of(row["text"])
        if clauses and not clauses[-1].line:
            for text, names, logit in short_clauses(row["text"], row.get("before") or ""):
                wide = sum(ord(sign) > 0x2E80 for sign in text)  # where Chinese and Japanese begin
                if "=size:few" in names and len(text) + wide <= LONGEST:
                    held = (m.get("standing") for m in row["memories"] if matches(text, m["quote"]))
                    found.append(Short(names, logit, any(held)))
    return found


def fit(written: Sequence[Short], real: Sequence[Short] = ()) -> dict[str, int]:
    """Return the weights, in hundredths of a logit, of what is frequent enough; Newton's method, by gradients.

    Weights are given only to what is frequent in what was `written` for it, so that a table holds no words of people.
    """
    counts = Counter(name for clause in written for name in clause.names)
    clauses = [*written, *real]
    names = [BIAS, *sorted(name for name, seen in counts.items() if seen >= LEAST_SEEN)]
    place = {name: at for at, name in enumerate(names)}
    cells = [(row, place[n]) for row, c in enumerate(clauses) for n in (BIAS, *c.names) if n in place]
    row_of, column_of = np.array(cells).T
    offsets = np.array([clause.logit for clause in clauses])
    goal = np.array([clause.durable for clause in clauses], float)
    penalty = np.array([1 / (RIDGE_OF_EVIDENCE if name[:1] == "=" else RIDGE) for name in names])
    penalty[0] = 0.001
    found = np.zeros(len(names))

    def over_rows(weights: np.ndarray) -> np.ndarray:
        return np.bincount(row_of, weights[column_of], len(clauses))

    def over_names(errors: np.ndarray) -> np.ndarray:
        return np.bincount(column_of, errors[row_of], len(names))

    for _ in range(NEWTON):
        chances = 1 / (1 + np.exp(-(offsets + over_rows(found))))
        curve = chances * (1 - chances)
        rest = -(over_names(chances - goal) + penalty * found)
        step, way, size = np.zeros(len(names)), rest.copy(), float(rest @ rest)
        for _ in range(GRADIENTS):
            if size < 1e-6:
                break
            ahead = over_names(curve * over_rows(way)) + penalty * way
            far = size / float(way @ ahead)
            step, rest = step + far * way, rest - far * ahead
            size, was = float(rest @ rest), size
            way = rest + size / was * way
        found = found + step
    rounded = {name: STEP * round(100 * float(w) / STEP) for name, w in zip(names, found, strict=True)}
    return {name: weight for name, weight in rounded.items() if weight}


def kept_of(rows: Sequence[Row]) -> dict[tuple[str, str], tuple[float, int]]:
    """Return the share of statements, or answers, that extraction keeps and their number, by language and label."""
    kept: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        memory = ConversationMemory("held out")
        asked = [{"role": "assistant", "content": row["question"]}] if "question" in row else []
        memory.extract_memories([*asked, {"role": "user", "content": row.get("answer") or row["text"]}])
        kept.setdefault((row["lang"], row["label"]), []).append(bool(memory.get_all_memories()))
    return {key: (sum(found) / len(found), len(found)) for key, found in sorted(kept.items())}


def read_rows(paths: Sequence[Path]) -> list[Row]:
    """Return the statements or answers of some files."""
    return [json.loads(line) for path in paths for line in path.read_text("utf-8").splitlines() if line.strip()]


def main(arguments: Sequence[str]) -> None:
    """Fit, write the tables if asked to, and say what is kept of what is held out."""
    parser = argparse.ArgumentParser(prog="benchmarks.fit statements", description=__doc__)
    for option in ("--labels", "--statements", "--answers", "--real-answers", "--held-out"):
        parser.add_argument(option, type=Path, action="append", default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    tables = {
        "statements.txt": (of_statements(read_rows(options.statements)), of_labels(read_labels(options.labels))),
        "answers.txt": (of_answers(read_rows(options.answers)), of_answers(read_rows(options.real_answers))),
    }
    for name, (written, real) in tables.items():
        if not written:
            continue
        table = table_of(fit(written, real))
        print(
            f"{name}: {len(written)} + {len(real)} texts, {table.count(chr(9))} weights, {len(table.encode())} bytes"
        )
        if options.write:
            Path(str(files("memory.extraction") / "tables" / name)).write_text(table, "utf-8")
            weights_in.cache_clear()
    for path in options.held_out:
        for (language, label), (share, number) in kept_of(read_rows([path])).items():
            print(f"{path.name} {language} {label}: {share:.2f} of {number}")
