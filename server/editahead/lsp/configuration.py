"""Settings from the client: initialization options, overridden by configuration that is pushed or pulled later."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from editahead.lsp.client import Client
from editahead.lsp.documents.indexing import Indexing
from editahead.lsp.inference.engine_startup import Models
from editahead.lsp.process.logs import log
from editahead.lsp.rpc.params import JsonValue
from editahead.lsp.session import Session
from editahead.lsp.status import Status
from editahead.settings import Settings, parse_settings, setting_fields

# Keys that clients put beside the settings in their initialization options.
_NOT_SETTINGS = ("editorInfo", "editorPluginInfo", "attachedClients", "copilotIntegrationId", "capabilities", "token")


class Configuration:
    """The two layers of settings as the client sent them; each change parses both again."""

    def __init__(self, client: Client, session: Session, status: Status, models: Models, indexing: Indexing) -> None:
        self._client = client
        self._session = session
        self._status = status
        self._models = models
        self._indexing = indexing
        self._initial: JsonValue = None
        self._current: JsonValue = None
        self.on_change: Callable[[], None] = lambda: None

    def initialize(self, options: JsonValue) -> None:
        """Set the initialization options."""
        if isinstance(options, Mapping):
            options = {key: value for key, value in options.items() if key not in _NOT_SETTINGS}
        self._initial = options
        self._apply()

    def update(self, section: JsonValue) -> None:
        """Replace the configuration that the client sent before."""
        self._current = section
        before = self._session.settings
        self._apply()
        if model_settings(before) != model_settings(self._session.settings):
            self._models.load()
        self._indexing.configure()
        self.on_change()
        self._status.send()

    def pull(self) -> None:
        """Request the section `editahead` from the client, if it supports that."""
        if not self._client.capabilities.pull_configuration:
            return

        def on_response(values: JsonValue) -> None:
            if isinstance(values, list) and values and values[0] is not None:
                self.update({"editahead": values[0]})

        items = [{"section": "editahead"}]
        self._client.request("workspace/configuration", {"items": items}, on_response)

    def register(self) -> None:
        """Register for changes of the configuration, if the client supports it."""
        if self._client.capabilities.register_configuration:
            self._client.register(
                {
                    "id": "editahead-configuration",
                    "method": "workspace/didChangeConfiguration",
                    "registerOptions": {"section": "editahead"},
                }
            )

    def _apply(self) -> None:
        parsed = parse_settings(self._initial, self._current)
        self._session.settings = parsed.settings
        for name in parsed.unknown:
            log.info("unknown setting %s is ignored", name)
        if parsed.problems:
            self._status.message("; ".join(parsed.problems))


def model_settings(settings: Settings) -> tuple[object, ...]:
    """Return the values of the settings that decide which models run on which device."""
    return tuple(getattr(settings, item.name) for item in setting_fields() if item.metadata.get("restart"))
