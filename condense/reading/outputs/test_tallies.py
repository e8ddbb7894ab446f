"""Test results read off the output of test runners: counts and the names of failing tests.

pytest, unittest, jest, vitest, mocha, node, TAP, go, cargo, Maven, Gradle, dotnet, rspec, PHPUnit, Flutter,
ctest, Playwright. The last summary in an output counts; those of several packages (go, cargo) are added up.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from condense.reading.outputs.outcome_values import TestTally
from condense.reading.text import without_codes

if TYPE_CHECKING:
    from collections.abc import Callable

_MOST_FAILING = 50
_LONGEST = 400_000
_COUNTS = re.compile(
    r"(\d{1,9}) (passed|failed|errors?|skipped|ignored|xfailed|xpassed|pending|todo|flaky)\b"
)


@cache
def _rows() -> tuple[tuple[re.Pattern[str], Callable[[list[re.Match[str]]], TestTally]], ...]:
    """Summary patterns with their readers, the most telling first."""
    m = re.MULTILINE
    return (
        (
            re.compile(r"^=+ (.{0,200}\d+ (?:passed|failed|errors?|skipped).{0,200}) in [\d.]+s.*=+\s?$", m),
            _worded,
        ),
        (
            re.compile(
                r"^(?:\d+ (?:passed|failed|errors?|skipped|warnings?|xfailed|xpassed|deselected)(?:, "
                r"|\b)){1,8} in [\d.]+s",
                m,
            ),
            _worded,
        ),
        (re.compile(r"^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored", m), _cargo),
        (
            re.compile(r"^\s{0,8}Tests:?\s{1,9}(.{0,160}\d+ (?:passed|failed|skipped|todo).{0,160})$", m),
            _worded,
        ),
        (
            re.compile(
                r"Tests run:\s?(\d+),\s{1,3}Failures:\s?(\d+),\s{1,3}Errors:\s?(\d+),\s{1,3}Skipped:\s?(\d+)"
            ),
            _maven,
        ),
        (
            re.compile(
                r"^Ran (\d+) tests? in [\d.]+s\s{1,4}(OK|FAILED|NO TESTS RAN)(?: \(([^)]{0,200})\))?", m
            ),
            _unittest,
        ),
        (
            re.compile(
                r"(?:Failed|Passed)!\s{1,3}-\s{1,3}Failed:\s{1,9}(\d+), Passed:\s{1,9}(\d+), Skipped:\s{1,9}(\d+)"
            ),
            _dotnet,
        ),
        (re.compile(r"^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?", m), _rspec),
        (re.compile(r"^OK \((\d+) tests?, \d+ assertions?\)", m), _phpunit_ok),
        (
            re.compile(r"^Tests: (\d+), Assertions: \d+(?:, Errors: (\d+))?(?:, Failures: (\d+))?", m),
            _phpunit,
        ),
        (
            re.compile(
                r"^\s{0,8}(\d+) passing\b(?:.{0,60}\n(?:\s{0,8}\d+ pending.{0,40}\n)?\s{0,8}(\d+) failing\b)?",
                m,
            ),
            _mocha,
        ),
        (re.compile(r"^(?:#|ℹ) pass (\d+)\s{1,4}(?:#|ℹ) fail (\d+)", m), _mocha),
        (re.compile(r"^(\d+) tests completed, (\d+) failed", m), _gradle),
        (re.compile(r"^\d+% tests passed, (\d+) tests failed out of (\d+)", m), _ctest),
        (
            re.compile(
                r"^\d\d:\d\d \+(\d+)(?: ~\d+)?(?: -(\d+))?: (?:All tests passed|Some tests failed)", m
            ),
            _mocha,
        ),
        (re.compile(r"^\s{1,4}(\d+) failed\n(?:.*\n){0,60}?\s{1,4}(\d+) passed \(", m), _playwright),
        (re.compile(r"^\s{1,4}(\d+) passed \([\d.]+\w\)", m), _phpunit_ok),
    )


def _number(text: str | None) -> int:
    return int(text) if text else 0


def _worded(found: list[re.Match[str]]) -> TestTally:
    counts: dict[str, int] = {}
    for number, word in _COUNTS.findall(found[-1][0]):
        key = {"errors": "error", "ignored": "skipped", "pending": "skipped", "todo": "skipped"}.get(
            word, word
        )
        counts[key] = counts.get(key, 0) + int(number)
    return TestTally(
        counts.get("passed", 0), counts.get("failed", 0), counts.get("error", 0), counts.get("skipped", 0)
    )


def _cargo(found: list[re.Match[str]]) -> TestTally:
    return TestTally(
        sum(int(m[1]) for m in found), sum(int(m[2]) for m in found), 0, sum(int(m[3]) for m in found)
    )


def _maven(found: list[re.Match[str]]) -> TestTally:
    m = found[-1]
    run, failed, errors, skipped = int(m[1]), int(m[2]), int(m[3]), int(m[4])
    return TestTally(run - failed - errors - skipped, failed, errors, skipped)


def _unittest(found: list[re.Match[str]]) -> TestTally:
    m = found[-1]
    parts = dict(re.findall(r"(\w+)=(\d+)", m[3] or ""))
    failed, errors = _number(parts.get("failures")), _number(parts.get("errors"))
    skipped = _number(parts.get("skipped"))
    return TestTally(max(0, int(m[1]) - failed - errors - skipped), failed, errors, skipped)


def _dotnet(found: list[re.Match[str]]) -> TestTally:
    return TestTally(
        sum(int(m[2]) for m in found), sum(int(m[1]) for m in found), 0, sum(int(m[3]) for m in found)
    )


def _rspec(found: list[re.Match[str]]) -> TestTally:
    m = found[-1]
    return TestTally(int(m[1]) - int(m[2]) - _number(m[3]), int(m[2]), 0, _number(m[3]))


def _phpunit_ok(found: list[re.Match[str]]) -> TestTally:
    return TestTally(int(found[-1][1]), 0, 0, 0)


def _phpunit(found: list[re.Match[str]]) -> TestTally:
    m = found[-1]
    errors, failed = _number(m[2]), _number(m[3])
    return TestTally(int(m[1]) - errors - failed, failed, errors, 0)


def _mocha(found: list[re.Match[str]]) -> TestTally:
    return TestTally(int(found[-1][1]), _number(found[-1][2]), 0, 0)


def _gradle(found: list[re.Match[str]]) -> TestTally:
    m = found[-1]
    return TestTally(int(m[1]) - int(m[2]), int(m[2]), 0, 0)


def _ctest(found: list[re.Match[str]]) -> TestTally:
    m = found[-1]
    return TestTally(int(m[2]) - int(m[1]), int(m[1]), 0, 0)


def _playwright(found: list[re.Match[str]]) -> TestTally:
    return TestTally(int(found[-1][2]), int(found[-1][1]), 0, 0)


@cache
def _failing() -> re.Pattern[str]:
    return re.compile(
        r"^(?:FAILED|ERROR) (\S{1,300}(?:\.py|::)\S{0,300})"  # pytest
        r"|^(?:FAIL|ERROR): (\w{1,200} \([\w.]{1,300}\))"  # unittest
        r"|^\s{0,8}--- FAIL: (\S{1,300})"  # go
        r"|^test (\S{1,300}) \.\.\. FAILED"  # cargo
        r"|^\s{0,12}● ([^\n]{1,300}? › [^\n]{1,300})"  # jest
        r"|^\s{0,12}(?:✕|×|✗|✖) ([^\n]{1,300}?)(?:\s\(?\d+(?:\.\d+)? ?m?s\)?)?\s{0,3}$"  # jest, vitest, node
        r"|^\s{0,4}not ok \d+ -? ?([^\n#]{1,300})"  # TAP
        r"|^\[ERROR\] {1,4}([\w.$]{1,200}[.:]\w{1,200}:\d+)"  # Maven
        r"|^([\w.$ ]{1,200} > [^\n]{1,200}?) FAILED\s{0,3}$"  # Gradle
        r"|^\s{1,4}Failed ([\w.+<>`,() ]{1,300}?) \[\d"  # dotnet
        r"|^rspec (\S{1,300}:\d+)"  # rspec
        r"|^(\S{1,300}::\S{1,300}) FAILED",  # pytest -v
        re.MULTILINE,
    )


_CARGO_SUMMARY = re.compile(r"^failures:\n\n?((?:    \S{1,300}\n){1,200})", re.MULTILINE)
_GO = re.compile(r"^\s{0,8}--- (PASS|FAIL|SKIP): ", re.MULTILINE)
_GO_PACKAGE = re.compile(r"^(ok|FAIL)\s{1,4}\S{1,200}\s{1,4}(?:[\d.]+s|\(cached\)|\[)", re.MULTILINE)


_GIVEAWAYS = (
    ("\n=",), ("ed in ", "error in ", "errors in ", "warning in ", "warnings in "), ("test result: ",), ("Tests",),
    ("Tests run:",), ("\nRan ",), (" Failed:",), (" example",), ("\nOK (",), ("\nTests: ",), (" passing",),
    ("# pass ", "ℹ pass "), (" tests completed, ",), ("% tests passed, ",), (" tests passed", "Some tests failed"),
    (" failed\n",), (" passed (",),
)  # fmt: skip
"""For each row the texts of which one stands in what it finds; looking for them is a hundred times quicker."""


def read_tally(text: str) -> TestTally | None:
    """Return what a test run counted; None where the output holds no summary of a known runner.

    Args:
        text: the output; of very long ones the last 400,000 characters.
    """
    text = without_codes(text[-_LONGEST:])
    searched = f"\n{text}"
    tally = None
    for words, (pattern, read) in zip(_GIVEAWAYS, _rows(), strict=True):
        found = list(pattern.finditer(text)) if any(word in searched for word in words) else None
        if found:
            tally = read(found)
            break
    if tally is None and ("\nok" in searched or "\nFAIL" in searched):
        tally = _go(text)
    if tally is None:
        return None
    return TestTally(
        tally.passed,
        tally.failed,
        tally.errors,
        tally.skipped,
        failing_names(text) if _has_failed(tally) else (),
    )


def _has_failed(tally: TestTally) -> bool:
    return bool(tally.failed or tally.errors)


def _go(text: str) -> TestTally | None:
    packages = [m[1] for m in _GO_PACKAGE.finditer(text)]
    if not packages:
        return None
    single = [m[1] for m in _GO.finditer(text)]
    if single:
        return TestTally(single.count("PASS") or None, single.count("FAIL"), 0, single.count("SKIP"))
    return TestTally(None, packages.count("FAIL"), 0, None)


def failing_names(text: str) -> tuple[str, ...]:
    """Return the names of failing tests in an output, in order, each once, at most 50."""
    names = [next(g for g in m.groups() if g).strip() for m in _failing().finditer(text)]
    return tuple(dict.fromkeys(names))[:_MOST_FAILING]
