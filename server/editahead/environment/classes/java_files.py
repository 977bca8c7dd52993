"""Classes of Java: each in the file that is called like it, in the folder of its package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from editahead.environment.classes.class_files import ClassFiles, ClassLocation
from editahead.environment.classes.referencing_file import ReferencingFile


class JavaFiles(ClassFiles):
    """The package is that of an import, or the file's own."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        """As in ClassFiles."""
        name = names[0]
        if not module:
            yield ClassLocation(source.path.with_name(f"{name}.java"), names[-1])
            return
        written = module.split(".")
        ending = f"{'/'.join(written if written[-1] == name else [*written, name])}.java"
        for path in source.files_named(name):
            if path.endswith(".java") and f"/{path}".endswith(f"/{ending}"):
                yield ClassLocation(source.root / path, names[-1])
