"""Doubles for tests of code that uses a model (scripted summarisers, a local server), and a recorded session."""

from condense.testing.recordings import demo_session
from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer
from condense.testing.summarizers import AsyncScriptedSummarizer, ForgetfulSummarizer, ScriptedSummarizer

__all__ = [
    "AsyncScriptedSummarizer",
    "ForgetfulSummarizer",
    "Reply",
    "ScriptedServer",
    "ScriptedSummarizer",
    "demo_session",
]
