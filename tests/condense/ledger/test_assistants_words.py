"""What the assistant said stands by itself, before what was done; how it closed its turns comes first."""

from __future__ import annotations

from condense import CondenseConfig, Condenser, TokenBudget
from condense.ledger.document import read_ledger
from memory import ConversationMemory

REPORT = "The export is done. I chose CSV because Excel opens it at once.\nRun time fell from 41 to 7 seconds."
BEFORE = "What the assistant said last (its words, thoughts included)"


def count(text):
    return -(-len(text.encode()) // 4)


def read(number, path, text):
    made = {"type": "tool_use", "id": f"c{number}", "name": "Read", "input": {"file_path": path}}
    shown = {"type": "tool_result", "tool_use_id": f"c{number}", "content": text}
    return [{"role": "assistant", "content": [made]}, {"role": "user", "content": [shown]}]


def work(first, files):
    out = []
    for n in range(first, first + files):
        body = "\n".join(f"    cart_total_{n}_{i} = round_price(line_{n}_{i})" for i in range(60))
        out += read(n, f"shop/part_{n}.py", body)
    return out


def session():
    return [
        {"role": "user", "content": "Build the export."},
        *work(0, 10),
        {"role": "assistant", "content": REPORT},
        {"role": "user", "content": "Now look at the invoices."},
        *work(10, 10),
    ]


def condensed(messages, target=3000):
    one = Condenser(CondenseConfig(budget=TokenBudget.for_window(4 * target)), count_tokens=count)
    done = one.condense(messages, memory=ConversationMemory("t"), target=target)
    ledger = read_ledger(done.summary)
    assert done.error is None
    assert ledger is not None
    return done, ledger


def test_a_closing_report_stands_in_full_before_what_was_done():
    done, ledger = condensed(session())
    assert [one.body for one in ledger.answers] == [REPORT]
    assert ledger.excerpts
    assert not any("assistant" in one.heading for one in ledger.excerpts)
    assert done.summary.index(REPORT) < done.summary.index(ledger.excerpts[0].body)


def test_the_next_compaction_keeps_the_report_apart_from_outputs():
    done, _ = condensed(session())
    _, ledger = condensed([*done.messages, *work(20, 10)], target=2500)
    assert [one.body for one in ledger.answers] == [REPORT]
    assert not any(one.body.startswith(REPORT[:20]) for one in ledger.excerpts)


def test_a_report_that_is_handed_over_by_a_tool_is_the_assistant_s_words():
    given = {"type": "tool_use", "id": "r", "name": "attempt_completion", "input": {"result": REPORT}}
    taken = {"type": "tool_result", "tool_use_id": "r", "content": "Accepted."}
    messages = session()
    messages[21:22] = [{"role": "assistant", "content": [given]}, {"role": "user", "content": [taken]}]
    _, ledger = condensed(messages)
    assert "Run time fell from 41 to 7 seconds." in "\n".join(one.body for one in ledger.answers)


def test_what_the_newest_report_offers_at_its_end_stands_however_small_the_target():
    offer = "Shall the importer be rewritten in the same way?"
    facts = "\n".join(f"- {n}: `shop/part_{n}.py` because it fixed cart_total_{n}." for n in range(300))
    messages = session()
    messages[21] = {"role": "assistant", "content": f"{facts}\n\n{offer}"}
    _, ledger = condensed(messages, target=1500)
    assert offer in "\n".join(one.body for one in ledger.answers)


def test_a_request_tells_the_place_of_its_message():
    _, ledger = condensed(session())
    assert [(one.text, one.place) for one in ledger.quotes] == [
        ("Build the export.", "#0"),
        ("Now look at the invoices.", "#22"),
    ]
    assert read_ledger(ledger.render()) == ledger


def test_a_ledger_under_the_title_of_an_earlier_release_is_read():
    _, ledger = condensed(session())
    title = "What the assistant said (its words, thoughts included, oldest first)"
    assert title in ledger.render()
    assert read_ledger(ledger.render().replace(title, BEFORE)) == ledger
