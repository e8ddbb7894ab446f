"""Test results read off the output of test runners: counts and the names of failing tests.

pytest, unittest, jest, vitest, mocha, node, TAP, go, cargo, Maven, Gradle, dotnet, rspec, PHPUnit, Flutter,
ctest, Playwright. The last summary in an output counts; those of several packages (go, cargo, dotnet) are added up.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace

from condense.reading.text import without_codes


@dataclass(frozen=True, slots=True)
class TestTally:
    """What a test run counted, None where the output does not say; `failing`: names of tests that failed, in order."""

    __test__ = False  # not a test class of pytest's

    passed: int | None = None
    failed: int | None = None
    errors: int | None = None
    skipped: int | None = None
    failing: tuple[str, ...] = ()


_MOST_FAILING = 50
_LONGEST = 400_000
_COUNTS = re.compile(
    r"(\d{1,9}) (passed|failed|errors?|skipped|ignored|xfailed|xpassed|pending|todo|flaky)\b"
    r"|\b(failures|errors|skipped)=(\d{1,9})"
)
_KINDS = {
    "failures": "failed", "error": "errors", "ignored": "skipped", "pending": "skipped", "todo": "skipped"
}  # fmt: skip
_WORD = r"(?:passed|failed|errors?|skipped)"
_SUMMARIES = tuple(
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        rf"^=+ (?P<words>.{{0,200}}\d+ {_WORD}.{{0,200}}) in [\d.]+s.*=+\s?$",
        r"^(?P<words>(?:\d+ (?:passed|failed|errors?|skipped|warnings?|x\w+|deselected)(?:, |\b)){1,8}) in [\d.]+s",
        r"^test result: (?:ok|FAILED)\. (?P<passed_each>\d+) passed; (?P<failed>\d+) failed; (?P<skipped>\d+) ignored",
        r"^\s{0,8}Tests:?\s{1,9}(?P<words>.{0,160}\d+ (?:passed|failed|skipped|todo).{0,160})$",
        (
            r"Tests run: ?(?P<total>\d+), +Failures: ?(?P<failed>\d+), +Errors: ?(?P<errors>\d+), +"
            r"Skipped: ?(?P<skipped>\d+)"
        ),
        r"^Ran (?P<total>\d+) tests? in [\d.]+s\s{1,4}(?:OK|FAILED|NO TESTS RAN)(?: \((?P<words>[^)]{0,200})\))?",
        r"!\s+-\s+Failed:\s+(?P<failed>\d+), Passed:\s+(?P<passed_each>\d+), Skipped:\s+(?P<skipped>\d+)",
        r"^(?P<total>\d+) examples?, (?P<failed>\d+) failures?(?:, (?P<skipped>\d+) pending)?",
        r"^OK \((?P<passed>\d+) tests?, \d+ assertions?\)",
        r"^Tests: (?P<total>\d+), Assertions: \d+(?:, Errors: (?P<errors>\d+))?(?:, Failures: (?P<failed>\d+))?",
        r"^\s{0,8}(?P<passed>\d+) passing\b(?:.*\n(?:\s{0,8}\d+ pending.*\n)?\s{0,8}(?P<failed>\d+) failing\b)?",
        r"^(?:#|ℹ) pass (?P<passed>\d+)\s{1,4}(?:#|ℹ) fail (?P<failed>\d+)",
        r"^(?P<total>\d+) tests completed, (?P<failed>\d+) failed",
        r"^\d+% tests passed, (?P<failed>\d+) tests failed out of (?P<total>\d+)",
        r"^\d\d:\d\d \+(?P<passed>\d+)(?: ~\d+)?(?: -(?P<failed>\d+))?: (?:All tests passed|Some tests failed)",
        r"^\s{1,4}(?P<failed>\d+) failed\n(?:.*\n){0,60}?\s{1,4}(?P<passed>\d+) passed \(",
        r"^\s{1,4}(?P<passed>\d+) passed \([\d.]+\w\)",
    )
)
"""Summaries, the most telling first; those that name `passed_each` are one a package."""
_FAILING = re.compile(
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
_GO = re.compile(r"^\s{0,8}--- (PASS|FAIL|SKIP): ", re.MULTILINE)
_GO_PACKAGE = re.compile(r"^(ok|FAIL)\s{1,4}\S{1,200}\s{1,4}(?:[\d.]+s|\(cached\)|\[)", re.MULTILINE)
_RAN = re.compile(r"pass|fail|\bok\b|tests|examples?,", re.IGNORECASE)
"""What stands in any summary."""


def read_tally(text: str) -> TestTally | None:
    """Return what a test run counted, by its last 400,000 characters; None without the summary of a known runner."""
    text = without_codes(text[-_LONGEST:])
    if not _RAN.search(text):
        return None
    found = next((found for pattern in _SUMMARIES if (found := [*pattern.finditer(text)])), None)
    tally = _counted(found) if found else _go(text)
    if tally is None or not (tally.failed or tally.errors):
        return tally
    names = [next(filter(None, m.groups())).strip() for m in _FAILING.finditer(text)]
    return replace(tally, failing=tuple(dict.fromkeys(names))[:_MOST_FAILING])


def _counted(found: list[re.Match[str]]) -> TestTally:
    counts: Counter[str] = Counter()
    for summary in found if "passed_each" in found[0].groupdict() else found[-1:]:
        named = summary.groupdict()
        for number, word, other, value in _COUNTS.findall(named.pop("words", None) or ""):
            kind = word or other
            counts[_KINDS.get(kind, kind)] += int(number or value)
        for kind, value in named.items():
            counts[kind.removesuffix("_each")] += int(value or 0)
    passed, failed, errors, skipped = (counts[kind] for kind in ("passed", "failed", "errors", "skipped"))
    if "total" in counts:
        passed = max(0, counts["total"] - failed - errors - skipped)
    return TestTally(passed, failed, errors, skipped)


def _go(text: str) -> TestTally | None:
    packages = [m[1] for m in _GO_PACKAGE.finditer(text)]
    if not packages:
        return None
    single = [m[1] for m in _GO.finditer(text)]
    if single:
        return TestTally(single.count("PASS") or None, single.count("FAIL"), 0, single.count("SKIP"))
    return TestTally(None, packages.count("FAIL"), 0, None)
