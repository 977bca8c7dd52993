"""Classes of C#: in the file that is called like them; a partial one also in those that are called `Name.Part.cs`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from editahead.environment.classes.class_files import ClassFiles, ClassPlace
from editahead.environment.classes.referencing_file import ReferencingFile

_MOST_ENTRIES = 5_000  # of a folder
_MOST_PARTS = 8


class CSharpFiles(ClassFiles):
    """The only file of a name in the project, for namespaces do not say where theirs are."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassPlace]:
        """As in ClassFiles."""
        files = [one for one in source.files_named(names[-1]) if one.rpartition("/")[2] == f"{names[-1]}.cs"]
        return iter([ClassPlace(source.root / files[0], names[-1])] if len(files) == 1 else ())

    def parts(self, path: Path, name: str) -> Iterator[Path]:
        """As in ClassFiles."""
        try:
            with os.scandir(path.parent) as entries:
                row = sorted(entry.name for entry in islice(entries, _MOST_ENTRIES))
        except OSError:
            return
        beside = (one for one in row if one == f"{name}.cs" or (one.startswith(f"{name}.") and one.endswith(".cs")))
        yield from islice((path.with_name(one) for one in beside if one != path.name), _MOST_PARTS)
