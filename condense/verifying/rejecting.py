"""Rejecting: answers of a model that are no summary at all.

Each of these has been taken for one somewhere and cost somebody the history: an empty answer, a refusal, the text of
an error, a tool call, a text longer than what it replaces, the right text in the wrong language.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import orjson

from condense.reading import language_of, squeezed
from condense.verifying.sayings import script_of
from condense.verifying.sources import Ground, Voice
from memory.conversation import parse_messages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memory.conversation import Message

_TELLING, _LONG_SOURCE = 12, 400
"""Letters below which an answer says nothing ("Summary done."), where the source has that many characters."""
_SHORT_ANSWER = 1_500
"""Characters above which an answer that begins like a refusal or an error has more to say."""
_SHOWN, _LOOP_LINES, _LOOP_SHARE = 80, 20, 0.25
_SOME, _MUCH = 0.04, 0.25
"""Shares of letters from which a Chinese summary is one (names and code leave little for it), and a foreign one is
(all chosen)."""

_CANNOT = r"can(?:no|['’])t|can not|won['’]t|will not"
_REFUSAL = re.compile(
    rf"(?:I['’]?m (?:very )?sorry|I apologi[sz]e|Sorry|Unfortunately|I['’]?m afraid|I (?:{_CANNOT}|am (?:un"
    rf"|not )able)"
    r"|I['’]?m (?:un|not )able|As an? (?:AI|(?:large )?language model))\b"
    rf"[^\n]{{0,200}}?\b(?:{_CANNOT}|unable|not able|do(?: not|n['’]t) have|decline|not comfortable|comply)\b"
    r"|I (?:can(?:no|['’])t|(?:am |['’]m )unable to|won['’]t|must decline)\b"
    r"|(?:抱歉|对不起|對不起|很遗憾|不好意思)[^\n]{0,30}?(?:无法|無法|不能|没办法|不便)"
    r"|(?:我|作为[^\n]{0,16}?(?:AI|人工智能|语言模型)[^\n]{0,10}?)(?:无法|無法|不能)(?:协助|帮助|提供|总结|生成|满足|完成)",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"Traceback \(most recent call last\)|(?:[\w.]{1,60}\.)?\w{0,40}(?:Error|Exception|Timeout)\b\s?[:(]|Error(?: code)"
    r"?\s?[:#]?\s?\d{3}\b|(?:API |HTTP |Request |Connection |Server |Provider )?error\b[^\n]{0,40}?[:(]|(?:HTTP[ /\d.]{"
    r"0,5}\s?)?[45]\d\d\b[ :]|(?:The )?request (?:timed out|failed)|Rate limit(?:ed)?\b|Too many requests"
    r"|Service unavailable|Internal server error|Bad gateway|Gateway timeout|Overloaded\b|overloaded_error"
    r"|Unauthorized\b|Invalid API key|insufficient_quota|<!doctype html|<html\b|upstream connect error|No response\b"
    r"|(?:请求|連線|连接|服务)(?:超时|失败|逾時|失敗|不可用)",
    re.IGNORECASE,
)
_CALL = re.compile(
    r"(?:```[a-z_]{0,12}\s{1,3})?(?:<(?:\w{1,12}:)?(?:tool_call|tool_use|function_calls?|invoke|execute_command"
    r"|read_file|write_to_file)\b|\[TOOL_CALLS\]|\[tool_use|<\|(?:tool|python_tag|channel|start)|functions?\.\w{1,40}\("
    r"|\{\s{0,9}\"(?:name|tool|function|tool_calls|tool_name)\"\s?:)",
    re.IGNORECASE,
)


def reject_reason(
    summary: str,
    source: Sequence[Message | Mapping[str, Any]],
    *,
    language: Literal["auto", "en", "zh"] = "auto",
    count: Callable[[str], int] = len,
) -> str | None:
    """Say why a text is no summary of a conversation, or None where it may be one; linear in both.

    The source may have any of the three forms; `language` "auto" is the user's, `count` measures both texts.
    """
    text = summary.strip()
    letters = squeezed(text)
    if not letters:
        return "it is empty"
    ground = Ground(parse_messages(source))
    texts = [p.text for p in ground.passages]
    if len(text) < _SHORT_ANSWER and _REFUSAL.match(text):
        return f"it is a refusal: {text[:_SHOWN]!r}"
    if len(text) < _SHORT_ANSWER and _ERROR.match(text):
        return f"it is the text of an error: {text[:_SHOWN]!r}"
    if _CALL.match(text):
        return f"it is a tool call: {text[:_SHOWN]!r}"
    if len(letters) < _TELLING and sum(map(len, texts)) > _LONG_SOURCE:
        return f"it says nothing: {text!r}"
    if _is_json(text):
        return f"it is JSON, not prose: {text[:_SHOWN]!r}"
    if texts and count(text) > sum(map(count, texts)):
        return "it is longer than what it replaces"
    lines = [line.strip() for line in text.split("\n") if len(line.strip()) > _TELLING]
    for said, share in ((lines, _LOOP_SHARE), (text.split(), _LOOP_SHARE / 10)):
        if len(said) >= _LOOP_LINES and len(set(said)) < share * len(said):
            return "it repeats itself"
    return _wrong_language(text, ground, language)


def _is_json(text: str) -> bool:
    body = text.split("\n", 1)[-1].rsplit("```", 1)[0].strip() if text.startswith("```") else text
    if body[:1] not in ("{", "["):
        return False
    try:
        return isinstance(orjson.loads(body), dict | list)
    except orjson.JSONDecodeError:  # cut short, perhaps
        return body.startswith('{"') and body.count('":') > body.count("\n\n") + 2


def _wrong_language(text: str, ground: Ground, language: str) -> str | None:
    """Hold a text's script against those of the person, or of the assistant, who answers in the person's language."""
    typed = tuple(ground.texts(*ground.PERSON))
    if (language_of(typed) if language == "auto" else language) == "zh":
        return None if script_of(text, _SOME) == "han" else "it is not in Chinese"
    known = {"latin"}
    if language == "auto":
        known |= {script_of("\n".join(texts)) for texts in (typed, ground.texts(Voice.SAID))}
    is_known = script_of(text, _MUCH) in known or (language == "auto" and not typed)
    return None if is_known else "it is in another language than the conversation"
