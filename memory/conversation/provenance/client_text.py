"""What clients write into texts of the user role, around what a person typed, and the files that they attach.

Files ("@notes.md") come in the forms of Cline, Roo and their like (`<file_content path="...">`), of Gemini CLI and of
Claude Code (reminders "Called the Read tool ..."); all else as in transcripts of these, of Codex and of SWE-agent.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

import orjson

from memory.conversation.lazy_patterns import holds
from memory.conversation.messages import PartKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memory.conversation.messages import Part

_BLOCK = re.compile(
    r"<(?:(?P<name>system[-_]reminder|environment_details|environment_context|user_instructions|user_action"
    r"|user-prompt-submit-hook|command-[a-z]{1,20}|local-command-[a-z]{1,20}|ide_[a-z_]{1,30}"
    r"|bash-(?:stdout|stderr|input)|turn_aborted|task-notification|file_content|folder_content|git_commit|git_diff"
    r"|url_content|terminal_output|holdfast-context|workspace_diagnostics|INSTRUCTIONS|permissions instructions"
    r"|collaboration_mode|skill|subagent_notification|additional_context|new-diagnostics|function_results"
    r"|tool_results?)(?:\s[^<>]{0,300})?|(?P<typed>/?(?:task|user_message|user_query|feedback)))>",
    re.ASCII,
)
"""Blocks that clients write, cut out with all they hold, and wrappers of what is `typed`, whose tags alone go."""
_OWN_BLOCK, _OWN_COMMAND = "holdfast-context", "/holdfast:"
LOST_CALL = "[result of a call that is no longer in the history]"
"""What a mended history begins the result of a missing call with: as a text, in the user role."""
_NOT_TYPED = re.compile(
    r"Caveat: The messages below|This session is being continued|Contents of /|<uploaded_files>"
    r"|Another language model started to solve this problem|Base directory for this skill|# (?:AGENTS|CLAUDE)\.md"
    r"|\[TASK RESUMPTION\]|Here is a demonstration of how to correctly accomplish this task|Stop hook feedback"
    r"|We're currently solving the following issue within our repository|The user denied this operation"
    r"|This continues an earlier session\. Its condensed record|这是先前会话的继续。以下是其压缩记录"
    r"|Codebase and user instructions are shown below|\[ERROR\] You did not use a tool|Your task is incomplete|"
    + re.escape(LOST_CALL)
)
"""Beginnings of texts that a client wrote, whole: summaries, skills, instance prompts."""
_SHELL_TAIL = re.compile(r"\(Open file: [^\n]{0,500}\)\n\(Current directory: [^\n]{0,500}\)\nbash-\$\s*\Z")
"""SWE-agent ends every observation with the state of its shell."""
_UNKNOWN_WRAPPER = re.compile(
    r"<(?P<name>[a-z][a-z0-9]{1,30}(?:[-_][a-z0-9]{1,30}){1,4})(?:\s[^<>]{0,300})?>", re.ASCII
)
"""A leading tag with a hyphen or underscore in its name is some client's wrapper, not typed by people."""
PROVIDED = "The user provided the following feedback:"  # what Cline and Roo write before what a person typed
SENT = "The user sent "
_MID_TURN = re.compile(
    rf"(?:<system-reminder>)?\s{{0,9}}{SENT}(?:a new message while you were working|the following message):\s{{0,9}}"
)
"""How Claude Code and OpenCode hand over what a person typed while the agent was at work."""
_MID_TURN_TAIL = re.compile(
    r"(?:(?:This is how Claude Code surfaces|IMPORTANT: After completing your current task|Please address this message)"
    r"[^<]{0,600})?(?:</system-reminder>)?\Z"
)
"""What they write below it."""
_REQUEST = re.compile(r"## My request(?: for (?:Codex|Claude))?:")
_SPECKIT = re.compile(r"\s{0,10}## User Input\s{1,10}```text\n(?P<typed>.{0,20000}?)\n```", re.DOTALL)
_STOPPED = re.compile(r"\s{0,9}\[Request interrupted by user[^\]\n]{0,40}\]")  # what follows it may be typed
_IMAGE_MARK = re.compile(r"\[(?:image|Image #?\d{0,4}|Pasted text #\d{1,4}(?: \+\d{1,6} lines)?)\]")
_COMMAND = re.compile(
    r"\s{0,9}(?:<command-message>[^<>]{0,300}</command-message>\s{0,20})?<command-name>\s{0,9}(?P<name>/[^\s<>]{1,120}"
    r"(?: \(MCP\))?)\s{0,9}</command-name>\s{0,20}(?:<command-message>[^<>]{0,300}</command-message>\s{0,20})?"
    r"(?:<command-args>(?P<words>.*)</command-args>)?\s{0,20}\Z",
    re.DOTALL,
)
"""A whole text; without a slash it is a skill that the agent itself called."""
_CLIENT_COMMANDS = frozenset(
    """
    add-dir advisor agents autocompact bashes branch bug cd chrome clear color compact config context copy cost daemon
    design-login desktop diff doctor effort exit export extra-usage fast feedback focus heapdump help hooks ide install
    install-github-app install-slack-app keybindings login logout mcp memory mobile model output-style passes
    pause-memory permissions plugin plugins powerup privacy-settings quit radio rate-limit-options release-notes
    reload-plugins reload-skills remote-control remote-env rename resume rewind sandbox scroll-speed session settings
    setup-bedrock setup-vertex skills stats status stickers stop tasks teleport terminal-setup theme todos tui update
    upgrade usage usage-credits version vim voice web-setup
    """.split()
)
"""Slash commands that speak to the client, not to the agent (those of Claude Code 2.1.197, and of some before it)."""


_PLAIN_COMMAND = re.compile(r"\s{0,9}/([a-z][a-z-]{1,40})(?=\s|\Z)")


def slash_command(text: str) -> re.Match[str] | None:
    """Return the command ("name", with the slash, "words" behind it) that a person typed, as a client wraps it.

    None for other texts, and for commands to the client itself.
    """
    found = _COMMAND.match(text) if "</command-name>" in text else None
    return None if found is None or found["name"][1:] in _CLIENT_COMMANDS else found


def typed_ranges(text: str, *, quoting: bool = False) -> list[tuple[int, int]]:
    """Return the character ranges of a user text that a person typed: trimmed, never empty, in order; linear.

    `quoting` only leaves out the blocks; what is left may be more than a person typed: to quote a request, not to
    trust it.
    """
    plain = _PLAIN_COMMAND.match(text)
    if text.lstrip().startswith(_OWN_COMMAND) or (plain and plain[1] in _CLIENT_COMMANDS):
        return []
    if command := slash_command(text):
        words = outside_blocks(text, *command.span("words")) if command["words"] else ()
        return [] if command["name"].startswith(_OWN_COMMAND) else [command.span("name"), *words]
    if (sent := _mid_turn(text, 0, len(text))) and text.lstrip().startswith(SENT):
        return _trimmed(text, *sent)
    found = outside_blocks(text, *((0, len(text)) if quoting else request_bounds(text)))
    if found and not quoting:
        first = text[found[0][0] : found[0][0] + 400]
        unknown = _UNKNOWN_WRAPPER.match(first)
        if (
            _NOT_TYPED.match(first)
            or ("bash-$" in text and _SHELL_TAIL.search(text[-1200:]))
            or (unknown and f"</{unknown['name']}>" in text[-200:])
        ):
            return []
    if SENT in text:
        blocks = (_mid_turn(text, *block) for block in _blocks(text, 0, len(text)))
        found += (one for block in blocks if block for one in _trimmed(text, *block))
    return sorted(found)


def outside_blocks(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the trimmed ranges of text[start:end] outside what clients write, and without the tags of wrappers."""
    found: list[tuple[int, int]] = []
    stopped = _STOPPED.match(text, start, end)
    at = stopped.end() if stopped else start
    for low, high in (*_blocks(text, start, end), (end, end)):
        found += _trimmed(text, at, low)
        at = max(at, high)
    return found


def _blocks(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what to cut: blocks, tags of typed wrappers. An unclosed block at the head of a line runs to the end."""
    unclosed: set[str] = set()
    wrappers: set[str] = set()
    at = start
    while opening := _BLOCK.search(text, at, end):
        at = opening.end()
        leads = opening.start() == start or text[opening.start() - 1] in "\n>"
        if tag := opening["typed"]:
            if tag[1:] in wrappers or (leads and tag[0] != "/"):
                wrappers.add(tag)
                yield opening.span()
            continue
        name = opening["name"]
        find = text.rfind if name == _OWN_BLOCK else text.find  # what ours quotes may hold its own end
        close = -1 if name in unclosed else find(f"</{name}>", at, end)
        if close >= 0:
            at = close + len(name) + 3
            yield opening.start(), at
        elif leads:
            yield opening.start(), end
            return
        else:
            unclosed.add(name)  # a tag somebody mentions in a sentence


def _trimmed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    piece = text[start:end]
    kept = piece.strip()
    if kept in ("", PROVIDED) or (kept[0] == "[" and not _IMAGE_MARK.sub("", piece).strip()):
        return []
    start += len(piece) - len(piece.lstrip())
    return [(start, start + len(kept))]


def _mid_turn(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where in a block, or a whole text, the words stand that a person typed while the agent was at work, if any do."""
    if opening := _MID_TURN.match(text, start, end):
        tail = _MID_TURN_TAIL.search(text, opening.end(), end)
        return opening.end(), tail.start() if tail else end
    return None


def request_bounds(text: str) -> tuple[int, int]:
    """Return where a request stands in a text whose beginning an editor or a template may have written."""
    lead = text[:200].lstrip()
    if lead.startswith("# Context from my IDE setup:"):
        heading = _REQUEST.search(text)
        return heading.end() if heading else len(text), len(text)
    if form := _SPECKIT.match(text):
        return form.span("typed")
    if lead.startswith("New instructions for task continuation:"):
        return text.index(":") + 1, len(text)
    return 0, len(text)


class AttachedFile(NamedTuple):
    """One file in a message, `path` as the client names it, `text` what it says.

    `part` is the index of the part that holds it, `start` and `end` the span of what the client wrote there.
    """

    path: str
    part: int
    start: int
    end: int
    text: str


_REFERENCED, _TAG, _CALL = ("--- Content from referenced files ---", "<file_content", "Called the Read tool with")
_TAG_END, _REMINDER_END = "</file_content>", "</system-reminder>"
_BEGINS = re.compile(rf"^{_REFERENCED}[^\S\n]*$", re.MULTILINE)
_ENDS = re.compile(r"^--- End of content ---[^\S\n]*$", re.MULTILINE)
_OF_FILE = re.compile(r"^Content from @?([^\n]{1,500}):[^\S\n]*(?:\n|\Z)", re.MULTILINE)
_WRAPPERS = "<system-reminder <file_content <task> <user_message> <environment_details <feedback>".split()
"""What other clients write: behind it Gemini CLI's marker is a part of what they say."""
_TAGGED = re.compile(r"<file_content\s{1,5}path=[\"']([^\"'\n]{1,500})[\"'][^<>\n]{0,200}>\n?")
_CALLED = re.compile(
    r"(?:<system-reminder>\s{0,9})?Called the Read tool with the following input: (\{[^\n]{1,2000}\})\s{0,9}"
    r"(?:</system-reminder>\s{0,9})?(?:<system-reminder>\s{0,9})?Result of calling the Read tool:\s{0,9}"
)


def read_attachments(parts: Sequence[Part]) -> tuple[tuple[AttachedFile, ...], Mapping[int, tuple[int, int]]]:
    """Return the files attached to a message, in order, and the spans of its parts that Gemini CLI wrote."""
    texts = {k: part.text for k, part in enumerate(parts) if part.kind is PartKind.TEXT}
    if not any(holds(text, (_REFERENCED, _TAG, _CALL)) for text in texts.values()):
        return (), {}
    numbers, whole = list(texts), "\n".join(texts.values())
    starts = list(accumulate((len(text) + 1 for text in texts.values()), initial=0))
    block = _gemini_block(whole, starts)
    files: list[AttachedFile] = []
    for path, low, at, high in _referenced(whole, *block) if block else sorted(_in_tags(whole), key=itemgetter(1)):
        content = at + len(whole[at:high]) - len(whole[at:high].lstrip("\n"))
        k = bisect_right(starts, content) - 1
        end = min(high, starts[k + 1] - 1)
        if text := _unwritten(whole[content:end].rstrip("\n")):
            files.append(AttachedFile(path, numbers[k], max(0, low - starts[k]), end - starts[k], text))
    first, last = (block[0], block[2]) if block else (0, 0)
    spans = {
        k: (max(0, first - at), min(len(texts[k]), last - at))
        for k, at in zip(numbers, starts, strict=False)
        if at < last and first <= at + len(texts[k])
    }
    return tuple(files), spans


def _gemini_block(text: str, starts: Sequence[int]) -> tuple[int, int, int] | None:
    """Where Gemini CLI's block begins (a line of its own), where what the files hold ends, and where the block does."""
    found = _BEGINS.search(text)
    if found is None or holds(text[starts[bisect_right(starts, found.start()) - 1] : found.start()], _WRAPPERS):
        return None
    rest = text[found.end() : found.end() + 600].lstrip()
    if rest and not _OF_FILE.match(rest):
        return None
    end, behind = [(len(text), len(text)), *(m.span() for m in _ENDS.finditer(text, found.end()))][-1]
    return found.start(), end, behind


def _referenced(text: str, start: int, end: int, _: int) -> Iterator[tuple[str, int, int, int]]:
    """Path of each file in a block of Gemini CLI's, where its frame begins, where its text does, and where it ends."""
    heads = list(_OF_FILE.finditer(text, start, end))
    for head, high in zip(heads, [*(head.start() for head in heads[1:]), end], strict=False):
        yield head[1], head.start(), head.end(), high


def _in_tags(text: str) -> Iterator[tuple[str, int, int, int]]:
    """The same of files in tags, and of those in reminders, whose text ends with its own or before the next call."""
    at = 0
    while (opened := _TAGGED.search(text, at)) and (close := text.find(_TAG_END, opened.end())) >= 0:
        at = close + len(_TAG_END)
        yield opened[1], opened.start(), opened.end(), at
    at = 0
    while called := _CALLED.search(text, at):
        ends = (text.find(mark, called.end()) for mark in (_REMINDER_END, _CALL))
        at = min((end for end in ends if end >= 0), default=len(text))
        try:
            given = orjson.loads(called[1])
        except ValueError:
            continue
        paths = (given.get(key) for key in ("file_path", "filePath", "path")) if isinstance(given, dict) else ()
        if path := next((path for path in paths if isinstance(path, str)), ""):
            yield path, called.start(), called.end(), at


def _unwritten(held: str) -> str:
    """What a file says: as it stands, without the closing tag, or as a string of JSON says it."""
    held = held.removesuffix(_TAG_END).rstrip("\n")
    try:
        read = orjson.loads(held) if held.startswith('"') else held
    except ValueError:
        read = held
    return read if isinstance(read, str) else held
