"""All parts of one project, each measured once: what is finished in the work folder is kept."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from editahead.suggest.engine import Engine
from editahead.syntax.language import Language

from editahead_models.data.mine_edits import EXTENSIONS
from editahead_models.data.projects import Project
from editahead_models.publishing import completions, ghost_text, missed_edits, next_edits, renames
from editahead_models.publishing.measured_rows import MeasuredRows, Row
from editahead_models.publishing.places import draw, source_files
from editahead_models.publishing.simulated_user import user_of

COMPLETIONS, GHOST_TEXT, NEXT_EDITS, RENAMES, CHECK = "completions", "ghost-text", "next-edits", "renames", "check"
PARTS = (COMPLETIONS, GHOST_TEXT, NEXT_EDITS, RENAMES, CHECK)


@dataclass(frozen=True)
class Quota:
    """How much is measured in one project."""

    identifiers: int
    ghost_places: int
    requests: int
    quiet: int
    renames: int
    check_commits: int


@dataclass
class ProjectParts:
    """Measures the missing parts of one project. `truth`: a program that knows references, or nothing."""

    engine: Engine
    language_id: str
    rows: MeasuredRows
    quota: Quota
    seed: int
    bundles: Sequence[Path] = ()
    truth: Sequence[str] = ()
    report: Callable[[str], None] = print

    def measure(self, project: Project, wanted: Sequence[str] = PARTS) -> None:
        """Measure what is missing of a project."""
        missing = [part for part in wanted if not self.rows.done(project.name, part)]
        if not missing:
            return
        files = list(source_files(project, self.language_id))
        extension, language = next_edits.main_extension(files) or ("", None)
        if language is None:
            self.report(f"{project.name}: no file of {self.language_id}")
            return
        if COMPLETIONS in missing or GHOST_TEXT in missing:
            self._typed(project, files, missing)
        q, seed = self.quota, self.seed
        if NEXT_EDITS in missing:
            found = next_edits.measure(self.engine, project, language, extension, q.requests, q.quiet, seed)
            self._save(project, NEXT_EDITS, found)
        if RENAMES in missing and self.truth:
            self._save(project, RENAMES, renames.measure(self.engine, files, language, self.truth, q.renames, seed))
        model = missed_edits.check_model(self.engine.report().bundles)
        if CHECK in missing and model is not None and self.language_id in EXTENSIONS:
            self._save(project, CHECK, missed_edits.measure(model, project, extension, q.check_commits, seed))

    def _typed(self, project: Project, files: Sequence[tuple[str, bytes, Language]], missing: Sequence[str]) -> None:
        """Completions and ghost text, in one session of the server."""
        with user_of(files, self.bundles) as user:
            if COMPLETIONS in missing:
                places = draw(files, self.quota.identifiers, self._rng(project, COMPLETIONS), names_only=True)
                self._save(project, COMPLETIONS, completions.measure(user, places))
            if GHOST_TEXT in missing:
                rng = self._rng(project, GHOST_TEXT)
                places = draw(files, self.quota.ghost_places, rng, names_only=False)
                self._save(project, GHOST_TEXT, ghost_text.measure(user, places, rng))

    def _rng(self, project: Project, part: str) -> random.Random:
        return random.Random(f"{self.seed}:{project.name}:{part}")

    def _save(self, project: Project, part: str, found: Iterable[Row]) -> None:
        began = time.perf_counter()
        count = self.rows.save(project.name, part, found)
        spent = time.perf_counter() - began
        self.report(f"{project.name}: {count} rows of {part} in {spent:.0f} s ({spent / max(1, count):.3f} s each)")
