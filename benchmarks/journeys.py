"""A scripted journey of an agent with tools, for `frameworks`: what is typed, said and printed, with planted facts.

Twelve asks, five tool calls each, about 40,000 tokens in all. Planted are rules (Chinese and English) and values that
the person types, conclusions in the assistant's text, and details of outputs (a name, a path with its line, a failing
test, a number, a checksum) that later calls of the script take up again. Which details are needed later is drawn by
the seed, and nothing marks them among their likes.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

ASKS, CALLS = 12, 5
NEEDING = 0.6
"""Share of the calls that take up a detail of an earlier output (chosen)."""
NEAREST, FARTHEST = 1, 30
"""How many calls back the output lies that a detail is taken from (chosen)."""

RULES = {
    0: "Never touch anything under db/migrations.",
    1: "所有提交信息都必须用中文写。",
    2: "Always run the tests with pnpm, never with npm.",
    3: "不要引入新的第三方依赖。",
    5: "Do not catch exceptions without logging them.",
    6: "请始终使用 PostgreSQL,不要用 MySQL。",
    8: "Public functions must have type annotations.",
    9: "日志里绝不能出现客户的手机号。",
}
VALUES = {
    0: ("The importer reads batches of 370 rows.", "batches of 370 rows"),
    1: ("The staging host is ledger-stage.example.net.", "ledger-stage.example.net"),
    2: ("我们决定用方案 B:事件溯源。", "方案 B:事件溯源"),
    3: ("Take port 8473 for the gateway.", "port 8473"),
    4: ("The exchange fee is 0.0125 from April on.", "0.0125"),
    5: ("超时时间设为 42 秒。", "42 秒"),
    6: ("We go with Redis streams, not Kafka.", "Redis streams, not Kafka"),
    7: ("The bucket is called acme-ledger-eu.", "acme-ledger-eu"),
    8: ("重试次数最多 6 次。", "最多 6 次"),
    9: ("Name the release branch release/2031-q3.", "release/2031-q3"),
}
CONCLUSIONS = {
    0: "The cause of the drift is that settle_total truncates instead of rounding half to even.",
    1: "The nightly job is slow because each row opens its own connection.",
    2: "The flaky test depends on the order of the dictionary keys.",
    3: "The gateway drops headers that are longer than 4096 bytes.",
    4: "The fee is applied twice, once in the quote and once in the invoice.",
    5: "Retries never stop, for the deadline is computed anew in each attempt.",
    6: "Two workers claim the same entry, since the lock expires after 30 seconds.",
    7: "Uploads fail only for names with a plus sign, which the signer does not quote.",
    8: "The cache returns stale quotes, as its key lacks the currency.",
    9: "The export omits the last page when its size is a multiple of 500.",
    10: "The memory grows because the parser keeps every frame of a failed upload.",
}
TOPICS = (
    "ledger", "importer", "quotes", "gateway", "fees", "retries", "queue", "uploads", "cache", "export", "parser",
    "release",
)  # fmt: skip
_VERBS = (
    "settle",
    "load",
    "merge",
    "check",
    "route",
    "quote",
    "flush",
    "parse",
    "claim",
    "close",
    "split",
    "fetch",
)
_NOUNS = (
    "entry",
    "batch",
    "invoice",
    "header",
    "frame",
    "page",
    "account",
    "window",
    "cursor",
    "token",
    "bucket",
    "row",
)


@dataclass(frozen=True)
class Call:
    """One tool call of the script; `needs` is the detail that it takes from the output `back` calls before, or ""."""

    id: str
    name: str
    arguments: dict[str, str]
    says: str = ""
    needs: str = ""
    back: int = 0


@dataclass
class Journey:
    """One conversation, drawn by a seed: asks, what the model says to each request, what the tools print.

    Attributes:
        seed: of the draw.
        asks: what the person types, in turn.
        steps: what the model says to each request, in turn: a call, or its answer.
        outputs: what each call prints, by the id it was given as its `key`.
    """

    seed: int
    count: int = ASKS
    asks: list[str] = field(default_factory=list)
    steps: list[Call | str] = field(default_factory=list)
    outputs: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Draw it."""
        chance = random.Random(self.seed)  # noqa: S311  # the same journey for everybody
        details: list[list[str]] = []
        for ask in range(self.count):
            topic = TOPICS[ask % len(TOPICS)]
            value = VALUES.get(ask, ("",))[0]
            told = f"Please work on the {topic} now: find out what is wrong and mend it."
            self.asks.append(" ".join(part for part in (told, value, RULES.get(ask, "")) if part))
            for k in range(CALLS):
                number = ask * CALLS + k
                back = chance.randint(NEAREST, FARTHEST)
                needs = ""
                if back <= number and chance.random() < NEEDING:
                    needs = chance.choice(details[number - back])
                text, found = _output(chance, topic, number)
                details.append(found)
                self.outputs[str(number)] = text
                self.steps.append(_call(chance, topic, number, (needs, back)))
            self.steps.append(_answer(ask, topic))

    def run_tool(self, key: str) -> str:
        """Return what a call prints."""
        return self.outputs[key]

    @property
    def rules(self) -> list[str]:
        """Return the rules that were typed."""
        return [rule for ask, rule in RULES.items() if ask < self.count]

    @property
    def values(self) -> list[str]:
        """Return the values and decisions that were typed."""
        return [value for ask, (_, value) in VALUES.items() if ask < self.count]

    @property
    def conclusions(self) -> list[str]:
        """Return what the assistant concluded before its last answer."""
        return [said for ask, said in CONCLUSIONS.items() if ask < self.count - 1]


def _answer(ask: int, topic: str) -> str:
    found = CONCLUSIONS.get(ask, "")
    return f"I went through the {topic}. {found} It is mended, and the checks of the {topic} pass.".replace(
        "  ", " "
    )


def _call(chance: random.Random, topic: str, number: int, taken: tuple[str, int]) -> Call:
    needs, back = taken
    name = ("read_file", "search", "run_tests", "run_command")[number % 4]
    says = f"Let me look further into the {topic}." if chance.random() < 0.3 else ""
    return Call(
        f"call_{number}", name, {"key": str(number), "about": needs or f"{topic} {number}"}, says, needs, back
    )


def _name(chance: random.Random) -> str:
    return f"{chance.choice(_VERBS)}_{chance.choice(_NOUNS)}_{chance.randint(100, 999)}"


def _output(chance: random.Random, topic: str, number: int) -> tuple[str, list[str]]:
    """Return what a call prints, and the details in it that may be needed: one of about every third line."""
    writer = (_file, _hits, _tests, _log)[number % 4]
    pairs = [writer(chance, topic, line) for line in range(chance.randint(30, 62))]
    return "\n".join(text for text, _ in pairs), [detail for _, detail in pairs if detail]


def _file(chance: random.Random, topic: str, line: int) -> tuple[str, str]:
    name = _name(chance)
    if line % 3 == 0:
        return f"{line * 4 + 1:>4}\tdef {name}({chance.choice(_NOUNS)}, *, limit=None):", name
    if line % 3 == 1:
        return (
            f'{line * 4 + 1:>4}\t    """{chance.choice(_VERBS).title()} one {chance.choice(_NOUNS)} of the {topic}."""',
            "",
        )
    constant = f"{topic.upper()}_{chance.choice(_NOUNS).upper()} = {chance.randint(1000, 99999)}"
    return f"{line * 4 + 1:>4}\t{constant}", constant


def _hits(chance: random.Random, topic: str, line: int) -> tuple[str, str]:
    place = f"src/{topic}/{_name(chance)}.py:{chance.randint(10, 900)}"
    return (
        f"{place}:    return {chance.choice(_VERBS)}({chance.choice(_NOUNS)})",
        place if line % 3 == 0 else "",
    )


def _tests(chance: random.Random, topic: str, line: int) -> tuple[str, str]:
    test = f"tests/{topic}/test_{chance.choice(_NOUNS)}.py::test_{_name(chance)}"
    if line % 6 == 0:
        return (
            f"FAILED {test} - AssertionError: {chance.randint(100, 999)} != {chance.randint(100, 999)}",
            test,
        )
    return f"PASSED {test} [{chance.randint(1, 99)} %]", ""


def _log(chance: random.Random, topic: str, line: int) -> tuple[str, str]:
    digest = f"{chance.getrandbits(48):012x}"
    if line % 3 == 0:
        return (
            f"built {topic}-{chance.choice(_NOUNS)}.tar.gz sha256:{digest} in {chance.randint(1, 90)} s",
            digest,
        )
    return (
        f"step {line}: {chance.choice(_VERBS)} {chance.choice(_NOUNS)} ... ok ({chance.randint(1, 999)} ms)",
        "",
    )
