"""Loading of the engine and its models on the inference thread; the imports inside functions are slow at a start."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from editahead.lsp.inference.jobs import EngineLike, Progress
from editahead.lsp.inference.worker import Worker
from editahead.lsp.options import ServeOptions
from editahead.lsp.rpc.uris import expand_user
from editahead.lsp.session import Session
from editahead.lsp.status import Status

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel
    from editahead.suggest.types import Document


class Models:
    """Loads and reloads the models on the inference thread."""

    def __init__(
        self, options: ServeOptions, startup: EngineStartup, session: Session, worker: Worker, status: Status
    ) -> None:
        self._options = options
        self._startup = startup
        self._session = session
        self._worker = worker
        self._status = status

    def load(self) -> None:
        """Reload all models."""
        settings, options = self._session.settings, self._options
        device = settings.device if settings.device != "auto" else options.device
        bundles = list(options.bundles)
        for folder in settings.bundles:
            try:
                bundles.append(expand_user(folder))
            except ValueError as error:
                self._status.message(f"editahead.bundles: {error}; the other models are loaded")
        load = self._startup.load
        self._worker.load(lambda progress: load(bundles, device, progress))
        self._status.begin_loading()


@dataclass(frozen=True, slots=True)
class EngineStartup:
    """How the engine is loaded: `warm` imports what `load` needs, which takes bundles, a device and a callback."""

    warm: Callable[[], None]
    load: Callable[[Sequence[Path], str, Progress], EngineLike]


def warm_up() -> None:
    """Import the libraries of the models while the client is still initializing."""
    from editahead.runtime.ort import runtime_version
    from editahead.suggest import engine

    del engine
    runtime_version()


def prime(engine: EngineLike, document: Document, cancel: Cancel) -> None:
    """Prepare the first answer in a document: open its models, parse it (or its first part)."""
    for name in ("language_model", "editor"):
        call_if_supported(engine, name, document.language_id)
        cancel.check()
    call_if_supported(engine, "load_next_edits")
    document.syntax.line_tokens(0)  # parses
    call_if_supported(engine, "prepare", document)  # of an engine with a team server
    cancel.check()
    call_if_supported(engine, "load_bodies", document)


def call_if_supported(engine: EngineLike, method: str, *arguments: object) -> None:
    """Call a method that not every engine has, such as `read_modules`; nothing happens without it."""
    run = getattr(engine, method, None)
    if run is not None:
        run(*arguments)


def load_engine(bundles: Sequence[Path], device: str, progress: Progress) -> EngineLike:
    """Load the engine from `bundles` and the shipped bundles, the former first."""
    from editahead.runtime.bundle import find_bundles
    from editahead.suggest.engine import Engine

    return Engine.load(find_bundles(list(bundles)), device, progress)


def load_limited(bundles: Sequence[Path], device: str, progress: Progress) -> EngineLike:
    """Load the engine and limit the memory of the process, which must be the server's own."""
    from editahead.runtime.memory import limit_memory
    from editahead.runtime.ort import CPU

    engine = load_engine(bundles, device, progress)
    selection = getattr(engine, "selection", None)
    if selection is not None and selection.used == CPU:  # a GPU's driver maps more than any limit that would help
        limit_memory()
    return engine
