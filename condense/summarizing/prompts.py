"""The prompts, files of the package, one a purpose and language; filled in one pass: no content is a placeholder."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from importlib.resources import files

from condense.summarizing.requests import Purpose, SummaryRequest

LEAST_ANSWER = 4_096  # tokens an answer may have at least: models that think spend them first (chosen)
WORDS_PER_TOKEN = {"en": 0.7, "zh": 0.9}
"""Words or Chinese characters that a token is worth, a little less than usual; chosen, so that limits are kept."""


@cache
def template(name: str, language: str) -> str:
    """Read a prompt's text; `FileNotFoundError` where there is no such prompt."""
    path = files("condense.summarizing") / "prompts" / language / f"{name}.md"
    return path.read_text(encoding="utf-8").rstrip("\n")


def prompt(name: str, language: str, **values: object) -> str:
    """Fill a prompt; what is filled in is never read as a prompt itself, a missing value is a `KeyError`."""
    return re.sub(r"\{\{(\w{1,40})\}\}", lambda place: str(values[place[1]]), template(name, language))


def fenced(name: str, content: str) -> str:
    """Put a content between tags that it cannot close: they carry the content's own digest."""
    mark = blake2b(content.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
    return f'<{name} id="{mark}">\n{content}\n</{name} id="{mark}">'


@dataclass(frozen=True, slots=True)
class Question:
    """What a summary is asked with."""

    language: str  # of the prompts, "en" or "zh"
    limit: int  # tokens the summary should have at most, and the model takes
    window: int
    memories: str = ""  # the memory summary that must be carried, and lines from earlier tasks
    project: tuple[str, ...] = ()
    custom: str = ""  # the person's own instructions, in place of our sections
    previous: str = ""  # the summary so far

    @property
    def answer_tokens(self) -> int:
        """Tokens an answer may have: generous, but never more than a quarter of the window."""
        return min(max(LEAST_ANSWER, 2 * self.limit), self.window // 4)

    @property
    def overhead(self) -> str:
        """All that a request holds beside the transcript, for counting."""
        return "\n\n".join([self._system(), *self._context(), self._say("ask")])

    def summary_request(self, transcript: str, note: str = "") -> SummaryRequest:
        """Ask for the summary of a transcript; `note` says why the last answer was not good enough."""
        purpose = Purpose.UPDATE if self.previous.strip() else Purpose.SUMMARY
        return self._request(purpose, *self._context(), self._transcript(transcript), note=note)

    def part_request(self, transcript: str, number: int, total: int) -> SummaryRequest:
        """Ask for the summary of one part of a long transcript; the first carries the summary so far."""
        told = self._say("part", number=number, total=total)
        context = self._context() if number == 1 else []
        written = self._transcript(transcript, f" ({number}/{total})")
        return self._request(Purpose.PART, *context, written, extra=(told,))

    def merge_request(self, summaries: tuple[str, ...], note: str = "") -> SummaryRequest:
        """Ask for one summary of the summaries of parts."""
        parts = self._say("merge", parts="\n\n".join(fenced("part-summary", text) for text in summaries))
        context = replace(self, project=(), previous="")._context()  # noqa: SLF001  # of its own kind
        return self._request(Purpose.MERGE, *context, parts, note=note)

    def compress_request(self, summary: str, tokens: int) -> SummaryRequest:
        """Ask for a summary at a third of its length, which is `tokens`."""
        words = min(self._words(self.limit), self._words(tokens // 3))
        told = self._say("compress", words=words, summary=fenced("summary", summary))
        system = f"{self._say('role', words=words)}\n\n{self._say('security')}"
        return SummaryRequest(Purpose.COMPRESS, system, told, self.answer_tokens)

    def _say(self, name: str, **values: object) -> str:
        return prompt(name, self.language, **values)

    def _words(self, tokens: int) -> int:
        return max(20, int(tokens * WORDS_PER_TOKEN[self.language]))

    def _system(self, *extra: str) -> str:
        shape = self._say("custom", custom=self.custom) if self.custom.strip() else self._say("sections")
        role = self._say("role", words=self._words(self.limit))
        return "\n\n".join([role, shape, *extra, self._say("security")])

    def _context(self) -> list[str]:
        lines = "\n".join(f"- {line}" for line in self.project)
        told = (
            ("memories", "memories", self.memories),
            ("project", "project-memories", lines),
            ("previous", "previous-summary", self.previous),
        )
        return [self._say(name, **{name: fenced(tag, text)}) for name, tag, text in told if text.strip()]

    def _transcript(self, text: str, which: str = "") -> str:
        return self._say("transcript", which=which, transcript=fenced("transcript", text))

    def _request(
        self, purpose: Purpose, *blocks: str, extra: tuple[str, ...] = (), note: str = ""
    ) -> SummaryRequest:
        retry = [self._say("retry", reason=note)] if note else []
        asked = "\n\n".join([*blocks, *retry, self._say("ask")])
        return SummaryRequest(purpose, self._system(*extra), asked, self.answer_tokens)
