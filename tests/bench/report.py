"""The bench as a person reads it."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from .aims import Aim
from .measure import COMPLETION, Measured, percentile


def print_report(
    console: Console,
    machine: dict[str, str | int | None],
    results: list[Measured],
    starts: dict[str, float],
    aims: list[Aim],
) -> None:
    console.print(_latencies(results))
    console.print(_servers(results))
    console.print(_sources(results))
    for language, milliseconds in starts.items():
        console.print(f"process start to first completion, {language}, 500 lines: {milliseconds:.0f} ms")
    console.print(_aims(aims))
    console.print(
        f"[dim]{machine['processor']}, {machine['cores']} cores (load {machine['load']} at the start), "
        f"Python {machine['python']}, commit {machine['commit']}, {machine['date']}[/dim]"
    )


def _latencies(results: list[Measured]) -> Table:
    title = "From the key to the answer, and the processor time that it took (ms)"
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    for name in ("language", "lines", "surface"):
        table.add_column(name, no_wrap=True)
    for name in ("p50", "p95", "p99", "cpu p50", "cpu p99", "shown"):
        table.add_column(name, justify="right")
    for measured in results:
        for index, (surface, times) in enumerate(measured.times.items()):
            spent = measured.cpu.get(surface, [])
            table.add_row(
                measured.language_id if index == 0 else "",
                f"{measured.lines:,}" if index == 0 else "",
                surface,
                *(f"{percentile(times, share):.1f}" for share in (0.50, 0.95, 0.99)),
                *(f"{percentile(spent, share):.1f}" if spent else "" for share in (0.50, 0.99)),
                f"{100 * measured.answered.get(surface, 0) / len(times):.0f} %" if spent else "",
                end_section=index == len(measured.times) - 1,
            )
    return table


def ratios(name: str, results: list[Measured], beside: list[Measured]) -> Table:
    """How many times the time of another server each surface takes, of what both have shown."""
    table = Table(box=SIMPLE_HEAD, title=f"Times of {name}: p50, p99, resident memory", title_justify="left")
    for column in ("language", "lines", "surface", f"p50 of {name}, ms", "p50", "p99", "memory"):
        table.add_column(column, justify="left" if column in ("language", "surface") else "right")
    ours = {(measured.language_id, measured.lines): measured for measured in results if COMPLETION in measured.times}
    for other in beside:
        mine = ours[other.language_id, other.lines]
        for number, surface in enumerate(surface for surface in other.times if surface in mine.times):
            now, then = mine.times[surface], other.times[surface]
            table.add_row(
                other.language_id if number == 0 else "",
                f"{other.lines:,}" if number == 0 else "",
                surface,
                f"{percentile(then, 0.5):.1f}",
                *(f"{percentile(now, share) / percentile(then, share):.2f}" for share in (0.5, 0.99)),
                f"{mine.rss_mb / other.rss_mb:.2f}" if number == 0 else "",
            )
    return table


def _servers(results: list[Measured]) -> Table:
    table = Table(box=SIMPLE_HEAD, title="The server process", title_justify="left")
    for name in ("language", "lines", "open to first answer, ms", "resident, MB", "peak, MB"):
        table.add_column(name, justify="right" if "," in name else "left")
    for measured in results:
        table.add_row(
            measured.language_id,
            f"{measured.lines:,}",
            f"{measured.open_ms:.0f}",
            f"{measured.rss_mb:.0f}",
            f"{measured.peak_mb:.0f}",
        )
    return table


def _sources(results: list[Measured]) -> Table:
    """Next edits by source, over all files: kept are those that rename as the session does."""
    title = "Next edits by source (kept: they rename as the session does)"
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    columns = ("shown", "kept", "wrong")
    for name in ("source", *columns):
        table.add_column(name, justify="right" if name in columns else "left")
    for source in sorted({source for measured in results for source in measured.sources}):
        rows = [measured.sources.get(source, {}) for measured in results]
        table.add_row(source, *(str(sum(row.get(name, 0) for row in rows)) for name in columns))
    return table


def _aims(aims: list[Aim]) -> Table:
    table = Table(box=SIMPLE_HEAD, title="Aims (the worst language counts)", title_justify="left")
    for name in ("aim", "at most", "measured", ""):
        table.add_column(name, justify="right" if name in ("at most", "measured") else "left")
    words = {True: "[green]reached[/green]", False: "[red]missed[/red]", None: "not measured"}
    for aim in aims:
        value = "-" if aim.value is None else f"{aim.value:,.1f} {aim.unit}"
        table.add_row(aim.name, f"{aim.limit:g} {aim.unit}", value, words[aim.reached])
    return table
