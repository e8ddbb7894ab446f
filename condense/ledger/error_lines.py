"""Errors as ledger lines: each in its own words, where it came from, and what came of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.ledger.state_lines import LONGEST_COMMAND, WORDS, command_text, one_line
from condense.reading import ToolAction

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from condense.reading import Artifacts, ErrorTrail

LONGEST_ERROR = 300
"""Characters of an error's line; chosen."""
MOST_CHANGED = 3
"""Changed files that are named as what may have resolved an error, the last ones; chosen."""
_NUMBERS = re.compile(r"\b[0-9a-f]{8,64}\b|\d+")
"""Numbers, and the ids of operations and commits."""
_MISSING = re.compile(
    r"No such file or directory|does not exist|\bENOENT\b|Cannot find path|File not found", re.IGNORECASE
)
_PATHS = re.compile(r"[\w@~.-]*[./][\w@~./-]*")
"""What looks like a path or the name of a file."""
_LOOKS = (ToolAction.READ, ToolAction.LIST, ToolAction.SEARCH)

OUTCOMES = {
    "en": {
        "resolved": "resolved: the same succeeded later",
        "repeated": "resolved: repeating it succeeded",
        "otherwise": "resolved: {command} succeeded later",
        "changed": "resolved: the same succeeded after changes to {files}",
        "edited": "resolved: a later edit of the file succeeded",
        "reread": "resolved: after re-reading the file a later edit of it succeeded",
        "again": "not resolved: failed again when last run",
        "gave_way": "gone: when the same was run again it failed in another way",
        "open": "not seen resolved",
        "left": "not seen again while later requests were worked on",
        "missing": "does not exist, as far as was looked",
        "made": "was not there then; it was created later",
        "more": "and {count} more like it",
    },
    "zh": {
        "resolved": "已解决：后来同样的操作成功了",
        "repeated": "已解决：重做一次后成功",
        "otherwise": "已解决：后来 {command} 成功了",
        "changed": "已解决：改动 {files} 之后，同样的操作成功了",
        "edited": "已解决：后来对该文件的编辑成功了",
        "reread": "已解决：重新读取该文件后，再次编辑成功",
        "again": "未解决：最后一次运行仍然失败",
        "gave_way": "已不再出现：再次运行时以另一种方式失败",
        "open": "未见解决",
        "left": "处理后来的请求时未再出现",
        "missing": "经查看不存在",
        "made": "当时不存在，后来已创建",
        "more": "及另外 {count} 处同类",
    },
}


def error_lines(
    artifacts: Artifacts, language: str, places: Mapping[str, int], *, finished: int = -1
) -> tuple[str, ...]:
    """One line a kind of error, newest last: its own words, where it came from, whether and after what it went away.

    Errors that differ in numbers or ids only and ended alike are of one kind; the newest stands for them.

    Args:
        artifacts: of the whole history.
        language: of our own words, "en" or "zh".
        places: index of each message, by digest.
        finished: index of the newest request that was worked on to its end.
    """
    looks = {c.command.split("\n", 1)[0] for c in artifacts.commands if c.looks_only}
    made = _made(artifacts, places)
    kinds: dict[tuple[str, str], list[ErrorTrail]] = {}
    for error in artifacts.errors:
        if not error.line:
            continue  # of such a command its own line says how it ended
        seen = places.get(error.at.message, -1)
        status = _status(error, looks, [path for at, path in made if at > seen])
        status = "left" if status == "open" and seen < finished else status
        kind = (_NUMBERS.sub("0", error.line), status)
        kinds[kind] = [*kinds.pop(kind, ()), error]
    words = OUTCOMES[language]
    lines = []
    for (_, status), alike in kinds.items():
        newest = alike[-1]
        named = one_line(newest.line, LONGEST_ERROR)
        often = sum(error.times for error in alike)
        times = f" ×{often}" if often > 1 else ""
        source = f"`{command_text(newest.subject, LONGEST_COMMAND)}`"
        more = f" {words['more'].format(count=len(alike) - 1)}" if len(alike) > 1 else ""
        outcome = _resolution(newest, artifacts, places, words) if status == "resolved" else words[status]
        lines.append(f"{named}{times} — {WORDS[language]['from']} {source}{more}; {outcome}")
    return tuple(lines)


def left_behind(line: str) -> str:
    """A line of an older ledger, once the requests behind it were worked on to their end."""
    for words in OUTCOMES.values():
        if line.endswith(words["open"]):
            return line.removesuffix(words["open"]) + words["left"]
    return line


def _made(artifacts: Artifacts, places: Mapping[str, int]) -> list[tuple[int, str]]:
    """Files that calls put there: index of the message, path."""
    return [
        (places.get(o.at.message, -1), f.path.replace("\\", "/"))
        for f in artifacts.files
        for o in f.operations
        if o.happened and o.action is ToolAction.CREATE
    ]


def _status(error: ErrorTrail, looks: Collection[str], made: Iterable[str]) -> str:
    """What came of an error; `made` are the files that were put there after it."""
    if error.resolved:
        return "resolved"
    if _MISSING.search(error.line) and (error.kind in _LOOKS or error.subject in looks):
        named = f"{error.line} {error.subject}".replace("\\", "/")
        sought = {word.rstrip("/.") for word in _PATHS.findall(named)} - {""}
        return "made" if any(_is_at(path, sought) for path in made) else "missing"
    if error.gave_way:
        return "gave_way"
    return "again" if error.times > 1 else "open"


def _is_at(path: str, sought: Collection[str]) -> bool:
    """Say whether a file is one of the paths that were sought, or lies in one."""
    return any(
        f"/{place}/" in f"/{path.lstrip('/')}/"
        for place in (s.removeprefix("./").lstrip("/") for s in sought)
    )


def _resolution(
    error: ErrorTrail, artifacts: Artifacts, places: Mapping[str, int], words: Mapping[str, str]
) -> str:
    """Say what happened between an error and the call that succeeded; nothing is claimed to be the cause."""
    failed = places.get(error.at.message)
    done = places.get(error.resolved_by.message) if error.resolved_by is not None else None
    if failed is None or done is None or done <= failed:  # calls written alike can't be told apart
        return words["resolved"]
    if error.done_by:
        return words["otherwise"].format(command=f"`{command_text(error.done_by, LONGEST_COMMAND)}`")
    between = [
        (f, o)
        for f in artifacts.files
        for o in f.operations
        if o.happened and failed < places.get(o.at.message, -1) < done
    ]
    between.sort(key=lambda pair: places[pair[1].at.message])
    own = {f.key for f in artifacts.files for o in f.operations if o.at == error.at}
    if own and error.kind in (ToolAction.EDIT, ToolAction.CREATE):
        reread = any(o.action is ToolAction.READ and f.key in own for f, o in between)
        return words["reread" if reread else "edited"]
    changed = [f for f, o in between if o.action is not ToolAction.READ]
    if error.kind is ToolAction.RUN and changed:
        newest = list(dict.fromkeys(f.path for f in reversed(changed)))[:MOST_CHANGED]
        return words["changed"].format(files=", ".join(reversed(newest)))
    return words["repeated"]
