"""Tables of the options of a command, read from the command line itself."""

from __future__ import annotations

import re
from enum import Enum
from typing import Any

import typer
from editahead.cli.app import app

MARK = re.compile(r"^<!-- options: ([a-z -]+) -->$", re.MULTILINE)


def names() -> list[str]:
    """The commands of `editahead`, in the order of its help."""
    return [name for name in _commands() if " " not in name]


def below(name: str) -> list[str]:
    """The commands of a group, each with the name of the group; none for a single command."""
    return [each for each in _commands() if each.startswith(f"{name} ")]


def with_options(text: str) -> str:
    """A page with a table in place of each line `<!-- options: COMMAND -->`."""
    return MARK.sub(lambda match: options(match.group(1)), text)


def options(name: str) -> str:
    """The usage line of a command and the table of its arguments and options, in Markdown."""
    command = _commands()[name]
    params = [param for param in command.params if param.name != "help"]
    rows = [f"| {_spelling(param)} | {_default(param)} | {_meaning(param)} |" for param in params]
    usage = " ".join(["editahead", name, *(["[OPTIONS]"] if _optional(params) else []), *_arguments(params)])
    return "\n".join([f"```\n{usage}\n```", "", "| argument or option | default | meaning |", "|---|---|---|", *rows])


def _commands() -> dict[str, Any]:
    """Commands by name, those of a group with its name before them.

    They are of click's own types, of which some versions of typer carry a copy.
    """
    group: Any = typer.main.get_command(app)
    commands = dict(group.commands)
    for name, command in group.commands.items():
        below = getattr(command, "commands", {})
        commands.update({f"{name} {each}": below[each] for each in below})
    return commands


def _is_argument(param: Any) -> bool:
    return bool(param.param_type_name == "argument")


def _optional(params: list[Any]) -> bool:
    return any(not _is_argument(param) for param in params)


def _arguments(params: list[Any]) -> list[str]:
    shown = []
    for param in filter(_is_argument, params):
        word = str(param.metavar or param.name.upper()).strip("[]{}") + ("..." if param.nargs == -1 else "")
        shown.append(word if param.required else f"[{word}]")
    return shown


def _spelling(param: Any) -> str:
    """An option with what it takes, or an argument."""
    if _is_argument(param):
        return f"`{_arguments([param])[0]}`"
    takes = param.metavar
    if takes is None and isinstance(param.default, Enum):
        takes = "|".join(str(value.value) for value in type(param.default))
    if takes is None and not isinstance(param.default, bool):
        takes = "N"
    spelled = ", ".join(param.opts) + (f" {takes}" if takes else "")
    return "`" + spelled.replace("|", "\\|") + "`"


def _default(param: Any) -> str:
    value = param.default.value if isinstance(param.default, Enum) else param.default
    if _is_argument(param) and param.required:
        return "required"
    return "" if value is None or value is False or value == "" else f"`{value}`"


def _meaning(param: Any) -> str:
    return str(param.help or "").replace("|", "\\|").replace("<", "\\<")
