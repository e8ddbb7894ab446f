"""Which text of a message a person typed: the one choke point for trust.

Clients put much into the user role that nobody typed: tool results, reminders, environment blocks,
wrappers of slash commands, hook output, IDE selections, project instruction files, compaction
summaries, our own context blocks. Only what is left when all that is taken away may become a rule, and
what a person said through a tool (`memory.conversation.provenance.tool_answers`).
In doubt a text counts as not typed: a lost rule can be said again, a planted one can't be taken back. The wrappers
are those of Claude Code, Codex, Cline/Roo and SWE-agent as seen in their transcripts.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from memory.conversation.messages import PartKind, Role
from memory.conversation.provenance.attachments import REFERENCED, clients_parts, outside_references
from memory.conversation.provenance.slash_commands import COMMAND_SIGN, slash_command
from memory.conversation.provenance.tool_answers import relayed_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory.conversation.messages import Message, Part


class TypedSpan(NamedTuple):
    """A stretch of a message that a person typed.

    Attributes:
        part: index of the part in the message.
        start, end: character span in that part's text.
        text: `part.text[start:end]`.
    """

    part: int
    start: int
    end: int
    text: str


_INJECTED_OPEN = re.compile(
    r"<(?P<name>system[-_]reminder|environment_details|environment_context|user_instructions|user_action|user-prompt-submit-hook"
    r"|command-[a-z]{1,20}|local-command-[a-z]{1,20}|ide_[a-z_]{1,30}|bash-(?:stdout|stderr|input)|turn_aborted"
    r"|task-notification|file_content|folder_content|git_commit|git_diff|url_content|terminal_output"
    r"|holdfast-context|workspace_diagnostics|INSTRUCTIONS"
    r"|permissions instructions|collaboration_mode|skill|subagent_notification"
    r"|additional_context|new-diagnostics|function_results|tool_result|tool_results)(?:\s[^<>]{0,300})?>",
    re.ASCII,
)
"""Openings of blocks that clients write. Cut out together with all they hold, to the last matching close."""

_UNWRAPPED = re.compile(r"</?(?:task|user_message|user_query|feedback)>", re.ASCII)
"""Wrappers whose inside a person typed (Cline and Roo, Cursor): only the tags go."""

LOST_CALL = "[result of a call that is no longer in the history]"
"""What a mended history begins the result of a missing call with: as a text, in the user role."""
_NOT_TYPED_STARTS = (
    "Caveat: The messages below",
    "[Request interrupted",
    "This session is being continued",
    "Another language model started to solve this problem",
    "Base directory for this skill",
    "# AGENTS.md instructions",
    "# AGENTS.md",
    "# CLAUDE.md",
    "[TASK RESUMPTION]",
    "Here is a demonstration of how to correctly accomplish this task",
    "We're currently solving the following issue within our repository",
    "<uploaded_files>",
    "Codebase and user instructions are shown below",
    "Contents of /",
    "Stop hook feedback",
    "[ERROR] You did not use a tool",
    "The user denied this operation",
    "Your task is incomplete",
    LOST_CALL,
)
"""Beginnings of texts that a client wrote, whole: interruptions, summaries, skills, instance prompts."""

_TOOL_ECHO = re.compile(r"\[(\w{3,40})(?: for '|\(\{|\] Result:)", re.ASCII)
"""Cline and Roo in their XML form echo a tool call before its result, as a text block of the user role."""

_SHELL_TAIL = re.compile(r"\(Open file: [^\n]{0,500}\)\n\(Current directory: [^\n]{0,500}\)\nbash-\$\s*\Z")
"""SWE-agent ends every observation with the state of its shell."""

_UNKNOWN_WRAPPER = re.compile(
    r"<(?P<name>[a-z][a-z0-9]{1,30}(?:[-_][a-z0-9]{1,30}){1,4})(?:\s[^<>]{0,300})?>", re.ASCII
)
"""A leading tag with a hyphen or underscore in its name is some client's wrapper, not typed by people."""

_MID_TURN = re.compile(
    r"(?:<system-reminder>)?\s{0,9}"
    r"The user sent (?:a new message while you were working|the following message):\s{0,9}"
)
"""How Claude Code and OpenCode hand over what a person typed while the agent was at work."""
_MID_TURN_TAIL = re.compile(
    r"(?:This is how Claude Code surfaces|IMPORTANT: After completing your current task|Please address this message)"
    r"[^<]{0,600}\Z"
)
"""What they write below it."""
_REMINDER_END = "</system-reminder>"
_SENT = "The user sent "
"""What it can't be without."""
_REQUEST_HEADINGS = ("## My request for Codex:", "## My request for Claude:", "## My request:")
_SPECKIT = re.compile(r"\s{0,10}## User Input\s{1,10}```text\n(?P<typed>.{0,20000}?)\n```", re.DOTALL)
_IMAGE_MARK = re.compile(r"\[(?:image|Image #?\d{0,4}|Pasted text #\d{1,4}(?: \+\d{1,6} lines)?)\]")


def typed_spans(message: Message) -> tuple[TypedSpan, ...]:
    """Return what a person typed in a message, in order; for roles but the user's, as far as a client says so.

    Read once, linear in the message's text; the message carries it from then on.
    """
    if "typed" not in message.carried:
        message.carried["typed"] = _classified(message)
    spans: tuple[TypedSpan, ...] = message.carried["typed"]
    return spans


def _classified(message: Message) -> tuple[TypedSpan, ...]:
    meta = message.meta
    role = message.role
    if role is Role.SYSTEM:
        return () if meta.is_compact_summary or meta.is_sidechain else _sent_mid_turn(message)
    if role not in (Role.USER, Role.TOOL) or meta.is_meta or meta.is_compact_summary or meta.is_sidechain:
        return ()
    found: list[TypedSpan] = []
    echo, bare = "", False
    by_client = clients_parts(message.parts)
    for index, part in enumerate(message.parts):
        text = part.text
        if part.kind is PartKind.TOOL_RESULT:
            found += _relayed(index, part)
            continue
        if part.kind is not PartKind.TEXT or role is Role.TOOL or index in by_client:
            continue
        lead = text.lstrip()
        if not bare and lead[:1] == "[" and (known := _TOOL_ECHO.match(lead)):
            echo = known[1]
            bare = lead.rstrip().endswith("] Result:")  # the next block is what it handed over
            found += _relayed(index, part)
            continue
        if bare or (echo and not lead.startswith(("<user_message>", "<task>", "<feedback>"))):
            bare = False
            found += _relayed(index, replace(part, name=echo))
            continue
        for start, end in typed_ranges(text):
            found.append(TypedSpan(index, start, end, text[start:end]))
    return tuple(found)


def _sent_mid_turn(message: Message) -> tuple[TypedSpan, ...]:
    """What a person typed while the agent was at work, where a client hands it over as a system message."""
    return tuple(
        TypedSpan(index, start, end, part.text[start:end])
        for index, part in enumerate(message.parts)
        if part.text.startswith(_SENT)
        for start, end in typed_ranges(part.text)
    )


def _relayed(index: int, part: Part) -> Iterator[TypedSpan]:
    """What a person said through a tool, as far as no client wrote it in."""
    for said in relayed_in(part):
        for low, high in _outside_injected(part.text, said.start, said.end):
            for start, end in _trimmed(part.text, low, high):
                yield TypedSpan(index, start, end, part.text[start:end])


def typed_text(message: Message) -> str:
    """Return what a person typed in a message as one text, spans joined by newlines; "" if nothing."""
    return "\n".join(span.text for span in typed_spans(message))


def has_echo(message: Message) -> bool:
    """Tell whether a client echoes a tool call in a text of this message: not all of it is a person's then."""
    return any(part.kind is PartKind.TEXT and _TOOL_ECHO.match(part.text.lstrip()) for part in message.parts)


def is_typed(message: Message) -> bool:
    """Tell whether a person typed anything in this message."""
    return bool(typed_spans(message))


def typed_ranges(text: str) -> tuple[tuple[int, int], ...]:
    """Return the character ranges of a user text that a person typed: trimmed, never empty, in order."""
    if REFERENCED in text:
        pieces = [(low, _typed_ranges(text[low:high])) for low, high in outside_references(text)]
        return tuple((low + a, low + b) for low, ranges in pieces for a, b in ranges)
    return _typed_ranges(text)


def _typed_ranges(text: str) -> tuple[tuple[int, int], ...]:
    if "<" not in text and text[:1] not in "#[ \n" and not text.startswith(_SENT):
        if text[:1] in "ACTBHWSY" and (text.startswith(_NOT_TYPED_STARTS) or _ends_in_shell(text)):
            return ()
        return _trimmed(text, 0, len(text))
    if COMMAND_SIGN in text and (command := slash_command(text)):
        words = _outside_injected(text, *command.words)
        return (command.name, *(one for low, high in words for one in _trimmed(text, low, high)))
    start, end = _request_bounds(text)
    sent: list[tuple[int, int]] = []
    if _SENT in text:
        if (whole := _mid_turn(text, 0, len(text))) and text.lstrip().startswith(_SENT):
            return _trimmed(text, *whole)
        blocks = [_mid_turn(text, *block) for block in _tags(text, 0, len(text), set())]
        sent = [one for block in blocks if block for one in _trimmed(text, *block)]
    out = [one for low, high in _outside_injected(text, start, end) for one in _trimmed(text, low, high)]
    if out:
        first = text[out[0][0] : out[0][0] + 400]
        if first.startswith(_NOT_TYPED_STARTS) or _ends_in_shell(text):
            return ()
        unknown = _UNKNOWN_WRAPPER.match(first)
        if unknown and f"</{unknown['name']}>" in text[-200:]:
            return ()
    return tuple(sorted(sent + out)) if sent else tuple(out)


def _mid_turn(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where in a block, or a whole text, the words stand that a person typed while the agent was at work, if any do."""
    opening = _MID_TURN.match(text, start, end)
    if opening is None:
        return None
    if text.endswith(_REMINDER_END, start, end):
        end -= len(_REMINDER_END)
    tail = _MID_TURN_TAIL.search(text, opening.end(), end)
    return opening.end(), tail.start() if tail else end


def _ends_in_shell(text: str) -> bool:
    return "bash-$" in text and _SHELL_TAIL.search(text[-1200:]) is not None


def _request_bounds(text: str) -> tuple[int, int]:
    """Where the request stands in a text that a client built around it; the whole text where none did."""
    lead = text.lstrip()
    if lead.startswith("# Context from my IDE setup:"):
        for heading in _REQUEST_HEADINGS:
            at = text.find(heading)
            if at >= 0:
                return at + len(heading), len(text)
        return len(text), len(text)
    if lead.startswith("## User Input"):
        form = _SPECKIT.match(text)
        if form:
            return form.start("typed"), form.end("typed")
    if lead.startswith("New instructions for task continuation:"):
        return text.index(":") + 1, len(text)
    return 0, len(text)


def _outside_injected(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of text[start:end] outside injected blocks and without the tags of typed wrappers."""
    unclosed: set[str] = set()
    at = start
    for low, high in _tags(text, start, end, unclosed):
        if low > at:
            yield at, low
        at = max(at, high)
    if at < end:
        yield at, end


def _tags(text: str, start: int, end: int, unclosed: set[str]) -> Iterator[tuple[int, int]]:
    """Yield what to cut: injected blocks, bare tags of typed wrappers. An unclosed block runs to the end."""
    at = start
    while at < end:
        opening = _ANY_TAG.search(text, at, end)
        if opening is None:
            return
        name = opening["name"]
        if name is None:  # the tag of a typed wrapper
            yield opening.span()
            at = opening.end()
            continue
        close = -1 if name in unclosed else _close_of(text, name, opening.end(), end)
        if close < 0:
            unclosed.add(name)
            if opening.start() == start or text[opening.start() - 1] == "\n":
                yield opening.start(), end
                return
            at = opening.end()  # a tag somebody mentions in a sentence
            continue
        high = close + len(name) + 3
        yield opening.start(), high
        at = high


def _close_of(text: str, name: str, start: int, end: int) -> int:
    """Where a block's closing tag is, -1 without one; our own block goes to the last: what it quotes may hold one."""
    find = text.rfind if name == _OWN_BLOCK else text.find
    return find(f"</{name}>", start, end)


_OWN_BLOCK = "holdfast-context"
_ANY_TAG = re.compile(f"{_INJECTED_OPEN.pattern}|{_UNWRAPPED.pattern}", re.ASCII)


def _trimmed(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """The range without blanks at its ends, or nothing when only blanks or marks of images are left."""
    piece = text[start:end]
    kept = piece.strip()
    if not kept or (kept[0] == "[" and not _IMAGE_MARK.sub("", piece).strip()):
        return ()
    start += len(piece) - len(piece.lstrip())
    return ((start, start + len(kept)),)


def without_wrappers(text: str) -> str:
    """Return a user text without the blocks that clients write into it; what is left is verbatim, trimmed at its ends.

    More than what a person typed may be left (open files that an editor lists, say): it is for quoting a request
    whole, not for trusting it.
    """
    pieces = list(outside_references(text)) if REFERENCED in text else []
    if len(pieces) > 1:
        return "\n".join(filter(None, (without_wrappers(text[low:high]) for low, high in pieces)))
    if text.lstrip().startswith(_SENT) and (whole := _mid_turn(text, 0, len(text))):
        return text[slice(*whole)].strip()
    if COMMAND_SIGN in text and slash_command(text):
        return "\n".join([text[low:high] for low, high in typed_ranges(text)])
    out: list[str] = []
    unclosed: set[str] = set()
    at = 0
    for opening in _INJECTED_OPEN.finditer(text):
        if opening.start() < at or opening["name"] in unclosed:
            continue
        close = _close_of(text, opening["name"], opening.end(), len(text))
        if close < 0:
            unclosed.add(opening["name"])
        else:
            out.append(text[at : opening.start()])
            at = close + len(opening["name"]) + 3
            if sent := _mid_turn(text, opening.start(), at):
                out.append(text[slice(*sent)].strip())
    out.append(text[at:])
    left = "".join(out).strip()
    wrapper = _UNWRAPPED.match(left)
    if wrapper is None:
        return left
    name = wrapper[0][1:-1]
    return left[wrapper.end() :].replace(f"</{name}>", "", 1).strip()
