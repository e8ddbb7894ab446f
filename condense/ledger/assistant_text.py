"""What an assistant message says in words, and the line of it that "2", "yes" or "the first" answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from condense.reading import ToolAction, row_of
from memory.conversation import PartKind

if TYPE_CHECKING:
    from memory.conversation import Message, Part

_STEP_TITLE = re.compile(r"\*\*[^*\n]{1,120}\*\*")
"""What some agents write in place of their thinking: the title of a step, and nothing else."""
LONGEST_REPLY, LONGEST_PICK, LONGEST_LINE = 40, 160, 240
"""Characters of a reply that may say nothing without what it answers, of an option that was picked through a tool, and
of the line that is quoted; chosen."""
QUESTION_WITHIN = 15
"""Lines from the end of a message in which its question is looked for; chosen."""

_ORDINAL_WORDS = (
    "first 1st former 一",
    "second 2nd latter 二",
    "third 3rd 三",
    "fourth 4th 四",
    "fifth 5th 五",
)
_ORDINALS = {word: str(n) for n, words in enumerate(_ORDINAL_WORDS, 1) for word in words.split()}
_PICK = re.compile(
    r"\W*(?:(?:let['’]?s|go|do|take|use|choose|pick|with|for|the|i(?:['’]d)?|want|prefer|option|choice|number|plan"
    r"|variant|opci[oó]n|opção|вариант|我?选择?|用|方案|选项|第)[\s:]*){0,5}"
    rf"(?P<mark>\d{{1,2}}|[a-h]|{'|'.join(_ORDINALS)})"
    r"(?:(?:[).、]|\s(?:one|option|please|pls|thanks)|[个個项種种条案吧。！])\s?){0,3}\W*",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"\W*(?:yes|yep|yeah|y|yup|ok(?:ay)?|sure|please do|do (?:it|that|so)|go (?:ahead|for it|on)|proceed|sounds good"
    r"|correct|right|exactly|agreed?|no|nope|n|not (?:now|yet)|don['’]?t"
    r"|好的?|可以|行|要|是的?|对的?|嗯|同意|没问题|不|不要|不用|不是|否|はい|いいえ|お願いします"
    r"|да|нет|давай|sí|si|sim|não|oui|non|ja|nein|bitte|claro|vale)"
    r"(?:[\s,]{1,3}(?:please|pls|thanks|thank you|proceed|do (?:it|that)|go ahead|all|谢谢|吧|了)){0,3}\W*",
    re.IGNORECASE,
)


def spoken(message: Message) -> str:
    """What an assistant message says aloud and, unsigned, to itself; a report that it hands over by a tool, too."""
    wanted = [p.text for p in message.parts if p.kind in (PartKind.TEXT, PartKind.THINKING) and not p.signed]
    for call in message.calls:
        if is_report(call) and isinstance(call.arguments, dict):
            found = (call.arguments.get(key) for key in ("result", "message", "summary", "text"))
            wanted.append(next((text for text in found if isinstance(text, str)), ""))
    return "\n".join(text.strip() for text in wanted if text.strip())


def is_report(call: Part) -> bool:
    """Whether a call hands over the closing report of a turn; a plan that is put forward is none."""
    name = call.name or ""
    return "plan" not in name.lower() and row_of(name).action is ToolAction.ANSWER


def says_something(message: Message) -> bool:
    """Say whether a message tells more than the title of a step."""
    text = spoken(message)
    return bool(text) and not _STEP_TITLE.fullmatch(text)


def answered_line(reply: str, before: str) -> str:
    """Return the line of the text before it that a short reply picks or answers; "" for most."""
    if len(reply) > LONGEST_REPLY or not before:
        return ""
    picked = _PICK.fullmatch(reply)
    if picked:
        said = picked["mark"].lower()
        mark = _ORDINALS.get(said) or (str(int(said)) if said.isdecimal() else said)
        named = rf"(?:(?:option|plan|方案|选项)\s?)?[(（]?{re.escape(mark)}(?:[).:：、．）]|\*\*)\s?\S"
        option = re.compile(rf"[ \t]{{0,8}}(?:[-*•]\s{{1,3}})?\W{{0,3}}{named}", re.IGNORECASE)
        return _shown(next((line for line in before.split("\n") if option.match(line)), ""))
    if _AGREES.fullmatch(reply):
        lines = [line for line in before.split("\n") if line.strip()][-QUESTION_WITHIN:]
        return _shown(next((line for line in reversed(lines) if "?" in line or "？" in line), ""))
    return ""


def put_line(reply: str, question: str) -> str:
    """Return the last line of a question that was put through a tool, where the reply is short; "" elsewhere."""
    if len(reply) > LONGEST_PICK:
        return ""
    return _shown(next((line for line in reversed(question.split("\n")) if line.strip()), ""))


def _shown(line: str) -> str:
    line = line.strip()
    return line if len(line) <= LONGEST_LINE else line[:LONGEST_LINE] + " …"
