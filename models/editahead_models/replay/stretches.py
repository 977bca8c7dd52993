"""Stretches of code to type: four lines of a file of a project, drawn as `editahead bench` draws them."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from editahead.bench.stretches import draw_stretch
from editahead.syntax.language import Language
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import Buffer

from editahead_models.data.corpus.test_paths import is_test
from editahead_models.replay.places import CUT, LINE

TRIES = 10
"""Draws in one file until a stretch begins in code."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Bytes [start, end) of a file, which are typed. Below them the text stands (LINE), or the file ends (CUT)."""

    path: str
    language: Language
    content: bytes
    start: int
    end: int
    situation: str

    @property
    def text(self) -> bytes:
        """What is typed: whole lines, the first without its indentation, the last without its line end."""
        return self.content[self.start : self.end]

    @property
    def before(self) -> bytes:
        """What stands above the cursor, and the indentation of its line."""
        return self.content[: self.start]

    @property
    def below(self) -> bytes:
        """What stands behind the cursor."""
        return self.content[self.end :] if self.situation == LINE else b""

    def missing(self, at: int) -> str:
        """What a user would write on behind `at` bytes: where nothing stands below, the rest of the file too."""
        end = self.end if self.situation == LINE else len(self.content)
        return self.content[self.start + at : end].decode("utf-8", "replace")


def draw_stretches(files: Iterable[tuple[str, bytes, Language]], count: int, rng: random.Random) -> list[Stretch]:
    """At most `count` stretches, each of another file; no tests, and no file with carriage returns of its own.

    A stretch begins in code: nobody types the licence at the head of a file. Comments and strings follow in it.
    """
    chosen = [row for row in files if not is_test(row[0]) and b"\r" not in row[1] and _is_utf8(row[1])]
    rng.shuffle(chosen)
    found: list[Stretch] = []
    for path, content, language in chosen:
        if len(found) >= count:
            break
        place = _in_code(content, language, rng)
        if place is not None:
            found.append(Stretch(path, language, content, *place, rng.choice((CUT, LINE))))
    return found


def _in_code(content: bytes, language: Language, rng: random.Random) -> tuple[int, int] | None:
    snapshot = SyntaxSnapshot.open(Buffer(content), language)
    for _ in range(TRIES):
        place = draw_stretch(content, rng)
        if place is None or snapshot.region_at(place[0]) is Region.CODE:
            return place
    return None


def without(
    files: Iterable[tuple[str, bytes, Language]], stretches: Iterable[Stretch]
) -> list[tuple[str, bytes, Language]]:
    """The files as they lie on disk while the stretches are typed: nothing of a stretch is there to be read."""
    left = {stretch.path: stretch.before + stretch.below for stretch in stretches}
    return [(path, left.get(path, content), language) for path, content, language in files]


def shares_of(available: Sequence[int], wanted: int) -> list[int]:
    """How many stretches each project gives, as evenly as their numbers of files allow."""
    shares = [0] * len(available)
    left = wanted
    for done, index in enumerate(sorted(range(len(available)), key=lambda index: available[index])):
        shares[index] = min(available[index], left // (len(available) - done))
        left -= shares[index]
    return shares


def digest(stretches: Iterable[Stretch]) -> str:
    """A hash of what is typed and where."""
    found = hashlib.sha256()
    for stretch in stretches:
        found.update(f"{stretch.path}\0{stretch.start}\0{stretch.end}\0{stretch.situation}\0".encode())
        found.update(hashlib.sha256(stretch.content).digest())
    return found.hexdigest()[:16]


def _is_utf8(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True
