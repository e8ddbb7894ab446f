"""The commands of `holdfast`: each reads a session, asks the library, and shows or writes what it says."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from condense.apps.cli.amounts import read_amount
from condense.apps.cli.commands.demonstration import show_demonstration
from condense.apps.cli.models import checked_model, condensed_with_model, cost_line
from condense.apps.cli.options import From, Json, Lenient, Session, Where  # noqa: TC001  # typer reads them
from condense.apps.cli.outputs import (
    checked_output,
    json_bytes,
    message_text,
    read_json,
    write_file,
    write_stdout,
)
from condense.apps.cli.places import archive_of, keep_record, last_record
from condense.apps.cli.refusals import EXIT_UNREACHED, Refusal
from condense.apps.cli.screens import (
    payloads,
    session_screens as screens,
    show_condensation,
    show_memory_summary,
    show_plan,
    show_record,
    show_scores,
    show_verification,
    tell,
)
from condense.apps.cli.sessions import (
    STDIN,
    read_session,
    read_text,
    says_anything,
    shown_warnings,
    split_summary,
    written_format,
)
from condense.apps.cli.workspaces import clock, read_original, recall_for
from condense.compaction import Condenser, score_all_messages
from condense.config import CondenseConfig
from condense.reading import is_context_block
from condense.testing import demo_session
from condense.verifying import verify as verify_summary
from memory.conversation import Transcript, count_frame, count_message, write_transcript
from memory.engine import ConversationMemory
from memory.stores import made_data_folder

app = typer.Typer()

_FILE = (
    "A session file, '-' for standard input, or 'latest': the newest Claude Code or Codex session of this folder."
)
File = Annotated[str, typer.Argument(metavar="FILE", help=_FILE, show_default=False)]
Target = Annotated[str, typer.Option("--target", help="Tokens to come down to: 16000, 16k, or a share: 0.2, 20%.")]
Model = Annotated[
    str | None,
    typer.Option(
        "--model",
        "--summarizer",
        metavar="NAME:MODEL",
        help="Let a model write the summary: anthropic:MODEL, openai:MODEL, or a plug-in.",
    ),
]
BaseUrl = Annotated[str | None, typer.Option("--base-url", metavar="URL", help="Where the model is served.")]
Every = Annotated[bool, typer.Option("--all", help="Show every row.")]

DEFAULT_TARGET = "16k"


def _opened(file: str, form: str | None, *, lenient: bool) -> Transcript:
    with screens.working("reading the session"):
        transcript = read_session(file, form=form, lenient=lenient)
    for line in shown_warnings(transcript):
        tell(screens.err(), f"holdfast: {line}")
    return transcript


def _tokens(target: str, transcript: Transcript, condenser: Condenser) -> tuple[int, int]:
    """The tokens to come down to, and those of the instructions and tools that stand around the messages."""
    amount = read_amount(target)
    overhead = count_frame(transcript.frame, condenser.count)
    if amount.tokens is not None:
        return amount.tokens, overhead
    return amount.of(overhead + sum(count_message(m, condenser.count) for m in transcript)), overhead


@app.command()
def condense(
    file: File,
    *,
    target: Target = DEFAULT_TARGET,
    to: Annotated[
        str | None,
        typer.Option("--to", metavar="FORMAT", help="anthropic, openai-chat, openai-responses or markdown."),
    ] = None,
    output: Annotated[
        str | None, typer.Option("-o", "--output", metavar="OUT", help="Write the conversation there.")
    ] = None,
    model: Model = None,
    base_url: BaseUrl = None,
    form: From = None,
    lenient: Lenient = False,
    as_json: Json = False,
) -> None:
    """Bring a session down to a number of tokens; the file itself is never changed.

    What `holdfast memory` knows of the session's project and has to do with its latest request is offered, too.

    What a request's file says beside the messages, system prompt and tools, counts into the target.

    The smaller conversation goes to OUT, or to stdout where that is no terminal, in the API form it came in or the
    one of --to.  Originals of what is folded are kept in HOLDFAST_HOME (or your data folder) for `holdfast expand`.
    """
    read_amount(target)
    chosen = checked_model(model, base_url)
    place = checked_output(output, file)
    transcript = _opened(file, form, lenient=lenient)
    wanted = written_format(to, transcript)
    made_data_folder()
    archive = archive_of(transcript)
    condenser = Condenser(CondenseConfig(), archive=archive, project_memory=recall_for(transcript.cwd))
    memory = ConversationMemory(transcript.session_id or "session")
    with screens.working("counting"):
        tokens, overhead = _tokens(target, transcript, condenser)
    if chosen is None:
        with screens.working("condensing"):
            done = condenser.condense(transcript.messages, memory=memory, target=tokens, overhead=overhead)
    else:
        done = condensed_with_model(transcript, condenser, memory, (tokens, overhead), chosen, base_url)
    if done.record is not None and done.report.typed_messages and not says_anything(done):
        raise Refusal(
            f"nothing that you said fits into {tokens:,} tokens; nothing was written, take a larger --target",
            EXIT_UNREACHED,
        )
    with screens.working("writing"):
        content = write_transcript(replace(transcript, messages=tuple(done.messages)), format=wanted)
    to_stdout = not as_json and (output == "-" or (place is None and not sys.stdout.isatty()))
    if place is not None:
        write_file(place, content.encode("utf-8", "backslashreplace"))
    if to_stdout:
        write_stdout(content.encode("utf-8", "backslashreplace"))
    if done.record is not None:
        keep_record(done.record, archive.task_id, transcript.cwd, clock())
    if as_json:
        answer = payloads.heading("condense") | {"source": payloads.source_of(transcript)}
        answer |= payloads.condensation_of(done, memory)
        answer["originals"] = {"project": archive.project, "session": archive.task_id}
        answer["output"] = {"path": str(place) if place else None, "format": wanted}
        answer["conversation"] = None if place else content if wanted == "markdown" else read_json(content)
        write_stdout(json_bytes(answer))
    else:
        console = screens.err() if to_stdout else screens.out()
        show_condensation(console, transcript, done, memory)
        if place is not None:
            tell(console, f"written to {place} as {wanted}")
        elif not to_stdout:
            tell(console, "not written anywhere yet: add -o FILE, or send stdout to a file or a pipe", "dim")
        if chosen is not None:
            tell(console, cost_line(done))
    if done.error is not None and done.record is not None:
        tell(screens.err(), f"holdfast: {done.error}")
    elif done.error is not None:
        raise Refusal(f"{done.error}; the output is the original", EXIT_UNREACHED)


@app.command()
def report(
    file: Annotated[str | None, typer.Argument(metavar="[FILE]", help=_FILE, show_default=False)] = None,
    *,
    target: Target = DEFAULT_TARGET,
    last: Annotated[
        bool, typer.Option("--last", help="The newest compaction in this folder, instead of a plan.")
    ] = False,
    every: Every = False,
    form: From = None,
    lenient: Lenient = False,
    as_json: Json = False,
) -> None:
    """Show what condensing would drop, and why; nothing is written."""
    read_amount(target)
    if last and file is not None:
        raise Refusal("report takes a FILE to plan for or --last, not both")
    if not last and file is None:
        raise Refusal(
            "report needs a FILE to plan for, such as latest, or --last for the newest compaction "
            "(holdfast report --help)"
        )
    if file is None:
        record, session = last_record()
        if as_json:
            named = {"session": session or None}
            write_stdout(json_bytes(payloads.heading("report") | named | payloads.record_of(record)))
        else:
            show_record(screens.out(), record, session, every=every)
        return
    transcript = _opened(file, form, lenient=lenient)
    condenser = Condenser(CondenseConfig())
    with screens.working("planning"):
        tokens, overhead = _tokens(target, transcript, condenser)
        plan = condenser.plan(transcript.messages, target=tokens, overhead=overhead)
    if as_json:
        answer = payloads.heading("report") | {"source": payloads.source_of(transcript)}
        write_stdout(json_bytes(answer | payloads.plan_of(plan)))
    else:
        show_plan(screens.out(), transcript, plan, every=every)
    if plan.error is not None and plan.tokens_before > plan.target:
        raise Refusal(plan.error, EXIT_UNREACHED)


@app.command()
def memories(
    file: File,
    *,
    every: Annotated[bool, typer.Option("--all", help="Superseded and withdrawn ones, too.")] = False,
    form: From = None,
    lenient: Lenient = False,
    as_json: Json = False,
) -> None:
    """Show what you told the agent that is worth remembering, in your own words."""
    transcript = _opened(file, form, lenient=lenient)
    memory = ConversationMemory(transcript.session_id or "session")
    with screens.working("reading what you said"):
        memory.extract_memories(transcript.messages)
    entries = memory.get_all_memories(include_superseded=every)
    if as_json:
        answer = payloads.heading("memories") | {"source": payloads.source_of(transcript)}
        write_stdout(json_bytes(answer | payloads.memories_of(entries, memory)))
        return
    console = screens.out()
    console.print(screens.header(transcript))
    if not entries:
        tell(console, "nothing worth remembering was typed in this session")
        if any(is_context_block(message) for message in transcript):
            tell(console, "it begins with holdfast's record of an earlier one, which holds what was said there")
        return
    console.print(screens.memory_rows(entries))
    show_memory_summary(console, memory)


@app.command()
def score(
    file: File,
    *,
    every: Every = False,
    form: From = None,
    lenient: Lenient = False,
    as_json: Json = False,
) -> None:
    """Show how important each message is, 0 to 100, and why."""
    transcript = _opened(file, form, lenient=lenient)
    with screens.working("scoring"):
        scores = score_all_messages(transcript.messages)
    if as_json:
        answer = payloads.heading("score") | {"source": payloads.source_of(transcript)}
        write_stdout(json_bytes(answer | payloads.scores_of(scores)))
    else:
        show_scores(screens.out(), transcript, scores, every=every)


@app.command()
def verify(
    summary: Annotated[
        str,
        typer.Argument(metavar="SUMMARY", help="A text, or a condensed conversation; '-' for standard input."),
    ],
    *,
    source: Annotated[str, typer.Option("--source", metavar="FILE", help=_FILE)],
    every: Every = False,
    form: From = None,
    lenient: Lenient = False,
    as_json: Json = False,
) -> None:
    """Hold any summary against its session: what it kept, what it lost, what it made up.

    Exit code 1: something critical is missing, or something was made up.
    """
    if summary == source == STDIN:
        raise Refusal("SUMMARY and --source cannot both be standard input")
    text = read_text(summary)
    transcript = _opened(source, form, lenient=lenient)
    text, kept = split_summary(text, transcript)
    memory = ConversationMemory(transcript.session_id or "session")
    with screens.working("verifying"):
        memory.extract_memories(transcript.messages)
        found = verify_summary(
            text,
            transcript.messages,
            memories=memory.get_all_memories(),
            recoverable=archive_of(transcript).get,
            kept=kept,
        )
    if as_json:
        answer = payloads.heading("verify") | {"source": payloads.source_of(transcript)}
        write_stdout(json_bytes(answer | payloads.verification_of(found)))
    else:
        show_verification(screens.out(), transcript, found, every=every)
    if not found.ok:
        raise typer.Exit(EXIT_UNREACHED)


@app.command()
def expand(
    handle: Annotated[str, typer.Argument(metavar="HANDLE", help="hf_..., from a receipt or a summary.")],
    *,
    workspace: Where = None,
    session: Session = "",
    as_json: Json = False,
) -> None:
    """Fetch an original back: a message of this project (or of --session) that was folded, word for word."""
    message = read_json(read_original(workspace, session, handle))
    if as_json:
        write_stdout(json_bytes(payloads.heading("expand") | {"handle": handle, "message": message}))
    else:
        write_stdout(message_text(message).encode("utf-8", "backslashreplace"))


@app.command()
def demo(*, target: Target = "8k", as_json: Json = False) -> None:
    """Condense the bundled session and show before, after, memories and receipt."""
    read_amount(target)
    transcript = read_session(str(demo_session()))
    made_data_folder()
    condenser = Condenser(CondenseConfig(), archive=archive_of(transcript))
    memory = ConversationMemory("demo")
    with screens.working("condensing the bundled session"):
        tokens, overhead = _tokens(target, transcript, condenser)
        done = condenser.condense(transcript.messages, memory=memory, target=tokens, overhead=overhead)
    if as_json:
        answer = payloads.heading("demo") | {"source": payloads.source_of(transcript)}
        write_stdout(json_bytes(answer | payloads.condensation_of(done, memory)))
    else:
        show_demonstration(screens.out(), transcript, done, memory)
    if done.error is not None:
        raise Refusal(done.error, EXIT_UNREACHED)
