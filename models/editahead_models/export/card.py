"""CARD.md of a bundle, written from its manifest so that the two can never disagree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from editahead.runtime.manifest import Manifest


def card_text(manifest: Manifest) -> str:
    """The model card, as Markdown."""
    parts = [f"# {manifest.name}", *_about(manifest), *_graphs(manifest), *_calibrations(manifest)]
    for title, key in (
        ("Numbers on the held-out split", "metrics"),
        ("Limits", "limits"),
        ("Recipe", "recipe"),
        ("Licences of the training code", "licences"),
    ):
        value = manifest.get(key)
        if value:
            parts += [f"## {title}", _value(value)]
    parts += [
        "## Files",
        _table(("file", "bytes", "SHA-256"), ((f.path, f.bytes, f.sha256) for f in manifest.files.values())),
    ]
    return "\n\n".join(parts) + "\n"


def _about(manifest: Manifest) -> list[str]:
    known = {"schema", "files", "graphs", "calibration", "metrics", "limits", "licences"}
    rows = [
        (key.replace("_", " "), value)
        for key, value in manifest.items()
        if key not in known and isinstance(value, (str, int, float))
    ]
    return [_table(("", ""), rows)]


def _graphs(manifest: Manifest) -> list[str]:
    rows = [
        (g.name, g.file, ", ".join(g.inputs), ", ".join(g.outputs), g.opset or "") for g in manifest.graphs.values()
    ]
    return ["## Graphs", _table(("graph", "file", "inputs", "outputs", "opset"), rows)] if rows else []


def _calibrations(manifest: Manifest) -> list[str]:
    rows = []
    for surface, c in manifest.calibrations.items():
        at = "; ".join(f"{target:.2f}: {'never' if p is None else f'{p:.3f}'}" for target, p in c.thresholds)
        rows.append((surface, c.method, c.n, f"{c.ece_raw:.4f}", f"{c.ece:.4f}", at))
    head = ("surface", "method", "examples", "ECE before", "ECE after", "threshold for a precision")
    return ["## Calibration", _table(head, rows)] if rows else []


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return _table(("", ""), ((k, _inline(v)) for k, v in value.items()))
    if isinstance(value, tuple) and value and all(isinstance(item, Mapping) for item in value):
        names = list(dict.fromkeys(key for item in value for key in item))
        return _table(names, ([_inline(item.get(name, "")) for name in names] for item in value))
    if isinstance(value, tuple):
        return "\n".join(f"- {_inline(item)}" for item in value)
    return str(value)


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{k}: {_inline(v)}" for k, v in value.items())
    if isinstance(value, tuple):
        return ", ".join(_inline(item) for item in value)
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _table(head: Iterable[object], rows: Iterable[Iterable[object]]) -> str:
    def line(cells: Iterable[object]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"

    names = list(head)
    return "\n".join([line(names), "|" + " --- |" * len(names), *(line(row) for row in rows)])
