"""Search for places that a diff probably missed: the remaining places of its repeated edits, with probabilities.

Changes that take the same tokens away and bring the same ones are candidates for the same edit, whatever they keep
or move; then those that take tokens of the same kinds away. A common pattern makes a group of them (patterns/unify.py).
A diff has no times: the last site in reading order counts as newest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from editahead.check.leftover import Leftover
from editahead.check.texts import ChangedFile
from editahead.patterns.changes import NetChange
from editahead.patterns.examples import Example, example_of
from editahead.patterns.groups import EditGroup, Sample, compound_samples, group_with, shared_context
from editahead.patterns.matching import find_matches, is_consistent
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead.suggest.gate import threshold_for
from editahead.suggest.next_edit.repeats.group_sites import Site, group_sites
from editahead.suggest.next_edit.repeats.pattern_features import FEATURES
from editahead.suggest.next_edit.repeats.pattern_queue import sites_that_parse, without_overlaps
from editahead.suggest.types import Document
from editahead.text.line_ends import style_of

MAX_CHANGES = 4000
MAX_GROUPS = 60  # the largest are kept
_ALIKE = 300  # candidates of an edit that are compared
_PARTNERS = 6  # of them, those that each is unified with
_TRIES = 8
Tokens = frozenset[tuple[str, int]]
AMONG_CHANGES = ("broken", "file_done", "between", "changed", "near")
CHECK_FEATURES = (*FEATURES, "peers", "peer_share", "alone", "only", "ratio", *AMONG_CHANGES)
_LIKENESS = tuple(FEATURES.index(name) for name in ("left", "right", "owner", "shape", "head", "role", "scope"))
_SAME = 1e-9
_FAR = 400.0
MAX_OPEN = 200
"""An edit that fits at more other sites than this is searched only in the files with examples; where it fits at more
in those, it is skipped."""
LIKELY_PROBABILITY = 0.5
"""A site is counted among those of its edit when it is more likely than not, whatever the settings."""


class GroupMatches(NamedTuple):
    """Groups of two examples or more, the largest first; whether changes or groups were dropped for their number."""

    groups: list[EditGroup]
    full: bool


def groups_in(files: Sequence[ChangedFile]) -> GroupMatches:
    """Return the edits that a diff makes at several sites, independent of the order of the files."""
    ordered = sorted(files, key=lambda file: file.document.uri)
    located = [(file.document.uri, file.document.syntax.buffer, change) for file in ordered for change in file.changes]
    taken = located[:MAX_CHANGES][::-1]
    singles = [
        Sample(where, example, (change,), age)
        for age, (where, buffer, change) in enumerate(taken)
        if (example := example_of(buffer, [change])) is not None
    ]
    languages = {file.document.uri: file.document.language_id for file in ordered}
    groups: list[EditGroup] = []
    used: set[tuple[Hashable, int]] = set()
    for edit_key in (_net, _kinds):
        for samples in (compound_samples(taken, singles), singles):
            buckets: dict[Hashable, list[Sample]] = {}
            for sample in samples:
                if not sample.changes & used:
                    buckets.setdefault((languages[str(sample.where)], edit_key(sample.example)), []).append(sample)
            for bucket in buckets.values():
                for group in _split(bucket[:_ALIKE]):
                    groups.append(group)
                    used.update(*(sample.changes for sample in group.samples))
    groups.sort(key=lambda group: -len(group.samples))  # stable: by position among equals
    return GroupMatches(groups[:MAX_GROUPS], len(located) > MAX_CHANGES or len(groups) > MAX_GROUPS)


def _net(example: Example) -> tuple[Tokens, Tokens]:
    """Return the deleted and the inserted tokens with their counts, without tokens that only move."""
    gone, come = Counter(key.text for key in example.old), Counter(key.text for key in example.new)
    return frozenset((gone - come).items()), frozenset((come - gone).items())


def _kinds(example: Example) -> tuple[Tokens, Tokens]:
    """Return the net tokens with every deleted name, number and string as a kind, so that any argument matches."""
    gone, come = _net(example)
    kinds: Counter[str] = Counter()
    for text, count in gone:
        kinds["name" if text[0] == "_" or text[0].isalnum() else text] += count
    return frozenset(kinds.items()), come


def _split(samples: Sequence[Sample]) -> list[EditGroup]:
    """Split candidates for an edit into groups, newest first. No example is in two of them."""
    groups: list[EditGroup] = []
    rest = list(samples)
    for _ in range(_TRIES):
        if len(rest) < 2:
            break
        first, *others = rest
        best = group_with(first, others[:_PARTNERS])
        if best is None:
            rest = others
            continue
        alike = [sample for sample in others if is_consistent(best.pattern, sample.example)]
        members = [replace(sample, age=age) for age, sample in enumerate((first, *alike))]
        groups.append(EditGroup(best.pattern, tuple(members), *shared_context(best.pattern, members)))
        rest = [sample for sample in others if sample not in alike]
    return groups


def check_features(
    sites: Sequence[Site], group: EditGroup, files: Sequence[ChangedFile], leftovers: Sequence[Leftover] = ()
) -> list[tuple[float, ...]]:
    """Return the features of all sites of an edit, in the order of CHECK_FEATURES.

    `peers`: ln of how many of them are at least as like the examples; `peer_share`: what share of those and of the
    examples the examples are; `ratio`: ln of how many examples there are for each of those; `alone`: no other site is
    as like them; `only`: there is no other site. The others are those of `_Changes`.
    """
    likeness = [sum(site.features[at] for at in _LIKENESS) for site in sites]
    changes = _Changes(sites, group, files, leftovers) if sites else None
    rows: list[tuple[float, ...]] = []
    for site, mine in zip(sites, likeness, strict=True):
        assert changes is not None
        peers = sum(other >= mine - _SAME for other in likeness)
        share, ratio = site.examples / (site.examples + peers), math.log(site.examples / peers)
        alone = (math.log(peers), share, float(peers == 1), float(len(sites) == 1), ratio)
        rows.append((*site.features, *alone, *changes.features(site)))
    return rows


class _Changes:
    """The change around the sites of an edit.

    `broken`: a leftover stands on the line; `file_done`: the share of examples among all places of the file; `between`:
    two examples stand around it; `changed`: the file was changed; `near`: how far the nearest change of the file is.
    """

    def __init__(
        self, sites: Sequence[Site], group: EditGroup, files: Sequence[ChangedFile], leftovers: Sequence[Leftover]
    ) -> None:
        self._examples: dict[str, list[int]] = {}
        for sample in group.samples:
            self._examples.setdefault(str(sample.where), []).append(sample.example.line)
        self._sites = Counter(site.document.uri for site in sites)
        self._lines = {
            file.document.uri: [file.document.syntax.buffer.line_at(change.start) for change in file.changes]
            for file in files
            if file.document.uri in self._sites
        }
        self._broken = {(leftover.where, leftover.line) for leftover in leftovers}

    def features(self, site: Site) -> tuple[float, ...]:
        """The features of a site, in the order of AMONG_CHANGES."""
        uri = site.document.uri
        lines, here = self._examples.get(uri, []), self._sites[uri]
        changed = [abs(line - site.line) for line in self._lines.get(uri, ())]
        return (
            float((uri, site.line) in self._broken),
            len(lines) / (len(lines) + here),
            float(bool(lines) and min(lines) < site.line < max(lines)),
            float(bool(changed)),
            math.log(1.0 + min(changed)) / math.log(_FAR) if changed else 1.5,
        )


Others = Callable[[Sequence[str]], "tuple[Sequence[Document], bool]"]
"""Files beside those of the diff that contain any of some words; and whether there are more."""


class OpenSites(NamedTuple):
    """The remaining places of an edit.

    `narrowed`: only in the files with examples, for it fits at too many places; `given_up`: at too many there, too.
    """

    sites: Sequence[Site]
    narrowed: bool
    given_up: bool


@dataclass(frozen=True, eq=False)
class MissedEdit:
    """A site that a repeated edit probably missed. `site.edit` is the edit."""

    site: Site
    probability: float
    group: EditGroup
    open: int  # how many places of this edit were missed: probable ones, and those like this

    @property
    def where(self) -> str:
        """The path of the file."""
        return self.site.document.uri

    @property
    def examples(self) -> list[tuple[str, int]]:
        """The sites of the examples: path and zero-based line, in reading order."""
        return sorted((str(sample.where), sample.example.line) for sample in self.group.samples)


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The missed edits, by path and position. `notes` say what was skipped, a line each."""

    missed: tuple[MissedEdit, ...]
    edits: int  # repeated edits in the diff
    notes: tuple[str, ...]


def find_missed_edits(
    files: Sequence[ChangedFile],
    added: Sequence[Document],
    others: Others,
    model: PatternScorer,
    precision: float,
    under_way: PatternScorer | None = None,
    leftovers: Sequence[Leftover] = (),
) -> SearchResult:
    """Return the edits that a diff probably missed; `added` are its new files. Deterministic.

    `leftovers` are the leftovers of the diff: sites on their lines are rated accordingly.

    `model` uses CHECK_FEATURES; `under_way`, over FEATURES, rates sites on a line with an example or a missed
    edit: a line may have been skipped on purpose, but hardly half of it.
    """
    groups, full = groups_in(files)
    notes = ["the diff is very large: only a part of its changes was compared"] if full else []
    more, is_truncated = others(sorted({group.pattern.word for group in groups})) if groups else ((), False)
    if is_truncated:
        notes.append("very many files hold the changed words: only those near the changes were searched")
    documents = [*(file.document for file in files), *added, *more]
    matches: list[_Match] = []
    narrowed = given_up = 0
    for group in groups:
        remaining = find_open_sites(group, files, documents)
        given_up += remaining.given_up
        narrowed += remaining.narrowed and not remaining.given_up
        rows = check_features(remaining.sites, group, files, leftovers)
        rated = [
            _rated(site, group, numbers, model, precision) for site, numbers in zip(remaining.sites, rows, strict=True)
        ]
        if under_way is not None:
            rated = _with_their_lines(rated, group, under_way, precision)
        matches += [match for match in rated if match.reported or match.probability >= LIKELY_PROBABILITY]
    many = f"more than {MAX_OPEN} places"
    if narrowed:
        notes.append(f"{_edits(narrowed)} would fit at {many}: followed only in the files with examples")
    if given_up:
        notes.append(f"{_edits(given_up)} left out: {many} look the same")
    kept = {id(site) for site in sites_that_parse(without_overlaps([match.site for match in matches]))}
    matches = [match for match in matches if id(match.site) in kept]
    missed = [
        MissedEdit(match.site, match.probability, match.group, _like(match, matches))
        for match in matches
        if match.reported
    ]
    missed.sort(key=lambda match: (match.where, match.site.edit.start, match.site.edit.old_end))
    return SearchResult(tuple(missed), len(groups), tuple(notes))


class _Match(NamedTuple):
    site: Site
    group: EditGroup
    probability: float
    reported: bool  # whether it reaches the target precision


def _rated(site: Site, group: EditGroup, numbers: Sequence[float], model: PatternScorer, precision: float) -> _Match:
    probability = model.probability(numbers, site.examples)
    return _Match(site, group, probability, probability >= threshold_for(model.calibration(site.examples), precision))


def _with_their_lines(
    rated: Sequence[_Match], group: EditGroup, under_way: PatternScorer, precision: float
) -> list[_Match]:
    """Return the sites of an edit, with their probabilities.

    A site that shares its line with an example or a missed edit is as likely as it would be while the change is still
    under way.
    """
    lines = {(str(sample.where), sample.example.line) for sample in group.samples}
    lines.update((match.site.document.uri, match.site.line) for match in rated if match.reported)
    result: list[_Match] = []
    for match in rated:
        if not match.reported and (match.site.document.uri, match.site.line) in lines:
            again = _rated(match.site, group, match.site.features, under_way, precision)
            match = again if again.probability > match.probability else match
        result.append(match)
    return result


def _like(match: _Match, matches: Sequence[_Match]) -> int:
    """Count the sites of the same edit that are probable, or at least as probable as this."""
    least = min(LIKELY_PROBABILITY, match.probability)
    return sum(other.group is match.group and other.probability >= least for other in matches)


def _edits(number: int) -> str:
    return f"{number} repeated edit{'s' * (number > 1)}"


def find_open_sites(group: EditGroup, files: Sequence[ChangedFile], documents: Sequence[Document]) -> OpenSites:
    """Find the remaining sites of a group in documents."""
    by_uri = {file.document.uri: file.document for file in files}
    example_documents = tuple(by_uri[str(sample.where)] for sample in group.samples)
    same_language = [document for document in documents if document.language_id == example_documents[0].language_id]
    everywhere = _fitting(group, same_language)
    unique = {document.uri: document for document in example_documents}
    fitting = everywhere if everywhere is not None else _fitting(group, list(unique.values()))
    if fitting is None:
        return OpenSites((), True, True)
    changes: dict[str, list[NetChange]] = {document.uri: [] for document in fitting}
    changes.update((file.document.uri, list(file.changes)) for file in files)
    return OpenSites(group_sites(group, example_documents, fitting, changes), everywhere is None, False)


def _fitting(group: EditGroup, documents: Sequence[Document]) -> list[Document] | None:
    """Return the documents to which the edit applies; None where it applies at more than MAX_OPEN places."""
    texts = [elem.text.encode() for elem in group.pattern.elements if elem.text and not elem.text.startswith("\n")]
    fitting: list[Document] = []
    count = 0
    for document in documents:
        buffer = document.syntax.buffer
        if not all(text in buffer.data for text in texts):
            continue
        tabs, eol = style_of(buffer.data)
        matches = len(find_matches(group.pattern, buffer, 0, tabs=tabs, eol=eol))
        count += matches
        if count > MAX_OPEN:
            return None
        if matches:
            fitting.append(document)
    return fitting
