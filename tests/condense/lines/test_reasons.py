"""Lines that say why outlive those that only narrate."""

from __future__ import annotations

import pytest
from builders import quarter as count
from chosen_lines import choose_lines

from condense.lines.factors import is_labelled, says_why
from memory.conversation.messages import Form
from memory.conversation.wire.parsing import parse_messages


@pytest.mark.parametrize(
    "line",
    [
        "We go with SQLite because the tool must run offline.",
        "The root cause was a stale lock file.",
        "I'll use httpx instead of requests.",
        "It turns out the cache was never filled.",
        "The migration is still missing.",
        "- Why: it keeps the two halves apart.",
        "The export does not support nested groups.",
        "SQLite 不支持并发写入。",
        "Usamos SQLite porque la herramienta funciona sin red.",
        "Wir nehmen SQLite, weil das Werkzeug offline laufen muss.",
        "Причина в том, что файл блокировки не удалён.",
        "因此改用 SQLite，而不是 PostgreSQL。",
        "原因是锁文件没有删除。",
        "テストが遅いため、並列実行を採用しました。",
        "The list is read at run time so you get all of it without bloating the repo.",
        "We no longer call the API for it.",
        "因為鎖檔沒有刪除，我們改用另一個。",
        "這個函式不支援並行，建議放棄。",
        "フックなので動的に読み込めません、切り替えます。",
    ],
)
def test_a_line_that_tells_a_ground_a_cause_or_an_open_end_says_why(line):
    assert says_why(line)


@pytest.mark.parametrize(
    "line", ["Let me look at the file.", "Now I'll run the tests.", "Reading cart.py", "我来看一下这个文件。"]
)
def test_a_line_that_only_narrates_does_not(line):
    assert not says_why(line)


@pytest.mark.parametrize(
    ("line", "labelled"),
    [
        ("- **Rationale**: fewer moving parts", True),
        ("+- Alternatives considered: Redis, a file", True),
        ("## Decision: keep one process", True),
        ("结论：保留单进程", True),
        ("status = load()", False),
        ("The decision was hard", False),
    ],
)
def test_the_label_of_a_design_note_is_known(line, labelled):
    assert is_labelled(line) is labelled


def test_a_reason_is_kept_before_a_narration_of_the_same_names():
    told = "We keep retry_budget at its value because the gateway drops bursts."
    narrated = "Let me look at what retry_budget is now, over there."
    filler = "\n".join(f"Nothing of note in entry number {n} of the list." for n in range(60))
    history = parse_messages(
        [
            {"role": "user", "content": "Tune retry_budget."},
            {"role": "assistant", "content": f"{narrated}\n{filler}\n{told}"},
            {"role": "user", "content": "Go on."},
            {"role": "assistant", "content": "I read on."},
        ],
        Form.ANTHROPIC,
    )
    chosen = choose_lines(history, budget=36, count=count, boost={0: 0.0, 2: 0.0, 3: 0.0})
    text = "\n".join(group.body for group in chosen.groups)
    assert told in text
    assert narrated not in text
