"""Errors as ledger lines: each in its own words, where it came from, and what came of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.ledger.state_lines import LONGEST_ERROR, WORDS, by_language, changes_of, command_text, one_line
from condense.reading import ToolAction

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from condense.reading import Artifacts, ErrorTrail

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

OUTCOMES = by_language(
    {
        "resolved": ("resolved: the same succeeded later", "已解决：后来同样的操作成功了"),
        "repeated": ("resolved: repeating it succeeded", "已解决：重做一次后成功"),
        "otherwise": ("resolved: {command} succeeded later", "已解决：后来 {command} 成功了"),
        "changed": (
            "resolved: the same succeeded after changes to {files}",
            "已解决：改动 {files} 之后，同样的操作成功了",
        ),
        "edited": ("resolved: a later edit of the file succeeded", "已解决：后来对该文件的编辑成功了"),
        "reread": (
            "resolved: after re-reading the file a later edit of it succeeded",
            "已解决：重新读取该文件后，再次编辑成功",
        ),
        "again": ("not resolved: failed again when last run", "未解决：最后一次运行仍然失败"),
        "gave_way": (
            "gone: when the same was run again it failed in another way",
            "已不再出现：再次运行时以另一种方式失败",
        ),
        "open": ("not seen resolved", "未见解决"),
        "left": ("not seen again while later requests were worked on", "处理后来的请求时未再出现"),
        "missing": ("does not exist, as far as was looked", "经查看不存在"),
        "made": ("was not there then; it was created later", "当时不存在，后来已创建"),
        "more": ("and {count} more like it", "及另外 {count} 处同类"),
    }
)


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
    made = [
        (at, "/{}/".format(path.replace("\\", "/").lstrip("/")))
        for at, path, action in changes_of(artifacts, places)
        if action is ToolAction.CREATE
    ]
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
        newest, often = alike[-1], sum(error.times for error in alike)
        named = one_line(newest.line, LONGEST_ERROR) + (f" ×{often}" if often > 1 else "")
        source = f"{WORDS[language]['from']} `{command_text(newest.subject)}`"
        more = f" {words['more'].format(count=len(alike) - 1)}" if len(alike) > 1 else ""
        outcome = _resolution(newest, artifacts, places, words) if status == "resolved" else words[status]
        lines.append(f"{named} — {source}{more}; {outcome}")
    return tuple(lines)


def left_behind(line: str) -> str:
    """A line of an older ledger, once the requests behind it were worked on to their end."""
    for words in OUTCOMES.values():
        if line.endswith(words["open"]):
            return line.removesuffix(words["open"]) + words["left"]
    return line


def _status(error: ErrorTrail, looks: Collection[str], made: Collection[str]) -> str:
    """What came of an error; `made` are the files that were put there after it, between slashes."""
    if error.resolved:
        return "resolved"
    if _MISSING.search(error.line) and (error.kind in _LOOKS or error.subject in looks):
        named = f"{error.line} {error.subject}".replace("\\", "/")
        sought = {word.rstrip("/.").removeprefix("./").lstrip("/") for word in _PATHS.findall(named)} - {""}
        return "made" if any(f"/{place}/" in path for place in sought for path in made) else "missing"
    if error.gave_way:
        return "gave_way"
    return "again" if error.times > 1 else "open"


def _resolution(
    error: ErrorTrail, artifacts: Artifacts, places: Mapping[str, int], words: Mapping[str, str]
) -> str:
    """Say what happened between an error and the call that succeeded; nothing is claimed to be the cause."""
    failed = places.get(error.at.message, -1)
    done = places.get(error.resolved_by.message, -1) if error.resolved_by is not None else -1
    if not 0 <= failed < done:  # calls written alike can't be told apart
        return words["resolved"]
    if error.done_by:
        return words["otherwise"].format(command=f"`{command_text(error.done_by)}`")
    between = [
        (places[o.at.message], f, o.action)
        for f in artifacts.files
        for o in f.operations
        if o.happened and failed < places.get(o.at.message, -1) < done
    ]
    own = {f.key for f in artifacts.files for o in f.operations if o.at == error.at}
    if own and error.kind in (ToolAction.EDIT, ToolAction.CREATE):
        reread = any(action is ToolAction.READ and f.key in own for _, f, action in between)
        return words["reread" if reread else "edited"]
    between.sort(key=lambda one: one[0])
    changed = [f.path for _, f, action in between if action is not ToolAction.READ]
    if error.kind is ToolAction.RUN and changed:
        newest = list(dict.fromkeys(reversed(changed)))[:MOST_CHANGED]
        return words["changed"].format(files=", ".join(reversed(newest)))
    return words["repeated"]
