"""`Condenser.summarize`: the whole conversation as one text, and `view` taken up by another condenser."""

from __future__ import annotations

import pytest

from condense import CondenseConfig, Condenser, TokenBudget


def talk(turns: int = 12) -> list[dict[str, object]]:
    messages: list[dict[str, object]] = [
        {"role": "user", "content": "Build the shop. Always use PostgreSQL, never MySQL. The port is 3001."}
    ]
    for i in range(turns):
        messages += [
            {
                "role": "assistant",
                "content": [
                    {
                        "type": "tool_use",
                        "id": f"t{i}",
                        "name": "Read",
                        "input": {"file_path": f"src/part_{i}.py"},
                    }
                ],
            },
            {
                "role": "user",
                "content": [
                    {
                        "type": "tool_result",
                        "tool_use_id": f"t{i}",
                        "content": f"def part_{i}():\n    return 'zebra {i}'\n" * 40,
                    }
                ],
            },
        ]
    return messages


@pytest.mark.parametrize("turns", [0, 1, 12])
def test_a_conversation_of_any_size_becomes_one_text_with_its_rules(turns: int) -> None:
    done = Condenser().summarize(talk(turns), target=2_000)
    assert done.error is None
    assert len(done.messages) == 1
    assert done.messages[0]["content"].startswith(done.summary) or done.summary in str(done.messages[0])
    assert "Always use PostgreSQL, never MySQL" in done.summary
    assert "3001" in done.summary
    assert done.new_context_tokens <= 2_000


def test_what_the_person_names_is_quoted_first() -> None:
    history = [*talk(4), {"role": "assistant", "content": "The giraffe cache is off by one in the index."}]
    done = Condenser().summarize(history, target=3_000, focus="giraffe")
    told = done.summary.index("Asked to be kept: giraffe")
    assert "off by one in the index" in done.summary[told:]


def test_a_summary_of_a_summary_keeps_the_rules() -> None:
    first = Condenser().summarize(talk(), target=2_000)
    again = [*first.messages, {"role": "assistant", "content": "Going on."}, *talk(6)[1:]]
    second = Condenser().summarize(again, target=2_000)
    assert "Always use PostgreSQL, never MySQL" in second.summary


def test_another_condenser_goes_on_from_records_byte_for_byte() -> None:
    config = CondenseConfig(budget=TokenBudget(window=20_000, trigger=4_000, target=2_000), weigh_costs=False)
    first = Condenser(config)
    history = talk(30)
    sent = first.view(history)
    assert len(sent) < len(history)
    history += [{"role": "assistant", "content": "Done."}, {"role": "user", "content": "And now?"}]
    second = Condenser(config, records=first.records)
    assert second.view(history) == first.view(history)
    assert second.records == first.records
