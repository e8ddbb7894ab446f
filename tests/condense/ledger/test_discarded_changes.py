"""What is said of files whose changes were thrown away, and of files that went away or moved with their folder."""

from __future__ import annotations

import pytest

from condense.ledger.state_lines import command_lines, file_lines
from condense.ledger.state_section import merge_lines
from tests.condense.ledger.test_state_lines import PYTEST, history, read

EDIT = ("Edit", {"file_path": "/port/src/quay.py", "old_string": "moor(4)", "new_string": "moor(5)"}, "ok")
WRITE = ("Write", {"file_path": "/port/src/crane/lift.py", "content": "def lift():\n    pass\n"}, "ok")
BACK, EDITED = "/port/src/quay.py — uncommitted changes discarded", "/port/src/quay.py — edited"
MADE, AWAY = "/port/src/crane/lift.py — created; defines lift", "/port/src/crane/lift.py — deleted"


def ran(command, output="", *error):
    return ("Bash", {"command": command}, output, *error)


def told(*steps, language="en"):
    return set(file_lines(read(history(*steps))[0], language))


@pytest.mark.parametrize(
    ("command", "output", "expected"),
    [
        ("git reset --hard", "HEAD is now at 1f2e3d4 moor", {BACK, MADE}),
        ("git reset --hard HEAD && git clean -fd", "Removing src/crane/", {BACK, "src/crane — deleted"}),
        ("git add -A && git reset --hard", "", {BACK, AWAY}),
        ("git add src/quay.py && git reset --hard", "", {BACK, MADE}),
        ("git checkout -- src/quay.py", "", {BACK, MADE}),
        ("git checkout HEAD src/quay.py", "", {BACK, MADE}),
        ("git checkout src/quay.py", "", {BACK, MADE}),
        ("git checkout .", "", {BACK, MADE}),
        ("git restore src", "", {BACK, MADE}),
        ("git restore quay.py", "", {BACK, MADE}),
        ("cd /port && git restore src/", "", {BACK, MADE}),
        ("git clean -f -- src", "Removing src/crane/lift.py", {EDITED, AWAY}),
        ("git clean -nd", "Would remove src/crane/", {EDITED, MADE}),
        ("git stash && git stash drop", "Dropped", {BACK, MADE}),
        ("git stash push --include-untracked -m berth; git stash drop", "Dropped", {BACK, AWAY}),
        ("git stash -u && make && git stash pop && git stash drop", "", {EDITED, MADE}),
        ("git stash", "Saved working directory", {EDITED, MADE}),
        ("git commit -qam moor && git reset --hard", "", {EDITED, MADE}),
        ("git commit -qam moor && git stash -u && git stash drop", "", {EDITED, MADE}),
        ("git reset --soft HEAD~1 && git reset src/quay.py", "", {EDITED, MADE}),
        ("git restore --staged src/quay.py", "", {EDITED, MADE}),
        ("git checkout quay", "Switched to branch 'quay'", {EDITED, MADE}),
        ("git checkout -b quay.py", "Switched to a new branch", {EDITED, MADE}),
        ("git checkout v1.2", "HEAD is now at 1f2e3d4", {EDITED, MADE}),
        ("git checkout topic -- src/quay.py", "", {f"{EDITED} ×2", MADE}),
        ("git restore src/buoy.py", "", {"src/buoy.py — uncommitted changes discarded", EDITED, MADE}),
        ("cd ../ferry && git reset --hard", "", {EDITED, MADE}),
        ("rm -rf src/crane", "", {EDITED, "src/crane — deleted"}),
        ("rm -rf /port/src", "", {"/port/src — deleted"}),
        ("rm src/crane.py", "", {EDITED, MADE, "src/crane.py — deleted"}),
        ("rm lift.py", "", {EDITED, "lift.py — deleted"}),
        ("rm -rf ./ferry/src", "", {EDITED, MADE, "ferry/src — deleted"}),
        ("mv /port/src/crane /port/src/winch", "",
         {EDITED, "/port/src/crane — moved to /port/src/winch", "/port/src/winch/lift.py — created; defines lift",
          "created: /port/src/winch"}),
    ],
)  # fmt: skip
def test_what_was_thrown_away_does_not_stand_as_changed(command, output, expected):
    assert told(EDIT, WRITE, ran(command, output)) == expected


@pytest.mark.parametrize(
    "command",
    ["git reset --hard", "git checkout -- src/quay.py", "git stash -u && git stash drop", "rm -r src/crane"],
)
def test_what_failed_threw_nothing_away(command):
    assert told(EDIT, WRITE, ran(command, "fatal: not a git repository", True)) >= {EDITED, MADE}


def test_what_is_changed_after_it_was_thrown_away_was_edited():
    assert told(EDIT, EDIT, ran("git reset --hard"), EDIT) == {EDITED}
    assert told(EDIT, ran("git stash"), EDIT, EDIT, ran("git stash drop")) == {f"{EDITED} ×2"}
    assert told(EDIT, ran("git commit -am moor"), EDIT, EDIT, ran("git checkout ."), language="zh") == {
        "/port/src/quay.py — 编辑"
    }


def test_a_whole_project_is_the_one_of_the_folder_and_no_place_of_settings():
    note = ("Edit", {"file_path": "~/.notes/tide.py", "old_string": "a", "new_string": "b"}, "ok")
    assert told(EDIT, note, ran("git reset --hard")) == {BACK, "~/.notes/tide.py — edited"}
    other = ("shell", {"command": "git reset --hard", "workdir": "/ferry"}, "")
    assert told(EDIT, other) == {EDITED}
    own = ("shell", {"command": "git reset --hard", "workdir": "/port"}, "")
    patch = "*** Begin Patch\n*** Update File: src/tide.py\n@@\n-a\n+b\n*** End Patch"
    given = ("apply_patch", {"input": patch}, "ok")
    assert told(EDIT, given, own) == {BACK, "src/tide.py — uncommitted changes discarded"}
    seen = ("shell", {"command": "rm deck.py", "workdir": "/ferry"}, "")
    assert told(EDIT, given, seen, own) == {BACK, "src/tide.py — edited", "deck.py — deleted"}


def test_a_run_before_changes_were_thrown_away_is_out_of_date():
    artifacts, places = read(history(EDIT, (*PYTEST, "3 passed in 0.1s"), ran("git reset --hard")))
    assert "files were edited after this run" in "\n".join(command_lines(artifacts, "en", places))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a/tide.py\n*** Move to: a/ebb.py\n@@\n-x\n+y\n"
                                  "*** End Patch"}),
        ("mcp__files__move_file", {"source": "a/tide.py", "destination": "a/ebb.py"}),
        ("rename_file", {"old_path": "a/tide.py", "new_path": "a/ebb.py"}),
    ],
)  # fmt: skip
def test_a_tool_that_moves_a_file_says_from_where_and_whereto(name, arguments):
    assert told((name, arguments, "ok")) == {"a/tide.py — moved to a/ebb.py", "created: a/ebb.py"}


def test_what_is_copied_to_another_machine_is_no_file_here():
    assert told(ran("scp crane.service dock@pier:/etc/units/")) == set()
    assert told(ran("rsync -a crane.service units/")) == {"created: units"}


@pytest.mark.parametrize(
    ("before", "now", "merged"),
    [
        (["created: in /port/: src/tide.py, src/ebb.py; /x.py and 3 more"], ["src/tide.py — deleted"],
         ["created: /port/src/ebb.py, /x.py and 3 more"]),
        (["created: /port/src/tide.py"], ["tide.py — deleted"], []),
        (["新建: 在 /port/ 下： tide.py, ebb.py"], ["/port/tide.py — 移动到 /port/flow.py"], ["新建: /port/ebb.py"]),
        (["/port/src/tide.py — edited ×2"], ["src/tide.py — edited"], []),
        (["src/tide.py — edited"], ["/port/src/tide.py — deleted"], []),
        (["/port/src/gen/tide.py — created; defines tide"], ["src/gen — deleted"], []),
        (["read only: /port/a.py, /port/b.py"], ["/port/a.py — edited"], ["read only: /port/b.py"]),
        (["created: /port/a.py, /port/b.py"], ["/port/a.py — edited"], ["created: /port/a.py, /port/b.py"]),
        (["/port/web/a.py — edited"], ["a.py — edited"], ["/port/web/a.py — edited"]),
        (["created: /x/a.py, /y/a.py"], ["a.py — deleted"], ["created: /x/a.py, /y/a.py"]),
        (["/port/a.py — edited"], ["read only: /port/a.py"], ["/port/a.py — edited"]),
        (["/port/a.py — edited"], ["/port/a.py — uncommitted changes discarded"], ["/port/a.py — edited"]),
        (["/port/src/tide.py — edited"], ["tide.py — created", "e.py — deleted"], ["/port/src/tide.py — edited"]),
    ],
)  # fmt: skip
def test_a_later_compaction_tells_of_a_file_once_however_it_is_written(before, now, merged):
    assert merge_lines("files", before, now) == [*now, *merged]
