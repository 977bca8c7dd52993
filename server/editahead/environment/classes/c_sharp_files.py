"""Classes of C#: in the file of the same name; partial classes also in files `Name.Part.cs`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from editahead.environment.classes.class_files import ClassFiles, ClassLocation
from editahead.environment.classes.referencing_file import ReferencingFile

_MAX_ENTRIES = 5_000  # of a folder
_MAX_PARTS = 8


class CSharpFiles(ClassFiles):
    """The only file of a name in the project, for namespaces do not say where theirs are."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        """As in ClassFiles."""
        files = [path for path in source.files_named(names[-1]) if path.rpartition("/")[2] == f"{names[-1]}.cs"]
        return iter([ClassLocation(source.root / files[0], names[-1])] if len(files) == 1 else ())

    def parts(self, path: Path, name: str) -> Iterator[Path]:
        """As in ClassFiles."""
        try:
            with os.scandir(path.parent) as entries:
                row = sorted(entry.name for entry in islice(entries, _MAX_ENTRIES))
        except OSError:
            return
        parts = (file for file in row if file == f"{name}.cs" or (file.startswith(f"{name}.") and file.endswith(".cs")))
        yield from islice((path.with_name(file) for file in parts if file != path.name), _MAX_PARTS)
