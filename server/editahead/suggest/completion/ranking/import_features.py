"""The further features of the ranker of imports.

Shapes: N candidates, C and S further features of a candidate and of the position.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from editahead.index.project_imports import ImportVotes

Floats = npt.NDArray[np.float32]
CANDIDATE_FEATURES = (
    "project_files",  # ln(1 + other files that import it there)
    "alike",  # share of those that import the same as this file, weighted
    "folder",  # share of those of the same folder
    "needed",  # ln(1 + names without a binding that other files import from there)
    "declared",  # ln(1 + names without a binding that other files declare there)
    "behind_last",  # 1: sorts behind the import or the name before it, -1: does not, 0: nothing stands there
    "before_next",
    "imported",  # this file imports it already
    "standard",  # a module of the standard library
    "of_project",  # a module of the project
    "same_section",  # 1: of the same section as the import above, -1: of another, 0: nothing stands there
)
PLACE_FEATURES = (
    "begins_statement",  # `import`, not `from`
    "relative",
    "in_path",  # behind the first module of a path
    "listed",  # ln(1 + names that the statement imports already)
    "above",  # ln(1 + imports above)
    "section_begins",  # a blank line stands between
    "after_from",
    "after_standard",
    "after_project",
    "before_import",
    "below",  # the file goes on below
    "project_known",
)
INSTALLED, STANDARD, PROJECT, FUTURE = range(4)  # the sections of a file's imports
_ADDED = 12  # candidates of each source
_NONE = ImportVotes(0, 0.0, 0.0)


class ImportEvidence(NamedTuple):
    """The evidence where an import is written.

    `module`: a module is written, not a name; `path`: the modules before it with their dots; `votes`: what other files
    import behind that; `needed`, `declared`: how many names without a binding they import from there, or declare there;
    `before`, `after`: the modules or names between which it stands; `bound`: what the file imports already; `own`:
    first modules of the project; `section`: that of the import directly above, or None; `position`: features (S,).
    """

    module: bool
    path: str
    votes: Mapping[str, ImportVotes]
    needed: Mapping[str, float]
    declared: Mapping[str, float]
    before: str | None
    after: str | None
    bound: frozenset[str]
    own: frozenset[str]
    section: int | None
    position: Floats


def imported_elsewhere(evidence: ImportEvidence, prefix: str) -> list[str]:
    """What other files import there with the typed prefix; a few of each source."""
    begun = [(text, vote) for text, vote in evidence.votes.items() if text.startswith(prefix) and text != prefix]
    texts: list[str] = []
    for names in (evidence.needed, evidence.declared):
        some = [(-value, text) for text, value in names.items() if text.startswith(prefix) and text != prefix]
        texts += [text for _, text in sorted(some)[:_ADDED]]
    for key in map(attrgetter, ("alike", "folder", "files")):
        texts += [text for _, text in sorted((-key(vote), text) for text, vote in begun)[:_ADDED]]
    return list(dict.fromkeys(texts))


def import_features(texts: Sequence[str], evidence: ImportEvidence) -> Floats:
    """Features (N, C) of candidates."""
    rows = np.zeros((len(texts), len(CANDIDATE_FEATURES)), np.float32)
    path = evidence.path if evidence.module else ""
    order = str.casefold if evidence.module else _name_order
    for number, text in enumerate(texts):
        votes, whole = evidence.votes.get(text, _NONE), path + text
        section = section_of(whole, evidence.own) if evidence.module and whole[:1] != "." else None
        rows[number] = (
            math.log1p(votes.files), votes.alike, votes.folder, math.log1p(evidence.needed.get(text, 0.0)),
            math.log1p(evidence.declared.get(text, 0.0)),
            _behind(evidence.before, whole, order), -_behind(evidence.after, whole, order),
            whole in evidence.bound, section == STANDARD, section == PROJECT,
            0 if evidence.section is None else 1 if evidence.section == section else -1,
        )  # fmt: skip
    return rows


def section_of(module: str, own: frozenset[str]) -> int:
    """The section that a module is imported in; a relative import belongs to the project."""
    first = module.partition(".")[0]
    if first == "__future__":
        return FUTURE
    return STANDARD if first in sys.stdlib_module_names else PROJECT if not first or first in own else INSTALLED


def _behind(other: str | None, text: str, order: Callable[[str], Any]) -> float:
    """1 where a text is sorted behind another or is the same, -1 where it is not, 0 without another."""
    return 0.0 if other is None else 1.0 if order(text) >= order(other) else -1.0


def _name_order(name: str) -> tuple[int, str]:
    """The usual order of imported names: constants, classes, others."""
    return (0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2), name.casefold()
