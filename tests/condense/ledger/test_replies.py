"""A short reply is shown with the line it leans on."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from condense.compaction.condenser import Condenser
from condense.config import CondenseConfig, TokenBudget
from condense.ledger.document import Ledger, Said, read_ledger
from condense.ledger.history import LONGEST_LINE, answered_line

OPTIONS = "Two ways:\n\n1. Keep SQLite\n2) **Move** to PostgreSQL\nWhich one do you prefer?"


@pytest.mark.parametrize(
    ("reply", "line"),
    [
        ("1", "1. Keep SQLite"),
        ("2.", "2) **Move** to PostgreSQL"),
        ("option 2 please", "2) **Move** to PostgreSQL"),
        ("let's go with the second one", "2) **Move** to PostgreSQL"),
        ("选第一个", "1. Keep SQLite"),
        ("２", "2) **Move** to PostgreSQL"),
        ("yes please", "Which one do you prefer?"),
        ("好的", "Which one do you prefer?"),
        ("No!", "Which one do you prefer?"),
        ("3", ""),
        ("yes, but keep the old table until the migration is done", ""),
        ("use port 2", ""),
        ("why 2?", ""),
    ],
)
def test_a_reply_leans_on_the_option_it_picks_or_the_question_it_answers(reply, line):
    assert answered_line(reply, OPTIONS) == line


def test_letters_and_labels_name_options_too():
    assert answered_line("B", "Option A) keep\nOption B) drop") == "Option B) drop"
    assert answered_line("方案二", "方案 1：保留\n方案 2：删除") == "方案 2：删除"


def test_a_long_line_is_cut_with_a_mark():
    line = answered_line("1", "1. " + "x" * 500)
    assert line == "1. " + "x" * (LONGEST_LINE - 3) + " …"


def test_without_text_before_it_or_a_question_in_it_a_reply_leans_on_nothing():
    assert answered_line("yes", "") == ""
    assert answered_line("yes", "I have fixed the test.") == ""


LINES = st.lists(
    st.sampled_from(["1. keep it", "  2) drop it ", "(3) both", "Shall I?", "or not?", "done"]) | st.text()
)


@given(st.sampled_from(["1", "2", "the third one", "yes", "好的", "no thanks"]) | st.text(max_size=60), LINES)
def test_what_it_leans_on_is_a_line_of_the_message(reply, lines):
    line = answered_line(reply, "\n".join(lines))
    known = {one.strip() for text in lines for one in text.split("\n")}
    assert line == "" or line in known or any(one.startswith(line.removesuffix(" …")) for one in known)


@given(LINES)
def test_a_yes_leans_on_the_last_question_there_is(lines):
    message = "\n".join([*lines, "", "Shall I go on with it?", "It takes a minute."])
    assert answered_line("yes", message) == "Shall I go on with it?"


@given(
    st.lists(
        st.tuples(st.text(max_size=40), st.sampled_from(["", "1. Keep SQLite", "[2] hf_ (3)", "# x"])),
        max_size=5,
    )
)
def test_quotes_and_what_they_answer_are_read_back(quotes):
    earlier = tuple(Said(n, text, "", answers) for n, (text, answers) in enumerate(quotes, 1))
    assert read_ledger(Ledger(earlier=earlier).render()) == Ledger(earlier=earlier)


def test_a_compaction_shows_what_was_chosen():
    messages = [{"role": "user", "content": "which database? " + "context " * 300}]
    messages += [{"role": "assistant", "content": OPTIONS}, {"role": "user", "content": "2"}]
    messages += [{"role": "assistant", "content": f"step {n} " + "work " * 300} for n in range(4)]
    config = CondenseConfig(budget=TokenBudget(window=4000, trigger=2000, target=900))
    done = Condenser(config).condense(messages)
    assert done.error is None
    assert "\n2\n↩ 2) **Move** to PostgreSQL\n" in done.summary
    again = read_ledger(done.summary)
    assert again is not None
    assert again.latest is not None
    assert again.latest.answers == "2) **Move** to PostgreSQL"


def test_a_yes_to_an_offer_shows_the_offer_with_what_it_lists() -> None:
    message = "The cache is in.\n\nIf you want, I can also:\n- warm it at start\n- log its misses"
    assert answered_line("yes please", message) == "If you want, I can also: - warm it at start - log its misses"
    assert answered_line("ok", "Done.\nI can also scan the docs.\nAll is saved.") == "I can also scan the docs."
    assert answered_line("好的", "改完了。\n如果你需要，我可以再加一个测试。") == "如果你需要，我可以再加一个测试。"
