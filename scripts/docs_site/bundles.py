"""Pages of the models that ship: one for each bundle, made from its manifest."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_HEAD = """# The models that ship

Each bundle is a folder with one exported model, its vocabulary, its calibration and its figures. These pages are made
from the manifests; [The models](../models.md) describes the families.

| bundle | serves | languages | size |
|---|---|---|---|
"""
_LEGEND = """
## How to read the figures

The key of a figure is a path: what was evaluated, in which situation, and the metric. Shares lie between 0 and 1.

| part of a key | meaning |
|---|---|
| `completion/words` | a baseline: the nearest words of the file that begin with the typed letters |
| `completion/cut`, `completion/whole` | the file ends at the cursor; the rest of the file is present |
| `completion/project` | the names of the project's other files are known as well |
| `0 typed`, `1 typed`; `first 1`, `first 5` | letters that are typed; the right name is the first, or among the first five |
| `inline/cut`, `hole`, `closed`, `gap` | ghost text where the file ends, where up to four lines are missing, where brackets are closed already, where one token is missing |
| `shown`, `right of shown`, `saved` | share of places with a suggestion; share of these that are right; keystrokes saved per place |
| `dev/...` | all tokens of the dev projects, with the groups and metrics of [The models](../models.md#5-metrics) |
| `teacher_forced/...` | the next step of an edit, given the true steps before it: position, content, both (`joint`) |
| `hunks_fitted/offered_80` | next edits that are shown at 80 % precision and right; `whole` as a complete hunk; `repeated` where an earlier hunk is repeated |
| `slip_...`, `repair_...`, `same_...` | fixes of synthetic faults, of faults that people repaired, and of correct code |
| `right_0.5`, `shown_0.5` | at this probability or more: share that is right, share that is shown |
| `ECE`, `n` | expected calibration error; number of cases |
"""  # noqa: E501
# Family: what it is, and the pages of the surfaces that it serves.
FAMILIES: Mapping[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "spn": ("Sparse pointer network", (("completion", "completions"), ("ghost-text", "ghost text"))),
    "implicit-attention": ("Implicit-attention edit model", (("next-edit", "next edits"),)),
    "copyspan": ("Span-copying model", (("fixes", "fixes"),)),
    "treegen": ("TreeGen model", (("function-bodies", "function bodies"),)),
}


def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """The name of each page and its text. `folder` holds the bundles that ship."""
    manifests = {path.parent.name: json.loads(path.read_bytes()) for path in sorted(folder.glob("*/manifest.json"))}
    rows = []
    for name, manifest in manifests.items():
        size = sum(file.stat().st_size for file in (folder / name).iterdir()) / 1e6
        rows.append(f"| [`{name}`]({name}.md) | {_serves(manifest)} | {_languages(manifest)} | {size:.1f} MB |")
    yield "bundles/index", _HEAD + "\n".join(rows) + "\n" + _LEGEND
    for name, manifest in manifests.items():
        yield f"bundles/{name}", _page(name, manifest)


def _page(name: str, manifest: Mapping[str, Any]) -> str:
    facts = [
        ("model", FAMILIES[manifest["family"]][0]),
        ("serves", _serves(manifest)),
        ("languages", _languages(manifest)),
        ("version", manifest["version"]),
        ("recipe hash, data hash", f"`{manifest['recipe_hash']}`, `{manifest['data_hash']}`"),
    ]
    parts = [
        f"# `{name}`\n",
        _table(("", ""), facts),
        "\n## Figures on projects that the model has not seen\n",
        "[How to read the figures](index.md#how-to-read-the-figures).\n",
        _table(("metric", "value"), [(f"`{key}`", _number(value)) for key, value in _flat(manifest["metrics"])]),
        "\n## Calibration\n",
        "A suggestion is shown if its probability reaches the threshold for `editahead.precision`. ECE is the expected "
        "calibration error, with 15 bins of equal mass.\n",
        _table(
            ("surface", "method", "examples", "ECE before", "ECE after", "threshold at 0.8"), _calibrations(manifest)
        ),
        "\n## Recipe\n",
        _table(("option", "value"), [(f"`{key}`", _number(value)) for key, value in _flat(manifest["recipe"])]),
        "\n## Projects in the training data\n",
        _projects(manifest["licences"]),
        "\n## Files\n",
        _table(("file", "bytes", "SHA-256"), _files(manifest["files"])),
    ]
    return "\n".join(parts) + "\n"


def _serves(manifest: Mapping[str, Any]) -> str:
    return ", ".join(f"[{title}](../surfaces/{page}.md)" for page, title in FAMILIES[manifest["family"]][1])


def _languages(manifest: Mapping[str, Any]) -> str:
    named = manifest.get("limits", {}).get("languages") or [manifest["language"]]
    return ", ".join(named if isinstance(named, list) else str(named).split("-"))


def _flat(value: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Values by path; the leaves of nested mappings, in order."""
    for key, inner in value.items():
        if isinstance(inner, Mapping):
            yield from _flat(inner, f"{prefix}{key}/")
        else:
            yield prefix + key, inner


def _number(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:,.0f}" if value == int(value) else f"{value:.4g}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _calibrations(manifest: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for surface, fitted in manifest["calibration"].items():
        thresholds = {round(float(key), 2): value for key, value in dict(fitted.get("thresholds") or {}).items()}
        shown = f"{thresholds[0.8]:.3f}" if thresholds.get(0.8) is not None else "none: the probability itself"
        ece = [_number(fitted[key]) if key in fitted else "" for key in ("ece_raw", "ece")]
        yield (f"`{surface}`", fitted["method"], _number(fitted.get("n", "")), *ece, shown)


def _projects(licences: Any) -> str:
    rows = [tuple(_number(value) for value in entry.values()) for entry in licences]
    return _table(tuple(licences[0]), rows) if rows else "None.\n"


def _files(files: Any) -> Iterator[tuple[str, ...]]:
    for file in files:
        yield f"`{file['path']}`", f"{file['bytes']:,}", f"`{file['sha256']}`"


def _table(head: tuple[str, ...], rows: Any) -> str:
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"
