"""The index of projects on disk, while `editahead.memory` is on: names and n-grams of files, never of excluded files.

Projects and paths are hashed with the salt of the file, which is a cache: what is missing is read from the project
again. Projects are ordered by a count of sessions, not by time.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import zlib
from collections.abc import Callable, Collection, Mapping
from hashlib import blake2b
from pathlib import Path

from editahead import __version__
from editahead.index.stored_files import FORMAT, Fingerprint, StoredFile
from editahead.learning.sqlite_file import (
    MemoryStoreError,
    OtherFormatError,
    SqliteFile,
    identity_of,
    memory_folder,
    project_hash,
)

MAX_PROJECT_BYTES = 32_000_000  # of the files of a project; further files are not stored
MAX_STORED_BYTES = 256_000_000  # of all projects; those not used for longest are removed
_FLUSHED = 100  # files in a transaction
log = logging.getLogger("editahead.index")


class StoredIndex(SqliteFile):
    """The database in a folder. Its format changes with each version of editahead: no other's files are used."""

    max_bytes = 320_000_000
    file, damaged, title = "index.sqlite3", "index.damaged.sqlite3", "the stored index"
    format = zlib.crc32(f"{FORMAT} {__version__}".encode()) & 0x7FFFFFFF
    schema = f"""
CREATE TABLE meta (salt BLOB NOT NULL, generation INTEGER NOT NULL);
CREATE TABLE projects (project TEXT PRIMARY KEY, used INTEGER NOT NULL, bytes INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE files (
  project TEXT NOT NULL, file BLOB NOT NULL, modified INTEGER NOT NULL, size INTEGER NOT NULL,
  changed INTEGER NOT NULL, digest BLOB NOT NULL, data BLOB NOT NULL, PRIMARY KEY (project, file));
PRAGMA user_version = {format};
"""

    def _replace(self, error: Exception) -> None:
        """Delete a file of another format, and rename a damaged file."""
        if isinstance(error, OtherFormatError):
            self.forget_all()
            log.info("the stored index is of another version of editahead: it is deleted, and files are read again")
        else:
            super()._replace(error)

    def read(self, folder: str) -> tuple[bytes, dict[bytes, StoredFile]]:
        """Return the salt and the files of a project by the hashes of their paths. Raises MemoryStoreError."""

        def read(db: sqlite3.Connection) -> tuple[bytes, dict[bytes, StoredFile]]:
            salt = identity_of(db)[0]
            project = project_hash(salt, folder)
            db.execute("UPDATE projects SET used = (SELECT max(used) + 1 FROM projects) WHERE project = ?", (project,))
            rows = db.execute(
                "SELECT file, modified, size, changed, digest, data FROM files WHERE project = ?", (project,)
            )
            return salt, {row[0]: StoredFile(Fingerprint(*row[1:5]), memoryview(row[5]).tobytes()) for row in rows}

        return self._transact(read)

    def write(
        self, folder: str, files: Mapping[str, StoredFile | None], gone: Collection[bytes], salt_before: bytes
    ) -> bytes:
        """Add, replace or (None) remove files of a project, and remove those of some hashes. Returns the salt.

        Nothing is written, and nothing returned, if the project was stored with another salt before, or is not stored
        any more. Files beyond the limit of a project are not stored. Raises MemoryStoreError.
        """

        def write(db: sqlite3.Connection) -> bytes:
            salt = identity_of(db)[0]
            project = project_hash(salt, folder)
            is_stored = db.execute("SELECT 1 FROM projects WHERE project = ?", (project,)).fetchone() is not None
            if salt_before and not (is_stored and salt == salt_before):
                return b""
            keys = {path_hash(salt, where): file for where, file in files.items()}
            db.executemany(
                "DELETE FROM files WHERE project = ? AND file = ?", [(project, key) for key in (*gone, *keys)]
            )
            total = _project_bytes(db, project)
            rows = []
            for key, file in keys.items():
                if file is not None and total + len(file.data) <= MAX_PROJECT_BYTES:
                    total += len(file.data)
                    rows.append((project, key, *file.fingerprint, file.data))
            db.executemany("INSERT INTO files VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
            newest = "(SELECT coalesce(max(used), 0) + 1 FROM projects)"
            db.execute(
                f"INSERT INTO projects VALUES (?, {newest}, ?) ON CONFLICT DO UPDATE SET bytes = excluded.bytes",
                (project, total),
            )
            _shrink(db)
            return salt

        return self._transact(write)

    def sizes(self) -> list[tuple[str, int, int]]:
        """Return the hash, the number of files and the bytes of each project. Raises MemoryStoreError."""
        select = "SELECT project, count(*), sum(length(data)) FROM files GROUP BY project ORDER BY project"
        return self._transact(lambda db: db.execute(select).fetchall())

    def forget_project(self, folder: str) -> int:
        """Remove the files of a project; return how many. Raises MemoryStoreError."""

        def forget(db: sqlite3.Connection) -> int:
            project = project_hash(identity_of(db)[0], folder)
            db.execute("DELETE FROM projects WHERE project = ?", (project,))
            return db.execute("DELETE FROM files WHERE project = ?", (project,)).rowcount

        return self._transact(forget)


class StoredProject:
    """Implements `ProjectStore` for the project in a folder.

    After an error, which `tell` gets, and after the project was forgotten, nothing is stored.
    """

    def __init__(self, root: Path, tell: Callable[[str], None], index: StoredIndex | None = None) -> None:
        self._index = index or StoredIndex(memory_folder())
        self._folder, self._tell = os.fspath(root), tell
        self._salt, self._stored = b"", dict[bytes, StoredFile]()
        self._waiting: dict[str, StoredFile | None] = {}
        self._has_ended = False

    def load(self) -> int:
        """Read what is stored, for `take`; return how many files that are."""
        try:
            if self._index.has_file:
                salt, self._stored = self._index.read(self._folder)
                self._salt = salt if self._stored else b""
                if self._index.set_aside:
                    self._tell(self._index.set_aside)
        except MemoryStoreError as error:
            self._fail(error)
        return len(self._stored)

    def take(self, where: str) -> StoredFile | None:
        """Return a file as it was stored, once, or None."""
        return self._stored.pop(path_hash(self._salt, where), None) if self._stored else None

    def put(self, where: str, file: StoredFile | None) -> None:
        """Store or (None) remove a file, with others or at the next `flush`."""
        self.take(where)  # or what was loaded of it would be removed later
        self._waiting[where] = file
        if len(self._waiting) >= _FLUSHED:
            self._write(())

    def flush(self) -> None:
        """Write what was put, and remove what was loaded and not taken."""
        gone, self._stored = self._stored, {}
        self._write(gone)

    def _write(self, gone: Collection[bytes]) -> None:
        files, self._waiting = self._waiting, {}
        if self._has_ended or not (files or gone):
            return
        try:
            self._salt = self._index.write(self._folder, files, gone, self._salt)
            self._has_ended = not self._salt
        except MemoryStoreError as error:
            self._fail(error)

    def _fail(self, error: MemoryStoreError) -> None:
        self._has_ended = True
        self._tell(str(error))


def path_hash(salt: bytes, where: str) -> bytes:
    """Return the hash of a path relative to the root of a project."""
    return blake2b(where.encode("utf-8", "surrogateescape"), key=salt, digest_size=8).digest()


def _project_bytes(db: sqlite3.Connection, project: str) -> int:
    (size,) = db.execute("SELECT coalesce(sum(length(data)), 0) FROM files WHERE project = ?", (project,)).fetchone()
    return int(size)


def _shrink(db: sqlite3.Connection) -> None:
    """Remove the projects not used for longest that do not fit beside the others."""
    total = 0
    for project, size in db.execute("SELECT project, bytes FROM projects ORDER BY used DESC").fetchall():
        total += size
        if total > MAX_STORED_BYTES:
            for table in ("files", "projects"):
                db.execute(f"DELETE FROM {table} WHERE project = ?", (project,))
