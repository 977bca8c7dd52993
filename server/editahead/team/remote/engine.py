"""The engine of a laptop with a team server: each request goes there with a time budget, else the local engine answers.

Lives on the inference thread, like the local engine that it wraps, which keeps working as if there were no server.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine, EngineReport
from editahead.suggest.open_models import ANY_LANGUAGE, BODY_MODEL, EDIT_MODEL, FIX_MODEL, LANGUAGE_MODEL
from editahead.suggest.types import (
    INTERRUPTED,
    Completions,
    Decision,
    Document,
    EditPlace,
    Explanation,
    Fixes,
    InlineSuggestion,
    NextEdit,
    NextEdits,
    QueuedEdit,
    Reason,
    Shown,
    Suppressed,
    WrittenBodies,
)
from editahead.team.remote.connection import PROBE_PATIENCE, Breaker, Connection, PendingReply, Replies
from editahead.team.remote.documents import (
    MAX_TEXT,
    LeavingRule,
    SentDocuments,
    has_disk_candidates,
    in_local_terms,
    project_names,
    with_names,
)
from editahead.team.wire import messages as wire
from editahead.team.wire.messages import decision_of, sent_settings, server_uri

log = logging.getLogger("editahead.team")
BUDGET = 0.040  # seconds that a request waits for the server
BACKLOG = 256 << 10  # bytes that the network has not taken: with more, requests are answered locally at once
POLL = 0.005  # seconds between two looks at whether a waiting request was cancelled
FAMILY_OF = {
    "complete": LANGUAGE_MODEL, "rank": LANGUAGE_MODEL, "inline": LANGUAGE_MODEL, "next_edit": EDIT_MODEL,
    "next_edit_elsewhere": EDIT_MODEL, "next_edits": EDIT_MODEL, "fixes": FIX_MODEL, "bodies": BODY_MODEL,
}  # fmt: skip
NOT_ANSWERS = (Reason.FAILED, *INTERRUPTED, Reason.NO_MODEL)  # of the server: the local engine may do better
T = TypeVar("T")


class RemoteEngine:
    """The local engine with a team server before it. `outcomes` counts who answered, by method and outcome.

    Outcomes: `remote`; and why the local engine answered: `down`, `late`, `paused`, `wrong`, `refused`, `kept-here`.
    """

    def __init__(
        self,
        local: Engine,
        link: Connection,
        replies: Replies,
        *,
        budget: float = BUDGET,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.local = local
        self.link = link
        self.outcomes: Counter[tuple[str, str]] = Counter()
        self._replies = replies
        self._budget = budget
        self._clock = clock
        self._session = 0
        self._sent = SentDocuments()
        self._settings: dict[str, object] | None = None
        self._rule = LeavingRule(clock)
        self._breakers: dict[str, Breaker] = {}
        self._probes: dict[str, PendingReply] = {}

    # -- what the server answers

    def complete(self, document: Document, byte: int, cancel: Cancel) -> Decision[Completions]:
        """Completions; locally behind a dot and in imports, where what counts is read from this disk."""
        if has_disk_candidates(document, byte):
            return self._locally("complete", "kept-here", partial(self.local.complete, document, byte, cancel))
        return self._answer("complete", self.local.complete, document, cancel, byte)

    def rank(self, document: Document, byte: int, labels: Sequence[str], cancel: Cancel) -> Decision[tuple[float, ...]]:
        """Probabilities of labels."""
        return self._answer("rank", self.local.rank, document, cancel, byte, labels)

    def inline(self, document: Document, byte: int, cancel: Cancel) -> Decision[InlineSuggestion]:
        """Ghost text."""
        return self._answer("inline", self.local.inline, document, cancel, byte)

    def next_edit(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdit]:
        """The next edit."""
        return self._answer("next_edit", self.local.next_edit, document, cancel, byte)

    def next_edit_elsewhere(self, document: Document, byte: int, cancel: Cancel) -> Decision[QueuedEdit]:
        """The next edit in another open document."""
        return self._answer("next_edit_elsewhere", self.local.next_edit_elsewhere, document, cancel, byte)

    def next_edits(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdits]:
        """The remaining places of a repeated edit."""
        return self._answer("next_edits", self.local.next_edits, document, cancel, byte)

    def fixes(self, document: Document, start: int, end: int, cancel: Cancel) -> Decision[Fixes]:
        """Fixes of a range."""
        return self._answer("fixes", self.local.fixes, document, cancel, start, end)

    def bodies(self, document: Document, byte: int, cancel: Cancel) -> Decision[WrittenBodies]:
        """Bodies for a function."""
        return self._answer("bodies", self.local.bodies, document, cancel, byte)

    # -- what stays here

    def next_edits_unopened(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdits]:
        """The places in files that are not open, which are read here only."""
        return self.local.next_edits_unopened(document, byte, cancel)

    def next_edit_place(self, document: Document, byte: int, cancel: Cancel) -> Decision[EditPlace]:
        """The next site that needs an edit whose text is uncertain, without opening an edit model here."""
        return self.local.next_edit_place(document, byte, cancel, with_model=False)

    def alternatives(
        self, document: Document, byte: int, shown: InlineSuggestion, cancel: Cancel
    ) -> tuple[Shown[InlineSuggestion], ...]:
        """Other ghost texts than `shown`, from the local model: none where the server wrote another text."""
        return self.local.alternatives(document, byte, shown, cancel)

    def explain(self, document: Document, byte: int, cancel: Cancel) -> Explanation:
        """The decisions of the local engine at a byte, and the reasons."""
        return self.local.explain(document, byte, cancel)

    def report_problems(self, report: Callable[[str], None]) -> None:
        """Report why there is no connection, in a line for the user. `report` is called on any thread."""
        self.link.report_problems(report)

    def answered_by(self) -> dict[str, int]:
        """Return how many requests the server answered, and how many the local engine for which reason."""
        counts: Counter[str] = Counter()
        for (_, outcome), count in self.outcomes.copy().items():
            counts[outcome] += count
        return dict(counts)

    def prepare(self, document: Document) -> None:
        """Send a document that was opened, so that the first request finds it there."""
        if self._is_usable() and self._rule.can_send(document):
            self._send("prepare", document, 0, 0, (), None)

    def forget(self, uri: str) -> None:
        """Delete everything that is cached for a document, here and on the server."""
        self.local.forget(uri)
        if self._session and self._session == self.link.session:
            self.link.send(self._session, wire.encode_all(self._sent.forget(uri)))

    def language_model(self, language_id: str) -> object:
        """The local language model, which is opened."""
        return self.local.language_model(language_id)

    def editor(self, language_id: str) -> object:
        """The local edit model, which is opened."""
        return self.local.editor(language_id)

    def load_next_edits(self) -> None:
        """Let the local engine import what decides on next edits."""
        self.local.load_next_edits()

    def load_bodies(self, document: Document) -> None:
        """Let the local engine open the model of functions where ghost text may use it."""
        self.local.load_bodies(document)

    def report(self) -> EngineReport:
        """What is loaded here."""
        return self.local.report()

    # -- how

    def _locally(self, method: str, why: str, local: Callable[[], Decision[T]]) -> Decision[T]:
        self.outcomes[method, why] += 1
        return local()

    def _answer(
        self,
        method: str,
        answer_locally: Callable[..., Decision[T]],
        document: Document,
        cancel: Cancel,
        byte: int,
        more: int | Sequence[str] | None = None,
    ) -> Decision[T]:
        """Return the server's answer if it comes in time and fits, else that of the local engine.

        `more`: the end of a range that begins at the byte, or labels.
        """
        further = () if more is None else (more,)
        local = partial(answer_locally, document, byte, *further, cancel)
        end, labels = (more, ()) if isinstance(more, int) else (0, more or ())
        until = self._clock() + self._budget
        cancel.check()
        if not self._is_usable() or not self._is_served(method, document.language_id):
            return self._locally(method, "down", local)
        if not self._rule.can_send(document) or len(labels) > wire.MAX_LABELS:
            return self._locally(method, "kept-here", local)
        breaker = self._breakers.setdefault(method, Breaker(self._clock))
        self._read_probe(method, breaker)
        if not breaker.should_wait or self.link.backlog > BACKLOG:
            if self.link.backlog <= BACKLOG and breaker.wants_probe():
                self._probes[method], _ = self._send(method, document, byte, end, labels, until)
            return self._locally(method, "paused", local)
        pending, documents = self._send(method, document, byte, end, labels, until)
        while not pending.done.wait(max(0.0, min(POLL, until - self._clock()))):
            if cancel.is_cancelled or self._clock() >= until:
                self._replies.give_up(pending)
                cancel.check()
                breaker.record_late()
                return self._locally(method, "late", local)
        breaker.in_time()
        reply = pending.reply
        if not isinstance(reply, wire.Answer):
            return self._locally(method, "refused", local)
        try:
            decision = self._read(method, reply, document, documents)
        except wire.WireError as error:
            log.warning("%s: the team server sent %s", method, error)
            return self._locally(method, "wrong", local)
        if isinstance(decision, Suppressed) and decision.reason in NOT_ANSWERS:
            return self._locally(method, "refused", local)
        self.outcomes[method, "remote"] += 1
        return decision

    def _read_probe(self, method: str, breaker: Breaker) -> None:
        """Report the result of the last probe to the breaker, once it is available."""
        probe = self._probes.get(method)
        if probe is None or not (probe.done.is_set() or self._clock() - probe.sent > PROBE_PATIENCE):
            return
        del self._probes[method]
        self._replies.give_up(probe)
        if isinstance(probe.reply, wire.Answer) and probe.arrived - probe.sent <= self._budget:
            breaker.in_time()
        else:
            breaker.record_late()

    def _is_usable(self) -> bool:
        """Whether there is a connection; a new connection begins without documents."""
        session = self.link.session
        if session != self._session:
            self._session, self._sent, self._settings = session, SentDocuments(), None
            self._breakers.clear()
            self._probes.clear()
        for number in self._replies.documents_to_resend(session):
            self._sent.resend(number)
        return session != 0

    def _is_served(self, method: str, language_id: str) -> bool:
        welcome = self.link.welcome
        if welcome is None:
            return False
        families = (*welcome.models.get(language_id, ()), *welcome.models.get(ANY_LANGUAGE, ()))
        return FAMILY_OF[method] in families

    def _send(
        self, method: Any, document: Document, byte: int, end: int, labels: Sequence[str], until: float | None
    ) -> tuple[Any, dict[str, tuple[Document, int]]]:
        """Bring the server up to date and send a request. Return the pending reply, and its documents by server URI."""
        welcome = self.link.welcome
        client = welcome.client if welcome is not None else ""
        frames: list[wire.Update] = []
        settings = sent_settings(document.settings)
        if settings != self._settings:
            self._settings = settings
            frames.append(wire.Configure(settings))
        versions: list[wire.DocumentVersion] = []
        documents: dict[str, tuple[Document, int]] = {}
        for each in (document, *self._others(document)):
            messages, version, path = self._sent.sync(each)
            frames += messages
            versions.append(version)
            documents[server_uri(client, path)] = each, version.serial
        names = {uri: server_uri(client, path) for uri, path in self._sent.paths().items()}
        pending = self._replies.expect()
        if until is None:
            self._replies.give_up(pending)
        remaining = self._budget if until is None else max(0.0, until - self._clock())
        frames.append(
            wire.Ask(
                number=pending.number,
                method=method,
                at=versions[0],
                others=versions[1:],
                byte=byte,
                end=end,
                budget_ms=int(1000 * remaining),
                now=document.now,
                idle=document.idle,
                declined=document.declined,
                rejections=[
                    (with_names(each.key, names), each.time)
                    for each in document.rejections
                    if each.uri in names  # a key may hold a URI and a line
                ],
                names=project_names(document, byte) if method == "complete" else [],
                labels=list(labels),
                filtered_by_client=document.filtered_by_client,
            )
        )
        self.link.send(self._session, wire.encode_all(frames))
        return pending, documents

    def _others(self, document: Document) -> Iterator[Document]:
        """Yield the other documents of a request that may leave, as many as the server takes at a time."""
        size = len(document.syntax.buffer.data)
        for other in islice(filter(self._rule.can_send, document.others), wire.MAX_OTHERS):
            size += len(other.syntax.buffer.data)
            if size <= MAX_TEXT:
                yield other

    def _read(
        self, method: str, reply: wire.Answer, document: Document, documents: dict[str, tuple[Document, int]]
    ) -> Decision[Any]:
        """Return the decision in a reply, in local terms. Raises WireError where it does not fit the texts."""
        requested = next(iter(documents.values()))
        if reply.serial != requested[1]:
            raise wire.WireError("an answer about another version")
        by_uri = {uri: each for uri, (each, _) in documents.items()}

        def text_of(uri: str) -> bytes | None:
            other = by_uri.get(uri)
            return None if other is None else other.syntax.buffer.data

        decision = decision_of(method, reply, document.syntax.buffer.data, text_of)
        if isinstance(decision, Suppressed):
            return decision
        value = in_local_terms(decision.value, document, by_uri)
        return type(decision)(value, decision.probability, decision.gates)
