"""What a compaction promises, over random histories of every form, also repeatedly with growth between."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from itertools import pairwise

from builders import quarter, size
from hypothesis import given, settings, strategies as st
from strategies import FORMS, plots

from condense import CompactionRecord, CondenseConfig, Condenser, TokenBudget
from condense.compaction.validity import violations
from condense.ledger.filling import TYPED_PART
from condense.reading.outputs.reducer import by_size
from memory import ConversationMemory
from memory.conversation.messages import Role, canonical_json
from memory.conversation.provenance.typed_text import typed_text
from memory.conversation.wire.parsing import parse_messages

RULES = [
    "You must never push to main.",
    "必须使用 PostgreSQL 数据库。",
    "Remember: the port is 3001.",
    "Never touch the migrations folder.",
    "IMPORTANT: always run the linter before you commit.",
]
forms = st.sampled_from(sorted(FORMS))
targets = st.integers(100, 3_000) | st.integers(1_500, 4_000)


def condenser(**settings_) -> Condenser:
    budget = TokenBudget(window=100_000, trigger=90_000, target=80_000)
    return Condenser(
        CondenseConfig(budget=budget, **settings_), count_tokens=quarter, memory=ConversationMemory("t")
    )


def text_of(messages):
    return "\n".join(m.text for m in parse_messages(messages))


@dataclass(frozen=True)
class Compacted:
    """A compaction, and what it was made of."""

    condenser: Condenser
    messages: list
    before: list
    target: int
    done: object

    @classmethod
    def of(cls, messages, target, **settings_):
        made, before = condenser(**settings_), copy.deepcopy(messages)
        return cls(made, messages, before, target, made.condense(messages, target=target))


def the_result_is_valid_within_target_and_smaller(c):
    assert not violations(parse_messages(c.done.messages))
    if c.done.record is None:
        assert list(c.done.messages) == c.messages
        assert c.done.error is not None or size(c.messages) <= c.target
        return
    assert size(c.done.messages) <= c.target
    assert size(c.done.messages) == c.done.new_context_tokens
    assert c.done.new_context_tokens < c.done.prev_context_tokens == size(c.messages)


def kept_messages_are_the_originals_in_their_order(c):
    places = [i for m in c.done.messages for i, o in enumerate(c.messages) if o is m]
    assert places == sorted(places)
    if c.done.record is not None:
        kept = [(j, p.kept) for j, p in enumerate(c.done.record.pieces) if p.kept is not None]
        assert [c.messages[i] for _, i in kept] == [c.messages[i] for i in places]
        assert all(c.done.messages[j] is c.messages[i] for j, i in kept)


def the_input_is_not_written_to(c):
    assert c.messages == c.before


def every_folded_byte_comes_back_by_its_handle(c):
    if c.done.record is not None:
        back = {canonical_json(c.condenser.expand(h)) for h in c.done.record.handles}
        kept = {p.kept for p in c.done.record.pieces if p.kept is not None}
        for i, message in enumerate(c.messages):
            assert i in kept or canonical_json(message) in back


def every_typed_message_is_verbatim_or_reachable(c):
    if c.done.record is not None:
        text = text_of(c.done.messages)
        originals = text_of([c.condenser.expand(h) for h in c.done.record.handles])
        for message in parse_messages(c.messages):
            typed = typed_text(message)
            assert typed in text or typed in originals


def typed_messages_stand_verbatim_while_they_fit_in_their_share(c):
    typed = [t for m in parse_messages(c.messages) if (t := typed_text(m))]
    share = by_size(TYPED_PART, c.target) * CondenseConfig().typed_share
    if c.done.record is not None and sum(quarter(t) + 40 for t in typed) <= share * c.target:
        text = text_of(c.done.messages)
        assert all(t in text for t in typed)
        assert c.done.report.typed_verbatim == c.done.report.typed_messages == len(typed)


def a_record_survives_serialization_and_rebuilds_the_same_view(c):
    if c.done.record is None:
        return
    record = CompactionRecord.from_json(c.done.record.to_json())
    assert record == c.done.record
    of_form = parse_messages(c.messages)[0].form
    other = [{"role": "user", "content": "something else"}, *c.messages[1:]]

    def sent(history, *records):
        return list(Condenser(records=records).view(history, form=of_form))

    assert sent(c.messages, record) == list(c.done.messages)
    assert sent(c.messages) == c.messages
    assert sent(other, record) == other


def another_condenser_plans_and_applies_the_same_bytes(c):
    other = condenser()
    plan = other.plan(c.before, target=c.target)
    assert str(plan)
    assert (plan.error is None) == (c.done.record is not None)
    if plan.error is None:
        again = other.apply(c.before, plan)
        assert json.dumps(list(again.messages)) == json.dumps(list(c.done.messages))
        assert (again.record and again.record.to_json()) == (c.done.record and c.done.record.to_json())
        assert [a.start for a in plan.actions] == sorted(a.start for a in plan.actions)
        assert all(a.reason for a in plan.actions)


def compacting_again_at_once_changes_nothing(c):
    if c.done.record is not None:
        again = condenser().condense(c.done.messages, target=c.target)
        assert again.record is None
        assert list(again.messages) == list(c.done.messages)


PROMISES = (
    the_result_is_valid_within_target_and_smaller,
    kept_messages_are_the_originals_in_their_order,
    the_input_is_not_written_to,
    every_folded_byte_comes_back_by_its_handle,
    every_typed_message_is_verbatim_or_reachable,
    typed_messages_stand_verbatim_while_they_fit_in_their_share,
    a_record_survives_serialization_and_rebuilds_the_same_view,
    another_condenser_plans_and_applies_the_same_bytes,
    compacting_again_at_once_changes_nothing,
)


@given(forms, plots, targets)
def test_every_promise_of_a_compaction_holds(form, plot, target):
    compacted = Compacted.of(FORMS[form](plot), target)
    for promise in PROMISES:
        promise(compacted)


@given(forms, plots, st.integers(600, 3_000))
@settings(max_examples=40)
def test_roles_alternate_where_a_model_insists_on_it_and_nothing_folded_is_lost(form, plot, target):
    messages = [*FORMS[form](plot), {"role": "user", "content": "And now?"}]
    if form == "openai-responses":
        messages[-1] = {"type": "message", **messages[-1]}
    compacted = Compacted.of(messages, target, alternate_roles=True)
    every_folded_byte_comes_back_by_its_handle(compacted)
    if compacted.done.record is not None:
        parsed = parse_messages(compacted.done.messages)
        roles = [m.role for m in parsed if m.role is not Role.SYSTEM]
        assert all(a is not b or a is not Role.USER for a, b in pairwise(roles))
        assert "And now?" in parsed[-1].text


@given(forms, st.lists(plots, min_size=2, max_size=5), st.integers(400, 2_500))
@settings(max_examples=40)
def test_it_stays_valid_and_within_target_over_repeated_compactions_with_growth_between(form, growth, target):
    history: list = []
    for k, plot in enumerate(growth):
        history = [*history, *FORMS[form](plot, start=1000 * (k + 1))]
        done = condenser().condense(history, target=target)
        assert not violations(parse_messages(done.messages))
        if done.record is not None:
            assert size(done.messages) <= target
            assert sum("<holdfast-context" in m.text for m in parse_messages(done.messages)) == 1
        history = list(done.messages)


@given(forms, plots, targets, st.lists(st.sampled_from(RULES), min_size=1, max_size=6))
@settings(max_examples=40)
def test_every_critical_rule_stands_in_the_result_verbatim_also_after_a_second_compaction(
    form, plot, target, rules
):
    messages = [{"role": "user", "content": " ".join(rules)}, *FORMS[form](plot)]
    if form == "openai-responses":
        messages[0] = {"type": "message", **messages[0]}
    memory = ConversationMemory("t")
    once = condenser().condense(messages, memory=memory, target=target)
    critical = [m.content for m in memory.get_critical_memories()]
    if once.record is not None:
        assert all(rule in text_of(once.messages) for rule in critical)
        twice = condenser().condense([*once.messages, *FORMS[form](plot, start=500)], target=target)
        if twice.record is not None:
            assert all(rule in text_of(twice.messages) for rule in critical)
