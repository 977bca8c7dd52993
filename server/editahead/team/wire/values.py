"""Decisions of the engine as the values of answers, and back, checked against the text that they are for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import msgspec

from editahead.settings import Settings, key_of
from editahead.suggest import types
from editahead.team.wire.messages import Answer, WireError
from editahead.text.edits import ByteEdit

MAX_PATH = 1000  # characters
# Settings that change what is suggested; none of them names a file or a folder.
SENT_SETTINGS = (
    "precision", "completion_floor", "fix_floor", "max_completions", "in_comments", "in_strings", "completion",
    "inline_completion", "next_edit", "suggest_fixes", "write_bodies", "rejection_minutes",
    "completion_arguments",
)  # fmt: skip


def server_uri(client: str, path: str) -> str:
    """Return the URI of a client's document on the server."""
    return f"team://{client}/{quote(path)}"


def sent_settings(settings: Settings) -> dict[str, object]:
    """Return the settings that leave the laptop, by their keys in an editor."""
    return {key_of(name): getattr(settings, name) for name in SENT_SETTINGS}


VALUES: dict[str, Any] = {
    "complete": types.Completions,
    "rank": tuple[float, ...],
    "inline": types.InlineSuggestion,
    "next_edit": types.NextEdit,
    "next_edit_elsewhere": types.QueuedEdit,
    "next_edits": types.NextEdits,
    "fixes": types.Fixes,
    "bodies": types.WrittenBodies,
}
_encoder = msgspec.msgpack.Encoder()
_decoders = {name: msgspec.msgpack.Decoder(kind) for name, kind in VALUES.items()}
Texts = Callable[[str], bytes | None]  # from a URI to the text of that document


def answer_of(number: int, serial: int, decision: types.Decision[Any], seconds: float, waited: float = 0.0) -> Answer:
    """Return the message for a decision."""
    if isinstance(decision, types.Suppressed):
        gates, why = list(decision.gates), decision
        return Answer(number, serial, None, 0.0, gates, why.reason.value, why.detail, seconds, waited)
    value = _encoder.encode(decision.value)
    return Answer(number, serial, value, decision.probability, list(decision.gates), "", "", seconds, waited)


def decision_of(method: str, answer: Answer, text: bytes, texts: Texts) -> types.Decision[Any]:
    """Return the decision in an answer about `text`. Raises WireError where it does not fit that text.

    `texts` gives the texts of the documents that places of repeated edits are in.
    """
    gates = tuple(answer.gates)
    if answer.value is None:
        try:
            return types.Suppressed(types.Reason(answer.reason), answer.detail, gates)
        except ValueError:
            raise WireError("an answer with an unknown reason") from None
    try:
        value = _decoders[method].decode(answer.value)
    except (msgspec.MsgspecError, ValueError, KeyError, RecursionError) as error:
        raise WireError(f"an answer that cannot be read ({type(error).__name__})") from None
    if not 0.0 <= answer.probability <= 1.0:
        raise WireError("an answer with an impossible probability")
    for edit, data in _edits(value, text, texts):
        if data is None or not is_applicable(edit, data):
            raise WireError("an answer with an edit outside its text")
    return types.Shown(value, answer.probability, gates)


def is_applicable(edit: ByteEdit, data: bytes) -> bool:
    """Whether an edit lies inside a text, begins and ends between characters, and inserts valid UTF-8."""
    if edit.old_end > len(data):
        return False
    if any(at < len(data) and data[at] & 0xC0 == 0x80 for at in (edit.start, edit.old_end)):
        return False
    try:
        edit.new.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _edits(value: Any, text: bytes, texts: Texts) -> Iterator[tuple[ByteEdit, bytes | None]]:
    """Yield the edits of a value with the texts that they are for. Raises WireError for an invalid range."""
    try:
        if isinstance(value, types.Completions):
            yield ByteEdit(value.start, value.end, b""), text
            for item in value.items:
                if item.import_edit is not None:
                    yield item.import_edit, text
        elif isinstance(value, types.InlineSuggestion):
            yield ByteEdit(value.start, value.end, value.insert.encode("utf-8", "surrogatepass")), text
        elif isinstance(value, types.NextEdit):
            yield value.edit, text
        elif isinstance(value, types.QueuedEdit):
            yield value.edit, texts(value.uri)
        elif isinstance(value, types.NextEdits):
            for queued in value.items:
                yield queued.edit, texts(queued.uri)
        elif isinstance(value, (types.Fixes, types.WrittenBodies)):
            for requested in value.items:
                yield requested.edit, text
    except ValueError:
        raise WireError("an answer with a range that ends before it starts") from None
