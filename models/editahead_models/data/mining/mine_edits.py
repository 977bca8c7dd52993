"""Mine token edits of many projects into shards, one a project.

Finished shards are kept, so that a run can be resumed. Projects are mined by processes of this machine or by tasks of a
Ray cluster whose nodes see the same folders; the shards are the same.
"""

from __future__ import annotations

import hashlib
import json
import math
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from editahead.git import GitError

from editahead_models.data import splits as project_splits
from editahead_models.data.corpus.source_files import languages_of_model
from editahead_models.data.edits.instances import Limits, Shard, change_digest, instances
from editahead_models.data.mining.git_changes import file_changes
from editahead_models.data.projects import Project, open_project
from editahead_models.data.shards import shard_runner
from editahead_models.data.splits import projects_of

EXTENSIONS = {"python": ".py", "java": ".java"}
SPLITS = ("dev", "fit", "train")


def extensions_of(language: str) -> tuple[str, ...]:
    """File endings of a list of projects, those of languages that share it included; headers count as C and C++."""
    found = [ending for one in languages_of_model(language) for ending in one.extensions]
    return tuple(dict.fromkeys([*found, *([".h"] if language == "cpp" else [])]))


def mine_project(
    project: Project, language: str, target: Path, *, changes: int, commits: int, seed: int, limits: Limits
) -> dict[str, Any]:
    """Write `target` (a shard) and return its record: project, commit, licence, counts.

    Skips what is not permissive.
    """
    record = {"project": project.name, "language": language, "commit": project.commit, "licence": project.licence}
    if project.licence is None:
        return record | {"skipped": "no permissive licence file at this commit"}
    rng = random.Random(f"{seed}:{project.name}")
    shard, seen, used = Shard(language=language), set[str](), 0
    for change in file_changes(project.path, extensions_of(language), commits=commits, limit=changes, seed=seed):
        digest = change_digest(change)
        if digest in seen:
            continue
        seen.add(digest)
        found = list(instances(change, limits, rng))
        used += bool(found)
        for instance in found:
            shard.add(instance)
    shard.save(target)
    sha = hashlib.sha256(target.read_bytes()).hexdigest()
    return record | {"changes": used, "instances": len(shard.header), "edits": len(shard.anchor), "sha256": sha}


@dataclass(frozen=True, slots=True)
class MineJob:
    """One project to mine. `target` is its shard; the record beside it is written last."""

    mirror: Path
    name: str
    language: str
    target: Path
    changes: int
    commits: int
    seed: int
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Throughput:
    """What a run mined, in so many seconds on so many processors."""

    projects: int
    instances: int
    seconds: float
    processors: int

    def __str__(self) -> str:
        rate = self.instances / max(self.seconds, 1e-9) / self.processors
        return (
            f"mined {self.projects} projects with {self.instances} instances in {self.seconds:.1f} s on "
            f"{self.processors} processors: {rate:.1f} instances a second and processor"
        )


def mine(
    mirror: Path,
    out: Path,
    *,
    changes: int = 2500,
    commits: int = 12000,
    seed: int = 7,
    workers: int = 1,
    splits: Sequence[str] = SPLITS,
    languages: Sequence[str] | None = None,
    each_language: int | None = None,
    limits: Limits | None = None,
) -> Throughput:
    """Mine the projects of `splits` into a folder each.

    `each_language`: file changes of a language in training, shared between its projects. Returns what this run mined.
    """
    from rich.progress import Progress

    jobs: list[MineJob] = []
    for split in splits:
        found: list[tuple[float, MineJob]] = []
        for language in languages or project_splits.languages(split):
            names = projects_of(split, language)
            most = changes
            if each_language is not None and split == "train" and names:
                most = min(changes, math.ceil(each_language / len(names)))
            for number, name in enumerate(names):
                target = out / split / f"{name.replace('/', '+')}.npz"
                job = MineJob(mirror, name, language, target, most, commits, seed, limits or Limits())
                found.append(((number + 0.5) / len(names), job))
        jobs += [job for _, job in sorted(found, key=lambda pair: pair[0])]  # an unfinished run has all languages
    left = [job for job in jobs if not _record_path(job).exists()]
    instances = 0
    with shard_runner(workers) as runner, Progress() as progress:
        bar = progress.add_task("mining", total=len(jobs), completed=len(jobs) - len(left))
        began = time.monotonic()
        for record in runner.map(mine_shard, left):
            instances += record.get("instances", 0)
            progress.console.print_json(data=record, indent=None)
            progress.advance(bar)
        return Throughput(len(left), instances, time.monotonic() - began, runner.processors)


def mine_shard(job: MineJob) -> dict[str, Any]:
    """Mine one project; returns its record, which is written beside the shard."""
    job.target.parent.mkdir(parents=True, exist_ok=True)
    record = _mine_one(job)
    unfinished = _record_path(job).with_suffix(".part")
    unfinished.write_text(json.dumps(record, indent=1))
    unfinished.replace(_record_path(job))
    return record


def _record_path(job: MineJob) -> Path:
    return job.target.with_suffix(".json")


def _mine_one(job: MineJob) -> dict[str, Any]:
    project = open_project(job.mirror, job.name)
    if project is None:
        return {"project": job.name, "language": job.language, "skipped": "not in the mirror"}
    try:
        return mine_project(
            project, job.language, job.target,
            changes=job.changes, commits=job.commits, seed=job.seed, limits=job.limits,
        )  # fmt: skip
    except (GitError, OSError, ValueError) as error:
        return {"project": job.name, "language": job.language, "skipped": f"{type(error).__name__}: {error}"}
