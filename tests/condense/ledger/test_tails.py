"""The newest messages: how much of them is kept, where the rest leaves room."""

from __future__ import annotations

import pytest
from builders import quarter, size
from examples import examples
from hypothesis import given, strategies as st

from condense import CondenseConfig, Condenser, TokenBudget
from condense.compaction.validity import violations
from memory.conversation.wire.parsing import parse_messages


def call(number, command):
    made = {"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": {"command": command}}
    return {"role": "assistant", "content": [made]}


def result(*numbered):
    made = [{"type": "tool_result", "tool_use_id": f"c{n}", "content": text} for n, text in numbered]
    return {"role": "user", "content": made}


def rows(count, first=0):
    """Lines of a made-up table, each with a number of its own."""
    return "\n".join(f"order {first + i} of shop {i % 7} comes to {i * 37 % 1000} cents" for i in range(count))


def ask(text="Which orders are wrong?"):
    return {"role": "user", "content": text}


def condensed(messages, target):
    one = Condenser(CondenseConfig(budget=TokenBudget.for_window(4 * target)), count_tokens=quarter)
    done = one.condense(messages, target=target)
    assert done.error is None
    assert violations(parse_messages(done.messages)) == ()
    return done


@pytest.mark.parametrize("after", [0, 3])
@pytest.mark.parametrize("target", [4000, 12_000])
def test_a_huge_fresh_output_takes_the_room_that_a_short_history_leaves(after, target):
    messages = [ask(), call(0, "cat orders.txt"), result((0, rows(3000)))]
    for k in range(1, after + 1):
        messages += [call(k, f"wc -l part{k}"), result((k, "12"))]
    done = condensed(messages, target)
    assert 0.9 * target < size(done.messages) <= target
    if target == 12_000:  # a smaller one has lines of it in the summary instead
        assert done.messages[-2 * after - 1]["content"][0]["tool_use_id"] == "c0"


@pytest.mark.slow
def test_fresh_outputs_that_are_too_long_share_the_room_alike():
    messages = [
        ask(),
        call(0, "cat a"),
        result((0, rows(9000))),
        call(1, "cat b"),
        result((1, rows(6000, 50_000))),
    ]
    messages += [call(2, "wc -l a"), result((2, "9000"))]
    done = condensed(messages, 30_000)
    sizes = [quarter(done.messages[k]["content"][0]["content"]) for k in (-5, -3, -1)]
    assert sizes[2] == 1
    assert sum(sizes) > 0.8 * 30_000
    assert max(sizes[:2]) < 1.1 * min(sizes[:2])


@pytest.mark.slow
def test_outputs_of_calls_made_at_once_that_are_too_long_leave_lines_up_to_the_target():
    names = [{"type": "tool_use", "id": f"c{n}", "name": "Bash", "input": {"command": f"cat {n}"}} for n in (0, 1)]
    messages = [
        ask(),
        {"role": "assistant", "content": names},
        result((0, rows(9000)), (1, rows(6000, 50_000))),
    ]
    assert size(condensed(messages, 30_000).messages) > 0.9 * 30_000


def test_an_output_that_fits_after_all_stays_as_it_was():
    middle, huge = rows(200), rows(3000, 10_000)
    messages = [ask(), call(0, "cat a"), result((0, huge)), call(1, "cat b"), result((1, middle))]
    done = condensed(messages, 12_000)
    assert done.messages[-1] is messages[-1]
    assert size(done.messages) > 0.9 * 12_000


def test_where_every_line_is_quoted_older_messages_stay_as_they_were():
    messages = [ask()]
    for k in range(40):
        messages += [call(k, f"make part{k}"), result((k, rows(40)))]
    done = condensed(messages, 10_000)
    assert size(done.messages) > 0.9 * 10_000
    assert len(done.messages) > 20


@given(
    lengths=st.lists(st.integers(0, 400), min_size=1, max_size=5),
    fresh=st.integers(1, 3),
    target=st.integers(1500, 6000),
)
@examples(25)
def test_whatever_is_widened_stays_valid_and_within_the_target(lengths, fresh, target):
    messages = [ask()]
    for k, length in enumerate(lengths):
        numbers = [10 * k + n for n in range(fresh)]
        calls = [
            {"type": "tool_use", "id": f"c{n}", "name": "Bash", "input": {"command": f"cat {n}"}} for n in numbers
        ]
        texts = [(n, rows(length * (1 + 5 * (n % 2)), n)) for n in numbers]
        messages += [{"role": "assistant", "content": calls}, result(*texts)]
    one = Condenser(CondenseConfig(budget=TokenBudget.for_window(4 * target)), count_tokens=quarter)
    done = one.condense(messages, target=target)
    assert violations(parse_messages(done.messages)) == ()
    if done.error is None:
        assert size(done.messages) <= max(target, size(messages) if size(messages) <= target else 0)


def test_an_earlier_summary_is_never_kept_beside_a_new_one():
    messages = [ask()]
    for k in range(4):
        messages += [call(k, f"cat {k}"), result((k, "x" * 300_000))]
        done = condensed(messages, 12_000)
        summaries = [m for m in parse_messages(done.messages) if m.text.startswith("<holdfast-context")]
        assert len(summaries) == 1
        messages = [*done.messages]


def test_a_message_merged_with_the_summary_is_reachable_by_its_handle():
    messages = [
        ask(),
        call(0, "cat a"),
        result((0, rows(3000))),
        {"role": "assistant", "content": rows(900)},
        ask("Why?"),
    ]
    config = CondenseConfig(budget=TokenBudget.for_window(16_000), alternate_roles=True)
    one = Condenser(config, count_tokens=quarter)
    done = one.condense(messages, target=4000)
    assert done.record is not None
    assert "Why?" in parse_messages(done.messages)[-1].text
    assert messages[-1] in [one.expand(handle) for handle in done.record.handles]
