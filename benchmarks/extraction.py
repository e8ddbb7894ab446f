"""Extraction: what is remembered of typed messages, against labels made by hand.

A label file holds a JSON object a line: {"text", "before" (end of the assistant's text before), "lang", "memories":
[{"quote", "type", "priority"}]}. A memory and a labelled quote match when their character bigrams have a Dice
coefficient of at least 0.5, or one holds the other and is at most three times as long.

* precision: memories that match a quote; recall: quotes that a memory matches; noise: messages with nothing durable
  from which something was extracted all the same;
* type, priority: of the quotes found, those whose type is right, and whose priority is right within one step.

Beside ours: the documented patterns of the system this one continues, every sentence as a memory, and nothing.

usage: python -m benchmarks.extraction [--labels FILE.jsonl]
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from benchmarks.figures import Figures, share, table
from benchmarks.options import Options, parse_options, save
from benchmarks.original_patterns import documented
from memory import ConversationMemory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    Memory = tuple[str, str, str]
    Extract = Callable[[str, str], list[Memory]]

_RANKS = {"low": 0, "medium": 1, "high": 2, "critical": 3}
_BINDING = ("critical", "high")
_DICE = 0.5
_TIMES = 3
_GRACE = 12
_UNKNOWN_RANK = 9


def extract(text: str, before: str = "") -> list[Memory]:
    """Return what our memory makes of one typed message, as (content, type, priority)."""
    memory = ConversationMemory("benchmark")
    said = [{"role": "assistant", "content": before}] if before else []
    memory.extract_memories([*said, {"role": "user", "content": text}])
    return [(m.content, m.type.value, m.priority.value) for m in memory.get_all_memories()]


def every_sentence(text: str, before: str = "") -> list[Memory]:  # noqa: ARG001  # one signature for all
    """Call every sentence a memory: the mark that recall cannot pass, and the least precision."""
    sentences = re.split(r"(?<=[.!?])\s+|[。！？；\n]+", text)
    return [(s.strip(), "user_instruction", "high") for s in sentences if len(s.strip()) > 3]


@lru_cache(maxsize=8192)
def _bigrams(text: str) -> tuple[str, Counter[str]]:
    plain = " ".join(text.lower().split())
    return plain, Counter(plain[i : i + 2] for i in range(max(1, len(plain) - 1)))


def matches(memory: str, quote: str) -> bool:
    """Tell whether a memory is what a quote says."""
    (one, ones), (other, others) = _bigrams(memory), _bigrams(quote)
    if not one or not other:
        return False
    short, long = sorted((len(one), len(other)))
    if (one in other or other in one) and long <= _TIMES * short + _GRACE:
        return True
    return 2 * (ones & others).total() >= _DICE * (ones.total() + others.total())


def measure(extractor: Extract, rows: Iterable[Mapping[str, Any]]) -> dict[str, Counter[str]]:
    """Count matches over labelled messages, for all of them and by language."""
    counts: dict[str, Counter[str]] = {"all": Counter()}
    for row in rows:
        language = {"en": "en", "und": "en", "zh": "zh"}.get(row.get("lang", "en"), "other")
        found = extractor(row["text"], row.get("before") or "")
        message = _of_message(found, row["memories"])
        for key in ("all", language):
            counts.setdefault(key, Counter()).update(message)
    return counts


def _of_message(found: Sequence[Memory], gold: Sequence[Mapping[str, Any]]) -> Counter[str]:
    count: Counter[str] = Counter(messages=1)
    for label in gold:
        kinds = ("all", f"type:{label['type']}", f"priority:{label['priority']}")
        hits = [memory for memory in found if matches(memory[0], label["quote"])]
        rank = _RANKS[label["priority"]]
        count.update(f"gold {kind}" for kind in kinds)
        count["gold binding"] += label["priority"] in _BINDING
        if hits:
            count.update(f"found {kind}" for kind in kinds)
            count["found binding"] += label["priority"] in _BINDING
            count["typed"] += any(kind == label["type"] for _, kind, _ in hits)
            count["ranked"] += any(abs(_RANKS.get(p, _UNKNOWN_RANK) - rank) <= 1 for _, _, p in hits)
    for content, kind, priority in found:
        kinds = ("all", f"type:{kind}", f"priority:{priority}")
        count.update(f"said {one}" for one in kinds)
        if any(matches(content, label["quote"]) for label in gold):
            count.update(f"right {one}" for one in kinds)
    if not gold:
        count["empty"] += 1
        count["empty hit"] += bool(found)
    return count


def scores(count: Counter[str], kind: str = "all") -> Figures:
    """Return precision, recall and F1 of one kind of memory."""
    precision = share(count[f"right {kind}"], count[f"said {kind}"])
    recall = share(count[f"found {kind}"], count[f"gold {kind}"])
    both = (precision or 0) + (recall or 0)
    f1 = 2 * (precision or 0) * (recall or 0) / both if both else 0.0
    return {
        "precision": precision,
        "recall": recall,
        "f1": f1,
        "gold": count[f"gold {kind}"],
        "said": count[f"said {kind}"],
    }


def summed(count: Counter[str]) -> Figures:
    """Return all measures of one extractor."""
    return scores(count) | {
        "messages": count["messages"],
        "binding_recall": share(count["found binding"], count["gold binding"]),
        "type": share(count["typed"], count["found all"]),
        "priority": share(count["ranked"], count["found all"]),
        "noise": share(count["empty hit"], count["empty"]),
    }


EXTRACTORS: dict[str, Extract] = {
    "holdfast": extract,
    "documented patterns": documented,
    "every sentence": every_sentence,
}


def run(options: Options) -> dict[str, object]:
    """Measure on the labels of the options; return what goes into `results.json`."""
    rows = options.labelled()
    found: dict[str, object] = {}
    lines: list[list[object]] = []
    columns = ("precision", "recall", "f1", "binding_recall", "type", "priority", "noise", "gold", "said")
    for name, extractor in EXTRACTORS.items():
        counts = measure(extractor, rows)
        languages = {language: summed(count) for language, count in sorted(counts.items())}
        whole = counts["all"]
        kinds = sorted({key.split(" ", 1)[1] for key in whole if ":" in key})
        found[name] = {
            "languages": languages,
            "kinds": {kind: scores(whole, kind) for kind in kinds},
        }
        lines += [[f"{name} ({one})", *(row[c] for c in columns)] for one, row in languages.items()]
    print(table(["extractor", *columns], lines))
    return {"labels": options.labels is not None, "extractors": found}


def main() -> None:
    """Run this piece alone."""
    options = parse_options(__doc__)
    save(options, "extraction", run(options))


if __name__ == "__main__":
    main()
