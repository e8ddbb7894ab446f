"""The documented three tiers of one call, a preset beside the planner: summary, condensed middle, newest as they are.

Below the budget the input itself comes back. Above it sizes alone decide, anew for each call, so that a provider's
prompt cache seldom holds; `Condenser.view` decides by what is needed again, and stays byte-stable in between.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from condense.compaction import as_they_came, is_reasoning, repair
from memory.conversation import (
    Form,
    Message,
    PartKind,
    Role,
    count_message,
    default_counter,
    make_text,
    parse_message,
    parse_messages,
    replace_parts,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memory.conversation import TokenCounter

SAFETY, OUTPUT_RESERVE = 10, 16_000  # per cent of the window, and tokens (documented) ...
OUTPUT_SHARE = 4  # ... but never more than this part of a small window (chosen)
SUMMARY_SHARE, CONDENSED_SHARE, RECENT_SHARE = 10, 35, 55  # per cent of the budget, as documented
FULL_RECENT, TOOL_MAX = 10, 200  # messages of tier 3 at most, characters of a tool output in tier 2
CUT = "... (truncated)"


def tier_budget(window: int, *, system: int = 0) -> int:
    """Return the tokens that messages may have: the window without safety, reserved output and system prompt."""
    reserve = min(OUTPUT_RESERVE, window // OUTPUT_SHARE)
    return max(0, window - window * SAFETY // 100 - reserve - system)


def trim_to_tiers(
    messages: Sequence[Message | Mapping[str, Any]],
    budget: int,
    *,
    summary: str = "",
    topics: Sequence[str] = (),
    full_recent: int = FULL_RECENT,
    tool_max: int = TOOL_MAX,
    count: TokenCounter | None = None,
    form: Form | str | None = None,
) -> Sequence[Any]:
    """Return what one call is sent of a conversation; the input itself where it is within `budget` tokens.

    Leading system messages stay. The newest message is kept even where it alone is beyond its tier, and what comes back
    is valid to send: results without their calls go, or become text. Raises as `parse_messages` does.
    """
    count = count or default_counter()
    parsed = parse_messages(messages, Form(form) if form is not None else None)
    sizes = [count_message(message, count) for message in parsed]
    if sum(sizes) <= budget:
        return messages
    lead = next((i for i, m in enumerate(parsed) if m.role is not Role.SYSTEM), len(parsed))
    room = max(0, budget - sum(sizes[:lead]))
    start = _recent_from(parsed, sizes, max(lead, len(parsed) - full_recent), room)
    told = tier_summary(summary, topics, room * SUMMARY_SHARE // 100, count)
    head = [make_text(parsed[0].form, Role.USER, told)] if told else []
    spent = sum(sizes[start:]) + sum(count_message(message, count) for message in head)
    left = min(room * CONDENSED_SHARE // 100, room - spent)
    loose = any(map(is_reasoning, parsed))
    middle: list[Message] = []
    for message in reversed(parsed[lead:start]):
        short = condensed(message, tool_max, loose=loose)
        size = count_message(short, count) if short is not None else 0
        if size > left and (middle or start < len(parsed)):
            break
        left -= size
        middle += [short] if short is not None else []
    sent = [*reversed(middle), *parsed[start:]]
    while len(sent) > 1 and len(sent[0].results) == len(sent[0].parts) > 0:
        sent.pop(0)
    out, _ = repair([*parsed[:lead], *head, *sent])
    return as_they_came(out, parsed, messages, read=isinstance(messages[0], Message))


def _recent_from(parsed: Sequence[Message], sizes: Sequence[int], oldest: int, room: int) -> int:
    """Return where tier 3 begins: the newest messages within its share, the newest one wherever the room holds it."""
    start, left = len(parsed), room * RECENT_SHARE // 100
    most = room * (100 - SUMMARY_SHARE) // 100
    while start > oldest and (sizes[start - 1] <= left or (start == len(parsed) and sizes[-1] <= most)):
        start -= 1
        left -= sizes[start]
    while start < len(parsed) and start > 0 and is_reasoning(parsed[start - 1]):
        start -= 1  # it may not part from the item that it led to
    return start


def condensed(message: Message, most: int, *, loose: bool = False) -> Message | None:
    """Return a message as tier 2 has it, the very one where nothing changes; None for thinking and nothing else.

    Thinking goes, results are cut to `most` characters. `loose`: what names the thinking it came with (an item's id of
    OpenAI's Responses) goes, too.
    """
    changes: dict[int, Any] = {}
    for i, part in enumerate(message.parts):
        if part.kind is PartKind.THINKING:
            changes[i] = None
        elif part.kind is PartKind.TOOL_RESULT and len(part.text) > most:
            changes[i] = replace(part, text=part.text[:most] + CUT)
    if message.parts and list(changes.values()) == [None] * len(message.parts):
        return None
    short = replace_parts(message, changes)
    own = message.raw.get("type") in ("function_call", "custom_tool_call", "message")
    if loose and own and message.role is Role.ASSISTANT and "id" in message.raw:
        raw = {key: value for key, value in short.raw.items() if key != "id"}
        return parse_message(raw, message.form)
    return short


def tier_summary(summary: str, topics: Sequence[str], limit: int, count: TokenCounter) -> str:
    """Write tier 1 within `limit` tokens: the rarest topics go first, then the end of the summary; "" for neither."""

    def written(length: int, topics: Sequence[str]) -> str:
        told = [f"[Conversation Summary]\n{summary[:length]}"] if summary[:length].strip() else []
        if topics:
            recall = "Use the recall_memory tool to retrieve details about any topic above."
            told.append(f"[Recallable Topics]: {', '.join(topics)}\n{recall}")
        return "\n\n".join(told)

    shown = bisect_left(
        range(1, len(topics) + 1), x=True, key=lambda n: count(written(len(summary), topics[:n])) > limit
    )
    if shown or count(written(len(summary), ())) <= limit:
        return written(len(summary), topics[:shown])
    length = bisect_left(range(1, len(summary) + 1), x=True, key=lambda n: count(written(n, ())) > limit)
    return written(length, ())
