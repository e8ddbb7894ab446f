"""Claims: what a summary says the user said. Quotes, rules, attributions, each with the line it stands in.

Summaries are trusted as instructions by the agent that reads them, so a rule that nobody gave or a "yes" that nobody
said is worse than anything they leave out. A claim is found by the wording around it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from condense.ledger import CRITICAL_MARK, EXCERPT_SECTIONS, LINE_SECTIONS, ledger_at
from condense.reading import OPENING, PHRASES
from condense.verifying.attributions import APPROVES, PERSON, SAYS, attributions_in
from condense.verifying.facts import Kind
from memory.consolidation import unmarked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from condense.ledger import Ledger


@dataclass(frozen=True, slots=True)
class Claim:
    """Something a summary says the user said: the words as the summary has them, and the 0-based line they begin on.

    It may be presented as the user's own words (`verbatim`), be made of several quotes (`pieces`), or be an attribution
    that says it was approved.
    """

    kind: Kind
    text: str
    line: int
    verbatim: bool = False
    pieces: tuple[str, ...] = ()
    approval: bool = False


Lines = list[tuple[int, str]]  # lines that are read for names, with their 0-based numbers

_CLIENT_LINE = "If you need specific details from before compaction"
"""What Claude Code puts below a summary, with the path of its file; not part of it."""
_OUR_NUMBER = re.compile(r"(?<!\w)#\d{1,9}\b")
"""How our ledgers number messages."""


def scan_of(summary: str, messages: int = 0) -> tuple[Lines, list[Claim]]:
    """The lines and the claims of a summary: of our own ledgers by their fields, of all else by its wording.

    "#12" names one of the `messages` of the source where there are as many.
    """
    lines: Lines = []
    claims: list[Claim] = []

    def read_prose(text: str, line: int) -> None:
        lines.extend((line + n, t) for n, t in enumerate(text.split("\n")) if not t.startswith(_CLIENT_LINE))
        claims.extend(replace(claim, line=claim.line + line) for claim in claims_of(text))

    at = 0
    while at < len(summary):
        start = summary.find(OPENING, at)
        found = ledger_at(summary, start) if start >= 0 else None
        read_prose(summary[at : start if found else len(summary)], summary.count("\n", 0, at))
        if found is None:
            break
        ledger, at = found
        first = summary.count("\n", 0, start)
        whole = summary[start:at]
        own_lines, own_claims = _fields_of(ledger, whole)
        lines += [(first + n, text) for n, text in own_lines]
        if ledger.narrative:
            read_prose(ledger.narrative, first + _line_of(ledger.narrative, whole))
        claims += [replace(claim, line=first + claim.line) for claim in own_claims]
    named = [(n, _OUR_NUMBER.sub(lambda m: "#" if int(m[0][1:]) <= messages else m[0], t)) for n, t in lines]
    return named, claims


def _fields_of(ledger: Ledger, whole: str) -> tuple[Lines, list[Claim]]:
    texts = [text for name in LINE_SECTIONS for text in getattr(ledger, name)]
    texts += [excerpt.body for name in EXCERPT_SECTIONS for excerpt in getattr(ledger, name)]
    texts += [said.text for said in (ledger.brief, *ledger.notes) if said is not None]
    lines = [
        (_line_of(text, whole) + n, _OUR_NUMBER.sub("#", line))
        for text in texts
        for n, line in enumerate(text.split("\n"))
    ]
    said = [(Kind.QUOTE, said.text, said.text) for said in ledger.quotes]
    rules = (*ledger.rules, *ledger.asked, *ledger.project)
    said += [(Kind.RULE, unmarked(rule.removeprefix(CRITICAL_MARK)), rule) for rule in rules]
    return lines, [Claim(kind, text, _line_of(item, whole), verbatim=True) for kind, text, item in said]


def _line_of(text: str, whole: str) -> int:
    return whole.count("\n", 0, max(0, whole.find(text)))


BULLET = re.compile(
    r"\s{0,24}(?:[-*•·]\s{1,4}(?:\[[ xX]\]\s{1,3})?|\(?\d{1,3}[.)、]\s{0,4}|[①-⑳]\s{0,2}|>\s{1,3})(?=\S)"
)
_RULES_TITLE = re.compile(
    r"\b(?:rules?|instructions?|constraints?|preferences?|guidelines|do'?s and don'?ts|directives?)\b"
    r"(?! (?:file|and code))|规则|規則|约束|約束|偏好|指令|硬性要求|注意事项|禁令",
    re.ASCII | re.IGNORECASE,
)
_MESSAGES_TITLE = re.compile(
    r"\buser(?:'s|s')?\s(?:messages?|requests?|prompts?|words|quotes|feedback)\b"
    r"|\b(?:what|things) the user (?:said|asked)\b|\b(?:latest|earlier|original) requests?\b"
    r"|(?:用户|使用者)的?(?:所有|全部|原始)?(?:消息|訊息|原话|原話|请求|請求|发言|发过的)|(?:所有|全部)(?:用户|使用者)消息",
    re.ASCII | re.IGNORECASE,
)
_SAYING = re.compile(  # behind which quotation marks hold the person's words
    rf"{PERSON}[^.。\n\"“「『]{{0,80}}?(?:{SAYS}|{APPROVES}|\b(?:explained|clarified|words|quote[ds]?"
    rf"|verbatim"
    r"|literally|message)\b|提到|写道|寫道|指出|回复|回覆|回答|问|問|原话|原話|反馈)"
    rf"|\baccording to the user\b|^\W{{0,6}}{PERSON}\W{{0,4}}[:：]",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED = re.compile(
    r"\"([^\"\n]{1,1500})\"|“([^“”\n]{1,1500})”|「([^「」\n]{1,1500})」|『([^『』\n]{1,1500})』"
    r"|(?<!\w)'([^'\n]{2,600})'(?!\w)|‘([^‘’\n]{2,600})’"
)
_OPENERS, _CLOSERS = '"“「『‘', '"”」』’'
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")  # a dot inside a name ends no sentence
_NOTHING = re.compile(  # how an item begins that says there is nothing ("None", "no explicit rules given")
    r"\W*(?:none|n/?a|nothing|no (?:explicit|specific|special|standing|particular|rules|further)"
    r"|无|無|没有|沒有|暂无)",
    re.IGNORECASE,
)
_OURS = [
    PHRASES[code][name].casefold()
    for code in PHRASES
    for name in ("brief", "latest", "rules", "project", "earlier")
]
_OUR_TITLES = frozenset(form for title in _OURS for form in (title, re.sub(r"\s?[(（].*", "", title)))
"""The titles under which our own ledgers have what the person said, with what they vouch for and without."""
_LONGEST_TITLE = 90


class _Item(NamedTuple):
    text: str
    line: int
    title: str
    is_bullet: bool

    @property
    def bare(self) -> str:
        bullet = BULLET.match(self.text)
        return self.text[bullet.end() if bullet else 0 :].strip()


def claims_of(text: str) -> tuple[Claim, ...]:
    """Return what a summary claims the user said, in order; linear in the text."""
    return tuple(dict.fromkeys(claim for item in _items(text) for claim in _claims_of_item(item)))


def _claims_of_item(item: _Item) -> Iterator[Claim]:
    body, line = item.bare, item.line
    is_listed = item.is_bullet or _is_ours(item.title)
    quotes = quotes_in(body)
    if is_listed and _MESSAGES_TITLE.search(item.title):  # quoted whole, in pieces, or without quotation marks
        if body[:1] in _OPENERS and (last := max(map(body.rfind, _CLOSERS))) > 1:
            yield Claim(Kind.QUOTE, body[1:last], line, verbatim=True, pieces=quotes)
        elif _are_most(quotes, body):
            yield from (Claim(Kind.QUOTE, quote, line, verbatim=True) for quote in quotes)
        elif not body.endswith((":", "：")):
            yield Claim(Kind.QUOTE, body, line)
    elif is_listed and _RULES_TITLE.search(item.title) and not _NOTHING.match(body):
        yield Claim(Kind.RULE, body, line, verbatim=_are_most(quotes, body))
    elif saying := _SAYING.search(item.text):
        said = quotes_in(item.text[saying.start() :])
        yield from (Claim(Kind.QUOTE, quote, line, verbatim=True) for quote in said)
    above = attributions_in(item.title)[:1] if item.is_bullet else ()
    for sentence in filter(str.strip, _SENTENCE_END.split(body)):
        for text, approval in attributions_in(sentence) or [(sentence, one.approval) for one in above]:
            if approval or not _are_most(quotes_in(text), text):
                yield Claim(Kind.ATTRIBUTION, text, line, approval=approval)


def quotes_in(text: str) -> tuple[str, ...]:
    """Return what stands between quotation marks, in order; a quote within a quote goes with the outer one."""
    return tuple(found[found.lastindex or 0] for found in _QUOTED.finditer(text))


def _are_most(quotes: tuple[str, ...], text: str) -> bool:
    return bool(quotes) and sum(map(len, quotes)) * 2 > len(text)


def _items(text: str) -> Iterator[_Item]:
    title, item = "", None
    for number, line in enumerate(text.split("\n")):
        is_bullet = BULLET.match(line) is not None
        heading = _title_of(line, is_bullet=is_bullet) if line.strip() else None
        if item is not None and heading is None and not is_bullet and line.strip() and line[:1] in " \t":
            item = item._replace(text=f"{item.text}\n{line}")
            continue
        if item is not None:
            yield item
        title = title if heading is None else heading
        item = _Item(line, number, title, is_bullet=True) if is_bullet and heading is None else None
        if item is None and line.strip():
            yield _Item(line, number, title if heading is None else "", is_bullet=False)
    if item is not None:
        yield item


def _is_ours(title: str) -> bool:
    return title.casefold().rstrip("* :：") in _OUR_TITLES


def _title_of(line: str, *, is_bullet: bool) -> str | None:
    """The words of a heading, or None. A numbered line is one when it ends with a colon ("6. All user messages:")."""
    stripped = line.strip()
    if _is_ours(stripped.strip("#* :：")) or stripped.startswith("#"):
        return stripped.lstrip("#").strip(" *:：")
    is_bold = stripped.startswith("**") and stripped.endswith("**")
    if len(stripped) >= _LONGEST_TITLE or (stripped[:1] in "-*•>" and not is_bold):
        return None
    is_numbered = re.match(r"\d{1,2}[.)、]\s?\S|[一二三四五六七八九十]{1,2}[、.]", stripped)
    if is_bold or (stripped.rstrip("* ").endswith((":", "：")) and (is_numbered or not is_bullet)):
        return re.sub(r"^\d{1,2}[.)、]\s*|[*:：]+", "", stripped).strip()
    return None
