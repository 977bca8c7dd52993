"""`editahead-models list`: recipes, runs and bundles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from editahead.runtime.bundle import BundleError, find_bundles, load_bundle
from rich.console import Console
from rich.table import Table

from editahead_models.recipe import read_recipe, recipes


def main(
    recipe_folder: Annotated[Path, typer.Option("--recipes", help="Folder of recipe files.")] = Path("models/recipes"),
    runs: Annotated[Path, typer.Option(help="Folder that holds run folders, at any depth.")] = Path("runs"),
) -> None:
    """List recipes, runs and bundles, with what is wrong with those that cannot be used."""
    table = Table("what", "name", "state")
    for path in recipes(recipe_folder):
        try:
            found = read_recipe(path)
            table.add_row("recipe", path.stem, f"{found.family}, {found.language}, version {found.version}")
        except ValueError as error:
            table.add_row("recipe", path.stem, f"[red]{error}[/red]")
    for log in sorted(runs.rglob("log.jsonl")):
        table.add_row("run", str(log.parent.relative_to(runs)), _progress(log))
    for folder in find_bundles():
        try:
            bundle = load_bundle(folder)
            size = sum(entry.bytes for entry in bundle.manifest.files.values())
            table.add_row("bundle", bundle.manifest.name, f"{size / 1e6:.1f} MB, checksums right")
        except BundleError as error:
            table.add_row("bundle", folder.name, f"[red]{error}[/red]")
    Console().print(table)


def _progress(log: Path) -> str:
    """The newest training figure of a run."""
    last: dict[str, object] = {}
    for line in log.read_text().splitlines():
        entry = json.loads(line)
        last = entry if "loss" in entry else last
    shown = {key: value for key, value in last.items() if key in ("tokens", "step", "loss")}
    return ", ".join(
        f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}" for key, value in shown.items()
    )
