"""Random conversations of every form, valid ones, with growth: the ground of the property tests."""

from __future__ import annotations

import json
import random

from hypothesis import strategies as st

WORDS = [
    "the",
    "file",
    "app/main.py",
    "has",
    "port",
    "3001",
    "error",
    "TypeError",
    "in",
    "line",
    "42",
    "use",
    "PostgreSQL",
    "never",
    "touch",
    "migrations",
    "必须",
    "使用",
    "数据库",
    "端口",
    "改为",
    "4000",
    "def",
    "handle(request):",
    "return",
    "None",
    "config.yaml",
    "--verbose",
    "test",
    "passed",
    "failed",
    "3",
    "npm",
    "run",
    "build",
]

_chance = random.Random(7)


def _sentence() -> str:
    return " ".join(_chance.choices(WORDS, k=_chance.randint(1, 30)))


TEXTS = [_sentence() for _ in range(80)]
LONG_TEXTS = ["\n".join(f"{i}: {_chance.choice(TEXTS)}" for i in range(_chance.randint(0, 24))) for _ in range(60)]

texts = st.sampled_from(TEXTS)
long_texts = st.sampled_from(LONG_TEXTS)
odd_texts = st.text(max_size=40).filter(lambda t: t.strip() != "")
typed_texts = st.one_of(texts, odd_texts)

asks = typed_texts.map(lambda t: ("ask", t))
turns = st.lists(
    st.tuples(st.booleans(), st.lists(st.tuples(texts, long_texts), min_size=0, max_size=3), texts),
    min_size=1,
    max_size=4,
).map(lambda steps: ("turn", steps))
plots = st.lists(st.tuples(asks, turns), min_size=1, max_size=6)


def anthropic(plot, *, signed: bool = True, start: int = 0) -> list[dict]:
    out: list[dict] = []
    n = start
    for (_, ask), (_, steps) in plot:
        out.append({"role": "user", "content": ask})
        for thinks, calls, said in steps:
            blocks: list[dict] = []
            if thinks:
                block = {"type": "thinking", "thinking": f"I think {said}"}
                blocks.append({**block, "signature": "c2ln"} if signed else block)
            if calls:
                ids = []
                for command, _ in calls:
                    n += 1
                    ids.append(f"toolu_{n}")
                    call = {"type": "tool_use", "id": ids[-1], "name": "Bash", "input": {"command": command}}
                    blocks.append(call)
                results = [
                    {"type": "tool_result", "tool_use_id": i, "content": output}
                    for i, (_, output) in zip(ids, calls, strict=True)
                ]
                out.append({"role": "assistant", "content": blocks})
                out.append({"role": "user", "content": results})
        out.append({"role": "assistant", "content": [{"type": "text", "text": f"Done: {ask[:20]} ok"}]})
    return out


def openai_chat(plot, *, start: int = 0) -> list[dict]:
    out: list[dict] = [] if start else [{"role": "system", "content": "You are a coding agent."}]
    n = start
    for (_, ask), (_, steps) in plot:
        out.append({"role": "user", "content": ask})
        for _, calls, said in steps:
            if calls:
                made, answers = [], []
                for command, output in calls:
                    n += 1
                    function = {"name": "bash", "arguments": json.dumps({"command": command})}
                    made.append({"id": f"call_{n}", "type": "function", "function": function})
                    answers.append({"role": "tool", "tool_call_id": f"call_{n}", "content": output})
                out.append({"role": "assistant", "content": said, "tool_calls": made})
                out.extend(answers)
        out.append({"role": "assistant", "content": f"Done: {ask[:20]} ok"})
    return out


def openai_responses(plot, *, start: int = 0) -> list[dict]:
    out: list[dict] = []
    n = start
    for (_, ask), (_, steps) in plot:
        out.append({"type": "message", "role": "user", "content": [{"type": "input_text", "text": ask}]})
        for thinks, calls, _ in steps:
            if calls and thinks:
                out.append({"type": "reasoning", "id": f"rs_{n}", "summary": [], "encrypted_content": "ZW5j"})
            first = n
            for command, _ in calls:
                n += 1
                arguments = json.dumps({"command": command})
                call = {
                    "type": "function_call",
                    "call_id": f"call_{n}",
                    "name": "shell",
                    "arguments": arguments,
                }
                out.append(call)
            for k, (_, output) in enumerate(calls):
                out.append({"type": "function_call_output", "call_id": f"call_{first + k + 1}", "output": output})
        answer = {"type": "output_text", "text": f"Done: {ask[:20]} ok", "annotations": []}
        out.append({"type": "message", "role": "assistant", "content": [answer]})
    return out


FORMS = {"anthropic": anthropic, "openai-chat": openai_chat, "openai-responses": openai_responses}
