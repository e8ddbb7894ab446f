"""A frozen dataclass that is filled fast does what a plain frozen dataclass does."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

from memory.conversation.freezing import filled_fast


@filled_fast
@dataclass(frozen=True, slots=True)
class Place:
    """A value with every sort of field."""

    type: str
    row: int
    seat: int = 1
    names: list[str] = field(default_factory=list)


def test_fields_are_filled_by_place_by_name_and_by_default():
    place = Place("box", row=3)
    assert (place.type, place.row, place.seat, place.names) == ("box", 3, 1, [])
    assert Place("box", 3, 2, ["a"]) == Place(type="box", names=["a"], seat=2, row=3)
    assert Place("box", 3).names is not Place("box", 3).names
    assert repr(place) == "Place(type='box', row=3, seat=1, names=[])"


def test_a_value_is_frozen_and_of_its_own_class():
    place = Place("box", 3)
    assert type(place) is Place
    with pytest.raises(FrozenInstanceError):
        place.row = 4
    with pytest.raises(FrozenInstanceError):
        del place.row
    with pytest.raises(AttributeError):
        object.__setattr__(place, "other", 4)


def test_copies_are_values_of_the_same_class():
    place = Place("box", 3, names=["a"])
    assert replace(place, row=4) == Place("box", 4, 1, ["a"])
    for other in (copy.copy(place), copy.deepcopy(place), pickle.loads(pickle.dumps(place))):  # noqa: S301
        assert other == place
        assert type(other) is Place


def test_wrong_arguments_are_refused():
    with pytest.raises(TypeError):
        Place("box")
    with pytest.raises(TypeError):
        Place("box", 3, colour="red")
    assert list(inspect.signature(Place).parameters) == ["type", "row", "seat", "names"]
