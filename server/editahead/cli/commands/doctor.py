"""`editahead doctor`: what is installed, what is really used, and whether it works."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from editahead.cli.errors import CliError, ExitCode
from editahead.cli.options import BundleOption, DeviceOption, JsonOption, RemoteTokenOption
from editahead.cli.printing import output
from editahead.cli.question.asking import require_options
from editahead.text.percent import percent

RemoteOption = Annotated[
    str | None, typer.Option("--remote", metavar="URL", help="Check this team server, and nothing else.")
]

if TYPE_CHECKING:
    from editahead.cli.installation.checks import BundleCheck, Findings


def doctor(
    as_json: JsonOption = False,
    bundle: BundleOption = None,
    device: DeviceOption = "auto",
    remote: RemoteOption = None,
    remote_token: RemoteTokenOption = None,
) -> None:
    """Check this installation: packages, device, checksums and self-test of every bundle, grammars, speed.

    With --remote, check a team server instead: connection, models and times of requests, with a public sample file.

    Exit code 3 means that something is missing or damaged; it is shown in red, with what to do.
    """
    require_options(bundle or (), device)
    if remote is not None:
        _remote(remote, remote_token, as_json)
        return
    if remote_token is not None:
        raise CliError("--remote-token belongs to --remote URL")
    from editahead.cli.installation.checks import examine

    if as_json:
        findings = examine(bundle or (), device, lambda what: None)
        output.print_json({"ok": not findings.problems, **asdict(findings)})
    else:
        console = output.console()
        with console.status("looking") as status:
            findings = examine(bundle or (), device, lambda what: status.update(f"looking at {what}"))
        for part in report(findings):
            console.print(part)
    if findings.problems:
        raise typer.Exit(ExitCode.DAMAGED)


def _remote(url: str, token_file: Path | None, as_json: bool) -> None:
    from editahead.cli.installation.checks import check_remote

    result = check_remote(url, token_file)
    if as_json:
        output.print_json({"ok": not result.problem, **asdict(result)})
    else:
        table = _table()
        table.add_row("team server", Text(result.address))
        if result.version:
            table.add_row("editahead", Text(f"{result.version}, replica {result.replica}"))
        for language, families in result.models.items():
            table.add_row(f"models, {language}", Text(", ".join(families) or "none"))
        if result.median_ms:
            times = f"{result.median_ms:.1f} ms, {result.worst_ms:.1f} ms at worst"
            table.add_row("ghost text", f"{times}, {percent(result.in_budget)} within the budget")
        console = output.console()
        console.print(table)
        problem, good = Text(f"problem: {result.problem}", style="bold red"), Text("it works", style="bold green")
        console.print(problem if result.problem else good)
    if result.problem:
        raise typer.Exit(ExitCode.DAMAGED)


def report(findings: Findings) -> list[Table | Text]:
    """The findings for a terminal."""
    parts: list[Table | Text] = [_facts(findings), Text(), _bundles(findings.bundles)]
    if findings.languages:
        parts += [Text(), _languages(findings)]
    if findings.latencies:
        parts += [Text(), _latencies(findings)]
    parts.append(Text())
    if not findings.problems:
        parts.append(Text("everything works", style="bold green"))
    for problem in findings.problems:
        parts.append(Text(f"problem: {problem}", style="bold red"))
    return parts


def _facts(findings: Findings) -> Table:
    used = findings.device
    table = _table()
    table.add_row("editahead", findings.version)
    table.add_row("python", f"{findings.python} on {findings.platform}")
    table.add_row("packages", Text(", ".join(f"{name} {version}" for name, version in findings.packages.items())))
    table.add_row("device", Text(f"{used.requested} -> {used.used} ({used.reason})"))
    table.add_row("providers", Text(", ".join(findings.providers)))
    table.add_row("grammars", Text(f"{len(findings.grammars)}: {', '.join(findings.grammars)}"))
    for language, models in findings.models.items():
        table.add_row(f"models, {language}", Text(", ".join(models) or "none"))
    if findings.memory_mib is not None:
        table.add_row("memory", f"{findings.memory_mib:.0f} MiB at most, in this process")
    if findings.memory_limit_mib is not None:
        table.add_row("memory limit", f"{findings.memory_limit_mib:.0f} MiB, of a server on this machine")
    return table


def _bundles(checks: tuple[BundleCheck, ...]) -> Table:
    table = _table("bundle", "size", "checked in", "self-test", "")
    for check in checks:
        if check.problem:
            table.add_row(Text(check.name), "", "", "", Text(f"damaged: {check.problem}"), style="red")
            continue
        difference = f"{check.difference:.1e} of {check.tolerance:.0e}"
        good = Text("ok", style="green")
        table.add_row(Text(check.name), f"{check.megabytes:.1f} MB", f"{check.milliseconds:.0f} ms", difference, good)
    return table


def _languages(findings: Findings) -> Table:
    table = _table("language", "completions", "next edits", "ghost", "more")
    for row in findings.languages:
        ghost_text = "yes" if row.ghost_text else "no"
        table.add_row(row.language, row.completions, row.next_edits, ghost_text, ", ".join(row.more))
    return table


def _latencies(findings: Findings) -> Table:
    table = _table("speed", "language", "median", "worst", "answered")
    for item in findings.latencies:
        times = f"{item.median_ms:.1f} ms", f"{item.worst_ms:.1f} ms"
        table.add_row(item.surface, item.language, *times, f"{item.answered} of {item.n}")
    return table


def _table(*names: str) -> Table:
    table = Table(box=None, show_header=bool(names), pad_edge=False, padding=(0, 2, 0, 0))
    for name in names or ("", ""):
        table.add_column(name, header_style="bold", overflow="fold", no_wrap=name == "bundle")
    return table
