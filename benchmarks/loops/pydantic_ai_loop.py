"""pydantic-ai: an agent with capabilities, an ask a run, each with the history of the one before."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import RequestUsage

from benchmarks.journeys import Call
from benchmarks.loops import SYSTEM, TARGET, TRIGGER, WINDOW, Recorder, System, tool_result, tool_use
from benchmarks.texts import count_tokens, size_of
from condense import CondenseConfig, TokenBudget
from condense.adapters import Holdfast

FRAMEWORK, PACKAGES = "pydantic-ai", ("pydantic-ai-slim", "pydantic-ai-harness")
_PAIRS = (40, 30, 20, 15, 10, 7, 5, 3, 2, 1)
_TAILS = (0.9, 0.75, 0.6, 0.45, 0.3, 0.2, 0.1)


def _written(messages: list[ModelMessage], instructions: str | None) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = [{"role": "system", "content": instructions}] if instructions else []
    for message in messages:
        blocks: list[dict[str, Any]] = []
        parts: Any = message.parts
        for part in parts:
            if part.part_kind == "tool-call":
                blocks.append(tool_use(part.tool_call_id, part.tool_name, part.args_as_dict()))
            elif part.part_kind == "tool-return":
                blocks.append(tool_result(part.tool_call_id, part.model_response_str()))
            else:
                blocks.append(
                    {
                        "type": "text",
                        "text": part.content if isinstance(part.content, str) else str(part.content),
                    }
                )
        out.append({"role": "assistant" if isinstance(message, ModelResponse) else "user", "content": blocks})
    return out


def _run(make: Any, recorder: Recorder) -> None:
    def answer(messages: list[ModelMessage], info: Any) -> ModelResponse:
        said = recorder.step(lambda: _written(messages, info.instructions))
        parts: list[Any] = [TextPart(text)] if (text := said.says if isinstance(said, Call) else said) else []
        if isinstance(said, Call):
            parts.append(ToolCallPart(said.name, said.arguments, said.id))
        # as a provider would: theirs goes by the usage that a response reports
        usage = RequestUsage(input_tokens=size_of(recorder.requests[-1]), output_tokens=count_tokens(text) + 20)
        recorder.begin()
        return ModelResponse(parts=parts, usage=usage)

    def read(key: str, about: str) -> str:
        """Run a tool."""
        del about
        return recorder.run_tool(key)

    made = make()
    agent = Agent(FunctionModel(answer), instructions=SYSTEM, capabilities=[made] if made else [])
    for name in ("read_file", "search", "run_tests", "run_command"):
        agent.tool_plain(read, name=name)
    asyncio.run(_drive(agent, recorder))
    if error := getattr(made, "last_error", None):
        raise error


async def _drive(agent: Agent[None, str], recorder: Recorder) -> None:
    history: list[ModelMessage] = []
    for ask in recorder.journey.asks:
        recorder.begin()
        history = (await agent.run(ask, message_history=history)).all_messages()


def _tiered(*, laddered: bool) -> Any:
    """Theirs; it acts above the trigger, tier by tier until the history is below it.

    `laddered`: cleared in steps, then the window slides: as much as can be made of it by hand. Else the tiers as its
    README stacks them, less the summary.
    """
    from pydantic_ai_harness import compaction as theirs  # may be missing

    counted: Any = {"tokenizer": count_tokens}
    once: Any = {"max_tokens": 1, **counted}
    if laddered:
        tiers = [
            *(theirs.ClearToolResults(keep_pairs=pairs, **once) for pairs in _PAIRS),
            *(theirs.SlidingWindowCompaction(keep_tokens=int(s * TRIGGER), **once) for s in _TAILS),
        ]
    else:
        tiers = [
            theirs.ClearToolResults(keep_pairs=3, **once),
            theirs.SlidingWindowCompaction(keep_tokens=TARGET, **once),
        ]
    return theirs.TieredCompaction(tiers=tiers, target_tokens=TRIGGER, **counted)


def _holdfast() -> Holdfast:
    made = Holdfast(CondenseConfig(budget=TokenBudget.for_window(WINDOW), reach="recall_memory"))
    made.conversations.count = count_tokens
    return made


def systems() -> list[System]:
    """Return what is driven: nothing; theirs by its README, and as a ladder; ours.

    Messages of the person that are pinned (`pin`) change nothing here, as no tier drops any.
    """
    found = [System(FRAMEWORK, "nothing", partial(_run, lambda: None))]
    try:
        import pydantic_ai_harness  # noqa: F401
    except ImportError:
        print("pydantic-ai-harness is not installed: TieredCompaction is left out")
    else:
        readme, ladder = partial(_tiered, laddered=False), partial(_tiered, laddered=True)
        found += [
            System(FRAMEWORK, "TieredCompaction, README", partial(_run, readme)),
            System(FRAMEWORK, "TieredCompaction, laddered", partial(_run, ladder)),
        ]
    return [*found, System(FRAMEWORK, "Holdfast", partial(_run, _holdfast))]
