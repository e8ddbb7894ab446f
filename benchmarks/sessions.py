"""Sessions: folders of transcripts of any known agent, read as messages in Anthropic form; and where they are cut."""

from __future__ import annotations

import gzip
import json
import random
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.texts import MESSAGE_TOKENS, Message, count_tokens, size_of, text_of, typed_in
from memory.conversation import Form, convert, read_transcript
from memory.errors import TranscriptError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BUNDLED = Path(__file__).resolve().parent / "data"
_ENDINGS = (".json", ".jsonl", ".traj", ".json.gz", ".jsonl.gz", ".traj.gz")
_CHINESE_SHARE = 0.2


@dataclass(frozen=True, eq=False)
class Session:
    """One conversation with an agent.

    Attributes:
        name: of its file.
        messages: user and assistant messages in Anthropic form, `isCompactSummary` where an agent compacted.
    """

    name: str
    messages: list[Message]

    @cached_property
    def tokens(self) -> int:
        """Its size."""
        return size_of(self.messages)

    @cached_property
    def language(self) -> str:
        """Whether its person types English or Chinese: "zh" from a fifth of Chinese letters on, otherwise "en"."""
        text = "".join(text for message in self.messages for text in typed_in(message))
        chinese = sum("\u4e00" <= letter <= "\u9fff" for letter in text)
        letters = sum(letter.isalpha() for letter in text)
        return "zh" if letters and chinese / letters >= _CHINESE_SHARE else "en"


def load_session(path: Path) -> Session:
    """Read a transcript.

    Args:
        path: of a transcript that `memory.read_transcript` knows, or JSON of the form {"id", "agent", "messages"}.

    Raises:
        TranscriptError: it holds no conversation.
    """
    if path.name.endswith((".json", ".json.gz")):
        data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        value = json.loads(data)
        if isinstance(value, dict) and isinstance(value.get("messages"), list) and "agent" in value:
            return Session(_stem(path), _spoken(value["messages"]))
    transcript = read_transcript(path)
    messages: list[dict[str, Any]] = []
    for message in transcript:
        for value in convert([message], Form.ANTHROPIC):
            flags = {"isCompactSummary": True} if message.meta.is_compact_summary else {}
            messages.append({"role": value["role"], "content": value["content"], **flags})
    return Session(_stem(path), _joined(_spoken(messages)))


def _stem(path: Path) -> str:
    return path.name.removesuffix(".gz").rsplit(".", 1)[0]


def _spoken(messages: Iterable[Message]) -> list[Message]:
    return [m for m in messages if m["role"] in ("user", "assistant")]


def _joined(messages: Sequence[Message]) -> list[Message]:
    """Bring neighbours of one role together where calls or results of one turn were converted one by one."""
    joined: list[Message] = []
    for message in messages:
        last = joined[-1] if joined else None
        if last and last["role"] == message["role"] and _has_tools(last) and _has_tools(message):
            joined[-1] = {**last, "content": [*_listed(last), *_listed(message)]}
        else:
            joined.append(message)
    return joined


def _listed(message: Message) -> list[dict[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)


def _has_tools(message: Message) -> bool:
    return any(block.get("type") in ("tool_use", "tool_result") for block in _listed(message))


def session_files(folder: Path) -> list[Path]:
    """Return the transcripts of a folder and the folders in it, sorted by path; a file stands for itself.

    Raises:
        FileNotFoundError: there is no such place, or no transcript in it.
    """
    if folder.is_file():
        return [folder]
    files = sorted(path for path in folder.rglob("*") if path.name.endswith(_ENDINGS) and path.is_file())
    if folder == BUNDLED:
        files = [path for path in files if "session" in path.name]
    if not files:
        raise FileNotFoundError(f"no transcript in {str(folder)!r}; it should hold files of {_ENDINGS}")
    return files


def load_sessions(folder: Path, limit: int | None = None) -> list[Session]:
    """Read the sessions of a folder; what holds no conversation is passed over."""
    sessions = []
    for path in session_files(folder):
        try:
            sessions.append(load_session(path))
        except (TranscriptError, json.JSONDecodeError, KeyError, OSError) as error:
            print(f"passed over {path.name}: {error}")
        if len(sessions) == limit:
            break
    return sessions


def cuts_of(messages: Sequence[Message], number: int, least: int) -> list[int]:
    """Return places where the agent is about to act and something is to be compacted.

    Args:
        messages: a session.
        number: how many, evenly spread.
        least: tokens before the place.
    """
    before = 0
    places = []
    for i, message in enumerate(messages):
        acts = message["role"] == "assistant" and i and messages[i - 1]["role"] == "user"
        if acts and before >= least and i + 6 < len(messages):
            places.append(i)
        before += count_tokens(text_of(message)) + MESSAGE_TOKENS
    if len(places) <= number:
        return places
    step = len(places) / number
    return [places[int(step * k + step / 2)] for k in range(number)]


def generated_session(tokens: int, seed: int = 1) -> Session:
    """Make up a session of reading, editing and testing a small service, of about so many tokens.

    For measuring time and memory at sizes that few real sessions have, and for tests; no measure of quality.
    """
    chance = random.Random(seed)  # noqa: S311  # made-up data
    nouns = ("order", "invoice", "cart", "ledger", "parcel", "tariff", "refund", "voucher", "depot", "route")
    verbs = ("load", "price", "merge", "check", "send", "store", "count", "split", "retry", "close")
    messages: list[Message] = []
    total = turn = 0
    while total < tokens:
        noun, verb = chance.choice(nouns), chance.choice(verbs)
        path = f"src/{noun}s/{verb}_{noun}.py"
        new: list[Message] = []
        if turn % 15 == 0:
            rule = f"always keep {verb}_{noun} below {chance.randrange(100, 999)} ms"
            new.append({"role": "user", "content": f"Please fix {verb}_{noun} in {path}; {rule}."})
        lines = [
            f"def {chance.choice(verbs)}_{chance.choice(nouns)}_{chance.randrange(9999)}(value):  # {word}"
            for word in chance.choices(nouns, k=chance.randrange(20, 80))
        ]
        name, given = chance.choice(
            (
                ("Read", {"file_path": path}),
                ("Bash", {"command": f"pytest tests/test_{noun}.py -k {verb} --maxfail={turn % 9 + 1}"}),
                ("Edit", {"file_path": path, "old_string": lines[0], "new_string": lines[-1]}),
            )
        )
        call = f"call_{turn}"
        use = {"type": "tool_use", "id": call, "name": name, "input": given}
        said = {"type": "text", "text": f"Looking at {verb}_{noun} next."}
        shown = {"type": "tool_result", "tool_use_id": call, "content": "\n".join(lines)}
        new += [{"role": "assistant", "content": [said, use]}, {"role": "user", "content": [shown]}]
        messages += new
        total += size_of(new)
        turn += 1
    return Session(f"generated-{tokens}", messages)
