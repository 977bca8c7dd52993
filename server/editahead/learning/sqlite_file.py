"""A SQLite file in the user's data folder, which only its user can read.

Each call is a transaction with a connection of its own, so that any number of servers may use the folder, and a process
may be killed at any moment.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import ClassVar, TypeVar

BUSY_SECONDS = 2.0  # that another server's transaction is waited for
_PAGE = 4096
T = TypeVar("T")


class MemoryStoreError(Exception):
    """The memory cannot be read or written. The message is a line: what happened, and what to do."""


class OtherFormatError(sqlite3.DatabaseError):
    """The file has another format."""


def memory_folder() -> Path:
    """Return the folder of the memory in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("editahead", appauthor=False) / "memory"


class SqliteFile:
    """A file of tables in a folder, among them `meta` with a random salt and the number of removals."""

    file: ClassVar[str]
    damaged: ClassVar[str]  # the name that a damaged file gets
    title: ClassVar[str]  # what the file is, in a few words
    format: ClassVar[int]
    schema: ClassVar[str]
    max_bytes: ClassVar[int]  # of the file

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / self.file
        self.set_aside = ""  # a line about a damaged file, for the user

    @property
    def has_file(self) -> bool:
        """Whether anything is remembered."""
        return self.path.exists()

    def forget_all(self) -> None:
        """Delete the files. Raises MemoryStoreError."""
        try:
            for name in (self.file, f"{self.file}-journal", self.damaged):
                (self.folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise MemoryStoreError(f"cannot delete {self.path}: {_words(error)}; delete the file yourself") from None

    def _transact(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """Run a transaction; a damaged file is renamed aside, and a new file begun."""
        is_last = False
        while True:
            try:
                with self._connection() as db:
                    return act(db)
            except sqlite3.OperationalError as error:
                raise MemoryStoreError(f"cannot use {self.path}: {error}; nothing more is remembered") from None
            except (sqlite3.DatabaseError, TypeError, ValueError) as error:  # also of a value of another type
                if is_last:
                    raise MemoryStoreError(f"cannot use {self.path}: {error}; nothing is remembered") from None
                self._replace(error)
                is_last = True
            except OSError as error:
                raise MemoryStoreError(f"cannot use {self.path}: {_words(error)}; nothing is remembered") from None

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        """Connect in a transaction, which is committed unless an exception comes."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self.folder.stat().st_mode & 0o077 and os.name == "posix":
            self.folder.chmod(0o700)
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        descriptor = os.open(self.path, flags, 0o600)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(0, "not a regular file")
        finally:
            os.close(descriptor)
        with closing(sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)) as db:
            db.execute(f"PRAGMA max_page_count = {self.max_bytes // _PAGE}")
            db.execute("PRAGMA secure_delete = ON")
            db.execute("PRAGMA auto_vacuum = FULL")  # of a new file: it shrinks when much is removed
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("BEGIN IMMEDIATE")
            try:
                (version,) = db.execute("PRAGMA user_version").fetchone()
                if version == 0 and not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    for statement in filter(str.strip, self.schema.split(";")):
                        db.execute(statement)
                    db.execute("INSERT INTO meta VALUES (?, 0)", (secrets.token_bytes(16),))
                elif version != self.format:
                    raise OtherFormatError(f"format {version}")
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    def _replace(self, error: Exception) -> None:
        """Rename the file, whose content is the cause of an error. Raises MemoryStoreError."""
        aside = self.folder / self.damaged
        try:
            os.replace(self.path, aside)
            (self.folder / f"{self.file}-journal").unlink(missing_ok=True)
        except OSError as refused:
            raise MemoryStoreError(f"{self.path} is damaged and cannot be renamed: {_words(refused)}") from None
        self.set_aside = f"{self.title} was damaged: it is kept as {aside}, and a new file begins"


def project_hash(salt: bytes, folder: str) -> str:
    """Return the hash of a project's folder; empty for none."""
    return blake2b(folder.encode("utf-8", "surrogateescape"), key=salt, digest_size=8).hexdigest() if folder else ""


def identity_of(db: sqlite3.Connection) -> tuple[bytes, int]:
    """Return the salt of the file, and the number of removals. Raises sqlite3.DatabaseError."""
    row = db.execute("SELECT salt, generation FROM meta").fetchone()
    if row is None:
        raise sqlite3.DatabaseError("no salt")
    return bytes(row[0]), int(row[1])


def _words(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
