"""Files of a project that may declare a class which a document names, likeliest first. Nothing is read.

Java: the file that is called like the class, in the package that an import names, or in the document's own folder.
C#: the only file that is called like the class. TypeScript: the module that the name is imported from, where its path
is relative. C and C++: the files that the document includes. Go: those of the package (`go_packages`). Rust has
`rust_modules`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from editahead.environment.classes.go_packages import package_files, package_folder

FilesNamed = Callable[[str], Sequence[str]]
"""The files of the project that are called like a name, without ending, as paths relative to its root."""
LANGUAGES = frozenset({"c", "cpp", "c_sharp", "go", "java", "javascript", "rust", "tsx", "typescript"})
_SCRIPT_ENDINGS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs")
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]{1,200})[>"]', re.MULTILINE)
_MOST_INCLUDES = 40
_INCLUDED_FROM = ("", "include", "src", "lib")  # folders below the root
_READ = 64 * 1024  # bytes from the start of a file: imports stand there


class ReferencingFile(NamedTuple):
    """A file of a project: its path and language, the root of the project, its text and the files around it."""

    path: Path
    root: Path
    language_id: str
    data: bytes
    files_named: FilesNamed


def locations(source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[Path]:
    """Files that may declare the class which `names`, a dotted name, means in a file.

    `module`: what its first name is imported from, as it is written; empty where it is not imported.
    """
    found: Iterator[Path] = iter(())
    if source.language_id == "java":
        found = _java(source, names, module)
    elif source.language_id == "c_sharp":
        found = (
            source.root / one for one in _only([one for one in source.files_named(names[-1]) if one.endswith(".cs")])
        )
    elif source.language_id == "go":
        found = iter(package_files(package_folder(source.path, source.root, names, module), names[-1]))
    elif source.language_id in ("c", "cpp"):
        found = _included(source)
    elif source.language_id in LANGUAGES:
        found = _script(source, module)
    return (path for path in found if path != source.path and path.is_relative_to(source.root))


def _only(rows: Sequence[str]) -> Sequence[str]:
    return rows if len(rows) == 1 else ()


def _java(source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[Path]:
    name = names[0]
    if not module:
        yield source.path.with_name(f"{name}.java")
        return
    written = module.split(".")
    ending = f"{'/'.join(written if written[-1] == name else [*written, name])}.java"
    for one in source.files_named(name):
        if one.endswith(".java") and f"/{one}".endswith(f"/{ending}"):
            yield source.root / one


def _script(source: ReferencingFile, module: str) -> Iterator[Path]:
    written = module.strip("'\"")
    if not written.startswith("."):
        return
    base = Path(_normal(source.path.parent, written))
    stem = base.with_suffix("") if base.suffix in (".js", ".jsx", ".mjs", ".ts", ".tsx") else base
    for ending in _SCRIPT_ENDINGS:
        yield stem.with_name(stem.name + ending)
    for ending in _SCRIPT_ENDINGS:
        yield base / f"index{ending}"


def _normal(folder: Path, written: str) -> Path:
    """A path without `.` and `..`, which may lead through links."""
    for part in written.split("/"):
        folder = folder.parent if part == ".." else folder / part if part not in ("", ".") else folder
    return folder


def _included(source: ReferencingFile) -> Iterator[Path]:
    for match in islice(_INCLUDE.finditer(source.data[:_READ]), _MOST_INCLUDES):
        written = match[1].decode("utf-8", "replace")
        yield _normal(source.path.parent, written)
        for folder in _INCLUDED_FROM:
            yield _normal(source.root / folder, written)
