"""An outline: names likely needed again that stand nowhere else, by file or source."""

from __future__ import annotations

import re

import pytest
from examples import examples
from hypothesis import given, strategies as st

from condense import CondenseConfig, Condenser, TokenBudget
from condense.ledger.document import Ledger, read_ledger
from condense.ledger.excerpt_section import OUTLINE_FROM, OUTLINE_ROOM, outline_room
from condense.ledger.readings import opened_outline
from condense.lines.line_chooser import score_history
from condense.lines.outline import LONGEST_PLACE, outline_lines
from condense.reading.text.identifiers import beginning_of
from memory import ConversationMemory
from memory.conversation.wire.parsing import parse_messages

TARGET = OUTLINE_FROM


def count(text):
    return -(-len(text.encode()) // 4)


def call(number, name, **arguments):
    made = {"type": "tool_use", "id": f"c{number}", "name": name, "input": arguments}
    return {"role": "assistant", "content": [made]}


def result(number, text):
    made = {"type": "tool_result", "tool_use_id": f"c{number}", "content": text}
    return {"role": "user", "content": [made]}


def read(number, path, text):
    return [call(number, "Read", file_path=path), result(number, text)]


def run(number, command, text):
    return [call(number, "Bash", command=command), result(number, text)]


def ask(text="Round the totals of the cart."):
    return {"role": "user", "content": text}


def outlined(*parts, present="", names=(), room=400, older=()):
    messages = [m for part in parts for m in (part if isinstance(part, list) else [part])]
    scored = score_history(parse_messages([ask(), *messages]))
    return outline_lines(scored, room=room, count=count, present=present, names=names, older=older)


def listed(lines):
    return {name for line in lines for name in line.partition(": ")[2].split()}


def shop(files=12, lines=60, first=0):
    """A long made-up session: many files read, each with names of its own."""
    out = []
    for n in range(first, first + files):
        body = "\n".join(f"    cart_total_{n}_{i} = round_price(line_{n}_{i})" for i in range(lines))
        out += read(n, f"shop/part_{n}.py", body)
        out.append({"role": "assistant", "content": f"Part {n} is read."})
    return out


def condensed(messages, target=TARGET):
    one = Condenser(CondenseConfig(budget=TokenBudget.for_window(4 * target)), count_tokens=count)
    done = one.condense(messages, memory=ConversationMemory("t"), target=target)
    assert done.error is None
    ledgers = [read_ledger(m.text) for m in parse_messages(done.messages)]
    return done.messages, next(ledger for ledger in ledgers if ledger is not None)


# --- which names, and where ---


def test_names_stand_under_the_file_they_were_read_in():
    lines = outlined(read(1, "shop/cart.py", "def round_total(cart):\n    return cart.sum_lines()"))
    assert lines == ("cart.py: round_total cart.sum_lines",)


def test_a_name_that_stood_in_a_file_and_in_an_output_is_told_of_the_file():
    lines = outlined(
        read(1, "shop/cart.py", "def round_total(cart): ..."), run(2, "make check", "round_total failed")
    )
    assert [line for line in lines if "round_total" in line] == ["cart.py: round_total"]


def test_names_of_an_output_that_shows_several_files_stand_under_all_of_them():
    shown = run(1, "sed -n '1,9p' shop/cart.py && sed -n '1,9p' shop/rates.py", "round_total\nrate_of_day")
    assert outlined(shown)[1:] == ("cart.py, rates.py: round_total rate_of_day",)


def test_names_of_an_output_stand_under_what_was_run():
    assert outlined(run(1, "make check", "missing_column here")) == ("#1 make check: missing_column",)


def test_what_was_run_is_never_cut_within_a_word():
    command = "run-migrations --settings=production_settings --no-input"
    (line,) = [one for one in outlined(run(1, command, "missing_column here")) if "missing_column" in one]
    place = line.partition(": ")[0]
    assert place == "#1 run-migrations"
    assert len(place) <= LONGEST_PLACE + 4


@pytest.mark.parametrize(
    "word",
    [
        "8080",
        "deadbeef12",
        "hf_9ecc7241935c",
        "v1.20.3",
        "1.2.3",
        "end-to-end",
        "e.target",
        "plain",
        "node_modules/left/pad.js",
    ],
)
def test_what_says_nothing_by_itself_is_not_listed(word):
    lines = outlined(read(1, "shop/cart.py", f"round_total {word}"))
    assert listed(lines) == {"round_total"}


@pytest.mark.parametrize("path", ["shop/a\tb.py", "shop/a b.py", "购物/车.py", "C:\\shop\\cart.py", "#3 x.py"])
def test_a_place_with_odd_characters_stands_on_one_line_and_is_read_back(path):
    lines = outlined(read(1, path, "round_total here"))
    ledger = Ledger(names=lines)
    assert len(lines) == 1
    assert "\n" not in lines[0]
    assert read_ledger(ledger.render()) == ledger


def test_two_words_with_a_slash_are_a_folder_in_code_and_an_alternative_in_prose():
    assert "shop/rates" in listed(outlined(read(1, "shop/cart.py", "load('shop/rates')")))
    assert "shop/rates" not in listed(outlined(read(1, "notes/cart.md", "the shop/rates of today")))


def test_a_key_is_not_listed():
    key = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
    lines = outlined(read(1, "shop/pay.py", f'stripe_key = "{key}"'))
    assert listed(lines) == {"stripe_key"}


def test_a_short_name_is_told_beside_a_longer_one_that_begins_alike():
    lines = outlined(read(1, "shop/cart.py", "max_lines = 25\nmax_lines_total = f(3)"), present="db_max_lines")
    assert listed(lines) == {"max_lines", "max_lines_total"}


def test_a_long_line_of_an_earlier_outline_is_read_whole():
    names = [f"cart_total_{chr(97 + i // 26)}{chr(97 + i % 26)}x" for i in range(90)]
    text = opened_outline(["cart.py: " + " ".join(names), "#5 git commit: other_name"])
    lines = outlined({"role": "assistant", "content": text}, room=2000, older={1})
    assert listed(lines) == {*names, "other_name"}
    assert {line.partition(": ")[0] for line in lines} == {"cart.py", "#5 git commit"}


def test_a_place_that_holds_a_key_is_told_by_its_tool():
    lines = outlined(run(1, "PGPASSWORD=Xk29vq81fR psql", "missing_column here"))
    assert lines == ("#1 Bash: missing_column",)


def test_a_password_is_not_listed():
    lines = outlined(read(1, "shop/.env", "DB_PASSWORD=Xk29-vq_81fR\nDB_NAME=shop"))
    assert "Xk29" not in "".join(lines)
    assert "DB_NAME" in listed(lines)


def test_a_name_within_another_of_its_place_is_not_said_twice():
    lines = outlined(read(1, "shop/cart.py", "round_total\nself.round_total\nshop.self.round_total"))
    assert "".join(lines).count("round_total") == 1


@pytest.mark.parametrize(
    "path",
    [
        "/srv/shop/app/cart.py",
        "~/.config/shop/rules.toml",
        "@shop/cart-totals/round",
        "./app/cart.ts",
        ".ci/run.sh",
    ],
)
def test_a_path_is_listed_with_what_it_begins_with(path):
    assert path in listed(outlined(run(1, "ls", f"see {path} and others")))
    first = f"- #1 Bash ls: {path}"
    assert path in listed(outlined(ask(first), older={1}))


def test_the_end_of_a_path_begins_with_nothing():
    assert beginning_of("app/cart.py", "open /srv/app/cart.py") == ""
    assert beginning_of("app/cart.py", "app/cart.py") == ""
    assert beginning_of("round_total", "self.round_total") == ""


def test_what_stands_there_anyway_is_not_listed():
    file = read(1, "shop/cart.py", "round_total other_total third_total")
    assert listed(outlined(file, present="see round_total", names={"other_total"})) == {"third_total"}


@given(room=st.integers(-5, 300), scale=st.sampled_from([1, 2, 5]))
@examples(25)
def test_never_more_than_the_room(room, scale):
    scored = score_history(parse_messages([ask(), *shop(3, 20)]))
    lines = outline_lines(scored, room=room, count=lambda t: scale * count(t), present="", names=())
    assert scale * count("".join(f"- {line}\n" for line in lines)) <= max(room, 0)


# --- in a ledger ---


def test_a_condensed_history_lists_names_that_no_line_of_it_holds():
    messages, ledger = condensed([ask(), *shop(16)])
    own = listed(ledger.names)
    assert len(own) > 20
    rest = Ledger.render(ledger).replace("\n".join(f"- {line}" for line in ledger.names), "")
    others = [m.text for m in parse_messages(messages) if read_ledger(m.text) is None]
    words = set(re.findall(r"[\w.]+", "\n".join([rest, *others])))
    assert not own & words
    assert all(re.match(r"part_\d+\.py: ", line) for line in ledger.names if "cart_total" in line)


def test_names_outlive_the_next_compaction_under_their_file():
    first, ledger = condensed([ask(), *shop(3, lines=300)])
    before = {name: line.partition(": ")[0] for line in ledger.names for name in listed([line])}
    _, again = condensed([*first, *shop(1, lines=40, first=20), ask("And the discounts.")])
    after = {name: line.partition(": ")[0] for line in again.names for name in listed([line])}
    kept = before.keys() & after.keys()
    assert len(kept) > 5
    assert all(before[name] == after[name] for name in kept)


def test_names_far_along_a_long_line_outlive_the_next_compaction_too():
    first, ledger = condensed([ask(), *shop(2, lines=600)])
    (longest,) = sorted(ledger.names, key=len)[-1:]
    far = listed([f": {longest[500:]}"]) - listed([f": {longest[:500]}"])
    assert len(far) > 20
    again, _ = condensed([*first, *run(90, "make notes", "plain words only\n" * 400), ask("Next.")])
    text = "\n".join(m.text for m in parse_messages(again))
    assert sum(name in text for name in far) > len(far) / 3


def test_a_name_of_the_system_prompt_is_not_listed():
    system = {"role": "system", "content": "Keep the totals as they are."}
    _, ledger = condensed([system, ask(), *shop(6, lines=200)])
    name = sorted(listed(ledger.names))[5]
    _, ledger = condensed([{**system, "content": f"Keep {name} as it is."}, ask(), *shop(6, lines=200)])
    assert ledger.names
    assert name not in listed(ledger.names)


def test_room_that_the_outline_does_not_need_goes_to_the_excerpts():
    plain = [f"the {n} th line says that nothing but words stand in it" for n in range(900)]
    messages, ledger = condensed([ask(), *run(1, "cat words", "\n".join(plain)), ask("Go on.")])
    assert not ledger.names
    tokens = sum(count(m.text) for m in parse_messages(messages))
    assert tokens > 0.95 * TARGET


def test_an_earlier_outline_is_never_quoted_as_what_was_done():
    first, ledger = condensed([ask(), *shop(3, lines=300)])
    assert ledger.names
    _, again = condensed([*first, *shop(6, first=20), ask("And the discounts.")])
    bodies = "\n".join(e.body for e in (*again.excerpts, *again.answers))
    assert not any(line[:60] in bodies for line in ledger.names)


def test_the_outline_takes_little_of_a_large_target_and_nothing_of_a_small_one():
    assert outline_room(OUTLINE_ROOM[-1][0]) == outline_room(100_000)
    assert all(outline_room(target) < 0.05 * target for target in range(OUTLINE_FROM, 60_000, 500))
    assert outline_room(OUTLINE_FROM) > 0 == outline_room(OUTLINE_FROM - 1)
    narrated = [outline_room(target, narrated=True) for target in (1_000, 4_000, 8_000, 100_000)]
    assert narrated == sorted(narrated)
    assert 0 < narrated[0] < 100
    assert narrated[-1] == outline_room(100_000)


def test_a_small_summary_lists_no_names():
    _, ledger = condensed(shop(), target=4000)
    assert not ledger.names
    assert ledger.excerpts


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("app/[slug]/edit/page.tsx", "edit/page.tsx"),
        ("open ${ROOT}/pkg/core.c", "pkg/core.c"),
        ("**/tests/unit/test_cart.py", "tests/unit/test_cart.py"),
        ("数据/src/cart.py", "src/cart.py"),
        ("…/src/shop/cart.py", "src/shop/cart.py"),
        ("#/components/schemas/User.json", "components/schemas/User.json"),
        ("C:/srv/shop/cart.py", "srv/shop/cart.py"),
        ("/srv/app/cart.pyc srv/app/cart.py", "srv/app/cart.py"),
        ("src/app/cart.py is /src/app/cart.py there", "src/app/cart.py"),
    ],
)
def test_a_path_whose_beginning_is_not_known_is_listed_without_one(line, path):
    assert path in listed(outlined(run(1, "make", line)))


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("import x from '@/components/cart.tsx'", "@/components/cart.tsx"),
        ("see (../../src/cart.py)", "../../src/cart.py"),
        ("FILE=/srv/app/cart.py", "/srv/app/cart.py"),
        ("at:/srv/app/cart.py:12", "/srv/app/cart.py"),
    ],
)
def test_a_path_is_told_from_the_end_of_a_longer_one(line, path):
    assert path in listed(outlined(run(1, "make", line)))


def test_a_path_s_beginning_is_not_read_off_the_end_of_a_longer_one():
    assert beginning_of("srv/cart.py", "cp backup/srv/cart.py /srv/cart.py") == "/"
    assert beginning_of("srv/cart.py", "cp /srv/cart.pyc srv/cart.py") == ""


def test_paths_of_two_words_outlive_the_next_compaction():
    names = {"/srv/apps", "~/notes/daily", "@types/node"}
    (line,) = outlined(ask(f"conf/dirs.py: {' '.join(sorted(names))}"), older={1})
    assert names <= set(line.split())
