"""`holdfast demo` with nothing but the core: the same numbers and words as with extra `cli`, without frames."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Final

from condense.apps.cli.amounts import read_amount
from condense.apps.cli.refusals import (
    EXIT_BROKEN_PIPE,
    EXIT_REFUSED,
    EXIT_UNREACHED,
    EXPECTED,
    Refusal,
    reason_of,
)
from condense.compaction import Condenser
from condense.testing import demo_session
from memory import ConversationMemory, read_transcript
from memory.conversation import count_message

if TYPE_CHECKING:
    from collections.abc import Sequence

    from condense.compaction import Condensation
    from memory.conversation import Transcript

TARGET: Final = "8k"
EXTRACT: Final = 30
"""Lines of the compacted context that are shown; chosen to fit a screen."""


def run_plainly(arguments: Sequence[str]) -> int:
    """Condense the bundled session, and show before, after and memories; returns the exit code.

    `--target` is understood as with the whole command line; of its other options none.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]  # TextIOWrapper has it
    try:
        target = _target(arguments)
        transcript = read_transcript(demo_session())
        condenser, memory = Condenser(), ConversationMemory("demo")
        size = sum(count_message(message, condenser.count) for message in transcript)
        tokens = read_amount(target).of(size)
        done = condenser.condense(transcript.messages, memory=memory, target=tokens)
    except (Refusal, *EXPECTED) as error:
        print(f"holdfast: {reason_of(error)}", file=sys.stderr)  # noqa: T201  # plain on purpose
        return EXIT_REFUSED
    try:
        print(_told(transcript, done, memory), flush=True)  # noqa: T201  # plain on purpose
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing is left to fail at the end
        return EXIT_BROKEN_PIPE
    return EXIT_UNREACHED if done.error else 0


def _target(arguments: Sequence[str]) -> str:
    rest = [part for word in arguments for part in word.split("=", 1)]
    if rest and (len(rest) != 2 or rest[0] != "--target"):  # noqa: PLR2004  # a name and a value
        raise ValueError(
            f"demo takes --target alone here, not {' '.join(rest)!r}; pip install 'holdfast-context[cli]' for all"
        )
    return rest[1] if rest else TARGET


def _told(transcript: Transcript, done: Condensation, memory: ConversationMemory) -> str:
    report = done.report
    lines = [
        "A real Claude Code session, recorded on this project",
        "",
        f"before  {done.prev_context_tokens:>8,} tokens, {len(transcript.messages)} messages",
        f"after   {done.new_context_tokens:>8,} tokens, {len(done.messages)} messages (target {done.plan.target:,})",
        f"typed by you: {report.typed_messages} messages, {report.typed_verbatim} still there word for word",
        "",
        "remembered, in your words",
        memory.generate_memory_summary(),
        "",
        "what the agent sees instead of the folded messages, its beginning",
        *done.summary.splitlines()[:EXTRACT],
        "",
        "Frames, colours and all other commands: pip install 'holdfast-context[cli]',",
        "or uvx --from 'holdfast-context[cli]' holdfast condense latest -o smaller.json",
    ]
    return "\n".join(lines)
