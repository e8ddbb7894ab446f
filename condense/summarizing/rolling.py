"""A running summary of a conversation: current summary + new dialogue -> new summary, and the context rebuilt from it.

The summary manager of the documented chat agent as a value: `conversation_summary` and `message_buffer`.  Steps of
the work never enter; a summary over its limit is compressed to a third, twice at most.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from condense.errors import SummarizerError
from condense.reading import language_of
from condense.summarizing.memory_lines import KEEP_RECENT, SPEAKERS, dialogue, split_messages
from condense.summarizing.narrating import Account, Narrator
from condense.summarizing.requests import (
    Purpose,
    Question,
    SummarizingConfig,
    SummaryRequest,
    adrive,
    drive,
    prompt,
)
from condense.summarizing.transcribing import cut_to, defused, into_parts
from condense.verifying import reject_reason
from memory.conversation import Role, default_counter, make_text, parse_messages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from condense.summarizing.requests import AsyncSummarizer, Flow, Summarizer
    from memory.conversation import Message, TokenCounter

CONTEXT_SHARE, MOST_MESSAGES = 0.8, 50
"""Share of the context length, and messages, from which a summary is due; as documented."""
HEADINGS = {"en": "Summary of the conversation so far:", "zh": "对话历史总结："}
COMPRESSED = 1 / 3  # share of its length to which a summary over its limit is compressed; as documented
PROMPT_TOKENS = 1_500  # tokens of the prompt itself, generously; counted once


@dataclass(frozen=True, slots=True)
class RunningSummary:
    """A conversation as summary and newest dialogue; `add` and `summarize` return a new one."""

    conversation_summary: str = ""  # of what is no longer in the buffer
    message_buffer: tuple[Message, ...] = ()
    cost: float | None = 0.0  # of the last summary in US dollars; None where unknown
    error: str | None = None  # what went wrong with the last summary; the one before still stands then

    def add(self, *messages: Message | Mapping[str, Any]) -> RunningSummary:
        """Take in new messages; what is no question and no final answer is passed over."""
        said = tuple(m for m in parse_messages(list(messages)) if dialogue([m]))
        return replace(self, message_buffer=(*self.message_buffer, *said))

    def is_due(self, context_length: int, *, count: TokenCounter | None = None, by_hand: bool = False) -> bool:
        """Say whether a summary is due: above 80 % of a context of so many tokens, above 50 messages, or by hand."""
        count = count or default_counter()
        tokens = count(self.conversation_summary) + sum(count(m.text) for m in self.message_buffer)
        return by_hand or tokens > CONTEXT_SHARE * context_length or len(self.message_buffer) > MOST_MESSAGES

    def summarize(
        self,
        llm: Summarizer,
        *,
        keep_recent: int = KEEP_RECENT,
        config: SummarizingConfig | None = None,
        count: TokenCounter | None = None,
    ) -> RunningSummary:
        """Summarise all but the newest messages into the summary; on failure nothing changes but `error`."""
        return drive(self._flow(keep_recent, config or SummarizingConfig(), count or default_counter()), llm)

    async def asummarize(
        self,
        llm: AsyncSummarizer | Summarizer,
        *,
        keep_recent: int = KEEP_RECENT,
        config: SummarizingConfig | None = None,
        count: TokenCounter | None = None,
    ) -> RunningSummary:
        """Do the same with an async summariser."""
        flow = self._flow(keep_recent, config or SummarizingConfig(), count or default_counter())
        return await adrive(flow, llm)

    def context(self, system_prompt: str) -> tuple[str, tuple[Message, ...]]:
        """Rebuild what is sent: the system prompt with the summary below it, and the messages that stay."""
        if not self.conversation_summary:
            return system_prompt, self.message_buffer
        heading = HEADINGS[language_of([self.conversation_summary])]
        told = "\n\n".join(filter(None, (system_prompt, f"{heading}\n{self.conversation_summary}")))
        return told, self.message_buffer

    def _flow(self, keep_recent: int, config: SummarizingConfig, count: TokenCounter) -> Flow[RunningSummary]:
        old, recent = split_messages(self.message_buffer, keep_recent)
        if not old:
            return replace(self, cost=0.0, error=None)
        lines = dialogue(old)
        language = language_of(line.text for line in lines if line.role is Role.USER)
        system = "\n\n".join([prompt("rolling/rolling", language), prompt("security", language)])
        summary = self.conversation_summary
        question = Question(language, config.limit, config.window)
        room = config.window - question.answer_tokens - 2 * config.limit - PROMPT_TOKENS
        said = [SPEAKERS[language][line.role] + line.text for line in lines]
        account = Account()
        for part in into_parts(said, max(config.window // 8, room), count):
            told = prompt("rolling/rolling_request", language, current_summary=summary, new_dialogue_content=part)
            # what a new summary replaces is the dialogue and the summary before it
            source = [*old, *([make_text(old[0].form, Role.USER, summary)] if summary else [])]
            reject = partial(reject_reason, source=source, count=count)
            narrator = Narrator(question, config, count, reject, account)
            request = SummaryRequest(Purpose.UPDATE, system, told, question.answer_tokens)
            try:
                text = yield from account.ask(request)
            except SummarizerError as error:
                return replace(self, cost=account.cost, error=error.reason)
            reason = reject(text)
            if reason is not None:
                told = f"the model's summary was rejected: {reason}"
                return replace(self, cost=account.cost, error=told)
            text = yield from narrator.compressed(text, COMPRESSED)
            summary = cut_to(defused(text), config.limit, count)
        return RunningSummary(summary, tuple(recent), account.cost)
