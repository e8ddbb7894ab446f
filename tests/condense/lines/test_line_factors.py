"""What a reader needs outlives what merely stands there: added lines, files that are meant, folders of listings."""

from __future__ import annotations

from typing import Any

import pytest
from builders import quarter as count
from chosen_lines import choose_lines

from condense.lines.excerpt_groups import GAP
from condense.lines.line_chooser import score_history
from condense.lines.model.factors import (
    ABOUT,
    ADDED,
    AMBIENT,
    ANSWER,
    ASKED,
    CUT,
    ERROR,
    FRAME,
    FRESH,
    KIND_FACTORS,
    LARGEST,
    LAST,
    LONGEST_ANSWER,
    LONGEST_LAST,
    PIECE,
    PROSE,
    SETTING,
    SMALL,
    SMALLEST,
    VENDORED,
    WHY,
    source_factors,
)
from condense.lines.model.listings import ELSEWHERE, ENOUGH as FEW, MOST_SHORT, OFTEN
from condense.lines.model.near_repeats import ENOUGH
from condense.lines.model.query_words import RARE
from condense.lines.sources import LineKind
from memory.conversation.messages import Form
from memory.conversation.wire.parsing import parse_messages


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
    assert score_history(asked).factors == {"NameResolver.java": ASKED * ABOUT, "./src/impl:": ABOUT}


def test_a_plain_word_of_the_request_means_no_file_but_what_has_it_weighs_more():
    asked = history("the second resolvers are broken", ("ls -R", LISTING))
    assert score_history(asked).factors == dict.fromkeys(("NameResolver.java", "Second.java"), ABOUT)


WORDS = (
    "jurisdiction of tenants\nthe JURISDICTIONS\njurisdictionService\nselectedJurisdiction\n"
    "adjurisdiction\njurisdictional\nplain"
)


def test_lines_with_a_rare_word_of_the_latest_request_weigh_more():
    found = score_history(history("list every jurisdiction", ("cat notes", WORDS))).factors
    assert found == dict.fromkeys(WORDS.split("\n")[:4], ABOUT)
    assert score_history(history("list every one of the files there", ("cat notes", WORDS))).factors == {}


def test_a_word_that_many_lines_have_says_nothing_of_what_they_are_about():
    rows = "\n".join(f"jurisdiction {n}" for n in range(RARE + 1))
    asked = "list every jurisdiction"
    assert score_history(history(asked, ("cat notes", rows))).factors == {}
    assert len(score_history(history(asked, ("cat notes", rows.rpartition("\n")[0]))).factors) == RARE


def test_a_request_of_many_words_says_it_of_everything():
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = [f"{a}{b}word" for a in letters[:3] for b in letters]
    asked = f"jurisdiction {' '.join(words)}"
    assert not score_history(history(asked, ("cat notes", WORDS))).factors.keys() & set(WORDS.split("\n"))


def test_what_the_assistant_said_last_tells_what_it_is_about_too():
    said = {"role": "assistant", "content": "Next comes the jurisdiction."}
    messages = history("go", ("cat notes", WORDS))
    found = score_history([*messages, *parse_messages([said])]).factors
    assert found.keys() >= set(WORDS.split("\n")[:4])
    assert said["content"] not in found


@pytest.mark.parametrize("word", ["İjurisdiction", "jurisdictionİ jurisdiction", "ﬁne jurisdiction"])
def test_letters_that_grow_in_lower_case_move_no_line(word):
    found = score_history(
        history("list every jurisdiction", ("cat notes", f"{word}\nplain\nthe jurisdiction"))
    ).factors
    assert found["the jurisdiction"] == ABOUT
    assert "plain" not in found


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
    factors = score_history(history("read it", ("cat app.py", f"first()\n{line}\nlast()"))).factors
    assert factors == ({line: CUT} if cut else {})


def test_factors_multiply():
    noted = history(
        "fix NameResolver", ("git diff", DIFF.replace("LIMIT = load_limit()", "# see NameResolver.java"))
    )
    assert score_history(noted).factors == {"+# see NameResolver.java": ADDED * ASKED * ABOUT}
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


def worths(*values: dict[str, Any]) -> dict[str, float]:
    """The factor of each source of a history, by its first line."""
    view = score_history(parse_messages(list(values))).view
    return {
        source.lines[0]: factor
        for source, factor in zip(view.sources, source_factors(view), strict=True)
        if source.lines
    }


def edit(path: str, new: str, number: int) -> dict[str, Any]:
    arguments = {"file_path": path, "old_string": "was", "new_string": new}
    call = {"type": "tool_use", "id": f"e{number}", "name": "Edit", "input": arguments}
    return {"role": "assistant", "content": [call]}


def test_what_a_short_edit_puts_into_a_file_since_the_latest_request_weighs_more():
    long = "\n".join(f"row_{n} = {n} * width  # {n} of many" for n in range(40))
    found = worths(
        {"role": "user", "content": "go"},
        edit("a.py", "early = 1", 1),
        {"role": "user", "content": "now the other"},
        edit("b.py", "late = 2", 2),
        edit("c.py", long, 3),
    )
    new = KIND_FACTORS[LineKind.NEW]
    assert found["new_string: early = 1"] == new * SMALL
    assert found["new_string: late = 2"] == new * SMALL * FRESH * LAST  # both in the newest messages
    assert found["new_string: row_0 = 0 * width  # 0 of many"] == new * LAST


def test_the_longer_a_result_the_less_its_lines_weigh():
    sizes = [20, 2_000, 20_000, 2_000_000]
    steps = [(f"run {n}", f"start {n}\n" + "x" * n) for n in sizes]
    found = score_history(history("go", *steps)).view
    factors = [
        factor / KIND_FACTORS[LineKind.OUTPUT]
        for source, factor in zip(found.sources, source_factors(found), strict=True)
        if source.kind is LineKind.OUTPUT
    ]
    assert factors == sorted(factors, reverse=True)
    assert 1 < factors[0] <= LARGEST
    assert factors[1] == pytest.approx(1, abs=0.01)
    assert factors[3] == SMALLEST


def test_a_sentence_of_a_page_weighs_more_than_its_menu():
    page = "Home\nDocs\nThe free tier allows sixty calls a minute.\nsign in to read on now"
    call = {"type": "tool_use", "id": "w", "name": "WebFetch", "input": {"url": "https://example.org/limits"}}
    result = {"type": "tool_result", "tool_use_id": "w", "content": page}
    values = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    scored = score_history(parse_messages([{"role": "user", "content": "go"}, *values]))
    assert scored.factors == {"The free tier allows sixty calls a minute.": PROSE}


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


def factors_of(command: str, output: str, ask: str = "go", path: str = "src/app/main.py") -> Any:
    """The factors of a history in which a file was read, then something listed or searched."""
    return score_history(history(ask, (f"cat {path}", "import os"), (command, output))).factors


def test_entries_of_one_name_weigh_the_less_the_more_there_are():
    entries = [f"src/part_{n}/CMakeLists.txt" for n in range(12)]
    found = factors_of("find src -type f", "\n".join([*entries, "src/app/other.py"]))
    assert {found[entry] for entry in entries} == {OFTEN / 12 * ELSEWHERE}
    assert "src/app/other.py" not in found
    assert factors_of("find src -type f", "\n".join(entries[:MOST_SHORT])) == {}


def test_entries_of_folders_that_nobody_worked_in_weigh_less():
    near = [f"lib/app/file_{n}.py" for n in range(6)]
    far = [f"lib/vendored/code_{n}.py" for n in range(6)]
    found = factors_of("find lib", "\n".join([*near, *far]))
    assert {found.get(entry) for entry in far} == {ELSEWHERE * FEW / 6}
    assert {found.get(entry) for entry in near} == {FEW / 6}


def test_entries_of_one_folder_with_one_ending_weigh_the_less_the_more_there_are():
    many = [f"gen/msg/Part{n}.h" for n in range(20)]
    few = ["gen/msg/start.launch", "gen/msg/README.md"]
    home = [f"src/app/part_{n}.py" for n in range(20)]
    found = factors_of("find . -type f", "\n".join([*many, *few, *home]))
    assert {found[entry] for entry in many} == {ELSEWHERE * FEW / 20}
    assert {found[entry] for entry in few} == {ELSEWHERE}
    assert not found.keys() & set(home)
    absolute = factors_of("git ls-files", "\n".join([*many, *home]), path="/home/me/shop/src/app/main.py")
    assert not absolute.keys() & set(home)


def test_lines_that_differ_in_names_and_numbers_only_weigh_the_less_the_more_there_are():
    rows = [f"src/{name}_store.py:{n}:    return cached_value" for n, name in enumerate("abcdefghij", 3)]
    other = "src/main.py:9:    raise KeyError(name)"
    found = factors_of("grep -rn cached src", "\n".join([*rows, other]))
    assert {found[row] for row in rows} == {ENOUGH / len(rows)}
    assert other not in found
    assert not factors_of("grep -rn cached src", "\n".join(rows[:ENOUGH]))
    written = {"role": "assistant", "content": [{"type": "tool_use", "id": "w", "name": "Write"}]}
    written["content"][0]["input"] = {"file_path": "a.txt", "content": "\n".join(rows)}  # type: ignore[index]
    assert not score_history(parse_messages([{"role": "user", "content": "go"}, written])).factors


@pytest.mark.parametrize(
    "row",
    [
        "FAILED tests/test_{n}.py::test_a",
        "--- FAIL: Test_{n} (0.01s)",
        "  ✕ renders the cart_{n} again",
        "src/a_{n}.ts: error TS1: x",
    ],
)
def test_each_complaint_of_a_program_counts_by_itself(row):
    rows = [row.format(n=n) for n in range(30)]
    printed = factors_of("make test", "\n".join(rows))
    assert not {key for key in printed if printed[key] < 1}
    found = factors_of("grep -rn x src", "\n".join(rows))
    assert {found[key.strip()] for key in rows} == {ENOUGH / 30}


def test_what_repeats_in_a_file_that_was_shown_is_its_content():
    rows = [f"    field_{n}: Optional[Decimal]" for n in range(30)]
    assert factors_of("cat models.py", "\n".join(rows)) == {}


NO_LISTINGS = [
    "https://example.org/a/page_{n}",
    "tests/b/test_x.py::test_{n}[a]",
    "<li><a/b_{n}></li>",
    "lib/x/conf_{n}.ini:3:timeout=30",
    "    build/part_{n} (ok)",
]


@pytest.mark.parametrize("row", NO_LISTINGS)
def test_only_paths_by_themselves_are_entries_of_a_listing(row):
    rows = [row.format(n=n) for n in range(30)]
    found = factors_of("rg -l x", "\n".join(rows))
    assert not {key for key, factor in found.items() if factor in (ELSEWHERE, OFTEN / 30 * ELSEWHERE)}


def test_what_changed_and_folders_and_windows_paths():
    changed = "\n".join(f"lib/far/part_{n}.py" for n in range(30))
    assert factors_of("git diff --name-only", changed) == {}
    folders = [f"src/app/part_{n}/" for n in range(30)]
    assert factors_of("ls -d src/app/*/", "\n".join(folders)) == {}
    windows = [f"C:\\shop\\{folder}\\part_{n}.py" for folder in ("app", "far") for n in range(9)]
    found = factors_of("dir /s /b", "\n".join(windows), path="'C:\\shop\\app\\main.py'")
    assert found == dict.fromkeys(windows[9:], ELSEWHERE * FEW / 9)
    nowhere = score_history(history("go", ("find lib", changed))).factors
    assert set(nowhere.values()) == {FEW / 30}, "nobody worked anywhere yet"


def test_what_a_person_lists_weighs_as_it_is():
    ask = "port these files:\n" + "\n".join(f"packages/x_{n}/index.js" for n in range(30))
    assert factors_of("ls", "README.md", ask=ask) == {}
    added = f"go\n<environment_details>\n{ask}\n</environment_details>"
    assert set(factors_of("ls", "README.md", ask=added).values()) == {OFTEN / 30 * ELSEWHERE}


def test_an_edit_that_failed_is_not_what_has_come_of_the_request():
    failed = {
        "role": "user",
        "content": [{"type": "tool_result", "tool_use_id": "e1", "content": "not found", "is_error": True}],
    }
    found = worths({"role": "user", "content": "go"}, edit("b.py", "late = 2", 1), failed)
    assert found["new_string: late = 2"] == KIND_FACTORS[LineKind.NEW] * LAST  # the newest call


def test_what_the_latest_request_names_counts_however_often_its_like_stands_there():
    rows = [f"src/{name}_store.py:{n}:    return cached_value" for n, name in enumerate("abcdefghij", 3)]
    found = factors_of("grep -rn cached src", "\n".join(rows), ask="look at src/c_store.py")
    named = "src/c_store.py:5:    return cached_value"
    expected = {row: ABOUT * (ASKED if row == named else ENOUGH / len(rows)) for row in rows}
    assert {row: found[row] for row in rows} == pytest.approx(expected)


@pytest.mark.parametrize(("characters", "factor"), [(100, LAST), (LONGEST_LAST + 1, 1)])
def test_the_newest_call_counts_more_than_those_before_unless_it_is_long(characters: int, factor: float):
    command = "make " + "x" * (characters - 5)
    view = score_history(history("Build it.", (command, "ok"), ("ls", "a"), (command, "ok"))).view
    factors = source_factors(view)
    first, _, newest = [factors[at] for at, s in enumerate(view.sources) if s.kind is LineKind.COMMAND]
    assert newest == pytest.approx(first * factor)


@pytest.mark.parametrize(("characters", "factor"), [(1500, ANSWER), (LONGEST_ANSWER + 1, 1)])
def test_the_newest_result_counts_more_than_one_before_unless_it_is_long(characters: int, factor: float):
    told = "x" * characters
    view = score_history(history("Build it.", ("make", told), ("make", told))).view
    factors = source_factors(view)
    first, newest = [factors[at] for at, s in enumerate(view.sources) if s.kind is LineKind.OUTPUT]
    assert newest == pytest.approx(first * factor)


def test_what_an_editor_complains_of_in_the_newest_result_is_an_error():
    told = "- [basedpyright Error] 40 |  run(x) : Expected 0 arguments"
    assert factors_of("save", f"saved\n{told}")[told] == ERROR
