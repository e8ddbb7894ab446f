"""Frozen dataclasses that are made at the price of others.

The `__init__` of a frozen dataclass writes every field through `object.__setattr__`, at several times the price of an
assignment; a memory has twenty.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any, TypeVar

_Class = TypeVar("_Class", bound=type)


def filled_fast(cls: _Class) -> _Class:
    """Give a frozen dataclass with slots an `__init__` that fills a value by assignments; what it does is the same.

    While it is filled, the value is of a class that has the same slots and can be written to. Subclasses must not add
    slots.
    """
    known = fields(cls)
    writable = type(cls.__name__, (), {"__slots__": tuple(field.name for field in known)})
    names: dict[str, Any] = {
        "_class_of": type,
        "_become": vars(object)["__class__"].__set__,
        "_writable": writable,
        "_missing": MISSING,
    }
    parameters, body = ["self"], []
    for field in known:
        name, made = field.name, ""
        if field.default_factory is not MISSING:
            names[f"_make_{name}"] = field.default_factory
            parameters.append(f"{name}=_missing")
            made = f"_make_{name}() if {name} is _missing else "
        elif field.default is not MISSING:
            names[f"_default_{name}"] = field.default
            parameters.append(f"{name}=_default_{name}")
        else:
            parameters.append(name)
        body.append(f" self.{name} = {made}{name}")
    source = "\n".join(
        (
            f"def __init__({', '.join(parameters)}):",
            " _frozen = _class_of(self)",
            " _become(self, _writable)",
            *body,
            " self.__class__ = _frozen",
        )
    )
    exec(source, names)  # noqa: S102  # from the names of fields alone, as `dataclass` does it
    fill = names["__init__"]
    fill.__annotations__, fill.__qualname__ = (
        vars(cls)["__init__"].__annotations__,
        f"{cls.__qualname__}.__init__",
    )
    cls.__init__ = fill  # type: ignore[misc]
    return cls
