"""Encoded corpora for language models: one .npz a project, made with the server's own tokeniser and encoder."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from editahead.encode.lm import PARTS, LmArrays, LmEncoder, NameFlavour, detect_indent
from editahead.encode.vocab import Vocab, symbol_of
from editahead.syntax.language import by_id
from editahead.syntax.tokens import TokenKind
from rich.progress import track

from editahead_models.data.projects import DEV, TRAIN, Project, open_project
from editahead_models.data.source_files import blobs, directory_files, fingerprint, token_lines

STDLIB = "python-standard-library"


@dataclass(frozen=True)
class FileArrays:
    """One encoded file: LmArrays plus what only training needs. All (T,), `parts` (T, PARTS)."""

    word: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int8]
    parts: npt.NDArray[np.int16]
    name: npt.NDArray[np.int32]
    target: npt.NDArray[np.int32]
    fallback: npt.NDArray[np.int32]
    seen: npt.NDArray[np.bool_]
    declared: npt.NDArray[np.bool_]


FIELDS = tuple(FileArrays.__dataclass_fields__)


def _project_files(project: Project, language_id: str) -> Iterator[tuple[str, bytes]]:
    language = by_id(language_id)
    assert language is not None
    return directory_files(project.path, language) if project.name == STDLIB else blobs(project, language)


def _count(job: tuple[Project, str]) -> tuple[Project, Counter[str], list[str], int]:
    """Symbols of a project, and the fingerprint of each file in order (empty for tiny files)."""
    project, language_id = job
    language = by_id(language_id)
    assert language is not None
    counts: Counter[str] = Counter()
    prints: list[str] = []
    total = 0
    for _, content in _project_files(project, language_id):
        lines = token_lines(content, language)
        symbols = [symbol_of(token) for line in lines for token in line if token.kind is not TokenKind.NEWLINE]
        prints.append(fingerprint(lines) if len(symbols) > 20 else "")
        counts.update(symbols)
        total += len(symbols)
    return project, counts, prints, total


def _encode(job: tuple[Project, str, Path, Path, str, set[int]]) -> tuple[str, int, int]:
    project, language_id, vocab_file, target, flavour, keep = job
    language = by_id(language_id)
    assert language is not None
    vocab = Vocab.from_json(json.loads(vocab_file.read_text()))
    columns: dict[str, list[npt.NDArray[np.generic]]] = {name: [] for name in FIELDS}
    lengths: list[int] = []
    for number, (_, content) in enumerate(_project_files(project, language_id)):
        if number not in keep:
            continue
        encoder = LmEncoder(vocab, NameFlavour(flavour), indent_unit=detect_indent(content))
        encoder.extend_to(token_lines(content, language))
        steps = [encoder.start_step(), *encoder.steps]
        arrays = LmArrays.of(steps)
        for name in ("word", "kind", "parts", "name"):
            columns[name].append(getattr(arrays, name))
        columns["target"].append(np.array([step.target for step in steps], np.int32))
        columns["fallback"].append(np.array([step.fallback for step in steps], np.int32))
        columns["seen"].append(np.array([step.seen for step in steps], np.bool_))
        columns["declared"].append(np.array([step.declared for step in steps], np.bool_))
        lengths.append(len(steps))
    if not lengths:
        return project.name, 0, 0
    with target.open("wb") as out:
        np.savez(out, lengths=np.array(lengths), **{name: np.concatenate(parts) for name, parts in columns.items()})
    return project.name, len(lengths), sum(lengths)


def first_seen(prints: list[str], seen: set[str]) -> set[int]:
    """Numbers of the files whose code was not seen before, in this project or an earlier one; `seen` grows."""
    kept = set()
    for number, mark in enumerate(prints):
        if mark and mark not in seen:
            kept.add(number)
            seen.add(mark)
    return kept


def prepare(
    language_id: str,
    mirror: Path,
    out: Path,
    *,
    vocab_size: int,
    flavour: str = NameFlavour.SPELLED.value,
    stdlib: Path | None = None,
    workers: int = 2,
) -> None:
    """Write `out`/{vocab.json, data.json, train/*.npz, dev/*.npz} from the projects found below `mirror`."""
    (out / "train").mkdir(parents=True, exist_ok=True)
    (out / "dev").mkdir(parents=True, exist_ok=True)
    jobs: list[tuple[str, Project]] = []
    for split, names in (("train", TRAIN[language_id]), ("dev", DEV[language_id])):
        for name in names:
            project = open_project(mirror, name)
            if project is None or (split == "train" and project.licence is None):
                print(f"skipped {name}: {'not found' if project is None else 'no permissive licence recognised'}")
                continue
            jobs.append((split, project))
    if stdlib is not None:
        jobs.append(("train", Project(STDLIB, stdlib, stdlib.name, "PSF")))
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    keep: dict[str, set[int]] = {}
    splits = {project.name: split for split, project in jobs}
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers) as pool:
        results = pool.imap(_count, [(project, language_id) for _, project in jobs])
        for project, found, prints, _ in track(results, "count", total=len(jobs)):
            if splits[project.name] == "train":
                counts.update(found)
            keep[project.name] = first_seen(prints, seen)
        vocab = Vocab.from_counts(counts, vocab_size)
        vocab_file = out / "vocab.json"
        vocab_file.write_text(json.dumps(vocab.to_json()))
        encode_jobs = [
            (
                project,
                language_id,
                vocab_file,
                out / split / f"{project.name.replace('/', '+')}.npz",
                flavour,
                keep[project.name],
            )
            for split, project in jobs
        ]
        totals = {}
        for name, files, tokens in track(pool.imap(_encode, encode_jobs), "encode", total=len(jobs)):
            totals[name] = (files, tokens)
    manifest = {
        "language": language_id,
        "flavour": flavour,
        "vocab_size": len(vocab),
        "projects": [
            {
                **asdict(project),
                "path": None,
                "split": split,
                "files": totals[project.name][0],
                "tokens": totals[project.name][1],
            }
            for split, project in jobs
        ],
    }
    manifest["data_hash"] = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()[:16]
    (out / "data.json").write_text(json.dumps(manifest, indent=1))


def load_files(folder: Path, *, max_tokens: int | None = None) -> list[FileArrays]:
    """Encoded files of a split, in file order; `max_tokens` takes a deterministic part of each project."""
    archives = sorted(folder.glob("*.npz"))
    share = None if max_tokens is None else max_tokens // max(1, len(archives))
    files: list[FileArrays] = []
    for path in archives:
        with np.load(path, allow_pickle=False) as data:
            ends = np.cumsum(data["lengths"])
            columns = {name: data[name] for name in FIELDS}
        order = np.random.default_rng(0).permutation(len(ends)) if share is not None else np.arange(len(ends))
        taken = 0
        for n in order:
            start = 0 if n == 0 else int(ends[n - 1])
            files.append(FileArrays(**{name: column[start : ends[n]] for name, column in columns.items()}))
            taken += int(ends[n]) - start
            if share is not None and taken >= share:
                break
    assert all(file.parts.shape[1] == PARTS for file in files[:1])
    return files
