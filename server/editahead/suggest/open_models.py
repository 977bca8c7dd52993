"""The models of all bundles, by family and language, each opened when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from editahead.runtime.bundle import Bundle, BundleError, verify_files
from editahead.runtime.ort import Selection
from editahead.suggest.types import GateReading, Reason, Suppressed
from editahead.syntax.interrupt import await_result, is_interruptible, run_apart

if TYPE_CHECKING:
    from editahead.runtime.language_model.model import LanguageModel
    from editahead.suggest.fixes.fixes import Fixer
    from editahead.suggest.function_bodies.bodies import Describer
    from editahead.suggest.next_edit.editor import NextEditor

LANGUAGE_MODEL, EDIT_MODEL, FIX_MODEL, BODY_MODEL = "spn", "implicit-attention", "copyspan", "treegen"
FAMILIES = {
    LANGUAGE_MODEL: "language model", EDIT_MODEL: "edit model", FIX_MODEL: "model of fixes",
    BODY_MODEL: "model of functions",
}  # fmt: skip
ANY_LANGUAGE = "any"
Model = TypeVar("Model")


class OpenModels:
    """Models by language; None where no model works. Not thread-safe.

    `failures` has a line for each bundle that cannot be used, `opened` the bytes of the files of each open model.
    """

    def __init__(self, bundles: Sequence[Bundle], selection: Selection, failures: Sequence[str] = ()) -> None:
        self._selection = selection
        self.failures = list(failures)
        self.opened: dict[str, int] = {}
        self._bundles: dict[tuple[str, str], Bundle] = {}
        for bundle in bundles:  # the first of a kind wins: a user's own go before the shipped ones
            for language in _languages(bundle):
                self._bundles.setdefault((bundle.manifest.family, language), bundle)
        self._language_models: dict[Path, LanguageModel | None] = {}
        self._editors: dict[Path, NextEditor | None] = {}
        self._fixers: dict[Path, Fixer | None] = {}
        self._describers: dict[Path, Describer | None] = {}
        self._openings: dict[Path, Future[Any]] = {}  # models that another thread opens

    @property
    def bundles(self) -> tuple[Bundle, ...]:
        """The bundles that serve a language."""
        return tuple(dict.fromkeys(self._bundles.values()))

    def bundle(self, family: str, language_id: str) -> Bundle | None:
        """The bundle of a family that serves a language."""
        return self._bundles.get((family, language_id)) or self._bundles.get((family, ANY_LANGUAGE))

    def language_model(self, language_id: str) -> LanguageModel | None:
        """The language model of a language, shared by all languages of its bundle."""
        return self._shared(self._language_models, LANGUAGE_MODEL, language_id, self._language_model)

    def editor(self, language_id: str) -> NextEditor | None:
        """The edit model of a language."""
        return self._shared(self._editors, EDIT_MODEL, language_id, _next_editor)

    def fixer(self, language_id: str) -> Fixer | None:
        """The span-copying model of a language."""
        return self._shared(self._fixers, FIX_MODEL, language_id, _fixer)

    def describer(self, language_id: str) -> Describer | None:
        """The model of functions of a language."""
        return self._shared(self._describers, BODY_MODEL, language_id, _describer)

    def forget(self, uri: str) -> None:
        """Keep no state of a closed document."""
        for model in self._with_states():
            model.forget(uri)
        for describer in self._describers.values():
            if describer is not None:
                describer.forget()

    def state_bytes(self) -> int:
        """Bytes of the states that the models keep of open documents."""
        return sum(model.state_bytes() for model in self._with_states())

    def missing(self, family: str, language_id: str) -> Suppressed:
        """No suggestion, because no model of a family works for a language."""
        bundle = self.bundle(family, language_id)
        what = FAMILIES[family]
        why = (
            f"no {what} for {language_id}"
            if bundle is None
            else f"the {what} {bundle.manifest.name} cannot be used: run `editahead doctor`"
        )
        return Suppressed(Reason.NO_MODEL, why, (GateReading(Reason.NO_MODEL, False, why),))

    def _with_states(self) -> Iterator[LanguageModel | NextEditor]:
        for model in [*self._language_models.values(), *self._editors.values()]:
            if model is not None:
                yield model

    def _language_model(self, bundle: Bundle, selection: Selection) -> LanguageModel:
        from editahead.runtime.language_model.model import LanguageModel

        return LanguageModel(bundle, selection)

    def _shared(
        self,
        opened: dict[Path, Model | None],
        family: str,
        language_id: str,
        make: Callable[[Bundle, Selection], Model],
    ) -> Model | None:
        """The model of a bundle, which may serve several languages."""
        bundle = self.bundle(family, language_id)
        if bundle is None:
            return None
        if bundle.path not in opened:
            opened[bundle.path] = self._open(bundle, make)
        return opened[bundle.path]

    def _open(self, bundle: Bundle, make: Callable[[Bundle, Selection], Model]) -> Model | None:
        """Open a model; where the work can be interrupted, on a thread that goes on when nobody waits any more."""

        def open_model() -> Model:
            verify_files(bundle)
            return make(bundle, self._selection)

        try:
            model = self._opened_elsewhere(bundle.path, open_model) if is_interruptible() else open_model()
        except BundleError as error:
            self.failures.append(str(error))
            return None
        self.opened[bundle.manifest.name] = sum(entry.bytes for entry in bundle.manifest.files.values())
        return model

    def _opened_elsewhere(self, path: Path, work: Callable[[], Model]) -> Model:
        """A model from a thread of its own; raises what the check of this thread raises while it waits."""
        future: Future[Model] = self._openings.get(path) or run_apart(work)
        self._openings[path] = future
        model = await_result(future)
        del self._openings[path]
        return model


def _languages(bundle: Bundle) -> tuple[str, ...]:
    """The languages that a bundle serves: `limits.languages`, else that in its name."""
    listed = bundle.manifest.limits.get("languages")
    return tuple(str(language) for language in listed) if listed else (bundle.manifest.language,)


def _next_editor(bundle: Bundle, selection: Selection) -> NextEditor:
    from editahead.suggest.next_edit.editor import NextEditor

    return NextEditor(bundle, selection)


def _fixer(bundle: Bundle, selection: Selection) -> Fixer:
    from editahead.suggest.fixes.fixes import Fixer

    return Fixer(bundle, selection)


def _describer(bundle: Bundle, selection: Selection) -> Describer:
    from editahead.suggest.function_bodies.bodies import Describer

    return Describer(bundle, selection)
