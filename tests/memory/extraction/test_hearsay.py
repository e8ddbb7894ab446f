"""Rules that are nobody's wish: quotes, what others say, what is denied or taken back; and what is the person's own."""

from __future__ import annotations

import pytest

from memory.entries import MemoryPriority
from memory.extraction.extracting import extract_candidates
from memory.extraction.turns.corrections import corrections_in


def contents(text):
    return [candidate.content for candidate in extract_candidates(text)]


@pytest.mark.parametrize(
    "text",
    [
        "> never moor at the east quay\n\nwhat does that mean?",
        "the skipper's mate wrote:\n> always reef before noon\n> never sail alone\nis that so?",
        "Ruth says we must never use celery.",
        "The old handbook says: always paint the hull in May. Never in June.",
        "shellcheck prints: Do not use backticks. Always quote variables.",
        'Comment by Ruth: "Never merge on Mondays."',
        "A message from Omar:\n\nAlways dock on Mondays. Never wait for me.\n",
        "The pilots said:\n- always use flags\n- never use horns\n",
        "The parser complains: 'Do not use tabs'.",
        "Ruth: never use celery\nOmar: always use celery\nwho is right?",
        "<policy>\nNever anchor here. Always wear a vest.\n</policy>\nIs this well formed?",
        "Translate into German: Never enter the engine room.",
        "翻译成英文：必须穿救生衣",
    ],
)
def test_what_others_say_is_not_the_persons_rule(text):
    assert contents(text) == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Follow this:\n> never moor at the east quay", "never moor at the east quay"),
        ("our rules:\n> always log the depth", "always log the depth"),
        ("Rules:\n> never sail alone", "never sail alone"),
        ("请遵守以下规则：\n> 不要改航线数据", "不要改航线数据"),
        ("> never sail alone\nRuth wrote that, and she is right.", "never sail alone"),
        ("I said: never touch the tide module.", "I said: never touch the tide module."),
        ("As I told you: always use metres.", "As I told you: always use metres."),
        ("My notes say: never dock at night.", "My notes say: never dock at night."),
        ("The client said we must never use red.", "The client said we must never use red."),
        ("Tests: always use pytest", "Tests: always use pytest"),
        ("The hint must always say which port it is.", "The hint must always say which port it is."),
        ("When the gauge says it is low, you must stop.", "When the gauge says it is low, you must stop."),
        ("The log says that it is broken, you must fix it.", "The log says that it is broken, you must fix it."),
        ("Omar wrote: never reef.\nNo way. Always log the depth in metres.", "Always log the depth in metres."),
        ("<policy>\nNever anchor here.\n</policy>\nCan you do that?", "Never anchor here."),
        ("<policy>\nNever anchor here.\n</policy>", "Never anchor here."),
    ],
)
def test_what_the_person_says_or_takes_over_is(text, rule):
    assert rule in contents(text)


@pytest.mark.parametrize(
    "text",
    [
        "It's not true that we must never sail on Sundays.",
        "It is a myth that you must always reef early.",
        "There is no rule that boats must be blue.",
        "I never asked you to always log the depth.",
        "I didn't say you must not use flags.",
        "Nobody said we must never dock at night.",
        "The 'never dock at night' rule is nonsense.",
        "没有人说过禁止夜航",
        "Es stimmt nicht, dass man niemals allein segeln darf.",
        "You must be dreaming.",
        "you must have mistaken the tide",
    ],
)
def test_what_is_denied_or_guessed_is_no_rule(text):
    assert contents(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "There is no chart for this yet, so never assume one.",
        "I didn't want sails, never add them.",
        "You must be careful with the keel.",
        "You must have two pilots aboard.",
    ],
)
def test_rules_beside_a_denial_are_kept(text):
    assert text in contents(text)


LIFTING = (
    *("You may ignore the following:", "Do not follow these:", "Delete the following rules:", "Skip these:"),
    *("These are no longer required:", "Rules of the other project:", "You don't have to follow these:"),
    *("忽略以下内容:", "把下面的规则删掉:", "别的项目的规则:", "不用遵守这些:"),
)


@pytest.mark.parametrize("head", LIFTING)
@pytest.mark.parametrize("mark", ["-", "1."])
def test_rules_under_a_head_that_takes_them_back_are_none_in_force(head, mark):
    found = extract_candidates(f"{head}\n{mark} Never sail alone\n{mark} Always log the depth\n")
    assert all(one.heads and one.priority is MemoryPriority.MEDIUM and not one.standing for one in found)


def test_what_is_to_be_left_alone_is_still_a_rule():
    found = extract_candidates("Ignore these:\n- node_modules\n- dist\n")
    assert [one.priority for one in found] == [MemoryPriority.HIGH] * 2
    assert contents("Don't:\n- never sail alone\n- push to main\n") == ["never sail alone", "Don't: push to main"]


def test_others_correct_nothing():
    assert corrections_in("Ruth says we must never use the dark theme.", ()) == ()


WRAPPED = (
    "Never send the tide tables to a customer\nunless the harbour master has signed them\nin this very chat.",
    "Do not change anything in the chart folder\nexcept files that end in .bak and are\nolder than a month.",
    "Never\nsail alone.",
    "You must\nnot use the old radio.",
    "Always ask before a boat is moved to\nHamburg, Kiel or any other of the four\nharbours we have in the north.",
    "- Always log the depth of the water in\n  metres, the speed in\n  knots.",
    "Do not open the sluice before the tide table of the day\nwas read by two of us.",
)


@pytest.mark.parametrize("text", WRAPPED)
def test_a_sentence_goes_on_where_only_its_line_was_full(text):
    (found,) = extract_candidates(text)
    said = text.removeprefix("- ")
    assert found.content == " ".join(said.split())
    assert text[found.start : found.end] == said


@pytest.mark.parametrize(
    "text",
    [
        "use metres in the whole project\nnever sail alone\nkeep answers short",
        "all depths are metres in this project\nno feet anywhere in the whole page\nnever round up the speeds",
        "always log the depth of the water in metres please\nthe speed must be in knots",
        "Never sail alone\nAlways log the depth\nUse metres for all depths",
        "never use feet, inches or fathoms anywhere in the charts\nwe must always log the depth",
        "不要改航线\n必须写日志",
    ],
)
def test_one_thought_a_line_stays_apart(text):
    assert not any(" ".join(text.split()).find(" ".join(one.split())) < 0 for one in contents(text))
    assert not any("\n" in text[one.start : one.end] for one in extract_candidates(text))
    assert len(contents(text)) > 1


def test_unmarked_items_under_a_head_stay_apart():
    text = "Do not use:\nglobal variables anywhere in the whole code of the boats\nlong functions"
    assert [one.removeprefix("Do not use: ") for one in contents(text)] == text.split("\n")[1:]
