"""Condense with a model from the command line: the model by its name, progress while it writes, what it cost."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from condense.apps.cli.refusals import Refusal, one_line
from condense.apps.cli.screens import session_screens as screens
from condense.apps.models import open_summarizer
from condense.compaction import PROJECT_SHARE
from condense.errors import SummarizerError
from condense.summarizing import summarize_conversation
from memory.conversation import typed_text
from memory.stores import OURS, plugged_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from condense.compaction import Condensation, Condenser
    from condense.summarizing import Summarizer
    from memory.conversation import Transcript
    from memory.engine import ConversationMemory


def checked_model(model: str | None, base_url: str | None) -> tuple[str, str] | None:
    """Split "PROVIDER:NAME"; of a plug-in the name may be left out.

    Raises:
        Refusal: no such provider, no name, or a base URL without a model of ours.
    """
    if model is None:
        if base_url is not None:
            raise Refusal(f"--base-url {base_url!r} needs a --model, such as openai:llama3")
        return None
    provider, _, name = model.partition(":")
    others = () if provider in OURS["summarizers"] and name else plugged_names("summarizers")
    if provider in others:
        if base_url is not None:
            raise Refusal(f"--base-url is for anthropic and openai; {provider!r} is a plug-in")
    elif provider not in OURS["summarizers"] or not name:
        more = "".join(f", {other}:NAME" for other in others)
        raise Refusal(
            f"--model {model!r} is not a model; it should be anthropic:NAME, openai:NAME or openai-responses:NAME{more}"
        )
    return provider, name


def summarizer_of(chosen: tuple[str, str], base_url: str | None, progress: Callable[[int], None]) -> Summarizer:
    """Make the summariser.

    Raises:
        Refusal: the SDK is not installed, or has no key.
        PluginError: a plug-in failed.
    """
    try:
        return open_summarizer(*chosen, base_url=base_url, progress=progress)
    except (ImportError, SummarizerError) as error:
        raise Refusal(one_line(str(error))) from error


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """Show on stderr that a model writes, and how many characters have come in; nothing where it is no terminal."""
    console = screens.err()
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda received: progress.update(task, description=f"{what}: {received:,} characters")


def condensed_with_model(
    transcript: Transcript,
    condenser: Condenser,
    memory: ConversationMemory,
    tokens: tuple[int, int],
    chosen: tuple[str, str],
    base_url: str | None,
) -> Condensation:
    """Compact a session with a model; what has come in so far is shown on stderr.  Interrupted, nothing was done.

    `tokens` are the target, and those of system prompt and tools.
    """
    target, overhead = tokens
    known: tuple[str, ...] = ()
    if condenser.project_memory is not None:
        latest = next((text for m in reversed(transcript.messages) if (text := typed_text(m))), "")
        known = condenser.project_memory.relevant_memories(
            latest, int(PROJECT_SHARE * target), count_tokens=condenser.count, task_id=memory.task_id
        )
    with counting(f"{chosen[1] or chosen[0]} is writing") as progress:
        return summarize_conversation(
            transcript.messages,
            summarizer_of(chosen, base_url, progress),
            conversation_memory=memory,
            target=target,
            condense_config=condenser.config,
            count_tokens=condenser.count,
            archive=condenser.archive,
            project_memories=known,
            overhead=overhead,
        )


def cost_line(done: Condensation) -> str:
    """What the model's calls cost, in words."""
    return "cost unknown: no price for this model" if done.cost is None else f"cost ${done.cost:.4f}"
