"""Messages of the team protocol, as MessagePack. Both sides check each message strictly when they decode it.

A client keeps its documents on the server up to date (`PutDocument`, `Change`, `Drop`) and sends requests (`Ask`).
Documents are numbered by the client; a `serial` counts the texts of a document. Offsets are bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, TypeVar

import msgspec

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
