"""The same journey for every framework: twelve asks, five tool calls each, rules typed along the way.

A framework's fake model asks `Journey.step` what to say, after it has handed what it was sent to `Journey.sent`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from condense import CondenseConfig, TokenBudget
from condense.compaction.validity import violations
from memory.conversation.tokens.counting import count_message, default_counter
from memory.conversation.wire.parsing import parse_messages

WINDOW = 6_000
BUDGET = TokenBudget(window=WINDOW, trigger=4_500, target=2_500)
CONFIG = CondenseConfig(budget=BUDGET, weigh_costs=False)
ASKS, CALLS = 12, 5
RULES = (
    "Never touch the migrations folder.",
    "请始终使用 PostgreSQL,不要用 MySQL。",
    "The API must listen on port 3001.",
    "所有提交信息都用中文写。",
    "Always run the tests with pnpm, never with npm.",
)


@dataclass(frozen=True)
class Call:
    id: str
    name: str
    arguments: dict


@dataclass
class Journey:
    """One conversation: what its person types, what its model says, and what the model was sent.

    `name` stands in everything that is said, so that two journeys that mix are seen.
    """

    name: str = "north"
    calls: int = 0
    problems: list[str] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    last: str = ""

    @property
    def asks(self) -> list[str]:
        """What the person types, in turn."""
        rules = dict(zip((0, 1, 3, 4, 6), RULES, strict=True))
        return [
            f"Please write part {k} of the {self.name} importer. {rules.get(k, '')}".strip() for k in range(ASKS)
        ]

    def read_file(self, path: str) -> str:
        """The tool's output: about 150 tokens."""
        return "\n".join(f"{n:>4}\tdef {self.name}_{path[:-3]}_{n}(row): return row[{n}]" for n in range(10))

    def sent(self, values: list[dict], form: str, *, overhead: int = 0) -> None:
        """Check what a model was sent: wire messages of an API, as the framework's own converter writes them."""
        messages = parse_messages(values, form)
        self.problems += [f"call {self.calls}: {v.rule} at {v.index}: {v.detail}" for v in violations(messages)]
        count = default_counter()
        self.sizes.append(sum(count_message(message, count) for message in messages) + overhead)
        if self.sizes[-1] > WINDOW:
            self.problems.append(f"call {self.calls}: {self.sizes[-1]} tokens")
        self.last = json.dumps(values, ensure_ascii=False)
        other = {"north": "south", "south": "north"}[self.name]
        if f"{other} importer" in self.last or f"{other}_mod" in self.last:
            self.problems.append(f"call {self.calls}: holds what the other conversation said")

    def step(self) -> Call | str:
        """What the model says next: a tool call, or its answer to the ask."""
        ask, k = divmod(self.calls, CALLS + 1)
        self.calls += 1
        if k == CALLS:
            return f"Part {ask} of the {self.name} importer is written."
        number = ask * CALLS + k
        return Call(f"call_{self.name}_{number}", "read_file", {"path": f"mod_{number}.py"})

    def check(self) -> None:
        """Fail where a call was not valid, over the window, or the last one lacks a rule."""
        assert self.calls == ASKS * (CALLS + 1)
        assert len(self.sizes) == self.calls
        assert not self.problems, self.problems[:3]
        assert sum(self.sizes) > 0
        missing = [rule for rule in RULES if rule not in self.last]
        assert not missing, missing
