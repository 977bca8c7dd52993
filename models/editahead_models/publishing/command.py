"""`editahead-models report product`: the published figures of the product, and the only reader of the test projects."""

from __future__ import annotations

import json
import math
import os
import platform
import secrets
import shlex
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime, timezone
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.git import ask_git
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.suggest.open_models import LANGUAGE_MODEL

from editahead_models.data.projects import Project, head_commit, open_project
from editahead_models.data.splits import languages, projects_of, publishing_projects
from editahead_models.publishing import ledger, stored
from editahead_models.publishing.figures import TABLES
from editahead_models.publishing.parts import GHOST_TEXT, OTHER_SERVER, PARTS, RENAMES, ProjectParts
from editahead_models.publishing.served_bundles import hashes_of, served_bundles
from editahead_models.publishing.sizes import Sizes
from editahead_models.replay.measured_rows import MeasuredRows
from editahead_models.replay.places import source_size
from editahead_models.report.results import data_of

DEV, TEST = "dev", "test"
CODE = ("server/editahead", "models/editahead_models", "models/data")
"""Folders of the repository that, with the bundles, decide what is measured."""
DEFAULT = Sizes()


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    work: Annotated[Path, typer.Option(help="Where measurements go, one file a project and part; run again to go on.")],
    split: Annotated[str, typer.Option(help="dev: a try, written to --work. test: published, twice a bundle.")] = DEV,
    language: Annotated[list[str] | None, typer.Option(help="Only these languages.")] = None,
    out: Annotated[Path, typer.Option(help="Where the page and its data go.")] = Path("docs/results"),
    bundle: Annotated[list[Path] | None, typer.Option(help="Bundles that go before the shipped ones.")] = None,
    truth: Annotated[
        list[str] | None,
        typer.Option(help="LANGUAGE=COMMAND: a program that knows references; {project} is OWNER+NAME."),
    ] = None,
    server: Annotated[
        list[str] | None, typer.Option(help="LANGUAGE=COMMAND: the language's own server, measured beside ours.")
    ] = None,
    part: Annotated[
        list[str] | None,
        typer.Option(help=f"Only these parts, beside the others of the read before: {', '.join(PARTS)}."),
    ] = None,
    identifiers: Annotated[int, typer.Option(help="Names at which completions are requested.")] = DEFAULT.identifiers,
    ghost_places: Annotated[int, typer.Option(help="Places at which ghost text is requested.")] = DEFAULT.ghost_places,
    requests: Annotated[int, typer.Option(help="Moments with an edit to come.")] = DEFAULT.requests,
    quiet: Annotated[int, typer.Option(help="Moments with nothing to come.")] = DEFAULT.quiet,
    renames: Annotated[int, typer.Option(help="Renames to type, in languages of --truth.")] = DEFAULT.renames,
    check_commits: Annotated[int, typer.Option(help="Commits for the missed-edit check.")] = DEFAULT.check_commits,
    seed: Annotated[int, typer.Option(help="Which places and commits are drawn.")] = 2026,
    minutes: Annotated[float, typer.Option(help="The longest projected time of one language.")] = 35.0,
) -> None:
    """Measure what the product shows, at the sizes given for one language, and write page, README and figures."""
    if split not in (DEV, TEST):
        raise typer.BadParameter(f"--split is dev or test, not {split}")
    wanted = tuple(language or languages(split))
    for name in {*wanted} - {*languages(split)}:
        raise typer.BadParameter(f"no {split} projects of {name!r}: one of {', '.join(languages(split))}")
    unknown = {*(part or ())} - {*PARTS}
    if unknown:
        raise typer.BadParameter(f"no part {', '.join(sorted(unknown))}: one of {', '.join(PARTS)}")
    sizes = Sizes(identifiers, ghost_places, requests, quiet, renames, check_commits)
    truths, servers = (dict(one.split("=", 1) for one in given or ()) for given in (truth, server))
    engine = Engine.load(find_bundles(bundle or ()), "cpu", lambda text, share: None)
    folder = out if split == TEST else work / DEV
    for name in wanted:
        run = LanguageRun(engine, name, split, mirror, work, sizes, seed, truths.get(name, ""), bundle or (),
                          servers.get(name, ""))  # fmt: skip
        try:
            if not run.projects:
                print(f"{name}: none of {len(run.missing)} {split} projects can be measured")
                continue
            known = stored.load(folder)
            before = known["languages"].get(name) if part and known["split"] == split else None
            stored.check_alike(before, run.alike(), part or PARTS)
            one = stored.with_other_parts(before, run.measured(part or PARTS, data_of(out) / ledger.NAME, minutes))
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error
        print(f"wrote {stored.store(folder, split, name, one)}")
        for page in stored.write(folder, data_of(folder)):
            print(f"wrote {page}")


class LanguageRun:
    """The measurement of one language on one split."""

    def __init__(
        self,
        engine: Engine,
        language: str,
        split: str,
        mirror: Path,
        work: Path,
        sizes: Sizes,
        seed: int,
        truth: str,
        bundles: Sequence[Path],
        server: str = "",
    ) -> None:
        self.engine, self.language, self.split, self.sizes = engine, language, split, sizes
        self.seed, self.truth, self.bundles, self.mirror = seed, truth, bundles, mirror
        self.server = server
        self.folder = work / split / language
        self.projects, self.missing = self._projects()

    def measured(self, parts: Sequence[str], ledger_path: Path, minutes: float) -> dict[str, Any]:
        """Measure what is missing and return the entry of the language. Raises ValueError, one line, for a refusal."""
        found = served_bundles(self.engine, self.language)
        ours = list(parts) != [OTHER_SERVER]
        if not ours and not self.server:
            raise ValueError(f"--part {OTHER_SERVER} needs --server {self.language}=COMMAND")
        bundles = hashes_of(found) if ours else {}
        if all(one.manifest.family != LANGUAGE_MODEL for one in found):
            parts = [part for part in parts if part != GHOST_TEXT]
        if not self.truth:
            parts = [part for part in parts if part != RENAMES]
        if not self.server:
            parts = [part for part in parts if part != OTHER_SERVER]
        # The smallest first: it leaves the renames that it has not to the others.
        projects = sorted(self.projects, key=lambda project: source_size(project, self.language))
        projected = self.sizes.projected_seconds(len(projects), frozenset(parts)) / 60
        print(f"{self.language}: {len(projects)} projects, about {projected:.0f} minutes on one core")
        if projected > minutes:
            raise ValueError(f"{projected:.0f} minutes for {self.language} are more than --minutes {minutes:g}")
        read = self._begin(bundles, ledger_path, ours)
        rows = MeasuredRows(self.folder)
        quota = self.sizes.quota(len(projects))
        measuring = ProjectParts(
            self.engine, self.language, rows, quota, self.seed, self.bundles, shlex.split(self.truth),
            shlex.split(self.server),
        )  # fmt: skip
        began = time.monotonic()
        failed: list[str] = []
        renames = 0
        for number, project in enumerate(projects, 1):
            share = math.ceil((self.sizes.renames - renames) / (len(projects) - number + 1))
            failed += measuring.measure(project, parts, share)
            renames += len(list(rows.rows([project.name], RENAMES)))
            spent = (time.monotonic() - began) / 60
            print(f"{self.language}: {number} of {len(projects)} projects after {spent:.1f} minutes", flush=True)
        names = [project.name for project in projects]
        measured = {part: some for part in PARTS if (some := list(rows.rows(names, part)))}
        if self.split == TEST:
            ledger.end(ledger_path, read, _now())
        return {
            "read": read.id, "commit": read.commit, "date": read.date,
            "machine": f"{platform.machine()}, {os.cpu_count()} cores",
            **self.alike(), "bundles": bundles, "truth": _program(self.truth),
            "missing": [*self.missing, *failed], "rows": {part: len(some) for part, some in measured.items()},
            "tables": {part: TABLES[part](some) for part, some in measured.items()},
        }  # fmt: skip

    def alike(self) -> dict[str, Any]:
        """What reads must have in common for their parts to stand beside each other (`stored.SAME`)."""
        projects = {project.name: project.commit for project in self.projects}
        return {"projects": projects, "sizes": asdict(self.sizes), "seed": self.seed}

    def _projects(self) -> tuple[list[Project], list[str]]:
        """The projects of the split that can be measured, and why others cannot."""
        test = self.split == TEST
        names = publishing_projects(self.language) if test else projects_of(self.split, self.language)
        found = {name: open_project(self.mirror, name) for name in names}
        missing = [f"{name} (not in the mirror)" for name, project in found.items() if project is None]
        opened = [project for project in found.values() if project is not None]
        if test:  # what is only measured needs no licence to learn from
            return opened, missing
        missing += [f"{project.name} (no permissive licence)" for project in opened if project.licence is None]
        return [project for project in opened if project.licence is not None], missing

    def _begin(self, bundles: Mapping[str, str], path: Path, ours: bool = True) -> ledger.Read:
        """The read that the work folder belongs to; a new one is entered in the ledger. Raises ValueError.

        Not `ours`: the language's own server alone is measured, and it is what may be read twice.
        """
        root = Path.cwd()
        trees = ask_git(root, "rev-parse", *(f"HEAD:{folder}" for folder in CODE)).decode().split()
        code = "+".join(tree[:10] for tree in trees)
        key = ledger.key_of(bundles or {"no model": code if ours else Path(shlex.split(self.server)[0]).name})
        sizes = asdict(self.sizes)
        kept = self.folder / "read.json"
        if kept.exists():
            read = ledger.Read(**json.loads(kept.read_text(encoding="utf-8")))
            if (read.key, read.sizes, read.seed, read.code) != (key, sizes, self.seed, code):
                raise ValueError(
                    f"{self.folder} holds another read (bundles, sizes, seed or code): give another --work"
                )
        else:
            name = secrets.token_hex(4)
            read = ledger.Read(name, self.language, key, bundles, sizes, self.seed, head_commit(root), code, _now())
        if self.split == TEST:
            changed = ask_git(root, "status", "--porcelain", "--untracked-files=no", "--", *CODE).decode().split("\n")
            if any(changed):
                raise ValueError(
                    f"uncommitted changes in {' or '.join(CODE)}: commit them before the test projects are read"
                )
            if all(one.id != read.id for one in ledger.reads(path)):
                ledger.begin(path, read)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(asdict(read), indent=1) + "\n", encoding="utf-8")
        return read


def _program(command: str) -> str:
    """The name of the script of a command, without its folders."""
    names = [Path(word).name.rsplit(".references.")[-1] for word in shlex.split(command)]
    return next((name for name in names if "references" in name.lower()), names[-1] if names else "")


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M:%S UTC")
