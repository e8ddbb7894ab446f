"""Lines chosen by expected future use: verbatim, within the budget, nothing twice."""

from __future__ import annotations

import re
from typing import Any

import orjson
import pytest
from builders import quarter as count
from chosen_lines import Chosen, choose_lines
from clock import cpu_seconds
from examples import examples
from hypothesis import given, strategies as st

from condense import CondenseConfig, Condenser, TokenBudget
from condense.ledger import excerpt_section as ledger_excerpts
from condense.lines.excerpt_groups import ANSWERED, GAP, ExcerptGroup, group_of_lines
from condense.lines.line_chooser import LineChooser, score_history
from condense.lines.scores import HistoryView, ScoredLine, score_lines
from condense.lines.sources import CALL_KINDS, LineKind, line_sources
from condense.lines.text_lines import TextForm, read_lines, whole_lines
from condense.reading.text.own_blocks import is_agent_summary
from memory.conversation.messages import Form, Message
from memory.conversation.wire.parsing import parse_messages


def call(number: int, name: str, **arguments: Any) -> dict[str, Any]:
    return {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": f"c{number}", "name": name, "input": arguments}],
    }


def result(number: int, text: str) -> dict[str, Any]:
    return {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": f"c{number}", "content": text}],
    }


def read(*values: dict[str, Any]) -> tuple[Message, ...]:
    return parse_messages(values, Form.ANTHROPIC)


def shop(turns: int) -> tuple[Message, ...]:
    """A made-up session about a shop: files read, edited, tests run."""
    values: list[dict[str, Any]] = [{"role": "user", "content": "Make the cart of shop/cart.py round its totals."}]
    for n in range(turns):
        file = f"shop/part_{n % 7}.py"
        values += [
            call(3 * n, "Read", file_path=file),
            result(3 * n, "\n".join(f"    total_{n}_{i} = price_{i} * rate_{n % 5}" for i in range(30))),
            call(
                3 * n + 1,
                "Edit",
                file_path=file,
                old_string=f"rate_{n % 5}",
                new_string=f"rounded(rate_{n % 5})",
            ),
            result(3 * n + 1, f"{file} was updated"),
            call(3 * n + 2, "Bash", command=f"pytest tests/test_part_{n % 7}.py -q"),
            result(3 * n + 2, f"1 failed: test_total_{n}\nAssertionError: 10.01 != 10.{n:03}"),
            {"role": "assistant", "content": f"The rounding of part {n} is off by {n} cents in total_{n}_3."},
        ]
    return read(*values)


SESSION = shop(12)


@given(budget=st.integers(0, 3000), kept=st.integers(0, 10))
@examples(25)
def test_never_over_the_budget(budget: int, kept: int) -> None:
    stays = range(len(SESSION) - kept, len(SESSION))
    chosen = choose_lines(SESSION, budget=budget, count=count, kept=stays)
    assert count(chosen.render()) <= budget or not chosen.groups
    sources = line_sources(SESSION)
    assert not {sources[line.source].message for line in chosen.lines} & set(stays)


def test_fills_most_of_the_budget() -> None:
    assert count(choose_lines(SESSION, budget=1500, count=count).render()) > 1300


def test_never_over_the_budget_with_another_counter_and_rendering() -> None:
    def render(group: ExcerptGroup) -> str:
        return f"[[{group.heading} | source {group.message} | {len(group.body)} characters]]\n{group.body}\n"

    chosen = choose_lines(SESSION, budget=900, count=len, render=render)
    assert chosen.groups
    assert len(chosen.render(render)) <= 900


def test_lines_stand_verbatim_in_their_source_and_nothing_is_chosen_twice() -> None:
    chosen = choose_lines(SESSION, budget=2000, count=count)
    texts = {part.text for message in SESSION for part in message.parts}
    sources = line_sources(SESSION)
    for line in chosen.lines:
        source = sources[line.source]
        assert source.lines[line.line].strip() == line.key
        assert source.kind in CALL_KINDS or any(source.lines[line.line] in text for text in texts)
    keys = [line.key for line in chosen.lines]
    assert len(keys) == len(set(keys))


def test_bodies_hold_chosen_lines_marks_and_the_short_lines_between() -> None:
    texts = {line for source in line_sources(SESSION) for line in source.lines}
    for group in choose_lines(SESSION, budget=1200, count=count).groups:
        body = group.body.split("\n")
        for line in group.lines:
            assert any(text.endswith(line.key) for text in body)
        for text in body:
            assert text in (GAP, ANSWERED) or text in texts or text.partition(" ")[2] in texts


def test_short_lines_between_kept_ones_keep_a_block_whole() -> None:
    code = "def first_price(cart):\n    return cart.price\n\n\ndef second_price(cart):\n    return cart.second"
    messages = read(
        {"role": "user", "content": "go"},
        call(1, "Read", file_path="a.py"),
        result(1, f"{code}\n{'-' * 300}\nend_of"),
    )
    assert code in choose_lines(messages, budget=200, count=count).render()


def test_the_same_history_gives_the_same_excerpts() -> None:
    first = choose_lines(SESSION, budget=1200, count=count)
    assert first == choose_lines(shop(12), budget=1200, count=count)


def test_what_stands_in_the_result_already_is_not_repeated() -> None:
    command = "command: pytest tests/test_part_4.py -q"
    free = choose_lines(SESSION, budget=3000, count=count)
    assert command in {line.key for line in free.lines}
    bound = choose_lines(SESSION, budget=3000, count=count, present=[f"- {command}", command])
    assert command not in {line.key for line in bound.lines}


def test_names_that_are_kept_already_gain_nothing() -> None:
    messages = read(
        {"role": "user", "content": "go"},
        call(1, "Bash", command="make build_first"),
        result(1, "target build_first of Makefile.first"),
        call(2, "Bash", command="make build_other"),
        result(2, "target build_other of Makefile.other"),
        {"role": "assistant", "content": "done"},
    )
    commands = "go\ncommand: make build_first\ncommand: make build_other\ndone"
    for known, new in (("first", "other"), ("other", "first")):
        chosen = choose_lines(
            messages, budget=26, count=count, present=[commands, f"build_{known} Makefile.{known}"]
        )
        assert f"Makefile.{new}" in chosen.render()
        assert f"Makefile.{known}" not in chosen.render()


def test_text_of_the_file_being_worked_on_goes_before_an_old_log() -> None:
    log = "\n".join(f"progress {i} of 400 done" for i in range(400))
    code = "\n".join(f"def price_{i}(cart): return cart.items_{i}" for i in range(20))
    messages = read(
        {"role": "user", "content": "Fix shop/cart.py"},
        call(1, "Bash", command="npm install"),
        result(1, log),
        call(2, "Read", file_path="shop/cart.py"),
        result(2, code),
        call(3, "Edit", file_path="shop/cart.py", old_string="cart.items_3", new_string="cart.lines_3"),
        result(3, "updated"),
    )
    sources = line_sources(messages)
    kinds = [sources[line.source].kind for line in choose_lines(messages, budget=200, count=count).lines]
    assert kinds.count(LineKind.READ) > 5 * kinds.count(LineKind.OUTPUT)


def test_a_factor_of_nought_leaves_a_message_out() -> None:
    chosen = choose_lines(SESSION, budget=2000, count=count)
    sources = line_sources(SESSION)
    messages = [sources[line.source].message for line in chosen.lines]
    busiest = max(messages, key=messages.count)
    without = choose_lines(SESSION, budget=2000, count=count, boost={busiest: 0.0})
    assert busiest not in {sources[line.source].message for line in without.lines}


def test_headings_name_tool_and_purpose() -> None:
    chosen = choose_lines(SESSION, budget=1500, count=count)
    assert all(group.heading.startswith("#") for group in chosen.groups)
    assert any("Read" in group.heading for group in chosen.groups)


def test_an_excerpt_of_what_was_written_names_its_file() -> None:
    written = "TOTAL_RATE = read_total_rate()\n" + "    # and so on\n" * 40
    values = [{"role": "user", "content": "Write TOTAL_RATE."}]
    values += [call(1, "write_file", content=written, path="shop/rates.py"), result(1, "ok")]
    values += [m for n in range(2, 9) for m in (call(n, "Read", file_path="shop/rates.py"), result(n, "…"))]
    known = ["path: shop/rates.py"]
    groups = choose_lines(read(*values), budget=40, count=count, present=known).groups
    (group,) = [group for group in groups if "TOTAL_RATE = " in group.body]
    assert group.heading == "#1 write_file: rates.py"


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("/srv/shop/rates.py", "rates.py"),
        ("shop/admin/page.tsx", "admin/page.tsx"),
        (r"C:\shop\mod.rs", r"shop\mod.rs"),
        ("rates.py", "rates.py"),
    ],
)
def test_edits_are_headed_by_the_name_of_their_file_and_its_folder_where_many_have_that_name(path, named) -> None:
    edit = {"file_path": path, "old_string": "RATE = 1", "new_string": "TOTAL_RATE = 2"}
    values = [{"role": "user", "content": "Write TOTAL_RATE."}, call(1, "Edit", **edit), result(1, "ok")]
    chosen = choose_lines(read(*values), budget=60, count=count, present=[f"file_path: {path}"])
    headings = [group.heading for group in chosen.groups]
    assert f"#1 Edit: {named}" in headings


def test_running_line_numbers_of_a_listing_are_taken_off_and_told() -> None:
    listing = "\n".join(f"{n:6}\tvalue_{n} = {n * 1000}" for n in range(41, 60))
    messages = read(
        {"role": "user", "content": "look"}, call(1, "Read", file_path="a/settings.py"), result(1, listing)
    )
    (group,) = choose_lines(messages, budget=500, count=count).groups[-1:]
    assert "settings.py" in group.heading + group.body
    number = int(re.search(r"→ (\d+)\nvalue_(\d+) = (\d+)", group.body)[1])
    assert f"→ {number}\nvalue_{number} = {number * 1000}" in group.body


def test_a_result_wrapped_in_json_is_read_as_its_lines() -> None:
    messages = read(
        {"role": "user", "content": "look"},
        call(1, "shell", command=["bash", "-lc", "cat a.py"]),
        result(1, '{"output":"first_line = 1\\nsecond_line = 2\\n","metadata":{"exit_code":0}}'),
    )
    texts = [line.key for line in choose_lines(messages, budget=300, count=count).lines]
    assert "first_line = 1" in texts
    assert "command: bash -lc cat a.py" in texts


@pytest.mark.parametrize("text", ["x" * 50_000, "word " * 10_000, "a_b," * 12_000, "k\\n" * 15_000])
def test_very_long_lines_come_in_pieces(text: str) -> None:
    messages = read({"role": "user", "content": "go"}, call(1, "Bash", command="cat x"), result(1, text))
    chosen = choose_lines(messages, budget=400, count=count)
    assert count(chosen.render()) <= 400
    assert all(len(line.key) <= 400 for line in chosen.lines)


@pytest.mark.timing
def test_time_grows_about_linearly() -> None:
    def seconds(messages: tuple[Message, ...]) -> float:
        return cpu_seconds(lambda: choose_lines(messages, budget=2000, count=count), 2)

    small, large = shop(40), shop(320)
    seconds(small)
    assert seconds(large) < 8 * 4 * seconds(small)


@given(st.lists(st.text(max_size=200), max_size=6))
@examples(40)
def test_any_text_passes(texts: list[str]) -> None:
    values: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for n, text in enumerate(texts):
        values += [call(n, "Bash", command=text), result(n, text)]
    chosen = choose_lines(read(*values), budget=60, count=count)
    assert count(chosen.render()) <= 60 or not chosen.groups


def test_names_that_once_stood_beside_what_is_worked_on_are_likelier_needed() -> None:
    filler = "\n".join(f"the weather of day {n} was fair and mild again" for n in range(160))
    values: list[dict[str, Any]] = [{"role": "user", "content": "Begin."}]
    for n, text in enumerate(("calls round_total and price_table", "calls send_mail and inbox_table", filler)):
        values += [call(n, "Bash", command=f"show {n}"), result(n, text)]
    values += [call(9, "Bash", command="check round_total"), result(9, "done")]
    view = HistoryView(line_sources(read(*values)), len(values))
    _, chances = score_lines(view)
    assert chances["price_table"] > chances["inbox_table"]


@pytest.mark.parametrize("joint", [";", "(", "\\n"])
def test_a_long_line_without_blanks_is_never_cut_inside_a_name(joint: str) -> None:
    names = [f"rowCounterOf{number:03}" for number in range(200)]
    lines, _ = whole_lines(joint.join(names))
    assert "".join(lines) == joint.join(names)
    assert len(lines) > 3
    assert {name for line in lines for name in line.split(joint) if name} == set(names)


def test_blanks_with_which_a_console_fills_its_lines_are_left_out() -> None:
    shown = "-a---   507 .env       \r\n-a---  1232 app.ts  \r\n    indented\r\n"
    assert read_lines(shown, TextForm.RESULT).lines == [
        "-a---   507 .env",
        "-a---  1232 app.ts",
        "    indented",
    ]
    assert read_lines("a  \nb", TextForm.PLAIN).lines == ["a  ", "b"]
    assert read_lines("a  \nb\nc", TextForm.RESULT).lines == ["a  ", "b", "c"]
    listing = "".join(f"{n:6}\t{text}\n" for n, text in enumerate(("import os", "", "return 1  ", "x = 2"), 1))
    assert read_lines(listing, TextForm.RESULT).first == 1


def test_a_listing_with_a_very_long_line_loses_its_numbers_too():
    long = "x" * 1500
    text = "\n".join(f"{n}\t{long if n == 4 else f'value_{n}'}" for n in range(1, 12))
    lines = read_lines(text, TextForm.COUNTED).lines
    assert lines[0] == "value_1"
    assert lines[-1] == "value_11"


def test_a_larger_budget_goes_on_from_what_was_chosen_and_a_smaller_one_takes_from_its_end() -> None:
    chooser = LineChooser(SESSION, budget=600, count=count)
    first, small = Chosen(chooser.choose(600)), Chosen(chooser.choose(300))
    names = chooser.names
    larger = Chosen(chooser.choose(1500))
    assert set(small.lines) < set(first.lines) < set(larger.lines)
    sizes = [count(chosen.render()) for chosen in (small, first, larger)]
    assert sizes[0] <= 300 < sizes[1] <= 600 < sizes[2] <= 1500
    assert names < chooser.names


def test_a_counter_that_says_nothing_of_a_short_text_is_no_error():
    messages = parse_messages([{"role": "user", "content": "\n".join(f"value_{n} = {n}" for n in range(90))}])
    chooser = LineChooser(messages, budget=500, count=lambda _: 0)
    assert len(chooser.choose(500)) == 1
    assert chooser.choose(-1) == ()


def test_what_an_agent_s_own_summary_says_is_kept_before_what_was_read_since(monkeypatch):
    parts = [f"- `shop/part_{n}.py` rounds its totals with `round_part_{n}` since it was split" for n in range(90)]
    opening = "This session is being continued from a previous conversation that ran out of context."
    messages: list[dict[str, Any]] = [
        {"role": "user", "content": "Round all totals."},
        {"role": "user", "content": "\n".join([opening, *parts])},
    ]
    for k in range(30):
        made = {"type": "tool_use", "id": f"c{k}", "name": "Read", "input": {"file_path": f"src/file_{k}.py"}}
        text = "\n".join(f"value_{k}_{n} = compute_{k}_{n}(old_{n})" for n in range(40))
        answer = {"type": "tool_result", "tool_use_id": f"c{k}", "content": text}
        messages += [{"role": "assistant", "content": [made]}, {"role": "user", "content": [answer]}]

    def kept() -> int:
        config = CondenseConfig(budget=TokenBudget.for_window(16_000))
        done = Condenser(config).condense(messages, target=3000)
        text = "\n".join(m.text for m in parse_messages(done.messages))
        return sum(part in text for part in parts)

    weighed = kept()
    monkeypatch.setattr(ledger_excerpts, "SUMMARY_BOOST", ledger_excerpts.NOTE_BOOST)
    assert weighed > 2 * kept()


@pytest.mark.parametrize(
    ("message", "is_one"),
    [
        ({"role": "user", "content": "<state_snapshot>\nthe goal"}, True),
        ({"role": "user", "content": "the goal", "isCompactSummary": True}, True),
        ({"role": "assistant", "content": "<summary>the goal</summary>"}, False),
        ({"role": "user", "content": "Write a <summary> of it."}, False),
    ],
)
def test_a_summary_of_an_agent_is_known_by_its_flag_or_its_opening(message, is_one):
    assert is_agent_summary(parse_messages([message])[0]) is is_one


PAGE = "Total lines: 12\n" + "\n".join(
    f"L{n}: {text}"
    for n, text in enumerate(
        ["# Prizes", "", "\ue200cite\ue20214†Image: logo\ue201 L3: ", "First: 4,000", "", "Ends July 19", "",
         "\ue200cite\ue2023†the rules\ue201 bind all", "", "See you"]
    )
)  # fmt: skip


def test_of_web_pages_line_numbers_and_bare_marks_are_not_read():
    lines = read_lines(PAGE, TextForm.RESULT).lines
    assert [line for line in lines if line] == [
        "Total lines: 12", "# Prizes", "First: 4,000", "Ends July 19",
        "\ue200cite\ue2023†the rules\ue201 bind all", "See you",
    ]  # fmt: skip
    few = "L1: the loop\nL2: the other loop\nend"
    assert read_lines(few, TextForm.RESULT).lines == few.split("\n")
    labels = "\n".join("L0: mov r0, r1" for _ in range(20))
    assert read_lines(labels, TextForm.RESULT).lines == labels.split("\n")
    code = "\n".join(f"L{n}: goto out;" if n % 9 == 0 else f"x = {n};" for n in range(100))
    assert read_lines(code, TextForm.RESULT).lines == code.split("\n")


COMMANDS = 'const r = await tools.exec_command({"cmd":"cargo test \\"a b\\"\\nls","workdir":"/w"});'
OPENED = 'await tools.web__run({"open":[{"ref_id":"https://a.org/b"},{"ref_id":"turn1search2"}]});'
SEARCHED = 'await tools.web__run({"search_query":[{"q":"csv"},{"q":"bom"}]});'


@pytest.mark.parametrize(
    ("script", "title", "kind"),
    [
        (COMMANDS, 'cargo test "a b"', LineKind.OUTPUT),
        (OPENED, "https://a.org/b", LineKind.PAGE),
        (SEARCHED, "csv; bom", LineKind.PAGE),
        ("const a = 1; text(a);", "const a = 1; text(a);", LineKind.OUTPUT),
    ],
)
def test_a_script_of_tool_calls_is_told_by_what_it_does(script, title, kind):
    asked, shown = line_sources(read(call(1, "exec", input=script), result(1, "done")))
    assert asked.title == shown.title == title
    assert shown.kind is kind


@pytest.mark.parametrize(
    ("command", "kind", "files"),
    [
        (
            ["bash", "-lc", "sed -n '1,9p' 'app/(tabs)/a.tsx' && cat b.md"],
            LineKind.READ,
            ("app/(tabs)/a.tsx", "b.md"),
        ),
        (["bash", "-lc", "sed", "-n", "1,9p", "a.py"], LineKind.READ, ("a.py",)),
        ("cd api && nl -ba src/a.py | sed -n '1,9p'", LineKind.READ, ("api/src/a.py",)),
        ("open src/a.py 40", LineKind.READ, ("src/a.py",)),
        (r"Get-Content app\[slug]\page.tsx", LineKind.READ, ("app/[slug]/page.tsx",)),
        ("rg -n port src | head -20", LineKind.FOUND, ()),
        ("git ls-files | tail -3", LineKind.FOUND, ()),
        ("pytest tests/test_a.py 2>&1 | tail -4 && ls", LineKind.OUTPUT, ()),
    ],
)
def test_what_a_command_shows_is_told_by_its_reading(command, kind, files):
    _, shown = line_sources(read(call(1, "shell", command=command), result(1, "done")))
    assert (shown.kind, shown.shows) == (kind, files)


def test_what_codex_writes_above_an_output_is_not_read_but_for_how_it_failed():
    head = "Chunk ID: 2a45c5\nWall time: 0.0 seconds\nProcess exited with code {}\n"
    shown = head + "Original token count: 5\nOutput:\n{}"
    assert [line for line in read_lines(shown.format(0, "Output:\nup"), TextForm.RESULT).lines if line] == [
        "Output:", "up",
    ]  # fmt: skip
    failed = read_lines(shown.format(2, "no"), TextForm.RESULT).lines
    assert [line for line in failed if line] == ["Process exited with code 2", "no"]
    assert failed.index("no") == 5
    own = "Wall time: the hours that pass on a wall\nOutput: none"
    assert read_lines(own, TextForm.RESULT).lines == own.split("\n")


def parallel(*files: str) -> tuple[Message, ...]:
    calls = [
        {"type": "tool_use", "id": f"p{n}", "name": "Read", "input": {"file_path": f}} for n, f in enumerate(files)
    ]
    shown = [
        {"type": "tool_result", "tool_use_id": f"p{n}", "content": f"def load_{n}_totals(row): ...\nrest"}
        for n in range(len(files))
    ]
    return read(
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": calls},
        {"role": "user", "content": shown},
    )


def test_each_of_several_calls_stands_with_its_own_result():
    groups = choose_lines(parallel("a.py", "b.py"), budget=400, count=count).groups
    assert [("a.py" in g.heading + g.body, "load_0_totals" in g.body) for g in groups[-2:]] == [
        (True, True), (False, False),
    ]  # fmt: skip
    assert "b.py" in groups[-1].heading + groups[-1].body
    assert "load_1_totals" in groups[-1].body


def test_files_that_one_result_shows_stand_each_under_its_name():
    def shown(path: str, text: str) -> str:
        return f"<file><path>{path}</path>\n<content>\n1 | {text}\n2 | rest of {path}\n</content></file>"

    one, two = shown("a/one.py", "def load_totals(): ..."), shown("a/two.py", "def save_totals(): ...")
    text = f"<files>\n{one}\n{two}\n</files>"
    messages = read(call(1, "read_file", path="a/one.py"), result(1, text))
    sources = [s for s in line_sources(messages) if s.kind is LineKind.READ]
    assert [s.shows for s in sources] == [(), ("a/one.py",), ("a/two.py",)]
    assert ["def load_totals(): ..." in s.read.text for s in sources] == [False, True, False]
    groups = choose_lines(messages, budget=400, count=count).groups
    assert [g.heading for g in groups if "save_totals" in g.body] == ["#0 read_file: a/two.py"]


def test_an_edit_that_failed_gives_way_where_a_later_one_did_not():
    def edit(number: int, text: str, answer: str) -> list[dict[str, Any]]:
        return [
            call(number, "Edit", file_path="shop/cart.py", old_string="x", new_string=text),
            result(number, answer),
        ]

    wrong = "\n".join(f"    wrong_total_{k} = price_{k} * wrong_rate" for k in range(150))
    right = "\n".join(f"    right_total_{k} = price_{k} * right_rate" for k in range(150))
    missed = "<tool_use_error>String to replace not found in file.</tool_use_error>"
    work = [
        call(9, "Read", file_path="a.py"),
        result(9, "\n".join(f"value_{k} = load_{k}()" for k in range(400))),
    ]
    ask = {"role": "user", "content": "mend the cart"}
    end = {"role": "assistant", "content": "Done with that, I look at the rest."}

    def kept(*steps: dict[str, Any]) -> int:
        config = CondenseConfig(budget=TokenBudget.for_window(16_000))
        done = Condenser(config).condense([ask, *steps, *work, end], target=1200)
        assert done.summary
        return done.summary.count("wrong_total_")

    assert kept(*edit(1, wrong, missed), *edit(2, right, "updated")) < kept(*edit(1, wrong, missed))


def test_what_the_last_edit_was_to_write_is_kept_where_it_failed():
    """It stands nowhere else: nobody could try it again."""

    def edit(number: int, path: str, name: str, answer: str) -> list[dict[str, Any]]:
        text = "\n".join(f"    {name}_{k} = exact_{name}_{k} * rate_{k % 7}" for k in range(150))
        made = call(number, "Edit", file_path=path, old_string="pass", new_string=text)
        return [made, result(number, answer)]

    ask = {"role": "user", "content": "Round the totals of the cart."}
    end = {"role": "assistant", "content": "I look at the file."}

    def kept(answer: str) -> int:
        config = CondenseConfig(budget=TokenBudget.for_window(16_000))
        steps = [*edit(1, "shop/cart.py", "total", answer), *edit(2, "shop/list.py", "price", "Updated.")]
        done = Condenser(config).condense([ask, *steps, end], target=1400)
        assert done.summary
        return done.summary.count("= exact_total_")

    missed = "<tool_use_error>String to replace not found in file.</tool_use_error>"
    assert kept(missed) > 2 * kept("Updated.")


def test_an_edit_stays_together_where_the_file_shown_behind_it_repeats_its_lines():
    new = [f"    total_{k} = rounded(price_{k}, places={k % 3})" for k in range(6)]
    shown = "\n".join(["def totals(prices):", new[5], *new, "    return prices"])
    messages = read(
        {"role": "user", "content": "Round the totals."},
        call(1, "Bash", command="\n".join(["edit 2:7", *new, "end_of_edit"])),
        result(1, shown),
    )
    body = choose_lines(messages, budget=500, count=count).groups[-1].body
    assert "\n".join(new) in body.partition(ANSWERED)[0]


def test_a_line_that_a_later_call_repeats_stands_with_that_call():
    line = "rounded_total = round(exact_total, 2)"
    messages = read(
        {"role": "user", "content": "Round."},
        call(1, "Bash", command=f"echo first\n{line}"),
        result(1, "done"),
        call(2, "Bash", command=f"echo second\n{line}"),
        result(2, f"ran\n{line}"),
    )
    groups = choose_lines(messages, budget=500, count=count).groups
    assert [group.heading for group in groups if line in group.body] == ["#3"]


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        ("", ["→ (no output)"]),
        (
            "Chunk ID: 2a45c5\nWall time: 0.0 seconds\nProcess exited with code 1\nOutput:\n",
            ["→", "Process exited with code 1"],
        ),
        ("4", ["→", "4"]),
        ("\n".join(f"row {n} of the table" for n in range(40)), []),
    ],
)
def test_a_short_answer_stands_with_its_command(printed, told):
    messages = read(call(1, "Bash", command="rg -n load_totals src/shop"), result(1, printed))
    (group,) = choose_lines(messages, budget=60, count=count).groups
    first, *rest = group.body.split("\n")
    assert first == "Bash command: rg -n load_totals src/shop"
    assert [line for line in rest if not line.startswith("row")][: len(told)] == told if told else True
    assert ("(no output)" in group.body) is (not printed)


def kept_of(path: str, text: str, *wanted: str) -> str:
    """The body of a group that keeps some lines of a file that was read."""
    messages = read({"role": "user", "content": "go on"}, call(1, "Read", file_path=path), result(1, text))
    sources = line_sources(messages)
    lines = [line for line in score_history(messages).lines if line.key in wanted]
    return group_of_lines(sources, lines, "en").body


def test_a_line_of_a_document_stands_under_its_heading():
    rows = "\n".join(f"- something about the boats of day {n}" for n in range(30))
    told = "- write save_totals in shop/totals.py"
    text = f"# Plan\n## Ann's part\n{rows}\n## Bob's part\n{rows}\n{told}"
    assert kept_of("plan.md", text, told) == f"## Bob's part\n{GAP}\n{told}"
    assert kept_of("plan.txt", text, told) == told
    assert kept_of("plan.md", text, "## Bob's part", told).count("## Bob's part") == 1
    fenced = f"# Plan\n```bash\n# never run this\n```\n{rows}\n{told}"
    assert kept_of("plan.md", fenced, told) == f"# Plan\n{GAP}\n{told}"


@pytest.mark.parametrize(
    ("lead", "stays"),
    [
        ("**Not done yet:**", 1),
        ("## Next steps", 1),
        ("尚未完成：", 1),
        ("Shall I go on with", 0),
        ("Would you like these too?", 1),
        ("The boats of the harbour:", 0),
        ("Next steps, as the captain said at noon when the wind had turned north", 0),
    ],
)
def test_an_item_of_what_is_left_or_asked_is_not_read_as_done(lead: str, stays: int):
    done, told = "- the mast is painted", "- paint the deck of boat 9"
    items = "\n".join(f"- write part {n} of the log, whose lines are long enough to be far" for n in range(9))
    text = f"Done:\n{done}\n\n{lead}\n{items}\n{told}"
    messages = read({"role": "user", "content": "go on"}, {"role": "assistant", "content": text})
    lines = [line for line in score_history(messages).lines if line.key in (done, told)]
    body = group_of_lines(line_sources(messages), lines, "en").body
    assert body == "\n".join([done, GAP, *[lead, GAP] * stays, told])


def test_a_list_in_one_line_of_json_is_read_as_its_entries():
    rows = [{"name": f"boat {n}", "length": n, "note": "seen at noon near the harbour"} for n in range(40)]
    found = orjson.dumps({"total": 40, "hits": rows, "text": "one\ntwo"}).decode()
    lines = read_lines(found, TextForm.RESULT).lines
    assert lines[:2] == ["total: 40", "hits:"]
    assert lines[2:42] == [orjson.dumps(row).decode() for row in rows]
    assert lines[42:] == ["text: one", "two"]
    assert read_lines(orjson.dumps(rows).decode(), TextForm.RESULT).lines == lines[2:42]
    deep = '[{"a":' + "[" * 300 + "]" * 300 + "}]"
    for text in ("[1, 2, 3]", "[{broken", '[["a"]]', "{}", '[{"v": 1.10, "a": 1, "a": 2}]', deep):
        assert "".join(read_lines(text, TextForm.RESULT).lines) in (text, "")


def test_examples_in_a_file_that_was_read_are_no_files():
    text = "<file><path>a</path>\nx\n<file><path>b</path>\ny"
    messages = read(call(1, "Read", file_path="prompt.md"), result(1, text))
    assert [s.path for s in line_sources(messages) if s.kind is LineKind.READ] == ["prompt.md"]


WANTED_QUAY = "src/harbour/quay_7.py: free_quay = 7"


@pytest.mark.parametrize(
    ("printed", "told"),
    [
        (["spar", WANTED_QUAY, "mast"], ["→ …", WANTED_QUAY, "…"]),
        ([WANTED_QUAY, "", ""], ["→", WANTED_QUAY]),
        (["", WANTED_QUAY], ["→", WANTED_QUAY]),
        ([WANTED_QUAY, "mast"], ["→", WANTED_QUAY, "…"]),
    ],
)
def test_an_output_that_is_cut_at_its_beginning_or_end_says_so(printed, told):
    asked = "python -m harbour.free_quays --all"
    messages = read(
        {"role": "user", "content": "go on"}, call(1, "Bash", command=asked), result(1, "\n".join(printed))
    )
    sources = line_sources(messages)
    stand = ((n, k, text) for n, source in enumerate(sources) for k, text in enumerate(source.lines))
    lines = [ScoredLine(n, k, text, 0, (), 0, 1) for n, k, text in stand if asked in text or text == WANTED_QUAY]
    assert group_of_lines(sources, lines, "en").body.split("\n")[1:] == told
    begun = [GAP] * (GAP in told[0])
    assert group_of_lines(sources, lines[1:], "en").body.split("\n") == [*begun, *told[1:]]
