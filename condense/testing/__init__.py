"""Test doubles for code that uses holdfast: scripted models and servers."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from condense.testing.recordings import demo_session
else:
    from memory import front_door

    __getattr__, __dir__ = front_door(__name__, {"recordings": "demo_session"})
