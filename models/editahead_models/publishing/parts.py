"""All parts of one project, each measured once: what is finished in the work folder is kept."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from editahead.suggest.engine import Engine
from editahead.syntax.language import Language

from editahead_models.data.corpus.source_files import main_extension
from editahead_models.data.projects import Project
from editahead_models.publishing import completions, ghost_text, missed_edits, next_edits, other_servers, renames
from editahead_models.replay.measured_rows import MeasuredRows, Row
from editahead_models.replay.places import DrawnPlace, draw, source_files
from editahead_models.replay.simulated_user import SimulatedUser, user_of, user_of_other

COMPLETIONS, GHOST_TEXT, NEXT_EDITS, RENAMES, CHECK = "completions", "ghost-text", "next-edits", "renames", "check"
OTHER_SERVER = "other-server"
PARTS = (COMPLETIONS, OTHER_SERVER, GHOST_TEXT, NEXT_EDITS, RENAMES, CHECK)


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
    """Measures the missing parts of one project.

    `truth` is a program that knows references ({project} in it is OWNER+NAME), `server` the language's own, or nothing.
    """

    engine: Engine
    language_id: str
    rows: MeasuredRows
    quota: Quota
    seed: int
    bundles: Sequence[Path] = ()
    truth: Sequence[str] = ()
    server: Sequence[str] = ()
    report: Callable[[str], None] = print
    _failed: list[str] = field(default_factory=list)

    def measure(self, project: Project, wanted: Sequence[str] = PARTS, renames: int | None = None) -> list[str]:
        """Measure what is missing of a project; what failed, one line each: another run tries it again.

        `renames` stands for the number of its quota.
        """
        if renames is not None:
            self.quota = replace(self.quota, renames=renames)
        missing = [part for part in wanted if not self.rows.done(project.name, part)]
        self._failed = []
        if missing:
            with self._failures_of(project, "files"):
                self._measure(project, missing)
        return self._failed

    def _measure(self, project: Project, missing: Sequence[str]) -> None:
        files = list(source_files(project, self.language_id))
        extension, language = main_extension((path, one) for path, _, one in files) or ("", None)
        if language is None:
            raise ValueError(f"no file of {self.language_id}")
        spoken, q, seed = language, self.quota, self.seed
        if COMPLETIONS in missing or GHOST_TEXT in missing:
            with self._failures_of(project, "server"), user_of(files, self.bundles) as user:
                self._typed(user, project, files, missing)
        if OTHER_SERVER in missing and self.server:
            with self._failures_of(project, OTHER_SERVER), user_of_other(files, self.server) as user:
                places = self._names(project, files)[:: other_servers.EVERY]
                self._save(project, OTHER_SERVER, lambda: other_servers.measure(user, places))
        if NEXT_EDITS in missing:
            self._save(
                project,
                NEXT_EDITS,
                lambda: next_edits.measure(self.engine, project, spoken, extension, q.requests, q.quiet, seed),
            )
        if RENAMES in missing and self.truth:
            truth = [word.replace("{project}", project.name.replace("/", "+")) for word in self.truth]
            self._save(project, RENAMES, lambda: renames.measure(self.engine, files, spoken, truth, q.renames, seed))
        model = missed_edits.check_model(self.engine.report().bundles)
        if CHECK in missing and model is not None:
            self._save(project, CHECK, lambda: missed_edits.measure(model, project, extension, q.check_commits, seed))

    def _typed(
        self,
        user: SimulatedUser,
        project: Project,
        files: Sequence[tuple[str, bytes, Language]],
        missing: Sequence[str],
    ) -> None:
        """Completions and ghost text, in one session of the server."""
        if COMPLETIONS in missing:
            places = self._names(project, files)
            self._save(project, COMPLETIONS, lambda: completions.measure(user, places))
        if GHOST_TEXT in missing:
            other = self._rng(project, GHOST_TEXT)
            anything = draw(files, self.quota.ghost_places, other, names_only=False)
            self._save(project, GHOST_TEXT, lambda: ghost_text.measure(user, anything, other))

    def _names(self, project: Project, files: Sequence[tuple[str, bytes, Language]]) -> list[DrawnPlace]:
        """The names at which completions are requested."""
        return draw(files, self.quota.identifiers, self._rng(project, COMPLETIONS), names_only=True)

    @contextmanager
    def _failures_of(self, project: Project, part: str) -> Iterator[None]:
        """Keep one failure from ending the run: the page names what was not measured."""
        try:
            yield
        except Exception as error:
            line = f"{project.name} ({part}: {type(error).__name__} {str(error)[:100]})"
            self._failed.append(" ".join(line.split()))
            self.report(f"not measured: {line}")

    def _rng(self, project: Project, part: str) -> random.Random:
        return random.Random(f"{self.seed}:{project.name}:{part}")

    def _save(self, project: Project, part: str, make: Callable[[], Iterable[Row]]) -> None:
        began = time.perf_counter()
        count = 0
        with self._failures_of(project, part):
            count = self.rows.save(project.name, part, make())
        spent = time.perf_counter() - began
        self.report(f"{project.name}: {count} rows of {part} in {spent:.0f} s ({spent / max(1, count):.3f} s each)")
