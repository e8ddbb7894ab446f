"""The same cutting into simple commands by bashlex, where it is installed (extra `shell`).

bashlex follows the real grammar of bash, but stops at `case`, arithmetic and quoted here-documents and takes
a third of a millisecond a line; so it is asked only for short scripts that the built-in reader is not
certain about.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from condense.reading.shell.scripts import Redirect, ShellScript, SimpleCommand

_ITS_OWN_BUGS = (
    RuntimeError, ValueError, LookupError, AttributeError, TypeError, AssertionError, RecursionError,
)  # fmt: skip
"""What bashlex 0.18 raises on scripts that it does not follow, beside its own error."""

LONGEST = 4000
"""Characters of a script that bashlex is given; longer ones stay with the built-in reader (chosen)."""


def is_installed() -> bool:
    """Tell whether bashlex can be imported."""
    try:
        import_module("bashlex")
    except ImportError:
        return False
    return True


def bashlex_commands(text: str) -> ShellScript | None:
    """Cut a bash script into simple commands; None where bashlex cannot read it.

    Raises:
        ImportError: bashlex is not installed; names the extra.
    """
    try:
        bashlex = import_module("bashlex")
    except ImportError as error:
        raise ImportError(
            "bashlex is not installed; `pip install holdfast-context[shell]` brings it"
        ) from error
    if len(text) > LONGEST:
        return None
    try:
        trees = bashlex.parse(text)
    except (bashlex.errors.ParsingError, *_ITS_OWN_BUGS):
        return None
    found: list[SimpleCommand] = []
    for tree in trees:
        _collect(tree, "", 0, found)
    return ShellScript(tuple(found))


def _collect(node: Any, joined: str, depth: int, found: list[SimpleCommand]) -> str:
    """Add the commands below a node in order; returns what joins the next one."""
    if node.kind == "command":
        for part in node.parts:
            for inner in getattr(part, "parts", ()):
                _collect(inner, "", depth + 1, found)
        words = tuple(p.word for p in node.parts if p.kind in ("word", "assignment"))
        redirects = tuple(r for r in map(_redirect, node.parts) if r is not None)
        if words or redirects:
            found.append(SimpleCommand(words, redirects, joined, depth))
        return ";"
    if node.kind in ("operator", "pipe"):
        return str(getattr(node, "op", None) or getattr(node, "pipe", ";"))
    inside = depth + (node.kind in ("commandsubstitution", "processsubstitution", "compound"))
    children = list(getattr(node, "parts", ())) or list(getattr(node, "list", ()))
    command = getattr(node, "command", None)
    if command is not None:
        children.append(command)
    for child in children:
        joined = _collect(child, joined, inside, found)
    return joined


def _redirect(part: Any) -> Redirect | None:
    if part.kind != "redirect":
        return None
    heredoc = getattr(part, "heredoc", None)
    if heredoc is not None:
        body, newline, _ = str(heredoc.value).rpartition("\n")
        return Redirect("<<", body + newline)
    word = getattr(part.output, "word", None)
    if word is None:
        return None
    operator = {">|": ">", "&>": ">", ">&": ">", "&>>": ">>"}.get(part.type, part.type)
    return Redirect(operator, word, part.input if isinstance(part.input, int) else None)
