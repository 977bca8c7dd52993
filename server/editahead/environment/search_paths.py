"""Search paths of the modules that a Python file can import, determined without running anything."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path

_SOURCES = ("src", "lib", "python")  # folders of a project that often hold its packages
_MAX_PACKAGE_DEPTH = 20
_ENVIRONMENTS = (".venv", "venv", "env", ".env")


def project_paths(root: Path | None, file: Path | None) -> list[Path]:
    """Return the search paths in the project, nearest first: folders from the file up, and usual source folders."""
    folders: list[Path] = []
    if root is not None:
        folders = [root, *(root / name for name in _SOURCES)]
    if file is not None:
        folders.append(file.parent)
    return [path for path in dict.fromkeys(folders) if path.is_dir()]


def library_paths(root: Path | None) -> list[Path]:
    """Return the search paths of installed packages (virtual environment, or this Python) and standard library."""
    folders: list[Path] = []
    variable = os.environ.get("VIRTUAL_ENV")
    environments = [root / name for name in _ENVIRONMENTS] if root is not None else []
    if variable:
        environments.append(Path(variable))
    for environment in environments:
        if (environment / "pyvenv.cfg").is_file():
            folders += sorted(environment.glob("lib/python3.*/site-packages"))
            windows = environment / "Lib" / "site-packages"
            folders += [windows] if windows.is_dir() else []
            break
    paths = sysconfig.get_paths()
    if not folders:
        folders.append(Path(paths["purelib"]))
    folders.append(Path(paths["stdlib"]))
    return [path for path in dict.fromkeys(folders) if path.is_dir()]


def package_of(file: Path) -> tuple[str, ...]:
    """Return the package that contains a file: the folders above it with an `__init__.py`, outermost first."""
    names: list[str] = []
    for folder in file.parents:
        if not (folder / "__init__.py").is_file() or len(names) >= _MAX_PACKAGE_DEPTH:
            break
        names.insert(0, folder.name)
    return tuple(names)
