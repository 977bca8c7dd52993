"""Which files of a project import a declaration of another: decided by resolving their imports, never by name alone.

Paths are relative to the project's root, with slashes. `is_package` says of a folder whether it has an `__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from editahead.index.project_imports import ProjectImports, module_parts

IsPackage = Callable[[str], bool]
Check = Callable[[], None]
_OF_PACKAGES = ".java"
_SOURCES = (["src"], ["lib"], ["python"])  # folders of a project that often hold its packages


def importers(
    imports: ProjectImports, name: str, declaring: str, is_package: IsPackage, check: Check = lambda: None
) -> Iterator[str]:
    """Yield the files that may use `name`, declared in the file `declaring`: they import it, its module or its type.

    `check` is called between the files, and ends the work by raising.
    """
    if declaring.endswith(_OF_PACKAGES):
        yield from imports.packages.users(name, declaring, check)
        return
    files, only = set[int](), dict[str, bool]()
    for number, module in _importing(imports, name, declaring):
        check()
        if number not in files and (
            module is None or _is_import_of(module, imports.paths[number], declaring, imports, is_package, only)
        ):
            files.add(number)
    yield from (path for path in (imports.paths[number] for number in sorted(files)) if path != declaring)


def is_import_of(module: str, importing: str, declaring: str, imports: ProjectImports, is_package: IsPackage) -> bool:
    """Whether a dotted module that is written in the file `importing` is the file `declaring`.

    A relative module is unambiguous; an absolute module starts in a folder that is no package: the root, a source
    folder, a folder around `importing`, or a folder whose package no other folder has; but at none where a folder
    around `importing` has another such file. Where files name their packages, it is a type that the file declares.
    """
    return _is_import_of(module, importing, declaring, imports, is_package, {})


def _is_import_of(
    module: str, importing: str, declaring: str, imports: ProjectImports, is_package: IsPackage, unique: dict[str, bool]
) -> bool:
    """`unique` caches whether a module can refer to no other file, wherever it is imported."""
    if declaring.endswith(_OF_PACKAGES):
        return imports.packages.is_import_of(module, importing, declaring)
    dots = len(module) - len(module.lstrip("."))
    parts, own = [part for part in module.split(".") if part], module_parts(declaring)
    beside = importing.split("/")[:-1]
    if dots:
        return dots - 1 <= len(beside) and [*beside[: len(beside) - (dots - 1)], *parts] == own
    above = own[: len(own) - len(parts)]
    if not parts or [*above, *parts] != own or (above and is_package("/".join(above))):
        return False
    if _is_hidden(imports, parts, above, beside, is_package):
        return False
    if not above or above in _SOURCES or beside[: len(above)] == above:
        return True
    if module not in unique:
        inside = len(parts) > 1 and is_package("/".join([*above, parts[0]]))
        unique[module] = inside and _is_unique(imports, parts, declaring)
    return unique[module]


def _is_hidden(
    imports: ProjectImports, parts: list[str], above: list[str], beside: list[str], is_package: IsPackage
) -> bool:
    """Whether a module that is imported in a folder may be another file than that below `above`.

    It may be counted from all folders around that are no packages, and from those that often hold sources.
    """
    around = [beside[:depth] for depth in range(len(beside) + 1)]
    inside = beside[: len(above)] == above
    others = [folder for folder in (*around, *_SOURCES) if not (inside and len(folder) < len(above))]
    return any(
        folder != above and "/".join([*folder, *parts]) in imports.lookup.modules and not is_package("/".join(folder))
        for folder in others
    )


def _importing(imports: ProjectImports, name: str, declaring: str) -> Iterator[tuple[int, str | None]]:
    """Yield the numbers of files with the module that they import; None where it certainly is the file `declaring`."""
    if not declaring.endswith((".py", ".pyi")):
        for path in _quoted_paths(declaring):
            yield from ((number, None) for number in imports.holders.get(path, ()))
        return
    stem = [*module_parts(declaring), ""][:-1][-1:]
    ends = (*stem, "") if declaring.rpartition("/")[2].startswith("__init__.") else stem
    for module in (module for end in ends for module in imports.lookup.imported.get(end, ())):
        for number in imports.holders[module]:
            if any(pair in ((module, name), (module, "")) for pair in imports.files[imports.paths[number]].imports):
                yield number, module
    for module in imports.sources.get(stem[0], ()) if stem else ():
        whole = f"{module}{'' if module.endswith('.') else '.'}{stem[0]}"
        for number in imports.following.get(f"{module} import", {}).get(stem[0], ()):
            yield number, whole


def _quoted_paths(declaring: str) -> Iterator[str]:
    """The stored quoted paths of a file: from the root on, with and without its ending."""
    path = PurePosixPath(declaring)
    yield from (f"/{declaring}", f"/{path.with_suffix('')}", f"/{path.with_suffix('.js')}")
    if path.stem == "index":
        yield f"/{path.parent}".removesuffix("/.")


def _is_unique(imports: ProjectImports, parts: list[str], declaring: str) -> bool:
    """Whether no other file of the project is a module whose path ends so."""
    ends, own = "/".join(parts), "/".join(module_parts(declaring))
    same = imports.lookup.named.get(parts[-1], ())
    return not any(module != own and f"/{module}".endswith(f"/{ends}") for module in same)
