"""Which file of a project a module of Python is, as an import writes it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import PurePosixPath

from editahead.suggest.next_edit.consequences.renames.uses_elsewhere import LeadsTo, is_module, path_of

PACKAGE_FILE = "__init__.py"
_NOT_OF_PROJECTS = sys.stdlib_module_names - {"test"}
_BINDING_BY_TEXT = re.compile(rb"\b(?:globals|vars)\s*\(\s*\)|\bsys\s*\.\s*modules\b|(?<![\w.])exec\s*\(")


def has_dynamic_bindings(data: bytes) -> bool:
    """Whether a module may bind names dynamically: by `globals()`, `exec(`, `sys.modules`."""
    return _BINDING_BY_TEXT.search(data) is not None


def module_test(exists: Callable[[str], bool]) -> LeadsTo:
    """A test whether an imported module is a given file; `exists` tests paths of the project.

    The roots of imports are unknown: any folder may be one, but for a package. The nearest above the importer wins.
    """

    def is_module_of(module: str, uri: str, home_uri: str) -> bool:
        importing, declaring = path_of(uri), path_of(home_uri)
        if not is_module(module, "", declaring, importing):
            return False
        if module.startswith(".") or declaring.suffix not in (".py", ".pyi"):
            return True
        parts = module.split(".")
        if parts[0] in _NOT_OF_PROJECTS:
            return False
        own = declaring.parent if declaring.name == PACKAGE_FILE else declaring.with_suffix("")
        root = PurePosixPath(*own.parts[: -len(parts)])
        if exists(str(root / PACKAGE_FILE)):
            return False
        for folder in importing.parents:
            if folder == root:
                break
            stem = folder.joinpath(*parts)
            there = any(exists(str(path)) for path in (stem.with_name(f"{stem.name}.py"), stem / PACKAGE_FILE))
            if there and not exists(str(folder / PACKAGE_FILE)):
                return False
        return True

    return is_module_of
