"""The language of headings: what the person writes, mostly and lately."""

from __future__ import annotations

import pytest

from condense import Condenser
from condense.reading.text.languages import language_of

ENGLISH = "Please look at the parser and tell me why the second test fails on an empty line."
CHINESE = "请看一下解析器，为什么第二个测试在空行上会失败，然后把它修好。"


@pytest.mark.parametrize(
    ("texts", "language"),
    [
        ([], "en"),
        (["", "  ", "404 !!"], "en"),
        ([ENGLISH], "en"),
        ([CHINESE], "zh"),
        ([ENGLISH] * 9 + [CHINESE], "en"),
        ([ENGLISH] * 9 + [CHINESE] * 3, "en"),
        ([ENGLISH] * 12 + [CHINESE] * 10, "zh"),
        ([CHINESE] * 12 + [ENGLISH] * 10, "en"),
        ([CHINESE] * 5 + ["Error in line 5: the value was not found. " * 200], "zh"),
        ([ENGLISH] * 5 + [CHINESE * 60], "en"),
        (
            ["把 src/app/main.py 的 parse_args() 改成 read_arguments，用 `python -m pytest tests/unit` 跑一下"],
            "zh",
        ),
        (["修复 FastAPI 的 health_check"], "zh"),
        (["以下のテストを確認して、失敗の原因を説明してください。"], "en"),
        (["Почему не проходит второй тест?"], "en"),
        (["Rename the button to 保存 and the other one to 取消, in all of the dialogs of this page."], "en"),
    ],
)
def test_the_language_is_what_the_person_writes_mostly_and_lately(texts, language):
    assert language_of(texts) == language


@pytest.mark.parametrize(("newest", "heading"), [(ENGLISH, "# Latest request"), (CHINESE, "# 最新请求")])
def test_one_earlier_text_in_another_language_does_not_choose_the_headings(newest, heading):
    other = CHINESE if newest is ENGLISH else ENGLISH
    history = [{"role": "user", "content": other * 8}]
    for k in range(8):
        history.append({"role": "assistant", "content": f"module_{k}.py is done, the value is {k}. " * 30})
        history.append({"role": "user", "content": f"{newest} ({k})"})
    history.append({"role": "assistant", "content": "Done with all of them. " * 60})
    done = Condenser().condense(history, target=1_500)
    assert heading in done.summary
