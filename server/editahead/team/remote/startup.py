"""Loading of the engine of a laptop with a team server: the local engine, and a connection for the whole session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from editahead.team.remote.connection import Connection, Replies
from editahead.team.remote.target import RemoteTarget

if TYPE_CHECKING:
    from editahead.team.remote.engine import RemoteEngine

Progress = Callable[[str, float], None]
LoadLocal = Callable[[Sequence[Path], str, Progress], Any]


class RemoteStartup:
    """Loads the local engine as `load_local` does, and puts the team server before it."""

    def __init__(self, target: RemoteTarget, load_local: LoadLocal) -> None:
        self._load_local = load_local
        self._replies = Replies()
        self._connection = Connection(target, self._replies.receive)
        self._started = False

    def load(self, bundles: Sequence[Path], device: str, progress: Progress) -> RemoteEngine:
        """Load the engine; connects when it is called first. A server that is not there is no error."""
        from editahead.team.remote.engine import RemoteEngine

        local = self._load_local(bundles, device, progress)
        if not self._started:
            self._started = True
            self._connection.start()
        return RemoteEngine(local, self._connection, self._replies)
