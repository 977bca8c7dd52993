"""`editahead bench`: keystrokes that a language server saves, and whether it got better or worse."""

from __future__ import annotations

import json
import shlex
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from editahead.cli.errors import CliError, reason_of
from editahead.cli.options import current_folder, require_writable
from editahead.cli.printing import output

if TYPE_CHECKING:
    from editahead.bench.drive import RunResult, ServerUnderTest
    from editahead.bench.figures import Report
    from editahead.recording.session_file import RecordedSession

WORSE = 1


def bench(
    repository: Annotated[
        Path | None, typer.Argument(metavar="[REPOSITORY]", help="Git repository; default: the current one.")
    ] = None,
    session: Annotated[
        list[Path] | None, typer.Option("--session", metavar="FILE", help="Replay a session file; may be repeated.")
    ] = None,
    server: Annotated[
        str, typer.Option("--server", metavar="CMD", help="Command of the server; default: this installation's own.")
    ] = "",
    places: Annotated[int, typer.Option(min=0, help="Number of places to retype.")] = 40,
    commits: Annotated[int, typer.Option(min=0, help="Number of commits to replay, hunk by hunk.")] = 10,
    revision: Annotated[
        str, typer.Option(metavar="REV", help="Revision that files and commits are taken from.")
    ] = "HEAD",
    seed: Annotated[int, typer.Option(help="Seed for drawing places and commits.")] = 0,
    language: Annotated[
        list[str] | None, typer.Option("--language", metavar="ID", help="Only files of this language; may be repeated.")
    ] = None,
    precision: Annotated[
        float | None, typer.Option(min=0.0, max=1.0, help="The setting editahead.precision; default 0.8.")
    ] = None,
    next_edit: Annotated[
        str, typer.Option(metavar="METHOD", help="Request for next edits, if the server does not announce one.")
    ] = "",
    as_json: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the report to FILE.")] = None,
    compare: Annotated[
        tuple[Path, Path] | None,
        typer.Option(
            metavar="A.json B.json", help="Compare two reports instead of measuring: what changed beyond noise."
        ),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Exit with 1 if a figure is worse than in this report.")
    ] = None,
    speed: Annotated[bool, typer.Option("--speed", help="In comparisons, count slower answers as worse.")] = False,
) -> None:
    """Replay typing and commits against a language server; report keystrokes saved and precision.

    Exit code 0: measured, and nothing is worse; 1: with --baseline or --compare, something is worse beyond noise;
    2: it cannot run.
    """
    from editahead.bench.drive import ServerUnderTest
    from editahead.bench.figures import machine, report_of
    from editahead.recording.session_file import SessionError

    if compare is not None:
        before, after = (_read(path) for path in compare)
        raise typer.Exit(_compared(before, after, speed=speed))
    require_writable(as_json)
    against = _read(baseline) if baseline else None
    try:
        sessions = _sessions(repository, session or [], revision, places, commits, seed, _languages(language or []))
        words = _command(server)
        settings = {} if precision is None else {"precision": precision}
        results = _measured(sessions, ServerUnderTest(words, settings, next_edit))
    except SessionError as error:
        raise CliError(str(error)) from None
    about = {
        "server": server or "editahead --stdio",
        "date": datetime.now(timezone.utc).date().isoformat(),
        "options": {
            "source": ", ".join(dict.fromkeys(recorded.source for recorded in sessions)), "places": places,
            "commits": commits, "revision": revision, "seed": seed, "languages": list(language or ()),
            "precision": precision,
        },
    }  # fmt: skip
    report = report_of(results, {**about, "machine": machine()})
    if as_json is not None:
        _write(as_json, json.dumps(report.as_json(), indent=1) + "\n")
    _print(report)
    if against is not None:
        raise typer.Exit(_compared(against, report, speed=speed))


def _sessions(
    repository: Path | None,
    files: list[Path],
    revision: str,
    places: int,
    commits: int,
    seed: int,
    languages: tuple[str, ...],
) -> list[RecordedSession]:
    """Everything to replay. Raises SessionError."""
    from editahead.bench.sources import ReplayedRepository, commit_sessions, retyping_session
    from editahead.recording.session_file import RecordedSession, SessionError, opened_files, read_session

    sessions = []
    for path in files:
        events = read_session(path)
        sessions.append(RecordedSession(path.name, "session", events, opened_files(events)))
    if repository is not None or not files:
        where = ReplayedRepository(repository.absolute() if repository else current_folder())
        if places:
            sessions.append(retyping_session(where, revision, places, seed, languages))
        if commits:
            sessions += commit_sessions(where, revision, commits, seed, languages)
    if not sessions:
        raise SessionError("nothing to replay: ask for --places or --commits, or name a --session")
    return sessions


def _languages(names: list[str]) -> tuple[str, ...]:
    """The identifiers of languages by their names or aliases. Raises CliError for an unknown language."""
    from editahead.syntax.language import by_id

    languages = {name: by_id(name) for name in names}
    for name, language in languages.items():
        if language is None:
            raise CliError(f"--language {name!r} is not known: see the languages in editahead doctor")
    return tuple(language.id for language in languages.values() if language is not None)


def _command(server: str) -> tuple[str, ...]:
    from editahead.bench.stdio_client import server_command

    try:
        words = tuple(shlex.split(server))
    except ValueError as error:
        raise CliError(f"--server cannot be read ({error}): quote it as in a shell") from None
    return words or tuple(server_command())


def _measured(sessions: list[RecordedSession], server: ServerUnderTest) -> list[RunResult]:
    """Replay every session, with a progress bar on standard error. Raises CliError when the server does not work."""
    from rich.console import Console
    from rich.progress import Progress

    from editahead.bench.drive import run
    from editahead.bench.stdio_client import ServerError

    results = []
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        whole = sum(len(recorded.events) for recorded in sessions)
        task, before = progress.add_task("replaying", total=whole), 0
        for recorded in sessions:

            def on_progress(part: float, at: int = before, recorded: RecordedSession = recorded) -> None:
                progress.update(task, completed=at + part * len(recorded.events))

            try:
                results.append(run(recorded, server, on_progress))
            except FileNotFoundError:
                raise CliError(f"{server.command[0]} was not found: give --server a command that runs") from None
            except (ServerError, OSError) as error:
                raise CliError(f"{recorded.name}: {error}") from None
            before += len(recorded.events)
    return results


def _read(path: Path) -> Report:
    """A report of an earlier bench. Raises CliError."""
    from editahead.bench.figures import read_report

    try:
        return read_report(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise CliError(f"cannot read {path}: {reason_of(error)}; make one with editahead bench --json {path}") from None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        raise CliError(f"{path} is not JSON: make one with editahead bench --json {path}") from None
    except ValueError as error:
        raise CliError(f"{path} is {error}: make one with editahead bench --json {path}") from None


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise CliError(f"cannot write {path}: {reason_of(error)}") from None


def _print(report: Report) -> None:
    """The figures that were measured, as a table."""
    from editahead.bench.figures import FIGURES, PROCESS_TITLES, with_unit
    from editahead.bench.score import OUTCOMES

    values = report.values()
    table = output.plain_table("figure")
    table.add_column("value", justify="right", no_wrap=True)
    rows = [(figure.key, figure.title, figure.unit) for figure in FIGURES]
    rows += [(key, title, unit) for key, (title, unit) in PROCESS_TITLES.items()]
    for key, title, unit in rows:
        if values[key] is not None:
            table.add_row(title, with_unit(values[key], unit))
    console = output.console()
    console.print(table)
    if sources := report.sources():
        rates = output.plain_table("next edits by source")
        for name in ("shown", *OUTCOMES):
            rates.add_column(name, justify="right")
        for source, counts in sources.items():
            rates.add_row(source, *(f"{counts[name]:g}" for name in ("shown", *OUTCOMES)))
        console.print()
        console.print(rates)
    if report.failed:
        failures = ", ".join(f"{surface} {count}" for surface, count in report.failed.items())
        console.print(f"errors and late answers: {failures}", style="yellow", markup=False)
    console.print(f"{len(report.places)} places; server: {report.about.get('server')}", style="dim", markup=False)


def _compared(before: Report, after: Report, *, speed: bool) -> int:
    """Print what changed; the exit code."""
    from editahead.bench.figures import compare, is_paired, with_unit, worse

    differences = compare(before, after)
    table = output.plain_table()
    for name in ("figure", "before", "after", "difference (99 %)", ""):
        table.add_column(name, justify="left" if name in ("figure", "") else "right", no_wrap=name != "figure")
    styles = {"worse": "red", "better": "green", "changed": "yellow"}
    for difference in differences:
        if difference.before is None and difference.after is None:
            continue
        unit = difference.figure.unit
        span = (
            "" if difference.low is None else f"{with_unit(difference.low, unit)} to {with_unit(difference.high, unit)}"
        )
        style = styles.get(difference.verdict, "dim")
        table.add_row(
            difference.figure.title,
            with_unit(difference.before, unit),
            with_unit(difference.after, unit),
            span,
            difference.verdict,
            style=style,
        )
    console = output.console()
    console.print(table)
    if not is_paired(before, after):
        console.print("the two reports are of different places: differences must be larger to count", style="yellow")
    regressions = worse(differences, speed=speed)
    titles = ", ".join(difference.figure.title for difference in regressions)
    verdict = f"worse beyond noise: {titles}" if regressions else "nothing is worse beyond noise"
    console.print(verdict, style="red" if regressions else "green", markup=False, soft_wrap=True)
    return WORSE if regressions else 0
