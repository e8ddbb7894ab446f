"""What a reader needs outlives what merely stands there: added lines, what was set, what a short edit put there."""

from __future__ import annotations

from time import process_time
from typing import Any

import pytest
from builders import quarter as count
from chosen_lines import choose_lines

from condense.lines.excerpt_groups import GAP
from condense.lines.factors import FACTORS, HIDDEN_TWICE, MANY_CUES
from condense.lines.line_chooser import score_history
from condense.reading import is_progress
from memory.conversation.messages import Form
from memory.conversation.wire.parsing import parse_messages

VALUE = {factor.name: factor.value for factor in FACTORS}
PIECE, FRAME, EDIT, WHY, SHOWN, SMALL = (VALUE[name] for name in "PIECE FRAME EDIT WHY SHOWN SMALL".split())


def history(ask: str, *steps: tuple[str, str]) -> Any:
    values: list[dict[str, Any]] = [{"role": "user", "content": ask}]
    for n, (command, output) in enumerate(steps):
        call = {"type": "tool_use", "id": f"c{n}", "name": "Bash", "input": {"command": command}}
        values.append({"role": "assistant", "content": [call]})
        values.append(
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{n}", "content": output}]}
        )
    return parse_messages(values, Form.ANTHROPIC)


def test_pieces_of_a_line_that_is_too_long_weigh_less_than_lines():
    data = ", ".join(f'{{"id": {n}, "path": "out/part_{n}.csv"}}' for n in range(60))
    factors = score_history(history("go", ("cat a.json", f"a short line\n{data}\nthe end of it"))).factors
    assert len(factors) > 3
    assert set(factors.values()) == {PIECE}
    assert not {"a short line", "the end of it"} & factors.keys()


def body_of(messages: Any, budget: int) -> list[str]:
    chosen = choose_lines(messages, budget=budget, count=count)
    return "\n".join(group.body for group in chosen.groups).split("\n")


def test_a_kept_line_of_a_listing_stands_under_the_heading_of_its_section():
    sections = [
        f"./src/part{n}:\n" + "\n".join(f"filler{n}_{k} is a rather long entry of the list" for k in range(30))
        for n in range(20)
    ]
    sections[12] = "./src/wanted:\n" + sections[12].split("\n", 1)[1] + "\nCartTotals.java"
    lines = body_of(history("CartTotals is wrong, see CartTotals", ("ls -R", "\n\n".join(sections))), 150)
    at = lines.index("CartTotals.java")
    assert lines[at - 2 : at] == ["./src/wanted:", GAP]


def test_text_that_is_no_listing_gets_no_heading():
    text = (
        "src/notes.md\n"
        + "\n".join(f"line {k} says nothing that matters here" for k in range(60))
        + "\nCartTotals.java"
    )
    call = {"type": "tool_use", "id": "c", "name": "Read", "input": {"file_path": "a.txt"}}
    values = [
        {"role": "user", "content": "CartTotals is wrong"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": text}]},
    ]
    lines = body_of(parse_messages(values, Form.ANTHROPIC), 120)
    assert lines[lines.index("CartTotals.java") - 1] == GAP


def edit(path: str, new: str, number: int) -> dict[str, Any]:
    arguments = {"file_path": path, "old_string": "was", "new_string": new}
    call = {"type": "tool_use", "id": f"e{number}", "name": "Edit", "input": arguments}
    return {"role": "assistant", "content": [call]}


def test_what_a_client_puts_around_a_result_weighs_less():
    shown = (
        "[read_file for 'app.py'] Result:\n<files>\n<file><path>app.py</path>\n<content lines=\"1-2\">\n"
        "1 | width(3)\n2 | depth(4)\n</content>\n</file>\n</files>\n"
        "<environment_details>\n# Current Cost\n$0.13\n</environment_details>"
    )
    call = {"type": "tool_use", "id": "r", "name": "read_file", "input": {"path": "app.py"}}
    result = {"type": "tool_result", "tool_use_id": "r", "content": shown}
    values = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    factors = score_history(parse_messages([{"role": "user", "content": "go"}, *values])).factors
    assert factors.keys() >= {"[read_file for 'app.py'] Result:", '<content lines="1-2">', "$0.13"}
    assert set(factors.values()) == {FRAME}
    assert not {"width(3)", "depth(4)"} & factors.keys()


def test_factors_multiply():
    shown = score_history(history("go", ("cat a.md", "word " * 100))).source_factors
    assert max(shown) == 1.0
    assert min(shown) == pytest.approx(SHOWN * SMALL**2, rel=1e-3), "a quarter of the usual size"


def test_a_line_with_two_cues_of_a_reason_weighs_more_than_one_with_one():
    said = "We chose pnpm because npm is slow.\nNothing here.\nIt is slow because of the lock, because it is.\n"
    messages = [{"role": "user", "content": "go"}, {"role": "assistant", "content": said}]
    assert score_history(parse_messages(messages)).factors == {
        "We chose pnpm because npm is slow.": WHY**MANY_CUES,
        "It is slow because of the lock, because it is.": WHY,
    }


def worths(*values: dict[str, Any]) -> dict[str, float]:
    """The factor of each source of a history, by its first line."""
    scored = score_history(parse_messages(list(values)))
    sources = zip(scored.view.sources, scored.source_factors, strict=True)
    return {source.lines[0]: factor for source, factor in sources if source.lines}


def test_what_a_client_tells_of_the_machine_gives_way():
    told = "<environment_context>\n  <cwd>/shop</cwd>\n  <shell>zsh</shell>\n</environment_context>"
    found = worths({"role": "user", "content": told}, {"role": "user", "content": "mend /shop/cart.py"})
    assert found == {"<environment_context>": FRAME**HIDDEN_TWICE, "mend /shop/cart.py": 1}


def test_the_longer_a_result_the_less_its_lines_weigh():
    sizes = [20, 2_000, 20_000, 2_000_000]
    steps = [(f"run {n}", f"start {n}\n" + "x" * n) for n in sizes]
    scored = score_history(history("go", *steps, ("ls", "a"), ("ls", "a")))
    firsts = zip(scored.view.sources, scored.source_factors, strict=True)
    factors = [factor for source, factor in firsts if source.lines[0].startswith("start")]
    assert factors == sorted(factors, reverse=True)
    assert factors[0] > 1
    assert factors[1] == pytest.approx(1, abs=0.01)
    assert 0.3 < factors[3] < factors[2] < 1


def test_states_of_a_progress_bar_are_left_out():
    bars = "\n".join(f"{n}50K .......... .......... .......... ..........  {n}% {n}92K 9s" for n in range(90))
    scored = score_history(history("go", ("wget big.tar", f"Saving to: big.tar\n{bars}\nbig.tar saved")))
    assert {line.key for line in scored.lines if scored.factors.get(line.key) == 0} == set(bars.split("\n"))


def test_the_more_is_kept_of_one_call_the_less_more_of_it_is_worth():
    kinds = ("weight", "width", "depth", "height")
    steps = []
    for kind in kinds:
        rows = "\n".join(f"the {kind} of part_{kind}_{n} is {n * 37 % 101} units" for n in range(400))
        steps += [(f"cat {kind}.csv", rows), *[("true", "ok")] * 6]
    chosen = choose_lines(history("go", *steps), budget=4000, count=count).render()
    assert min(chosen.count(f"the {kind} ") for kind in kinds) >= 30


@pytest.mark.parametrize("line", ["-" * 400, "#-" * 200 + " x", "." * 380, "1%|" * 130, "[= " * 130])
def test_a_long_rule_costs_no_more_to_look_at_than_any_line(line):
    began = process_time()
    assert not any(is_progress(f"{line}{n}") for n in range(300))
    assert process_time() - began < 1
