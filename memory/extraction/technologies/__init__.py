"""Recognise names of technologies."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.extraction.technologies.recognising import (
        technologies_in,
        technology_kind,
        technology_mentions,
    )
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(
        __name__, {"recognising": "technologies_in technology_kind technology_mentions"}
    )
