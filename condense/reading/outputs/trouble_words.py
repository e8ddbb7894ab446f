"""A text as lines, and which of them tell of trouble or sum up."""

from __future__ import annotations

import re
from functools import cached_property

LOOK = 600  # characters of a line that are looked at; chosen
_TROUBLE_WORDS = (
    r"error|fail|exception|traceback|panic|fatal|critical|abort|assert|denied|refused|timeout|timed out|cannot|can't"
    r"|could not|couldn't|unable to|not found|no such|undefined|unresolved|invalid|illegal|unexpected|missing"
    r"|segfault|segmentation|killed|not recognized|does not exist|mismatch|violat|conflict|rejected|unhandled|warn"
    r"|caused by|错误|失败|异常|无法|找不到|未找到|不存在|超时|拒绝|非法|崩溃|警告|エラー|失敗|例外|ошибк|не удалось"
    r"|fehler|falha|erro:|échec|não encontrad"
)
_TROUBLE = re.compile(_TROUBLE_WORDS)
_MENTION = re.compile(f"(?<![a-z_])(?:{_TROUBLE_WORDS})")
_ZERO = re.compile(
    r"\b(?:0|no|zero|without(?: any)?)\s(?:\w{1,20}\s)?(?:errors?|failures?|failed|warnings?|problems?|issues?)\b"
    r"|\b(?:errors?|failures?|failed|warnings?)\s?[:=]\s?0\b|(?:没有|无|0 ?个)(?:错误|失败|警告|异常)",
    re.ASCII | re.IGNORECASE,
)
_STRONG = re.compile(
    r"\b[\w.$]{0,80}(?:Error|Exception|Panic|Failure|Warning)\b(?:[:(\s]|$)|\b(?:ERROR|ERR|FATAL|FAILED|FAIL|CRITICAL"
    r"|SEVERE|PANIC|ERR!)\b|(?:^|[\s\]):>|*])(?:error|fatal|panic|failed|failure)(?:\[[\w-]{1,20}\]|\s\w{1,12}\d{1,6})?"
    r"(?:[:!]|\s(?:at|in|TS)\b)|^\s{0,8}(?:error|fatal)\b|Traceback|panicked at|Segmentation fault|core dumped"
    r"|command not found|No such file|not found$|Permission denied|cannot find|Cannot find|Caused by|Unhandled"
    r"|is not recognized|timed out|Connection refused|npm ERR|✗|✘|❌"
    r"|错误[:：]|失败|异常[:：]|无法|崩溃|エラー|失敗|[Оо]шибка|Fehler",
    re.ASCII,
)
_WARNING = re.compile(r"\bwarn(?:ing)?s?\b|警告|⚠", re.ASCII | re.IGNORECASE)
_PASSED = re.compile(
    r"\s(?:\.\.\. ok|PASSED|PASS)\s{0,3}(?:\[\s{0,3}\d{1,3}%\])?$|^\s{0,12}(?:ok\b|PASS\b|✓|√|✔|--- PASS)"
)
_CLOSING = re.compile(
    r"\b\d{1,9}\s{0,3}(?:tests?|examples?|errors?|warnings?|problems?|failures?|matches|passed|failed|passing|failing"
    r"|skipped|vulnerabilit\w{1,6}|(?:files?|packages?) (?:changed|in|added))\b(?!/)"
    r"|\b(?:Tests?|Test Suites|Tests run|test result|Total|Summary|TOTAL)\b\s{0,4}[:=]|\b(?:[Ff]ound|added) \d"
    r"|\b(?:exit(?:ed)?|status)\s(?:with\s)?(?:code|status)\b|\bexited with\b|Status Code:"
    r"|\bBUILD (?:SUCCESS|FAIL)|\bDone in\b|\b(?:built|[Ff]inished|completed|[Cc]ompiled) (?:in|with|successfully)\b"
    r"|\b(?:Successfully|succeeded|Success|SUCCESS|up to date|All checks passed|All tests passed)\b"
    r"|\b(?:[Ll]istening|[Rr]unning|[Ss]tarted|[Ss]erving)\b.{0,40}(?::\d{2,5}|https?://)|\bOK\b\s{0,2}\("
    r"|(?:共|总计|合计|通过|成功|失败|完成)\s{0,2}[:：]?\s{0,2}\d|构建(?:成功|失败)|测试(?:通过|失败)|退出码",
    re.ASCII,
)
_CODE = re.compile(
    r"\s{0,40}(?:[+-]\s{0,40}|(?:[^\s:]{1,120}[:-])?\d{1,6}[-:|→]\s{0,40})?(?!(?:fatal |internal )?(?:error|fatal"
    r"|panic|warning|failed)\s?:)(?:(?:(?:export|const|let|var|val|final|static|local|my"
    r"|auto)\s){0,3}(?:[\w.\[\]\"']{1,80}(?:: ?[\w<>\[\]|.]{1,60})?\s[+|&?:]?=|\$[\w:.]{1,80}\s?[+.]?=)\s?(?:"
    r"[\"'`\d\[{($@]|(?:true|false|none|null|nil|new|await|not)\b|[\w.]{1,80}\()|\}?\s?(?:except|catch"
    r"|rescue)\b[^:{]{0,200}[:{]\s*(?:[#/].*)?$|(?:try|else|finally)\s?[:{]\s*$|\}?\s?(?:if|elif|else if|for|while"
    r"|with|def|class|fn|func|function|switch|async def)\b.{1,300}[:{]\s*$|(?:raise|throw)\s(?:new\s)?[\w.]{1,80}\s?\("
    r"|return\s.{0,300}[;)\]}\"']$|//\s|.{1,200}\) => |(?:echo|printf|puts|warn|die|throw|raise"
    r"|Write-\w{1,12})\s+[\"'$]|(?!\w{0,80}(?:Error|Exception|Warning)\()[\w.$!:>-]{1,80}\(\s?[frbuL$@]{0,2}[\"'`](?!.*"
    r"\) += -1 E)"
    r")",
    re.IGNORECASE,
)


def is_code(line: str) -> bool:
    """Say whether a line is a statement of a program or a script: what it says of trouble has not happened.

    >>> is_code("$ErrorActionPreference = 'Stop'"), is_code("ValueError: no such name = 3")
    (True, False)
    """
    return _CODE.match(line, 0, LOOK) is not None


_PROGRESS = re.compile(
    r"\s{0,8}\d{1,9}[kKM]?(?: \.{3,10}){1,5}\s{1,40}\d{1,3}%.{0,30}"
    r"|.{0,80}?(?:\d%\||(?<![━█▓░=#>.-])[━█▓░=#>.-]{10,80}+).{0,80}?\d\s?[kKMG]?(?:i?B|it)\b.{0,30}"
    r"|[^\[]{0,40}\[=*+>? *+\] \d+/\d+\b.{0,200}"
)


def is_progress(line: str) -> bool:
    """Say whether a line is one state of a progress bar, as wget, pip, cargo and tqdm draw it.

    >>> is_progress(" 50K .......... .......... ..........  0%  245K 14m28s"), is_progress("coverage: 81% in 0:12")
    (True, False)
    """
    return _PROGRESS.fullmatch(line) is not None


_WORD = re.compile(r"[A-Za-z0-9\u3040-\u30ff\u3400-\u9fff\u0400-\u04ff]")
_VARYING = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-f]{7,40}\b|\d+")


class Sheet:
    """The lines of a text, split at newlines, and what they tell, computed when asked for."""

    def __init__(self, text: str) -> None:
        self.lines = text.split("\n")

    @cached_property
    def trouble(self) -> dict[int, float]:
        """Lines that tell of trouble: 1.0 an error, 0.6 a mention of one, 0.5 a warning."""
        found: dict[int, float] = {}
        for i, line in enumerate(line[:LOOK] for line in self.lines):
            if not _TROUBLE.search(line.lower()) or _PASSED.search(line) or is_code(line):
                continue
            left = _ZERO.sub(" ", line)
            if _STRONG.search(left):
                found[i] = 0.55 if _WARNING.search(left) and "rror" not in left else 1.0
            elif _WARNING.search(left):
                found[i] = 0.5
            elif _MENTION.search(left.lower()):
                found[i] = 0.6
        return found

    @cached_property
    def closing(self) -> set[int]:
        """Lines that sum up, or state an outcome."""
        return {i for i, line in enumerate(self.lines) if _CLOSING.search(line, 0, LOOK)}

    def shape(self, i: int) -> str:
        """Return the line without what varies from run to run: numbers, hashes, addresses."""
        return _VARYING.sub("0", self.lines[i][:LOOK].strip())


def has_words(line: str) -> bool:
    """Tell whether a line holds a letter or digit; rules, brackets and blanks do not."""
    return _WORD.search(line[:LOOK]) is not None
