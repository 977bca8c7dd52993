"""Names of documents on the server: they hold a client and a path below its workspace folder, and lead to no disk."""

from __future__ import annotations

from urllib.parse import quote

from editahead.settings import Settings, key_of

MAX_PATH = 1000  # characters
# Settings that change what is suggested; none of them names a file or a folder.
SENT_SETTINGS = (
    "precision", "completion_floor", "fix_floor", "max_completions", "in_comments", "in_strings", "completion",
    "inline_completion", "next_edit", "suggest_fixes", "write_bodies", "rejection_minutes",
)  # fmt: skip


def server_uri(client: str, path: str) -> str:
    """Return the URI of a client's document on the server."""
    return f"team://{client}/{quote(path)}"


def sent_settings(settings: Settings) -> dict[str, object]:
    """Return the settings that leave the laptop, by their keys in an editor."""
    return {key_of(name): getattr(settings, name) for name in SENT_SETTINGS}
