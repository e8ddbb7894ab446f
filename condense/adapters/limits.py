"""Windows of models; when to compact and how far, in the words of LangChain's middleware; settings, checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from condense.config import CondenseConfig

Size = tuple[str, float]
Clause = Mapping[str, float]
Trigger = Size | Clause | list[Size | Clause]

FULL, SHARE, LEAST, WORTH = 0.8, 0.44, 2_000, 1.1
"""Share of the room that triggers, and that a target has at most; share of the trigger that a compaction leaves (where
messages alone trigger, of what there is, but not less than so many tokens); how much more there must be.  Chosen."""


WINDOW = 200_000
"""Tokens that go into a model that is not known (chosen)."""
_WINDOWS = {
    name: tokens
    for tokens, names in (
        (4_096, "gpt-3.5-turbo-0613"),
        (8_192, "gpt-4 gemini-2.5-pro-preview-tts gemini-gemma"),
        (16_385, "gpt-3.5-turbo"),
        (65_536, "deepseek"),
        (128_000, "gpt-4o chatgpt-4o gpt-4-turbo gpt-4-1106 gpt-4-0125 gpt-5-chat gpt-5.1-chat gpt-5.2-chat"),
        (128_000, "gpt-5.3-chat o1-mini o1-preview gemini-2.5-computer-use glm-4 codestral"),
        (131_072, "deepseek-chat deepseek-reasoner deepseek-v3.2 gemini-omni gemini-robotics gemma-3 grok-3"),
        (200_000, "claude o1 o3 o4 glm-4.6 glm-4.7 glm-5"),
        (256_000, "grok-4 grok-code grok-build devstral kimi-k2"),
        (272_000, "gpt-5 gpt-5.4-mini gpt-5.4-nano gpt-5.6-cyber"),
        (500_000, "grok-4.5 grok-4.6 grok-4.7"),
        (922_000, "gpt-5.4 gpt-5.5 gpt-5.6 gpt-6"),
        (
            1_000_000,
            "claude-fable-5 claude-mythos claude-opus-4-6 claude-opus-4-7 claude-opus-4-8 claude-opus-5",
        ),
        (1_000_000, "claude-sonnet-4-6 claude-sonnet-5 claude-haiku-5 deepseek-v4 deepseek-flash"),
        (1_000_000, "glm-5.2 glm-5.3 kimi-k3 grok-4.20 grok-4.3"),
        (1_047_576, "gpt-4.1"),
        (1_048_576, "gemini"),
    )
    for name in names.split()
}
"""Tokens that go in, by how a model's name begins: `max_input_tokens` of the table of LiteLLM 1.110, or less where that
counts the answer, too (gpt-5.1-codex, gpt-5.4, gpt-5.5).  A test compares them with the table that is installed."""
_KNOWN = re.compile(rf"(?<![a-z0-9])({'|'.join(sorted(map(re.escape, _WINDOWS), key=len, reverse=True))})")


def window_of(model: str, unknown: int = WINDOW) -> int:
    """Return how many tokens a model takes in by its name, whatever provider stands before it; else `unknown`."""
    name = model.lower()
    found = _KNOWN.search(name.replace(".", "-") if "claude" in name else name)
    return _WINDOWS[found[1]] if found else unknown


class Limits:
    """A trigger and a target, checked: a `ValueError` names what is wrong.

    Args:
        trigger: a pair of a kind ("tokens", "messages", "fraction") and a number; a dict of such, which must all hold;
            or a list of these, any of which is enough.
        keep: a pair; of messages, how many of the newest stay as they are, else the same as `target`.
        target: tokens, or a pair of another kind than messages; None: a share of the trigger.
    """

    def __init__(self, trigger: Trigger, keep: Size | None, target: int | Size | None) -> None:
        self._clauses = _clauses(trigger)
        kind, number = _sized("keep", keep) if keep is not None else ("messages", 0)
        self.keep = int(number) if kind == "messages" else 0
        is_own = target is not None
        if target is None and kind != "messages":
            target = (kind, number)
        pair = ("tokens", target) if isinstance(target, int) else target
        self._target: Clause = dict([_sized("target", pair, ("tokens", "fraction"))] if pair else ())
        for kind in ("tokens", "fraction"):
            least = min((clause[kind] for clause in self._clauses if kind in clause), default=None)
            if is_own and least is not None and self._target.get(kind, 0) > least:
                raise ValueError(f"target: {target!r} is above the trigger of {least:,} {kind}")

    def aim(self, said: int, number: int, room: int, counted: int | None = None) -> int:
        """Return what `said` tokens of `number` messages should come down to now, 0 where they may stay.

        `room` is what the window leaves them; `counted`, what they are by the counter that triggers go by.
        """
        counted = said if counted is None else counted
        limits = [(clause.get("messages", 0), _tokens(clause, room)) for clause in self._clauses]
        met = [tokens for least, tokens in limits if number >= least and counted >= tokens]
        if not met and said <= room:
            return 0
        aim = _tokens(self._target, room)
        if not aim:
            aim = int(SHARE * min(met)) if any(met) else max(LEAST, int(SHARE * said))
        aim = min(aim, int(FULL * room))
        return aim if said > WORTH * aim else 0


def _clauses(trigger: Any) -> list[Clause]:
    clauses: list[Clause] = []
    for item in trigger if isinstance(trigger, list) else [trigger]:
        pairs = item.items() if isinstance(item, Mapping) else [item] if isinstance(item, tuple) else None
        if not pairs:
            raise ValueError(f"trigger: {item!r} should be a pair or a dict, such as ('tokens', 50_000)")
        clauses.append(dict(_sized("trigger", pair) for pair in pairs))
    return clauses


def _sized(name: str, size: Any, kinds: tuple[str, ...] = ("tokens", "fraction", "messages")) -> Size:
    kind, value = size if isinstance(size, tuple) and len(size) == 2 else (None, size)  # noqa: PLR2004  # a pair
    if kind not in kinds:
        raise ValueError(f"{name}: {size!r} should be a pair, its first {' or '.join(map(repr, kinds))}")
    whole = isinstance(value, int) and not isinstance(value, bool) and value > 0
    if not (isinstance(value, int | float) and 0 < value <= 1 if kind == "fraction" else whole):
        right = "above 0 and at most 1" if kind == "fraction" else "a whole number above 0"
        raise ValueError(f"{name}: {value!r} of {kind!r} should be {right}")
    return kind, value


def _tokens(clause: Clause, room: int) -> int:
    """Return the most tokens that a clause names, 0 where it names none."""
    return max(int(clause.get("tokens", 0)), int(clause.get("fraction", 0) * room))


def checked(config: CondenseConfig | None, store: object, memory: object) -> CondenseConfig:
    """Return the settings, or the defaults; a `TypeError` names what is no setting, store or memory."""
    if not isinstance(config, CondenseConfig | None):
        raise TypeError(f"config is {config!r}; it should be a CondenseConfig")
    if not (store is None or isinstance(store, Path | str) or hasattr(store, "put_record")):
        raise TypeError(f"store is {store!r}; it should be a store, its file or the URL of its database")
    if not (memory is None or isinstance(memory, Path | str) or hasattr(memory, "relevant_memories")):
        raise TypeError(f"memory is {memory!r}; it should be a PersistentMemoryManager or a folder")
    return config or CondenseConfig()
