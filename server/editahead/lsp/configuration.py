"""Settings from the client: initialization options, then what is pushed or pulled, each over the last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from editahead.lsp.json_rpc import RequestError
from editahead.lsp.logs import log
from editahead.lsp.params import Raw
from editahead.settings import Settings, parse_settings, setting_fields

if TYPE_CHECKING:
    from editahead.lsp.server import EditaheadServer

# Keys that clients put beside the settings in their initialization options.
_NOT_SETTINGS = ("editorInfo", "editorPluginInfo", "attachedClients", "copilotIntegrationId", "capabilities", "token")


class Configuration:
    """The layers as the client gave them; a change parses them anew and replaces the session's settings."""

    def __init__(self, server: EditaheadServer) -> None:
        self._server = server
        self._initial: object = None
        self._current: object = None

    def initialize(self, options: object) -> None:
        """The initialization options."""
        if isinstance(options, Mapping):
            options = {key: value for key, value in options.items() if key not in _NOT_SETTINGS}
        self._initial = options
        self._apply()

    def update(self, section: object) -> None:
        """A new configuration from the client, in place of its last one."""
        self._current = section
        before = self._server.session.settings
        self._apply()
        if model_settings(before) != model_settings(self._server.session.settings):
            self._server.load_models()
        self._server.indexing.configure()
        self._server.status.tell()

    def pull(self) -> None:
        """Ask the client for the section `editahead`, if it can be asked."""
        if not self._server.abilities.pull_configuration:
            return

        def answered(values: Any) -> None:
            if isinstance(values, RequestError):
                log.info("the client did not tell its configuration: %s", values)
            elif isinstance(values, list) and values and values[0] is not None:
                self.update({"editahead": values[0]})

        items = [{"section": "editahead"}]
        self._server.protocol.request("workspace/configuration", {"items": items}, answered)

    def register(self) -> None:
        """Ask to be told when the configuration changes, if the client wants to be asked for that."""
        if self._server.abilities.register_configuration:
            registration = {
                "id": "editahead-configuration",
                "method": "workspace/didChangeConfiguration",
                "registerOptions": {"section": "editahead"},
            }
            self._server.protocol.request(
                "client/registerCapability", {"registrations": [registration]}, lambda answer: None
            )

    def _apply(self) -> None:
        parsed = parse_settings(self._initial, self._current)
        self._server.session.settings = parsed.settings
        for name in parsed.unknown:
            log.info("unknown setting %s is ignored", name)
        if parsed.problems:
            self._server.status.message("; ".join(parsed.problems))


def model_settings(settings: Settings) -> tuple[Any, ...]:
    """The settings that decide which models run where."""
    return tuple(getattr(settings, item.name) for item in setting_fields() if item.metadata.get("restart"))


def did_change_configuration(server: EditaheadServer, raw: Raw) -> None:
    """`workspace/didChangeConfiguration`: take what is pushed; where nothing of ours is, ask for it."""
    pushed = raw.get("settings") if isinstance(raw, Mapping) else None
    ours = isinstance(pushed, Mapping) and any(
        key == "editahead" or str(key).startswith("editahead.") for key in pushed
    )
    if ours and not (set(pushed or ()) == {"editahead"} and (pushed or {})["editahead"] is None):
        server.configuration.update(
            {k: v for k, v in (pushed or {}).items() if k == "editahead" or k.startswith("editahead.")}
        )
    else:
        server.configuration.pull()
