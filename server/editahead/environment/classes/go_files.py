"""Types of Go: the files of a package add methods to them, and share all names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from editahead.environment.classes.class_files import ClassFiles, ClassLocation
from editahead.environment.classes.go_packages import (
    go_package_folder,
    imported_path,
    module_of,
    package_files,
    read_go_file,
)
from editahead.environment.classes.referencing_file import ReferencingFile


class GoFiles(ClassFiles):
    """Other packages see what begins with a capital letter."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        """As in ClassFiles."""
        folder = source.path.parent
        if len(names) > 1:
            go_package_folder = self._folder(source, module or imported_path(source.data, names[0]))
            if go_package_folder is None:
                return
            folder = go_package_folder
        for path in package_files(folder, names[-1]):
            facts = self.facts.get(path, read_go_file)
            if facts is not None and names[-1] in facts.names:
                yield ClassLocation(path, names[-1])

    def added_members(self, path: Path, name: str) -> Iterable[str]:
        """As in ClassFiles: the methods of a type."""
        for other in package_files(path.parent, name):
            facts = self.facts.get(other, read_go_file) if other != path else None
            yield from facts.methods.get(name, ()) if facts is not None else ()

    def package_names(self, source: ReferencingFile, name: str, module: str) -> tuple[str, ...] | None:
        """As in ClassFiles."""
        written = module or imported_path(source.data, name)
        folder = self._folder(source, written) if written else None
        files = package_files(folder, name) if folder is not None else []
        rows = (facts.names for path in files if (facts := self.facts.get(path, read_go_file)) is not None)
        return tuple(dict.fromkeys(name for row in rows for name in row if _is_exported(name))) or None

    def sees(self, source: ReferencingFile, path: Path) -> Callable[[str], bool] | None:
        """As in ClassFiles."""
        return _is_exported if path.parent != source.path.parent else None

    def _folder(self, source: ReferencingFile, module: str) -> Path | None:
        return go_package_folder(source.path, source.root, module, lambda path: self.facts.get(path, module_of) or "")


def _is_exported(name: str) -> bool:
    return name[:1].isupper()
