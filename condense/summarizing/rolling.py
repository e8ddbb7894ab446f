"""A running summary of a conversation: current summary + new dialogue -> new summary, and the context rebuilt from it.

The summary manager of the documented chat agent as a value: `conversation_summary` and `message_buffer`.  Steps of
the work never enter; a summary over its limit is compressed to a third, twice at most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from condense.errors import SummarizerError
from condense.reading import language_of
from condense.summarizing.cleaning import cut_to, defused
from condense.summarizing.composing import Question
from condense.summarizing.config import SummarizingConfig
from condense.summarizing.dialogue import KEEP_RECENT, dialogue
from condense.summarizing.driving import adrive, drive
from condense.summarizing.narrating import Account, compressed
from condense.summarizing.prompts import prompt
from condense.summarizing.requests import Purpose, SummaryRequest
from condense.summarizing.transcribing import into_parts
from condense.verifying import reject_reason
from memory.conversation import Role, default_counter, make_text, parse_messages

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from condense.summarizing.requests import AsyncSummarizer, Flow, Summarizer
    from memory.conversation import Message, TokenCounter

CONTEXT_SHARE = 0.8
"""Share of the context length from which a summary is due; as documented."""
MOST_MESSAGES = 50
"""Messages from which a summary is due; as documented."""
HEADINGS = {"en": "Summary of the conversation so far:", "zh": "对话历史总结："}
PROMPT_TOKENS = 1_500
"""Tokens of the prompt itself, generously; counted once."""
_SPEAKERS = {
    "en": {Role.USER: "User: ", Role.ASSISTANT: "Assistant: "},
    "zh": {Role.USER: "用户：", Role.ASSISTANT: "助手："},
}


def is_due(
    tokens: int,
    messages: int,
    context_length: int,
    *,
    share: float = CONTEXT_SHARE,
    most_messages: int = MOST_MESSAGES,
    by_hand: bool = False,
) -> bool:
    """Say whether a conversation is to be summarised: above 80 % of the context, above 50 messages, or by hand."""
    return by_hand or tokens > share * context_length or messages > most_messages


@dataclass(frozen=True, slots=True)
class RunningSummary:
    """A conversation as summary and newest messages; `add` and `summarize` return a new one.

    Attributes:
        conversation_summary: of what is no longer in the buffer.
        message_buffer: the dialogue since, as `Message` values: questions and final answers, no steps of the work.
        cost: of the last summary in US dollars; None where unknown.
        error: what went wrong with the last summary; the one before still stands then.
    """

    conversation_summary: str = ""
    message_buffer: tuple[Message, ...] = ()
    cost: float | None = 0.0
    error: str | None = None

    def add(self, *messages: Message | Mapping[str, Any]) -> RunningSummary:
        """Take in new messages; what is no question and no final answer is passed over.

        Raises:
            WireError: a message that fits no form.
        """
        said = tuple(m for m in parse_messages(list(messages)) if dialogue([m]))
        return replace(self, message_buffer=(*self.message_buffer, *said))

    def is_due(
        self, context_length: int, *, count: TokenCounter | None = None, by_hand: bool = False
    ) -> bool:
        """Say whether a summary is due for a context of so many tokens."""
        count = count or default_counter()
        tokens = count(self.conversation_summary) + sum(count(m.text) for m in self.message_buffer)
        return is_due(tokens, len(self.message_buffer), context_length, by_hand=by_hand)

    def summarize(
        self,
        llm: Summarizer,
        *,
        keep_recent: int = KEEP_RECENT,
        config: SummarizingConfig | None = None,
        count: TokenCounter | None = None,
    ) -> RunningSummary:
        """Summarise all but the newest messages into the summary; on failure nothing changes but `error`."""
        return drive(rolling_flow(self, keep_recent, config or SummarizingConfig(), count), llm)

    async def asummarize(
        self,
        llm: AsyncSummarizer | Summarizer,
        *,
        keep_recent: int = KEEP_RECENT,
        config: SummarizingConfig | None = None,
        count: TokenCounter | None = None,
    ) -> RunningSummary:
        """Do the same with an async summariser."""
        return await adrive(rolling_flow(self, keep_recent, config or SummarizingConfig(), count), llm)

    def context(self, system_prompt: str) -> tuple[str, tuple[Message, ...]]:
        """Rebuild what is sent: the system prompt with the summary below it, and the messages that stay."""
        if not self.conversation_summary:
            return system_prompt, self.message_buffer
        heading = HEADINGS[language_of([self.conversation_summary])]
        told = "\n\n".join(filter(None, (system_prompt, f"{heading}\n{self.conversation_summary}")))
        return told, self.message_buffer


def rolling_flow(
    running: RunningSummary, keep_recent: int, config: SummarizingConfig, count: TokenCounter | None = None
) -> Flow[RunningSummary]:
    """Ask for the new summary; see `RunningSummary.summarize`."""
    count = count or default_counter()
    cut = max(0, len(running.message_buffer) - max(0, keep_recent))
    old, recent = running.message_buffer[:cut], running.message_buffer[cut:]
    if not old:
        return replace(running, cost=0.0, error=None)
    lines = dialogue(old)
    language = language_of(line.text for line in lines if line.role is Role.USER)
    question = Question(language, config.limit, config.window, previous=running.conversation_summary)
    account = Account()
    room = max(config.window // 8, config.window - question.answer_tokens - 2 * config.limit - PROMPT_TOKENS)
    summary = running.conversation_summary
    for part in into_parts([_SPEAKERS[language][x.role] + x.text for x in lines], room, count):
        try:
            text = yield from account.ask(_request(question, summary, part))
        except SummarizerError as error:
            return replace(running, cost=account.cost, error=error.reason)
        reject = _rejecting(old, summary, count)
        reason = reject(text)
        if reason is not None:
            return replace(running, cost=account.cost, error=f"the model's summary was rejected: {reason}")
        text = yield from compressed(question, text, config.compressions, count, reject, account)
        summary = cut_to(defused(text), config.limit, count)
    return RunningSummary(summary, recent, account.cost)


def _request(question: Question, summary: str, dialogue_text: str) -> SummaryRequest:
    language = question.language
    told = prompt(
        "rolling/rolling_request", language, current_summary=summary, new_dialogue_content=dialogue_text
    )
    system = "\n\n".join([prompt("rolling/rolling", language), prompt("security", language)])
    return SummaryRequest(Purpose.UPDATE, system, told, question.answer_tokens)


def _rejecting(old: Sequence[Message], summary: str, count: TokenCounter) -> Callable[[str], str | None]:
    """What a new summary replaces is the dialogue and the summary before it."""
    source = [*old, *([make_text(old[0].form, Role.USER, summary)] if summary else [])]
    return lambda text: reject_reason(text, source, count=count)
