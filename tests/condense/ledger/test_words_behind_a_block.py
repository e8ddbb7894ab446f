"""What is typed in one message with our block is the person's word like any other."""

from __future__ import annotations

import json

import pytest

from condense import CondenseConfig, Condenser, TokenBudget

ASK = "Please mend the mast of the boat in harbour.py."
NEXT = "Now paint the deck of the Zephyr, in two coats."


def work(first: int) -> list[dict]:
    out = []
    for n in range(first, first + 8):
        use = {"type": "tool_use", "id": f"c{n}", "name": "Read", "input": {"file_path": f"boats/log_{n}.py"}}
        shown = "\n".join(f"knots_{n}_{k} = {k * n}" for k in range(60))
        out.append({"role": "assistant", "content": [use]})
        out.append({"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{n}", "content": shown}]})
    return out


@pytest.mark.parametrize("how", ["a block of its own", "the same string"])
def test_it_is_the_latest_request_of_the_next_compaction(how: str):
    def condensed(messages: list[dict]) -> list[dict]:
        config = CondenseConfig(budget=TokenBudget.for_window(20_000))
        result = Condenser(config).condense(messages, target=1800)
        assert result.report.typed_verbatim == result.report.typed_messages == 1
        return result.messages

    block, *_ = condensed([{"role": "user", "content": ASK}, *work(1)])
    text = block["content"] if isinstance(block["content"], str) else block["content"][0]["text"]
    parts = [{"type": "text", "text": text}, {"type": "text", "text": NEXT}]
    content = parts if how == "a block of its own" else f"{text}\n\n{NEXT}"
    again = json.dumps(condensed([{"role": "user", "content": content}, *work(20)]))
    latest, _, earlier = again.partition("# Earlier requests")
    assert NEXT in latest
    assert ASK in earlier
