"""Hypothesis strategies: valid conversations in every wire form, unknown fields and block types in them."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

from hypothesis import strategies as st

from memory.conversation.messages import Form

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SAID = WORDS.map(lambda text: f"said {text}")
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)
EXTRAS = st.dictionaries(
    st.sampled_from(["x_vendor", "cache_control", "annotations", "status"]), ANYTHING, max_size=2
)
ARGUMENTS = st.dictionaries(st.sampled_from(["path", "command", "limit"]), ANYTHING, max_size=3)
TOOLS = st.sampled_from(["Bash", "Read", "apply_patch"])
IMAGE = "iVBORw0KGgoAAAANSUhEUg=="


@st.composite
def turns(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Neutral turns: a user text, or an assistant text with calls that are all answered."""
    ids = count()
    made: list[dict[str, Any]] = []
    for _ in range(draw(st.integers(1, 5))):
        made.append({"user": draw(SAID)})
        for _ in range(draw(st.integers(0, 2))):
            calls = [
                {
                    "id": f"call_{next(ids)}",
                    "name": draw(TOOLS),
                    "arguments": draw(ARGUMENTS),
                    "result": draw(SAID),
                }
                for _ in range(draw(st.integers(0, 3)))
            ]
            made.append({"assistant": draw(SAID), "calls": calls, "thought": draw(st.none() | SAID)})
    return made


def _anthropic(draw: st.DrawFn, turn: dict[str, Any]) -> list[dict[str, Any]]:
    if "user" in turn:
        text = {"type": "text", "text": turn["user"], **draw(EXTRAS)}
        image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": IMAGE}}
        whole = draw(st.sampled_from([turn["user"], [text], [text, image], [{"type": "new_kind", "x": 1}, text]]))
        return [{"role": "user", "content": whole, **draw(EXTRAS)}]
    blocks: list[dict[str, Any]] = [{"type": "text", "text": turn["assistant"]}]
    if turn["thought"] is not None:
        blocks.insert(0, {"type": "thinking", "thinking": turn["thought"], "signature": "c2ln"})
    blocks += [
        {"type": "tool_use", "id": c["id"], "name": c["name"], "input": c["arguments"], **draw(EXTRAS)}
        for c in turn["calls"]
    ]
    made: list[dict[str, Any]] = [{"role": "assistant", "content": blocks}]
    if turn["calls"]:
        results = [
            {
                "type": "tool_result",
                "tool_use_id": c["id"],
                "content": draw(st.sampled_from([c["result"], [{"type": "text", "text": c["result"]}]])),
            }
            for c in turn["calls"]
        ]
        made.append({"role": "user", "content": results})
    return made


def _chat(draw: st.DrawFn, turn: dict[str, Any]) -> list[dict[str, Any]]:
    if "user" in turn:
        text = {"type": "text", "text": turn["user"]}
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{IMAGE}"}}
        whole = draw(st.sampled_from([turn["user"], [text], [text, image], [{"type": "new_kind"}, text]]))
        return [{"role": "user", "content": whole, **draw(EXTRAS)}]
    message: dict[str, Any] = {"role": "assistant", "content": turn["assistant"], **draw(EXTRAS)}
    if turn["thought"] is not None:
        message["reasoning_content"] = turn["thought"]
    if turn["calls"]:
        message["tool_calls"] = [
            {
                "id": c["id"],
                "type": "function",
                "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])},
                **draw(EXTRAS),
            }
            for c in turn["calls"]
        ]
    return [
        message,
        *({"role": "tool", "tool_call_id": c["id"], "content": c["result"], **draw(EXTRAS)} for c in turn["calls"]),
    ]


def _responses(draw: st.DrawFn, turn: dict[str, Any]) -> list[dict[str, Any]]:
    if "user" in turn:
        text = {"type": "input_text", "text": turn["user"]}
        image = {"type": "input_image", "image_url": f"data:image/png;base64,{IMAGE}"}
        whole = draw(st.sampled_from([[text], [text, image], [{"type": "new_kind"}, text]]))
        return [{"type": "message", "role": "user", "content": whole, **draw(EXTRAS)}]
    made: list[dict[str, Any]] = [
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": turn["assistant"], "annotations": []}],
        }
    ]
    if turn["thought"] is not None:
        made.insert(0, {"type": "reasoning", "summary": [], "encrypted_content": "ZW5j", **draw(EXTRAS)})
    if draw(st.booleans()):
        made.append({"type": "web_search_call", "id": "ws_1", **draw(EXTRAS)})
    made += [
        {
            "type": "function_call",
            "call_id": c["id"],
            "name": c["name"],
            "arguments": json.dumps(c["arguments"]),
            **draw(EXTRAS),
        }
        for c in turn["calls"]
    ]
    answered = draw(st.permutations(turn["calls"]))
    made += [{"type": "function_call_output", "call_id": c["id"], "output": c["result"]} for c in answered]
    return made


_WRITERS = {Form.ANTHROPIC: _anthropic, Form.OPENAI_CHAT: _chat, Form.OPENAI_RESPONSES: _responses}


@st.composite
def conversations(draw: st.DrawFn, form: Form) -> list[dict[str, Any]]:
    """A valid conversation in one form, as JSON values."""
    return [value for turn in draw(turns()) for value in _WRITERS[form](draw, turn)]


def pairing_faults(values: list[dict[str, Any]], form: Form) -> list[str]:
    """What a provider would refuse in the pairing of calls and results; empty where all is well."""
    faults: list[str] = []
    waiting: list[str] = []
    seen: set[str] = set()
    for at, value in enumerate(values):
        calls, results, ends = _ids(value, form)
        for one in results:
            if one not in waiting:
                faults.append(f"{at}: result {one!r} answers no open call")
            else:
                waiting.remove(one)
        if waiting and (ends or calls) and form is not Form.OPENAI_RESPONSES:
            faults.append(f"{at}: {waiting} unanswered")
        for one in calls:
            if one in seen:
                faults.append(f"{at}: call id {one!r} occurs twice")
            seen.add(one)
            waiting.append(one)
    return [*faults, *(f"end: {one!r} unanswered" for one in waiting)]


def _ids(value: dict[str, Any], form: Form) -> tuple[list[str], list[str], bool]:
    """Ids of calls and of results in a value, and whether it ends a batch."""
    if form is Form.ANTHROPIC:
        blocks = value["content"] if isinstance(value["content"], list) else []
        calls = [b["id"] for b in blocks if b.get("type") == "tool_use"]
        return calls, [b["tool_use_id"] for b in blocks if b.get("type") == "tool_result"], True
    if form is Form.OPENAI_CHAT:
        calls = [c["id"] for c in value.get("tool_calls") or []]
        if value["role"] == "tool":
            return [], [value["tool_call_id"]], False
        return calls, [], True
    kind = value.get("type") or ""
    if kind.endswith("_output"):
        return [], [value["call_id"]], False
    return ([value["call_id"]] if "call_id" in value else []), [], True
