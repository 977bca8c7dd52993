"""The Python modules of a project by their paths, and those that its files import by how their names end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping


class ModuleLookup:
    """Immutable; built in time linear in the files and the imported modules of a project.

    `modules`: paths from the root on without endings; `named`: these by their last part. `imported`: dotted modules as
    they are written, by their last part, "" for those of dots alone.
    """

    def __init__(self, paths: Iterable[str], imported: Iterable[str]) -> None:
        """`imported`: each module once."""
        self.modules = frozenset("/".join(module_parts(path)) for path in paths)
        self.named: Mapping[str, list[str]] = _by_last_part(sorted(self.modules), "/")
        self.imported: Mapping[str, list[str]] = _by_last_part(imported, ".")


def module_parts(path: str) -> list[str]:
    """The folders and the name of a Python module; of a package those of its folder."""
    parts = path.removesuffix(".pyi").removesuffix(".py").split("/")
    return parts[:-1] if parts[-1] == "__init__" else parts


def _by_last_part(names: Iterable[str], sign: str) -> dict[str, list[str]]:
    names_by_part = dict[str, list[str]]()
    for name in names:
        names_by_part.setdefault(name.rpartition(sign)[2], []).append(name)
    return names_by_part
