"""The places that a diff probably forgot: what its repeated edits leave, each with a probability."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from editahead.check.groups import groups_in
from editahead.check.texts import Changed
from editahead.encode.repeat_changes import Change
from editahead.encode.repeat_groups import Group
from editahead.encode.repeat_match import find, style_of
from editahead.runtime.repeat import RepeatModel
from editahead.suggest.gate import bar
from editahead.suggest.repeat_sites import Site, apart, group_sites
from editahead.suggest.repeats import parsing
from editahead.suggest.types import Document

MAX_OPEN = 200
"""An edit that fits at more other places than this was meant for a few."""
Others = Callable[[Sequence[str]], "tuple[Sequence[Document], bool]"]
"""Files beside those of the diff that hold one of some words; and whether there are more."""


@dataclass(frozen=True, eq=False)
class Missed:
    """A place where a repeated edit was probably forgotten. `site.edit` would make it."""

    site: Site
    probability: float
    group: Group
    open: int  # how many places of this edit are reported

    @property
    def where(self) -> str:
        """The path of the file."""
        return self.site.document.uri

    @property
    def examples(self) -> list[tuple[str, int]]:
        """Where the edit was made: path and zero-based line, in reading order."""
        return sorted((str(sample.where), sample.example.line) for sample in self.group.samples)


@dataclass(frozen=True, eq=False)
class Answer:
    """All that was found, by path and place. `notes` say what was left out, a line each."""

    missed: tuple[Missed, ...]
    edits: int  # repeated edits in the diff
    notes: tuple[str, ...]


def missed_in(
    files: Sequence[Changed], added: Sequence[Document], others: Others, model: RepeatModel, precision: float
) -> Answer:
    """What a diff probably forgot; `added` are its new files. The same question always has the same answer."""
    groups, full = groups_in(files)
    notes = ["the diff is very large: only a part of its changes was compared"] if full else []
    more, left_out = others(sorted({group.pattern.word for group in groups})) if groups else ((), False)
    if left_out:
        notes.append("very many files hold the changed words: only those near the changes were searched")
    documents = [*(file.document for file in files), *added, *more]
    found: list[tuple[Site, Group, float]] = []
    wide = 0
    for group in groups:
        sites, most = open_places(group, files, documents)
        wide += most
        for site in sites:
            probability = model.probability(site.features, site.examples)
            if probability >= bar(model.calibration(site.examples), precision):
                found.append((site, group, probability))
    if wide:
        places = f"more than {MAX_OPEN} other places"
        notes.append(f"{wide} repeated edit{'s' * (wide > 1)} left out: {places} look the same")
    kept = {id(site) for site in parsing(apart([site for site, _, _ in found]))}
    found = [item for item in found if id(item[0]) in kept]
    counts = {id(group): sum(other is group for _, other, _ in found) for _, group, _ in found}
    missed = [Missed(site, probability, group, counts[id(group)]) for site, group, probability in found]
    missed.sort(key=lambda one: (one.where, one.site.edit.start, one.site.edit.old_end))
    return Answer(tuple(missed), len(groups), tuple(notes))


def open_places(group: Group, files: Sequence[Changed], documents: Sequence[Document]) -> tuple[Sequence[Site], bool]:
    """The places that a group leaves; none, and True, where they are too many."""
    by_uri = {file.document.uri: file.document for file in files}
    homes = tuple(by_uri[str(sample.where)] for sample in group.samples)
    texts = [elem.text.encode() for elem in group.pattern.need if elem.text and not elem.text.startswith("\n")]
    fitting: list[Document] = []
    count = 0
    for document in documents:
        buffer = document.syntax.buffer
        if document.language_id != homes[0].language_id or not all(text in buffer.data for text in texts):
            continue
        tabs, eol = style_of(buffer.data)
        matches = len(find(group.pattern, buffer, 0, tabs=tabs, eol=eol))
        count += matches
        if count > MAX_OPEN:
            return (), True
        if matches:
            fitting.append(document)
    changes: dict[str, list[Change]] = {document.uri: [] for document in fitting}
    changes.update((file.document.uri, list(file.changes)) for file in files)
    return group_sites(group, homes, fitting, changes), False
