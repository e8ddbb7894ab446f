"""What counts as a name, and what does not."""

from __future__ import annotations

import pytest
from clock import cpu_seconds
from hypothesis import given, strategies as st

from condense.reading.text.identifiers import (
    NameKind,
    names_in,
)


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("open src/shop/cart.py now", "src/shop/cart.py", NameKind.PATH),
        ("open src/shop/cart.py now", "cart.py", NameKind.FILE),
        ("cat ./README.md.", "README.md", NameKind.FILE),
        ("call total_price() twice", "total_price", NameKind.IDENTIFIER),
        ("the CartView renders", "CartView", NameKind.IDENTIFIER),
        ("self.cart.add_item(x)", "self.cart.add_item", NameKind.DOTTED),
        ("self.cart.add_item(x)", "add_item", NameKind.IDENTIFIER),
        ("set MAX_ITEMS=20", "MAX_ITEMS", NameKind.CONSTANT),
        ("pytest --maxfail=1", "--maxfail", NameKind.FLAG),
        ("at 3f9c2ab1d0 yesterday", "3f9c2ab1d0", NameKind.HASH),
        ("listens on 8443", "8443", NameKind.NUMBER),
        ("upgrade to v2.14.1", "v2.14.1", NameKind.VERSION),
        ("see https://shop.example/api/v1?x=1, please", "https://shop.example/api/v1?x=1", NameKind.URL),
        ("install left-pad", "left-pad", NameKind.KEBAB),
        ("改一下src/main.rs的端口", "src/main.rs", NameKind.PATH),
    ],
)
def test_finds_names_of_each_kind(text: str, name: str, kind: NameKind) -> None:
    assert (name, kind) in names_in(text)


@pytest.mark.parametrize("text", ["Please have a look at this again.", "12 of 34", "a -x b", "", "。，！", "…"])
def test_plain_words_are_no_names(text: str) -> None:
    assert names_in(text) == ()


def test_each_name_once_in_order_of_appearance() -> None:
    names = [name for name, _ in names_in("b_one a_two b_one lib/b_one.py")]
    assert names == ["b_one", "a_two", "lib/b_one.py", "b_one.py"]


@given(st.text(max_size=300))
def test_every_name_stands_in_the_text(text: str) -> None:
    assert all(name in text for name, _ in names_in(text))


@pytest.mark.timing
def test_time_is_linear_in_hostile_text() -> None:
    for unit in ("a", "a.", "-", "ab://", "0f"):
        small, large = (unit * (size // len(unit)) for size in (40_000, 200_000))
        spent = cpu_seconds(lambda text=large: names_in(text), 2)
        assert spent < 15 * max(cpu_seconds(lambda text=small: names_in(text), 2), 0.001), unit
