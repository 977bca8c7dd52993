"""`editahead memory` and `editahead stats`: what is remembered with `editahead.memory`, and its scoreboard."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from editahead.cli.errors import CliError, ExitCode, reason_of
from editahead.cli.options import JsonOption
from editahead.cli.printing import output
from editahead.learning.database import MemoryContents, MemoryDatabase
from editahead.learning.scoreboard import NOT_REMEMBERED, page, rows
from editahead.learning.sqlite_file import MemoryStoreError, memory_folder
from editahead.learning.stored_index import StoredIndex

memory = typer.Typer(
    name="memory",
    help="Show, export, import or delete what is remembered if the setting editahead.memory is on.",
    no_args_is_help=True,
)
NOTHING = "nothing is remembered: editahead.memory is off, or no session has ended yet"


def _database() -> MemoryDatabase:
    return MemoryDatabase(memory_folder())


def _index() -> StoredIndex:
    return StoredIndex(memory_folder())


def _read(*, by_project: bool = False) -> tuple[MemoryDatabase, MemoryContents]:
    """Return the memory and all that is in it. Raises CliError, also if there is none."""
    database = _database()
    if not database.has_file:
        raise CliError(NOTHING, ExitCode.QUIET)
    try:
        return database, database.read(by_project=by_project)
    except MemoryStoreError as error:
        raise CliError(str(error)) from None


def stats(as_json: JsonOption = False) -> None:
    """Show keys saved, what was accepted of what was shown, the time to answer, and what was learnt.

    Reads the memory. Without it, the editor shows the counts of its session: `:Editahead stats` in Neovim, the command
    *editahead: Scoreboard* in Visual Studio Code.
    """
    database = _database()
    if not database.has_file:
        raise CliError(f"no scoreboard: {NOT_REMEMBERED}; your editor shows that of its session", ExitCode.QUIET)
    _show(_read()[1], database.today, as_json)


@memory.command()
def show(as_json: JsonOption = False) -> None:
    """Show all that is remembered, with the folder that holds it."""
    database, contents = _read()
    if not as_json:
        sessions = sum(contents.sessions.values())
        print(f"{database.path}: {sessions:,} sessions in {len(contents.sessions):,} projects\n")
    index = _index()
    try:
        sizes = index.sizes() if index.has_file else []
    except MemoryStoreError as error:
        raise CliError(str(error)) from None
    if not as_json:
        for project, files, size in sizes:
            print(f"{index.path}: {files:,} files of project {project}, {size / 1e6:.1f} MB")
        print("\n" if sizes else "", end="")
    _show(contents, database.today, as_json, sizes)


def _show(
    contents: MemoryContents, today: int, as_json: bool, sizes: Sequence[tuple[str, int, int]] | None = None
) -> None:
    if as_json:
        kinds = [
            {"pattern": kind.pattern, "language": kind.language, "kind": kind.kind, "source": kind.source,
             "statement": kind.statement, "rejections": kind.count, "weight": round(kind.weight_at(today), 3)}
            for kind in contents.kinds
        ]  # fmt: skip
        stored = [{"project": project, "files": files, "bytes": size} for project, files, size in sizes or ()]
        more = {} if sizes is None else {"index": stored}
        output.print_json({"counts": rows(contents.counts), "rejected": kinds, **more})
    else:
        print(page("All sessions", contents.counts, contents.kinds, today), end="")


@memory.command(name="export")
def export_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write; it must not exist.")],
    as_json: JsonOption = False,
) -> None:
    """Write what is remembered to a JSON file without names, text and projects, so that it can be shared."""
    from editahead.learning.exchange import export_text

    text = export_text(_read(by_project=True)[1])
    try:
        with file.open("x", encoding="utf-8") as opened:
            opened.write(text)
    except OSError as error:
        raise CliError(f"cannot write {file}: {reason_of(error)}") from None
    _report({"file": str(file), "bytes": len(text)}, f"{file}: {len(text):,} bytes", as_json)


@memory.command(name="import")
def import_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="An exported memory.")], as_json: JsonOption = False
) -> None:
    """Add an exported memory, as projects of its own; the same file counts once. It can only make less be shown."""
    from editahead.learning.exchange import ExchangeError, import_file

    database = _database()
    try:
        counts, kinds, projects = import_file(file, database.today)
        database.merge(counts, kinds, projects)
    except (ExchangeError, MemoryStoreError) as error:
        raise CliError(str(error)) from None
    except OSError as error:
        raise CliError(f"cannot read {file}: {reason_of(error)}") from None
    text = f"{len(counts):,} counts and {len(kinds):,} rejected kinds of edits imported"
    _report({"counts": len(counts), "rejected": len(kinds)}, text, as_json)


@memory.command()
def forget(
    project: Annotated[
        Path | None, typer.Option("--project", metavar="FOLDER", help="Only what belongs to this project.")
    ] = None,
    kind: Annotated[
        str | None, typer.Option("--kind", metavar="ID", help="Only the rejections of this kind of edits.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Delete all that is remembered, or a part of it. Running servers notice it with their next transaction."""
    database, index = _database(), _index()
    removed = 0
    try:
        if project is None and kind is None:
            database.forget_all()
            index.forget_all()
            _report({"removed": "all"}, f"{database.folder}: deleted", as_json)
            return
        for file in (database, index):
            if file.has_file and project is not None:
                removed += sum(map(file.forget_project, {os.path.abspath(project), os.path.realpath(project)}))
        if database.has_file and kind is not None:
            removed += database.forget_kind(kind)
    except MemoryStoreError as error:
        raise CliError(str(error)) from None
    if not removed:
        raise CliError("nothing of that is remembered", ExitCode.QUIET)
    _report({"removed": removed}, f"{removed:,} entries deleted", as_json)


def _report(values: dict[str, str | int], text: str, as_json: bool) -> None:
    if as_json:
        output.print_json(values)
    else:
        print(text)
