"""The context of the handlers of notifications, commands and the lifecycle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from editahead.lsp.client import Client
from editahead.lsp.configuration import Configuration
from editahead.lsp.disk import Exclusions
from editahead.lsp.indexing import Indexing
from editahead.lsp.models import Models
from editahead.lsp.options import ServeOptions
from editahead.lsp.params import Raw
from editahead.lsp.recording import Recording
from editahead.lsp.session import Session
from editahead.lsp.status import Status
from editahead.lsp.surface_context import SurfaceSpec
from editahead.lsp.worker import Worker


@dataclass(frozen=True, kw_only=True)
class ServerContext:
    """The parts of one session, for handlers, which run on the event loop's thread."""

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


Handler = Callable[[ServerContext, Raw], object]
