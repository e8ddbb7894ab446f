"""Errors that programs which run on have printed, as clients tell it beside what a person says."""

from __future__ import annotations

import pytest

from condense.reading.outputs.harness_frames import printed_since
from condense.reading.outputs.outcomes import LONGEST_PRINTED, MOST_PRINTED, printed_errors
from condense.reading.trail.collecting import collect_artifacts
from memory.conversation.messages import Part, PartKind
from memory.conversation.wire.parsing import parse_messages

SERVER = "cd api && uvicorn main:app --reload"
STATE = f"""It is broken.
<environment_details>
# Actively Running Terminals
## Terminal 1 (Active)
### Working Directory: `/srv/shop`
### Original command: `{SERVER}`
### New Output
GET /orders 200
Error: no such table: orders
GET /orders/7 500
## Terminal 2 (Active)
### Original command: `npm run dev`
### New Output
ready in 300 ms

# Current Time
Error: this is no output
</environment_details>"""


def errors(*contents):
    messages = parse_messages([{"role": "user", "content": content} for content in contents])
    return [(e.line, e.subject, e.times, e.resolved) for e in collect_artifacts(messages).errors]


def printed(text: str) -> list[tuple[str, str]]:
    return list(printed_since(Part(PartKind.TEXT, text)))


def test_the_output_of_each_running_program_is_told_with_its_command():
    assert printed(STATE) == [
        (SERVER, "GET /orders 200\nError: no such table: orders\nGET /orders/7 500"),
        ("npm run dev", "ready in 300 ms"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "### New Output\nError: typed by a person",
        "<environment_details>\n# Actively Running Terminals\n## Original command: `make`\n</environment_details>",
        "<environment_details>\n# Inactive Terminals\n## npm test\n### New Output\nError: x\n</environment_details>",
        STATE + "\n<environment_details>\n# Current Time\n</environment_details>",
        f"```\n{STATE}\n```\nthat was an example",
        STATE.removesuffix("</environment_details>"),
    ],
)
def test_what_shows_no_new_output_of_a_command_tells_of_none(text):
    assert printed(text) == []


def test_a_file_that_holds_such_a_state_tells_of_no_program():
    result = Part(PartKind.TOOL_RESULT, STATE, call_id="c")
    assert list(printed_since(result)) == []
    echoed = Part(PartKind.TOOL_RESULT, f"[read_file for 'a.py'] Result:\n{STATE}", call_id="c")
    assert len(list(printed_since(echoed))) == 2


def test_headings_that_a_program_prints_are_its_output_and_a_command_may_have_two_lines():
    tap = "TAP version 13\n# Subtest: adds\nnot ok 1 - adds\nTypeError: x is not a function"
    state = STATE.replace("ready in 300 ms", tap).replace("npm run dev", "cd web\nnpm test")
    assert printed(state)[1] == ("cd web\nnpm test", tap)


def test_an_error_that_a_running_program_printed_is_an_error_seen():
    assert errors(STATE) == [("Error: no such table: orders", SERVER, 1, False)]
    assert errors(STATE, STATE) == [("Error: no such table: orders", SERVER, 2, False)]


def test_what_a_call_has_told_is_not_told_again():
    told = "Error: no such table: orders"
    call = {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "make check"}}
    result = {"type": "tool_result", "tool_use_id": "c", "content": f"{told}\nExit code: 1", "is_error": True}
    values = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": [call]},
        {"role": "user", "content": [result]},
        {"role": "user", "content": STATE},
    ]
    found = collect_artifacts(parse_messages(values)).errors
    assert [(e.line, e.subject) for e in found] == [(told, "make check")]


def test_of_many_errors_the_last_that_differ_are_taken_cut_where_they_are_long():
    rows = [f"Error: {'ab'[n % 2]} failed for order {n}" for n in range(9)] + ["Error: c failed " + "x" * 900]
    assert printed_errors("\n".join(rows)) == (
        "Error: b failed for order 7",
        "Error: a failed for order 8",
        rows[-1][:LONGEST_PRINTED],
    )
    assert len(printed_errors("\n".join(f"Error: {c} is missing" for c in "abcdefg"))) == MOST_PRINTED
    assert printed_errors("GET / 200\nall is well") == ()


def test_a_line_of_marks_below_a_traceback_is_no_error():
    text = 'Traceback (most recent call last):\n  File "a.py", line 1\n    x =\n^^^^\nSyntaxError: invalid syntax'
    call = {"type": "tool_use", "id": "c", "name": "Bash", "input": {"command": "python a.py"}}
    result = {"type": "tool_result", "tool_use_id": "c", "content": f"{text}\nExit code: 1", "is_error": True}
    values = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    assert [e.line for e in collect_artifacts(parse_messages(values)).errors] == ["SyntaxError: invalid syntax"]
