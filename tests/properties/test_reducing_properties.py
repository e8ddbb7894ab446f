"""Properties of reducing that hold for any text: order, honesty, size, stability."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings, strategies as st

from condense.reading.outputs.long_lines import lines_behind
from condense.reading.outputs.reducer import reduce_output
from condense.reading.outputs.trouble_words import Sheet
from condense.reading.outputs.weighing import weigh
from tests import tool_outputs as seen


def count(text: str) -> int:
    return (len(text.encode("utf-8", "surrogatepass")) + 3) // 4


LINES = st.one_of(
    st.sampled_from([line for text in seen.ALL.values() for line in text.split("\n") if len(line) < 500]),
    st.text(max_size=80).map(lambda s: s.replace("\n", " ")),
    st.sampled_from(["", "----", "ERROR: it broke", "… 3 lines left out …", "{", "}"]),
)
TEXTS = st.lists(LINES, min_size=1, max_size=220).map("\n".join)
SHOWN = st.sampled_from([None, False, True])
EASY = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])


def is_subsequence(part, whole):
    rest = iter(whole)
    return all(any(line == other for other in rest) for line in part)


@EASY
@given(TEXTS, SHOWN, st.integers(0, 3000), st.sampled_from(["en", "zh"]))
def test_kept_lines_are_lines_of_the_input_in_order_and_the_numbers_add_up(text, shown, budget, language):
    result = reduce_output(text, budget_tokens=budget, count=count, shown=shown, language=language)
    assert count(result) <= count(text)
    lines = result.split("\n")
    assert is_subsequence([line for line in lines if not lines_behind(line)], text.split("\n"))
    assert sum(lines_behind(line) or 1 for line in lines) == sum(
        lines_behind(line) or 1 for line in text.split("\n")
    )


@EASY
@given(TEXTS, SHOWN, st.integers(0, 3000))
def test_the_result_fits_and_reducing_it_again_changes_nothing(text, shown, budget):
    result = reduce_output(text, budget_tokens=budget, count=count, shown=shown)
    assert reduce_output(result, budget_tokens=budget, count=count, shown=shown) == result
    if result != text and any(not lines_behind(line) for line in result.split("\n")):
        assert count(result) <= budget


@EASY
@given(
    st.lists(st.sampled_from(["INFO all is well here", "step done", "", "value = 3"]), min_size=80, max_size=300),
    st.lists(st.integers(0, 79), min_size=1, max_size=8, unique=True),
)
def test_error_lines_survive_while_the_budget_allows(lines, places):
    errors = [f"ERROR: unit {chr(97 + n)} failed at src/u{n}.py:{n + 1}" for n in range(len(places))]
    for place, error in zip(sorted(places), errors, strict=True):
        lines[place] = error
    text = "\n".join(lines)
    budget = sum(count(e) + 12 for e in errors) + 60
    kept = reduce_output(text, budget_tokens=budget, count=count, shown=False).split("\n")
    assert [e for e in errors if e not in kept] == []


@EASY
@given(TEXTS, SHOWN)
def test_weights_are_one_a_line_within_bounds_and_deterministic(text, shown):
    weights = weigh(Sheet(text), shown=shown)
    assert len(weights) == len(text.split("\n"))
    assert all(0.0 <= w <= 1.0 for w in weights)
    assert weights == weigh(Sheet(text), shown=shown)


@EASY
@given(st.text(alphabet='{}[],:"\\ab\r\t ', max_size=9000).map(lambda s: s * 3), st.integers(0, 700))
def test_hostile_single_lines_never_fail_nor_grow(text, budget):
    result = reduce_output(text, budget_tokens=budget, count=count)
    assert count(result) <= count(text)
