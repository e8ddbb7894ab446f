"""What a provider refuses: violations of the Messages protocol that are answered with an HTTP 400."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.texts import Message, blocks_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def violations_in(messages: Sequence[Message]) -> list[str]:
    """Return what is wrong with a conversation, one line each; nothing when it may be sent.

    It begins with the user; no message is empty; the message behind tool calls answers all of them and no others;
    results stand nowhere else; no call is left open.
    """
    conversation = [message for message in messages if message["role"] != "system"]
    if not conversation:
        return ["no message"]
    found = [] if conversation[0]["role"] == "user" else ["0: the first message is not the user's"]
    waiting: set[str | None] = set()
    for number, message in enumerate(conversation):
        blocks = blocks_of(message)
        if all(b.get("type") == "text" and not (b.get("text") or "").strip() for b in blocks):
            found.append(f"{number}: empty")
        answers = [b.get("tool_use_id") for b in blocks if b.get("type") == "tool_result"]
        if waiting and (message["role"] != "user" or set(answers) != waiting):
            found.append(f"{number}: calls without their results")
        elif answers and not waiting:
            found.append(f"{number}: results without calls")
        calls = [b.get("id") for b in blocks if b.get("type") == "tool_use"]
        waiting = set(calls) if message["role"] == "assistant" else set()
    if waiting:
        found.append("last: calls without results")
    return found
