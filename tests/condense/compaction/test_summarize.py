"""`Condenser.summarize`: the whole conversation as one text, and `view` taken up by another condenser."""

from __future__ import annotations

import pytest

from condense import CondenseConfig, Condenser, TokenBudget
from condense.ledger import read_ledger


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


GIRAFFE = {"role": "assistant", "content": "The giraffe cache is off by one in the index."}


def test_what_the_person_names_is_quoted_under_a_heading_of_its_own() -> None:
    done = Condenser().summarize([*talk(4), GIRAFFE], target=3_000, focus="the  giraffe")
    ledger = read_ledger(done.summary)
    assert ledger is not None
    assert ledger.narrative == ""
    (kept,) = ledger.focus
    assert kept.heading == "the giraffe"
    assert GIRAFFE["content"] in kept.body
    assert "written by a model" not in done.summary
    rules, told, state = (done.summary.index(f"# {title}") for title in ("Rules", "Asked to be kept", "Where"))
    assert rules < told < state


def test_what_stands_nowhere_is_named_and_a_chinese_summary_says_so_in_chinese() -> None:
    done = Condenser().summarize(talk(4), target=3_000, focus="okapi")
    assert "# Asked to be kept\n## okapi (0)\n" in done.summary
    assert "Asked to be kept" not in Condenser().summarize(talk(4), target=3_000, focus=" ").summary
    chinese = [{"role": "user", "content": "请修复解析器，端口必须是 3001。"}, *talk(4)[1:]]
    assert "# 要求保留\n## okapi" in Condenser().summarize(chinese, target=3_000, focus="okapi").summary


def test_what_was_asked_to_be_kept_outlives_the_next_compaction() -> None:
    first = Condenser().summarize([*talk(4), GIRAFFE], target=3_000, focus="giraffe")
    history = [*first.messages, {"role": "assistant", "content": "Going on."}, *talk(40)[1:]]
    later = read_ledger(Condenser().condense(history, target=3_000).summary)
    assert later is not None
    assert later.focus == read_ledger(first.summary).focus  # type: ignore[union-attr]


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
