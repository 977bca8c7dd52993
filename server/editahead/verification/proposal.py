"""What is verified: edits of a file or of several, applied together, and what the user has done by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit


class SafetyRule(str, Enum):
    """The rules of verification, by the names under which refusals are counted."""

    SYNTAX = "syntax"
    TEXT = "text"
    BINDING = "binding"
    DELETION = "deletion"
    EXPORT = "export"


class Violation(NamedTuple):
    """Why a proposal is refused: the rule that it breaks, and what it would do, in words."""

    rule: SafetyRule
    detail: str


class FileEdits(NamedTuple):
    """Edits of the text of `syntax`, in text order; none overlaps another."""

    uri: str
    syntax: SyntaxSnapshot
    edits: tuple[ByteEdit, ...]


class UserChange(NamedTuple):
    """A change by the user: `inserted` stands at byte `start` of the text of `syntax` and replaced `removed`."""

    uri: str
    syntax: SyntaxSnapshot
    start: int
    removed: bytes
    inserted: bytes


IsUsedElsewhere = Callable[[str, str], "bool | None"]
"""Whether another file uses a name that the file of a URI declares or imports; None where nobody knows."""


def is_unknown(uri: str, name: str) -> bool | None:
    """Without knowledge of other files: declarations count as used there, imports do not."""
    return None


@dataclass(frozen=True, slots=True)
class ProposedEdits:
    """Edits that are verified together: a single edit, or all edits of a change.

    `changes`: what the user did, in any file. `is_used_elsewhere`: what other files use.
    """

    files: tuple[FileEdits, ...]
    changes: tuple[UserChange, ...] = ()
    is_used_elsewhere: IsUsedElsewhere = field(default=is_unknown)
