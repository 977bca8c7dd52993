"""`editahead check`: the places that a diff probably missed."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from editahead.cli.errors import CliError, ExitCode, counted, printable
from editahead.cli.options import BundleOption, JsonOption, current_folder
from editahead.cli.printing import output
from editahead.text.percent import percent

if TYPE_CHECKING:
    from rich.text import Text

    from editahead.check.leftover import Leftover
    from editahead.check.run import CheckResult
    from editahead.check.search import MissedEdit

EXIT_MISSED = 1
_SHOWN_EXAMPLES = 3


class Format(str, Enum):
    """What is printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


def check(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="PATH", help="Report only on these files and folders.")
    ] = None,
    base: Annotated[
        str,
        typer.Option(metavar="REV", help="Revision to compare the working tree with; or A..B, A...B as in git diff."),
    ] = "HEAD",
    precision: Annotated[
        float | None,
        typer.Option(metavar="P", help="Target precision: the share of reports that should be right; default 0.8."),
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="Output format.")] = Format.TEXT,
    as_json: JsonOption = False,
    bundle: BundleOption = None,
) -> None:
    """Report places that a change probably missed: edits made elsewhere, but not there, and what no longer fits.

    The change is the difference between a revision and the working tree, or between two revisions; the whole project
    is searched. Exit code 0: no place was missed; 1: at least one probably was; 2: the check cannot run.
    """
    from editahead.check import report, run
    from editahead.check.git import CheckError
    from editahead.settings import PRESETS, Settings

    settings = Settings()
    if as_json and form is Format.SARIF:
        raise CliError("--json and --format sarif exclude each other: choose one")
    wanted = PRESETS[settings.preset] if precision is None else precision
    if not 0.0 <= wanted <= 1.0:
        raise CliError(f"--precision {wanted:g} is out of range: give a number from 0 to 1")
    try:
        model = run.model_of(bundle or ())
        under_way = run.under_way_of(bundle or ())
        checked = run.check(current_folder(), base, paths or (), model, wanted, settings, under_way)
    except CheckError as error:
        raise CliError(str(error), ExitCode.USAGE) from None
    if as_json or form is Format.JSON:
        output.print_json(report.as_json(checked, wanted))
    elif form is Format.SARIF:
        output.print_json(report.as_sarif(checked))
    else:
        _print(checked)
    raise typer.Exit(EXIT_MISSED if checked.answer.missed or checked.leftovers else 0)


def _print(checked: CheckResult) -> None:
    console = output.console()
    for finding in checked.answer.missed:
        console.print(_place(finding), soft_wrap=True)
    for leftover in checked.leftovers:
        console.print(_leftover(leftover), soft_wrap=True)
    for note in checked.answer.notes:
        console.print(f"note: {printable(note)}", style="dim", markup=False, soft_wrap=True)
    edits = checked.answer.edits
    compared = f"{counted(edits, 'repeated edit')} in {counted(checked.files, 'changed file')}"
    missed = len(checked.answer.missed)
    verdict = f"{counted(missed, 'place')} probably missed" if missed else "no missed places"
    if checked.leftovers:
        verdict = f"{verdict}, {len(checked.leftovers)} left behind"
    style = "yellow" if missed or checked.leftovers else "green"
    console.print(f"{verdict} ({compared})", style=style, markup=False, soft_wrap=True)


def _place(finding: MissedEdit) -> Text:
    """A missed edit: its position, the text before and after, and the examples."""
    from rich.text import Text

    from editahead.check.report import line_and_column, message, report_lines

    line, column = line_and_column(finding.site.document.syntax.buffer, finding.site.edit.start)
    lines = report_lines(finding)
    text = Text.assemble(
        (f"{printable(finding.where)}:{line}:{column}:", "bold"),
        f" {message(finding)} ({percent(finding.probability)})\n",
    )
    for sign, style, rows in (("-", "red", lines.before), ("+", "green", lines.after)):
        for row in rows:
            text.append(f"  {sign} {printable(row)}\n", style=style)
    shown = [f"{printable(where)}:{at + 1}" for where, at in finding.examples[:_SHOWN_EXAMPLES]]
    more = len(finding.examples) - len(shown)
    text.append(f"    like {', '.join(shown)}{f' and {more} more' if more else ''}\n", style="dim")
    return text


def _leftover(leftover: Leftover) -> Text:
    """A leftover: its position, the reason, the line, and the change that caused it."""
    from rich.text import Text

    from editahead.check.report import line_and_column

    buffer = leftover.document.syntax.buffer
    line, column = line_and_column(buffer, leftover.start)
    text = Text.assemble(
        (f"{printable(leftover.where)}:{line}:{column}:", "bold"),
        f" {printable(leftover.reason)} ({percent(leftover.probability)})\n",
        (f"    {printable(buffer.line_text(leftover.line))}\n", "red"),
    )
    if leftover.cause is not None:
        text.append(f"    since {printable(leftover.cause[0])}:{leftover.cause[1] + 1}\n", style="dim")
    return text
