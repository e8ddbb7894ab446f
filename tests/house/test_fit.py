"""`python -m benchmarks.fit extraction`: weights out of labels, held against groups left out."""

from __future__ import annotations

import json
import random

import pytest

pytest.importorskip("sklearn")

from benchmarks.fit import extraction, statements
from benchmarks.fit.__main__ import main
from memory.extraction import classifier, extract_candidates
from memory.extraction.durable import table_of

KEPT = (
    "The sidebar of the {0} view stays 240 pixels wide and folds on phones.",
    "Invoices of the {0} ledger carry a checksum over all their rows.",
)
PASSING = ("Can you look at the {0} page again?", "Continue with the {0} file.")


def labels(path, groups=6, each=8):
    chance = random.Random(3)
    rows = []
    for group in range(groups):
        for _ in range(each):
            noun = chance.choice(("harbour", "orchard", "museum", "bakery", "quarry"))
            kept = chance.choice(KEPT).format(noun)
            kind = "project_context" if "ledger" in kept else "user_instruction"
            rows.append({"text": kept, "group": group, "memories": [memory(kept, kind)]})
            rows.append({"text": chance.choice(PASSING).format(noun), "group": group, "memories": []})
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def memory(quote, kind):
    return {"quote": quote, "type": kind, "priority": "high"}


@pytest.fixture(scope="module")
def fitted(tmp_path_factory):
    rows = extraction.read_labels([labels(tmp_path_factory.mktemp("labels") / "invented.jsonl")])
    return rows, *extraction.fit(rows)


def test_what_the_labels_keep_is_kept_in_groups_left_out_of_the_fit(fitted):
    _, _, held_out = fitted
    figures = dict(zip(extraction.SHOWN, extraction.figures(held_out.values()), strict=True))
    assert len(held_out) == 6
    assert figures["precision"] > 0.9
    assert figures["recall"] > 0.9
    assert figures["noise"] < 0.1


def test_tables_are_in_use_only_for_a_while(fitted):
    _, tables, _ = fitted
    shipped = dict(classifier.STRENGTH_WEIGHTS)
    nothing = extraction.Tables({classifier.BIAS: (-900,)}, tables.types, tables.thresholds)
    text = "The ferry timetable lives in the harbour service, and its colours stay blue."
    with extraction.in_use(tables):
        assert extract_candidates(text)
    with extraction.in_use(nothing):
        assert not extract_candidates(text)
    assert shipped == classifier.STRENGTH_WEIGHTS


def test_what_is_written_can_be_read_and_says_from_what_it_came(fitted):
    rows, tables, held_out = fitted
    text = extraction.source_of(tables, rows, held_out, "0123456789abcdef")
    module: dict[str, object] = {}
    exec(text, module)  # noqa: S102  # what Python would import
    assert classifier.rows_of(module["STRENGTH"]) == tables.strength
    assert classifier.rows_of(module["TYPES"]) == tables.types
    assert module["THRESHOLDS"] == tables.thresholds
    origin = " ".join(str(module["__doc__"]).split())
    assert "96 typed messages of 6 groups" in origin
    assert "48 memories" in origin
    assert "0123456789abcdef" in origin
    assert max(map(len, text.splitlines())) <= 110


def test_groups_of_different_files_are_different_ones(tmp_path):
    paths = [labels(tmp_path / name, groups=1, each=1) for name in ("one.jsonl", "two.jsonl")]
    assert {row["group"] for row in extraction.read_labels(paths)} == {"one:0", "two:0"}


def test_an_interval_of_the_difference_stands_beside_both_figures(fitted):
    rows, tables, held_out = fitted
    with extraction.in_use(tables):
        lines = extraction.compared(extraction.counted(rows, held_out), held_out)
    assert [line[0] for line in lines] == ["in use", "refit", "difference"]
    assert all("[" in cell for line in lines for cell in line[1:])


def test_the_command_names_its_tables():
    with pytest.raises(SystemExit, match="extraction --labels"):
        main(["everything"])


def test_what_holds_on_is_told_from_what_passes_in_statements_and_labels():
    keep = [f"The {noun} ledger is kept in cents." for noun in ("harbour", "museum", "bakery") for _ in range(8)]
    skip = [
        f"can you look at the {noun} ledger again" for noun in ("harbour", "museum", "bakery") for _ in range(8)
    ]
    rows = [
        {"text": t, "lang": "en", "label": label}
        for label, texts in (("keep", keep), ("skip", skip))
        for t in texts
    ]
    clauses = statements.of_statements(rows)
    clauses += statements.of_labels(
        [{"text": keep[0], "memories": [memory(keep[0], "project_context") | {"standing": True}]}]
    )
    assert [clause.durable for clause in clauses] == [True] * 24 + [False] * 24 + [True]
    weights = statements.fit(clauses)

    def chance(clause):
        return clause.logit + sum(weights.get(name, 0) for name in ("bias", *clause.names)) / 100

    assert min(chance(c) for c in clauses if c.durable) > 0 > max(chance(c) for c in clauses if not c.durable)


def test_what_decides_something_is_told_from_what_passes_in_answers():
    rows = [
        {"question": f"Which {noun} should the shop use?", "answer": "the second", "label": "keep"}
        for noun in ("currency", "calendar", "font")
        for _ in range(8)
    ]
    rows += [
        {"question": f"Which {noun} failed just now?", "answer": "the second", "label": "skip"}
        for noun in ("upload", "page", "job")
        for _ in range(8)
    ]
    weights = statements.fit(statements.of_answers(rows))
    asked = {
        label: {"question": f"Which theme {end}?", "answer": "the second", "label": label}
        for label, end in (("keep", "should the shop use"), ("skip", "failed just now"))
    }

    def chance(row):
        (answer,) = statements.of_answers([row])
        return sum(weights.get(name, 0) for name in ("bias", *answer.names))

    assert chance(asked["keep"]) > 0 > chance(asked["skip"])


def test_no_word_of_real_messages_gets_into_a_table():
    written = [{"question": "Which font?", "answer": "serif", "label": "keep"} for _ in range(9)]
    real = [{"question": "Shall I go on with Zanzibar?", "answer": "yes", "label": "skip"} for _ in range(9)]
    weights = statements.fit(statements.of_answers(written), statements.of_answers(real))
    assert weights["a:serif"] > 0
    assert not [name for name in weights if "zanzibar" in name]


def test_a_table_of_weights_reads_as_it_was_written():
    weights = {"bias": -120, "=cue:only": 30, "no #": 30, "a: b": -20}
    text = table_of(weights)
    assert {name: int(row.split("\t")[0]) for row in text.splitlines() for name in row.split("\t")[1:]} == weights
    assert all(len(row) <= 120 for row in table_of({f"word {n}": 10 for n in range(999)}).splitlines())
