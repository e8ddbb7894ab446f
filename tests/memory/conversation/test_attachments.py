"""Files that a person attached to a message are files that were shown, and nobody's typed words."""

from __future__ import annotations

import json

import pytest

from condense import CondenseConfig, Condenser, TokenBudget
from condense.lines.sources import LineKind, line_sources
from condense.reading.trail.collecting import collect_artifacts
from memory import ConversationMemory
from memory.conversation.messages import Form
from memory.conversation.provenance.typed_text import provenance_of, request_text, typed_text
from memory.conversation.wire.parsing import parse_messages

PLAN = "Never call the bank twice.\n- the refund keeps its old number"
NOTES = "Talk of last week.\n- boats are counted at noon"
SAID = "Build what plan.md says."


def user(*texts):
    blocks = [{"type": "text", "text": text} for text in texts]
    return {"role": "user", "content": blocks}


def numbered(text):
    return "\n".join(f"  {n} | {line}" for n, line in enumerate(text.split("\n"), 1))


def tagged(path, text):
    return f'<file_content path="{path}">\n{numbered(text)}\n</file_content>'


def called(path):
    given = json.dumps({"file_path": path})
    return f"<system-reminder>\nCalled the Read tool with the following input: {given}\n</system-reminder>"


def answered(text):
    return f"<system-reminder>\nResult of calling the Read tool: {text}\n</system-reminder>"


REFERENCED = "--- Content from referenced files ---"
BY_CLIENT = {
    "cline": [
        (f"<task>\n{SAID}\n</task>\n\n{tagged('docs/plan.md', PLAN)}\n\n{tagged('notes.md', NOTES)}\n"
        "<environment_details>\nx\n</environment_details>")
    ],
    "gemini, one text": [
        (f"{SAID}\n{REFERENCED}\nContent from @docs/plan.md:\n{PLAN}\nContent from @notes.md:\n{NOTES}\n"
        "--- End of content ---")
    ],
    "gemini, parts": [
        SAID, f"\n{REFERENCED}", "\nContent from @docs/plan.md:\n", PLAN, "\nContent from @notes.md:\n", NOTES,
        "\n--- End of content ---",
    ],
    "claude code": [
        called("docs/plan.md"), answered(json.dumps(PLAN)), called("notes.md"), answered("\n" + NOTES), SAID
    ],
    "claude code, one text": [
        f"{called('docs/plan.md')}\n{answered(PLAN)}\n{called('notes.md')}\n{answered(NOTES)}\n{SAID}"
    ],
}  # fmt: skip


@pytest.fixture(params=list(BY_CLIENT))
def attached(request):
    return user(*BY_CLIENT[request.param])


def read(value):
    return parse_messages([value], Form.ANTHROPIC)[0]


def test_what_is_attached_is_told_from_what_was_typed(attached):
    message = read(attached)
    assert typed_text(message) == SAID
    assert [file.path for file in provenance_of(message).files] == ["docs/plan.md", "notes.md"]


def test_its_lines_are_read_as_those_of_files_that_were_shown(attached):
    shown = [source for source in line_sources([read(attached)]) if source.kind is LineKind.READ]
    assert [source.shows for source in shown] == [("docs/plan.md",), ("notes.md",)]
    assert [[key for key in source.read.keys if key] for source in shown] == [
        PLAN.split("\n"),
        NOTES.split("\n"),
    ]
    said = [line for s in line_sources([read(attached)]) if s.kind is LineKind.USER for line in s.lines]
    assert SAID in said
    assert not [line for line in said if "bank" in line or "boats" in line]


def test_the_files_are_listed_as_read(attached):
    files = collect_artifacts([read(attached)]).files
    assert [(file.path, file.state.value) for file in files] == [
        ("docs/plan.md", "read"),
        ("notes.md", "read"),
    ]


def worked(first):
    history = [first]
    for n in range(20):
        text = "\n".join(f"def step_{n}_{k}(row): return row['field_{n}_{k}']" for k in range(30))
        call = {"type": "tool_use", "id": f"c{n}", "name": "Read", "input": {"file_path": f"src/part_{n}.py"}}
        result = {"type": "tool_result", "tool_use_id": f"c{n}", "content": text}
        history += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    return [*history, {"role": "assistant", "content": "I have read it all."}]


def condensed(history):
    config = CondenseConfig(budget=TokenBudget.for_window(16_000))
    return Condenser(config).condense(history, memory=ConversationMemory("t"), target=4000)


def test_an_attached_plan_that_the_request_names_is_a_part_of_it(attached):
    done = condensed(worked(attached))
    for line in PLAN.split("\n"):
        assert line in done.summary
    again = condensed([*done.messages, *worked(attached)[1:]])
    for line in PLAN.split("\n"):
        assert line in again.summary


def test_each_file_has_a_heading_of_its_own(attached):
    first = user(
        *[part["text"].replace("plan.md says", "plan.md and notes.md say") for part in attached["content"]]
    )
    summary = condensed(worked(first)).summary
    plan, notes = summary.index("attached: docs/plan.md"), summary.index("attached: notes.md")
    assert plan < summary.index("Never call the bank twice.") < notes < summary.index("- boats are counted at noon")


LINE = "Never use tabs in this code."
END = "--- End of content ---"
RULE = "Always run the tests first."


@pytest.mark.parametrize(
    ("texts", "typed"),
    [
        (['<file_content path="a.md">\nnever closed'], ""),
        (['<file_content path="a">\n' * 4000], ""),
        (["Called the Read tool with the following input: {no json}"], None),
        (["Called the Read tool with the following input: {}", "my own words"], None),
        (["Content from @a.md:\nI only say so"], None),
        ([f"The client writes {REFERENCED} into it. {RULE}"], None),
        ([f"{REFERENCED} is what the client writes; fix it", RULE], None),
        ([f"<system-reminder>\nsays\n{REFERENCED}\n{END}\n{LINE}\n</system-reminder>\nFix it"], "Fix it"),
    ],
)
def test_what_only_looks_like_an_attachment_is_none(texts, typed):
    message = read(user(*texts))
    assert provenance_of(message).files == ()
    assert typed_text(message) == ("\n".join(texts) if typed is None else typed)


def test_a_file_that_speaks_of_markers_is_one_file():
    held = f"BEGIN = (\n{REFERENCED}\n)\nLAST = (\n{END}\n)\n{LINE}"
    tags = f"<task>\n{SAID}\n</task>\n\n<file_content path='a.py'>\n{held}\n</file_content>\n\n{RULE}"
    in_tags = read(user(tags))
    assert typed_text(in_tags) == f"{SAID}\n{RULE}"
    assert [file.text for file in provenance_of(in_tags).files] == [held]
    parts = read(user(SAID, REFERENCED, "Content from @a.py:", held, "Content from @b.py:", LINE, END))
    assert [file.text for file in provenance_of(parts).files] == [held, LINE]
    assert typed_text(parts) == SAID
    whole = read(user(f"{SAID}\n{REFERENCED}\nContent from @a.py:\nx = 1\n{END}\n{LINE}\n{END}\n{RULE}"))
    assert [file.text for file in provenance_of(whole).files] == [f"x = 1\n{END}\n{LINE}"]
    assert typed_text(whole) == f"{SAID}\n{RULE}"


def test_a_picture_among_the_files_takes_no_other_s_text():
    picture = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "aGk="}}
    message = user(SAID, f"{REFERENCED}", "Content from @a.png:", "Content from @b.py:", "LIMIT = 5", END)
    message["content"].insert(3, picture)
    assert [(file.path, file.text) for file in provenance_of(read(message)).files] == [("b.py", "LIMIT = 5")]
    assert typed_text(read(message)) == SAID


def test_the_block_may_begin_in_the_part_that_was_typed():
    message = read(user(f"{SAID}\n{REFERENCED}", "Content from @a.py:", LINE, END))
    assert [file.text for file in provenance_of(message).files] == [LINE]
    assert typed_text(message) == SAID


def test_calls_without_an_end_share_no_text():
    one = 'Called the Read tool with the following input: {"file_path":"/a"}\nResult of calling the Read tool: x\n'
    files = provenance_of(read(user(one * 200))).files
    assert len(files) == 200
    assert sum(len(file.text) for file in files) < len(one) * 200


def test_words_behind_the_files_and_files_without_an_end_are_told_apart():
    text = f"{SAID}\n{REFERENCED}\nContent from a.md:\n{PLAN}\n--- End of content ---\nand be quick"
    assert typed_text(read(user(text))) == f"{SAID}\nand be quick"
    assert request_text(read(user(text))) == f"{SAID}\nand be quick"
    cut = f"{SAID}\n{REFERENCED}\nContent from @a.md:\n{PLAN}"
    assert typed_text(read(user(cut))) == SAID
    assert [file.text for file in provenance_of(read(user(cut))).files] == [PLAN]
