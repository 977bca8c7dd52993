"""`editahead-models report keystrokes`: keys that the product saves on the dev projects, and their page."""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.bench.stdio_client import ServerError

from editahead_models.data.projects import head_commit
from editahead_models.data.splits import languages
from editahead_models.publishing.keystrokes import figures, page
from editahead_models.publishing.keystrokes.typing import SETTINGS, measure
from editahead_models.publishing.served_bundles import hashes_for
from editahead_models.replay.drawn_projects import stretches_of
from editahead_models.replay.measured_rows import MeasuredRows
from editahead_models.replay.simulated_user import user_of
from editahead_models.replay.stretches import digest, without
from editahead_models.report.results import data_of

PART = "keystrokes"


def main(
    mirror: Annotated[
        Path | None,
        typer.Option(
            help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME; without it only the page is written."
        ),
    ] = None,
    work: Annotated[
        Path | None, typer.Option(help="Where measurements go, one file a project; run again to go on.")
    ] = None,
    language: Annotated[list[str] | None, typer.Option(help="Only these languages.")] = None,
    stretches: Annotated[int, typer.Option(help="Stretches of code of each language; about a second each.")] = 150,
    seed: Annotated[int, typer.Option(help="Which stretches are drawn.")] = 2026,
    bundle: Annotated[list[Path] | None, typer.Option(help="Bundles that go before the shipped ones.")] = None,
    out: Annotated[Path, typer.Option(help="Where the page and its data go.")] = Path("docs/results"),
) -> None:
    """Type stretches of dev projects in the real server, count the keys saved, and write the page."""
    if mirror is not None:
        if work is None:
            raise typer.BadParameter("--mirror needs --work, a folder for what is measured")
        for name in {*(language or ())} - {*languages("dev")}:
            raise typer.BadParameter(f"no dev projects of {name!r}: one of {', '.join(languages('dev'))}")
        for name in language or languages("dev"):
            try:
                entry = LanguageKeys(name, mirror, work / name, stretches, seed, bundle or ()).measured()
            except ValueError as error:
                raise typer.BadParameter(str(error)) from error
            if entry is not None:
                print(f"wrote {_store(out, name, entry)}", flush=True)
    print(f"wrote {page.write(out, data_of(out))}")


class LanguageKeys:
    """The measurement of one language."""

    def __init__(self, language: str, mirror: Path, work: Path, count: int, seed: int, bundles: Sequence[Path]) -> None:
        self.language, self.work, self.seed, self.bundles = language, work, seed, bundles
        self.drawn, self.missing = stretches_of(mirror, language, "dev", count, f"{seed}:{{}}:{PART}")

    def measured(self) -> dict[str, Any] | None:
        """Measure what is missing and return the entry of the language; None where no project can be measured.

        Raises ValueError where the work folder holds another measurement.
        """
        if not self.drawn:
            print(f"{self.language}: no dev project can be measured ({', '.join(self.missing)})")
            return None
        run = self._run()
        kept = MeasuredRows(self.work)
        for project, files, stretches in self.drawn:
            if kept.done(project.name, PART):
                continue
            began = time.monotonic()
            try:
                with user_of(without(files, stretches), self.bundles, SETTINGS) as user:
                    count = kept.save(project.name, PART, measure(user, stretches))
            except ServerError as error:
                self.missing.append(f"{project.name} ({error})")
                print(f"not measured: {self.missing[-1]}", flush=True)
                continue
            print(f"{project.name}: {count} stretches in {time.monotonic() - began:.0f} s", flush=True)
        rows = list(kept.rows([project.name for project, *_ in self.drawn], PART))
        if not rows:
            return None
        commits = {project.name: project.commit for project, *_ in self.drawn}
        return run | {"projects": commits, "missing": self.missing, "tables": figures.tables(rows)}

    def _run(self) -> dict[str, Any]:
        """What the rows of the work folder were measured with; of a run that goes on, as it was when it began."""
        drawn = [stretch for *_, stretches in self.drawn for stretch in stretches]
        same: dict[str, Any] = {
            "seed": self.seed,
            "data": digest(drawn),
            "bundles": hashes_for(self.language, self.bundles),
        }
        path = self.work / "run.json"
        if path.exists():
            run: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            if any(run[key] != value for key, value in same.items()):
                raise ValueError(
                    f"{self.work} holds another measurement (seed, stretches or bundles): give another --work"
                )
            return run
        run = same | {
            "commit": head_commit(Path.cwd()),
            "date": datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC"),
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(run, indent=1) + "\n", encoding="utf-8")
        return run


def _store(out: Path, language: str, entry: dict[str, Any]) -> Path:
    """Store what was measured of one language beside the others."""
    path = data_of(out) / f"{page.NAME}.json"
    found: dict[str, Any] = {"split": "dev", "languages": {}}
    if path.exists():
        found = json.loads(path.read_text(encoding="utf-8"))
    found["languages"][language] = entry
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return path
