"""Prepare the corpus of a language model: count symbols, drop near-duplicates, encode each project.

Two passes over the projects of all splits, in worker processes. Where the recipe limits the size of the corpus, files
of the largest training projects are left out before. The first pass counts tokens and signs every file; then
near-duplicates leave the split with the lesser right (never, test, dev, fit, train), projects above a twentieth of the
training tokens keep a share of their files, and the vocabulary is chosen. The second pass encodes train and dev.
"""

from __future__ import annotations

import hashlib
import json
import random
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from editahead.encode.language_model.encoder import NameFlavour
from editahead.encode.language_model.vocabulary import Vocab, symbol_of
from editahead.syntax.language import Language
from editahead.syntax.tokens import TokenKind

from editahead_models.data.corpus.broken_code import broken_code
from editahead_models.data.corpus.encoded_files import FileArrays, encode_file, store_files
from editahead_models.data.corpus.near_duplicates import NearDuplicateFilter, Signature, signature
from editahead_models.data.corpus.source_files import blobs, directory_files, languages_of_model, token_lines
from editahead_models.data.projects import Project, open_project
from editahead_models.data.shards import ShardStore, shard_runner
from editahead_models.data.splits import excluded_projects, projects_of, publishing_projects

STDLIB = "python-standard-library"
ORDER = ("never", "test", "dev", "fit", "train")  # who keeps a file that stands in several
LARGEST_SHARE = 0.05  # of a language's training tokens that one project may give
_UNCOUNTED = (TokenKind.COMMENT, TokenKind.NEWLINE)
_SMALLEST_FILE = 20  # code tokens


@dataclass(frozen=True)
class CountedFile:
    """A file of the first pass: its path, its code tokens and its MinHash, as little-endian 64-bit integers."""

    path: str
    tokens: int
    minhash: bytes | None

    @property
    def signature(self) -> Signature | None:
        """The MinHash (PERMUTATIONS,)."""
        return None if self.minhash is None else np.frombuffer(self.minhash, "<u8").astype(np.uint64)


class _CountJob(NamedTuple):
    project: Project
    language_id: str
    split: str
    share: float = 1.0  # of the files, by a hash of the path


class _EncodeJob(NamedTuple):
    """What a worker process needs to encode one project."""

    project: Project
    language_id: str
    vocab_file: Path
    out: Path  # the folder of the corpus
    split: str
    keep: frozenset[str]  # paths of the files
    broken_share: float


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
    dev_only: bool = False,
    most_bytes: int | None = None,
) -> None:
    """Write `out`/{vocab.json, data.json, train/*.npz, dev/*.npz} from the projects found below `mirror`.

    `vocab_from`: the vocabulary of an earlier corpus or of a bundle in place of a new one. `broken_share` of the
    training files are written a second time, as somebody who is still typing sees them, to train-broken/, and then
    every dev file is to dev-broken/. `dev_only` writes the dev files of the whole corpus and no others, with the
    vocabulary `vocab_from` (ValueError without it). No more than `most_bytes` are read from the training projects:
    the largest of them give as much each. An interrupted run goes on with the projects that are left.
    """
    if dev_only and vocab_from is None:
        raise ValueError("a corpus of dev files alone needs the vocabulary of another")
    for split in ("train", "dev"):
        (out / split).mkdir(parents=True, exist_ok=True)
    jobs, missing = _jobs(language_id, mirror, stdlib, ORDER[: ORDER.index("dev") + 1] if dev_only else ORDER)
    if missing:
        print(f"left out {len(missing)} projects (the reasons are in data.json): {', '.join(missing)}")
    store, code = ShardStore(out / "unfinished"), version("editahead")
    with shard_runner(workers) as runner:
        if most_bytes is not None:
            keys = [f"{code} {job.language_id} {job.project.name} {job.project.commit}" for job in jobs]
            jobs = _drawn(jobs, list(store.run(runner, "size", _source_bytes, jobs, keys, (int, int))), most_bytes)
        keys = [_count_key(code, job) for job in jobs]
        counted = store.run(runner, "count", _count, jobs, keys, (_pack_count, _unpack_count))
        keep, dropped, counts = _kept(jobs, counted)
        vocab = _vocabulary(counts, vocab_size, vocab_from)
        vocab_file = out / "vocab.json"
        vocab_file.write_text(json.dumps({**vocab.to_json(), "counts": [counts.get(s, 0) for s in vocab.symbols]}))
        encode_jobs = [
            _EncodeJob(job.project, language_id, vocab_file, out, job.split, keep[job.project.name],
                       0.0 if not broken_share else broken_share if job.split == "train" else 1.0)
            for job in jobs if job.split in ("train", "dev")
        ]  # fmt: skip
        about = hashlib.sha256(vocab_file.read_bytes()).hexdigest()
        keys = [
            f"{code} {about} {job.language_id} {job.split} {job.project.name} {job.project.commit} "
            f"{job.broken_share} {sorted(job.keep)}"
            for job in encode_jobs
        ]
        encoded = store.run(runner, "encode", _encode, encode_jobs, keys, (list, tuple))
        totals = {name: (files, tokens) for name, files, tokens in encoded}
    manifest = {
        "language": language_id,
        "flavour": NameFlavour.SPELLED.value,
        "vocab_size": len(vocab),
        "distinct_symbols": len(counts),
        "broken_share": broken_share,
        "near_duplicates_dropped": dropped,
        "missing": missing,
        "projects": [
            {**asdict(job.project), "path": None, "split": job.split, "files": totals[job.project.name][0],
             "tokens": totals[job.project.name][1]}
            for job in encode_jobs
        ],
    }  # fmt: skip
    manifest["data_hash"] = hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()[:16]
    (out / "data.json").write_text(json.dumps(manifest, indent=1))
    store.clear()


def equal_shares(sizes: Mapping[str, int], most: int) -> dict[str, float]:
    """The share of each project's files that makes `most` bytes of all: small projects are whole, the others alike."""
    left, shares = most, dict.fromkeys(sizes, 1.0)
    ordered = sorted(sizes, key=lambda name: (sizes[name], name))
    for number, name in enumerate(ordered):
        largest = left / (len(ordered) - number)
        if sizes[name] > largest:
            shares[name] = largest / sizes[name]
        left -= min(sizes[name], int(largest))
    return shares


def share_of_files(paths: Sequence[str], share: float) -> list[str]:
    """The files that a hash of the path puts into the first `share` of them: the same ones on every machine."""
    return [path for path in paths if zlib.crc32(path.encode("utf-8", "surrogatepass")) < share * 2**32]


def limited_shares(tokens: Mapping[str, int], largest: float = LARGEST_SHARE) -> dict[str, float]:
    """The share of each project's files that keeps every project at or below `largest` of what remains.

    With few projects a project may be twice the mean: else the smallest of them would decide how much the others give.
    """
    largest = max(largest, 2 / max(1, len(tokens)))
    if largest >= 1:
        return dict.fromkeys(tokens, 1.0)
    shares = dict.fromkeys(tokens, 1.0)
    for _ in range(100):
        total = sum(count * shares[name] for name, count in tokens.items())
        above = [name for name, count in tokens.items() if count * shares[name] > largest * total * 1.001]
        if not above:
            break
        for name in above:
            shares[name] = largest * total / tokens[name]
    return shares


def _jobs(
    language_id: str, mirror: Path, stdlib: Path | None, splits: Iterable[str]
) -> tuple[list[_CountJob], dict[str, str]]:
    """The projects at hand in the order of their right to keep a file, and why others are left out."""
    jobs: list[_CountJob] = []
    missing: dict[str, str] = {}
    for split in splits:
        for name in _names(split, language_id):
            project = open_project(mirror, name)
            if project is None:
                missing[name] = f"{split}, not found"
            elif split == "train" and project.licence is None:
                missing[name] = f"{split}, no permissive licence recognised"
            else:
                jobs.append(_CountJob(project, language_id, split))
    if stdlib is not None:
        jobs.append(_CountJob(Project(STDLIB, stdlib, stdlib.name, "PSF"), language_id, "train"))
    return jobs, missing


def _drawn(jobs: Sequence[_CountJob], sizes: Sequence[int], most_bytes: int) -> list[_CountJob]:
    """The jobs with shares of the training projects' files, of no more than `most_bytes` together."""
    training = {job.project.name: size for job, size in zip(jobs, sizes, strict=True) if job.split == "train"}
    shares = equal_shares(training, most_bytes)
    return [job._replace(share=shares.get(job.project.name, 1.0)) for job in jobs]


def _count_key(code: str, job: _CountJob) -> str:
    """All that the counts of a project depend on."""
    key = f"{code} {job.language_id} {job.split} {job.project.name} {job.project.commit}"
    return key if job.share == 1 else f"{key} {job.share}"


def _names(split: str, language_id: str) -> tuple[str, ...]:
    if split == "never":
        return excluded_projects(language_id)
    return publishing_projects(language_id) if split == "test" else projects_of(split, language_id)


def _vocabulary(counts: Counter[str], size: int, given: Path | None) -> Vocab:
    if given is None:
        return Vocab.from_counts(counts, size)
    return Vocab.from_json(json.loads(given.read_text()))


def _kept(
    jobs: Iterable[_CountJob], counted: Iterable[tuple[str, tuple[list[CountedFile], Counter[str]]]]
) -> tuple[dict[str, frozenset[str]], dict[str, int], Counter[str]]:
    """Paths to keep by project, near-duplicates dropped by split, and the symbols of the training projects.

    Of what was counted, only paths and the signatures of the kept files stay in memory.
    """
    unique = NearDuplicateFilter()
    keep: dict[str, frozenset[str]] = {}
    dropped = dict.fromkeys(ORDER, 0)
    tokens: dict[str, int] = {}
    drawn: dict[str, float] = {}
    counts: Counter[str] = Counter()
    for job, (name, (all_files, symbols)) in zip(jobs, counted, strict=True):
        before = unique.dropped
        counts.update(symbols)
        files = [
            file for file in all_files
            if file.tokens > _SMALLEST_FILE and unique.accept(f"{name}:{file.path}", file.signature)
        ]  # fmt: skip
        keep[name] = frozenset(file.path for file in files)
        dropped[job.split] += unique.dropped - before
        if job.split == "train":
            tokens[name] = sum(file.tokens for file in files)
            drawn[name] = job.share
    for name, share in limited_shares(tokens).items():
        if share < 1:
            keep[name] = frozenset(share_of_files(sorted(keep[name]), share * drawn[name]))
    return keep, dropped, counts


def _source_files(project: Project, language_id: str) -> Iterator[tuple[str, bytes, Language]]:
    """Path, content and language of the files that a model may learn from."""
    for language in languages_of_model(language_id):
        files = directory_files(project.path, language) if project.name == STDLIB else blobs(project, language)
        for path, content in files:
            yield path, content, language


def _source_bytes(job: _CountJob) -> int:
    """The size of a project's files that a model may learn from; of other splits nobody asks."""
    if job.split != "train":
        return 0
    return sum(len(content) for _, content, _ in _source_files(job.project, job.language_id))


def _count(job: _CountJob) -> tuple[str, tuple[list[CountedFile], Counter[str]]]:
    """The files of a project, a language at a time, and how often each symbol stands in those of training projects."""
    counts: Counter[str] = Counter()
    files: list[CountedFile] = []
    for path, content, language in _source_files(job.project, job.language_id):
        if job.share < 1 and not share_of_files([path], job.share):
            continue
        lines = token_lines(content, language)
        code = [token for line in lines for token in line if token.kind not in _UNCOUNTED]
        minhash = signature([token.text for token in code])
        files.append(CountedFile(path, len(code), None if minhash is None else minhash.astype("<u8").tobytes()))
        if job.split == "train":
            counts.update(symbol_of(token) for line in lines for token in line if token.kind is not TokenKind.NEWLINE)
    return job.project.name, (files, counts)


def _pack_count(result: tuple[str, tuple[list[CountedFile], Counter[str]]]) -> Any:
    """The result of `_count` as JSON values."""
    name, (files, counts) = result
    return [name, [[file.path, file.tokens, file.minhash and file.minhash.hex()] for file in files], counts]


def _unpack_count(stored: Any) -> tuple[str, tuple[list[CountedFile], Counter[str]]]:
    name, files, counts = stored
    made = [CountedFile(path, tokens, minhash and bytes.fromhex(minhash)) for path, tokens, minhash in files]
    return name, (made, Counter(counts))


def _encode(job: _EncodeJob) -> tuple[str, int, int]:
    """Write the archives of a project; its name, files and tokens."""
    vocab = Vocab.from_json(json.loads(job.vocab_file.read_text()))
    whole: list[FileArrays] = []
    broken: list[FileArrays] = []
    places: list[int] = []  # of the broken files among the whole ones
    for path, content, language in _source_files(job.project, job.language_id):
        if path not in job.keep:
            continue
        chooser = random.Random(zlib.crc32(content))
        if job.broken_share and chooser.random() < job.broken_share:
            broken.append(encode_file(broken_code(content, chooser), language, vocab))
            places.append(len(whole))
        whole.append(encode_file(content, language, vocab))
    name = f"{job.project.name.replace('/', '+')}.npz"
    if whole:
        store_files(job.out / job.split / name, whole)
    if broken:
        store_files(job.out / f"{job.split}-broken" / name, broken, places=places)
    return job.project.name, len(whole), sum(len(file.word) for file in whole)
