"""How a call ended, read off its output: exit codes, refusals, errors."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from condense.reading.calls import ToolAction
from condense.reading.outputs.harness_frames import unframed
from condense.reading.outputs.trouble_words import Sheet
from condense.reading.text import without_codes
from memory.conversation import holds

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended, as far as its output says."""

    exit_code: int | None = None
    failed: bool | None = None  # None where nothing tells
    error: str = ""  # the line that names the error, verbatim, at most 400 characters
    running: bool = False  # it had not ended when the output was taken
    refused: bool = False  # by the person
    stopped: bool = False  # while it ran, by the agent
    problems: str = ""  # the first problem that an editor reports after a file was saved
    problems_in: str = ""  # the file it is in, "" where the report names none


UNKNOWN = Outcome()
_ENDS = 3000  # characters looked at from either end for exit codes
_MOST_ERROR, _FEW_LINES = 400, 15
_FOOTER = 4  # lines that a harness may put below an output; chosen
_INTRODUCED = 8  # lines behind the introduction of an error in which the error itself is looked for; chosen
MOST_PRINTED, LONGEST_PRINTED = 3, 200
"""The last errors taken of what a running program has printed, and characters of each; chosen."""
_DIGITS = str.maketrans("", "", "0123456789")
_TRACEBACK = "Traceback (most recent call last)"
_REPORTED = "New problems detected after saving"
_UNREAD = re.compile(r"\s*(?:<(?:tool_use_)?error>|Error: File|File does not|\{\"status\": ?\"error\")")
_EXIT_CODE = re.compile(
    r"(?:^|\. |, |[\[(])(?:Exit code:?|<exit_code>|(?:Command |Process )?exited with(?: exit)?(?: code| status)?:?|"
    r"Status Code:|exit status|exit code:?|(?:error )?Command failed with exit code|returned non-zero exit status|"
    r"npm ERR! Exit status|退出码[:：]?)\s{0,2}(-?\d{1,10})\b",
    re.IGNORECASE | re.MULTILINE,
)
"""An exit code where harnesses write it: at the beginning of a line, behind a full stop or a bracket."""
_LAST_WORDS = re.compile(
    r"^\W{0,4}(?:npm ERR! |error |make\S{0,6} )?(?:(?:Command |Process )?(?:exit|exited|failed)(?: with)?(?: exit)?"
    r"(?: code| status):?|Status Code:|退出码[:：]?)\s{0,2}(-?\d{1,10})\W{0,4}$",
    re.IGNORECASE | re.MULTILINE,
)
_SHELL_ERROR = re.compile(
    r"^(?:/[\w/.-]{0,40}/)?(?P<shell>(?:ba|z|da|k)?sh:(?:(?:\w{1,20}:)?\d{1,5}:| line \d{1,5}:)?|\(eval\):\d{1,5}:)"
    r" .{1,300}|^.{1,120}: (?:command not found|No such file or directory|Permission denied|cannot access.{0,200})\s?$"
    r"|^The term '.{1,200}' is not recognized|is not recognized as an internal|^\S{1,200} : The term",
    re.MULTILINE,
)
"""What a shell says of a command that failed; with the number of the line, where it says that."""
_TOOL_ERROR = re.compile(
    r"\s{0,4}(?:<tool_use_error>|<error>|<error_details>|Error[:\s]|ERROR[:\s]|error:|Failed|failed to|Invalid "
    r"|The tool execution failed|Request failed with status code|MCP error -\d|MCP tool .{1,100} reported tool error"
    r"|String to replace not found|File has not been read|File does not exist|No replacement was performed"
    r"|verification failed|Unable to|Cannot |Could not|Command failed|apply_patch verification failed"
    r"|InputValidationError|Unterminated|\{\"(?:status\":\s?\"error|error\":)|Your proposed edit has introduced"
    r"|patch rejected|Patch failed|Tool .{1,60} not found)"
)
_NOT_STARTED = re.compile(
    r"\s{0,4}(?:execution error: |(?:failed|unable) to (?:spawn|start|execute|run|launch)\b"
    r"|(?:spawn|exec) \S{1,200} E[A-Z]{3,10}\b|sandbox(?:ed)? (?:error|denied)|CreateProcess\w{0,20} failed)",
    re.IGNORECASE,
)
"""What a harness writes where a command could not even be started (Codex, sandboxes, Node, Python, Rust)."""
_FIRST_ERROR = re.compile(
    r"\s{0,4}(?:[\w./-]{1,60}: )?(?:(?:fatal )?error(?:\[\w{1,10}\])?|fatal|panic)\s?:(?!\w{1,30}:)\s{0,3}"
    r"(?![-+.\d]{1,20}\s{0,2}(?:%|\s{0,4}(?:$|[,;]))|(?:none|null|nil|no errors?|ok|false)\W{0,3}$)\S",
    re.IGNORECASE,
)
"""What a program says that ended before it did anything: "error: ..." (and no measured error)."""
_TOLD_ERROR = re.compile(
    r"^(?:error\[[A-Z]{1,4}\d{1,6}\]: .|error: .{1,300}\n\s{0,8}--> .|fatal: [a-z]"
    r"|\S{1,200}:\d{1,6}(?::\d{1,5})?: (?:fatal )?error: .)",
    re.MULTILINE,
)
"""An error with its place or code, as compilers write it, or git's last word."""
_SAID_NO = re.compile(
    r"[^{\[]*\{[^\[]*?(?:\"(?:success|ok|succeeded)\"\s{0,2}:\s{0,2}false|\"is_?error\"\s{0,2}:\s{0,2}true"
    r"|\"status\"\s{0,2}:\s{0,2}\"(?:error|failed|failure)\")",
    re.IGNORECASE,
)
"""A reply in JSON that says it failed, as servers of the Model Context Protocol write it; no entry of a list."""
_NAMED_ERROR = re.compile(
    r"\"(?:error|error_?message|detail|reason)\"\s{0,2}:\s{0,2}\"(?:[^\"\\\n]|\\.){3,600}\"", re.IGNORECASE
)
_PROTOCOL_ERROR = re.compile(r"MCP error -\d{3,6}: [^\"\n\\]{1,300}")
_PROBLEM = re.compile(r"(?:^(?P<file>(?!- \[)\S[^\n]{1,300})\n)?- (?P<problem>\[.{2,40}\] .{1,600})", re.MULTILINE)
_REFUSED = re.compile(
    r"doesn't want to (?:proceed|take this action)|The user (?:rejected|denied|declined|cancelled)"
    r"|User (?:rejected|denied)|tool use was rejected|rejected by (?:the )?user|User decision: \*\*rejected"
    r"|\[Request interrupted by user|用户拒绝",
    re.IGNORECASE,
)
_REFUSING = ("user", "want to", "rejected", "用户拒绝")
"""What stands in any of them."""
_REFUSED_FIRST = re.compile(
    r"\s{0,9}(?:\[\w{3,40}(?: for '.{0,2000}?')?\] Result:\s{0,9})?The user (?:denied this|doesn't want to)",
    re.DOTALL,
)
"""The same where a long output begins with it, behind the echo of the call; files may follow."""
_RUNNING = re.compile(
    r"Process running with session ID (\d+)|Command is still running|^Monitor started \(task (\w{1,40})"
    r"|running in (?:the )?background(?: with ID: (\w{1,40}))?"
)
_ANSWERED = re.compile(r' with response: \[\{"functionResponse".{0,300}?"text":"((?:[^"\\]|\\.){1,4000})"')
"""How Gemini CLI tells what a tool of an MCP server answered, behind all that the call held."""
_NOTICE = re.compile(
    r"<task-notification>\s{0,9}<task-id>([\w-]{1,80})</task-id>(?:(?!<task-id>).){0,2000}?<status>(\w{1,20})</status>",
    re.DOTALL,
)
"""What Claude Code says when a task in the background has ended."""
_GREETING = re.compile(
    r"^(?:\S{0,200}/)?(?:\.(?:profile|bashrc|bash_profile|bash_login|zshrc|zshenv|zprofile|kshrc)|etc/profile)"
    r": ?(?:line )?\d{1,6}: .{0,300}\n?",
    re.MULTILINE,
)
"""What a shell complains of in its own start-up files: it stands before every output and says nothing of it."""
_OPENING = re.compile(r"^\s*(?:(?:throw|return|raise|await)\b|</?\w{1,40}>\s*$)|[:：;{(]\s*$")
"""A line that only introduces what went wrong ("parse error:", "<error>"), or the line of code where it did."""
_RAISED = re.compile(r"(?:\w{1,80}\.){0,9}\w{1,80}(?::|\s{0,9}$)|[A-Z]\w{2,80}(?:Error|Exception)\b")
"""A line that names an exception, as a traceback ends; what the program printed may stand before it."""
_OF_ANOTHER = re.compile(
    r"subprocess-exited-with-error|metadata-generation-failed|build-wheel|originates from a subprocess"
    r"|^npm (?:ERR!|error) (?:code|errno|Lifecycle|A complete log|path|command)|^g?make(?:\[\d\])?: \*\*\*"
)
"""What pip, npm and make say of an error that another program told before or tells behind it."""
_CATEGORY = re.compile(r"\s*\+ (?:CategoryInfo|FullyQualifiedErrorId)")
_POINTING = re.compile(r"\s*(?:\+.*|(?:\w{1,10} )?\w{1,12}:\d{1,6} \w{1,12}:\d{1,6}\s*)?$")
"""PowerShell's category of an error, and where it points to in the command: "At line:1 char:4", "+    ~~"."""
_CAUSE = re.compile(r" : \w+ \S")
_SAYS = re.compile(
    r"(?:(?:^|[\s\"'(])[^\W\d_]{2,40}[,:;.'\")]{0,3}(?=\s|$).{0,200}?){3}|[\u3040-\u30ff\u3400-\u9fff]{3}"
)
"""A line with three plain words: no path, no figures, no rule."""


def running_session(text: str) -> str | None:
    """Return the id of the session that an output says is still running."""
    m = _RUNNING.search(text[:_ENDS])
    return m[m.lastindex] if m and m.lastindex else None


def ended_tasks(text: str) -> list[tuple[str, Outcome]]:
    """The ids of tasks in the background that a client says have ended, and how."""
    told = _NOTICE.findall(text) if "<task-notification>" in text else []
    return [(task, Outcome(failed={"completed": False, "failed": True}.get(how))) for task, how in told]


def read_outcome(
    text: str,
    *,
    is_error: bool,
    action: ToolAction,
    exit_code: int | None = None,
    looks: bool = False,
    piped: bool = False,
) -> Outcome:
    """Return how a call of an action ended, by its output, what the form flags, and the exit code of an envelope.

    Of a command that only `looks`, errors that it shows are not its own; where it is `piped`, 0 is that of the last.
    """
    runs = action is ToolAction.RUN
    text = without_codes(text)
    if text.startswith("MCP tool '") and (said := _ANSWERED.search(text, max(0, len(text) - 2 * _ENDS))):
        text, is_error = said[1].replace('\\"', '"'), True
    text = _GREETING.sub("", text[:_ENDS]) + text[_ENDS:]
    ends = text if len(text) <= 2 * _ENDS else f"{text[:_ENDS]}\n{text[-_ENDS:]}"
    if exit_code is None:
        if not text.strip():
            return Outcome(failed=is_error) if is_error or not runs else UNKNOWN
        if len(text) < _ENDS:
            refused = holds(text.lower(), _REFUSING) and _REFUSED.search(text)
        else:
            refused = _REFUSED_FIRST.match(text[:_ENDS])
        if refused:
            return Outcome(failed=True, refused=True)
        exit_code = _code(ends) if runs or is_error else None
    exit_code = None if piped and exit_code == 0 else exit_code
    if exit_code is None and _RUNNING.search(ends):
        return Outcome(running=True)
    if exit_code is not None or is_error:
        if looks and exit_code == 1 and not unframed(text.splitlines()):
            return Outcome(1)  # a search without a match, or an answer of no
        failed = bool(exit_code) or is_error
        error = error_line(text, guess=not looks) if failed else ""
        if failed and not error:
            told = _first_line(text) if exit_code is None else ""
            error = _shell_error(ends, looks=True) if looks else told
        return Outcome(exit_code, failed, error)
    if runs:
        return _ran(text, ends, looks=looks)
    if action is ToolAction.READ and not _UNREAD.match(text):
        return Outcome(failed=False)
    if found := _PROTOCOL_ERROR.search(ends):
        return Outcome(failed=True, error=found[0])
    return _replied(text[:_ENDS], action)


def _ran(text: str, ends: str, *, looks: bool) -> Outcome:
    """How a command without an exit code ended."""
    first = _first_line(text)
    if _NOT_STARTED.match(text):
        return Outcome(failed=True, error=first)
    if told := _shell_error(ends, looks=looks):
        return Outcome(failed=True, error=told)
    if looks:
        return UNKNOWN
    if _FIRST_ERROR.match(first):
        return Outcome(failed=True, error=first)
    failed = _ends_in_traceback(ends) or _TOLD_ERROR.search(ends)
    return Outcome(failed=True, error=error_line(text)) if failed else UNKNOWN


def _shell_error(ends: str, *, looks: bool) -> str:
    """What a shell itself says went wrong, or ""; of a look, only with a line's number, above or below all else."""
    shown = unframed(ends.splitlines()) if looks else []
    for found in _SHELL_ERROR.finditer(ends):
        line = found[0].strip()
        said = found["shell"]
        if not looks or not said or (said[-2].isdigit() and line in shown[:1] + shown[-1:]):
            return line[:_MOST_ERROR]
    return ""


def _ends_in_traceback(ends: str) -> bool:
    """Whether the last traceback of an output is where the program ended: little stands below its exception."""
    at = ends.rfind(_TRACEBACK)
    below = ends[at:].split("\n")[1:] if at >= 0 else []
    told = next((i for i, line in enumerate(below) if line.strip() and not line[0].isspace()), None)
    return told is not None and sum(1 for line in below[told + 1 :] if line.strip()) <= _FOOTER


def _replied(text: str, action: ToolAction) -> Outcome:
    """What a tool that is no command says of itself."""
    body = re.sub(r"^\[[^\]\n]{1,300}\] Result:\s{0,3}", "", text)
    if _TOOL_ERROR.match(body):
        told = body.lstrip().removeprefix("<error_details>")
        own = error_line(body) if len(told) == len(body.lstrip()) else ""
        return Outcome(failed=True, error=own or _first_line(told))
    if action is ToolAction.OTHER:
        if not _SAID_NO.match(body):
            return Outcome(failed=False)
        named = _NAMED_ERROR.search(text)
        return Outcome(failed=True, error=named[0][:_MOST_ERROR] if named else error_line(text))
    at = text.find(_REPORTED)
    found = _PROBLEM.search(text, at) if at >= 0 else None
    if found is None:
        return Outcome(failed=False)
    file, problem = (found["file"] or "").strip(), found["problem"].strip()[:_MOST_ERROR]
    return Outcome(failed=False, problems=problem, problems_in=file)


def _code(ends: str) -> int | None:
    head = _EXIT_CODE.search(ends[:600])
    found = [head] if head else list(_LAST_WORDS.finditer(ends[-600:]))
    return int(found[-1][1]) if found else None


def error_line(text: str, *, guess: bool = True) -> str:
    """Return the line of an output that names the error, verbatim (at most 400 characters); "" where none does.

    The exception of the last Python traceback, else the first strong error line, else the first mention of trouble, or
    what it introduces; else (with `guess`) the last line of a short output that no harness wrote, if it says something.
    """
    if len(text) > 4 * _ENDS:
        text = f"{text[: 2 * _ENDS]}\n{text[-2 * _ENDS :]}"
    sheet = Sheet(text)
    lines = sheet.lines
    trace = max((i for i, line in enumerate(lines) if _TRACEBACK in line), default=len(lines))
    for at, line in enumerate(lines[trace + 1 :], trace + 1):
        if _RAISED.match(line):
            return _ends(_led(lines, at))
    strong = [i for i, w in sheet.trouble.items() if w >= 1.0 and not _EXIT_CODE.search(lines[i][:200])]
    strong = [i for i in strong if not _OF_ANOTHER.search(lines[i][:200])] or strong
    mentioned = [i for i, w in sheet.trouble.items() if w >= 0.6]  # noqa: PLR2004  # a mention of an error
    if strong or mentioned:
        first = min(strong or mentioned)
        near = sorted(i for i in {*strong, *mentioned} if first <= i <= first + _INTRODUCED)
        told = next((i for i in near if not _OPENING.search(lines[i])), first)
        if _CATEGORY.match(lines[first]):
            told = _above_category(lines, first)
        return _ends(_led(lines, told))
    full = unframed(lines) if guess else []
    return _ends(full[-1]) if full and len(full) <= _FEW_LINES and _SAYS.search(full[-1]) else ""


def _led(lines: Sequence[str], at: int) -> str:
    """A line, and what it leads to where it ends in a colon."""
    line, behind = lines[at].strip(), "".join(lines[at + 1 : at + 2]).strip()
    return f"{line} {behind}".strip() if line.endswith(":") else line


def _ends(line: str) -> str:
    """A line, of a very long one both ends: tools quote the call first, and the cause stands behind it."""
    if len(line) <= _MOST_ERROR:
        return line
    head = _MOST_ERROR // 3
    return f"{line[:head].rstrip()} … {line[head + 3 - _MOST_ERROR :].lstrip()}"


def _above_category(lines: Sequence[str], at: int) -> int:
    """Index of what PowerShell says above the category of an error, which a console breaks into its width."""
    last = next((i for i in range(at - 1, -1, -1) if not _POINTING.match(lines[i])), at)
    wrapped = range(last, max(-1, last - _INTRODUCED), -1)
    named = next((i for i in wrapped if " : " in lines[i]), last)
    told = (i for i in range(named, last + 1) if _CAUSE.search(lines[i] if i == named else f" : {lines[i]}"))
    return next(told, last)


def printed_errors(text: str) -> tuple[str, ...]:
    """Return the strong error lines of what a program that runs on has printed, those that differ, verbatim; linear."""
    sheet = Sheet(without_codes(text))
    found: dict[str, str] = {}
    for i in (i for i, weight in sheet.trouble.items() if weight >= 1.0):
        line = sheet.lines[i].strip()
        found.pop(line.translate(_DIGITS), None)
        found[line.translate(_DIGITS)] = line[:LONGEST_PRINTED]
    return tuple(found.values())[-MOST_PRINTED:]


def _first_line(text: str) -> str:
    return next((_ends(line.strip()) for line in text.split("\n") if line.strip()), "")
