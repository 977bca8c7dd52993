"""Classes of C and C++: in the files that a file includes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from editahead.analysis.resolver.file_scopes import NameAt
from editahead.environment.classes.class_files import ClassFiles, ClassLocation
from editahead.environment.classes.referencing_file import ReferencingFile, join_lexically
from editahead.syntax.language import Language, by_id

_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]{1,200})[>"]', re.MULTILINE)
_ACCESS = re.compile(rb"^[ \t]*(public|protected|private)[ \t]*:(?!:)", re.MULTILINE)
_MAX_INCLUDES = 40
_INCLUDED_FROM = ("", "include", "src", "lib")  # folders below the root
_READ = 64 * 1024  # bytes from the start of a file: includes stand there


class CFiles(ClassFiles):
    """Included files are looked for beside the file and below the root."""

    def places(self, source: ReferencingFile, names: Sequence[str], module: str) -> Iterator[ClassLocation]:
        """As in ClassFiles."""
        for match in islice(_INCLUDE.finditer(source.data[:_READ]), _MAX_INCLUDES):
            written = match[1].decode("utf-8", "replace")
            yield ClassLocation(join_lexically(source.path.parent, written), names[-1])
            for folder in _INCLUDED_FROM:
                yield ClassLocation(join_lexically(source.root / folder, written), names[-1])


class CppFiles(CFiles):
    """The sections of a class say what is hidden. Headers are called like those of C."""

    def language_of(self, path: Path) -> Language | None:
        """As in ClassFiles."""
        return by_id("cpp")

    def hides(self, data: bytes, begins: int, ends: int) -> Callable[[NameAt], bool]:
        """As in ClassFiles."""
        sections = [(begins, data.startswith(b"class", begins))]
        sections += ((match.start(), match[1] != b"public") for match in _ACCESS.finditer(data, begins, ends))
        return lambda member: sections[max(0, bisect_left(sections, (member.start, False)) - 1)][1]
