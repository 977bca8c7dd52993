"""Rendering of a report as a self-contained HTML page with tables and inline SVG plots."""

from __future__ import annotations

from html import escape

from editahead.bench.compare import Difference
from editahead.bench.figures import FIGURES, PROCESS_TITLES, SURFACE_NAMES, Report, with_unit
from editahead.bench.plots import bars, curves, reliability
from editahead.bench.score import OUTCOMES

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
table { border-collapse: collapse; margin: 1rem 0; } td, th { padding: .2rem .8rem; border-bottom: 1px solid #ddd; }
th { text-align: left; } td.n { text-align: right; font-variant-numeric: tabular-nums; }
td.worse { color: #b00020; font-weight: 600; } td.better { color: #1b7f3b; font-weight: 600; }
figure { display: inline-block; margin: .5rem 1rem .5rem 0; } figcaption { color: #555; font-size: 13px; }
svg text { font: 11px system-ui, sans-serif; fill: #333; } footer { color: #777; font-size: 13px; }
"""

_BARS = (
    ("top1", "first"), ("top5", "first five"), ("top1_typed", "first, a letter"), ("top5_typed", "five, a letter"),
    ("keys_saved_menu", "keys saved, menu"), ("keys_saved", "keys saved, all"),
)  # fmt: skip


def page(report: Report, differences: list[Difference] | None = None) -> str:
    """Render the page of a report."""
    about = report.about
    title = f"editahead bench: {about.get('server', 'server')}"
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title><style>{_STYLE}</style>",
        f"<h1>{escape(title)}</h1>",
        f"<p>{_count(len(report.places), 'place')} in {_count(len(report.process), 'session')}.</p>",
        "<h2>Plots</h2>", *_plots(report),
        "<h2>Figures</h2>", _table(report),
    ]  # fmt: skip
    if report.sources():
        parts += ["<h2>Next edits by source</h2>", _sources(report)]
    if differences is not None:
        parts += ["<h2>Compared</h2>", _compared(differences)]
    where = about.get("machine") or {}
    words = [f"{key}: {value}" for key, value in where.items() if value is not None]
    words += [f"{key}: {value}" for key, value in (about.get("options") or {}).items() if value]
    parts.append(f"<footer>{escape('; '.join([str(about.get('date', '')), *words]))}</footer></html>\n")
    return "\n".join(parts)


def _plots(report: Report) -> list[str]:
    values = report.values()
    figures = []
    rows = [(label, value) for key, label in _BARS if (value := values[key]) is not None]
    if rows:
        figures.append(_figure(bars(rows), "Names of the program in the completion menu, and keystrokes saved"))
    parts: list[tuple[str, float]] = []
    for key, prefix in (("inline", "inline"), ("next_edit", "edit")):
        split = _split(report, prefix)
        if key in report.surfaces and any(split):
            whole = split[0] + split[1] + split[2]
            words = zip(("right", "wrong", "quiet"), split, strict=True)
            parts += [(f"{SURFACE_NAMES[key]}: {what}", part / whole) for what, part in words]
    if parts:
        figures.append(_figure(bars(parts), "Shown and right, shown and wrong, quiet"))
    times = {name: [value for scores in report.places for value in scores.ms.get(key, ())]
             for key, name in SURFACE_NAMES.items()}  # fmt: skip
    times = {name: series for name, series in times.items() if series}
    if times:
        figures.append(_figure(curves(times), "Share of answers that came within so many milliseconds"))
    for key, name in SURFACE_NAMES.items():
        pairs = [pair for scores in report.places for pair in scores.pairs.get(key, ())]
        if len(pairs) >= 20:
            figures.append(_figure(reliability(pairs), f"Calibration of the {name}: probability against hit rate"))
    return figures


def _split(report: Report, prefix: str) -> tuple[float, float, float]:
    requested, given, right = (
        sum(scores.counts[f"{prefix}.{what}"] for scores in report.places) for what in ("asked", "shown", "right")
    )
    return right, given - right, requested - given


def _figure(svg: str, caption: str) -> str:
    return f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"


def _table(report: Report) -> str:
    values = report.values()
    titles = [(figure.title, figure.unit, values[figure.key]) for figure in FIGURES]
    titles += [(title, unit, values[key]) for key, (title, unit) in PROCESS_TITLES.items()]
    rows = "".join(
        f"<tr><td>{escape(title)}<td class=n>{escape(with_unit(value, unit))}"
        for title, unit, value in titles
        if value is not None
    )
    return f"<table><tr><th>figure<th>value{rows}</table>"


def _sources(report: Report) -> str:
    columns = ("shown", *OUTCOMES)
    rows = "".join(
        f"<tr><td>{escape(source)}" + "".join(f"<td class=n>{counts[name]:g}" for name in columns)
        for source, counts in report.sources().items()
    )
    return f"<table><tr><th>source{''.join(f'<th>{name}' for name in columns)}{rows}</table>"


def _compared(differences: list[Difference]) -> str:
    rows = ""
    for difference in differences:
        if difference.before is None and difference.after is None:
            continue
        unit = difference.figure.unit
        span = (
            "" if difference.low is None else f"{with_unit(difference.low, unit)} to {with_unit(difference.high, unit)}"
        )
        rows += (
            f"<tr><td>{escape(difference.figure.title)}<td class=n>{escape(with_unit(difference.before, unit))}"
            f"<td class=n>{escape(with_unit(difference.after, unit))}<td class=n>{escape(span)}"
            f"<td class={difference.verdict}>{difference.verdict}"
        )
    return f"<table><tr><th>figure<th>before<th>after<th>difference, bounds<th>{rows}</table>"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
