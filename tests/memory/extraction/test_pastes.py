"""Pasted output without fences: what programs say is nobody's rule, what people say around it still counts."""

from __future__ import annotations

import pytest
from builders import memories_of
from clock import cpu_seconds
from hypothesis import given, strategies as st
from pastes import PASTES

from memory.entries.entry import MemoryType
from memory.extraction.text.line_kinds import PASTED, LineKind
from memory.extraction.text.lines import lines_of

OPENINGS = ("", "It fails like this:\n", "see the log\n", "请看这个：\n", "Look at it.\n\n")
RULE = "We must keep port 4107 for the admin page."


def kinds(text):
    return {text[line.start : line.end]: line.kind for line in lines_of(text)}


@pytest.mark.parametrize("name", PASTES)
def test_nothing_but_the_failure_is_remembered_of_what_a_program_printed(name):
    for opening in OPENINGS:
        kept = memories_of(opening + PASTES[name])
        assert [m.content for m in kept if m.type is not MemoryType.IMPORTANT_ERROR] == [], opening


@pytest.mark.parametrize("name", PASTES)
def test_rules_before_and_after_a_paste_are_remembered(name):
    last = "Never touch the folder of the migrations."
    said = [m.content for m in memories_of(f"{RULE}\n\n{PASTES[name]}\n\n{last}")]
    assert any("port 4107" in one for one in said)
    assert any("Never touch the folder" in one for one in said)


@pytest.mark.parametrize(
    "said",
    [
        "we use pnpm here, keep it that way",
        "I want the port to stay 4107",
        "please fix the import first",
        "Never change the lock file.",
        "is this about the port?",
        "数据库用 PostgreSQL",
        "mantém sempre o porto 4107",
        "wir nehmen immer den Port 4107",
    ],
)
def test_what_a_person_says_between_two_pastes_is_no_part_of_them(said):
    text = (
        f"npm ERR! code ERESOLVE\nnpm ERR! Fix the upstream conflict\n{said}\n[ERROR] Re-run with -X\n[INFO] done"
    )
    assert kinds(text)[said] is LineKind.PROSE


def test_a_blank_line_before_a_bold_one_is_seen():
    text = "[INFO] started\n\n**Database restarts: never**\n[INFO] stopped"
    assert kinds(text)["**Database restarts: never**"] is LineKind.HEADING


def test_source_lines_of_a_trace_belong_to_it():
    text = PASTES["python"]
    assert kinds(text)["return run(args, retries=3)"] in PASTED
    assert all(kind in PASTED for kind in kinds(text).values())


def test_comments_in_code_are_no_notes_and_a_note_alone_is_one():
    code = "import os\n# never call this twice\ndef total(cart):\n    return os.getpid()\n"
    assert kinds(code)["never call this twice"] is LineKind.CODE
    assert [m.content for m in memories_of("# never call this twice")] == ["never call this twice"]


def test_a_title_between_drawn_lines_is_a_title():
    text = "----------\nTASK 1 AUDIT\n----------\n- keep the port\n- never push"
    assert kinds(text)["TASK 1 AUDIT"] not in PASTED
    assert kinds(text)["never push"] is LineKind.ITEM


def test_rows_in_columns_are_a_table_and_two_blanks_behind_a_stop_are_none():
    table = "NAME            READY     STATUS\nweb-7d4b9c      0/1       CrashLoopBackOff"
    assert set(kinds(table).values()) <= PASTED
    typed = "Use tabs.  Never push.  Keep the port.\nAsk first.  Always test.  Stay on main."
    assert set(kinds(typed).values()) == {LineKind.PROSE}


def test_lists_under_a_failure_are_the_persons_but_those_of_a_test_report_are_not():
    typed = "ValueError: bad port\n  - always use port 4107\n  - never push"
    assert kinds(typed)["always use port 4107"] is LineKind.ITEM
    report = "  Cart\n    1) must always keep the total\n\n  1 failing"
    assert kinds(report)["must always keep the total"] in PASTED


def test_a_wrapped_sentence_of_a_log_goes_on_in_the_next_line():
    text = (
        "WARN  Lists should never be nested inside plain scrolling views with the same direction\n"
        "because it can break windowing and other functionality"
    )
    assert set(kinds(text).values()) <= PASTED


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "1. Run it like this:\n   ```bash\n   make test\n   ```\n   Never run pytest directly.",
            "Never run pytest",
        ),
        ("# Rules\n\n### NEVER generate `any`\n```ts\nconst x: any = 1\n   ```", "NEVER generate"),
        ("2 failing tests are left. Rules:\n- code:\n   - never skip a test", "never skip a test"),
        (
            "I ran it:\n  12 passing (3s)\n  2 failing\nPlease:\n- backend\n  - never touch the schema",
            "never touch",
        ),
        ("language:     Python 3.12 only\nframework:    FastAPI, never Flask", "never Flask"),
        ("REQ-1    The system shall encrypt data\nREQ-2    It shall never log passwords", "shall never log"),
        ("for the backend:\n    use FastAPI\n    always validate the input with pydantic", "always validate"),
        ("if you change the API, tell me first:\n  never break v1", "never break v1"),
        ("[INFO] started\nthe port must stay 4107\n[INFO] stopped", "port must stay"),
        ("[INFO] started\nwe'll always stay on port 4107\n[INFO] stopped", "stay on port 4107"),
        ("[INFO] started\nder Port muss 4107 bleiben\n[INFO] beendet", "Port muss 4107"),
        ("$ make build\nimages must be tagged with the git sha\n$ make deploy", "must be tagged"),
        ("Rules\n-----\n  Always use tabs\n  Never push to main", "Never push to main"),
        ("Regeln\n------\nUnit-Tests: immer mit pytest", "immer mit pytest"),
        ("ValueError: bad port\n  the port must always be 4107", "must always be 4107"),
        ("Error: address in use\n    端口必须可配置", "端口必须可配置"),
        ("✓ Always use TypeScript strict mode\n✓ Use pnpm for everything", "Always use TypeScript"),
        ("hint: reuse the helpers in utils.py, never write new ones", "never write new ones"),
        ("make: never call docker directly, always go through make", "never call docker"),
        ("[Backend]: always use SQLAlchemy, never raw SQL", "always use SQLAlchemy"),
        ("RUN make lint before every commit", "make lint before every"),
        ("if the token is expired: return 401, never 403", "never 403"),
        ("Your branch is behind main most of the time, so always rebase before you start", "always rebase"),
        ("Running migrations against production is forbidden.", "is forbidden"),
    ],
)
def test_rules_that_look_like_output_are_remembered(text, rule):
    assert any(rule in m.content for m in memories_of(text)), kinds(text)


@pytest.mark.timing
@pytest.mark.parametrize("unit", ["Error: a\n  b failed\n", "Error: job 12\n    connection failed\n", "a\tb\tc\n"])
def test_time_grows_with_the_length(unit):
    def seconds(size):
        text = (unit * size)[:size]
        return cpu_seconds(lambda: lines_of(text), times=3)

    assert seconds(120_000) < 7 * seconds(30_000) + 0.05


@given(st.lists(st.sampled_from([line for t in PASTES.values() for line in t.split("\n")] + [RULE, "", "- a"])))
def test_lines_keep_their_spans_and_their_order_whatever_stands_beside_them(lines):
    text = "\n".join(lines)
    found = lines_of(text)
    assert [text[line.start : line.end] for line in found if not line.marker] == [
        text[line.start : line.end].strip() for line in found if not line.marker
    ]
    assert list(found) == sorted(found, key=lambda line: line.start)
    assert len(found) == sum(bool(line.strip()) for line in lines)


@pytest.mark.parametrize(
    "text",
    [
        "why?\nPS C:\\shop> dotnet run\nBuilding...\nThe SDK must be version 8.\nDo not use the preview feed.\n",
        "it fails again:\nann@desk shop % npm run build\nthe bundler must be installed before its command line\n",
        "(env) ann@desk:~/shop$ render --fast\nMode: OFFLINE\nnames must use letters, blanks are forbidden",
        "这个报错怎么办\n> vite build\nYou must install it first.\nAlways run `npm ci` before building.\n",
        "[x] Error: you should use createRoot instead\nwarning: never call hooks conditionally\nrender failed",
        "getting this now:\nWARNING: Do not use this server in production. Use a WSGI server instead.",
        "ERROR in ./src/a.ts: You must use 'import type'. Never import types as values.",
    ],
)
def test_what_a_console_printed_is_no_instruction(text):
    assert [m.content for m in memories_of(text) if m.type is MemoryType.USER_INSTRUCTION] == []


@pytest.mark.parametrize(
    ("pasted", "remembered"),
    [
        ("Run make test\nE   AssertionError: assert 1 == 2\nError: Process completed with exit code 2.", 1),
        ("Error: Process completed with exit code 1.", 0),
        ("class Answer(Model):\n    error: Optional[str] = None\n", 0),
        ("error: command 'gcc' failed with exit code 1", 1),
    ],
)
def test_a_failure_is_what_failed_not_that_something_did(pasted, remembered):
    kept = memories_of(f"The job fails:\n{pasted}")
    found = [m.content for m in kept if m.type is MemoryType.IMPORTANT_ERROR]
    assert len(found) == remembered
    assert not any("Process completed" in line or "Optional" in line for line in found)
