"""The memory on disk: counts and rejected kinds of edits in a SQLite file, which only its user can read.

Each call is a transaction with a connection of its own, so that any number of servers may use the folder, and a process
may be killed at any moment. Projects are hashed with the salt of the file; nothing else of the user's code is in it.
"""

from __future__ import annotations

import os
import secrets
import sqlite3
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, TypeVar

from editahead.learning.rejected_kinds import DAY, MAX_KINDS, RejectedKind
from editahead.learning.scoreboard import CountKey

FILE = "memory.sqlite3"
DAMAGED = "memory.damaged.sqlite3"
FORMAT = 1
MAX_BYTES = 20_000_000
MAX_PROJECTS = 500
"""Projects with counts of their own; those of projects not used for longest are added to those of no project."""
MAX_ROWS = 150_000  # of counts, in about 11 MB
BUSY_SECONDS = 2.0  # that another server's transaction is waited for
_PAGE = 4096
T = TypeVar("T")
_SCHEMA = f"""
CREATE TABLE meta (salt BLOB NOT NULL, generation INTEGER NOT NULL);
CREATE TABLE projects (project TEXT PRIMARY KEY, day INTEGER NOT NULL, sessions INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE counts (
  project TEXT NOT NULL, language TEXT NOT NULL, kind TEXT NOT NULL, bucket INTEGER NOT NULL, event TEXT NOT NULL,
  count INTEGER NOT NULL, PRIMARY KEY (project, language, kind, bucket, event)) WITHOUT ROWID;
CREATE TABLE rejected (
  project TEXT NOT NULL, pattern TEXT NOT NULL, language TEXT NOT NULL, kind TEXT NOT NULL, source TEXT NOT NULL,
  statement TEXT NOT NULL, weight REAL NOT NULL, count INTEGER NOT NULL, day INTEGER NOT NULL,
  PRIMARY KEY (project, pattern)) WITHOUT ROWID;
PRAGMA user_version = {FORMAT};
"""
_ADD = "INSERT INTO counts VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET count = count + excluded.count"


class MemoryStoreError(Exception):
    """The memory cannot be read or written. The message is a line: what happened, and what to do."""


class MemoryContents(NamedTuple):
    """What is in the memory. `identity` changes when anything is removed; `sessions` are counted by project.

    The counts are those of all projects together, under an empty project, unless they were requested by project.
    """

    counts: Mapping[CountKey, int]
    kinds: list[RejectedKind]
    sessions: Mapping[str, int]
    identity: tuple[bytes, int]


class KindChange(NamedTuple):
    """A rejected edit, or an accepted edit of a kind that was rejected."""

    kind: RejectedKind
    is_rejection: bool


def memory_folder() -> Path:
    """Return the folder of the memory in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("editahead", appauthor=False) / "memory"


class MemoryDatabase:
    """The database in a folder. `clock` returns seconds since 1970."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder, self.path = folder, folder / FILE
        self.set_aside = ""  # a line about a damaged file, for the user
        self._clock = clock

    @property
    def has_file(self) -> bool:
        """Whether anything is remembered."""
        return self.path.exists()

    @property
    def today(self) -> int:
        """The day, since 1970."""
        return int(self._clock() // DAY)

    def begin_session(self, projects: Iterable[str]) -> MemoryContents:
        """Count a session in project folders, remove what is beyond the limits, and return the rest.

        Raises MemoryStoreError.
        """

        def begin(db: sqlite3.Connection) -> MemoryContents:
            salt, today = _identity(db)[0], self.today
            for table in ("projects", "rejected"):  # the clock was set back since
                db.execute(f"UPDATE {table} SET day = ? WHERE day > ?", (today, today))
            for project in projects:
                db.execute(
                    "INSERT INTO projects VALUES (?, ?, 1) "
                    "ON CONFLICT DO UPDATE SET day = excluded.day, sessions = sessions + 1",
                    (project_hash(salt, project), today),
                )
            _shrink(db, today)
            return _contents(db)

        return self._transact(begin)

    def read(self, *, by_project: bool = False) -> MemoryContents:
        """Return all that is remembered. Raises MemoryStoreError."""
        return self._transact(lambda db: _contents(db, by_project=by_project))

    def add(self, counts: Mapping[CountKey, int], changes: Iterable[KindChange]) -> tuple[bytes, int]:
        """Add counts and rejections, whose projects are folders. Returns the identity. Raises MemoryStoreError."""

        def add(db: sqlite3.Connection) -> tuple[bytes, int]:
            identity, today = _identity(db), self.today
            hashes = Counter[CountKey]()
            for key, count in counts.items():
                hashes[key._replace(project=project_hash(identity[0], key.project))] += count
            for project in {key.project for key in hashes} - {""}:
                db.execute("INSERT OR IGNORE INTO projects VALUES (?, ?, 0)", (project, today))
            add_counts(db, hashes)
            for kind, is_rejection in changes:
                if is_rejection:
                    project = project_hash(identity[0], kind.project)
                    row = db.execute(
                        "SELECT * FROM rejected WHERE project = ? AND pattern = ?", (project, kind.pattern)
                    ).fetchone()
                    before = RejectedKind(*row) if row else replace(kind, project=project)
                    put_kind(db, before.rejected_again(today))
                else:
                    db.execute("DELETE FROM rejected WHERE pattern = ?", (kind.pattern,))
            return identity

        return self._transact(add)

    def forget_project(self, folder: str) -> int:
        """Remove all about a project; return how many rows that were. Raises MemoryStoreError."""

        def forget(db: sqlite3.Connection) -> int:
            project = project_hash(_identity(db)[0], folder)
            tables = ("projects", "counts", "rejected")
            removed = sum(db.execute(f"DELETE FROM {table} WHERE project = ?", (project,)).rowcount for table in tables)
            return _mark_removal(db, removed)

        return self._transact(forget)

    def forget_kind(self, pattern: str) -> int:
        """Remove the rejections of a kind of edits; return of how many projects. Raises MemoryStoreError."""

        def forget(db: sqlite3.Connection) -> int:
            return _mark_removal(db, db.execute("DELETE FROM rejected WHERE pattern = ?", (pattern,)).rowcount)

        return self._transact(forget)

    def forget_all(self) -> None:
        """Delete the files of the memory. Raises MemoryStoreError."""
        try:
            for name in (FILE, f"{FILE}-journal", DAMAGED):
                (self.folder / name).unlink(missing_ok=True)
        except OSError as error:
            raise MemoryStoreError(f"cannot delete {self.path}: {_words(error)}; delete the file yourself") from None

    def merge(self, counts: Mapping[CountKey, int], kinds: Iterable[RejectedKind], projects: Iterable[str]) -> None:
        """Replace all about some projects (hashes) by counts and rejections of these. Raises MemoryStoreError."""

        def merge(db: sqlite3.Connection) -> None:
            for project in projects:
                for table in ("counts", "rejected"):
                    db.execute(f"DELETE FROM {table} WHERE project = ?", (project,))
                db.execute("INSERT OR REPLACE INTO projects VALUES (?, ?, 0)", (project, self.today))
            add_counts(db, counts)
            for kind in kinds:
                put_kind(db, kind)
            _shrink(db, self.today)
            _mark_removal(db, 1)

        self._transact(merge)

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
                self._set_aside()
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
            db.execute(f"PRAGMA max_page_count = {MAX_BYTES // _PAGE}")
            db.execute("PRAGMA secure_delete = ON")
            db.execute("PRAGMA trusted_schema = OFF")
            db.execute("BEGIN IMMEDIATE")
            try:
                (version,) = db.execute("PRAGMA user_version").fetchone()
                if version == 0 and not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    for statement in filter(str.strip, _SCHEMA.split(";")):
                        db.execute(statement)
                    db.execute("INSERT INTO meta VALUES (?, 0)", (secrets.token_bytes(16),))
                elif version != FORMAT:
                    raise sqlite3.DatabaseError(f"format {version}")
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    def _set_aside(self) -> None:
        """Rename the damaged file. Raises MemoryStoreError."""
        aside = self.folder / DAMAGED
        try:
            os.replace(self.path, aside)
            (self.folder / f"{FILE}-journal").unlink(missing_ok=True)
        except OSError as error:
            raise MemoryStoreError(f"{self.path} is damaged and cannot be renamed: {_words(error)}") from None
        self.set_aside = f"the memory was damaged: it is kept as {aside}, and a new file begins"


def project_hash(salt: bytes, folder: str) -> str:
    """Return the hash of a project's folder; empty for none."""
    return blake2b(folder.encode("utf-8", "surrogateescape"), key=salt, digest_size=8).hexdigest() if folder else ""


def add_counts(db: sqlite3.Connection, counts: Mapping[CountKey, int]) -> None:
    """Add counts to those of the database."""
    db.executemany(_ADD, [(*key, count) for key, count in counts.items()])


def put_kind(db: sqlite3.Connection, kind: RejectedKind) -> None:
    """Insert or replace a rejected kind."""
    db.execute("INSERT OR REPLACE INTO rejected VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", _columns(kind))


def _columns(kind: RejectedKind) -> tuple[str | float, ...]:
    return (
        kind.project, kind.pattern, kind.language, kind.kind, kind.source, kind.statement, kind.weight, kind.count,
        kind.day,
    )  # fmt: skip


def _identity(db: sqlite3.Connection) -> tuple[bytes, int]:
    row = db.execute("SELECT salt, generation FROM meta").fetchone()
    if row is None:
        raise sqlite3.DatabaseError("no salt")
    return bytes(row[0]), int(row[1])


def _mark_removal(db: sqlite3.Connection, removed: int) -> int:
    if removed:
        db.execute("UPDATE meta SET generation = generation + 1")
    return removed


def _contents(db: sqlite3.Connection, *, by_project: bool = False) -> MemoryContents:
    project = "project" if by_project else "''"
    select = f"SELECT {project}, language, kind, bucket, event, sum(count) FROM counts GROUP BY 1, 2, 3, 4, 5"
    counts = {CountKey(*row[:5]): int(row[5]) for row in db.execute(select)}
    kinds = [RejectedKind(*row) for row in db.execute("SELECT * FROM rejected ORDER BY day, pattern, project")]
    sessions = dict(db.execute("SELECT project, sessions FROM projects").fetchall())
    return MemoryContents(counts, kinds, sessions, _identity(db))


def _shrink(db: sqlite3.Connection, today: int) -> None:
    """Add the counts of the projects beyond the limits to those of no project, and remove the oldest rejections."""
    order = "SELECT project FROM projects ORDER BY day DESC, sessions DESC, project"
    (rows,) = db.execute("SELECT count(*) FROM counts").fetchone()
    kept = MAX_PROJECTS if rows <= MAX_ROWS else MAX_PROJECTS // 10
    for (project,) in db.execute(f"{order} LIMIT -1 OFFSET ?", (kept,)).fetchall():
        moved = db.execute("SELECT * FROM counts WHERE project = ?", (project,)).fetchall()
        db.executemany(_ADD, [("", *row[1:]) for row in moved])
        for table in ("counts", "rejected", "projects"):
            db.execute(f"DELETE FROM {table} WHERE project = ?", (project,))
    kinds = [RejectedKind(*row) for row in db.execute("SELECT * FROM rejected")]
    for kind in sorted(kinds, key=lambda kind: -kind.weight_at(today))[MAX_KINDS:]:
        db.execute("DELETE FROM rejected WHERE project = ? AND pattern = ?", (kind.project, kind.pattern))


def _words(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()
