"""Which wire form a list of messages is written in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memory.conversation.messages import Form, Message
from memory.conversation.wire.fields import plain_message

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_CHAT_CALLS = ("tool_calls", "tool_call_id", "function_call")
_CHAT_KEYS = frozenset({*_CHAT_CALLS, "refusal", "reasoning_content"})
_BLOCKS = {
    Form.ANTHROPIC: "thinking redacted_thinking image document server_tool_use compaction".split(),
    Form.OPENAI_CHAT: "image_url input_audio refusal file video_url".split(),
    Form.OPENAI_RESPONSES: "input_text output_text input_image input_file".split(),
}


def detect_form(values: Iterable[Message | Mapping[str, Any]]) -> Form:
    """Tell the wire form from the first message that makes a call or brings a result, else that shows it; linear.

    Messages of plain texts alone look the same in every form: they count as OpenAI Chat where the first of them is
    a system or developer message, otherwise as Anthropic; parsed, both are the same.

    Raises:
        ForeignMessageError: a value is no message.
    """
    return FormReading().after(values).form


@dataclass(frozen=True, slots=True)
class FormReading:
    """The form of a conversation that grows: `shown` by its messages, None as long as they fit several.

    `plain` is what messages of plain texts count as, None before the first. Until `settled` (a call, a result or a
    `Message` tells the form) it may turn out to be another.
    """

    shown: Form | None = None
    plain: Form | None = None
    settled: bool = False

    @property
    def form(self) -> Form:
        """The form to read the messages in."""
        return self.shown or self.plain or Form.ANTHROPIC

    def after(self, values: Iterable[Message | Mapping[str, Any]], first: int = 0) -> FormReading:
        """Return the reading with what comes next, as far as it takes to settle the form.

        Raises:
            ForeignMessageError: a value is no message; `first` is the position of the first one.
        """
        if self.settled:
            return self
        shown, plain = self.shown, self.plain
        for index, value in enumerate(values, first):
            if isinstance(value, Message):
                return FormReading(value.form, plain, settled=True)
            read = plain_message(value, index)
            form = calls_form(read)
            if form is not None:
                return FormReading(form, plain, settled=True)
            shown = shown or form_shown(read)
            is_system = read.get("role") in ("system", "developer")
            plain = plain or (Form.OPENAI_CHAT if is_system else Form.ANTHROPIC)
        return FormReading(shown, plain)


def _block_types(value: Mapping[str, Any]) -> set[str]:
    content = value.get("content")
    blocks = content if isinstance(content, list) else ()
    kinds = (block.get("type") for block in blocks if isinstance(block, dict))
    return {kind for kind in kinds if isinstance(kind, str)}


def calls_form(value: Mapping[str, Any]) -> Form | None:
    """Return the form in which a message makes calls or brings results, None where it does neither."""
    kind = value.get("type")
    if isinstance(kind, str) and "role" not in value and kind.endswith(("_call", "_call_output")):
        return Form.OPENAI_RESPONSES
    if any(map(value.get, _CHAT_CALLS)):
        return Form.OPENAI_CHAT
    return Form.ANTHROPIC if _block_types(value) & {"tool_use", "tool_result"} else None


def form_shown(value: Mapping[str, Any]) -> Form | None:
    """Return the form that one message can only have, None where several would do."""
    if "role" not in value:
        return Form.OPENAI_RESPONSES if isinstance(value.get("type"), str) else None
    if not _CHAT_KEYS.isdisjoint(value):
        return Form.OPENAI_CHAT
    types = _block_types(value)
    for form, known in _BLOCKS.items():
        if not types.isdisjoint(known):
            return form
    if value.get("type") == "message" and isinstance(value.get("content"), str):
        return Form.OPENAI_RESPONSES
    return Form.OPENAI_CHAT if value["role"] in ("tool", "function") else None
