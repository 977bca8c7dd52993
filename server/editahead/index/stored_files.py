"""What the index keeps of a file, in the form in which it is kept on disk between sessions.

A file is stored as a whole or not at all, with numbers of its own for its words, so that each can be stored, replaced
and removed by itself, and what is restored is what reading the file again would give.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Sequence
from hashlib import blake2b
from typing import NamedTuple, Protocol

import msgspec
import numpy as np
import numpy.typing as npt

from editahead.index.lexicon import MAX_BYTES, MAX_NAMES, NameOccurrences
from editahead.index.ngram_index import MAX_TOKENS, TokenIds
from editahead.index.packages import FilePackage
from editahead.index.project_imports import FileImports
from editahead.text.buffer import Buffer

FORMAT = 2
"""To be raised with any change of what is read from a file, so that nothing older is used."""
MAX_ENCODED = 8_000_000  # bytes of an entry when unpacked; the largest that is written takes 4 MB


class Fingerprint(NamedTuple):
    """What tells a file that is as it was when it was read.

    `modified` and `changed` are its times in ns, `size` its bytes. A `changed` of -1 equals that of no file: the
    content has to be compared, by its hash `digest`.
    """

    modified: int
    size: int
    changed: int
    digest: bytes


class StoredFile(NamedTuple):
    """A file on disk: when it was read, and its entry as packed by `encode_entry`."""

    fingerprint: Fingerprint
    data: bytes

    def entry(self, family: str) -> IndexedFile | None:
        """Return the entry; None if it is damaged or of another family."""
        return decode_entry(self.data, family)

    def has_content(self, buffer: Buffer | None) -> bool:
        """Return whether the file has this content."""
        return self.fingerprint.digest == digest_of(buffer)


class ProjectStore(Protocol):
    """The stored files of a project, by their paths relative to its root. No method raises; each may use the disk."""

    def load(self) -> int:
        """Read what is stored, for `take`; return how many files that are."""

    def take(self, where: str) -> StoredFile | None:
        """Return a file as it was stored, once, or None."""

    def put(self, where: str, file: StoredFile | None) -> None:
        """Store or (None) remove a file, with others or at the next `flush`."""

    def flush(self) -> None:
        """Write what was put, and remove what was loaded and not taken."""


class IndexedFile(NamedTuple):
    """What the index keeps of a file; `names` is None if it cannot be read as code.

    `stream_T` are tokens as indices in `texts`, the first token being a line's start; both are empty in languages
    without n-grams. `imports` and `package` are empty where they do not follow from the file's tokens or quoted paths.
    """

    family: str
    names: NameOccurrences | None
    texts: list[str]
    stream_T: TokenIds
    imports: FileImports
    package: FilePackage


class _Encoded(msgspec.Struct, array_like=True):
    family: str
    is_readable: bool
    words: list[str]
    cells: bytes  # counts, and lines times two, plus 1 for a declaration: little-endian uint32
    texts: list[str]
    stream: bytes  # little-endian uint32
    imports: FileImports
    package: FilePackage


def digest_of(buffer: Buffer | None) -> bytes:
    """Return a hash of the content of a file; empty for a file that cannot be read as code."""
    return b"" if buffer is None else blake2b(buffer.data, digest_size=16).digest()


def encode_entry(entry: IndexedFile) -> bytes:
    """Pack an entry."""
    names = entry.names
    cells = b"" if names is None else _packed(names.counts_N) + _packed(names.lines_N * 2 + names.declared_N)
    encoded = _Encoded(
        entry.family, names is not None, [] if names is None else names.words, cells, entry.texts,
        _packed(entry.stream_T), entry.imports, entry.package,
    )  # fmt: skip
    return zlib.compress(msgspec.msgpack.encode(encoded), 1)


def decode_entry(data: bytes, family: str) -> IndexedFile | None:
    """Unpack an entry; None if it is damaged or of another family."""
    try:
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(data, MAX_ENCODED)
        if not unpacker.eof:  # longer, or cut off: its checksum is not compared
            return None
        entry = msgspec.msgpack.decode(raw, type=_Encoded)
        cells, stream_T = (np.frombuffer(part, "<u4").astype(np.uint32) for part in (entry.cells, entry.stream))
    except (zlib.error, ValueError):  # of msgspec, and of a length that is no multiple of four
        return None
    size = len(entry.words)
    fits = entry.family == family and len(cells) == 2 * size <= 2 * MAX_NAMES and len(stream_T) <= 2 * MAX_TOKENS
    if not fits or int(stream_T.max(initial=0)) >= max(1, len(entry.texts)) or not _has_valid_names(entry.words):
        return None
    marks_N = cells[size:]
    names = NameOccurrences(
        entry.words, cells[:size], marks_N >> np.uint32(1), (marks_N & np.uint32(1)).astype(np.bool_)
    )
    pairs = tuple((sys.intern(module), name) for module, name in entry.imports.imports)
    imports = entry.imports._replace(imports=pairs)
    package = entry.package._replace(package=sys.intern(entry.package.package))
    return IndexedFile(family, names if entry.is_readable else None, entry.texts, stream_T, imports, package)


def _packed(numbers: npt.NDArray[np.uint32]) -> bytes:
    return numbers.astype("<u4").tobytes()


def _has_valid_names(words: Sequence[str]) -> bool:
    long = (word for word in words if 4 * len(word) > MAX_BYTES)  # UTF-8 has at most four bytes a character
    return all(map(str.isidentifier, words)) and all(len(word.encode("utf-8", "replace")) <= MAX_BYTES for word in long)
