"""Encoded corpora for language models: one .npz a project, made with the server's own tokeniser and encoder."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import random
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from editahead.encode.lm import NO_NAME, PARTS, LmArrays, LmEncoder, NameFlavour, detect_indent
from editahead.encode.vocab import Vocab, symbol_of
from editahead.syntax.language import Language, by_id
from editahead.syntax.tokens import TokenKind
from rich.progress import track

from editahead_models.data.broken_code import broken_code
from editahead_models.data.projects import DEV, TRAIN, Project, open_project
from editahead_models.data.source_files import blobs, directory_files, fingerprint, token_lines

STDLIB = "python-standard-library"


@dataclass(frozen=True)
class FileArrays:
    """One encoded file: LmArrays plus what only training needs. All (T,), `parts` (T, PARTS).

    `word`, `target` and `fallback` show names by their spelling; `kind_word` and `kind_target` show the names that
    the file declares by their kind alone; `surface` hashes the token's text, for models that count real names.
    """

    word: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int8]
    parts: npt.NDArray[np.int16]
    name: npt.NDArray[np.int32]
    target: npt.NDArray[np.int32]
    fallback: npt.NDArray[np.int32]
    seen: npt.NDArray[np.bool_]
    declared: npt.NDArray[np.bool_]
    kind_word: npt.NDArray[np.int32]
    kind_target: npt.NDArray[np.int32]
    surface: npt.NDArray[np.int64]


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


class _EncodeJob(NamedTuple):
    """What a worker process needs to encode one project."""

    project: Project
    language_id: str
    vocab_file: Path
    out: Path  # the folder of the corpus
    split: str
    keep: set[int]  # numbers of the files
    broken_share: float


def encode_file(content: bytes, language: Language, vocab: Vocab) -> FileArrays:
    """All columns of one source file, a start symbol before the first token."""
    lines = token_lines(content, language)
    unit = detect_indent(content)
    spelled = LmEncoder(vocab, NameFlavour.SPELLED, indent_unit=unit)
    by_kind = LmEncoder(vocab, NameFlavour.PLACEHOLDER, indent_unit=unit)
    spelled.extend_to(lines)
    by_kind.extend_to(lines)
    steps = [spelled.start_step(), *spelled.steps]
    masked = [by_kind.start_step(), *by_kind.steps]
    arrays = LmArrays.of(steps)
    texts = (vocab.symbols[s.word] if s.name == NO_NAME else spelled.names[s.name] for s in steps)
    return FileArrays(
        arrays.word,
        arrays.kind,
        arrays.parts,
        arrays.name,
        np.array([step.target for step in steps], np.int32),
        np.array([step.fallback for step in steps], np.int32),
        np.array([step.seen for step in steps], np.bool_),
        np.array([step.declared for step in steps], np.bool_),
        np.array([step.word for step in masked], np.int32),
        np.array([step.target for step in masked], np.int32),
        np.array([surface_hash(text) for text in texts], np.int64),
    )


@lru_cache(maxsize=1 << 18)
def surface_hash(text: str) -> int:
    """64 bits of a token's text: equal texts have equal hashes in every file."""
    return int.from_bytes(
        hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little", signed=True
    )


def _encode(job: _EncodeJob) -> tuple[str, int, int]:
    language = by_id(job.language_id)
    assert language is not None
    vocab = Vocab.from_json(json.loads(job.vocab_file.read_text()))
    whole: list[FileArrays] = []
    broken: list[FileArrays] = []
    places: list[int] = []  # of the broken files among the whole ones
    for number, (_, content) in enumerate(_project_files(job.project, job.language_id)):
        if number not in job.keep:
            continue
        chooser = random.Random(zlib.crc32(content))
        if job.broken_share and chooser.random() < job.broken_share:
            broken.append(encode_file(broken_code(content, chooser), language, vocab))
            places.append(len(whole))
        whole.append(encode_file(content, language, vocab))
    name = f"{job.project.name.replace('/', '+')}.npz"
    if whole:
        _store(job.out / job.split / name, whole)
    if broken:
        _store(job.out / f"{job.split}-broken" / name, broken, places=np.array(places))
    return job.project.name, len(whole), sum(len(file.word) for file in whole)


def _store(path: Path, files: list[FileArrays], **more: npt.NDArray[np.generic]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    columns = {name: np.concatenate([getattr(file, name) for file in files]) for name in FIELDS}
    with path.open("wb") as out:
        np.savez(out, lengths=np.array([len(file.word) for file in files]), **more, **columns)


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
    stdlib: Path | None = None,
    workers: int = 2,
    vocab_from: Path | None = None,
    broken_share: float = 0.0,
) -> None:
    """Write `out`/{vocab.json, data.json, train/*.npz, dev/*.npz} from the projects found below `mirror`.

    `vocab_from`: the vocabulary of an earlier corpus or of a bundle in place of a new one. `broken_share` of the
    training files are written a second time, as somebody who is still typing sees them, to train-broken/, and then
    every dev file is to dev-broken/.
    """
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
        if vocab_from is None:
            vocab = Vocab.from_counts(counts, vocab_size)
        else:
            vocab = Vocab.from_json(json.loads(vocab_from.read_text()))
        vocab_file = out / "vocab.json"
        vocab_file.write_text(json.dumps({**vocab.to_json(), "counts": [counts.get(s, 0) for s in vocab.symbols]}))
        encode_jobs = [
            _EncodeJob(
                project,
                language_id,
                vocab_file,
                out,
                split,
                keep[project.name],
                0.0 if not broken_share else broken_share if split == "train" else 1.0,
            )
            for split, project in jobs
        ]
        totals = {}
        for name, files, tokens in track(pool.imap(_encode, encode_jobs), "encode", total=len(jobs)):
            totals[name] = (files, tokens)
    manifest = {
        "language": language_id,
        "flavour": NameFlavour.SPELLED.value,
        "vocab_size": len(vocab),
        "distinct_symbols": len(counts),
        "broken_share": broken_share,
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


def load_files(folder: Path, *, max_tokens: int | None = None, broken: Path | None = None) -> list[FileArrays]:
    """Encoded files of a split, in file order; `max_tokens` takes a deterministic part of each project.

    `broken`: a folder whose files take the place of the whole ones that they were made from.
    """
    archives = sorted(folder.glob("*.npz"))
    share = None if max_tokens is None else max_tokens // max(1, len(archives))
    files: list[FileArrays] = []
    for path in archives:
        found, _ = _read(path)
        if broken is not None and (broken / path.name).exists():
            changed, places = _read(broken / path.name)
            for place, file in zip(places.tolist(), changed, strict=True):
                found[place] = file
        order = np.random.default_rng(0).permutation(len(found)) if share is not None else np.arange(len(found))
        taken = 0
        for n in order:
            files.append(found[n])
            taken += len(found[n].word)
            if share is not None and taken >= share:
                break
    assert all(file.parts.shape[1] == PARTS for file in files[:1])
    return files


def _read(path: Path) -> tuple[list[FileArrays], npt.NDArray[np.int64]]:
    """The files of an archive, and which whole files they replace (empty for whole files)."""
    with np.load(path, allow_pickle=False) as data:
        ends = np.cumsum(data["lengths"])
        columns = {name: data[name] for name in FIELDS}
        places = data["places"] if "places" in data else np.zeros(0, np.int64)
    starts = [0, *ends[:-1].tolist()]
    return [
        FileArrays(**{name: column[start:end] for name, column in columns.items()})
        for start, end in zip(starts, ends.tolist(), strict=True)
    ], places
