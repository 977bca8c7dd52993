"""The queue: all remaining places of an edit that the user has begun to repeat, each with its probability."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from editahead.runtime.bundle import Bundle
from editahead.runtime.ort import Cancel
from editahead.runtime.pattern_scorer import RepeatModel
from editahead.suggest.gate import parses_no_worse, threshold_for
from editahead.suggest.next_edit.pattern_cache import RepeatMemory
from editahead.suggest.next_edit.pattern_features import FEATURES
from editahead.suggest.next_edit.pattern_places import Site, places_of
from editahead.suggest.next_edit.resolved_renamings import ResolvedRenaming, makes_renaming
from editahead.suggest.types import Document, GateReading, NextEdit, QueuedEdit, Reason, Shown
from editahead.text.percent import percent

_CHECKED = 40
"""Places of one document whose syntax is checked one by one, when all of them together make it worse."""
_Asked = tuple[tuple[object, ...], ...]


class RepeatQueue:
    """The queue of the documents that it was asked about last. Lives on the inference thread.

    Raises BundleError when the bundle's `repeat` entry does not work; without one the queue is always empty.
    """

    def __init__(self, bundle: Bundle) -> None:
        self.model = RepeatModel.of_bundle(bundle, FEATURES)
        self._asked: _Asked = ()
        self._known: tuple[QueuedEdit, ...] = ()
        self.repeated = False  # whether an edit was made twice or more, wherever it can go on
        self._after_undo = False
        self._memory = RepeatMemory()

    def places(
        self,
        document: Document,
        byte: int,
        cancel: Cancel | None = None,
        resolved: Sequence[ResolvedRenaming] = (),
    ) -> list[QueuedEdit]:
        """All remaining places in a document and the others that are open, likeliest first.

        Near `byte` first among equals. None repeats a renaming that is `resolved`. Raises Cancelled.
        """
        if self.model is None:
            return []
        if cancel is not None:
            self._memory.check = cancel.check
        documents = [document, *document.others]
        asked = _question(documents)
        if asked != self._asked:
            found = places_of(documents, self._memory)
            self._known = tuple(self._scored(found.sites, document.settings.precision))
            self.repeated, self._after_undo, self._asked = found.repeated, found.after_undo, asked
        texts = {one.uri: one.syntax.buffer.data for one in documents}
        known = [one for one in resolved if one.everywhere]
        return sorted(
            (
                item
                for item in self._known
                if not makes_renaming(item.edit, texts[item.uri], resolved if item.uri == document.uri else known)
            ),
            key=lambda item: (-round(item.probability, 2), item.uri != document.uri, abs(item.edit.start - byte)),
        )

    def forget(self) -> None:
        """Keep nothing of the documents that it was asked about: the next question begins anew."""
        self._asked, self._known, self.repeated, self._after_undo = (), (), False, False
        self._memory.forget()

    def _scored(self, found: Sequence[Site], precision: float) -> Iterator[QueuedEdit]:
        """Places with their probabilities, without those that break the syntax of their file."""
        assert self.model is not None
        rated = parsing(found, self._memory)
        sizes = Counter(site.group for site in rated)
        for site in rated:
            probability = self.model.probability(site.features, site.examples)
            calibration = self.model.calibration(site.examples)
            if sizes[site.group] == 1:
                probability, calibration = self.model.of_surest(probability, site.examples)
            yield QueuedEdit(
                site.document.uri,
                site.document.version,
                site.edit,
                probability,
                site.group,
                site.examples,
                site.line,
                site.like,
                site.key,
                site.pattern,
                probability >= threshold_for(calibration, precision),
            )

    def best(
        self,
        document: Document,
        byte: int,
        cancel: Cancel | None = None,
        resolved: Sequence[ResolvedRenaming] = (),
    ) -> Shown[NextEdit] | None:
        """The surest place of the document itself, with the gates that it passed.

        None when there is none, and right after an undo. It is as probable as in the queue, but need only be as sure as
        the surest place must be. Raises Cancelled.
        """
        if self.model is None:
            return None
        places = self.places(document, byte, cancel, resolved)
        for item in places if not self._after_undo else ():
            if item.uri != document.uri:
                continue
            surest, calibration = self.model.of_surest(item.probability, item.examples)
            if sum(other.group == item.group for other in self._known) == 1:
                surest = item.probability  # the only place is the surest: it is told already
            if surest < threshold_for(calibration, document.settings.precision):
                continue
            gates = (
                GateReading(Reason.EMPTY, True, f"repeated after {item.examples} examples"),
                GateReading(Reason.LOW_PROBABILITY, True, f"{percent(item.probability)}, the surest place"),
                GateReading(Reason.REJECTED, True, "not turned down"),
                GateReading(Reason.PARSES_WORSE, True, "no new syntax errors"),
            )
            steps = ((f"the change of line {item.like + 1} once more", item.probability),)
            return Shown(NextEdit(item.edit, item.pattern, steps, item.group), item.probability, gates)
        return None

    def elsewhere(
        self,
        document: Document,
        byte: int,
        cancel: Cancel | None = None,
        resolved: Sequence[ResolvedRenaming] = (),
    ) -> QueuedEdit | None:
        """The surest place in another open file, where it is sure; None when there is none, and right after an undo.

        Raises Cancelled.
        """
        places = self.places(document, byte, cancel, resolved)
        return next((item for item in places if item.sure and item.uri != document.uri and not self._after_undo), None)


def _question(documents: Sequence[Document]) -> _Asked:
    """What the queue depends on: texts, histories, rejections and settings."""
    first = documents[0]
    texts = [(one.uri, one.version, one.syntax.buffer.data, one.history) for one in documents]
    return ((first.rejections, first.settings), *texts)


def parsing(found: Sequence[Site], memory: RepeatMemory | None = None) -> list[Site]:
    """The places whose edits leave no more syntax errors than there are; all of a document are tried together first."""
    memory = memory or RepeatMemory()
    by_uri: dict[str, list[Site]] = {}
    for site in found:
        by_uri.setdefault(site.document.uri, []).append(site)
    kept: set[int] = set()
    for mine in by_uri.values():
        before = mine[0].document.syntax.error_count()
        if not parses_no_worse(before, errors_after(mine, memory)).passed:
            mine = [site for site in mine[:_CHECKED] if parses_no_worse(before, errors_after([site], memory)).passed]
        kept.update(id(site) for site in mine)
    return [site for site in found if id(site) in kept]


def errors_after(found: Sequence[Site], memory: RepeatMemory) -> int:
    """Syntax errors of a document (at least one place, all in one) with the edits of its places done."""
    edits = [site.edit for site in sorted(found, key=lambda site: -site.edit.start)]
    return memory.errors(found[0].document.syntax, edits)
