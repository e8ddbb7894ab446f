"""What kind a line of a typed text is, by itself: prose, item, heading, setting, error, log or code."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple


class LineKind(StrEnum):
    """What a line of a typed text is."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    QUOTE = "quote"
    SETTING = "setting"
    ERROR = "error"
    LOG = "log"
    CODE = "code"


PASTED = frozenset((LineKind.LOG, LineKind.CODE, LineKind.ERROR))


class Line(NamedTuple):
    """A line of a text: its kind, the span of its content without blanks and markers, the columns before it."""

    kind: LineKind
    start: int
    end: int
    indent: int = 0
    marker: str = ""
    fenced: bool = False


LONGEST_SETTING = 200
LONGEST_HEADING = 90
"""Characters up to which a line counts as one setting, or as a heading for what follows (chosen)."""

_PROSE, _ITEM = LineKind.PROSE, LineKind.ITEM

_MARKER = re.compile(
    r"(?:[-*•+●▪‣–—◦·]\s{1,4}(?:\[[ xX]\]\s{1,3})?|\(?\d{1,3}[.)、．:](?!\d)\s{0,4}"
    r"|(?:[ivxIVX]{1,5}|[a-zA-Zа-яА-Я])[.)]\s{1,4}|[①-⑳❶-❿Ⅰ-ⅻ]\s{0,2}"
    r"|(?:[一二三四五六七八九十]{1,2}|[甲乙丙丁戊己庚辛壬癸])[、.．]\s{0,2}|[ァ-ヶ][、.．)）]\s{0,2}|[ぁ-ん][.．)）]\s{0,2}"
    r"|\((?:\w{1,2}|[ivxIVX]{1,5})\)\s{1,2}|（\w{1,2}）\s{0,2}|・\s{0,2})"
)
_HEADING = re.compile(r"#{1,6}\s{1,3}(?=\S)")
_BOLD_LINE = re.compile(r"\*\*[^*]{1,120}\*\*\s?:?\s{0,3}$|\*\*[^*]{1,120}:\*\*\s{0,3}$")
_QUOTE = re.compile(r"(?:>\s?)+(?=\S)")

_AT_WORK = r"\s(?!.*\b(?:must|always|never|forbidden|should|only|is|are|has|have|takes)\b)\S"
"""What follows the word by which a tool says what it does, unless a sentence begins with it."""
_LOG = re.compile(
    r"\[?\d{4}[-/]\d\d[-/]\d\d[T ,]{1,2}\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[\s{0,2}(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE"
    r"|error)\]|\[(?:info|debug|warn(?:ing)?|trace)\](?:\s[^a-z]|\s\S+[:=])|\[C\]: in\s|\[(?:system|渲染层错误|webpack"
    r"|vite|eslint|HMR)[^\]]{0,20}\]\s|\[[\w-]{1,30}\]\s\[|\[\s{1,6}\d{1,9}\.\d{3,9}\]\s|\[(?:SQL|parameters): "
    r"|\d{1,5}\s{0,3}[|│]|\d{1,4}:\s{1,4}(?:0x|[\w<>{}$]{1,80}::\S{1,300}$)|\d{1,6}\s(?:passing|failing|pending)(?:\s\("
    r".{1,20}\))?$|\d{1,7}\s{1,4}(?:pts/|tty|\?)\S{0,10}\s|[|│]\s|[\^~·]{2,}|[-=_*─━═╭╰╯╮│┌└├]{4,}|[├└│╭╰┌]|-->\s"
    r"|-{3}\s\S|-(?:[r-][w-][xsStT-]){3}[.+@]?\s|(?:--[a-z][\w-]{0,40}|-[A-Za-z](?=[ ,]))(?:[ =,]{1,2}(?:<[^>]{1,30}>"
    r"|\[[^\]]{1,30}\]|[A-Z_]{2,30}|--?[\w-]{1,40}|[a-z]{1,12}(?=\s{2}))){0,3}\s{2,}\S|==\d{1,7}==|\+{3}\s|@@\s-"
    r"|[✓✔√✗✕➜ℹ⚠▲✘⨯]\s(?!(?:[^\W\d_]+[ ,:]+){1,30}[^\W\d_]+[.!]?$)|\.{3}$|\$\s\S|#\d{1,3}\s{1,8}(?:0x|/|\{main\}"
    r"|\[\s?\d{1,3}/\d|\d{1,5}\.\d{1,3}\s|[\w.:<>~$]{1,80}\(|[\w<>~$]{1,40}[.:][\w.:<>~$]{1,80}\s\()|\(use \"git\s"
    r"|\(Background on this error|\*\s{1,3}(?:Trying\s[\d\[:]|connect to \d|Connected to \S{1,60}\s\(|Failed to connect"
    r" to|Closing connection(?: |$)|Could not resolve host|What went wrong:|Try:$|Get more help at)|(?:INFO|DEBUG"
    r"|TRACE):\s|(?:INFO|DEBUG|TRACE|WARN|WARNING|ERROR)(?:\s{1,4}\[|\s{2})|[WEN]: \S|[A-Z][a-z]{2}\s{1,2}\d{1,2} \d\d:"
    r"\d\d:\d\d\s|[dlbcps](?:[r-][w-][xsStT-]){3}[.+@]?\s|Auto-merging \S+$|Automatic merge failed|Active: (?:in)?(?:ac"
    r"tive|failed)|BUILD (?:FAILED|SUCCESSFUL)|Caused by:|CMake (?:Error|Warning) |CONFLICT \(|Changes (?:not staged fo"
    r"r commit|to be committed):|Date:\s{2}|File \"[^\"]{1,300}\", line \d|FAILURE: Build|HTTP/\d(?:\.\d)?\s\d{3}"
    r"|Import trace|Loaded: loaded|Main PID: \d|(?:PLAY|PLAY RECAP) (?:\[|\*{3})|SUMMARY: \w{1,40}Sanitizer"
    r"|Traceback \(most|TASK (?:\[|\*{3})|Tests?:\s(?:\s|\d{1,6}, )|Usage: \S.{0,100}[\[<]|Your branch is (?:ahead of"
    r"|behind|up to date with) '|at\s(?:async |new )?[\w.$<>\[\]]{1,120}(?: \[as [\w.]{1,40}\])?\s?\(|curl: \(\d"
    r"|commit [0-9a-f]{7,40}$|diff --git|exit status \d{1,3}$|goroutine \d|hint:\s(?:Updates|You|Disable|Using"
    r"|the same|have|See the|  |use 'git|\(|invalid|If you|['\"]?git |its |before |null|Resolve all)|index [0-9a-f]{7}"
    r"|make(?:\[\d{1,3}\]: |: (?:\*\*\*|Entering|Leaving|Nothing|\S+ is up))|npm (?:ERR!|error|warn|WARN|notice)"
    r"|note: (?:run with `|[Ss]ome details)|no changes added to commit|(?:WARN|WARNING|ERROR)(?::\s|\sin\s"
    r"|\s[A-Z]\w{1,60}(?:Error|Exception)\b)|warning(?:\[\w{1,12}\])?:\s|\[[xX!✗✘]\]\s(?:[Ee]rror|[Ww]arn)"
    r"|nothing to commit(?:,|$)|ok {0,2}\t|running \d{1,6} tests?$|remote:|stack traceback:$|thread '[^']{1,80}' panick"
    r"ed|test (?:result: |\S{1,200} \.{3} )|total \d{1,9}$|usage: [\w./-]+(?: [\w.-]+){0,3} [\[<]|(?:CONTEXT|DETAIL"
    r"|HINT|STATEMENT|Snapshots|Time|modified|new file|renamed|deleted):\s{2}|(?:GET|HEAD|POST|PUT|DELETE) \S+ \d{3}"
    r"|(?:Counting|Compressing|Writing|Enumerating) objects|>\s\S{1,60}@\d|[eiw]: file://|[<>]{7}\s|(?:ba|z|da|k"
    r"|fi)?sh: (?:\d|line \d|\S{1,80}: |command not)"
    rf"|(?:Compiling|Collecting|Downloading|Finished|Installing|Running|Requirement already){_AT_WORK}"
)
_LOG_INSIDE = re.compile(
    r"(?:\w{1,40}::){2,12}[\w{}<>]{1,40}$|[\w.]{1,80}:\w{1,60}\([\w, ]{0,80}\)$|[\w.-]{1,60}\s{1,40}:\sok=\d"
    r"|[\w.-]{1,40}\[[\w.-]{1,40}\]:\s|[\w.+-]{1,60} : Depends:"
)
_LOG_CONTAINER = re.compile(r"[\w.-]{1,40}-\d{1,3}\s{1,12}\|\s")
_LOG_PLACE = re.compile(
    r"[\w./\\-]{1,120}:\d{1,6}(?::\d{1,5})?[:\s)]|\S{1,40}@\S{1,60}[:~][^$#\n]{0,120}[$#]\s"
    r"|\S{1,60}+\s@\s\S{1,60}:\d|[\w.$<>+:\[\]` ]{1,160}\(.{0,120}\)\s\(at\s"
)
_INDENTED_LOG = re.compile(
    r"\s{2,40}at\s\S|\s{0,12}[|│]\s|\s{0,6}-->\s|\s{0,8}(?:inet6?|link/|valid_lft)\s"
    r"|[\w.$<>+:\[\]` ]{1,160}\(.{0,120}\)\s\(at\s"
)
_CODE = re.compile(
    r"(?:import\s[\w{*\"']|from\s[\w.]{1,80}\simport\s|(?:export|const|let|var|function|class|interface|type|enum"
    r"|public|private|protected|static|async|await|return|def|fn|impl|struct|package|namespace|using|#include|throw"
    r"|try|catch|else|elif|for|while|switch|case|SELECT|INSERT|CREATE|UPDATE)\b.{1,301}+(?<=[{;:(=,])$|[})\]]{1,6}[;,)]"
    r"{0,3}$|<[/!A-Za-z]|//\s|/\*|\*/|@\w{1,40}\(|\{$|\[\s{0,3}\{?$|\"[\w$-]{1,60}\":\s|[\w.$\[\]'\"()]{1,80}+\s?[+*/-]"
    r"?=\s?[^=\s].{1,301}+(?<=;)$|#!/|&&\s|\\$|(?:self|this)\.\w{1,40}|raise\s\w{1,40}\(|\"\"\"|'''|[a-z_]\w{0,40}+(?:"
    r"\.\w{1,40}+){0,3}+\s=\s[^=].{0,200}$|if\s.{1,120}:$|if !?\(.{1,160}\)\s?(?:\{|return|throw|continue|break)"
    r"|if\s.{1,120}:\s(?:return(?: [\w.()\[\]'\"]+)?|raise \w+(?:\(.*)?|continue|break|pass)$|throw new \w|(?:return"
    r"|await|yield|assert)\s(?:[\w.]{1,80}\(|\w[\w.\[\]]{0,60} [=!<>]=\s|[\w.]{1,60};$|(?:None|null|undefined|[Tt]rue"
    r"|[Ff]alse|self|this)$)|FROM \S{1,120}(?: AS \w{1,40})?$|(?:CMD|ENTRYPOINT) \[|WORKDIR /|EXPOSE \d|COPY \S{1,120} "
    r"[./]\S{0,120}$|RUN (?:pip|npm|apt|apt-get|apk|yarn|pnpm|bun|go|cargo|mkdir|curl|python3?|make)\s(?!.*\b(?:before"
    r"|after|every|each|always|only|when)\b)|-[A-Za-z]\s['\"]|curl\s-)"
)
PROMPT = re.compile(
    r"(?:PS\s)?[A-Z]:\\[^>\n]{0,200}>|(?:\([\w.-]{1,40}\)\s)?[\w.-]{1,40}@[\w.-]{1,60}[: ][^\n%$#]{0,80}[%$#](?:\s|$)"
    r"|>\s(?:np[mx]|p?np[mx]|yarn|vite|tsc|jest|vitest|webpack|next|node|tsx|eslint|bun|deno|rollup|ng|nuxt)\b"
)
"""The prompt of a console with what was entered there, or a command that a tool echoes."""
_CODE_ENDS = ("{", "}", ";", "=>", "/>", "(", "',", '",', "),")
_CLOSING_TAG = re.compile(r"</\w{1,30}>$")
_LONGEST_TAG = 40
_SETTING = re.compile(
    r"(?:export\s)?(?:[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,8}"
    r"|--[a-z][\w-]{1,40})\s?[=:]\s?[^\s=].{0,300}$|[a-z][\w.-]{1,40}=[^\s=]\S{0,300}$"
)
_ERROR = re.compile(
    r"(?:[A-Za-z_.]{0,60}(?:Error|Exception|Warning|Fault)\b(?:\s?\[\w{1,20}\])?:\s?\S|(?:Uncaught|Unhandled)\s"
    r"|(?:error|fatal|panic|ERROR|FATAL|Error|FAILED|FAIL)(?:\[\w{1,12}\]|\s\w{1,12}\d{1,6})?\s?[:!-]\s?\S|E {2,12}\S"
    r"|\*\* \(\w{1,60}\)\s|Exception in thread \"|assertion (?:[`'\"(]|failed)|[×✗✖❌]\s?\S|Access to \w{1,20} at '"
    r"|(?:Cannot|Can't|Could not|Couldn't|Unable to|Failed to|Module not found|No module named|Unexpected|Invalid"
    r"|Missing|Permission denied|Access denied|Connection refused|segmentation fault|npm ERR! code|ERR_[A-Z_]{3,40})\b)"
)
_ERROR_INSIDE = re.compile(
    r"\b(?:[A-Z][A-Za-z]{1,40}(?:Error|Exception)\b|ERROR\b|error\[?\w{0,8}\]?:|WARNING\b|WARN\b|fatal:"
    r"|refused\b|denied\b|[Uu]nexpected (?:[`'\"<]|token\b)|[Ff]ailed\b|[Cc]annot\b|not found\b|ERR_\w"
    r"|is not defined|is not a function|HTTP (?:error|4\d\d|5\d\d)|status(?: code)?:? [45]\d\d)"
)
_SENTENCE_LIKE = re.compile(
    r"(?<![^\W\d_])[^\W\d_]{2,}+(?:[ ,'’-]{1,2}[^\W\d_]++){3}|[\u3040-\u30ff\u3400-\u9fff]{4}"
)


def kind_of(raw: str, body: str, *, fenced: bool) -> tuple[LineKind, int, str]:
    """What a line is (`body`: without blanks around it), how many characters its marker has, and the marker."""
    if _ERROR.match(body):
        return LineKind.ERROR, 0, ""
    if fenced:
        return failing(body, LineKind.CODE), 0, ""
    indented = raw[0] != body[0]
    if body[0] == ">" and not _is_log(body) and (quote := _QUOTE.match(body)):
        return LineKind.QUOTE, quote.end(), ""
    if heading := _HEADING.match(body):
        return LineKind.HEADING, heading.end(), heading.group()
    if _is_log(body if indented else raw) or (indented and _INDENTED_LOG.match(raw)):
        return failing(body, LineKind.LOG), 0, ""
    return _said(body)


def _is_log(line: str) -> bool:
    return any(form.match(line) for form in (_LOG, PROMPT, _LOG_CONTAINER, _LOG_INSIDE, _LOG_PLACE))


def _said(body: str) -> tuple[LineKind, int, str]:
    """Tell headings, items, settings and code from prose; as `kind_of`."""
    if _BOLD_LINE.match(body):
        return LineKind.HEADING, 0, "**"
    marker = _MARKER.match(body)
    if marker and marker.end() < len(body):
        return _ITEM, marker.end(), marker.group()
    kind = _PROSE
    if len(body) < LONGEST_SETTING and _SETTING.match(body) and not body.endswith((";", "{", "(")):
        kind = LineKind.SETTING
    elif _CODE.match(body) or (_ends_as_code(body) and not is_sentence_like(body)):
        kind = LineKind.CODE
    elif len(body) < LONGEST_HEADING and body.endswith((":", "：")):
        kind = LineKind.HEADING
    return kind, 0, ""


def is_sentence_like(body: str) -> bool:
    """Tell whether a line holds four words in a row, or four characters of Chinese or Japanese."""
    return _SENTENCE_LIKE.search(body) is not None


def _ends_as_code(body: str) -> bool:
    return body.endswith(_CODE_ENDS) or (
        body[-1] == ">" and _CLOSING_TAG.search(body, max(0, len(body) - _LONGEST_TAG)) is not None
    )


def failing(body: str, otherwise: LineKind) -> LineKind:
    """The kind of a pasted line: an error where it says that something failed."""
    return LineKind.ERROR if _ERROR_INSIDE.search(body, 0, 400) else otherwise
