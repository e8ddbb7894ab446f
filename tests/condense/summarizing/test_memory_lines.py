"""One line of memory of a conversation, of what overflows one, and the running summary of a chat."""

from __future__ import annotations

import asyncio

import pytest
from agent_stories import story
from builders import quarter

from condense import SummarizingConfig, SummaryAnswer
from condense.summarizing.memory_lines import (
    SKIP_PREFIXES,
    dialogue,
    format_messages_for_summary,
    is_greeting,
    memory_line,
    overflow_line,
    should_summarize,
    split_messages,
)
from condense.summarizing.requests import PER_TOKEN, Purpose
from condense.summarizing.rolling import RunningSummary
from condense.testing.summarizers import AsyncScriptedSummarizer, ScriptedSummarizer

LINE = "用户询问天气接口方案；决定使用 OpenWeatherMap；缓存策略选 Redis TTL=3600s"


def chat(turns: int = 6) -> list[dict]:
    out = []
    for i in range(turns):
        out.append(
            {
                "role": "user",
                "id": f"u{i}",
                "content": f"天气接口的方案第 {i} 步应该怎么做？我们需要缓存结果。",
            }
        )
        out.append(
            {"role": "assistant", "id": f"a{i}", "content": f"第 {i} 步：用 OpenWeatherMap，缓存放进 Redis。"}
        )
    return out


def test_greetings_are_short_and_begin_like_one():
    assert is_greeting("好的")
    assert is_greeting("OK!")
    assert is_greeting("Thanks")
    assert all(is_greeting(prefix) for prefix in SKIP_PREFIXES)
    assert not is_greeting("好的，我来帮你分析一下")
    assert not is_greeting("端口是多少？")


def test_the_dialogue_holds_no_step_of_the_work():
    lines = dialogue(story(4))
    assert [line.role.value for line in lines] == ["user", "assistant", "user"]
    assert not any("value_" in line.text or "Step" in line.text for line in lines)


def test_formatting_filters_greetings_and_cuts_at_300_and_4000_characters():
    messages = [{"role": "user", "content": "好的"}, {"role": "user", "content": "x" * 500}, *chat(60)]
    text = format_messages_for_summary(messages)
    assert "好的" not in text
    assert len(text) <= 4_000
    assert "第 59 步" in text
    assert "x" * 301 not in format_messages_for_summary(messages[:2])
    assert format_messages_for_summary(messages[:2]) == "用户: " + "x" * 300 + "…"


def test_a_summary_is_worth_it_above_20_messages_or_10000_characters():
    assert not should_summarize(chat(10))
    assert should_summarize(chat(11))
    assert should_summarize([{"role": "user", "content": "长" * 10_001}])


def test_the_ten_newest_messages_stay():
    old, recent = split_messages(chat(8))
    assert (len(old), len(recent)) == (6, 10)
    assert split_messages(chat(3)) == ([], chat(3))


def test_a_conversation_becomes_one_line():
    model = ScriptedSummarizer(SummaryAnswer(f"{LINE}\n- 密钥不记录", cost=0.001))
    line = memory_line(chat(), model)
    assert line.text == f"{LINE}；密钥不记录"
    assert line.cost == pytest.approx(0.001)
    request = model.requests[0]
    assert request.temperature == pytest.approx(0.3)
    assert request.purpose is Purpose.LINE
    assert "第 3 步" in request.prompt
    assert "无需记录" in request.system


@pytest.mark.parametrize("answer", ["无需记录", "无需记录。", "", "  \n"])
def test_nothing_worth_remembering_is_no_line(answer):
    line = memory_line(chat(), ScriptedSummarizer(answer))
    assert (line.text, line.error) == (None, None)


def test_greetings_alone_ask_no_model():
    model = ScriptedSummarizer(LINE)
    assert memory_line([{"role": "user", "content": "谢谢"}], model).text is None
    assert not model.requests


@pytest.mark.parametrize("answer", ["抱歉，我无法总结这段对话。", "Error code: 500 - overloaded", OSError("gone")])
def test_what_is_no_line_is_not_kept(answer):
    line = memory_line(chat(), ScriptedSummarizer(answer))
    assert line.text is None
    assert line.error


def test_an_earlier_line_is_merged_and_a_long_one_is_cut_between_items():
    model = ScriptedSummarizer("；".join(f"事项 {i}" for i in range(100)))
    line = memory_line(chat(12), model, previous_summary=LINE, char_limit=60)
    assert LINE in model.requests[0].system
    assert len(line.text) <= 60
    assert not line.text.endswith("；")


def test_the_overflow_becomes_a_line_once():
    model = ScriptedSummarizer(LINE)
    messages = chat(10)
    first = overflow_line(messages, model, max_history=12)
    assert first.line.text == LINE
    assert (first.messages, first.last_summarized_msg_id) == (8, "a3")
    assert "即将被截断" in model.requests[0].system
    again = overflow_line(messages, model, max_history=12, last_summarized_msg_id="a3")
    assert (again.line.text, again.last_summarized_msg_id) == (None, "a3")
    assert len(model.requests) == 1
    grown = overflow_line([*messages, *chat(2)], model, max_history=12, last_summarized_msg_id="a3")
    assert grown.messages == 4
    assert "第 3 步" not in model.requests[1].prompt
    assert "第 4 步" in model.requests[1].prompt


def test_fewer_than_three_overflowing_messages_are_left_for_later():
    model = ScriptedSummarizer(LINE)
    assert overflow_line(chat(6), model, max_history=10).last_summarized_msg_id is None
    assert not model.requests
    failed = overflow_line(chat(10), ScriptedSummarizer(OSError("gone")), max_history=12)
    assert (failed.line.text, failed.last_summarized_msg_id) == (None, None)


def test_messages_without_an_id_are_known_by_their_content():
    bare = [{k: v for k, v in m.items() if k != "id"} for m in chat(10)]
    first = overflow_line(bare, ScriptedSummarizer(LINE), max_history=12)
    again = overflow_line(bare, ScriptedSummarizer(LINE), 12, first.last_summarized_msg_id)
    assert again.messages == 0


def test_a_summary_is_due_at_80_percent_of_the_context_at_50_messages_or_by_hand():
    def due(tokens, messages, **more):
        said = RunningSummary("x" * tokens).add(*chat(25)[:messages])
        return said.is_due(1_000, count=lambda text: len(text) * text.startswith("x"), **more)

    assert not due(800, 50)
    assert due(801, 1)
    assert RunningSummary().add(*chat(26)).is_due(10**6)
    assert due(1, 1, by_hand=True)


def test_the_running_summary_takes_in_new_dialogue_step_by_step():
    model = ScriptedSummarizer(
        "用户询问天气接口，助手建议 OpenWeatherMap。",
        "用户询问天气接口与缓存，助手建议 OpenWeatherMap 和 Redis。",
    )
    running = RunningSummary().add(*story(3), *chat(8))
    assert not any(m.calls or m.results for m in running.message_buffer)
    first = running.summarize(model, keep_recent=4, count=quarter)
    assert first.conversation_summary.startswith("用户询问天气接口，")
    assert len(first.message_buffer) == 4
    second = first.add(*chat(5)).summarize(model, keep_recent=2, count=quarter)
    assert "Redis" in second.conversation_summary
    request = model.requests[1]
    assert request.purpose is Purpose.UPDATE
    assert "当前摘要：\n用户询问天气接口，助手建议 OpenWeatherMap。" in request.prompt
    assert "示例：" in request.system
    system, stays = second.context("你是一个聊天助手。")
    assert system == f"你是一个聊天助手。\n\n对话历史总结：\n{second.conversation_summary}"
    assert [m.raw["id"] for m in stays] == ["u4", "a4"]


def test_a_failed_summary_leaves_everything_as_it_was():
    running = RunningSummary("用户询问天气接口。").add(*chat(8))
    for trouble in (OSError("gone"), "", "Error code: 429 - slow down"):
        after = running.summarize(ScriptedSummarizer(trouble), count=quarter)
        assert after.error
        assert after.conversation_summary == running.conversation_summary
        assert after.message_buffer == running.message_buffer


def test_a_running_summary_over_its_limit_is_compressed_to_a_third_twice_at_most():
    long = "\n".join(f"- 第 {i} 项：缓存 {i}" for i in range(180))
    model = ScriptedSummarizer(long, long[: len(long) // 2], long[: len(long) // 3], "x")
    config = SummarizingConfig(limit=int(0.36 * quarter(long)))
    after = RunningSummary().add(*chat(160)).summarize(model, config=config, count=quarter)
    assert [r.purpose for r in model.requests] == [Purpose.UPDATE, Purpose.COMPRESS, Purpose.COMPRESS]
    assert quarter(after.conversation_summary) <= config.limit
    assert f"不超过 {int(quarter(long) // 3 * PER_TOKEN['characters'])} 个字符" in model.requests[1].prompt


def test_a_dialogue_longer_than_the_window_goes_in_steps():
    model = ScriptedSummarizer("用户询问天气接口的缓存方案。")
    after = RunningSummary().add(*chat(200)).summarize(model, config=SummarizingConfig(window=4_000), count=quarter)
    assert len(model.requests) > 2
    assert after.error is None
    assert all(quarter(r.system + r.prompt) <= 4_000 for r in model.requests)


def test_async_running_summary():
    model = AsyncScriptedSummarizer("用户询问天气接口。")
    after = asyncio.run(RunningSummary().add(*chat(8)).asummarize(model, count=quarter))
    assert after.conversation_summary == "用户询问天气接口。"
    assert after.is_due(10, count=quarter)
