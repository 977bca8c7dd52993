"""Which files of a project import what one of them declares: told by where their imports lead, never by a name alone.

Paths are relative to the project's root, with slashes. `is_package` says of a folder whether it has an `__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from editahead.index.module_lookup import module_parts
from editahead.index.project_imports import ProjectImports

IsPackage = Callable[[str], bool]
Check = Callable[[], None]
_OF_PACKAGES = ".java"
_SOURCES = (["src"], ["lib"], ["python"])  # folders of a project that often hold its packages


def importers(
    imports: ProjectImports, name: str, home: str, is_package: IsPackage, check: Check = lambda: None
) -> Iterator[str]:
    """Yield the files that may use `name`, which the file `home` declares: they import it, its module or its type.

    `check` is called between the files, and ends the work by raising.
    """
    if home.endswith(_OF_PACKAGES):
        yield from imports.packages.users(name, home, check)
        return
    files, only = set[int](), dict[str, bool]()
    for number, module in _importing(imports, name, home):
        check()
        if number not in files and (
            module is None or _leads_to(module, imports.paths[number], home, imports, is_package, only)
        ):
            files.add(number)
    yield from (path for path in (imports.paths[number] for number in sorted(files)) if path != home)


def leads_to(module: str, here: str, home: str, imports: ProjectImports, is_package: IsPackage) -> bool:
    """Whether a dotted module that is written in the file `here` is the file `home`.

    A relative one is that file or it is not. An absolute one is counted from a folder that is no package: the root, one
    that often holds sources, one that `here` lies in, or one whose package no other folder has; but from none where a
    folder around `here` has another such file. Where files name their packages, it is a type that the file declares.
    """
    return _leads_to(module, here, home, imports, is_package, {})


def _leads_to(
    module: str, here: str, home: str, imports: ProjectImports, is_package: IsPackage, only: dict[str, bool]
) -> bool:
    """`only` keeps whether the file is the only one to which a module may lead from anywhere."""
    if home.endswith(_OF_PACKAGES):
        return imports.packages.leads_to(module, here, home)
    dots = len(module) - len(module.lstrip("."))
    parts, own, beside = [part for part in module.split(".") if part], module_parts(home), here.split("/")[:-1]
    if dots:
        return dots - 1 <= len(beside) and [*beside[: len(beside) - (dots - 1)], *parts] == own
    above = own[: len(own) - len(parts)]
    if not parts or [*above, *parts] != own or (above and is_package("/".join(above))):
        return False
    if _is_hidden(imports, parts, above, beside, is_package):
        return False
    if not above or above in _SOURCES or beside[: len(above)] == above:
        return True
    if module not in only:
        inside = len(parts) > 1 and is_package("/".join([*above, parts[0]]))
        only[module] = inside and _only(imports, parts, home)
    return only[module]


def _is_hidden(
    imports: ProjectImports, parts: list[str], above: list[str], beside: list[str], is_package: IsPackage
) -> bool:
    """Whether a module that is written in a folder may be another file than one that is counted from `above`.

    It may be counted from all folders around that are no packages, and from those that often hold sources.
    """
    around = [beside[:depth] for depth in range(len(beside) + 1)]
    inside = beside[: len(above)] == above
    others = [folder for folder in (*around, *_SOURCES) if not (inside and len(folder) < len(above))]
    return any(
        folder != above and "/".join([*folder, *parts]) in imports.lookup.modules and not is_package("/".join(folder))
        for folder in others
    )


def _importing(imports: ProjectImports, name: str, home: str) -> Iterator[tuple[int, str | None]]:
    """Yield the numbers of files with the module that they import; None where it surely is the file `home`."""
    if not home.endswith((".py", ".pyi")):
        for path in _written_as(home):
            yield from ((number, None) for number in imports.holders.get(path, ()))
        return
    stem = [*module_parts(home), ""][:-1][-1:]
    ends = (*stem, "") if home.rpartition("/")[2].startswith("__init__.") else stem
    for module in (module for end in ends for module in imports.lookup.imported.get(end, ())):
        for number in imports.holders[module]:
            if any(pair in ((module, name), (module, "")) for pair in imports.files[imports.paths[number]].imports):
                yield number, module
    for module in imports.sources.get(stem[0], ()) if stem else ():
        whole = f"{module}{'' if module.endswith('.') else '.'}{stem[0]}"
        for number in imports.following.get(f"{module} import", {}).get(stem[0], ()):
            yield number, whole


def _written_as(home: str) -> Iterator[str]:
    """How the index keeps the quoted paths that lead to a file: from the root on, with and without its ending."""
    path = PurePosixPath(home)
    yield from (f"/{home}", f"/{path.with_suffix('')}", f"/{path.with_suffix('.js')}")
    if path.stem == "index":
        yield f"/{path.parent}".removesuffix("/.")


def _only(imports: ProjectImports, parts: list[str], home: str) -> bool:
    """Whether no other file of the project is a module whose path ends so."""
    ends, own = "/".join(parts), "/".join(module_parts(home))
    same = imports.lookup.named.get(parts[-1], ())
    return not any(module != own and f"/{module}".endswith(f"/{ends}") for module in same)
