"""The context of the handlers of notifications, commands and the lifecycle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from editahead.lsp.client import Client
from editahead.lsp.configuration import Configuration
from editahead.lsp.documents.disk import Exclusions
from editahead.lsp.documents.indexing import Indexing
from editahead.lsp.documents.notebook import Notebook
from editahead.lsp.inference.engine_startup import Models
from editahead.lsp.inference.worker import Worker
from editahead.lsp.options import ServeOptions
from editahead.lsp.recording import Recording
from editahead.lsp.rpc.params import Raw
from editahead.lsp.session import Session
from editahead.lsp.status import Status
from editahead.lsp.surfaces.surface_context import SurfaceSpec


@dataclass(frozen=True, kw_only=True)
class ServerContext:
    """The parts of a session, for handlers, which run on the event loop's thread."""

    options: ServeOptions
    surfaces: Sequence[SurfaceSpec]
    session: Session
    client: Client
    worker: Worker
    models: Models
    exclusions: Exclusions  # for the inference thread alone
    status: Status
    configuration: Configuration
    indexing: Indexing
    recording: Recording
    watch_parent: Callable[[int], None]  # ends the server with this process
    begin_shutdown: Callable[[], None]
    begin_sending: Callable[[], None]  # messages to the client are sent from now on
    notebooks: dict[str, Notebook] = field(default_factory=dict)  # those that are open, by URI


Handler = Callable[[ServerContext, Raw], object]
