"""Loading of models as the settings and the command line specify."""

from __future__ import annotations

from editahead.lsp.inference.engine_startup import EngineStartup
from editahead.lsp.inference.worker import Worker
from editahead.lsp.options import ServeOptions
from editahead.lsp.rpc.uris import expand_user
from editahead.lsp.session import Session
from editahead.lsp.status import Status


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
