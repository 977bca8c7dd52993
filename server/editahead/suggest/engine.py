"""Single entry point for predictions. Lives on the inference thread; opens a model when a language first needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from editahead.analysis.facts.file_facts import facts_kept
from editahead.index.import_paths import PATH_FAMILIES
from editahead.index.lexicon import language_family
from editahead.runtime.bundle import Bundle, BundleError, load_bundle
from editahead.runtime.device_choice import faster_device
from editahead.runtime.language_model.ngrams import DocumentCaches
from editahead.runtime.ort import AUTO, Cancel, CancelWhenLate, DeadlineExceeded, Selection, select_providers
from editahead.suggest.completion import completions as completion
from editahead.suggest.completion import without_model as cached
from editahead.suggest.completion.ngrams import words_of
from editahead.suggest.completion.without_model import complete_long_line
from editahead.suggest.context import read_window
from editahead.suggest.gate import cheap_gates
from editahead.suggest.ghost_text import ghost_text as inline
from editahead.suggest.ghost_text.ghost_text import Verify
from editahead.suggest.open_models import BODY_MODEL, EDIT_MODEL, FAMILIES, FIX_MODEL, LANGUAGE_MODEL, OpenModels
from editahead.suggest.types import (
    Completions,
    Decision,
    Document,
    EditPlace,
    Explanation,
    Fixes,
    GateReading,
    InlineSuggestion,
    NextEdit,
    NextEdits,
    QueuedEdit,
    Reason,
    Shown,
    Suppressed,
    WrittenBodies,
)
from editahead.syntax.embedded import MARKUP_LANGUAGES
from editahead.syntax.interrupt import await_result, interruptible, is_interruptible, run_apart
from editahead.syntax.normalise import NORMALISER_VERSION
from editahead.syntax.tokens import Line
from editahead.text.memo import begin_request, forget_texts, values_kept

if TYPE_CHECKING:
    from editahead.runtime.language_model.model import LanguageModel
    from editahead.suggest.fixes.fixes import Fixer
    from editahead.suggest.function_bodies.bodies import Describer
    from editahead.suggest.next_edit.candidate_pool import RatedCandidates
    from editahead.suggest.next_edit.decision import NextEditDecision
    from editahead.suggest.next_edit.editor import NextEditor
    from editahead.verification.verifier import Verifier

LOWER_PRECISIONS = (0.7, 0.5, 0.3, 0.1, 0.0)  # at which `explain` looks for what the required precision hides
Progress = Callable[[str, float], None]
T = TypeVar("T")
Requested = TypeVar("Requested", Fixes, WrittenBodies)


@dataclass(frozen=True)
class EngineReport:
    """The loaded bundles, where they run, and the failures (a line each)."""

    bundles: tuple[Bundle, ...]
    selection: Selection
    failures: tuple[str, ...]
    opened: Mapping[str, int]  # bytes of the files of each model that is open
    states: int = 0  # bytes of what models keep of open documents
    cached: Mapping[str, int] = field(default_factory=dict)  # entries of the other caches of open documents, by kind
    refused: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # edits that break code, by source, rule


class Engine:
    """All models. Not for two threads at a time."""

    def __init__(self, bundles: Sequence[Bundle], selection: Selection, failures: Sequence[str] = ()) -> None:
        self.selection = selection
        self._models = OpenModels(bundles, selection, failures)
        self._caches: DocumentCaches[Line] = DocumentCaches(words_of)

    @cached_property
    def verifier(self) -> Verifier:
        """What refuses edits that break code; imported when the first edit is proposed."""
        from editahead.verification.verifier import Verifier

        return Verifier()

    @cached_property
    def _next(self) -> NextEditDecision:
        """The decision on next edits, imported when it is first needed: completions do not wait for it."""
        from editahead.suggest.next_edit.decision import NextEditDecision

        return NextEditDecision()

    @classmethod
    def load(cls, bundle_paths: Sequence[Path], device: str, progress: Progress) -> Engine:
        """Read every bundle's manifest; damaged bundles are omitted and named in the report, without an exception."""
        bundles: list[Bundle] = []
        failures: list[str] = []
        for number, path in enumerate(bundle_paths):
            progress(f"reading {path.name}", number / max(1, len(bundle_paths)))
            try:
                bundles.append(load_bundle(path, verify=False, normaliser_version=NORMALISER_VERSION))
            except BundleError as error:
                failures.append(str(error))
        progress("choosing where to run", 0.9)
        selection = select_providers(device)
        if device == AUTO:
            models = [bundle for bundle in bundles if bundle.manifest.family == LANGUAGE_MODEL]
            selection = faster_device(selection, models)
        engine = cls(bundles, selection, failures)
        progress("ready", 1.0)
        return engine

    def complete(self, document: Document, byte: int, cancel: Cancel) -> Decision[Completions]:
        """Ranked completions at a byte; by a ranker without a model where none is, or none in time."""
        begin_request()
        if document.language_id in MARKUP_LANGUAGES:
            from editahead.suggest.completion.markup.complete import complete_element, element_site

            element = element_site(document, byte)
            elements = complete_element(document, element) if element is not None else None
            if elements is not None:
                return elements
        if language_family(document.syntax.language.id) in PATH_FAMILIES:  # others start without these modules
            from editahead.suggest.completion.import_paths.complete import complete_path, place_of

            if (path := place_of(document, byte)) is not None:
                return complete_path(document, byte, path)
        buffer = document.syntax.buffer
        if buffer.is_data(buffer.line_at(byte)):
            return complete_long_line(document, byte)
        late = CancelWhenLate(cancel, cancel.late_at)
        try:
            with interruptible(late.check):
                model = self.language_model(document.language_id)
                if model is not None:
                    decision = completion.complete(model, self._caches, document, byte, late)
                    decision = self._with_verified_imports(decision, document, late)
                    return self._with_arguments(decision, document)
        except DeadlineExceeded:
            cancel.check()  # else the model was too slow
        return cached.complete_without_model(self._caches, document, byte, cancel)

    def read_window(self, document: Document, byte: int, cancel: Cancel) -> None:
        """Read what a completion with `has_unread` did not read. Raises Cancelled and InferenceError."""
        model = self.language_model(document.language_id)
        if model is not None:
            read_window(model, document, byte, cancel)
            self.complete(replace(document, reads_nearest_first=False), byte, cancel)  # reads the scopes, too

    def rank(self, document: Document, byte: int, labels: Sequence[str], cancel: Cancel) -> Decision[tuple[float, ...]]:
        """How likely each of given names is at a byte."""
        return completion.rank(self.language_model(document.language_id), self._caches, document, byte, labels, cancel)

    def inline(self, document: Document, byte: int, cancel: Cancel) -> Decision[InlineSuggestion]:
        """Ghost text at a byte: the likelier of the language model's text and a body for an empty function."""
        begin_request()
        model = self.language_model(document.language_id)
        ghost: Decision[InlineSuggestion] = (
            inline.suggest(model, self._caches, document, byte, cancel, self._lines_verifier(document, cancel))
            if model
            else self._models.missing(LANGUAGE_MODEL, document.language_id)
        )
        bundle = self._models.bundle(BODY_MODEL, document.language_id)
        if cancel.is_cancelled or bundle is None:
            return ghost
        from editahead.suggest.function_bodies import bodies as describe

        if not describe.can_be_body(bundle, document, byte):
            return ghost
        describer = self.describer(document.language_id)
        body = describer.inline(document, byte, cancel) if describer else ghost
        likelier = isinstance(body, Shown) and (isinstance(ghost, Suppressed) or body.probability > ghost.probability)
        return body if likelier else ghost

    def alternatives(
        self, document: Document, byte: int, shown: InlineSuggestion, cancel: Cancel
    ) -> tuple[Shown[InlineSuggestion], ...]:
        """Other ghost texts at a byte than `shown`, likeliest first; fewer where there is no time."""
        from editahead.suggest.ghost_text.alternatives import alternatives

        model = self.language_model(document.language_id)
        late, others = CancelWhenLate(cancel, cancel.late_at), list[Shown[InlineSuggestion]]()
        try:
            with interruptible(late.check):
                if model is not None:
                    verify = self._lines_verifier(document, late)
                    others.extend(alternatives(model, self._caches, document, byte, shown, late, verify))
        except DeadlineExceeded:
            cancel.check()
        return tuple(others)

    def next_edit(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdit]:
        """The next edit after those in the document's history."""
        begin_request()
        decision = self._next.next_edit(document, byte, cancel, self.editor(document.language_id))
        return self._without_model(document, decision)

    def next_edit_elsewhere(self, document: Document, byte: int, cancel: Cancel) -> Decision[QueuedEdit]:
        """The likeliest sure next edit in the document's `others`, if the document itself has none."""
        decision = self._next.elsewhere(document, byte, cancel, self.editor(document.language_id))
        return self._without_model(document, decision)

    def next_edits_unopened(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdits]:
        """The places in files of the project that are not open: uses of an exported name that was renamed."""
        return self._next.unopened(document, byte, cancel, self.editor(document.language_id))

    def next_edit_place(
        self, document: Document, byte: int, cancel: Cancel, *, with_model: bool = True
    ) -> Decision[EditPlace]:
        """The next site of an edit whose text is not sure, when nothing is sure.

        Without `with_model`, no edit model is opened for it, and its candidates are missing from the evidence.
        """
        editor = self.editor(document.language_id) if with_model else None
        return self._next.place(document, byte, cancel, editor)

    def next_edits(self, document: Document, byte: int, cancel: Cancel) -> Decision[NextEdits]:
        """All remaining places of what the user has begun, in the document and its `others`."""
        decision = self._next.queue(document, byte, cancel, self.editor(document.language_id))
        return self._without_model(document, decision)

    def rated_candidates(
        self, document: Document, byte: int, cancel: Cancel, *, thorough: bool = True
    ) -> RatedCandidates:
        """All candidates for the next edit with their features, for fitting. Raises Cancelled and InferenceError.

        Without `thorough` they are those that `next_edit` decides between.
        """
        return self._next.pool.rated(document, byte, cancel, self.editor(document.language_id), thorough=thorough)

    def _without_model(self, document: Document, decision: Decision[T]) -> Decision[T]:
        """The decision; where it is empty for lack of an edit model, that is the reason."""
        quiet = isinstance(decision, Suppressed) and decision.reason is Reason.EMPTY
        if quiet and self.editor(document.language_id) is None:
            return self._models.missing(EDIT_MODEL, document.language_id)
        return decision

    def fixes(self, document: Document, start: int, end: int, cancel: Cancel) -> Decision[Fixes]:
        """Rewritings of the function around bytes [start, end), or of these lines where they are selected."""
        fixer = self.fixer(document.language_id)
        if fixer is None:
            return self._models.missing(FIX_MODEL, document.language_id)
        decision = fixer.suggest(document, start, end, cancel)
        return self._verified_requests(decision, document, cancel, "fix")

    def bodies(self, document: Document, byte: int, cancel: Cancel) -> Decision[WrittenBodies]:
        """Bodies for the function at a byte, where it has none yet."""
        describer = self.describer(document.language_id)
        if describer is None:
            return self._models.missing(BODY_MODEL, document.language_id)
        return self._verified_requests(describer.suggest(document, byte, cancel), document, cancel, "body")

    def explain(self, document: Document, byte: int, cancel: Cancel) -> Explanation:
        """Every gate at a byte, and what each surface answers there, to a user who rests."""
        document = replace(document, idle=True)
        surfaces: dict[str, Decision[object]] = {
            "completion": self.complete(document, byte, cancel),
            "inline": self.inline(document, byte, cancel),
            "next_edit": self.next_edit(document, byte, cancel),
            "next_edits": self.next_edits(document, byte, cancel),
            "fixes": self.fixes(document, byte, byte, cancel),
            "bodies": self.bodies(document, byte, cancel),
        }
        gates = tuple(cheap_gates(document, byte))
        unsure = self._unsure(surfaces["inline"], document, byte, cancel)
        return Explanation(document.language_id, self.models_for(document.language_id), gates, surfaces, unsure)

    def _with_arguments(self, decision: Decision[Completions], document: Document) -> Decision[Completions]:
        if not document.settings.completion_arguments or not isinstance(decision, Shown):
            return decision
        from editahead.suggest.completion.call_parameters import with_parameters

        return replace(decision, value=with_parameters(decision.value, document))

    def _with_verified_imports(
        self, decision: Decision[Completions], document: Document, cancel: Cancel
    ) -> Decision[Completions]:
        if not isinstance(decision, Shown) or all(item.import_edit is None for item in decision.value.items):
            return decision
        from editahead.suggest.verified_edits import verified_imports

        return verified_imports(decision, document, self.verifier, cancel)

    def _lines_verifier(self, document: Document, cancel: Cancel) -> Verify:
        def verify(shown: InlineSuggestion) -> GateReading:
            from editahead.suggest.verified_edits import verified_lines

            return verified_lines(shown, document, self.verifier, cancel)

        return verify

    def _verified_requests(
        self, decision: Decision[Requested], document: Document, cancel: Cancel, source: str
    ) -> Decision[Requested]:
        from editahead.suggest.verified_edits import verified_requests

        return verified_requests(decision, document, self.verifier, cancel, source)

    def forget_shown(self) -> None:
        """Take no later change for an accepted suggestion: what follows is the work of another user."""
        if "_next" in self.__dict__:
            self._next.groups.verifier.forget_shown()

    def forget(self, uri: str) -> None:
        """Keep nothing of the text of a closed document: n-grams, states of models, the queue, tokens of its lines."""
        self._caches.forget(uri)
        self._models.forget(uri)
        if "verifier" in self.__dict__:
            self.verifier.forget(uri)
        if "_next" in self.__dict__:
            self._next.forget(uri)
        forget_texts()

    def models_for(self, language_id: str) -> tuple[str, ...]:
        """Names of the bundles that serve a language."""
        bundles = [self._models.bundle(family, language_id) for family in FAMILIES]
        return tuple(bundle.manifest.name for bundle in bundles if bundle is not None)

    def families_for(self, language_id: str) -> frozenset[str]:
        """The families of the bundles that serve a language."""
        return frozenset(family for family in FAMILIES if self._models.bundle(family, language_id) is not None)

    def report(self) -> EngineReport:
        """What is loaded and what is not."""
        models = self._models
        verifiers = [self.verifier] if "verifier" in self.__dict__ else []
        verifiers += [self._next.groups.verifier] if "_next" in self.__dict__ else []
        return EngineReport(
            models.bundles, self.selection, tuple(models.failures), dict(models.opened), models.state_bytes(),
            {"facts": facts_kept(), "texts": values_kept()},
            {source: count for verifier in verifiers for source, count in verifier.refusals_by_source().items()},
        )  # fmt: skip

    def language_model(self, language_id: str) -> LanguageModel | None:
        """The language model of a language, opened on first use; None when there is none that works."""
        return self._models.language_model(language_id)

    def editor(self, language_id: str) -> NextEditor | None:
        """The edit model of a language, opened on first use; None when there is none that works."""
        return self._models.editor(language_id)

    def load_next_edits(self) -> None:
        """Import what decides on next edits, so that the first of them does not wait for it."""
        if is_interruptible():
            await_result(run_apart(partial(import_module, "editahead.suggest.next_edit.decision")))
        assert self._next is not None

    def load_bodies(self, document: Document) -> None:
        """Open the model of functions where ghost text may use it, so that no line of a new function waits for it."""
        bundle = self._models.bundle(BODY_MODEL, document.language_id)
        if bundle is None:
            return
        from editahead.suggest.function_bodies import bodies as describe

        if describe.can_show_bodies(bundle, document):
            self.describer(document.language_id)

    def read_modules(self, document: Document) -> None:
        """Read modules and classes that a document names, so that no completion waits for them. Can be interrupted."""
        from editahead.suggest.completion.ranking.external import read_imported
        from editahead.suggest.completion.ranking.project_classes import read_named

        read_imported(document)
        read_named(document)

    def read_names(self, document: Document, byte: int, cancel: Cancel) -> None:
        """Read the names around a byte, so that no answer there waits for them. Raises Cancelled."""
        from editahead.suggest.completion.ranking.document_scopes import read_ahead

        if document.settings.next_edit:
            self._next.groups.verifier.read_names(document.uri, document.syntax, byte, cancel.check)
        read_ahead(document, byte, cancel.check)

    def fixer(self, language_id: str) -> Fixer | None:
        """The span-copying model of a language, opened on first use; None when there is none that works."""
        return self._models.fixer(language_id)

    def describer(self, language_id: str) -> Describer | None:
        """The model of functions of a language, opened on first use; None when there is none that works."""
        return self._models.describer(language_id)

    def _unsure(
        self, decision: Decision[object], document: Document, byte: int, cancel: Cancel
    ) -> tuple[float, Shown[object]] | None:
        """The ghost text that a lower precision would show, and the highest such precision."""
        if isinstance(decision, Suppressed) and decision.reason is Reason.LOW_PROBABILITY:
            for precision in (p for p in LOWER_PRECISIONS if p < document.target_precision("ghost_text")):
                settings = replace(document.settings, ghost_text_precision=precision)
                tolerant = self.inline(replace(document, settings=settings), byte, cancel)
                if isinstance(tolerant, Shown):
                    return precision, tolerant
        return None
