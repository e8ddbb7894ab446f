"""Importance of messages: the documented weights, their reasons, bands and memory tags; units by their best message."""

from __future__ import annotations

import pytest
from builders import assistant, user
from hypothesis import given, strategies as st

from condense.compaction.importance import (
    MEASURED,
    SEED,
    Band,
    MessageImportanceScore,
    calculate_message_importance,
    is_acknowledgement,
    score_all_messages,
    technical_words,
)
from memory.conversation.wire.parsing import parse_messages


def words(text: str) -> int:
    return len(text.split()) + sum(c > "\u3000" for c in text)


def tool_result(text: str, *, is_error: bool = False) -> dict:
    block = {"type": "tool_result", "tool_use_id": "t1", "content": text}
    return {"role": "user", "content": [{**block, "is_error": True} if is_error else block]}


def tool_call(name: str, **arguments: str) -> dict:
    return {
        "role": "assistant",
        "content": [{"type": "tool_use", "id": "t1", "name": name, "input": arguments}],
    }


def score(message: dict, **place: int) -> MessageImportanceScore:
    return calculate_message_importance(message, count_tokens=words, signals=SEED, **place)


FILLER = "the weather was fair and the harbour lay still while people walked along the quay " * 10


def test_a_message_of_nothing_in_particular_has_no_points_and_no_reasons():
    plain = score(assistant(FILLER))
    assert (plain.score, plain.reasons, plain.band) == (0, (), Band.MAY_DROP)
    assert not plain.is_memory_related
    assert plain.memory_tags == ()


def test_a_persons_message_gets_20():
    told = score(user(FILLER))
    assert told.is_user_message
    assert (told.score, told.reasons) == (20, ("user message (+20)",))


def test_a_tool_result_in_the_user_role_is_no_user_message():
    result = score(tool_result(FILLER))
    assert not result.is_user_message
    assert result.score == 0


def test_a_reminder_of_the_client_is_no_user_message():
    assert not score(user(f"<system-reminder>{FILLER}</system-reminder>")).is_user_message


@pytest.mark.parametrize(
    ("index", "total", "points", "reason"),
    [
        (0, 20, 30, "first message (+30)"),
        (0, 1, 30, "first message (+30)"),
        (1, 20, 10, "among the first five messages (+10)"),
        (4, 20, 10, "among the first five messages (+10)"),
        (5, 20, 0, None),
        (16, 20, 0, None),
        (17, 20, 25, "among the last three messages (+25)"),
        (19, 20, 25, "among the last three messages (+25)"),
        (1, 3, 25, "among the last three messages (+25)"),
    ],
)
def test_the_place_counts_once(index, total, points, reason):
    placed = score(assistant(FILLER), index=index, total=total)
    assert placed.score == points
    assert placed.reasons == ((reason,) if reason else ())


@pytest.mark.parametrize(
    "text", ["you must keep the old names in every file", "以后每次提交之前必须先跑一遍全部检查"]
)
def test_command_words_get_15(text):
    assert any(r.startswith("command word: ") and r.endswith("(+15)") for r in score(user(text)).reasons)


def test_command_words_of_tools_and_agents_do_not_count():
    for message in (tool_result("you must always obey"), assistant("you must always obey")):
        assert score(message).score == 0


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("about Redis " + FILLER, 5),
        ("about Redis and PostgreSQL " + FILLER, 10),
        ("Redis, PostgreSQL, Docker, Kafka, nginx, pytest " + FILLER, 20),
        ("数据库和缓存 " + FILLER, 10),
        ("Redis Redis Redis " + FILLER, 5),
    ],
)
def test_technical_words_get_5_each_up_to_20(text, points):
    assert score(assistant(text)).score == points


@pytest.mark.parametrize("text", ["it raised a ValueError there", "the build failed", "页面报错了", "登录有问题"])
def test_errors_get_10(text):
    assert any(r.startswith("error: ") and r.endswith("(+10)") for r in score(assistant(text)).reasons)


def test_a_flagged_tool_error_gets_10():
    assert "error: tool error (+10)" in score(tool_result("nothing to see", is_error=True)).reasons


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("KeyError: 'usage'", "KeyError"),
        ("json.decoder.JSONDecodeError: x", "JSONDecodeError"),
        ("java.lang.NullPointerException", "NullPointerException"),
        ("it gives parse_errors", "parse_errors"),
        ("An Error", "error"),
        ("ERROR: no", "error"),
        ("它报错了", "报错"),
    ],
)
def test_an_error_is_told_by_its_whole_name(text, told):
    assert f"error: {told} (+10)" in score(assistant(text)).reasons


def test_a_word_that_ends_like_an_error_is_none():
    assert not any(r.startswith("error") for r in score(assistant("a reign of terror")).reasons)


def test_a_code_block_gets_10():
    assert score(assistant(FILLER + "\n```\nx\n```\n")).reasons == ("code block (+10)",)


@pytest.mark.parametrize(
    ("count", "reason"),
    [
        (19, "short user command (+15)"),
        (20, "brief user command (+10)"),
        (99, "brief user command (+10)"),
        (100, None),
    ],
)
def test_short_commands_of_a_person_get_more(count, reason):
    reasons = score(user("quay " * count)).reasons
    assert (reason in reasons) if reason else reasons == ("user message (+20)",)


def test_a_long_message_loses_10():
    told = score(user("quay " * 5_001))
    assert told.reasons == ("user message (+20)", "over 5000 tokens (-10)")
    assert told.token_count > 5_000


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": FILLER, "isCompactSummary": True},
        {"role": "user", "content": f"<holdfast-context v=1>\n{FILLER}\n</holdfast-context>"},
        user("This session is being continued from a previous conversation that ran out of context. " + FILLER),
    ],
)
def test_a_summary_gets_25_and_is_memory(message):
    summary = score(message)
    assert "conversation summary (+25)" in summary.reasons
    assert summary.is_memory_related
    assert "summary" in summary.memory_tags
    assert not summary.is_user_message


@pytest.mark.parametrize(
    "text", ["ok", "Thanks!", "好的，谢谢", "继续", "yes, go ahead", "LGTM 👍", "嗯嗯", "ok ok ok"]
)
def test_a_bare_acknowledgement_loses_10_and_is_no_command(text):
    assert is_acknowledgement(text)
    assert score(user(text)).reasons == ("user message (+20)", "bare acknowledgement (-10)")


@pytest.mark.parametrize("text", ["ok, but use port 4000", "no", "好的，改成深色", "yes " * 40, ""])
def test_an_answer_that_says_something_is_no_acknowledgement(text):
    assert not is_acknowledgement(text)


def test_a_short_key_instruction_must_be_kept():
    told = score(user("必须使用 PostgreSQL，端口改为 3001"), index=0, total=40)
    assert told.band in (Band.MUST_KEEP, Band.KEEP_FIRST)
    assert told.is_memory_related
    assert {"user_instruction", "technical_decision", "configuration", "postgresql"} <= set(told.memory_tags)


@pytest.mark.parametrize(
    ("points", "band"),
    [
        (100, Band.MUST_KEEP),
        (90, Band.MUST_KEEP),
        (89, Band.KEEP_FIRST),
        (70, Band.KEEP_FIRST),
        (69, Band.MAY_COMPRESS),
        (40, Band.MAY_COMPRESS),
        (39, Band.MAY_DROP),
        (0, Band.MAY_DROP),
    ],
)
def test_bands_begin_where_documented(points, band):
    (message,) = parse_messages([user("x")])
    assert MessageImportanceScore(message, points, (), is_user_message=True, token_count=1).band is band


def test_a_message_of_80_points_is_memory_whatever_it_says():
    told = score(user("the login page shows an exception\n```\nredis docker kafka nginx\n```"), index=0, total=9)
    assert told.score >= 80
    assert told.is_memory_related


def test_a_call_of_a_remember_tool_is_memory():
    kept = score(tool_call("remember", text="the colour is blue"))
    assert kept.is_memory_related
    assert kept.memory_tags == ("remember",)


def test_scores_are_cut_to_0_and_100():
    rich = user("must use Redis, Docker, Kafka, PostgreSQL: error\n```\nx\n```")
    assert score(rich, index=0, total=10).score == 100
    assert score(assistant("ok")).score == 0


def test_all_messages_are_scored_in_order_in_any_form():
    history = [
        user("use PostgreSQL"),
        tool_call("bash", command="ls"),
        tool_result("a.py"),
        assistant("Done: one file."),
    ]
    scores = score_all_messages(history, words)
    assert [s.message.raw for s in scores] == history
    assert [s.is_user_message for s in scores] == [True, False, False, False]
    assert score_all_messages(parse_messages(history), words) == scores
    chat = [
        {"role": "user", "content": "use PostgreSQL"},
        {"role": "tool", "tool_call_id": "a", "content": "x"},
    ]
    assert [s.is_user_message for s in score_all_messages(chat, words)] == [True, False]
    assert score_all_messages([]) == ()


def test_one_message_alone_scores_like_the_same_message_in_its_conversation():
    history = [user("use PostgreSQL"), assistant(FILLER), user("the build failed")]
    whole = score_all_messages(history, words, signals=SEED)
    assert whole[1] == score(history[1], index=1, total=3)


def test_technical_words_are_technologies_first_then_terms():
    assert technical_words("the API uses Redis as a cache") == ("redis", "api", "cache")


def test_a_place_needs_its_total():
    with pytest.raises(ValueError, match="give both or neither"):
        calculate_message_importance(user("x"), index=1)
    with pytest.raises(ValueError, match="it should be 0 to 2"):
        calculate_message_importance(user("x"), index=3, total=3)


@given(
    st.lists(
        st.one_of(st.builds(user, st.text(max_size=80)), st.builds(assistant, st.text(max_size=80))),
        max_size=8,
    )
)
def test_scores_are_within_range_deterministic_and_add_up(history):
    scores = score_all_messages(history, words)
    assert len(scores) == len(history)
    for s in scores:
        points = sum(int(r.rsplit("(", 1)[1].rstrip(")")) for r in s.reasons)
        assert s.score == min(max(points, 0), 100)
    assert score_all_messages(history, words) == scores


# --- the default preset ---


def by_default(*history: dict) -> list[int]:
    return [s.score for s in score_all_messages(history, words)]


def test_the_measured_weights_are_the_default():
    message = user("ok then go")
    assert score_all_messages([message], words) == score_all_messages([message], words, signals=MEASURED)


def test_by_default_what_says_more_ranks_above_what_is_short():
    asked = "the depot list is wrong since the parcels of the second tour are counted twice in it " * 4
    short, long = by_default(*[assistant("a")] * 6, user("nice one"), user(asked), *[assistant("a")] * 30)[6:8]
    assert long >= short + 30


def test_by_default_a_short_rule_ranks_above_small_talk_and_a_call_above_plain_prose():
    pad = [assistant("a")] * 6
    rule, talk, call, prose = by_default(
        *pad,
        user("never push to main"),
        user("nice weather today"),
        tool_call("Bash", command="ls"),
        assistant("I look."),
        *[assistant("a")] * 30,
    )[6:10]
    assert rule >= talk + 20
    assert call >= prose + 20


def test_by_default_the_last_twenty_messages_are_recent():
    scores = by_default(*[assistant("a")] * 40)
    assert scores[36] - scores[10] == 10
    assert scores[19:21] == [0, 10]


def test_the_task_that_a_program_gave_must_be_kept_where_no_person_typed_anything():
    task = "We're currently solving the following issue within our repository. Here's the issue: the clock is late."
    history = [
        {"role": "user", "content": "Here is a demonstration of how to correctly accomplish this task: ..."},
        {"role": "user", "content": task},
        tool_call("Bash", command="ls"),
        {"role": "assistant", "content": "Looking."},
    ]
    scores = score_all_messages(history)
    assert [score.band is Band.MUST_KEEP for score in scores] == [False, True, False, False]
    assert "the task, as a program gave it" in scores[1].reasons[-1]
    typed = score_all_messages([*history, {"role": "user", "content": "Never touch the clock."}])
    assert typed[1].band is not Band.MUST_KEEP
