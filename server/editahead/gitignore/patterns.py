"""One file of ignore patterns, indexed so that a path is judged at about the same cost however many lines there are.

Follows git's `dir.c`: the last line that matches decides. Names, `*ending`, `beginning*` and plain paths are looked up
in dictionaries; other patterns are tried in turn, by automata that take a single pass over the path.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from editahead.gitignore.wildmatch import NO_MATCH, Glob, compile_glob

MAX_GLOBS = 5000  # patterns that no dictionary holds; a list with more of them is not judged
_SPECIAL = re.compile(rb"[*?\[\\]").search  # the first byte that has a meaning in patterns
_Lines = dict[bytes, tuple[int, int]]  # key -> numbers of the last line for folders, and for files


class _Line:
    """A pattern that no dictionary holds.

    It has its number, whether it is for folders alone, its literal beginning, and what follows that, compiled when it
    is first needed.
    """

    __slots__ = ("_fold", "_glob", "_in_path", "_rest", "literal", "number", "only_folders")

    def __init__(self, number: int, only_folders: bool, literal: bytes, rest: bytes, in_path: bool, fold: bool) -> None:
        self.number, self.only_folders, self.literal = number, only_folders, literal
        self._rest, self._in_path, self._fold = rest, in_path, fold
        self._glob: Glob | None = None

    def matches(self, text: bytes) -> bool:
        """Whether what follows the literal beginning matches."""
        if self._glob is None:
            self._glob = compile_glob(self._rest, in_path=self._in_path, fold=self._fold) or NO_MATCH
        return self._glob.matches(text)


_Globs = list[_Line]


class TooManyPatternsError(ValueError):
    """A list of patterns that would take too long to match."""


class PatternList:
    """The patterns of a file, for paths relative to the folder of the file (bytes, with slashes).

    With `fold` capitals in ASCII make no difference, as with `core.ignoreCase`. Raises TooManyPatternsError.
    """

    __slots__ = (
        "_endings", "_fold", "_heads", "_name_globs", "_names", "_negative", "_path_globs", "_paths", "_starts", "size",
    )  # fmt: skip

    def __init__(self, data: bytes, fold: bool = False) -> None:
        self.size = len(data)
        self._fold = fold
        self._negative: set[int] = set()
        self._names: _Lines = {}
        self._endings: dict[int, _Lines] = {}  # by length
        self._starts: dict[int, _Lines] = {}
        self._paths: _Lines = {}
        self._name_globs: _Globs = []
        self._path_globs: _Globs = []
        self._heads: dict[bytes, _Globs] = {}  # path globs by the folder that they name literally
        for number, line in enumerate(pattern_lines(data)):
            self._add(number, line)
        for globs in (self._name_globs, self._path_globs, *self._heads.values()):
            if len(globs) > MAX_GLOBS:
                raise TooManyPatternsError(f"more than {MAX_GLOBS} patterns with wildcards")
            globs.reverse()  # the last line first

    def verdict(self, path: bytes, folder: bool) -> bool | None:
        """True: ignored. False: let in by a `!` line. None: no line says anything."""
        if self._fold:
            path = path.lower()
        name = path[path.rfind(b"/") + 1 :]
        column = 0 if folder else 1
        last = max(self._names.get(name, _NONE)[column], self._paths.get(path, _NONE)[column])
        for length, lines in self._endings.items():
            if length <= len(name):
                last = max(last, lines.get(name[len(name) - length :], _NONE)[column])
        for length, lines in self._starts.items():
            if length <= len(name):
                last = max(last, lines.get(name[:length], _NONE)[column])
        last = _last_match(self._name_globs, name, folder, last)
        last = _last_match(self._path_globs, path, folder, last)
        end = path.find(b"/") if self._heads else -1
        while end >= 0:
            if (globs := self._heads.get(path[:end])) is not None:
                last = _last_match(globs, path, folder, last)
            end = path.find(b"/", end + 1)
        return None if last < 0 else last not in self._negative

    def _add(self, number: int, line: bytes) -> None:
        if line[0] == 0x21:  # !
            self._negative.add(number)
            line = line[1:]
        only_folders = line[-1:] == b"/"
        body = line[:-1] if only_folders else line
        if b"/" not in body:
            self._add_name(number, body, only_folders)
            return
        body = body.removeprefix(b"/")
        if body.startswith(b"**/") and b"/" not in body[3:]:  # the same as a name at any depth
            self._add_name(number, body[3:], only_folders)
            return
        special = _SPECIAL(body)
        if special is None:
            _put(self._paths, body.lower() if self._fold else body, number, only_folders)
            return
        # As git does: the literal beginning is compared first, and what follows is a pattern of its own.
        literal = body[: special.start()]
        literal = literal.lower() if self._fold else literal
        head, slash, _ = literal.rpartition(b"/")
        globs = self._heads.setdefault(head, []) if slash else self._path_globs
        globs.append(_Line(number, only_folders, literal, body[special.start() :], True, self._fold))

    def _add_name(self, number: int, body: bytes, only_folders: bool) -> None:
        special = _SPECIAL(body)
        folded = body.lower() if self._fold else body
        if special is None:
            _put(self._names, folded, number, only_folders)
        elif body[0] == 0x2A and _SPECIAL(body, 1) is None:
            _put(self._endings.setdefault(len(body) - 1, {}), folded[1:], number, only_folders)
        elif special.start() == len(body) - 1 and body[-1] == 0x2A:
            _put(self._starts.setdefault(len(body) - 1, {}), folded[:-1], number, only_folders)
        else:
            self._name_globs.append(_Line(number, only_folders, b"", body, False, self._fold))


_NONE = (-1, -1)


def pattern_lines(data: bytes) -> Iterator[bytes]:
    """The patterns of a file, as git splits it: at line feeds alone; without comments and blanks at the end."""
    nul = b"\0" in data
    for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        if not line or line[0] == 0x23:  # a comment
            continue
        if line[-1] == 0x0D:
            line = line[:-1]
        if nul:
            line = line.partition(b"\0")[0]
        if line.endswith(b" "):
            line = _without_blanks(line)
        if line:
            yield line


def _without_blanks(line: bytes) -> bytes:
    """A line without the blanks at its end; a blank behind a backslash stays."""
    bare = line.rstrip(b" ")
    slashes = len(bare) - len(bare.rstrip(b"\\"))
    return line[: len(bare) + 1] if slashes % 2 else bare


def _put(lines: _Lines, key: bytes, number: int, only_folders: bool) -> None:
    lines[key] = (number, lines.get(key, _NONE)[1] if only_folders else number)


def _last_match(globs: _Globs, text: bytes, folder: bool, last: int) -> int:
    """The number of the last line that matches, where that is greater than `last`; else `last`."""
    for line in globs:
        if line.number <= last:
            break
        wanted = (folder or not line.only_folders) and text.startswith(line.literal)
        if wanted and line.matches(text[len(line.literal) :]):
            return line.number
    return last
