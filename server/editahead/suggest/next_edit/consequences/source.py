"""The consequences of the latest edits as next edits, and as places of the queue."""

from __future__ import annotations

from collections.abc import Sequence

from editahead.runtime.ort import Cancel, Cancelled
from editahead.suggest.gate import cheap_gates, first_failure, meets_threshold
from editahead.suggest.next_edit.consequences.candidates import Candidate, Generator, Moment, Outcome
from editahead.suggest.next_edit.consequences.imports import imports
from editahead.suggest.next_edit.consequences.name_changes import renamings, typed_name
from editahead.suggest.next_edit.consequences.parameter import parameter
from editahead.suggest.next_edit.consequences.rates import rate
from editahead.suggest.next_edit.consequences.rename import rename
from editahead.suggest.next_edit.consequences.resolvers import Resolvers
from editahead.suggest.types import Decision, Document, GateReading, NextEdit, NextEdits, QueuedEdit, Reason, Shown
from editahead.text.edits import ByteEdit

GENERATORS: tuple[Generator, ...] = (rename, parameter, imports)
_Asked = tuple[object, ...]


class ConsequenceSource:
    """All generators at work on the document that was asked about last. Lives on the inference thread."""

    def __init__(self) -> None:
        self._resolvers = Resolvers()
        self._asked: _Asked = ()
        self._known = Outcome([], [], [])

    def outcome(self, document: Document, byte: int, cancel: Cancel) -> Outcome:
        """What the generators give at a cursor, and what they refuse. Raises Cancelled."""
        asked = _question(document, byte)
        if asked != self._asked:
            found = Outcome([], [], [])
            if document.settings.next_edit and document.history.undone_at is None and not _stopped(document):
                moment = Moment(document, byte, self._resolvers.of, cancel.check)
                for generator in GENERATORS:
                    made = generator(moment)
                    found.candidates.extend(made.candidates)
                    found.refusals.extend(made.refusals)
                    found.resolved.extend(made.resolved)
            self._known, self._asked = found, asked
        return self._known

    def best(self, document: Document, byte: int, cancel: Cancel) -> Shown[NextEdit] | None:
        """The first consequence in the document, in reading order from the cursor, that is sure enough.

        None when there is none. Raises Cancelled.
        """
        candidates = self.outcome(document, byte, cancel).candidates
        for candidate in candidates:
            probability = rate(candidate.source, candidate.kind)
            reading = meets_threshold(probability, document.settings.precision)
            if candidate.document.uri != document.uri or not reading.passed:
                continue
            gates = (
                GateReading(Reason.EMPTY, True, f"{candidate.source}: {candidate.reason}"),
                reading,
                GateReading(Reason.REJECTED, True, "not turned down"),
            )
            steps = ((candidate.reason, probability),)
            edit = whole_line(candidate, candidates)
            value = NextEdit(edit, candidate.key, steps, candidate.group, candidate.source)
            return Shown(value, probability, gates)
        return None

    def elsewhere(self, document: Document, byte: int, cancel: Cancel) -> QueuedEdit | None:
        """The first consequence in another open file that is sure enough; None when there is none. Raises Cancelled."""
        return next((one for one in self.places(document, byte, cancel) if one.sure and one.uri != document.uri), None)

    def places(self, document: Document, byte: int, cancel: Cancel) -> list[QueuedEdit]:
        """All consequences, those of the document in reading order from the cursor first. Raises Cancelled."""
        return [_queued(one, document) for one in self.outcome(document, byte, cancel).candidates]

    def refusals(self, document: Document, byte: int, cancel: Cancel) -> tuple[GateReading, ...]:
        """Why changes of the user have no consequences, for `explain`."""
        try:
            refused = self.outcome(document, byte, cancel).refusals
        except Cancelled:
            return ()
        return tuple(GateReading(Reason.NO_FIT, False, f"{one.source} {one.change}: {one.reason}") for one in refused)

    def forget(self, uri: str) -> None:
        """Keep nothing of a closed document."""
        self._resolvers.forget(uri)
        self._asked, self._known = (), Outcome([], [], [])


def being_renamed(document: Document, byte: int) -> bool:
    """Whether the user is replacing a name at the cursor, in one place so far, and has not come to rest."""
    history, data = document.history, document.syntax.buffer.data
    typed = None if document.idle else typed_name(history, data, byte)
    return typed is not None and not any(
        (one.old, one.new) == typed and len(one.places) > 1 for one in renamings(history, data)
    )


def whole_line(first: Candidate, candidates: Sequence[Candidate]) -> ByteEdit:
    """A candidate's edit together with those of its group on the same line, as one edit."""
    buffer = first.document.syntax.buffer
    line = buffer.line_at(first.edit.start)
    near = [one.edit for one in candidates if (one.group, one.document.uri) == (first.group, first.document.uri)]
    edits = sorted((edit for edit in near if buffer.line_at(edit.start) == line), key=lambda edit: edit.start)
    parts, at = list[bytes](), edits[0].start
    for edit in edits:
        parts += [buffer.data[at : edit.start], edit.new]
        at = edit.old_end
    return ByteEdit(edits[0].start, edits[-1].old_end, b"".join(parts))


def _queued(candidate: Candidate, asked: Document) -> QueuedEdit:
    document, probability = candidate.document, rate(candidate.source, candidate.kind)
    return QueuedEdit(
        document.uri,
        document.version,
        candidate.edit,
        probability,
        candidate.group,
        candidate.examples,
        document.syntax.buffer.line_at(candidate.edit.start),
        candidate.like,
        candidate.key,
        candidate.pattern,
        meets_threshold(probability, asked.settings.precision).passed,
        candidate.source,
    )


def _question(document: Document, byte: int) -> _Asked:
    """What the answer depends on."""
    documents = (document, *document.others)
    texts = tuple((one.uri, one.version, one.syntax.buffer.data, one.history) for one in documents)
    return (byte, document.idle, document.rejections, document.settings, texts)


def _stopped(document: Document) -> bool:
    return first_failure(cheap_gates(document, None)) is not None


def with_consequences(follows: list[QueuedEdit], queue: Decision[NextEdits]) -> Decision[NextEdits]:
    """The queue with consequences before it, and without those of its places that one of them changes, too."""
    if not follows:
        return queue
    rest = queue.value.items if isinstance(queue, Shown) else ()
    apart = tuple(item for item in rest if not any(_same_place(item, one) for one in follows))
    items = tuple(sorted((*follows, *apart), key=lambda item: -round(item.probability, 2)))
    return Shown(NextEdits(items), items[0].probability)


def _same_place(item: QueuedEdit, other: QueuedEdit) -> bool:
    here, there = item.edit, other.edit
    first = here.start < max(there.old_end, there.start + 1)
    return item.uri == other.uri and first and there.start < max(here.old_end, here.start + 1)
