"""What the team server counts. No metric holds code, a path or the name of a person."""

from __future__ import annotations

from typing import Protocol

REQUESTS = "editahead_team_requests_total"  # by method and outcome
SECONDS = "editahead_team_engine_seconds"  # by method
WAIT_SECONDS = "editahead_team_waited_seconds"  # by method
CLIENTS = "editahead_team_clients"
DOCUMENTS = "editahead_team_documents"
WAITING = "editahead_team_waiting_requests"
REFUSALS = "editahead_team_refusals_total"  # by reason
DESCRIPTIONS = {
    REQUESTS: "Requests, by method and outcome.",
    SECONDS: "Run time of the engine for one request, in seconds.",
    WAIT_SECONDS: "Time from the arrival of a request until the engine began, in seconds.",
    CLIENTS: "Open connections of a replica.",
    DOCUMENTS: "Documents that a replica holds.",
    WAITING: "Requests that wait for the inference thread of a replica.",
    REFUSALS: "Connections and messages that were refused, by reason.",
}
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 1.0, 3.0)  # seconds


class Metrics(Protocol):
    """Where counts go."""

    def count(self, name: str, **tags: str) -> None:
        """Count an event."""

    def observe(self, name: str, value: float, **tags: str) -> None:
        """Record a value of a distribution."""

    def set(self, name: str, value: float) -> None:
        """Set a level."""
