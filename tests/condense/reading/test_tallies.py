"""Counts and failing names, read off the output of test runners."""

from __future__ import annotations

import pytest

from condense.reading.outputs.test_tallies import read_tally
from tests import tool_outputs as seen


@pytest.mark.parametrize(
    ("text", "passed", "failed", "errors", "skipped", "failing"),
    [
        (seen.PYTEST, 211, 2, 0, 1, ("tests/unit/test_cart.py::test_discount_is_capped",
                                     "tests/unit/test_tax.py::test_rounding[EUR]")),
        ("ERROR tests/a.py::test_b\n1 failed, 2 passed, 3 errors in 0.10s", 2, 1, 3, 0, ("tests/a.py::test_b",)),
        ("\x1b[32m5 passed\x1b[0m in 0.12s", 5, 0, 0, 0, ()),
        (seen.JEST, 142, 1, 0, 0, ("total › applies the coupon once",)),
        (" Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 9 passed (10)\n   × adds up 5ms", 9, 1, 0, 0,
         ("adds up",)),
        (seen.CARGO, 2, 1, 0, 0, ("book::tests::closes",)),
        ("test result: ok. 3 passed; 0 failed; 1 ignored\ntest result: ok. 4 passed; 0 failed; 0 ignored",
         7, 0, 0, 1, ()),
        (seen.GO, None, 1, 0, 0, ("TestRefund",)),
        ("ok  \texample.org/a\t0.1s\nok  \texample.org/b\t(cached)", None, 0, 0, None, ()),
        ("[ERROR] Tests run: 9, Failures: 1, Errors: 1, Skipped: 2\n[ERROR]   CartTest.total:41 expected", 5, 1, 1, 2,
         ("CartTest.total:41",)),
        ("CartTest > total() FAILED\n\n12 tests completed, 1 failed", 11, 1, 0, 0, ("CartTest > total()",)),
        ("FAIL: test_a (tests.test_x.XTest)\nRan 5 tests in 0.01s\n\nFAILED (failures=1, skipped=1)", 3, 1, 0, 1,
         ("test_a (tests.test_x.XTest)",)),
        ("Ran 5 tests in 0.01s\n\nOK", 5, 0, 0, 0, ()),
        ("  12 passing (40ms)\n  1 failing\n\n  1) cart total:", 12, 1, 0, 0, ()),
        ("# pass 3\n# fail 1\nnot ok 2 - adds up", 3, 1, 0, 0, ("adds up",)),
        ("Failed!  - Failed:     1, Passed:     5, Skipped:     0, Total:     6", 5, 1, 0, 0, ()),
        ("rspec ./spec/a_spec.rb:12 # total\n5 examples, 1 failure, 1 pending", 3, 1, 0, 1, ("./spec/a_spec.rb:12",)),
        ("OK (5 tests, 9 assertions)", 5, 0, 0, 0, ()),
        ("Tests: 5, Assertions: 9, Failures: 2.", 3, 2, 0, 0, ()),
        ("90% tests passed, 1 tests failed out of 10", 9, 1, 0, 0, ()),
        ("00:03 +5 -1: Some tests failed.", 5, 1, 0, 0, ()),
        ("00:03 +5: All tests passed!", 5, 0, 0, 0, ()),
        ("  1 failed\n    [chromium] › a.spec.ts:3:5 › opens\n  7 passed (12.1s)", 7, 1, 0, 0, ()),
    ],
)  # fmt: skip
def test_counts_of_each_runner(text, passed, failed, errors, skipped, failing):
    tally = read_tally(text)
    assert (tally.passed, tally.failed, tally.errors, tally.skipped) == (passed, failed, errors, skipped)
    assert tally.failing == failing


@pytest.mark.parametrize("text", ["", "all is well", "3 files changed", "2 passengers passed the gate", seen.DIFF])
def test_texts_without_a_summary_count_nothing(text):
    assert read_tally(text) is None
