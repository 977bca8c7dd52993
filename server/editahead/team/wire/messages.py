"""Messages of the team protocol, as MessagePack. Both sides check each message strictly when they decode it.

A client keeps its documents on the server up to date (`PutDocument`, `Change`, `Drop`) and sends requests (`Ask`).
Documents are numbered by the client; a `serial` counts the texts of a document. Offsets are bytes.
A decision of the engine travels as the value of an answer, and is checked against the text that it is for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, TypeVar
from urllib.parse import quote

import msgspec

from editahead.settings import Settings, key_of
from editahead.suggest import types
from editahead.suggest.types import GateReading
from editahead.text.coalesced_edits import CoalescedEdit
from editahead.text.edits import ByteEdit

T = TypeVar("T")
PROTOCOL = 2
PATH = "/v1"  # of the WebSocket
MAX_MESSAGE = 8 << 20  # bytes of a message
MAX_BATCH = 1 << 20  # bytes of several messages in a single message
MAX_BATCHED = 200  # messages in a batch: others wait while they are processed
MAX_DOCUMENT = MAX_MESSAGE - (16 << 10)  # bytes of a text, so that it fits into a message with its path
MAX_EDITS = 1000  # of a change, and of a history
MAX_OTHERS = 50  # further documents of a request
MAX_NAMES = 200  # names of the project in a request
MAX_LABELS = 1000  # labels of another source in a request
# WebSocket close codes
REFUSED_TOKEN, REFUSED_PROTOCOL, REFUSED_MESSAGE, REFUSED_CONNECTIONS, LEAVING = 4401, 4400, 4409, 4429, 4503

SurfaceMethod = Literal[
    "complete", "rank", "inline", "next_edit", "next_edit_elsewhere", "next_edits", "fixes", "bodies", "prepare"
]  # fmt: skip
MAX_PATH = 1000  # characters
# Settings that change what is suggested; none of them names a file or a folder.
SENT_SETTINGS = (
    "precision", "completion_floor", "fix_floor", "max_completions", "in_comments", "in_strings", "completion",
    "inline_completion", "next_edit", "suggest_fixes", "write_bodies", "rejection_minutes",
    "completion_arguments",
)  # fmt: skip
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


class WireError(ValueError):
    """A message that cannot be understood; the text is a single line and holds none of its content."""


class Hello(msgspec.Struct, tag="hello", array_like=True, frozen=True):
    """First message of a client."""

    protocol: int
    version: str  # of editahead


class Configure(msgspec.Struct, tag="configure", array_like=True, frozen=True):
    """Settings of the requests that follow, as in an editor's configuration."""

    settings: dict[str, Any]


class PutDocument(msgspec.Struct, tag="put", array_like=True, frozen=True):
    """A whole document; `path` is relative to its workspace folder."""

    document: int
    path: str
    language: str
    serial: int
    text: bytes


class Change(msgspec.Struct, tag="change", array_like=True, frozen=True):
    """Edits that turn the text `base` of a document into the text `serial`, which has this size and CRC-32."""

    document: int
    base: int
    serial: int
    edits: list[ByteEdit]
    size: int
    checksum: int


class Drop(msgspec.Struct, tag="drop", array_like=True, frozen=True):
    """A document that is closed or no longer used."""

    document: int


class HistoryChange(msgspec.Struct, array_like=True, frozen=True):
    """The history of a document: the first `kept` settled edits that the server has, then `more`.

    With `kept` -1, the history begins anew, at the text before all these edits.
    """

    generation: int
    kept: int
    more: list[CoalescedEdit]
    pending: CoalescedEdit | None
    undone_at: float | None
    undone: list[CoalescedEdit]


class DocumentVersion(msgspec.Struct, array_like=True, frozen=True):
    """A document as a request sees it; `history` is None where it is as in the request before."""

    document: int
    serial: int
    history: HistoryChange | None


class ProjectName(msgspec.Struct, array_like=True, frozen=True):
    """A name of the project that begins as typed, without the file that it comes from."""

    name: str
    source: str
    line: int
    count: int
    files: int


class Ask(msgspec.Struct, tag="ask", array_like=True, frozen=True):
    """A request to a method of the engine. `number` grows with each request; `budget_ms` is the remaining time."""

    number: int
    method: SurfaceMethod
    at: DocumentVersion
    others: list[DocumentVersion]
    byte: int
    end: int
    budget_ms: int
    now: float
    idle: bool
    declined: int
    rejections: list[tuple[str, float]]
    names: list[ProjectName]
    labels: list[str]
    filtered_by_client: bool = False


class Batch(msgspec.Struct, tag="batch", array_like=True, frozen=True):
    """Messages that are processed in their order: a key and its request cross the network and the proxy once."""

    messages: list[Configure | PutDocument | Change | Drop | Ask]


Update = Configure | PutDocument | Change | Drop | Ask  # what follows the greeting


class Welcome(msgspec.Struct, tag="welcome", array_like=True, frozen=True):
    """Answer to `Hello`: what serves, and the families of models by language (`any`: all languages)."""

    protocol: int
    version: str
    replica: str
    client: str  # names this client in the URIs of its documents
    models: dict[str, list[str]]


class Answer(msgspec.Struct, tag="answer", array_like=True, frozen=True):
    """The decision of the engine for a request: a value with its probability, or a reason."""

    number: int
    serial: int
    value: bytes | None  # a type of `wire.values`, as MessagePack
    probability: float
    gates: list[GateReading]
    reason: str
    detail: str
    seconds: float  # that the engine took
    waited: float  # seconds from the arrival of the request until the engine began


class Resend(msgspec.Struct, tag="resend", array_like=True, frozen=True):
    """The server does not have this document as the client believes: it must come whole. `number` has no answer."""

    document: int
    number: int


class Declined(msgspec.Struct, tag="declined", array_like=True, frozen=True):
    """A request that is not answered, with the reason: `late`, `superseded`, `busy`, `replayed`, `failed`.

    `late`: its deadline has passed, or the engine would not be done by then.
    """

    number: int
    why: str


FromClient = Hello | Batch | Update
FromServer = Welcome | Answer | Resend | Declined

_encoder = msgspec.msgpack.Encoder()
_from_client: msgspec.msgpack.Decoder[FromClient] = msgspec.msgpack.Decoder(FromClient)
_from_server: msgspec.msgpack.Decoder[FromServer] = msgspec.msgpack.Decoder(FromServer)


def encode(message: FromClient | FromServer) -> bytes:
    """Return a message as bytes."""
    return _encoder.encode(message)


def encode_all(messages: Sequence[Update]) -> list[bytes]:
    """Return messages in their order as bytes, batched; whole documents go alone, since the size is limited."""
    frames: list[bytes] = []
    small: list[Update] = []

    def flush() -> None:
        if len(small) > 1 and len(batch := encode(Batch(list(small)))) <= MAX_BATCH:
            frames.append(batch)
        else:
            frames.extend(map(encode, small))
        small.clear()

    for message in messages:
        if isinstance(message, PutDocument) or len(small) == MAX_BATCHED:
            flush()
        if isinstance(message, PutDocument):
            frames.append(encode(message))
        else:
            small.append(message)
    flush()
    return frames


def decode_from_client(data: bytes) -> FromClient:
    """Read a message of a client. Raises WireError."""
    return _decode(_from_client, data)


def decode_from_server(data: bytes) -> FromServer:
    """Read a message of the server. Raises WireError."""
    return _decode(_from_server, data)


def _decode(decoder: msgspec.msgpack.Decoder[T], data: bytes) -> T:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise WireError(f"a message that cannot be read ({type(error).__name__})") from None


def server_uri(client: str, path: str) -> str:
    """Return the URI of a client's document on the server."""
    return f"team://{client}/{quote(path)}"


def sent_settings(settings: Settings) -> dict[str, object]:
    """Return the settings that leave the laptop, by their keys in an editor."""
    return {key_of(name): getattr(settings, name) for name in SENT_SETTINGS}


_value_encoder = msgspec.msgpack.Encoder()
_value_decoders = {name: msgspec.msgpack.Decoder(kind) for name, kind in VALUES.items()}
Texts = Callable[[str], bytes | None]  # from a URI to the text of that document


def answer_of(number: int, serial: int, decision: types.Decision[Any], seconds: float, waited: float = 0.0) -> Answer:
    """Return the message for a decision."""
    if isinstance(decision, types.Suppressed):
        gates, why = list(decision.gates), decision
        return Answer(number, serial, None, 0.0, gates, why.reason.value, why.detail, seconds, waited)
    value = _value_encoder.encode(decision.value)
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
        value = _value_decoders[method].decode(answer.value)
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
