"""Which files of a project import what one of them declares: told by where their imports lead, never by a name alone.

Paths are relative to the project's root, with slashes. `is_package` says of a folder whether it has an `__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from editahead.index.project_imports import ProjectImports

IsPackage = Callable[[str], bool]
_OF_PACKAGES = ".java"
_SOURCES = (["src"], ["lib"], ["python"])  # folders of a project that often hold its packages


def importers(imports: ProjectImports, name: str, home: str, is_package: IsPackage) -> Iterator[str]:
    """Yield the files that may use `name`, which the file `home` declares: they import it, its module or its type."""
    if home.endswith(_OF_PACKAGES):
        yield from imports.packages.users(name, home)
        return
    files = dict.fromkeys(number for found in _importing(imports, name, home, is_package) for number in found)
    yield from (path for path in (imports.paths[number] for number in sorted(files)) if path != home)


def leads_to(module: str, here: str, home: str, imports: ProjectImports, is_package: IsPackage) -> bool:
    """Whether a dotted module that is written in the file `here` is the file `home`.

    A relative one is that file or it is not. An absolute one is counted from a folder that is no package: the root, one
    that often holds sources, one that `here` lies in, or one whose package no other folder has. Where files name their
    packages, it is a type that the file declares.
    """
    if home.endswith(_OF_PACKAGES):
        return imports.packages.leads_to(module, here, home)
    dots = len(module) - len(module.lstrip("."))
    parts, own, beside = [part for part in module.split(".") if part], module_parts(home), here.split("/")[:-1]
    if dots:
        return dots - 1 <= len(beside) and [*beside[: len(beside) - (dots - 1)], *parts] == own
    above = own[: len(own) - len(parts)]
    if not parts or [*above, *parts] != own or (above and is_package("/".join(above))):
        return False
    if not above or above in _SOURCES or beside[: len(above)] == above:
        return True
    return len(parts) > 1 and is_package("/".join([*above, parts[0]])) and _only(imports, parts, home)


def module_parts(path: str) -> list[str]:
    """The folders and the name of a Python module; of a package those of its folder."""
    parts = path.removesuffix(".pyi").removesuffix(".py").split("/")
    return parts[:-1] if parts[-1] == "__init__" else parts


def _importing(imports: ProjectImports, name: str, home: str, is_package: IsPackage) -> Iterator[list[int]]:
    if not home.endswith((".py", ".pyi")):
        for path in _written_as(home):
            yield imports.holders.get(path, [])
        return
    stem = [*module_parts(home), ""][:-1][-1:]
    for module, holding in imports.holders.items():
        if module.rpartition(".")[2:] == tuple(stem):
            wanted = ((module, name), (module, ""))
            yield [
                number
                for number in holding
                if any(pair in wanted for pair in imports.files[imports.paths[number]].imports)
                and leads_to(module, imports.paths[number], home, imports, is_package)
            ]
    for module in imports.sources.get(stem[0], ()) if stem else ():
        whole = f"{module}{'' if module.endswith('.') else '.'}{stem[0]}"
        found = imports.following.get(f"{module} import", {}).get(stem[0], [])
        yield [number for number in found if leads_to(whole, imports.paths[number], home, imports, is_package)]


def _written_as(home: str) -> Iterator[str]:
    """How the index keeps the quoted paths that lead to a file: from the root on, with and without its ending."""
    path = PurePosixPath(home)
    yield from (f"/{home}", f"/{path.with_suffix('')}", f"/{path.with_suffix('.js')}")
    if path.stem == "index":
        yield f"/{path.parent}".removesuffix("/.")


def _only(imports: ProjectImports, parts: list[str], home: str) -> bool:
    """Whether no other file of the project is a module whose path ends so."""
    ends = "/".join(parts)
    return not any(
        path != home and "/".join(module_parts(path)).endswith(f"/{ends}")
        for path in imports.paths
        if parts[-1] in path
    )
