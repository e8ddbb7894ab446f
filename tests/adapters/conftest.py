"""CrewAI wants older SDKs than the other frameworks: `make adapters` tests it in environments of its own."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("crewai") else ["test_crewai.py"]
