"""Mine token edits of many projects into shards, one a project.

Finished shards are kept, so that a run can be resumed.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

from editahead.git import GitError

from editahead_models.data.edit_instances import Limits, Shard, change_digest, instances
from editahead_models.data.git_mining import file_changes
from editahead_models.data.projects import Project, open_project
from editahead_models.data.splits import projects_of

EXTENSIONS = {"python": ".py", "java": ".java"}


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
    shard, seen, used = Shard(), set[str](), 0
    for change in file_changes(project.path, EXTENSIONS[language], commits=commits, limit=changes, seed=seed):
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


def mine(
    mirror: Path, out: Path, *, changes: int = 2500, commits: int = 12000, seed: int = 7, part: tuple[int, int] = (0, 1)
) -> None:
    """Mine the projects of dev, fit and train into a folder each; `part` (i, n) takes every n-th project only."""
    from rich.progress import Progress

    work = [
        (split, language, name)
        for split in ("dev", "fit", "train")
        for language in EXTENSIONS
        for name in projects_of(split, language)
    ]
    work = work[part[0] :: part[1]]
    with Progress() as progress:
        bar = progress.add_task("mining", total=len(work))
        for split, language, name in work:
            target = out / split / f"{name.replace('/', '+')}.npz"
            target.parent.mkdir(parents=True, exist_ok=True)
            record_path = target.with_suffix(".json")
            if not record_path.exists():
                record = _mine_one(mirror, name, language, target, changes=changes, commits=commits, seed=seed)
                record_path.write_text(json.dumps(record, indent=1))
                progress.console.print_json(data=record, indent=None)
            progress.advance(bar)


def _mine_one(mirror: Path, name: str, language: str, target: Path, **options: int) -> dict[str, Any]:
    project = open_project(mirror, name)
    if project is None:
        return {"project": name, "language": language, "skipped": "not in the mirror"}
    try:
        return mine_project(project, language, target, limits=Limits(), **options)
    except (GitError, OSError, ValueError) as error:
        return {"project": name, "language": language, "skipped": f"{type(error).__name__}: {error}"}
