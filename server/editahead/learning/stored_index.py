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

    def write(self, folder: str, files: Mapping[str, StoredFile], gone: Collection[bytes]) -> bytes:
        """Add or replace files of a project, and remove those of some hashes. Returns the salt.

        Files beyond the limit of a project are not stored. Raises MemoryStoreError.
        """

        def write(db: sqlite3.Connection) -> bytes:
            salt = identity_of(db)[0]
            project = project_hash(salt, folder)
            keys = {path_hash(salt, where): file for where, file in files.items()}
            db.executemany(
                "DELETE FROM files WHERE project = ? AND file = ?", [(project, key) for key in (*gone, *keys)]
            )
            total = _project_bytes(db, project)
            rows = []
            for key, (fingerprint, data) in keys.items():
                if total + len(data) <= MAX_PROJECT_BYTES:
                    total += len(data)
                    rows.append((project, key, *fingerprint, data))
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
    """Implements `ProjectStore` for the project in a folder. After an error, which `tell` gets, nothing is stored."""

    def __init__(self, root: Path, tell: Callable[[str], None], index: StoredIndex | None = None) -> None:
        self._index = index or StoredIndex(memory_folder())
        self._folder, self._tell = os.fspath(root), tell
        self._salt, self._stored = b"", dict[bytes, StoredFile]()
        self._on_disk: set[bytes] = set()
        self._waiting: dict[str, StoredFile] = {}
        self._has_failed = False

    def load(self) -> None:
        """Read what is stored, for `take`."""
        try:
            if self._index.has_file:
                self._salt, self._stored = self._index.read(self._folder)
                self._on_disk = set(self._stored)
                if self._index.set_aside:
                    self._tell(self._index.set_aside)
        except MemoryStoreError as error:
            self._fail(error)

    def take(self, where: str) -> StoredFile | None:
        """Return a file as it was stored, once, or None."""
        return self._stored.pop(path_hash(self._salt, where), None) if self._stored else None

    def put(self, where: str, file: StoredFile) -> None:
        """Store a file, with others or at the next `keep`."""
        self._waiting[where] = file
        if len(self._waiting) >= _FLUSHED:
            self._write(())

    def keep(self, files: Collection[str]) -> None:
        """Write what was put, and remove all but these files."""
        self._stored = {}
        self._write(self._on_disk - {path_hash(self._salt, where) for where in files} if self._on_disk else ())

    def _write(self, gone: Collection[bytes]) -> None:
        files, self._waiting = self._waiting, {}
        if self._has_failed or not (files or gone):
            return
        try:
            salt = self._index.write(self._folder, files, gone)
        except MemoryStoreError as error:
            self._fail(error)
            return
        if salt != self._salt:  # the file was deleted since, or is new
            self._salt, self._on_disk = salt, set()
        self._on_disk.difference_update(gone)
        self._on_disk.update(path_hash(salt, where) for where in files)

    def _fail(self, error: MemoryStoreError) -> None:
        self._has_failed = True
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
