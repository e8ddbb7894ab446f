"""What a conversation says, by who says it: the ground that a summary is held against.

Who says it decides what it can bear out: a quote of the user only stands on typed text and on answers to
questions, a rule also on instructions that came with the request, a name on anything. Earlier summaries are
no source: what they say is neither expected again nor held to be invented.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from condense.reading import OPENING, SUMMARY_STARTS, TextIndex, ToolAction, read_call, squeezed, without_codes
from condense.verifying.sayings import Said, Sayings
from memory.conversation import PartKind, Role, typed_spans
from memory.extraction import carried_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from condense.reading import ToolUse
    from memory.conversation import Message
    from memory.entries import MemoryEntry


class Voice(StrEnum):
    """Who or what a passage is from."""

    TYPED = "typed"
    ANSWER = "answer"  # what a person chose or wrote when a tool asked
    GIVEN = "given"  # system prompts, instruction files, reminders: in the user's role, typed by nobody
    SAID = "said"
    THOUGHT = "thought"
    CALL = "call"
    RESULT = "result"
    ANCHOR = "anchor"  # an earlier summary


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a message (by index) in one voice, verbatim; `uses`: what a CALL, or the call of a RESULT, does."""

    message: int
    voice: Voice
    text: str
    uses: tuple[ToolUse, ...] = ()


_ANSWERED = re.compile(r"\s{0,9}(?:User has|The user) (?:has )?(?:answered|approved)")
_PROPOSAL = 2_000
"""Characters of what the assistant said last that a yes may be to (chosen: a question and its options fit)."""
_BY_ROLE = {Role.ASSISTANT: Voice.SAID, Role.TOOL: Voice.RESULT}


def _passages_of(messages: Sequence[Message]) -> Iterator[Passage]:
    calls: dict[str, tuple[ToolUse, ...]] = {}
    for index, message in enumerate(messages):
        if message.meta.is_compact_summary:
            yield Passage(index, Voice.ANCHOR, message.text)
            continue
        for part in message.parts:
            if part.kind is PartKind.TOOL_CALL:
                uses = read_call(part.name or "", part.arguments)
                calls |= {part.call_id: uses} if part.call_id else {}
                yield Passage(index, Voice.CALL, "\n".join(strings_of(part.arguments)), uses)
            elif part.kind is PartKind.TOOL_RESULT:
                uses = calls.get(part.call_id or "", ())
                asked = any(use.action is ToolAction.ASK for use in uses) or _ANSWERED.match(part.text)
                voice = Voice.ANSWER if asked else Voice.RESULT
                yield Passage(index, voice, without_codes(part.text), uses)
        yield from _texts_of(index, message)


def _texts_of(index: int, message: Message) -> Iterator[Passage]:
    spans = typed_spans(message)
    yield from (Passage(index, Voice.TYPED, span.text) for span in spans)
    for number, part in enumerate(message.parts):
        if part.kind is PartKind.THINKING:
            yield Passage(index, Voice.THOUGHT, part.text)
        elif part.kind is PartKind.TEXT and message.role in _BY_ROLE:
            yield Passage(index, _BY_ROLE[message.role], part.text)
        elif part.kind is PartKind.TEXT and part.text.lstrip().startswith((OPENING, *SUMMARY_STARTS)):
            yield Passage(index, Voice.ANCHOR, part.text)
        elif part.kind is PartKind.TEXT:
            at = 0
            for start, end in [(s.start, s.end) for s in spans if s.part == number] + [(len(part.text), 0)]:
                yield Passage(index, Voice.GIVEN, part.text[at:start].strip())
                at = end


def strings_of(value: object, depth: int = 8, *, keys: bool = False) -> Iterator[str]:
    """Yield the strings and numbers of a JSON value, or its keys, down to a depth."""
    if depth and isinstance(value, dict):
        for key, inner in value.items():
            yield from (str(key),) if keys else ()
            yield from strings_of(inner, depth - 1, keys=keys)
    elif depth and isinstance(value, list | tuple):
        for inner in value:
            yield from strings_of(inner, depth - 1, keys=keys)
    elif isinstance(value, str | int | float) and not isinstance(value, bool) and not keys:
        yield str(value)


class Ground:
    """A conversation, ready to be asked whether it bears something out; `memories` of earlier words count as typed."""

    PERSON = (Voice.TYPED, Voice.ANSWER)  # the voices of the person

    def __init__(self, messages: Sequence[Message], memories: Iterable[MemoryEntry] = ()) -> None:
        self.messages = messages
        self.passages = tuple(passage for passage in _passages_of(messages) if passage.text)
        self._remembered = tuple(entry.content for entry in memories if not entry.is_proposal)

    def texts(self, *voices: Voice) -> Iterator[str]:
        """Yield the passages of some voices, in order."""
        return (p.text for p in self.passages if p.voice in voices)

    @cached_property
    def everything(self) -> TextIndex:
        """All that was said, earlier summaries, memories and the names of tools and their arguments included."""
        calls = (part for message in self.messages for part in message.calls)
        words = dict.fromkeys(w for p in calls for w in (p.name or "", *strings_of(p.arguments, keys=True)))
        return TextIndex((*self.texts(*Voice), *self._remembered, *words))

    @cached_property
    def person(self) -> TextIndex:
        """What a person typed or answered, the items of lists with their heads too, and what is remembered of it."""
        said = tuple(self.texts(*self.PERSON))
        return TextIndex((*said, *(item for text in said for item in carried_in(text)), *self._remembered))

    @cached_property
    def anchor(self) -> TextIndex:
        """Earlier summaries."""
        return TextIndex(self.texts(Voice.ANCHOR))

    @cached_property
    def instructions(self) -> TextIndex:
        """What came with the requests without being typed: system prompts, instruction files, reminders."""
        return TextIndex(self.texts(Voice.GIVEN))

    def is_framed(self, quote: str) -> bool:
        """Tell whether a quote is a message that a person typed together with what its client put around it."""
        said = squeezed(quote)
        return any(said in whole and all(t in said for t in typed) for whole, typed in self._framed)

    @cached_property
    def _framed(self) -> list[tuple[str, list[str]]]:
        """Messages of which a person typed only a part: all letters, and the typed ones."""
        typed: dict[int, list[str]] = {}
        for passage in self.passages:
            if passage.voice is Voice.TYPED and (letters := squeezed(passage.text)):
                typed.setdefault(passage.message, []).append(letters)
        wholes = ((squeezed(self.messages[index].text), parts) for index, parts in typed.items())
        return [(whole, parts) for whole, parts in wholes if len(whole) > sum(map(len, parts))]

    @cached_property
    def sayings(self) -> Sayings:
        """What a person, their instructions and earlier summaries say, with what each says yes to."""
        return Sayings((*self._said(), *map(Said, self._remembered)))

    def _said(self) -> Iterator[Said]:
        proposed = ""
        for passage in self.passages:
            text, voice = passage.text, passage.voice
            if voice in (Voice.SAID, Voice.CALL):
                proposed = f"{proposed}\n{text}"[-_PROPOSAL:]
            elif voice in self.PERSON:
                refuses = _REFUSAL.match(text) is not None
                is_verdict = refuses or voice is Voice.ANSWER or assents(text)
                yield Said(text, proposed if is_verdict else "", refuses)
                proposed = proposed if voice is Voice.ANSWER else ""
            elif voice in (Voice.GIVEN, Voice.ANCHOR):
                yield Said(text)

    @cached_property
    def agreed(self) -> bool:
        """A person said yes to something, somewhere: a short assent, or an answer to a question."""
        answered = any(True for _ in self.texts(Voice.ANSWER))
        return answered or any(map(assents, (*self.texts(Voice.TYPED), *self._remembered)))


_ASSENT = re.compile(
    r"\b(?:yes|yep|yeah|yup|ok(?:ay)?|sure|go ahead|proceed|approved?|agreed?|lgtm|(?:looks|sounds) good|do it"
    r"|continue|correct|right|confirm(?:ed)?|please do|fine|great|perfect|go for it|keep going|carry on|ship it"
    r"|i like)\b|好|可以|同意|没问题|沒問題|继续|繼續|确认|確認|批准|是的|对的|對的|没错|沒錯|嗯|行[，。！,.!]|行$"
    r"|开始|開始|就这样|就這樣|按.{0,6}(?:来|做|办)",
    re.ASCII | re.IGNORECASE,
)
_YES_FIRST = re.compile(
    r"\W*(?:👍|✅|absolutely|definitely|of course|exactly|indeed|certainly|ja|jawohl|genau|gerne?|klar|passt"
    r"|einverstanden|in ordnung|mach (?:das|es|mal|so)|bitte (?:so|mach)|s[ií]|claro|vale|de acuerdo|adelante"
    r"|hazlo|perfecto|correcto|dale|est[áa] bi?e[nm]|me parece bien|oui|d['’]accord|vas-y|allez-y|parfait"
    r"|entendu|ça marche|très bien|volontiers|sim|pode (?:fazer|ser)|isso|faça|v[aá]i? em frente|de acordo"
    r"|perfeito|beleza|combinado|да|давай(?:те)?|хорошо|ладно|соглас(?:ен|на|ны)|конечно|делай(?:те)?|ок|ага"
    r"|верно|うん|それで(?:いい|お願い)|いいよ|やって|もちろん|賛成)(?!\w)"
    r"|\W*(?:はい|ええ|お願い|了解|承知|いいです|進めて)",
    re.IGNORECASE,
)
"""How people say yes elsewhere than in English and Chinese, where they say it: at the beginning."""
_REFUSAL = re.compile(
    r"\W*(?:(?:no|nope|nah|nein|non|não|нет|stop|don['’]t|do not)\b|(?:暂时|先|还是)?(?:不|别)|いいえ|だめ)",
    re.IGNORECASE,
)
_SHORT_ASSENT = 120  # assent stands at the beginning of what people type (chosen)


def assents(text: str) -> bool:
    """Tell whether a text says yes, in one of eight languages."""
    return bool(_ASSENT.search(text[:_SHORT_ASSENT]) or _YES_FIRST.match(text))
