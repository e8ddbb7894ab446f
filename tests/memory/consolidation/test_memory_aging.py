"""Priorities as they read after a time, and the settings of memory."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st
from pydantic import ValidationError

from memory.config import DAY, AgingConfig, MemoryConfig, SimilarityConfig, SummaryConfig
from memory.consolidation.memory_set import aged
from memory.entries.entry import MemoryEntry, MemoryPriority, MemoryType

START = 1_700_000_000.0
CONFIG = AgingConfig()


def aged_priority(one, now, config):
    seen = aged(one, now, config)
    return seen and seen.priority


def entry(priority, last=START):
    return MemoryEntry("a", "t", MemoryType.CONFIGURATION, priority, "port 1", None, START, last)


@pytest.mark.parametrize(
    ("priority", "days", "reads"),
    [
        ("critical", 9999, "critical"),
        ("high", 7, "high"),
        ("high", 7.01, "medium"),
        ("high", 10, "medium"),
        ("high", 10.01, "low"),
        ("high", 11, "low"),
        ("high", 11.01, None),
        ("medium", 3, "medium"),
        ("medium", 3.01, "low"),
        ("medium", 4.01, None),
        ("low", 1, "low"),
        ("low", 1.01, None),
    ],
)
def test_priority_falls_by_one_after_each_half_life(priority, days, reads):
    seen = aged_priority(entry(MemoryPriority(priority)), START + days * DAY, CONFIG)
    assert seen == (None if reads is None else MemoryPriority(reads))


def test_reading_does_not_change_the_entry():
    stored = entry(MemoryPriority.HIGH)
    assert aged(stored, START + 8 * DAY, CONFIG) == replace(stored, priority=MemoryPriority.MEDIUM)
    assert stored.priority is MemoryPriority.HIGH
    assert aged(stored, START, CONFIG) is stored


def test_nothing_ages_without_a_known_time_or_when_switched_off():
    low = entry(MemoryPriority.LOW)
    assert aged_priority(entry(MemoryPriority.LOW, last=0.0), START, CONFIG) is MemoryPriority.LOW
    assert aged_priority(low, 0.0, CONFIG) is MemoryPriority.LOW
    off = AgingConfig(enable_auto_aging=False)
    assert aged_priority(low, START + 999 * DAY, off) is MemoryPriority.LOW


@given(
    st.sampled_from(MemoryPriority),
    st.floats(0, 30 * DAY),
    st.floats(0, 30 * DAY),
)
def test_a_priority_never_rises_with_time(priority, one, other):
    early, late = sorted((one, other))
    first = aged_priority(entry(priority), START + early, CONFIG)
    second = aged_priority(entry(priority), START + late, CONFIG)
    rank = {None: -1}
    assert rank.get(second, second.rank if second else -1) <= rank.get(first, first.rank if first else -1)


@pytest.mark.parametrize(
    ("make", "field", "value"),
    [
        (lambda: SimilarityConfig(threshold=0), "threshold", "0"),
        (lambda: SimilarityConfig(threshold=1.5), "threshold", "1.5"),
        (lambda: SimilarityConfig(threshold=float("nan")), "threshold", "nan"),
        (lambda: AgingConfig(high_priority_half_life=-1), "high_priority_half_life", "-1"),
        (lambda: AgingConfig(low_priority_half_life=float("inf")), "low_priority_half_life", "inf"),
        (lambda: SummaryConfig(max_decisions=-3), "max_decisions", "-3"),
        (lambda: MemoryConfig(similarity={"treshold": 0.8}), "treshold", "0.8"),
    ],
)
def test_a_wrong_setting_is_an_error_that_names_field_and_value(make, field, value):
    with pytest.raises(ValueError, match=field) as caught:
        make()
    assert value in str(caught.value)


def test_settings_cannot_be_changed():
    config = MemoryConfig()
    with pytest.raises(ValidationError):
        config.similarity = SimilarityConfig()
