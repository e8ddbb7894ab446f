"""Numbers that a tool puts before lines are taken off; numbers that are text stay."""

from __future__ import annotations

import pytest

from condense.lines.sources import line_sources
from condense.lines.text_lines import TextForm, TextLines, read_lines
from condense.reading.text.shown_text import without_numbers
from memory.conversation.wire.parsing import parse_messages


def counted(text: str) -> TextLines:
    return read_lines(text, TextForm.COUNTED)


def test_the_numbers_of_a_listing_are_taken_off_below_what_a_harness_puts_above_it():
    listing = "\n".join(f"{n:3} | value_{n} = {n}" for n in range(1, 21))
    head = "[read_file for 'a.py'] Result:\n<file><path>a.py</path>\n<content>"
    shown = f"{head}\n{listing}\n</content></file>"
    found = without_numbers(shown.split("\n"), counted=True)
    assert found.lines[3] == "value_1 = 1"
    assert (found.first, found.listed, found.lines[0]) == (1, range(3, 23), "[read_file for 'a.py'] Result:")
    later = shown.replace("  1 | value_1 = 1\n", "").replace("  2 | value_2 = 2\n", "")
    read = counted(later)
    assert read.number_of(read.lines.index("value_9 = 9")) == 9
    assert [read.number_of(n) for n in (0, len(read.lines) - 1)] == [0, 0]


def test_a_listing_keeps_its_numbers_beside_long_lines_of_other_text():
    listing = "\n".join(f"{n:3} | value_{n} = {n}" for n in range(1, 21))
    below = ", ".join(f"src/part_{n}.py" for n in range(60))
    read = counted(f"<content>\n{listing}\n</content>\n# Open files\n{below}")
    assert read.number_of(read.lines.index("value_9 = 9")) == 9
    assert len(read.pieces) > 1
    above = counted(f"{below}\n{listing}")
    assert above.number_of(above.lines.index("value_9 = 9")) == 0


def test_empty_lines_of_a_numbered_listing_carry_their_number_alone():
    shown = "\n".join(f"{n}:" if n % 3 == 0 else f"{n}:\tvalue_{n} = {n}" for n in range(1201, 1221))
    read = counted(shown)
    assert (read.first, read.lines[1], read.lines[2]) == (1201, "\tvalue_1202 = 1202", "")


@pytest.mark.parametrize("sign", [":", "|", ": ", " | ", "\t", "→"])
def test_the_indentation_of_numbered_code_stays(sign):
    code = ["def f(x):", "    if x:", "        return 1", "", "    return 2"]
    shown = "\n".join(f"{n}{sign}{line}" if line else f"{n}{sign.rstrip(' ')}" for n, line in enumerate(code, 7))
    assert counted(shown).lines == code


def test_only_lines_of_a_listing_lose_their_numbers():
    listing = "\n".join(f"{n:5}→value_{n} = {n}" for n in range(1, 9))
    read = counted(f"{listing}\n2024: revenue grew\n   429→ too many requests")
    assert read.lines[-2:] == ["2024: revenue grew", "   429→ too many requests"]
    assert [read.number_of(n) for n in (7, 8, 9)] == [8, 0, 0]


def test_the_longest_of_several_listings_is_the_one_whose_lines_are_numbered():
    listing = "\n".join(f"{n:5}→value_{n} = {n}" for n in range(30, 50))
    read = counted(f"<file>\n{listing}\n</file>\n<file>\n{listing[:60]}\n</file>")
    assert (read.first, read.listed) == (30, range(1, 21))
    assert read.lines.count("value_30 = 30") == 2


NO_LISTING = [
    "3 | a\n9 | b\n12 | c",
    "a\nb\nc",
    "1 | a",
    "",
    "MONTHS = {\n" + "\n".join(f"    {n}: 'month_{n}'," for n in range(1, 13)) + "\n    404: 'missing'\n}",
    "MONTHS = {\n" + "\n".join(f"    {n}: 'month_{n}'," for n in range(1, 10)) + "\n}",
    "codes:\n1: apple\n2: pear\n3: plum\nrest:\n" + "\n".join("abcdef"),
    "\n".join(f"{n}:import part_{n}" for n in (1, 2, 3, 40, 57, 99)),
    "12:30:01 started\n12:30:02 ended\n13:00:00 started",
]


@pytest.mark.parametrize("text", NO_LISTING)
@pytest.mark.parametrize("form", [TextForm.RESULT, TextForm.COUNTED])
def test_numbers_that_are_text_stay(text, form):
    assert read_lines(text, form).lines == text.split("\n") or not text
    assert read_lines(text, form).first == 0


def shown_by(name: str, output: str, **arguments: str) -> list[str]:
    """The lines of a call's result as they are read."""
    call = {"type": "tool_use", "id": "c", "name": name, "input": arguments}
    result = {"type": "tool_result", "tool_use_id": "c", "content": output}
    values = [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    return line_sources(parse_messages(values))[-1].lines


@pytest.mark.parametrize("row", ["{n}: apple", "{n}\tapple\t3", " {n} | apple", "{n}:apple"])
def test_a_command_that_numbers_no_lines_prints_numbers_that_are_text(row):
    text = "\n".join(row.format(n=n) for n in range(1, 9))
    assert shown_by("Bash", text, command="psql -c 'select * from fruit'") == text.split("\n")
    for command in ("nl -ba fruit.txt | head", "cat -n fruit.txt", "awk '{print NR\":\"$0}' fruit.txt"):
        assert shown_by("Bash", text, command=command)[0].startswith("apple")
    assert shown_by("Read", text, file_path="fruit.txt")[0].startswith("apple")


def test_an_editor_that_is_a_command_says_which_lines_it_shows():
    shown = "[File: /w/a.py (3 lines total)]\n1:def f():\n2:    return 1\n3:"
    assert shown_by("Bash", shown, command="open a.py") == [
        "[File: /w/a.py (3 lines total)]", "def f():", "    return 1", "",
    ]  # fmt: skip
