"""Pages of the API reference: one for each room of the server, made from its docstrings by Sphinx."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

_HEAD = """# API reference

The rooms of the server, with every public module, class and function. [ARCHITECTURE](../project/architecture.md) says
which room may import which. Nothing here is a stable interface for other programs: those use the
[protocol](../protocol.md) or the [command line](../headless.md).

| room | what it holds |
|---|---|
"""


def pages(package: Path) -> Iterator[tuple[str, str]]:
    """The name of each page and its text. `package` is the folder of the package `editahead`."""
    rooms = sorted(path for path in package.iterdir() if _is_room(path))
    rows = [f"| [`editahead.{path.stem}`]({path.stem}.md) | {_summary(path)} |" for path in rooms]
    yield "api/index", _HEAD + "\n".join(rows) + "\n"
    for room in rooms:
        modules = sorted(_modules(room), key=lambda module: (module.count("."), module))
        yield f"api/{room.stem}", f"# `editahead.{room.stem}`\n\n" + "\n".join(_directive(name) for name in modules)


def _is_room(path: Path) -> bool:
    return (path / "__init__.py").exists() or (path.suffix == ".py" and not path.stem.startswith("__"))


def _modules(room: Path) -> Iterator[str]:
    """The dotted names of a room's modules, without private ones."""
    for path in [room] if room.suffix else room.rglob("*.py"):
        parts = path.relative_to(room.parent).with_suffix("").parts
        names = parts[:-1] if parts[-1] == "__init__" else parts
        if not any(name.startswith("_") for name in names):
            yield ".".join(("editahead", *names))


def _summary(room: Path) -> str:
    """The first paragraph of a room's docstring, as a cell of a table."""
    file = room if room.suffix else room / "__init__.py"
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split()).replace("|", "\\|")


def _directive(module: str) -> str:
    heading = f"## `{module}`\n\n" if module.count(".") > 1 else ""
    return f"{heading}```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n```\n"
