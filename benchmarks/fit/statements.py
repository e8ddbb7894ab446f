"""Fit what is added of messages of one short line: whether they say something that holds on.

A ridge-penalised logistic regression over the evidence of clauses, with the strength by the tables in use as offset;
fitted to statements that were written for it and to the clauses of labelled messages of one short line, which count as
durable where a standing memory was marked in them.

usage: python -m benchmarks.fit statements --labels FILE.jsonl ... --statements FILE.jsonl ... [--held-out FILE.jsonl]

Statements are lines of JSON: "text", "lang", and "label", "keep" or "skip". Prints the table for
`memory/extraction/weights.py`, and what extraction with the tables in use keeps of the statements held out. Needs
the extra "bench"; seconds.
"""

from __future__ import annotations

import argparse
import json
import math
import textwrap
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.extraction import matches
from benchmarks.fit.extraction import LEAST_SEEN, read_labels
from memory.extraction import classifier, extract_candidates
from memory.extraction.clauses import clauses_of
from memory.extraction.features import evidence_of, setting_of
from memory.extraction.text import PASTED, LineKind, core_starts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Row = dict[str, Any]

RIDGE, LEAST_WEIGHT, LONGEST = 0.05, 9, 100
"""The inverse of the penalty, weights in hundredths of a logit that are left out, and the width of a short line."""
STEPS = 20
UNWEIGHED = frozenset(("alone", "size:few"))


class Short(NamedTuple):
    """A clause of a short message: its evidence, its strength in logits, and whether it holds on."""

    evidence: frozenset[str]
    logit: float
    durable: bool


def short_clauses(text: str, before: str = "") -> Iterator[tuple[str, frozenset[str], float]]:
    """Yield the clauses of a message that has few, with their evidence and strength in logits."""
    clauses = clauses_of(text)
    setting = setting_of(text, clauses, before)
    for at, clause in enumerate(clauses):
        if clause.kind in PASTED or clause.fenced or clause.kind is LineKind.HEADING:
            continue
        evidence = evidence_of(clauses, at, setting, clause.weighed[core_starts(clause.weighed)[0] :])
        strength = classifier.strength_of(evidence, setting.size)
        yield clause.text, frozenset(evidence), math.log(strength / (1 - strength))


def of_statements(rows: Sequence[Row]) -> list[Short]:
    """Return the clauses of statements."""
    return [Short(e, s, row["label"] == "keep") for row in rows for _, e, s in short_clauses(row["text"])]


def of_labels(rows: Sequence[Row]) -> list[Short]:
    """Return the clauses of labelled messages of one short line."""
    found = []
    for row in rows:
        clauses = clauses_of(row["text"])
        if clauses and not clauses[-1].line:
            for text, evidence, logit in short_clauses(row["text"], row.get("before") or ""):
                wide = sum(ord(sign) > 0x2E80 for sign in text)  # where Chinese and Japanese begin
                if "size:few" in evidence and len(text) + wide <= LONGEST:
                    held = (m.get("standing") for m in row["memories"] if matches(text, m["quote"]))
                    found.append(Short(evidence, logit, any(held)))
    return found


def fit(clauses: Sequence[Short]) -> dict[str, int]:
    """Return the weights, in hundredths of a logit, of the evidence that is frequent enough."""
    counts = Counter(name for clause in clauses for name in clause.evidence)
    names = [classifier.BIAS, *sorted(n for n, c in counts.items() if c > LEAST_SEEN + 1 and n not in UNWEIGHED)]
    rows = np.array([[1.0, *(name in clause.evidence for name in names[1:])] for clause in clauses])
    offsets = np.array([clause.logit for clause in clauses])
    goal = np.array([clause.durable for clause in clauses], float)
    found = np.zeros(len(names))
    for _ in range(STEPS):  # Newton's
        chances = 1 / (1 + np.exp(-(offsets + rows @ found)))
        curve = rows.T @ (rows * (chances * (1 - chances))[:, None]) + np.eye(len(names)) / RIDGE
        found -= np.linalg.solve(curve, rows.T @ (chances - goal) + found / RIDGE)
    weights = {name: round(100 * float(weight)) for name, weight in zip(names, found, strict=True)}
    return {name: weight for name, weight in weights.items() if abs(weight) >= LEAST_WEIGHT}


def kept_of(rows: Sequence[Row]) -> dict[tuple[str, str], float]:
    """Return the share of statements that extraction keeps, by language and label."""
    kept: dict[tuple[str, str], list[bool]] = {}
    for row in rows:
        kept.setdefault((row["lang"], row["label"]), []).append(bool(extract_candidates(row["text"])))
    return {key: sum(found) / len(found) for key, found in sorted(kept.items())}


def main(arguments: Sequence[str]) -> None:
    """Fit, and print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.fit statements", description=__doc__)
    for option in ("--labels", "--statements", "--held-out"):
        parser.add_argument(option, type=Path, action="append", default=[], required=option == "--statements")
    options = parser.parse_args(arguments)
    read = [json.loads(line) for path in options.statements for line in path.read_text("utf-8").splitlines()]
    weights = fit([*of_statements(read), *of_labels(read_labels(options.labels))])
    words = " ".join(f"{name} {weight}" for name, weight in weights.items())
    print(textwrap.fill(words, 110, break_on_hyphens=False, break_long_words=False))
    for path in options.held_out:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        for (language, label), share in kept_of(rows).items():
            print(f"{path.name} {language} {label}: {share:.2f}")
