"""Records of golden answers: one JSON-lines file a part, and a header that says of what they are."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from editahead.runtime.bundle import find_bundles, load_bundle

from editahead_models.commit import short_head
from editahead_models.data.corpus.source_files import main_language
from editahead_models.data.projects import open_project
from editahead_models.data.splits import languages, projects_of
from editahead_models.evaluate.golden.answers import RecordedAnswer, hash_buckets, read_answers, write_answers
from editahead_models.evaluate.golden.parts import (
    DevProject,
    record_checks,
    record_completions,
    record_facts,
    record_next_edits,
    record_transcripts,
)
from editahead_models.publishing.ledger import digest
from editahead_models.replay.places import source_files

Recorder = Callable[[DevProject, int, int], Iterator[RecordedAnswer]]
PARTS: dict[str, tuple[Recorder, float]] = {
    "next-edits": (record_next_edits, 1.0),
    "facts": (record_facts, 0.15),
    "transcripts": (record_transcripts, 0.025),
    "completions": (record_completions, 1.0),
    "check": (record_checks, 0.1),
}
"""How each part is recorded, and how many requests (files, sessions, commits) of it there are for each moment."""
HEADER = "record.json"
ROOT = Path(__file__).parents[4]
"""The repository."""
DIGEST = ROOT / "models" / "data" / "golden.json"
"""The hashes of a small record of an earlier commit."""


def open_dev_projects(mirror: Path) -> list[tuple[str, list[DevProject]]]:
    """The dev projects below `mirror` that may be read, by language."""
    projects: list[tuple[str, list[DevProject]]] = []
    for language_id in languages("dev"):
        opened: list[DevProject] = []
        for name in projects_of("dev", language_id):
            project = open_project(mirror, name)
            main = main_language(project, language_id) if project is not None and project.licence else None
            if project is not None and main is not None:
                opened.append(DevProject(project, list(source_files(project, language_id)), *main))
        if opened:
            projects.append((language_id, opened))
    return projects


def share_out(count: int, groups: Iterable[int]) -> list[list[int]]:
    """Share a count evenly among groups, and the share of each evenly among its members."""
    sizes = list(groups)
    shares = [count // len(sizes) + (number < count % len(sizes)) for number in range(len(sizes))]
    return [
        [share // size + (number < share % size) for number in range(size)]
        for share, size in zip(shares, sizes, strict=True)
    ]


def write_record(
    folder: Path, mirror: Path, parts: Iterable[str], count: int, seed: int, report: Callable[[str], None]
) -> dict[str, Any]:
    """Write a record and return its header. Raises ValueError without projects, and what the parts raise."""
    projects = open_dev_projects(mirror)
    if not projects:
        raise ValueError(f"{mirror} holds no dev project of models/data/splits.toml")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / HEADER).unlink(missing_ok=True)
    counts: dict[str, int] = {}
    for part in parts:
        recorder, scale = PARTS[part]
        shares = share_out(max(len(projects), round(count * scale)), (len(group) for _, group in projects))
        requests = [
            (source, share)
            for (_, group), group_shares in zip(projects, shares, strict=True)
            for source, share in zip(group, group_shares, strict=True)
            if share
        ]
        counts[part] = write_answers(folder / f"{part}.jsonl", _answers(recorder, requests, seed, report))
        report(f"{part}: {counts[part]} answers")
    heads = [f"{source.project.name} {source.project.commit}" for _, group in projects for source in group]
    header = {
        "commit": short_head(ROOT, "server", "models"),
        "bundles": _hash(f"{path.name} {digest(load_bundle(path))}" for path in find_bundles()),
        "data": _hash(heads),
        "seed": seed,
        "count": count,
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "answers": counts,
    }
    (folder / HEADER).write_text(json.dumps(header, indent=1) + "\n", encoding="utf-8")
    return header


def _answers(
    recorder: Recorder, requests: list[tuple[DevProject, int]], seed: int, report: Callable[[str], None]
) -> Iterator[RecordedAnswer]:
    for source, share in requests:
        report(f"{recorder.__name__} {source.project.name}")
        yield from recorder(source, share, seed)


def _hash(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def read_header(folder: Path) -> dict[str, Any]:
    """The header of a finished record. Raises ValueError if there is none."""
    path = folder / HEADER
    if not path.is_file():
        raise ValueError(f"{folder} holds no finished record: {HEADER} is not there")
    header: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return header


def digest_of(folder: Path) -> dict[str, Any]:
    """The header of a record with the hashes of its parts: no code. Raises ValueError if there is no record."""
    header = read_header(folder)
    parts = {part: hash_buckets(read_answers(folder / f"{part}.jsonl")) for part in header["answers"]}
    hashes = {part: _hash(buckets) for part, buckets in parts.items()}
    return {**header, "parts": hashes, "buckets": {part: " ".join(hashes) for part, hashes in parts.items()}}
