"""Drawn places of a project as a user meets them: names of three and more letters, no `self`, no tests.

In one half of the places the file ends at the cursor (`cut`), in the other half the rest of the line is missing and
the text below stands (`line`).
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from editahead.syntax.language import Language
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import TokenKind
from editahead.text.buffer import Buffer

from editahead_models.data.corpus.source_files import blobs, languages_of_model
from editahead_models.data.corpus.test_paths import is_test
from editahead_models.data.projects import Project

CUT, LINE = "cut", "line"
LEAST_LETTERS = 3
NOT_DRAWN = frozenset({"self", "this"})
FILES = 60
"""Files of a project that places are drawn from."""


@dataclass(frozen=True, slots=True)
class DrawnPlace:
    """A token of a file: bytes [start, end) of `content`. `path` is that of the file inside its project."""

    path: str
    language: Language
    content: bytes
    start: int
    end: int
    is_name: bool
    situation: str = CUT

    @property
    def token(self) -> str:
        """The text of the token."""
        return self.content[self.start : self.end].decode("utf-8", "replace")

    def before(self, letters: int = 0) -> bytes:
        """The text before the cursor, behind some letters of the token."""
        return self.content[: self.start] + self.token[:letters].encode()

    @property
    def line_end(self) -> int:
        """The byte where the line of the token ends."""
        end = self.content.find(b"\n", self.end)
        return len(self.content) if end < 0 else end

    @property
    def below(self) -> bytes:
        """The text that stands behind the cursor."""
        return self.content[self.line_end :] if self.situation == LINE else b""

    def missing(self, letters: int = 0) -> str:
        """The text that a user would write on from the cursor."""
        end = self.line_end if self.situation == LINE else len(self.content)
        return self.content[len(self.before(letters)) : end].decode("utf-8", "replace")


def source_files(project: Project, language_id: str) -> Iterator[tuple[str, bytes, Language]]:
    """(path, content, language) of all files of the languages that share a model, with the line ends of Unix.

    What users type and are offered is compared with the file: an editor too shows none of the line ends of Windows.
    """
    for language in languages_of_model(language_id):
        for path, content in blobs(project, language):
            yield path, content.replace(b"\r\n", b"\n"), language


def source_size(project: Project, language_id: str) -> int:
    """Bytes of the files of a language that are no tests."""
    return sum(len(content) for path, content, _ in source_files(project, language_id) if not is_test(path))


def draw(
    files: Iterable[tuple[str, bytes, Language]], count: int, rng: random.Random, *, names_only: bool
) -> list[DrawnPlace]:
    """`count` tokens of files that are no tests, drawn uniformly from FILES of them, by file and place.

    Names are those that a user would complete; otherwise every token but comments is drawn from.
    """
    chosen = [row for row in files if not is_test(row[0]) and b"\r" not in row[1]]
    rng.shuffle(chosen)
    pool = [place for row in chosen[:FILES] for place in _places(*row, names_only=names_only)]
    drawn = rng.sample(pool, min(count, len(pool)))
    drawn = [replace(place, situation=rng.choice((CUT, LINE))) for place in drawn]
    return sorted(drawn, key=lambda place: (place.path, place.start))


def _places(path: str, content: bytes, language: Language, *, names_only: bool) -> Iterator[DrawnPlace]:
    snapshot = SyntaxSnapshot.open(Buffer(content), language)
    starts = snapshot.buffer.line_starts
    for line in range(snapshot.line_count):
        for token in snapshot.line_tokens(line):
            name = token.kind is TokenKind.NAME
            long = len(token.text) >= LEAST_LETTERS and token.text not in NOT_DRAWN
            if (name and long) if names_only else (token.kind is not TokenKind.COMMENT and token.text.strip()):
                at = int(starts[line]) + token.start
                yield DrawnPlace(path, language, content, at, int(starts[line]) + token.end, name)
