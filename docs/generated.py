"""What the pages do not say by hand: MkDocs calls `on_page_markdown`, and comments become what the code says.

<!-- settings: condense.config.TokenBudget -->   a table of the fields of a settings class
<!-- commands -->                                all commands of the command line
<!-- names: condense -->                         the public names of a package, by mkdocstrings
<!-- file: CHANGELOG.md -->                      a file of the repository, without its title
"""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from importlib import import_module
from inspect import cleandoc, getsource
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

from mkdocs.structure.files import File
from pydantic.fields import FieldInfo
from typer.main import get_command

from benchmarks.headline import behind_of, cells_of, held_out_of, largest_of, side_by_side
from benchmarks.options import RESULTS, read_results
from benchmarks.reading import INSTRUCTIONS
from benchmarks.report import ranked
from benchmarks.verdicts import is_over
from condense.apps.cli.running import command_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pydantic import BaseModel

ROOT = Path(__file__).resolve().parent.parent
_COMMENT = re.compile(r"^<!-- (\w+)(?:: (\S+))? -->$", re.MULTILINE)
_PICTURES = "benchmarks/results"
_ATTRIBUTES = re.compile(r"^Attributes:\n((?:    .*\n?|\n)+)", re.MULTILINE)
_BESIDE = re.compile(r"^ {4}(\w+): (?:[^#\n]*\n(?! {4}\w+:))*[^#\n]*# (.+)$", re.MULTILINE)
_ATTRIBUTE = re.compile(r"^ {4}([\w, ]+): ((?:.+\n?)(?: {5,}.+\n?)*)", re.MULTILINE)


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put what the code says in the place of the comments."""
    return _COMMENT.sub(lambda found: "\n".join(_WRITERS[found[1]](found[2] or "")), markdown)


def on_files(files: Any, config: Any) -> Any:
    """Add the plots of the benchmark beside its report."""
    for picture in sorted((ROOT / _PICTURES).glob("*.svg")):
        files.append(
            File.generated(config, f"benchmarks/{picture.name}", content=picture.read_text(encoding="utf-8"))
        )
    return files


def described(model: Any) -> dict[str, str]:
    """Return what is said of each field of a settings class, in its docstring or beside the field."""
    source = getsource(model)
    beside = {name: " ".join(said.split()) for name, said in _BESIDE.findall(source)}
    found = _ATTRIBUTES.search(cleandoc(model.__doc__ or "") + "\n")
    return beside | {
        name.strip(): " ".join(said.split())
        for names, said in _ATTRIBUTE.findall(found[1] if found else "")
        for name in names.split(",")
    }


def _settings(place: str) -> Iterator[str]:
    module, _, name = place.rpartition(".")
    model: type[BaseModel] = getattr(import_module(module), name)
    said = described(model)
    yield "| field | type | default | what it does |"
    yield "|---|---|---|---|"
    for field, info in fields_of(model).items():
        yield f"| `{field}` | {_type(info)} | {_default(info)} | {_cell(said[field])} |"


def fields_of(model: Any) -> dict[str, FieldInfo]:
    """Return the fields of a settings class, a model or a dataclass."""
    if not is_dataclass(model):
        return dict(model.model_fields)
    kinds = get_type_hints(model)
    return {one.name: FieldInfo(annotation=kinds[one.name], default=one.default) for one in fields(model)}


def _type(info: FieldInfo) -> str:
    kind = info.annotation
    if choices := [one for one in get_args(kind) if isinstance(one, str)]:
        return ", ".join(f'`"{one}"`' for one in choices)
    named = getattr(kind, "__name__", str(kind)) if not get_args(kind) else str(kind)
    limits = [
        f"{sign} {value:g}"
        for attribute, sign in (("gt", ">"), ("ge", ">="), ("lt", "<"), ("le", "<="))
        for piece in info.metadata
        if (value := getattr(piece, attribute, None)) is not None
    ]
    return _cell(" ".join([f"`{named.replace('typing.', '')}`", ", ".join(limits)]).strip())


def _default(info: FieldInfo) -> str:
    if info.is_required():
        return "required"
    value = info.get_default(call_default_factory=True, validated_data={})
    if type(value).__module__.partition(".")[0] in {"condense", "memory"}:
        return f"`{type(value).__name__}` above" if hasattr(value, "model_fields") else "see there"
    if type(value).__name__ == "SecretStr":
        return '`""`'
    return _cell(f"`{value!r}`").replace("'", '"')


def _commands(_: str) -> Iterator[str]:
    yield from _command(get_command(command_line()), "holdfast")


def _command(command: Any, name: str) -> Iterator[str]:
    yield f"## `{name}` {{ #{name.replace(' ', '-')} }}\n"
    yield cleandoc(command.help or "") + "\n"
    below = getattr(command, "commands", {})
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    options = [one for one in command.params if one.param_type_name == "option"]
    words = [name, *(["COMMAND"] if below else []), *("[OPTIONS]" for _ in options[:1])]
    words += [f"{_metavar(one)}" if one.required else f"[{_metavar(one)}]" for one in arguments]
    yield f"```text\n{' '.join(words)}\n```\n"
    if command.params:
        yield "| | | default |\n|---|---|---|"
        for one in (*arguments, *options):
            yield f"| {_given(one)} | {_cell(_help(one))} | {_standing(one)} |"
        yield ""
    for word, one in below.items():
        yield from _command(one, f"{name} {word}")


def _metavar(one: Any) -> str:
    return str(one.metavar or one.name.upper().replace("_", "-")).strip("[]")


def _given(one: Any) -> str:
    if one.param_type_name == "argument":
        return f"`{_metavar(one)}`"
    named = ", ".join(f"`{option}`" for option in one.opts)
    return named if one.is_flag else f"{named} `{_metavar(one)}`"


def _help(one: Any) -> str:
    environment = f" Environment: `{one.envvar}`." if getattr(one, "envvar", None) else ""
    return f"{one.help or ''}{environment}"


def _standing(one: Any) -> str:
    if one.required:
        return "required"
    shown = one.show_default if isinstance(getattr(one, "show_default", None), str) else None
    value = one.default
    if shown or getattr(one, "is_flag", False) or value is None or value == "":
        return shown or ""
    return f"`{getattr(value, 'value', value)}`"


def _names(package: str) -> Iterator[str]:
    module = import_module(package)
    for name in sorted(getattr(module, "__all__", None) or dir(module)):
        yield f"::: {package}.{name}\n"


def _file(place: str) -> Iterator[str]:
    text = (ROOT / place).read_text(encoding="utf-8")
    yield re.sub(r"\A(?:<!--.*?-->\s*)?# .*\n", "", text)


def _benchmark(budget: str) -> Iterator[str]:
    run, held = largest_of(read_results(RESULTS / "results.json")), held_out_of(RESULTS)
    names = [name for name, row in ranked(run["fidelity"]["budgets"][budget]) if not is_over(row)]
    yield cells_of(run, held, budget)
    yield side_by_side(run, held, budget, names)
    yield behind_of(run, held, budget)


def _instructions(whose: str) -> Iterator[str]:
    yield from (f"> {line}" for line in INSTRUCTIONS[whose].splitlines())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


_WRITERS = {
    "settings": _settings,
    "commands": _commands,
    "names": _names,
    "file": _file,
    "benchmark": _benchmark,
    "instructions": _instructions,
}
