"""Classes of Rust: where the paths of `use` statements lead."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.environment.classes.class_files import ClassFiles, ClassLocation, before_member
from editahead.environment.classes.referencing_file import ReferencingFile
from editahead.environment.classes.rust_modules import RustModules, UsedPath, used_paths

_PUBLIC = re.compile(rb"\bpub\b")
_STRUCT = re.compile(rb"(?:pub(?:\([^)\n]*\))?\s+)?struct\b")


class RustFiles(ClassFiles):
    """Fields of a struct are hidden unless they are public."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        """As in ClassFiles."""

        def used_paths_of(path: Path) -> Sequence[UsedPath] | None:
            """The paths that a file brings in; for the referring file as in the editor."""
            return used_paths(source.data) if path == source.path else self.facts.get(path, used_paths)

        modules = RustModules(source.root, source.files_named, used_paths_of)
        return (ClassLocation(path, name) for path, name in modules.files(source.path, names))

    def hides(self, data: bytes, begins: int, ends: int) -> Callable[[NameAt], bool]:
        """As in ClassFiles."""
        if _STRUCT.match(data, begins) is None:
            return lambda member: False

        def is_hidden(member: NameAt) -> bool:
            is_field = member.occurrence.kind == "field"
            return is_field and _PUBLIC.search(before_member(data, member.start)) is None

        return is_hidden
