"""What outputs say of how a call ended: the patterns of `condense.reading.outputs.outcomes`."""

from __future__ import annotations

import re

EXIT_CODE = re.compile(
    r"(?:^|\. |, |[\[(])(?:Exit code:?|(?:Command |Process )?exited with(?: exit)?(?: code| status)?:?|"
    r"Status Code:|exit status|exit code:?|(?:error )?Command failed with exit code|returned non-zero exit status|"
    r"npm ERR! Exit status|退出码[:：]?)\s{0,2}(-?\d{1,10})\b",
    re.IGNORECASE | re.MULTILINE,
)
"""An exit code where harnesses write it: at the beginning of a line, behind a full stop or a bracket."""
LAST_WORDS = re.compile(
    r"^\W{0,4}(?:npm ERR! |error |make\S{0,6} )?(?:(?:Command |Process )?(?:exit|exited|failed)(?: with)?(?: exit)?"
    r"(?: code| status):?|Status Code:|退出码[:：]?)\s{0,2}(-?\d{1,10})\W{0,4}$",
    re.IGNORECASE | re.MULTILINE,
)
"""The same at the end of an output, as a line of its own."""
SHELL_ERROR = re.compile(
    r"^(?:/[\w/.-]{0,40}/)?(?:(?:ba|z|da|k)?sh:(?:(?:\w{1,20}:)?\d{1,5}:| line \d{1,5}:)?"
    r"|\(eval\):\d{1,5}:) .{1,300}|^.{1,120}: (?:command not found|No such file or directory|"
    r"Permission denied|cannot access.{0,200})\s?$|^The term '.{1,200}' is not recognized"
    r"|is not recognized as an internal|"
    r"^\S{1,200} : The term",
    re.MULTILINE,
)
"""What a shell says of a command that failed."""
SHELL_LINE = re.compile(
    r"(?:/[\w/.-]{0,40}/)?(?:(?:ba|z|da|k)?sh:((?:\w{1,20}:)?\d{1,5}:| line \d{1,5}:)?|\(eval\):(\d{1,5}):) "
)
"""How a shell begins to say what went wrong; the number of the line, if there is one, is the first group."""
TOOL_ERROR = re.compile(
    r"\s{0,4}(?:<tool_use_error>|<error>|<error_details>|Error[:\s]|ERROR[:\s]|error:|Failed|failed to"
    r"|The tool execution failed|Request failed with status code|MCP error -\d"
    r"|MCP tool .{1,100} reported tool error|String to replace not found|"
    r"File has not been read|File does not exist|No replacement was performed|Invalid |verification failed|"
    r"Unable to|Cannot |Could not|Command failed|apply_patch verification failed|InputValidationError"
    r"|Unterminated|"
    r"\{\"(?:status\":\s?\"error|error\":)|Your proposed edit has introduced|patch rejected|Patch failed"
    r"|Tool .{1,60} not found)",
)
"""How the reply of a tool begins that is no command and failed."""
NOT_STARTED = re.compile(
    r"\s{0,4}(?:execution error: |(?:failed|unable) to (?:spawn|start|execute|run|launch)\b"
    r"|(?:spawn|exec) \S{1,200} E[A-Z]{3,10}\b|sandbox(?:ed)? (?:error|denied)|CreateProcess\w{0,20} failed)",
    re.IGNORECASE,
)
"""What a harness writes where a command could not even be started (Codex, sandboxes, Node, Python, Rust)."""
FIRST_ERROR = re.compile(
    r"\s{0,4}(?:[\w./-]{1,60}: )?(?:(?:fatal )?error(?:\[\w{1,10}\])?|fatal|panic)\s?:(?!\w{1,30}:)\s{0,3}"
    r"(?![-+.\d]{1,20}\s{0,2}(?:%|\s{0,4}(?:$|[,;]))|(?:none|null|nil|no errors?|ok|false)\W{0,3}$)\S",
    re.IGNORECASE,
)
"""What a program says that ended before it did anything: "error: ..." (and no measured error)."""
TOLD_ERROR = re.compile(
    r"^(?:error\[[A-Z]{1,4}\d{1,6}\]: .|error: .{1,300}\n\s{0,8}--> .|fatal: [a-z]"
    r"|\S{1,200}:\d{1,6}(?::\d{1,5})?: (?:fatal )?error: .)",
    re.MULTILINE,
)
"""An error with its place or code, as compilers write it, or git's last word."""
SAID_NO = re.compile(
    r"[^{\[]*\{[^\[]*?(?:\"(?:success|ok|succeeded)\"\s{0,2}:\s{0,2}false|\"is_?error\"\s{0,2}:\s{0,2}true"
    r"|\"status\"\s{0,2}:\s{0,2}\"(?:error|failed|failure)\")",
    re.IGNORECASE,
)
"""A reply in JSON that says it failed, as servers of the Model Context Protocol write it; no entry of a list."""
PROTOCOL_ERROR = re.compile(r"MCP error -\d{3,6}: [^\"\n\\]{1,300}")
NAMED_ERROR = re.compile(
    r"\"(?:error|error_?message|detail|reason)\"\s{0,2}:\s{0,2}\"(?:[^\"\\\n]|\\.){3,600}\"",
    re.IGNORECASE,
)
"""What such a reply says of its error."""
"""An error of the Model Context Protocol, however it is wrapped."""
PROBLEM = re.compile(
    r"(?:^(?P<file>(?!- \[)\S[^\n]{1,300})\n)?- (?P<problem>\[.{2,40}\] .{1,600})", re.MULTILINE
)
"""What an editor complains of in a file it has saved."""
REFUSED = re.compile(
    r"doesn't want to (?:proceed|take this action)|The user (?:rejected|denied|declined|cancelled)"
    r"|User (?:rejected|denied)|"
    r"tool use was rejected|rejected by (?:the )?user|User decision: \*\*rejected"
    r"|\[Request interrupted by user|用户拒绝",
    re.IGNORECASE,
)
"""A call that the person refused, anywhere in a short output."""
REFUSED_FIRST = re.compile(
    r"\s{0,9}(?:\[\w{3,40}(?: for '.{0,2000}?')?\] Result:\s{0,9})?The user (?:denied this|doesn't want to)",
    re.DOTALL,
)
"""The same where an output begins with it, behind the echo of the call."""
RUNNING = re.compile(
    r"Process running with session ID (\d+)|Command is still running|running in (?:the )?background"
)
"""A command that goes on."""
GREETING = re.compile(
    r"^(?:\S{0,200}/)?(?:\.(?:profile|bashrc|bash_profile|bash_login|zshrc|zshenv|zprofile|kshrc)|etc/profile)"
    r": ?(?:line )?\d{1,6}: .{0,300}\n?",
    re.MULTILINE,
)
"""What a shell complains of in its own start-up files: it stands before every output and says nothing of it."""
OPENING = re.compile(r"^\s*(?:(?:throw|return|raise|await)\b|</?\w{1,40}>\s*$)|[:：;{(]\s*$")
"""A line that only introduces what went wrong ("parse error:", "<error>"), or the line of code where it did."""
POINTING = re.compile(r"\s*\+|(?:\w{1,10} )?\w{1,12}:\d{1,6} \w{1,12}:\d{1,6}\s*$")
"""Where PowerShell points to in the command: "At line:1 char:4", "+ cd a", "+    ~~"."""
