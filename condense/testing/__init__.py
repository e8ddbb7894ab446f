"""Doubles for tests of code that uses a model: scripted summarisers, and a local server with scripted replies."""

from condense.testing.replies import Reply
from condense.testing.serving import ScriptedServer
from condense.testing.summarizers import AsyncScriptedSummarizer, ForgetfulSummarizer, ScriptedSummarizer

__all__ = ["AsyncScriptedSummarizer", "ForgetfulSummarizer", "Reply", "ScriptedServer", "ScriptedSummarizer"]
