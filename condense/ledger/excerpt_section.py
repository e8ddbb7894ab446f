"""Fill what is left of a ledger with the lines of folded messages that are most likely needed again."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from typing import TYPE_CHECKING

from condense.ledger.document import Excerpt, Ledger
from condense.ledger.history import OVER, spoken
from condense.ledger.instruction_files import commissioned, commissioned_keys, guide_keys
from condense.ledger.state_lines import ending_of
from condense.lines import ANSWERED, CALL_KINDS, LineChooser, LineKind, outline_lines, reports, titled
from condense.reading import ToolAction, by_size, is_agent_summary, phrase, row_of
from memory.conversation import Role, count_message, make_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from condense.ledger.readings import Filling
    from condense.lines import ExcerptGroup, HistoryView, LineSource, ScoredHistory
    from condense.reading import Outcome

REPORT_BOOST = ((4000, 6.0), (8000, 2.0))  # factor on the lines of the assistant's reports, by target; measured
SUMMARY_BOOST, NOTE_BOOST = 3.0, 0.3
"""Factors on the lines of the agent's own summary (all that is left of what came before), and of texts that programs
put into the user role; chosen. Worked examples are left out."""
MISSED_BOOST, UNSAVED_BOOST, UNSAVED_MESSAGES = 0.3, 6.0, 10
"""Factors on an edit that failed where a later one of the file did not (the file never was so), and on the newest edit
where it failed (it is tried again; measured); messages after which that is given up. Chosen."""
DOCUMENTS_FROM, GUIDES_SHARE, GUIDES_MOST, COMMISSIONED_SHARE, COMMISSIONED_MOST = 1000, 0.12, 600, 0.25, 2000
"""Tokens of excerpts from which documents have a share; the share of what is beyond, and tokens at most, for what
binds in documents to go by, and for documents that a short request names; chosen."""
OUTLINE_FROM, OUTLINE_ROOM = 8000, ((8000, 300), (16_000, 560))
"""The least target with an outline of what is not quoted (in a smaller one its room tells more as lines), and the
tokens for it, by target; measured."""
NARRATED_ROOM, NARRATED_SHARE = 350, 11
"""Tokens for it beside a model's summary (names .72 -> .76 at 4,000), at most one in so many of a target; chosen."""
AGAIN, TRIES, TITLE = 0.01, 3, 6
"""Share of the target that may stay free before the excerpts are chosen anew with it; how often they are where a
counter says more of the whole than of its parts; tokens of a section's title beside its words. Chosen."""
FIRST = 1e6  # factor on lines that come before all others
_EXPLAINS = ("explanation: ", "description: ")  # how the arguments of a planning tool begin that say why


def fill_excerpts(filling: Filling, ledger: Ledger, shown: dict[int, int]) -> Ledger:
    """Fill what is left with the lines of folded messages that are most likely needed again, and an outline."""
    text = ledger.render()
    titles = (phrase(filling.language, name) for name in ("answers", "excerpts"))
    frame = _size(filling, text) + sum(filling.count(title) + TITLE for title in titles)
    aside = outline_room(filling.target, narrated=bool(ledger.narrative))
    chooser = _chooser(filling, ledger, text, filling.room - frame - aside)

    def fill(free: int) -> tuple[Ledger, tuple[ExcerptGroup, ...]]:
        """The ledger with excerpts that leave so many tokens free and the outline of the rest, and the excerpts."""
        budget = filling.room - frame - free
        filled, groups = ledger, tuple["ExcerptGroup", ...]()
        for _ in range(TRIES):
            groups = chooser.choose(budget)
            filled = _with_excerpts(filling, ledger, groups)
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
    messages, origin = filling.reading.opened
    tail = filling.tail
    scored = filling.reading.scored
    planned = bool(ledger.plan or filling.reading.artifacts.plan)
    lists = [  # of a planning tool, whose open items stand in the ledger; what explains them stays
        _is_step_title(filling, source)
        or (
            planned and row_of(source.tool).action is ToolAction.PLAN and not source.read.text.startswith(_EXPLAINS)
        )
        for source in scored.view.sources
    ]
    leading = dict.fromkeys(_leading(filling, scored.view, budget), FIRST)
    listed = dict.fromkeys((line.key for line in scored.lines if lists[line.source]), 0.0)
    return LineChooser(
        messages,
        budget=budget,
        count=filling.count,
        present=[text, *(m.text for m in tail.reduced.values())],
        kept={k for k, (i, _) in enumerate(origin) if i >= tail.start and i not in tail.reduced},
        boost=_boosts(filling),
        language=filling.language,
        scored=replace(scored, factors={**scored.factors, **_words(filling, scored), **leading, **listed}),
        render=lambda group: str(Excerpt(group.heading, group.body, "hf_0123456789ab")),
    )


def _leading(filling: Filling, view: HistoryView, budget: int) -> list[str]:
    rewritten = {
        file.path: filling.reading.opened_places.get(o.at.message, -1)
        for file in filling.reading.artifacts.files
        for o in file.operations
        if o.happened and o.action in (ToolAction.CREATE, ToolAction.DELETE)
    }
    documents = commissioned(view, (said.text for _, said in filling.carried.said), rewritten)
    beyond = max(0, budget - DOCUMENTS_FROM)
    asked = commissioned_keys(view, documents, min(COMMISSIONED_MOST, COMMISSIONED_SHARE * beyond))
    room = min(GUIDES_MOST, GUIDES_SHARE * beyond)
    return [*asked, *guide_keys(view, filling.carried.guidance, room, but=documents)]


def _with_excerpts(filling: Filling, ledger: Ledger, groups: Iterable[ExcerptGroup]) -> Ledger:
    """A ledger with excerpts: the assistant's words, and what was done."""
    sources, missed = filling.reading.scored.view.sources, _missed_edits(filling)
    found: dict[bool, list[Excerpt]] = {True: [], False: []}
    for group in groups:
        source = sources[group.lines[0].source]
        if (outcome := missed.get(source.call)) and f"\n{ANSWERED}" not in group.body:
            told = f"{group.body}\n{ANSWERED} {ending_of(outcome, filling.language)}"
            group = replace(group, body=told)  # noqa: PLW2901
        found[_speaks(filling, source)].append(_excerpt(filling, group))
    return replace(ledger, answers=tuple(found[True]), excerpts=tuple(found[False]))


def _speaks(filling: Filling, source: LineSource) -> bool:
    """Whether it is the assistant's words: text, thinking, or a report that it hands over by a tool."""
    if filling.reading.opened[1][source.message][1] is not None:
        return source.message in filling.reading.answers
    return source.kind in (LineKind.SAID, LineKind.THOUGHT) or (
        source.kind in CALL_KINDS and row_of(source.tool).action is ToolAction.ANSWER
    )


def _is_step_title(filling: Filling, source: LineSource) -> bool:
    return source.kind is LineKind.SAID and not spoken(filling.reading.opened[0][source.message])


def _words(filling: Filling, scored: ScoredHistory) -> dict[str, float]:
    """Factors on the lines of how the assistant closed its turns, and of what it said last."""
    words: dict[int, list[str]] = {}
    for line in scored.lines:
        source = scored.view.sources[line.source]
        if reports(source) or (_speaks(filling, source) and not _is_step_title(filling, source)):
            words.setdefault(source.message, []).append(line.key)
    spoke = sorted(words)
    ends = (i for i, m in enumerate(filling.reading.opened[0]) if m.role is Role.USER and not m.results)
    closing = [spoke[at - 1] for i in ends if (at := bisect_left(spoke, i))]
    boost = 1.0 if filling.narrative else by_size(REPORT_BOOST, filling.target)
    reported = (source.message for source in scored.view.sources if reports(source))
    newest = {*closing[-1:], *spoke[-1:]}
    boosts = dict.fromkeys((*closing, *spoke[-1:], *filling.reading.answers, *reported), boost)
    told = ((key, factor) for i, factor in boosts.items() for key in words.get(i, ()))
    factors = {key: factor * scored.factors.get(key, 1.0) for key, factor in told}
    return factors | {words[i][-1]: FIRST for i in newest}  # what it asks or offers stands at the end


def _excerpt(filling: Filling, group: ExcerptGroup) -> Excerpt:
    """A group as it stands in a ledger: under its own handle, or the one it had in an earlier ledger."""
    i, older = filling.reading.opened[1][group.message]
    if older is not None:
        kept = group.body.startswith(older.body.partition("\n")[0])
        return Excerpt(older.heading if kept else titled(older.heading, older.body), group.body, older.handle)
    return Excerpt(group.heading, group.body, filling.history.handle(i))


def _boosts(filling: Filling) -> dict[int, float]:
    messages, origin = filling.reading.opened
    edits = _edit_boosts(filling)
    notes = {i: bool(OVER.match(note.text)) for i, note in filling.carried.notes}
    boost = {}
    for k, (message, (i, _)) in enumerate(zip(messages, origin, strict=True)):
        if _is_kept(filling, i) or k in filling.reading.outlines:
            boost[k] = 0.0
        elif is_agent_summary(message):
            boost[k] = SUMMARY_BOOST
        elif i in notes:
            boost[k] = 0.0 if notes[i] else NOTE_BOOST
        else:
            boost[k] = edits.get(k, 1.0)
    return boost


def _is_kept(filling: Filling, index: int) -> bool:
    return index >= filling.tail.start or filling.history.must_stay(index)


def _missed_edits(filling: Filling) -> dict[int, Outcome]:
    """How edits of files ended that changed none, by the opened messages that made them."""
    changes = [
        (filling.reading.opened_places.get(o.at.message, -1), o)
        for file in filling.reading.artifacts.files
        for o in file.operations
        if o.action in (ToolAction.EDIT, ToolAction.CREATE, ToolAction.DELETE)
    ]
    happened = {at for at, o in changes if o.happened}
    return {at: o.outcome for at, o in changes if at not in happened}


def _edit_boosts(filling: Filling) -> dict[int, float]:
    """Factors on the opened messages that edit: less where all failed that later ones did, more for the last tries."""
    places = filling.reading.opened_places
    boosts: dict[int, float] = {}
    for file in filling.reading.artifacts.files:
        edits = [o for o in file.operations if o.action in (ToolAction.EDIT, ToolAction.CREATE)]
        last = max((places.get(o.at.message, -1) for o in edits if o.happened), default=-1)
        for edit in edits:
            at = places.get(edit.at.message, -1)
            own = 1.0 if edit.happened or at > last else MISSED_BOOST
            boosts[at] = max(own, boosts.get(at, own))
        newest = max((places.get(o.at.message, -1) for o in edits), default=-1)
        if newest > last and newest >= len(places) - UNSAVED_MESSAGES:
            boosts[newest] = UNSAVED_BOOST
    return boosts


def outline_room(target: int, *, narrated: bool = False) -> int:
    """Tokens of a target that are set aside for the outline; a small one has one beside a model's summary alone."""
    room = int(by_size(OUTLINE_ROOM, target)) if target >= OUTLINE_FROM else 0
    return max(room, min(NARRATED_ROOM, target // NARRATED_SHARE)) if narrated else room


def _outlined(filling: Filling, ledger: Ledger, aside: int, names: Collection[str]) -> Ledger:
    text, reduced = ledger.render(), filling.tail.reduced
    title = filling.count(phrase(filling.language, "names")) + TITLE
    opened = zip(*filling.reading.opened, strict=True)
    kept = [m.text for m, (i, _) in opened if _is_kept(filling, i) and i not in reduced]
    lines = outline_lines(
        filling.reading.scored,
        room=min(2 * aside, filling.room - _size(filling, text)) - title,
        count=filling.count,
        present="\n".join([text, *(m.text for m in reduced.values()), *kept]),
        names=names,
        older=filling.reading.outlines,
    )
    return replace(ledger, names=lines)


def _size(filling: Filling, text: str) -> int:
    made = make_text(filling.history.messages[0].form, Role.USER, text)
    return count_message(made, filling.count)
