"""Fill what is left of a ledger with the lines of folded messages that are most likely needed again."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from condense.ledger.document import Excerpt, Ledger, quoted_block
from condense.ledger.history import DEMONSTRATION
from condense.lines import LineChooser, commissioned, commissioned_keys, guide_keys, outline_lines, titled
from condense.reading import ToolAction, by_size, is_agent_summary, phrase, row_of
from memory.conversation import Role, count_message, make_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from condense.ledger.readings import Filling
    from condense.lines import ExcerptGroup, HistoryView, ScoredHistory
    from memory.conversation import Message

REPORT_BOOST = 1.5
"""Factor on the lines of the assistant's reports; 1 to 4 are alike in recall (measured)."""
OUTDATED_BOOST = 0.5
"""Factor on the lines of outputs that a later one repeats or makes untrue: what no longer holds misleads a reader."""
MISSED_BOOST = 0.3
"""Factor on the lines of an edit that failed, where a later one of the same file did not: the file never was so."""
UNSAVED_BOOST, UNSAVED_MESSAGES = 6.0, 10
"""Factor on the lines of the newest edit of a file where it failed, which is tried again (measured: .004 of the copied
text; 2 to 8 are alike), and messages after which it is given up; chosen."""
NOTE_BOOST, DEMONSTRATION_BOOST = 0.3, 0.05
"""Factors on the lines of texts that programs put into the user role, and of worked examples among them; chosen."""
SUMMARY_BOOST = 3.0
"""Factor on the lines of a summary that the agent made itself: all that is left of what came before it (measured on
the one recorded session that has one: names .67 become .84, copied text .39 becomes .54; 2 to 6 are alike)."""
READING = ((2500, 0.0), (5000, 1.0))
"""Targets between which what a reader needs more than its names tell comes to count in full: a smaller ledger has no
room for more than what is needed next (measured on recall at 3,000 and on questions at 4,000 tokens)."""
GUIDES_SHARE, GUIDES_FROM, GUIDES_MOST = 0.1, 2500, 600
"""Share of the target beyond so many tokens for what binds in documents that were read to go by, and tokens that they
take at most (measured on questions about rules: from .07 to .14 their facts rise from .865 to .893)."""
COMMISSIONED_SHARE, COMMISSIONED_MOST = 0.15, 2000
"""Share of the target, and tokens at most, for documents that a short request names (measured: questions .797 to .814;
names used long ago .850 to .840; .1 to .2 are alike)."""
AGAIN = 0.01
"""Share of the target that may stay free before the excerpts are chosen anew with it; chosen."""
OUTLINE_ROOM = ((3000, 850), (4000, 520), (8000, 300), (16_000, 560))
"""Tokens for the outline of what is not quoted, by target; between these in proportion (measured on the names that are
needed next: at 3,000 .68 become .77, at 8,000 .914 become .938, at 16,000 .939 become .954)."""
OUTLINE_SHARE = 0.28
"""Share of a smaller target that it takes at most; chosen."""
FIRST = 1e6
"""Factor on lines that come before all others."""
TRIES = 3
"""How often the excerpts are chosen anew where a counter says more of the whole than of its parts; chosen."""
TITLE = 6
"""Tokens of a section's title beside its words; chosen."""
_EXPLAINS = ("explanation: ", "description: ")
"""How the arguments of a planning tool begin that say why."""


def fill_excerpts(filling: Filling, ledger: Ledger, shown: dict[int, int]) -> Ledger:
    """Fill what is left with the lines of folded messages that are most likely needed again, and an outline."""
    text = ledger.render()
    frame = _size(filling, text) + filling.count(phrase(filling.language, "excerpts")) + TITLE
    aside = outline_room(filling.target)
    chooser = _chooser(filling, ledger, text, filling.room - frame - aside)

    def fill(free: int) -> tuple[Ledger, tuple[ExcerptGroup, ...]]:
        """The ledger with excerpts that leave so many tokens free and the outline of the rest, and the excerpts."""
        budget = filling.room - frame - free
        filled, groups = ledger, tuple["ExcerptGroup", ...]()
        for _ in range(TRIES):
            groups = chooser.choose(budget)
            filled = replace(ledger, excerpts=tuple(_block(filling, group) for group in groups))
            over = _size(filling, filled.render()) - filling.room + free
            if over <= 0:
                break
            budget -= over + over // 2 + TITLE
        return _outlined(filling, filled, aside, chooser.names) if aside else filled, groups

    whole, groups = fill(aside)
    spare = filling.room - _size(filling, whole.render())
    if aside and spare > AGAIN * filling.target:
        whole, groups = fill(max(0, aside - spare))
    for group in groups:
        i = filling.reading.opened[1][group.message][0]
        shown[i] = shown.get(i, 0) + filling.count(group.body)
    return whole


def _chooser(filling: Filling, ledger: Ledger, text: str, budget: int) -> LineChooser:
    """What chooses the lines of a filling beside a ledger and its text."""
    messages, origin = filling.reading.opened
    start = filling.tail.start
    scored = for_reading(filling.reading.scored, filling.target)
    leading = dict.fromkeys(_leading(filling, scored.view), FIRST)
    listed = dict.fromkeys(_planned(scored) if ledger.plan else (), 0.0)
    scored = replace(scored, factors={**scored.factors, **leading, **listed})
    return LineChooser(
        messages,
        budget=budget,
        count=filling.count,
        present=[text, *(m.text for m in filling.tail.reduced.values())],
        kept={k for k, (i, _) in enumerate(origin) if i >= start and i not in filling.tail.reduced},
        boost=_boosts(filling),
        language=filling.language,
        scored=scored,
        render=lambda group: quoted_block(Excerpt(group.heading, group.body, "hf_0123456789ab")),
    )


def _planned(scored: ScoredHistory) -> Iterator[str]:
    """Yield the keys of lines of to-do lists, as calls wrote them and as they came back; what explains them stays."""
    lists = [
        row_of(source.tool).action is ToolAction.PLAN and not source.read.text.startswith(_EXPLAINS)
        for source in scored.view.sources
    ]
    yield from (line.key for line in scored.lines if lists[line.source])


def _leading(filling: Filling, view: HistoryView) -> list[str]:
    """The lines that come before all others, by their keys: of documents that are asked for, and to go by."""
    places = {message.digest: i for i, message in enumerate(filling.reading.opened[0])}
    rewritten = {
        file.path: places.get(o.at.message, -1)
        for file in filling.reading.artifacts.files
        for o in file.operations
        if o.happened and o.action in (ToolAction.CREATE, ToolAction.DELETE)
    }
    documents = commissioned(view, (said.text for _, said in filling.carried.said), rewritten)
    share = COMMISSIONED_SHARE * by_size(READING, filling.target)
    asked = commissioned_keys(view, documents, min(COMMISSIONED_MOST, share * filling.target))
    room = min(GUIDES_MOST, GUIDES_SHARE * (filling.target - GUIDES_FROM))
    return [*asked, *guide_keys(view, filling.carried.guidance, room, but=documents)]


def _block(filling: Filling, group: ExcerptGroup) -> Excerpt:
    """A group as it stands in a ledger: under its own handle, or the one it had in an earlier ledger."""
    i, older = filling.reading.opened[1][group.message]
    if older is not None:
        kept = group.body.startswith(older.body.partition("\n")[0])
        return Excerpt(older.heading if kept else titled(older.heading, older.body), group.body, older.handle)
    return Excerpt(group.heading, group.body, filling.history.handle(i))


def _boosts(filling: Filling) -> dict[int, float]:
    """Factors on the worth of the lines of the opened messages, by index; 0 for what may not be quoted."""
    messages, origin = filling.reading.opened
    missed, unsaved = _failed_edits(filling)
    boost = dict.fromkeys(range(len(messages)), 1.0)
    for indexes, factor in (
        (_reports(messages), REPORT_BOOST),
        (filling.reading.outdated, OUTDATED_BOOST),
        (missed, MISSED_BOOST),
        (unsaved, UNSAVED_BOOST),
    ):
        for k in indexes:
            boost[k] *= factor
    notes = {i: bool(DEMONSTRATION.match(note.text)) for i, note in filling.carried.notes}
    for k, (message, (i, _)) in enumerate(zip(messages, origin, strict=True)):
        if _is_kept(filling, i) or k in filling.reading.outlines:
            boost[k] = 0.0
        elif is_agent_summary(message):
            boost[k] = SUMMARY_BOOST
        elif i in notes:
            boost[k] = DEMONSTRATION_BOOST if notes[i] else NOTE_BOOST
    return boost


def _is_kept(filling: Filling, index: int) -> bool:
    """Say whether a message stays beside the ledger, whole or reduced."""
    return index >= filling.tail.start or filling.history.must_stay(index)


def _failed_edits(filling: Filling) -> tuple[set[int], set[int]]:
    """The opened messages all of whose edits failed, where later ones of the same files did not; and the last tries."""
    messages = filling.reading.opened[0]
    places = {message.digest: i for i, message in enumerate(messages)}
    failed: set[int] = set()
    stands: set[int] = set()
    unsaved: set[int] = set()
    for file in filling.reading.artifacts.files:
        edits = [o for o in file.operations if o.action in (ToolAction.EDIT, ToolAction.CREATE)]
        last = max((places.get(o.at.message, -1) for o in edits if o.happened), default=-1)
        tried = max((places.get(o.at.message, -1) for o in edits), default=-1)
        if tried > last and tried >= len(messages) - UNSAVED_MESSAGES:
            unsaved.add(tried)
        for edit in edits:
            at = places.get(edit.at.message, -1)
            (stands if edit.happened or at > last else failed).add(at)
    return failed - stands - {-1}, unsaved


def outline_room(target: int) -> int:
    """Tokens of a target that are set aside for the outline."""
    return int(min(OUTLINE_SHARE * target, by_size(OUTLINE_ROOM, target)))


def _outlined(filling: Filling, ledger: Ledger, aside: int, names: Collection[str]) -> Ledger:
    """List the names that stand nowhere else, in what room is left but in little more than was set aside."""
    text = ledger.render()
    title = filling.count(phrase(filling.language, "names")) + TITLE
    reduced = filling.tail.reduced
    kept = [
        m.text
        for m, (i, _) in zip(*filling.reading.opened, strict=True)
        if _is_kept(filling, i) and i not in reduced
    ]
    lines = outline_lines(
        filling.reading.scored,
        room=min(2 * aside, filling.room - _size(filling, text)) - title,
        count=filling.count,
        present="\n".join([text, *(m.text for m in reduced.values()), *kept]),
        names=names,
        older=filling.reading.outlines,
    )
    return replace(ledger, names=lines)


def for_reading(scored: ScoredHistory, target: int) -> ScoredHistory:
    """A scored history whose factors count as much as a target has room for a reader."""
    part = by_size(READING, target)
    if part >= 1:
        return scored
    return replace(scored, factors={key: factor**part for key, factor in scored.factors.items()})


def _size(filling: Filling, text: str) -> int:
    """Tokens of the ledger as the message it will be."""
    made = make_text(filling.history.messages[0].form, Role.USER, text)
    return count_message(made, filling.count)


def _reports(messages: Sequence[Message]) -> list[int]:
    """Assistant messages that end a turn: what it told the person it did, found and decided."""
    ends = [i for i, m in enumerate(messages) if m.role is Role.USER and not m.results]
    return [i - 1 for i in ends if i and messages[i - 1].role is Role.ASSISTANT and not messages[i - 1].calls]
