"""Graded reading: sheets for readers and graders of yours, people or models, and the sum of their grades.

Could somebody who sees only the compacted context go on working? A folder for each place in a session gets

* `before.txt` and `next.txt`: all that stood there, and what the agent did next, for whoever writes the questions;
* `A.txt`, `B.txt`, ...: what is left by each system, in an order by chance; a fresh reader sees one of them alone;
* `questions.md`, `reader.md`, `grader.md`: what to tell them.

`key.json` says which letter is which system; neither readers nor graders may see it. Put the grades into `grades.json`
of each folder, `{"A": [1, 0.5, ...], "B": [...]}`, one for each question, and call this again with `--grades`.

usage: python -m benchmarks.reading --out FOLDER [--sessions DIR] [--budget 4000 8000] [--cuts 1] [--limit 8]
       python -m benchmarks.reading --grades FOLDER
"""

from __future__ import annotations

import json
import random
import sys
from collections import defaultdict
from pathlib import Path
from string import ascii_uppercase
from typing import TYPE_CHECKING, Any

from benchmarks.figures import mean, table
from benchmarks.options import Options, parse_options
from benchmarks.sessions import cuts_of
from benchmarks.systems import System, keep_last, our_system, timed
from benchmarks.texts import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

NEXT = 12
"""Messages behind the place that tell what the agent did."""
LEAST = 4
"""Times the largest budget that has to stand before a place."""
INSTRUCTIONS = {
    "questions": """\
Write nine questions that somebody must be able to answer to take over this work at this point: two on rules the person
gave, one on what is asked for now, two on artifacts (which file, what is in it), one on an error and what came of it,
one on a decision and its reason, one on a detail such as a value, one on the next step. For each, give a reference
answer of at most three sentences, and the key facts in the words of the session. Ask nothing that general knowledge
answers, and nothing that stands in the last message.""",
    "reader": """\
Below is all you know of some work that an agent did for a person. Answer each question from it alone. Where the answer
is not there, write UNKNOWN. Do not guess. At most three sentences each.""",
    "grader": """\
Grade each answer against its reference: 1 for all key facts and nothing wrong, 0.75 where a minor one is missing, 0.5
for half of them, 0.25 for little, 0 for UNKNOWN or wrong. A confident wrong answer is 0, even where it is close. Judge
each answer by itself.""",
}


def write_sheets(options: Options, systems: Iterable[System], folder: Path) -> dict[str, dict[str, str]]:
    """Write the sheets of all places; return which letter is which system, by place."""
    chance = random.Random(1)  # noqa: S311  # an order, no secret
    key: dict[str, dict[str, str]] = {}
    for session in options.load():
        for cut in cuts_of(session.messages, options.cuts, LEAST * max(options.budgets)):
            prefix = session.messages[:cut]
            place = folder / f"{session.name}-{cut}"
            contexts = {
                f"{system.name}, {budget:,}": system.compact(prefix, budget).messages
                for system in systems
                for budget in options.budgets
            }
            names = sorted(contexts)
            chance.shuffle(names)
            letters = dict(zip(ascii_uppercase, names, strict=False))
            written = {letter: contexts[name] for letter, name in letters.items()}
            written |= {"before": prefix, "next": session.messages[cut : cut + NEXT]}
            place.mkdir(parents=True, exist_ok=True)
            for name, messages in written.items():
                (place / f"{name}.txt").write_text(_shown(messages), encoding="utf-8", errors="replace")
            for name, text in INSTRUCTIONS.items():
                (place / f"{name}.md").write_text(text + "\n", encoding="utf-8")
            key[place.name] = letters
    (folder / "key.json").write_text(json.dumps(key, indent=1, ensure_ascii=False), encoding="utf-8")
    return key


def summed(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the mean grade of each system, and of how many answers.

    Raises:
        ValueError: a place has grades of a letter that it does not have, or below 0 or above 1.
    """
    key: Mapping[str, Mapping[str, str]] = json.loads((folder / "key.json").read_text(encoding="utf-8"))
    grades: dict[str, list[float]] = defaultdict(list)
    for place, letters in key.items():
        path = folder / place / "grades.json"
        if not path.exists():
            continue
        for letter, given in json.loads(path.read_text(encoding="utf-8")).items():
            if letter not in letters or not all(0 <= grade <= 1 for grade in given):
                raise ValueError(f"{path}: {letter!r}: {given}; letters are {', '.join(letters)}, grades 0 to 1")
            grades[letters[letter]] += given
    return {name: {"graded": mean(given), "answers": len(given)} for name, given in sorted(grades.items())}


def _shown(messages: Iterable[Mapping[str, Any]]) -> str:
    return "\n\n".join(f"--- {message['role']}\n{text_of(message)}" for message in messages)


def main() -> None:
    """Write sheets, or sum grades up."""
    if "--grades" in sys.argv[1:-1]:
        found = summed(Path(sys.argv[sys.argv.index("--grades") + 1]))
        print(table(["system", "graded", "answers"], [[name, *row.values()] for name, row in found.items()]))
        return
    options = parse_options(__doc__)
    written = write_sheets(options, [our_system(), System("keep-last", timed(keep_last))], options.out)
    print(f"{len(written)} places in {options.out}")


if __name__ == "__main__":
    main()
