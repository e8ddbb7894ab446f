"""The three wire protocols: where the messages stand, what asks for a compaction, and how one is answered.

What real clients send was seen with Claude Code 2.1.197 and 2.1.330 and Codex 0.169; the compaction prompt of Roo Code
and Cline, which speak the same words in the system prompt, is read by its beginning.
"""

from __future__ import annotations

import re
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import orjson

from condense.apps.proxy.recognising import opened_item, opens, sealed, talks, texts_of, without_prompt
from memory.conversation import Form

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_FOLDER = re.compile(r"(?:^|\n)[ \t-]*(?:Primary w|W)orking directory: ([^\n\\]{1,1000})|<cwd>([^<]{1,1000})</cwd>")
_TAGS = re.compile(r"<(/?)(summary|analysis)>")


@dataclass(frozen=True, slots=True)
class Call:
    """A request for a model's answer, read.

    Attributes:
        protocol: which of the three.
        body: its JSON.
        conversation: names the client's conversation and, in it, the agent; "" where nothing tells.
        kind: "main", "subagent", "compaction" or "auxiliary" (a title, a check: never rewritten).
        history: the messages; of a compaction without the words that ask for it.
        focus: what the person wants kept; only of a compaction.
        trigger: "manual", "auto" or "".
    """

    protocol: Protocol
    body: Mapping[str, Any]
    conversation: str
    kind: str
    history: Sequence[Mapping[str, Any]]
    focus: str = ""
    trigger: str = ""

    @property
    def model(self) -> str:
        """The model asked for."""
        return str(self.body.get("model") or "")

    @property
    def folder(self) -> str:
        """The folder that the agent says it works in; "" where it does not."""
        told = orjson.dumps([self.body.get("system"), self.body.get("instructions"), list(self.history[:3])])
        found = _FOLDER.search(told.decode().replace("\\n", "\n"))
        return (found[1] or found[2]).strip() if found else ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A response to send: media type and body."""

    media_type: str
    body: bytes


class Protocol(ABC):
    """One wire protocol. All methods are pure.

    Attributes:
        form: of its messages.
        field: of the body that holds them.
        suffix: end of the path of its requests.
    """

    form: Form
    field: str
    suffix: str

    def call(self, headers: Mapping[str, str], body: Mapping[str, Any]) -> Call:
        """Read a request.

        Raises:
            TypeError, ValueError: the messages are no list of objects; a compaction is asked for in unknown words.
        """
        history = body.get(self.field)
        if not isinstance(history, list) or not all(isinstance(m, dict) for m in history):
            raise TypeError(f"{self.field} should be a list of objects")
        return self._read(headers, Call(self, body, "", "main", history))

    def opened(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a body with what only we can read as plain messages; the very body where there is none."""
        return body

    @abstractmethod
    def _read(self, headers: Mapping[str, str], call: Call) -> Call: ...

    def rewritten(self, call: Call, history: Sequence[Any]) -> bytes:
        """Return the body with other messages."""
        return orjson.dumps({**call.body, self.field: list(history)})

    def answer(self, call: Call, text: str, tokens: tuple[int, int]) -> Answer:
        """Answer a compaction with a text, streamed where that was asked for; tokens are those in and out."""
        whole, events = self._answered(call, text, tokens)
        if not call.body.get("stream"):
            return Answer("application/json", orjson.dumps(whole))
        return Answer("text/event-stream; charset=utf-8", b"".join(events))

    @abstractmethod
    def _answered(
        self, call: Call, text: str, tokens: tuple[int, int]
    ) -> tuple[dict[str, Any], Iterator[bytes]]: ...

    def said(self, event: str | bytes) -> str:
        """Return the text that an event of a streamed answer, or a whole answer, brings.

        Raises:
            ValueError: it is no event, or it tells of an error.
        """
        value = orjson.loads(event)
        if not isinstance(value, dict) or value.get("error") or value.get("type") == "response.failed":
            raise ValueError("the answer tells of an error, or is none")
        return self.text_of(value)

    @abstractmethod
    def text_of(self, event: Mapping[str, Any]) -> str:
        """Return the text that an event of a streamed answer, or a whole answer, brings."""


class Anthropic(Protocol):
    """Anthropic Messages, as Claude Code speaks it: system messages stand among the others."""

    form, field, suffix = Form.ANTHROPIC, "messages", "/messages"

    def _read(self, headers: Mapping[str, str], call: Call) -> Call:
        session = headers.get("x-claude-code-session-id", "")
        agent = headers.get("x-claude-code-agent-id", "")
        told = headers.get("x-claude-code-request-class", "")
        name = f"{session}/{agent}" if session else ""
        if told != "main":
            asked = without_prompt(call.history)
            if asked is None and opens(texts_of(call.body.get("system"))):
                asked = (list(call.history), "")
            if asked is not None:
                trigger = headers.get("x-claude-code-compaction", "")
                return replace(
                    call,
                    conversation=name,
                    kind="compaction",
                    history=asked[0],
                    focus=asked[1],
                    trigger=trigger,
                )
        if told == "compaction":
            raise ValueError("a compaction is asked for in unknown words")
        if told in {"subagent", "auxiliary"}:
            kind = told
        elif agent or "cc_is_subagent=true" in texts_of(call.body.get("system"))[:400]:
            kind = "subagent"
        else:
            kind = "main" if talks(call, known=bool(session)) else "auxiliary"
        return replace(call, conversation=name, kind=kind)

    def _answered(self, call: Call, text: str, tokens: tuple[int, int]) -> tuple[dict[str, Any], Iterator[bytes]]:
        harmless = _TAGS.sub(r"< \1\2>", text)
        told = f"<summary>\n{harmless}\n</summary>"
        usage = {"input_tokens": tokens[0], "output_tokens": tokens[1]}
        whole = {
            "id": f"msg_{_number()}",
            "type": "message",
            "role": "assistant",
            "model": call.model,
            "content": [{"type": "text", "text": told}],
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": {**usage, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
        }
        begun = {**whole, "content": [], "stop_reason": None}
        events: list[dict[str, Any]] = [
            {"type": "message_start", "message": begun},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": told}},
            {"type": "content_block_stop", "index": 0},
            {
                "type": "message_delta",
                "delta": {"stop_reason": "end_turn", "stop_sequence": None},
                "usage": {"output_tokens": tokens[1]},
            },
            {"type": "message_stop"},
        ]
        return whole, map(_named, events)

    def text_of(self, event: Mapping[str, Any]) -> str:
        """Return the text that an event or an answer brings."""
        if event.get("type") == "message":
            return texts_of(event.get("content"))
        delta = event.get("delta")
        return str(delta.get("text") or "") if isinstance(delta, dict) else ""


class Responses(Protocol):
    """OpenAI Responses, as Codex speaks it: a compaction is asked for in words, or by an item of its own."""

    form, field, suffix = Form.OPENAI_RESPONSES, "input", "/responses"

    def opened(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a body with our sealed summaries as messages of the user."""
        items = list(map(opened_item, body[self.field]))
        return body if items == body[self.field] else {**body, self.field: items}

    def _read(self, headers: Mapping[str, str], call: Call) -> Call:
        told = _json(headers.get("x-codex-turn-metadata", ""))
        name = headers.get("thread-id") or headers.get("session_id") or headers.get("conversation_id") or ""
        call, history = replace(call, conversation=name), call.history
        last = history[-1] if history else {}
        in_parts = any(map(call.body.get, ("previous_response_id", "conversation"))) or any(
            item.get("type") == "item_reference" for item in history
        )
        if last.get("type") == "compaction_trigger" or (
            told.get("request_kind") == "compaction" and last.get("role") == "user"
        ):
            if in_parts:
                raise ValueError("a compaction of what only the provider has")
            return replace(call, kind="compaction", history=history[:-1], trigger=_trigger(told))
        if in_parts or told.get("thread_source") == "thread_title" or not talks(call, known=bool(name)):
            return replace(call, kind="auxiliary")
        return replace(call, kind="subagent" if "subagent" in str(told.get("thread_source")) else "main")

    def _answered(self, call: Call, text: str, tokens: tuple[int, int]) -> tuple[dict[str, Any], Iterator[bytes]]:
        number = _number()
        asked: Any = call.body[self.field][-1]
        if asked.get("type") == "compaction_trigger":
            item: dict[str, Any] = {"type": "compaction", "encrypted_content": sealed(text)}
        else:
            content = {"type": "output_text", "text": text, "annotations": []}
            item = {"type": "message", "id": f"msg_{number}", "role": "assistant", "status": "completed"}
            item["content"] = [content]
        whole: dict[str, Any] = {
            "id": f"resp_{number}",
            "object": "response",
            "created_at": int(time.time()),
            "status": "completed",
            "model": call.model,
            "output": [item],
            "usage": {
                "input_tokens": tokens[0],
                "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": tokens[1],
                "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": sum(tokens),
            },
        }
        begun = {**whole, "status": "in_progress", "output": [], "usage": None}
        events: list[dict[str, Any]] = [
            {"type": "response.created", "response": begun},
            {"type": "response.output_item.added", "output_index": 0, "item": item},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": whole},
        ]
        return whole, (_named({**event, "sequence_number": i}) for i, event in enumerate(events))

    def text_of(self, event: Mapping[str, Any]) -> str:
        """Return the text that an event or an answer brings."""
        if event.get("type") == "response.output_text.delta":
            return str(event.get("delta") or "")
        output = event.get("output")
        items = output if isinstance(output, list) else []
        return "".join(texts_of(item.get("content")) for item in items if isinstance(item, dict))


class Chat(Protocol):
    """OpenAI Chat Completions; Roo Code and Cline ask for a compaction in the system prompt."""

    form, field, suffix = Form.OPENAI_CHAT, "messages", "/chat/completions"

    def _read(self, headers: Mapping[str, str], call: Call) -> Call:
        name = headers.get("x-holdfast-conversation", "")
        call = replace(call, conversation=name, kind="main" if talks(call) else "auxiliary")
        history = call.history
        if (
            history
            and history[0].get("role") in {"system", "developer"}
            and opens(texts_of(history[0].get("content")))
        ):
            last = -1 if history[-1].get("role") == "user" and len(history) > 2 else len(history)  # noqa: PLR2004  # prompt, history, request
            return replace(call, kind="compaction", history=history[1:last])
        asked = without_prompt(history)
        return call if asked is None else replace(call, kind="compaction", history=asked[0], focus=asked[1])

    def _answered(self, call: Call, text: str, tokens: tuple[int, int]) -> tuple[dict[str, Any], Iterator[bytes]]:
        base = {"id": f"chatcmpl-{_number()}", "created": int(time.time()), "model": call.model}
        usage = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
        message = {"role": "assistant", "content": text}
        done = {"index": 0, "message": message, "finish_reason": "stop"}
        whole = {**base, "object": "chat.completion", "choices": [done], "usage": usage}
        base["object"] = "chat.completion.chunk"
        chunks: list[dict[str, Any]] = [
            {**base, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
        ]
        if (call.body.get("stream_options") or {}).get("include_usage"):
            chunks.append({**base, "choices": [], "usage": usage})
        lines = [*(orjson.dumps(chunk) for chunk in chunks), b"[DONE]"]
        return whole, (b"data: " + line + b"\n\n" for line in lines)

    def text_of(self, event: Mapping[str, Any]) -> str:
        """Return the text that an event or an answer brings."""
        choices = event.get("choices") or [{}]
        choice: Mapping[str, Any] = choices[0]
        return texts_of((choice.get("delta") or choice.get("message") or {}).get("content"))


PROTOCOLS: Final = (Anthropic(), Responses(), Chat())


def protocol_of(path: str) -> Protocol | None:
    """Tell the protocol of a path; None for whatever is not a request for a model's answer."""
    return next((one for one in PROTOCOLS if path.rstrip("/").endswith(one.suffix)), None)


def _trigger(told: Mapping[str, Any]) -> str:
    compaction = told.get("compaction")
    return str(compaction.get("trigger") or "") if isinstance(compaction, dict) else ""


def _named(event: Mapping[str, Any]) -> bytes:
    return b"event: " + str(event["type"]).encode() + b"\ndata: " + orjson.dumps(event) + b"\n\n"


def _json(text: str) -> Mapping[str, Any]:
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def _number() -> str:
    return f"holdfast_{time.time_ns():x}"
