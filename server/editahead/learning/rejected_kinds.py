"""Kinds of edits that the user rejected: the form of an edit without names and text, and the statement that it changes.

A rejection counts for every edit of its kind, in all files, and decays over days.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from hashlib import blake2b

from editahead.syntax.language import by_id

HALF_LIFE = 7  # days after which a rejection counts half
MAX_WEIGHT = 4.0
WITHHELD_WEIGHT = 2.5  # the weight from which on edits of a kind are not shown: three rejections, for two days
MAX_KINDS = 2000
MAX_CHARACTERS = 400  # longer edits have no kind: what they say is too special
_TOKEN = re.compile(r"""[^\W\d]\w*|\d[\w.]*|"[^"\n]*"|'[^'\n]*'|\s+|.""", re.DOTALL)
_WORD = re.compile(r"[^\W\d]\w*")
DAY = 86_400  # seconds


@dataclass(frozen=True, slots=True)
class RejectedKind:
    """A kind of edit and its rejections. `weight` is that of the day `day` (days since 1970), before later decay.

    `pattern` is the hash of the normalised edit; `source` the source of a next edit; `statement` what the line holds: a
    keyword of the language, `assignment`, `call` or `other`. `project` is the workspace folder, empty for none.
    """

    project: str
    pattern: str
    language: str
    kind: str
    source: str
    statement: str
    weight: float = 0.0
    count: int = 0
    day: int = 0

    def weight_at(self, day: int) -> float:
        """Return the weight on a day; a day before the last rejection counts as that day."""
        return float(self.weight * 0.5 ** (max(0, day - self.day) / HALF_LIFE))

    def rejected_again(self, day: int) -> RejectedKind:
        """Return the kind after another rejection."""
        weight = min(MAX_WEIGHT, self.weight_at(day) + 1.0)
        return replace(self, weight=weight, count=self.count + 1, day=max(day, self.day))


def kind_of_edit(
    project: str, language: str, kind: str, source: str, removed: bytes, inserted: bytes, line: bytes
) -> RejectedKind | None:
    """Return the kind of an edit that replaces `removed` by `inserted` in a line; None for a long edit."""
    if len(removed) + len(inserted) > MAX_CHARACTERS:
        return None
    definition = by_id(language)
    keywords = definition.scopes.keywords if definition is not None and definition.scopes is not None else frozenset()
    form = _normalised(removed.decode("utf-8", "replace"), inserted.decode("utf-8", "replace"), keywords)
    statement = _statement(line[:MAX_CHARACTERS].decode("utf-8", "replace"), keywords)
    text = f"{language}\0{kind}\0{source}\0{statement}\0{form}"
    return RejectedKind(project, blake2b(text.encode(), digest_size=8).hexdigest(), language, kind, source, statement)


def _normalised(removed: str, inserted: str, keywords: frozenset[str]) -> str:
    """Return an edit with numbers for names, and without the text of literals and the width of blanks."""
    numbers: dict[str, int] = {}

    def token(text: str) -> str:
        if _WORD.fullmatch(text):
            return text if text in keywords else f"name{numbers.setdefault(text, len(numbers))}"
        if text.isspace():
            return "\n" if "\n" in text else " "
        if len(text) > 1:
            return "0" if text[0].isdigit() else '""'
        return "0" if text.isdigit() else text

    return "\0".join("".join(map(token, _TOKEN.findall(text))) for text in (removed, inserted))


def _statement(line: str, keywords: frozenset[str]) -> str:
    """Return the keyword that a line begins with, or else whether it assigns or calls."""
    word = _WORD.match(line.lstrip())
    if word is not None and word[0] in keywords:
        return word[0]
    return "assignment" if re.search(r"(?<![=!<>])=(?!=)", line) else "call" if "(" in line else "other"


class RejectedKinds:
    """The rejected kinds of edits of all projects: those of this session and those remembered."""

    def __init__(self, kinds: Iterable[RejectedKind] = ()) -> None:
        self._by_pattern: dict[str, dict[str, RejectedKind]] = {}  # pattern -> project -> kind
        for kind in kinds:
            self._by_pattern.setdefault(kind.pattern, {})[kind.project] = kind

    def reject(self, kind: RejectedKind, day: int) -> None:
        """Record a rejection; of too many patterns that with the least weight goes."""
        projects = self._by_pattern.setdefault(kind.pattern, {})
        projects[kind.project] = projects.get(kind.project, kind).rejected_again(day)
        if len(self._by_pattern) > MAX_KINDS:
            del self._by_pattern[min(self._by_pattern, key=lambda pattern: self._weight(pattern, day))]

    def accept(self, pattern: str) -> int:
        """Drop a pattern, as an edit of it was accepted. Returns in how many projects it was rejected."""
        return len(self._by_pattern.pop(pattern, ()))

    def reason(self, pattern: str, day: int) -> str:
        """Return why edits of a pattern are not shown; empty if they may be."""
        if self._weight(pattern, day) < WITHHELD_WEIGHT:
            return ""
        count = sum(kind.count for kind in self._by_pattern[pattern].values())
        return f"edits of this kind were rejected {count} times ({pattern})"

    def _weight(self, pattern: str, day: int) -> float:
        return sum(kind.weight_at(day) for kind in self._by_pattern.get(pattern, {}).values())

    @property
    def kinds(self) -> list[RejectedKind]:
        """All kinds, the latest rejection last."""
        kinds = [kind for projects in self._by_pattern.values() for kind in projects.values()]
        return sorted(kinds, key=lambda kind: (kind.day, kind.pattern, kind.project))
