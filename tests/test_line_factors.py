"""What a reader needs outlives what merely stands there: added lines, files that are meant, folders of listings."""

from __future__ import annotations

from typing import Any

import pytest
from chosen_lines import choose_lines

from condense.excerpting import score_history
from condense.excerpts import GAP
from condense.line_factors import ADDED, AMBIENT, ASKED, CUT, ERROR, PIECE, SETTING, VENDORED, WHY
from memory.messages import Form
from memory.wire import parse_messages


def count(text: str) -> int:
    return (len(text.encode()) + 3) // 4


def history(ask: str, *steps: tuple[str, str]) -> Any:
    values: list[dict[str, Any]] = [{"role": "user", "content": ask}]
    for n, (command, output) in enumerate(steps):
        call = {"type": "tool_use", "id": f"c{n}", "name": "Bash", "input": {"command": command}}
        values.append({"role": "assistant", "content": [call]})
        values.append(
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{n}", "content": output}]}
        )
    return parse_messages(values, Form.ANTHROPIC)


DIFF = (
    "diff --git a/x.py b/x.py\n@@ -1,3 +1,4 @@\n import os\n+LIMIT = load_limit()\n-LIMIT = 3\n print(LIMIT)"
)


def test_a_line_that_a_difference_adds_weighs_more_than_those_around_it():
    factors = score_history(history("show it", ("git diff", DIFF))).factors
    assert factors == {"+LIMIT = load_limit()": ADDED}


@pytest.mark.parametrize(
    "output", ["+ npm ci\n+ npm test", "+1 for the plan\n3 + 4", "+ something different\n+ differs"]
)
def test_a_plus_sign_outside_a_difference_adds_nothing(output):
    assert score_history(history("show it", ("sh run.sh", output))).factors == {}


LISTING = "./src/impl:\nOtherThing.java\nNameResolver.java\n\n./src/other:\nSecond.java\nThird.java"


def test_the_file_that_a_request_means_weighs_more():
    asked = history("NotSerializableException: shop.impl.NameResolver", ("ls -R", LISTING))
    assert score_history(asked).factors == {"NameResolver.java": ASKED}
    plain = history("the resolver is broken", ("ls -R", LISTING))
    assert score_history(plain).factors == {}


def test_a_plain_word_of_the_request_means_no_file():
    assert score_history(history("update the readme second", ("ls -R", LISTING))).factors == {}


@pytest.mark.parametrize(
    "line",
    [
        'if std::env::var("SHOP_OFFLINE").is_ok() {',
        "const url = process.env.SHOP_URL",
        "SHOP_RETRIES=5",
        '"--max-steps" => steps = next()?,',
        "app.listen(port=3001)",
    ],
)
def test_a_written_line_that_sets_something_weighs_more(line):
    call = {
        "type": "tool_use",
        "id": "c",
        "name": "Write",
        "input": {"file_path": "a.x", "content": f"plain\n{line}"},
    }
    messages = parse_messages([{"role": "user", "content": "go"}, {"role": "assistant", "content": [call]}])
    assert score_history(messages).factors == {line: SETTING}
    shown = history("go", ("cat a.x", f"plain\n{line}"))
    assert score_history(shown).factors == {}


def test_pieces_of_a_line_that_is_too_long_weigh_less_than_lines():
    data = ", ".join(f'{{"id": {n}, "path": "out/part_{n}.csv"}}' for n in range(60))
    factors = score_history(history("go", ("cat a.json", f"a short line\n{data}\nthe end of it"))).factors
    assert len(factors) > 3
    assert set(factors.values()) == {PIECE}
    assert not {"a short line", "the end of it"} & factors.keys()


@pytest.mark.parametrize(
    ("line", "cut"),
    [
        ("[... omitted 65 of 321 lines ...]", True),
        ("[Output truncated after 256 lines]", True),
        ("…153 tokens truncated…", True),
        ("[...151135 characters omitted...]", True),
        ("[... omitted 0 of 206 lines ...]", False),
        ("the list is truncated after a while", False),
    ],
)
def test_a_line_that_says_how_much_of_an_output_is_missing_weighs_more(line, cut):
    factors = score_history(history("read it", ("cat app.py", f"first = 1\n{line}\nlast = 9"))).factors
    assert factors == ({line: CUT} if cut else {})


def test_factors_multiply():
    noted = history(
        "fix NameResolver", ("git diff", DIFF.replace("LIMIT = load_limit()", "# see NameResolver.java"))
    )
    assert score_history(noted).factors == {"+# see NameResolver.java": ADDED * ASKED}
    noted = parse_messages(
        [
            {"role": "user", "content": "fix NameResolver"},
            {"role": "assistant", "content": "We keep it because NameResolver.java is frozen."},
        ]
    )
    assert score_history(noted).factors == {"We keep it because NameResolver.java is frozen.": WHY[1] * ASKED}


def test_a_line_with_two_cues_of_a_reason_weighs_more_than_one_with_one():
    said = (
        "We chose pnpm because npm is slow.\nNothing here.\nIt is slow because of the lock, because it is.\n"
    )
    messages = [{"role": "user", "content": "go"}, {"role": "assistant", "content": said}]
    assert score_history(parse_messages(messages)).factors == {
        "We chose pnpm because npm is slow.": WHY[2],
        "It is slow because of the lock, because it is.": WHY[1],
    }


def body_of(messages: Any, budget: int) -> list[str]:
    chosen = choose_lines(messages, budget=budget, count=count)
    return "\n".join(group.body for group in chosen.groups).split("\n")


def test_a_kept_line_of_a_listing_stands_under_the_heading_of_its_section():
    sections = [
        f"./src/part{n}:\n"
        + "\n".join(f"filler{n}_{k} is a rather long entry of the list" for k in range(30))
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


def test_listed_files_of_dependencies_give_way_but_what_a_search_found_in_them_does_not():
    found = "shop/node_modules/a/b.d.ts:12: export declare function pad"
    listing = f"shop/node_modules/left-pad/package.json\nshop/src/cart.ts\n{found}"
    scored = score_history(history("find it", ("rg --files", listing)))
    assert scored.factors.get("shop/node_modules/left-pad/package.json") == VENDORED
    assert "shop/src/cart.ts" not in scored.factors
    assert found not in scored.factors


def test_what_a_client_tells_of_the_machine_gives_way():
    told = "<environment_context>\n  <cwd>/shop</cwd>\n  <shell>zsh</shell>\n</environment_context>"
    values = [{"role": "user", "content": told}, {"role": "user", "content": "mend /shop/cart.py"}]
    factors = score_history(parse_messages(values, Form.ANTHROPIC)).factors
    assert factors["<cwd>/shop</cwd>"] == AMBIENT
    assert "mend /shop/cart.py" not in factors


def test_an_error_in_the_newest_outputs_weighs_more():
    log = "loaded 3 rows\nError: code 401, no key\nzoo.KeyError: 'port'\n0 errors"
    factors = score_history(
        history("go", ("./old", log), ("./load", "fine"), ("./serve", f"{log} again"))
    ).factors
    assert factors["zoo.KeyError: 'port'"] == factors["Error: code 401, no key"] == ERROR
    older = score_history(history("go", ("./old", log), ("./load", "fine"), ("./serve", "fine"))).factors
    assert "Error: code 401, no key" not in older
    assert "loaded 3 rows" not in factors
