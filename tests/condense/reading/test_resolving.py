"""An error has gone when the same was done again and went well: no less of it, in the same place, seen to its end."""

from __future__ import annotations

import pytest

from condense.reading.trail.collecting import collect_artifacts
from memory.conversation.wire.parsing import parse_messages

BROKEN = "Error: the anchor is stuck"


def errors_after(*steps, **place):
    messages = []
    for number, (command, output, is_error, *workdir) in enumerate(steps):
        given = {"command": command, **place, **({"workdir": workdir[0]} if workdir else {})}
        call = {"type": "tool_use", "id": f"c{number}", "name": "Bash", "input": given}
        result = {"type": "tool_result", "tool_use_id": f"c{number}", "content": output, "is_error": is_error}
        messages += [{"role": "assistant", "content": [call]}, {"role": "user", "content": [result]}]
    return collect_artifacts(parse_messages(messages)).errors


def is_over(failed, later, output="moored"):
    error, *_ = errors_after((failed, BROKEN, True), (later, output, False))
    return error.resolved


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("git push harbour fleet", "git push --dry-run harbour fleet"),
        ("python ship.py sail", "python ship.py sail --help"),
        ("python ship.py sail", "python ship.py sail -h"),
        ("tofu apply quay.plan", "tofu apply quay.plan --plan"),
        ("rsync -a boats/ pier:/boats", "rsync -avn boats/ pier:/boats"),
        ("make moor", "make -n moor"),
        ("git commit -m boats", "git commit -m boats --no-verify"),
        ("mvn package", "mvn package -DskipTests"),
        ("mypy fleet", "mypy fleet --ignore-missing-imports"),
        ("go build ./...", "go build ./cmd/boat"),
        ("npx eslint .", "npx eslint src/boat.ts"),
        ("cargo build", "cargo build -p rudder"),
        ("go test ./...", "go test ./... -run TestBoat"),
        ("python -m pytest", "python -m pytest tests/test_boat.py"),
        ("pytest tests/test_boat.py tests/test_quay.py", "pytest tests/test_boat.py"),
        ("pytest tests", "pytest tests --deselect tests/test_boat.py"),
        ("npm test", "npm test -- boat.test.ts"),
        ("npm test", "git bisect run npm test"),
        ("ruff check . && pytest", "pytest"),
        ("make boat1 BIG=yes", "make boat2 BIG=yes"),
    ],
)
def test_a_trial_a_part_and_a_run_that_leaves_out_checks_resolve_nothing(failed, later):
    assert not is_over(failed, later)


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("git push --dry-run harbour fleet", "git push harbour fleet"),
        ("tofu apply quay.plan", "tofu apply quay.plan -auto-approve"),
        ("git push harbour", "git push -u harbour fleet"),
        ("mkdir fleet/new", "mkdir -p fleet/new"),
        ("pip install boats==2 sails==3", "pip install --only-binary :all: boats sails"),
        ("make moor", "make clean moor"),
        ("npm run build", "npm run build 2>&1 | tail -4"),
        ("npm run build", "volta run npm run build"),
        ("npx vitest run", "npx vitest run --reporter verbose"),
        ("pytest tests/test_boat.py::test_sinks", "pytest tests/test_boat.py"),
        ("pytest -q tests/test_boat.py", "pytest -q"),
        ("pytest tests/unit/test_boat.py", "pytest tests"),
        ("cargo test -p rudder", "cargo test --workspace"),
        ("go test ./rudder", "go test ./... | tail -3"),
        ("npx jest", "npx jest --coverage"),
        ("ruff check src/boat.py", "ruff check ."),
        ("ruff check . && pytest", "ruff check . --fix && pytest -q && git add -A"),
        ("cd hull && pytest -q tests/test_boat.py", "cd hull && pytest -q"),
        ("git fetch && git rebase harbour/fleet", "git add boat.py && git rebase --continue"),
        ("git cherry-pick abc", "git -c core.editor=true status; git cherry-pick --continue"),
    ],
)
def test_a_run_that_does_the_same_or_takes_it_in_resolves_it(failed, later):
    assert is_over(failed, later)


@pytest.mark.parametrize(
    ("failed", "later", "output"),
    [
        ("ruff check fleet", "ruff check fleet | tail -1", "Found 4 errors."),
        ("npx eslint .", "npx eslint . | tail -1", "✖ 2 problems (2 errors, 0 warnings)"),
        ("make moor", "make moor", "2 failed, 5 moored"),
        ("npm run sail", "npm run sail | tail -2", "Voyage aborted."),
        ("npm run sail", "npm run sail 2>&1 | tail -2", "Error: no wind"),
        ("make moor", "make moor; echo $?", "2"),
        ("python sail.py --all", "if python sail.py --all; then echo yes; else echo no; fi", "no"),
        ("npm run sail", "npm run sail 2>/dev/null; true", ""),
        ("node pier.js 80", "node pier.js 80 > /tmp/pier.log 2>&1 &", ""),
        ("node pier.js 80", "nohup node pier.js 80 & sleep 1", "[1] 812"),
        ("pytest", "pytest | tail -1", "1 failed, 8 passed in 0.2s"),
    ],
)
def test_a_later_run_that_says_it_failed_or_whose_end_nobody_saw_resolves_nothing(failed, later, output):
    assert not is_over(failed, later, output)


@pytest.mark.parametrize(
    ("failed", "later", "output"),
    [
        ("ruff check fleet", "ruff check fleet --fix", "Found 4 errors (4 fixed, 0 remaining)."),
        ("npx eslint .", "npx eslint . | tail -1", "✖ 9 problems (0 errors, 9 warnings)"),
        ("make moor", "make moor; echo $?", "moored\n0"),
        ("git commit -m boats", "git commit -m boats", "[main 81d] Fix 2 errors of the rudder"),
        ("pytest", "pytest | tail -9", "boat\nError: logged on purpose\n9 passed in 0.2s"),
        ("npm run sail", "npm run sail | tail -2", "0 errors, 3 boats"),
        ("grep -c storm sea.log", "grep -c storm sea.log", "17"),
        ("cat sea.log", "cat sea.log", "3 failed, 2 passed\nVoyage aborted."),
    ],
)
def test_a_later_run_that_went_well_resolves_whatever_else_it_counts(failed, later, output):
    assert is_over(failed, later, output)


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("npm test -w hull", "npm test -w mast"),
        ("tofu -chdir=north apply", "tofu -chdir=south apply"),
        ("ssh pier1 'systemctl restart lamp'", "ssh pier2 'systemctl restart lamp'"),
        ("cd /sea/hull && npm run build", "cd /sea/mast && npm run build"),
        ("python -m pytest tests/test_boat.py", "python -m pytest tests/test_quay.py"),
    ],
)
def test_the_same_for_another_package_folder_or_host_resolves_nothing(failed, later):
    assert not is_over(failed, later)


@pytest.mark.parametrize(
    ("first", "second", "over"),
    [
        ("/sea/hull", "/sea/mast", False),
        ("/sea/hull", "/sea/hull/", True),
        ("/home/ann/hull", "~/hull", True),
        ("/sea/hull", "hull", True),
    ],
)
@pytest.mark.parametrize("command", ["npm test", "cargo build", "python sail.py"])
def test_the_same_in_another_working_folder_resolves_nothing(command, first, second, over):
    error, *_ = errors_after((command, BROKEN, True, first), (command, "moored", False, second))
    assert error.resolved is over
    here, there = errors_after((command, BROKEN, True, "/sea/hull"), (command, BROKEN, True, "/sea/mast"))
    assert (here.times, there.times) == (1, 1)


def test_a_folder_gone_to_holds_for_the_commands_behind_it():
    tried, other = ("npm test", BROKEN, True), ("npm test", "moored", False)
    gone = [(f"cd {folder}", "", False) for folder in ("hull", "../mast", "../hull")]
    assert not errors_after(gone[0], tried, gone[1], other)[0].resolved
    assert errors_after(gone[0], tried, gone[1], gone[2], other)[0].resolved
    assert errors_after(gone[0], ("cd /nowhere", "no such folder", True), tried, other)[-1].resolved


def test_what_failed_for_want_of_a_repository_is_over_once_it_ran_in_one():
    lost = (
        "git fetch harbour",
        "fatal: not a git repository (or any of the parent directories): .git",
        True,
        "/sea",
    )
    assert errors_after(lost, ("git fetch harbour", "fetched", False, "/sea/hull"))[0].resolved


def test_an_error_that_another_command_prints_again_was_last_seen_there():
    tried = ("npm run build", f"boat.ts(3,1): {BROKEN}", True)
    first, again, shown = (
        errors_after(tried, *more)[0].at
        for more in ([], [("npx tsc | tail -3", tried[1], False)], [("cat build.log", tried[1], False)])
    )
    assert first == shown != again


def test_tests_are_named_with_all_that_they_were_run_for():
    (error,) = errors_after(("cargo test -p rudder 2>&1 | tail -9", BROKEN, True))
    assert error.subject == "cargo test -p rudder"
