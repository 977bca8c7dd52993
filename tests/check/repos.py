"""Git repositories in a folder of the test's own, and a model with made-up weights."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Any

from editahead.check.run import CheckResult
from editahead.check.run import check as run_check
from editahead.check.search import CHECK_FEATURES
from editahead.runtime.bundle import Bundle
from editahead.runtime.calibration import Calibration
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead.runtime.logistic import LogisticModel
from editahead.settings import Settings
from editahead_models.export.bundle_writer import write_bundle

IDENTITY: dict[str, Any] = {"method": "identity"}
ALWAYS = {"bias": 3.0}  # a probability of 0.953 whatever a place looks like


class Repo:
    """A repository that a test writes and commits to, with no one's settings."""

    def __init__(self, root: Path) -> None:
        root.mkdir(parents=True, exist_ok=True)
        self.root = root.resolve()
        self.git("init", "-q", "-b", "main")

    def git(self, *arguments: str, fails: bool = False) -> str:
        person = {f"GIT_{who}_{what}": "x@y" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        fixed = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run(
            ["git", "-C", str(self.root), *arguments], capture_output=True, env=os.environ | person | fixed, timeout=60
        )
        assert fails or done.returncode == 0, done.stderr
        return done.stdout.decode().strip()

    def put(self, where: str, text: str | bytes) -> Repo:
        path = self.root / where
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return self

    def change(self, where: str, *pairs: tuple[str, str]) -> Repo:
        """Replace the first occurrence of each text that there is."""
        data = (self.root / where).read_bytes()
        for old, new in pairs:
            assert old.encode() in data
            data = data.replace(old.encode(), new.encode(), 1)
        return self.put(where, data)

    def commit(self, message: str = "more") -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")


def model(**weights: float) -> PatternScorer:
    """The logistic function of some weights (bias 3 without any); surely nothing after a single example."""
    chosen = weights or ALWAYS
    seldom, often = (LogisticModel(CHECK_FEATURES, table) for table in ({"bias": -9.0}, chosen))
    known = Calibration.from_manifest(IDENTITY)
    return PatternScorer((seldom, often), (known, known))


def bundle(folder: Path, **weights: float) -> Bundle:
    """A bundle that holds nothing but such a model."""
    manifest = {
        "version": "1",
        "graphs": {},
        "repeat": {"one": {"bias": -9.0}, "many": weights or ALWAYS},
        "calibration": {"repeat_one": IDENTITY, "repeat_many": IDENTITY},
    }
    files: dict[str, Path | bytes] = {"vocab.json": b"{}"}
    return write_bundle(folder / "toy-any-1", family="toy", language="any", files=files, manifest=manifest)


def checked(
    repo: Repo, base: str = "HEAD", *paths: str, settings: Settings | None = None, **weights: float
) -> CheckResult:
    """The check of a repository at precision 0.8."""
    given = [Path(path) for path in paths]
    return run_check(repo.root, base, given, model(**weights), 0.8, settings or Settings())


def places(found: CheckResult) -> list[tuple[str, str]]:
    """Path of each place, and the line that it would become."""
    result = []
    for one in found.answer.missed:
        after = one.site.document.syntax.buffer.apply(one.site.edit)
        line = after.line_bytes(after.line_at(one.site.edit.start)).decode().strip()
        result.append((one.where, line))
    return result
