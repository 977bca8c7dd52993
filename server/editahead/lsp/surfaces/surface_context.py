"""The context of a surface's handler: documents, the inference thread and offered items."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from editahead.lsp.client import Client
from editahead.lsp.documents.disk import Exclusions
from editahead.lsp.documents.open_files import OpenFiles
from editahead.lsp.inference.jobs import EngineLike, Run
from editahead.lsp.inference.worker import Worker
from editahead.lsp.process.logs import log, one_line
from editahead.lsp.rpc.params import DocumentPosition, JsonValue, Raw
from editahead.lsp.rpc.protocol_types import Command
from editahead.lsp.session import OpenDocument, Session, Snapshot
from editahead.lsp.surfaces.feedback import ACCEPT, COPILOT_ACCEPT, OfferedChange
from editahead.lsp.surfaces.surface import EmptyAnswer, Surface
from editahead.suggest.types import INTERRUPTED, Document, Reason, Suppressed
from editahead.text.edits import ByteEdit

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel

T = TypeVar("T")


@dataclass(frozen=True)
class SurfaceContext:
    """The parts of a session that a surface's handlers use, on the event loop's thread."""

    surface: Surface
    session: Session
    client: Client
    worker: Worker
    exclusions: Exclusions  # for the inference thread alone

    def gate(self, uri: str, version: int | None, at: tuple[int, int]) -> OpenDocument | Suppressed:
        """Return the document of a request at a line and character, or why the request is suppressed."""
        if self.surface.name in self.worker.off:
            return Suppressed(Reason.FAILED, "switched off after three failures")
        return self.session.gate(uri, version, self.surface, at)

    def snapshot(self, at: DocumentPosition) -> Snapshot | Suppressed:
        """Take a snapshot of a request's document and byte offset, or return why the request is suppressed."""
        opened = self.gate(at.uri, at.version, (at.line, at.character))
        if isinstance(opened, Suppressed):
            return opened
        return self.session.snapshot(opened, self.session.byte(opened, at.line, at.character))

    def open_files(self, opened: OpenDocument, byte: int) -> OpenFiles:
        """Take a snapshot of a document and the other open files of its language."""
        return OpenFiles(self.session, opened, byte, self.surface)

    def without_excluded(self, document: Document) -> Document:
        """Return the document without those of its `others` that are excluded. On the inference thread."""
        return self.exclusions.without_excluded(document)

    def empty(self, suppressed: Suppressed) -> object:
        """Count and log the reason and return the surface's empty answer."""
        self.session.feedback.count_suppressed(self.surface.name, suppressed.reason.value)
        log.debug("%s: %s %s", self.surface.name, suppressed.reason.value, suppressed.detail)
        return self.surface.empty(suppressed)

    def propose(
        self, opened: OpenDocument, kind: str, edit: ByteEdit | None, *, source: str = "", pattern: str = ""
    ) -> OfferedChange:
        """Return an edit of the current text of a document, as learning needs it; `edit` is None for an open site."""
        data, buffer = opened.buffer.data, opened.buffer
        edit = None if edit is None else edit.trim(data)
        removed, line = (
            (b"", b"") if edit is None else (edit.old_bytes(data), buffer.line_bytes(buffer.line_at(edit.start)))
        )
        project = self.session.project_of(opened)
        return OfferedChange(kind, opened.language_id, project, source, pattern, edit, removed, line)

    def refusal(self, proposal: OfferedChange) -> Suppressed | None:
        """Return why a proposal is not shown that the user did not request: edits of its kind were rejected."""
        why = self.session.feedback.withheld(proposal) if self.session.settings.rejection_minutes else ""
        return Suppressed(Reason.REJECTED, why) if why else None

    def pause(self, opened: OpenDocument, kind: str, *, invoked: bool) -> Suppressed | None:
        """Return why nothing of a kind is shown: the interruption budget is used up. A request of the user ends it."""
        budget, slot = self.session.feedback.budget, (opened.language_id, kind)
        if invoked:
            budget.resume(slot)
        reason = budget.pause(slot)
        return Suppressed(Reason.INTERRUPTIONS, reason) if reason else None

    def offer(
        self, opened: OpenDocument, key: str, probability: float, *, again: bool = False,
        source: str = "", proposal: OfferedChange | None = None,
    ) -> Command:  # fmt: skip
        """Record an item that is sent to the client. Returns the command that reports its acceptance."""
        proposal = proposal or OfferedChange(
            self.surface.name, opened.language_id, self.session.project_of(opened), source
        )
        feedback = self.session.feedback
        name = feedback.offer(self.surface.name, key, probability, opened.uri, proposal, again=again)
        command = COPILOT_ACCEPT if self.session.compatible else ACCEPT
        return {"title": "Accept", "command": command, "arguments": [name]}

    def ask(
        self, snapshot: Snapshot, run: Run[T], answer: Callable[[T], object], empty: EmptyAnswer | None = None
    ) -> asyncio.Future[object]:
        """Run a function on the inference thread; the future's result is `answer(outcome)`.

        `answer` returns JSON or Suppressed, which `empty` (by default the surface's) turns into the empty answer.
        Cancelling the future cancels the run. Documents excluded by links or by git do not reach the engine.
        """
        make_empty = empty or self.empty

        def run_unless_excluded(engine: EngineLike, cancel: Cancel) -> T | Suppressed:
            why = self.exclusions.reason(snapshot.document)
            return run(engine, cancel) if why is None else Suppressed(Reason.EXCLUDED, why)

        deadline = self.surface.seconds(self.session.settings)
        job = self.worker.submit(snapshot.document.uri, self.surface, deadline, run_unless_excluded)
        result: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        begun = self.session.clock()

        def settle(done: asyncio.Future[T | Suppressed]) -> None:
            if result.done():
                return
            try:
                outcome = done.result()
                if not isinstance(outcome, Suppressed) or outcome.reason not in INTERRUPTED:
                    self.session.feedback.count_time(self.surface.name, self.session.clock() - begun)
                response = outcome if isinstance(outcome, Suppressed) else answer(outcome)
                result.set_result(make_empty(response) if isinstance(response, Suppressed) else response)
            except Exception as error:  # an error in an answer affects that answer alone
                log.error("%s: the answer failed: %s", self.surface.name, one_line(error), exc_info=error)
                result.set_result(make_empty(Suppressed(Reason.FAILED, one_line(error))))

        job.future.add_done_callback(settle)
        # Before the client gets the answer, so that its next message finds the job removed.
        result.add_done_callback(lambda done: self.worker.abandon(job) if done.cancelled() else None)
        return result


SurfaceHandler = Callable[[SurfaceContext, Raw], object]


@dataclass(frozen=True, eq=False, kw_only=True)
class SurfaceSpec(Surface):
    """A surface with its handlers and capabilities: a row of the table in table.py.

    `engine` names the methods of `EngineLike` that it calls. `capabilities` are part of the answer to `initialize`,
    as are the names in `experimental`, below `experimental.editahead`.
    """

    engine: tuple[str, ...]
    methods: Mapping[str, SurfaceHandler]
    capabilities: Mapping[str, JsonValue] = field(default_factory=dict)
    experimental: tuple[str, ...] = ()
