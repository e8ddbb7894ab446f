"""Lists whose heads aren't understood, are over or wrong, or whose items are marked in rarer ways."""

from __future__ import annotations

import pytest

from memory.entries import MemoryPriority
from memory.extraction.extracting import extract_candidates

UNUSUAL = (
    *(
        "Steer clear of:",
        "Keep your hands off:",
        "Stay away from:",
        "Bad ideas we rejected:",
        "Do the opposite of this:",
    ),
    *("These are wrong:", "Examples of bad prompts:", "Leave these alone:", "We are not doing these in v1:"),
    *("I would hate to see:", "Things that make me cry:", "Kill on sight:", "Spare me:"),
    *("Ni se te ocurra:", "Basta de:", "Deja en paz:", "Ya no valen:", "Me niego a ver:"),
    *("À proscrire :", "À bannir :", "Rien de tout cela en v1 :", "On arrête :", "Les anciennes règles :"),
    *("Finger weg von:", "Schluss mit:", "Unterlasse bitte:", "Gilt nicht mehr:", "Mir graut vor:"),
    *("Chega de:", "Fique longe de:", "Nem pensar em:", "Não valem mais:"),
    *("Хватит:", "Обходи стороной:", "Оставь в покое:", "Больше не действует:", "Терпеть не могу:"),
    *("杜绝：", "以下做法是错误的：", "以前的规则作废：", "没有我同意之前，不可以：", "远离：", "我最讨厌："),
    *("もうやめて：", "以下は誤りです：", "触れるな：", "もってのほか："),
)
ITEMS = ("always answer in French", "never push to main", "use MongoDB for the orders")


@pytest.mark.parametrize("head", UNUSUAL)
def test_items_of_any_head_that_is_not_known_to_be_neutral_keep_its_words(head):
    found = extract_candidates(head + "\n" + "".join(f"- {item}\n" for item in ITEMS))
    assert found
    for candidate in found:
        own = candidate.content.removeprefix(head).strip()
        assert own in ITEMS
        # either the head's words go with it, or the head denies what denies by itself
        assert candidate.heads or own == "never push to main"
        assert not any(slot.value in ("mongodb", "french") for slot in candidate.slots)


OVER = (
    *(
        "The old rules, no longer valid:",
        "These are wrong:",
        "Examples of bad prompts:",
        "Bad ideas we rejected:",
    ),
    *("Do the opposite of this:", "Superseded:", "Ya no valen:", "Les anciennes règles :", "Veraltet:"),
    *(
        "Não valem mais:",
        "Больше не действует:",
        "以前的规则作废：",
        "以下做法是错误的：",
        "もうやめて：",
        "## Old rules",
    ),
)


@pytest.mark.parametrize("head", OVER)
def test_what_is_over_or_wrong_is_no_rule_in_force_even_where_it_is_one_by_itself(head):
    found = extract_candidates(head + "\n" + "".join(f"- {item}\n" for item in ITEMS))
    assert all(candidate.heads for candidate in found)
    assert not any(candidate.standing or candidate.explicit for candidate in found)
    assert not any(candidate.priority is MemoryPriority.CRITICAL for candidate in found)


MARKERS = (
    ("(i)", "(ii)", "(iii)", "(iv)", "(viii)"),
    ("i.", "ii.", "iii.", "iv.", "v."),
    ("I)", "II)", "III)", "IV)", "V)"),
    ("Ⅰ", "Ⅱ", "Ⅲ", "Ⅳ", "Ⅴ"),
    ("ア.", "イ.", "ウ.", "エ.", "オ."),
    ("ア、", "イ、", "ウ、", "エ、", "オ、"),
    ("い)", "ろ)", "は)", "に)", "ほ)"),
    ("甲、", "乙、", "丙、", "丁、", "戊、"),
    ("а)", "б)", "в)", "г)", "д)"),
)


@pytest.mark.parametrize("markers", MARKERS)
@pytest.mark.parametrize("head", ["You may never:", "禁止事項：", "绝对不要做的事"])
def test_items_are_found_by_every_enumerator(markers, head):
    said = ("the major version", "the licence", "a column", "履歴の書き換え", "the tags")
    found = extract_candidates(head + "\n" + "".join(f"{m} {s}\n" for m, s in zip(markers, said, strict=True)))
    assert [candidate.content.removeprefix(head).lstrip(": ：") for candidate in found] == list(said)
    assert all(candidate.content.startswith(head) for candidate in found)


@pytest.mark.parametrize("sign", "❌✗✘🚫⛔")
def test_a_cross_is_a_bullet_that_denies(sign):
    found = extract_candidates(f"Never touch:\n{sign} the staging database\n{sign} the licence file\n")
    assert [candidate.content for candidate in found] == [
        f"Never touch: {sign} the staging database",
        f"Never touch: {sign} the licence file",
    ]
    for candidate in extract_candidates(f"Plan:\n- {sign} use MongoDB for the orders\n"):
        assert sign in candidate.content
        assert candidate.slots == ()


def test_crosses_under_a_head_that_lays_nothing_down_stay_errors():
    found = extract_candidates("The checks say:\n✗ renders the page: expected 2, got 3\n")
    assert not any(candidate.heads for candidate in found)


@pytest.mark.parametrize("head", ["以下は使用禁止です。", "以下内容禁止使用。", "The following are forbidden."])
def test_a_head_may_end_with_a_full_stop(head):
    found = [candidate.content for candidate in extract_candidates(f"{head}\n- eval\n- グローバル変数\n")]
    assert [content.removeprefix(head).strip() for content in found] == ["eval", "グローバル変数"]
    assert all(content.startswith(head) for content in found)
