"""Reducing tool outputs: what stays, what goes, and that the markers tell the truth."""

from __future__ import annotations

import json
import re
from itertools import pairwise

import pytest
from builders import quarter as count
from clock import cpu_seconds

from condense.reading.outputs.harness_frames import frame_weights
from condense.reading.outputs.long_lines import lines_behind
from condense.reading.outputs.reducer import reduce_output
from condense.reading.outputs.trouble_words import Sheet
from condense.reading.outputs.weighing import weigh
from tests import tool_outputs as seen


def reduced(text, budget=250, **rest):
    return reduce_output(text, budget_tokens=budget, count=count, **rest)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (seen.PYTEST, ["FAILED tests/unit/test_cart.py::test_discount_is_capped - assert 4.0 == 20",
                       "FAILED tests/unit/test_tax.py::test_rounding[EUR] - decimal.InvalidOperation",
                       "=================== 2 failed, 211 passed, 1 skipped in 6.34s ===================",
                       "E       assert 4.0 == 20", "tests/unit/test_cart.py:57: AssertionError"]),
        (seen.JEST, ["FAIL src/cart/total.test.ts", "  ● total › applies the coupon once",
                     "Tests:       1 failed, 142 passed, 143 total", "    Expected: 90", "    Received: 81"]),
        (seen.CARGO, ["test book::tests::closes ... FAILED",
                      "thread 'book::tests::closes' panicked at src/book.rs:88:9:",
                      "test result: FAILED. 2 passed; 1 failed; 0 ignored; finished in 0.02s"]),
        (seen.RUSTC, ["error[E0308]: mismatched types", "  --> src/book.rs:21:18",
                      'error: could not compile `ledger` (bin "ledger") due to 1 previous error']),
        (seen.NPM, ["npm ERR! code ERESOLVE", "npm ERR! ERESOLVE unable to resolve dependency tree",
                    "npm ERR! Found: react@19.1.0"]),
        (seen.MAKE, ["src/parse.c:112:17: error: 'struct token' has no member named 'kind'",
                     "make: *** [Makefile:12: all] Error 2", "  112 |     return tok->kind;"]),
        (seen.DOCKER, ["#7 9.91 ERROR: No matching distribution found for left-pad==9.9"]),
        (seen.TRACEBACK, ["Traceback (most recent call last):", '  File "/srv/app/jobs.py", line 31, in handle',
                          "KeyError: 'price'"]),
        (seen.JAVA_TRACE, ['Exception in thread "main" java.lang.IllegalStateException: no data source',
                           "\tat org.acme.Store.open(Store.java:44)",
                           "Caused by: java.net.ConnectException: Connection refused"]),
        (seen.NODE_TRACE, ["TypeError: Cannot read properties of undefined (reading 'map')",
                           "    at renderList (/srv/web/src/list.js:12:22)"]),
        (seen.GREP, ["src/billing/rules.py:12:def compute_total(row):",
                     "src/api/views.py:40:    from billing.rules import compute_total"]),
        (seen.LISTING, ["./src:", "drwxr-xr-x  4 me me 4096 Mar  4 10:00 src", "14 directories, 103 files"]),
        (seen.DIFF, ["diff --git a/src/tax.py b/src/tax.py", "-    return amount * 0.19",
                     "+    return amount * rate", " 2 files changed, 63 insertions(+), 1 deletion(-)"]),
        (seen.JSON_PRETTY, ['  "status": "partial",', '    "message": "warehouse 7 is closed"', '  "total": 120']),
        (seen.TABLE, ["| region | orders | revenue |", "| total | 92820 | 7076640 |"]),
        (seen.HTML, ["<title>Stock by warehouse</title>", "<h1>Warehouse seven</h1>",
                     "<p>The warehouse is closed for stocktaking until Monday.</p>"]),
        (seen.CHINESE_LOG, ["2026-03-04 10:02:11 [错误] 无法连接数据库：连接超时（主机 db-2，端口 5432）",
                            "共 131 个任务，失败 1 个"]),
        (seen.SOURCE, ["MAX_DISCOUNT = Decimal('0.5')", "def step_0(cart):"]),
        (seen.CODEX_HEADED, ["Process exited with code 2", "make: *** [Makefile:12: all] Error 2"]),
    ],
)  # fmt: skip
def test_the_telling_lines_of_an_output_stay(text, kept):
    lines = reduced(text).split("\n")
    assert [k for k in kept if k not in lines] == []
    assert count("\n".join(lines)) <= 250


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        (seen.NPM, "npm http fetch GET 200 registry/pkg-40 "),
        (seen.GREP, "node_modules/x/dist/bundle.min.js:20:"),
        (seen.LISTING, "node_modules/chunk_20.js"),
        (seen.DIFF, '"resolved": "pkg-30-'),
        (seen.HTML, ".c40 {"),
        (seen.RUSTC, "Compiling dep-30 "),
    ],
)
def test_routine_goes_first(text, gone):
    assert gone in text
    assert gone not in reduced(text)


def test_a_read_source_file_is_not_taken_for_a_failing_run():
    code = "\n".join(f"    raise ValueError('error {i}: failed')" for i in range(90))
    assert max(weigh(Sheet(code))) < 0.9
    assert max(weigh(Sheet(code), shown=True)) < 0.9
    assert max(weigh(Sheet(code.replace("raise ValueError", "ERROR: x")), shown=False)) >= 0.9


def test_small_outputs_and_outputs_within_the_budget_come_back_untouched():
    small = "\n".join(f"line {i}" for i in range(60))
    assert count(small) < 200
    assert reduced(small, budget=10) == small
    assert reduced(seen.PYTEST, budget=5000) == seen.PYTEST


def lines_told(text):
    """Lines that stand in a reduced text, those behind its markers counted."""
    return sum(lines_behind(line) or 1 for line in text.split("\n"))


def test_every_gap_is_one_marker_and_the_numbers_add_up():
    result = reduced(seen.TRACEBACK)
    gone = [lines_behind(line) for line in result.split("\n")]
    assert sum(gone) > 100
    assert lines_told(result) == len(seen.TRACEBACK.split("\n"))
    assert not any(a and b for a, b in pairwise(gone))


def test_repeats_are_counted_in_their_marker():
    text = "\n".join(f"job {i} took {i * 7} ms" for i in range(400))
    assert "of them like the one above …" in reduced(text, budget=60)


def test_reducing_again_to_less_keeps_the_count_of_the_original():
    once = reduced(seen.TRACEBACK, budget=400)
    twice = reduced(once, budget=210)
    assert count(twice) < count(once)
    assert lines_told(twice) == lines_told(once) == len(seen.TRACEBACK.split("\n"))


def test_markers_speak_the_language_asked_for():
    assert "… 省略 " in reduced(seen.CHINESE_LOG, language="zh")
    assert lines_behind("… 省略 12 行 …") == 12
    assert lines_behind("… 12 lines left out …") == 12
    assert lines_behind("… 12 lines left out … and more") == 0


def test_when_not_all_errors_fit_the_outcome_and_the_first_errors_do():
    text = "\n".join(
        [*(f"src/a{i}.ts({i},5): error TS2304: Cannot find name 'thing{i}'." for i in range(300)),
         "Found 300 errors in 300 files."]
    )  # fmt: skip
    lines = reduced(text, budget=220).split("\n")
    assert "Found 300 errors in 300 files." in lines
    assert "src/a0.ts(0,5): error TS2304: Cannot find name 'thing0'." in lines


def test_a_problem_stands_under_the_file_that_it_is_in_however_often_it_is_reduced():
    lines = ["> app@1.0.0 test", "> eslint .", ""]
    for part in range(12):
        unused = [f"  {n}:7  warning  'a{n}' is never used  no-unused-vars" for n in range(10, 16)]
        hook = f"  114:6  warning  React Hook useEffect has a missing dependency: 'dep{part}'  exhaustive-deps"
        lines += [f"/app/part{part}.tsx", *unused, hook, ""]
    lines += ["✖ 84 problems (0 errors, 84 warnings)"]
    text = "\n".join(lines)
    for budget in (600, 400, 260):
        text = reduce_output(text, budget_tokens=budget, count=count, shown=False)
        file = ""
        shown = 0
        for line in text.split("\n"):
            file = line if line.startswith("/app/") else file
            if "missing dependency" in line:
                shown += 1
                number = line.split("'dep")[1].split("'")[0]
                assert file == f"/app/part{number}.tsx"
        assert shown


def test_one_endless_line_keeps_its_ends_and_says_how_much_is_gone():
    result = reduced(seen.JSON_LINE, budget=300)
    assert result.startswith('{"status": "ok",')
    assert 0 < count(result) <= 300
    (mark,) = re.findall(r"… (\d+) characters left out …", result)
    plain = re.sub(r" … \d+ characters left out … ", "", result)
    assert len(plain) + int(mark) == len(seen.JSON_LINE)


def test_an_output_of_one_line_is_cut_rather_than_dropped():
    result = reduced("thing " * 300, budget=210)
    assert result.startswith("thing thing")
    assert "characters left out …" in result
    assert 100 < count(result) <= 210


def test_a_progress_bar_leaves_its_last_state():
    bar = "\r".join(f"downloading {i:3}% [{'=' * (i // 4)}]" for i in range(101))
    result = reduced(f"start\n{bar}\ndone", budget=210)
    assert "downloading 100%" in result
    assert "downloading  50%" not in result


def test_what_the_harness_put_around_weighs_nothing_and_what_a_person_answered_stays():
    text = (
        "[attempt_completion] Result:\n<feedback>\nplease keep the old header\n</feedback>\n"
        "<environment_details>\n# Current Time\nnoon\n</environment_details>"
    )
    weights = dict(zip(text.split("\n"), weigh(Sheet(text)), strict=True))
    assert weights["please keep the old header"] == 1.0
    assert weights["noon"] == weights["# Current Time"] == 0.0


@pytest.mark.parametrize("name", sorted(seen.ALL))
def test_one_weight_a_line_from_nothing_to_one(name):
    text = seen.ALL[name]
    weights = weigh(Sheet(text))
    assert len(weights) == text.count("\n") + 1
    assert all(0 <= w <= 1 for w in weights)


@pytest.mark.parametrize(
    "line",
    ["0 errors, 0 warnings", "no failures", "errors: 0", "test parse_error_is_reported ... ok",
     "tests/test_errors.py::test_failure PASSED [ 50%]", "没有错误"],
)  # fmt: skip
def test_the_absence_of_trouble_is_no_trouble(line):
    padded = "\n".join([*(f"step {i}" for i in range(9)), line, *(f"step {i}" for i in range(9))])
    assert Sheet(padded).trouble == {}


@pytest.mark.timing
@pytest.mark.parametrize("unit", ["a", "error ", "x\n", "{", '"a",', "  at f(x.js:1:2)\n", "| a |\n", "\r", "……"])
def test_time_is_linear_in_hostile_text(unit):
    def spent(size):
        text = unit * (size // len(unit))
        return cpu_seconds(lambda: reduced(text), 3)

    assert spent(240_000) < 24 * max(spent(40_000), 0.001)


@pytest.mark.parametrize("budget", [500, 4000])
@pytest.mark.parametrize(
    "line",
    [
        json.dumps([{"id": n, "name": f"row {n}", "price": n * 37 % 1000} for n in range(4000)]),
        " ".join(f"word{n % 313} and" for n in range(20_000)),
        "数据库迁移文件不要动，" * 4000,
    ],
    ids=["json", "prose", "chinese"],
)
def test_an_output_of_one_endless_line_is_cut_to_about_its_room(line, budget):
    cut = reduced(line, budget)
    assert 0.88 * budget < count(cut) <= budget


def test_a_few_endless_lines_share_the_room_whatever_they_are_written_in():
    data = json.dumps([{"id": n, "error": "late" if n % 9 == 0 else None} for n in range(900)])
    for lines in ([data, data], [data, data, data], ["x" * 30_000, "数据" * 5000], ["short", "y" * 40_000]):
        cut = reduced("\n".join(lines), 2000)
        assert 0.85 * 2000 < count(cut) <= 2000
        assert cut.count("\n") == len(lines) - 1


def test_what_a_running_program_printed_is_no_frame():
    state = "<environment_details>\n# Actively Running Terminals\n## Terminal 1\n### New Output\n"
    noise = "\n".join(f"INFO engine row {n} of the table of boats was put in" for n in range(200))
    log = f"{noise}\nError: code 401, no key was given\n# Current Time\nnoon\n</environment_details>"
    text = f"Exit code: 0\nOutput:\nready\n{state}{log}"
    lines = text.split("\n")
    framed = frame_weights(lines)
    assert lines.index("Error: code 401, no key was given") not in framed
    assert {lines.index(line) for line in ("# Actively Running Terminals", "### New Output", "noon")} <= set(framed)
    assert "Error: code 401, no key was given" in reduce_output(text, budget_tokens=200, count=count)
