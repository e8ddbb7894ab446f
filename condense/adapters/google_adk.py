"""Google's Agent Development Kit: a plugin that sends the model a view of the session; extra `google-adk`.

    App(name="app", root_agent=agent, plugins=[HoldfastPlugin()])     # all agents of an app
    LlmAgent(..., before_model_callback=HoldfastPlugin().before_model_callback)     # or one alone

Only `llm_request.contents` changes, just before the model is called, streaming or not: the session keeps every event,
and contents that stay are the very objects.  Live (bidirectional) connections call no model callback: nothing is done
there.  Put it behind plugins that add contents.
"""

from __future__ import annotations

import asyncio
import base64
import json
from typing import TYPE_CHECKING, Any

from condense.adapters.conversations import Conversations
from condense.adapters.items import Part, Writing
from memory.conversation import Form

try:
    from google.adk.plugins.base_plugin import BasePlugin
    from google.adk.tools.tool_context import ToolContext  # noqa: TC002  # read by the kit when it declares the tool
    from google.genai import types
except ImportError as missing:
    raise ImportError(
        "condense.adapters.google_adk needs the kit: pip install 'holdfast-context[google-adk]'"
    ) from missing

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from google.adk.agents.callback_context import CallbackContext
    from google.adk.agents.invocation_context import InvocationContext
    from google.adk.models.llm_request import LlmRequest

    from condense.config import CondenseConfig
    from memory import PersistentMemoryManager
    from memory.entries import ProjectStore

OTHERS = "For context:"
"""How the kit begins a content in the user role that tells what another agent said or did."""


class HoldfastPlugin(BasePlugin):
    """Keeps every agent of an app within its window; one condenser for each session, agent and branch.

    Args:
        config, memory, store: see `Conversations`. The kit knows no windows: without a config it is 200,000 tokens.
        name: the plugin's.

    `recall_memory` is a tool for the agent: `LlmAgent(tools=[plugin.recall_memory])`. Nothing is ever raised into the
    agent; `conversations.last_error` tells what was swallowed.
    """

    def __init__(
        self,
        config: CondenseConfig | None = None,
        *,
        memory: PersistentMemoryManager | Path | str | None = None,
        store: ProjectStore | Path | str | None = None,
        name: str = "holdfast",
    ) -> None:
        super().__init__(name=name)
        self.conversations = Conversations(config, memory=memory, store=store)

    async def before_model_callback(self, *, callback_context: CallbackContext, llm_request: LlmRequest) -> None:
        """Put the view in the place of the request's contents; works on its own as an agent's callback, too."""
        try:
            contents, written = llm_request.contents, _Contents()
            writing = Writing(Form.ANTHROPIC, written.write, written.rebuild)
            sent = await self.conversations.view_items_async(
                _name_of(callback_context), contents, writing, overhead=self._overhead(llm_request)
            )
            if sent is not contents:
                llm_request.contents = list(sent)
        except Exception as error:  # noqa: BLE001  # a plugin's error would end the run
            self.conversations.failed(error)

    async def after_run_callback(self, *, invocation_context: InvocationContext) -> None:
        """Keep what the person said in the project's memory, where there is one."""
        if self.conversations.memory is None:
            return
        session = invocation_context.session
        texts = [
            "\n".join(part.text for part in event.content.parts or () if part.text)
            for event in session.events
            if event.author == "user" and event.content
        ]
        said = [{"role": "user", "content": text} for text in texts if text]
        if said:
            name = f"{session.app_name}/{session.user_id}/{session.id}"
            await asyncio.to_thread(self.conversations.save, name, said)

    async def recall_memory(self, query: str, tool_context: ToolContext) -> str:
        """Find what was said or done earlier, or fetch an original by its handle.

        Args:
            query: a question, or a handle such as hf_0123456789ab from a summary.
        """
        return await asyncio.to_thread(self.conversations.recall, _name_of(tool_context), query)

    def _overhead(self, request: LlmRequest) -> int:
        """Count instructions and tools, which travel beside the contents."""
        frame = request.config.model_dump(mode="json", include={"system_instruction", "tools"}, exclude_none=True)
        return self.conversations.count(json.dumps(frame, ensure_ascii=False)) if frame else 0


def _name_of(context: CallbackContext) -> str:
    session = context.session
    branch = getattr(context, "branch", None)  # older releases keep it to themselves
    name = f"{session.app_name}/{session.user_id}/{session.id}/{context.agent_name}"
    return f"{name}/{branch}" if branch else name


class _Contents:
    """The contents of one request as messages of the Messages API, one each, and the way back.

    Calls are sent to Gemini without the ids that the kit gave them: those are numbered here, and answered in order.
    """

    def __init__(self) -> None:
        self._written: dict[int, list[tuple[dict[str, Any], types.Part]]] = {}
        self._names: dict[str, str] = {}
        self._unanswered: list[str] = []
        self._numbered: set[str] = set()

    def write(self, content: types.Content) -> list[dict[str, Any]]:
        written = [(block, part) for part in content.parts or () if (block := self._block(part))]
        self._written[id(content)] = written
        blocks = []
        for block, part in written:
            if part.thought_signature and not part.thought:  # sealed thinking, beside what it led to
                blocks.append({"type": "redacted_thinking", "data": _base64(part.thought_signature)})
            blocks.append(block)
        blocks.sort(key=lambda block: block["type"] != "tool_result")
        other = bool(blocks) and str(blocks[0].get("text")).startswith(OTHERS) and len(self._written) > 1
        role = "assistant" if content.role == "model" or other else "user"
        return [{"role": role, "content": blocks}] if blocks else []

    def _block(self, part: types.Part) -> dict[str, Any] | None:
        if part.function_call:
            call = part.function_call
            name, call_id = call.name or "", call.id or self._number()
            self._names[call_id] = name
            self._unanswered.append(call_id)
            return {"type": "tool_use", "id": call_id, "name": name, "input": call.args or {}}
        if part.function_response:
            return self._result(part.function_response)
        if part.thought:
            if part.text:
                signature = _base64(part.thought_signature or b"")
                return {"type": "thinking", "thinking": part.text, "signature": signature}
            return {"type": "redacted_thinking", "data": _base64(part.thought_signature or b"")}
        if part.inline_data or part.file_data:
            return _medium(part)
        if part.executable_code:
            return {"type": "text", "text": part.executable_code.code or ""}
        if part.code_execution_result:
            return {"type": "text", "text": part.code_execution_result.output or ""}
        if part.text:
            return {"type": "text", "text": part.text}
        held = part.model_dump(mode="json", exclude_none=True, exclude={"thought_signature"})
        return {"type": "other", "held": held} if held and held != {"text": ""} else None

    def _number(self) -> str:
        self._numbered.add(call_id := f"call_{len(self._names)}")
        return call_id

    def _result(self, answer: types.FunctionResponse) -> dict[str, Any]:
        same = (one for one in self._unanswered if self._names[one] == answer.name)
        call_id = answer.id or next(same, None) or self._number()
        self._names.setdefault(call_id, answer.name or "")
        if call_id in self._unanswered:
            self._unanswered.remove(call_id)
        response = answer.response or {}
        key = _text_key(response)
        text = response[key] if key else json.dumps(response, ensure_ascii=False, default=str)
        media = [
            _medium(part) for part in getattr(answer, "parts", None) or () if part.inline_data or part.file_data
        ]
        return {
            "type": "tool_result",
            "tool_use_id": call_id,
            "content": [{"type": "text", "text": text}, *media] if media else text,
            "is_error": "error" in response,
        }

    def rebuild(self, content: types.Content | None, parts: Sequence[Part]) -> types.Content:
        value = parts[0].value
        held = value["content"]
        blocks = [{"type": "text", "text": held}] if isinstance(held, str) else held
        left = list(self._written.get(id(content), ()))
        made = [part for block in blocks if (part := self._part(block, left))]
        role = content.role if content else "model" if value["role"] == "assistant" else "user"
        return types.Content(role=role, parts=made)

    def _part(self, block: dict[str, Any], left: list[tuple[dict[str, Any], types.Part]]) -> types.Part | None:
        """Return the part that a block was written from, a changed copy of it, or a new one."""
        for at, (written, part) in enumerate(left):
            if written == block:
                del left[at]
                return part
        if block["type"] == "text":
            return types.Part(text=block["text"])
        if block["type"] == "tool_use":
            return next((part for written, part in left if written.get("id") == block["id"]), None)
        if block["type"] != "tool_result":
            return None
        call_id, text = block["tool_use_id"], block["content"]
        if not isinstance(text, str):
            text = "\n".join(one["text"] for one in text if one.get("type") == "text")
        for written, part in left:
            answer = part.function_response
            if answer and written["tool_use_id"] == call_id:
                response = {_text_key(answer.response or {}) or "result": text}
                return part.model_copy(
                    update={"function_response": answer.model_copy(update={"response": response})}
                )
        own = None if call_id in self._numbered else call_id
        name = self._names.get(call_id, "unknown")
        return types.Part(function_response=types.FunctionResponse(id=own, name=name, response={"result": text}))


def _text_key(response: dict[str, Any]) -> str:
    """Under which key an answer holds its text, "" where it is not one text: the kit wraps what is no dict."""
    return next((key for key, held in response.items() if len(response) == 1 and isinstance(held, str)), "")


def _medium(part: Any) -> dict[str, Any]:
    blob = part.inline_data or part.file_data
    mime = blob.mime_type or ""
    if part.inline_data:
        source = {"type": "base64", "media_type": mime, "data": _base64(blob.data or b"")}
    else:
        source = {"type": "url", "url": blob.file_uri or ""}
    return {"type": "image" if mime.startswith("image/") else "document", "source": source}


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode()
