"""The memory on disk: counts and rejected kinds of edits in a SQLite file.

Projects are hashed with the salt of the file; nothing else of the user's code is in it.
"""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from editahead.learning.rejected_kinds import DAY, MAX_KINDS, RejectedKind
from editahead.learning.scoreboard import CountKey
from editahead.learning.sqlite_file import SqliteFile, identity_of, project_hash

FILE = "memory.sqlite3"
DAMAGED = "memory.damaged.sqlite3"
FORMAT = 1
MAX_PROJECTS = 500
"""Projects with counts of their own; those of projects not used for longest are added to those of no project."""
MAX_ROWS = 150_000  # of counts, in about 11 MB
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


class MemoryDatabase(SqliteFile):
    """The database in a folder. `clock` returns seconds since 1970."""

    file, damaged, title, format, schema = FILE, DAMAGED, "the memory", FORMAT, _SCHEMA
    max_bytes = 20_000_000

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        super().__init__(folder)
        self._clock = clock

    @property
    def today(self) -> int:
        """The day, since 1970."""
        return int(self._clock() // DAY)

    def begin_session(self, projects: Iterable[str]) -> MemoryContents:
        """Count a session in project folders, remove what is beyond the limits, and return the rest.

        Raises MemoryStoreError.
        """

        def begin(db: sqlite3.Connection) -> MemoryContents:
            salt, today = identity_of(db)[0], self.today
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
            identity, today = identity_of(db), self.today
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
            project = project_hash(identity_of(db)[0], folder)
            tables = ("projects", "counts", "rejected")
            removed = sum(db.execute(f"DELETE FROM {table} WHERE project = ?", (project,)).rowcount for table in tables)
            return _mark_removal(db, removed)

        return self._transact(forget)

    def forget_kind(self, pattern: str) -> int:
        """Remove the rejections of a kind of edits; return of how many projects. Raises MemoryStoreError."""

        def forget(db: sqlite3.Connection) -> int:
            return _mark_removal(db, db.execute("DELETE FROM rejected WHERE pattern = ?", (pattern,)).rowcount)

        return self._transact(forget)

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
    return MemoryContents(counts, kinds, sessions, identity_of(db))


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
