"""`editahead-models mine --repo`: git histories to instances of sub-word edits, in the form of the synthetic suite.

First each repository's edit chains, in tokens (`OUT/chains/`, one file a repository, on processes or on a Ray cluster,
kept when finished); then sub-words are learnt from the training ones, and `train.jsonl`, `dev.jsonl`, `test.jsonl`,
`subwords.json` and the report `mined.json` are written.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from editahead.git import GitError
from editahead.syntax.language import all_languages

from editahead_models.data.edits.chains import ChainLimits, chains
from editahead_models.data.edits.subword_edits import SubwordLimits, instance_of
from editahead_models.data.mining.file_history import histories
from editahead_models.data.projects import head_commit, licence_of
from editahead_models.data.shards import shard_runner
from editahead_models.data.subwords import SIZE, Subwords
from editahead_models.data.synthetic.instances import Instance, write_instances

REPORT, SUBWORDS = "mined.json", "subwords.json"
SPLITS = ("train", "dev", "test")


@dataclass(frozen=True)
class HistorySettings:
    """What is mined: languages (all when empty), newest commits, files of a repository, versions of a file, limits."""

    languages: tuple[str, ...] = ()
    commits: int = 12_000
    files: int = 400
    versions: int = 40
    tokens: int = 1000
    edits: int = 100
    seed: int = 7
    any_licence: bool = False


def mine_history(
    repositories: Sequence[Path],
    held_out: Sequence[Path],
    out: Path,
    settings: HistorySettings,
    *,
    vocab: int = SIZE,
    workers: int = 2,
    most: int | None = None,
) -> dict[str, Any]:
    """Mine repositories into `out`, at most `most` sequences of each; returns the report.

    Held-out ones go to the dev split (every third) and the test split; without any, a tenth of the files each do.
    ValueError when `out` holds other settings, or a split is empty.
    """
    folder = out / "chains"
    folder.mkdir(parents=True, exist_ok=True)
    _same_settings(out / "settings.json", asdict(settings))
    places = [*repositories, *held_out]
    with shard_runner(workers) as runner:
        records = list(runner.map(partial(_mine_one, folder, settings), places))
    split_of = {_name(path): SPLITS[1 + (number % 3 > 0)] for number, path in enumerate(held_out)}
    subwords = Subwords.learn(_counts(folder, records, split_of, most), vocab)
    found: dict[str, list[Instance]] = {split: [] for split in SPLITS}
    limits, seen = SubwordLimits(settings.tokens, settings.edits), set[str]()
    for record in records:
        left_out: Counter[str] = Counter()
        for chain, split in islice(_split_chains(folder, record, split_of), most):
            made = instance_of(chain, subwords, limits, record["project"])
            digest = hashlib.sha256(repr((made.initial, made.edits)).encode()).hexdigest() if made else ""
            reason = "too long" if made is None else "seen before" if digest in seen else ""
            left_out[reason or "kept"] += 1
            if made is not None and not reason:
                seen.add(digest)
                found[split].append(made)
        record["sequences"] = dict(left_out)
    report = {"settings": asdict(settings), "projects": records}
    return _write(out, found, subwords, report)


def _write(out: Path, found: dict[str, list[Instance]], subwords: Subwords, report: dict[str, Any]) -> dict[str, Any]:
    if not all(found.values()):
        raise ValueError(f"{out}: no instance in the {' or '.join(s for s in SPLITS if not found[s])} split; give more")
    digest = hashlib.sha256()
    counts = {}
    for split, instances in found.items():
        random.Random(split).shuffle(instances)
        write_instances(out / f"{split}.jsonl", instances)
        digest.update((out / f"{split}.jsonl").read_bytes())
        edits = sum(len(instance.edits) for instance in instances)
        counts[split] = {
            "instances": len(instances), "edits": edits, "mean edits": round(edits / len(instances), 1),
            "mean initial sub-words": round(sum(len(i.initial) for i in instances) / len(instances), 1),
            "projects": len({instance.task for instance in instances}),
        }  # fmt: skip
    (out / SUBWORDS).write_text(json.dumps({"texts": subwords.texts, "merges": subwords.merges}), encoding="utf-8")
    whole = {"data": digest.hexdigest()[:16], "subwords": len(subwords.texts), "splits": counts, **report}
    (out / REPORT).write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")
    return whole


def load_subwords(folder: Path) -> Subwords:
    """The sub-words of a mined folder."""
    raw = json.loads((folder / SUBWORDS).read_text(encoding="utf-8"))
    return Subwords(raw["texts"], [(one, two) for one, two in raw["merges"]])


def _mine_one(folder: Path, settings: HistorySettings, path: Path) -> dict[str, Any]:
    """The record of one repository; its chains are in `folder`, unless it was skipped."""
    name = _name(path)
    record_path = folder / f"{name}.record.json"
    if record_path.exists():
        return dict(json.loads(record_path.read_text(encoding="utf-8")))
    try:
        record = {"project": name, "commit": head_commit(path)}
        record["licence"] = licence_of(path) or ""
        if not record["licence"] and not settings.any_licence:
            return record | {"skipped": "no permissive licence file; --any-licence takes it all the same"}
        found = record | _write_chains(path, folder / f"{name}.jsonl", settings)
    except (GitError, OSError) as error:
        return {"project": name, "skipped": f"no git history: {type(error).__name__}"}
    record_path.write_text(json.dumps(found), encoding="utf-8")
    return found


def _write_chains(path: Path, target: Path, settings: HistorySettings) -> dict[str, int]:
    chosen = [language for language in all_languages() if language.id in settings.languages or not settings.languages]
    extensions = sorted({extension for language in chosen for extension in language.extensions})
    limits, rng = ChainLimits(settings.tokens, settings.edits), random.Random(f"{settings.seed}:{target.stem}")
    files = versions = count = 0
    with target.open("w", encoding="utf-8") as file:
        for history in histories(
            path, extensions, commits=settings.commits, files=settings.files, versions=settings.versions,
            seed=settings.seed,
        ):  # fmt: skip
            files, versions = files + 1, versions + len(history.texts)
            for chain in chains(history.texts, limits, rng):
                file.write(json.dumps({"path": history.path, **chain.record()}) + "\n")
                count += 1
    return {"files": files, "versions": versions, "mined": count}


def _split_chains(
    folder: Path, record: dict[str, Any], split_of: dict[str, str]
) -> Iterator[tuple[dict[str, Any], str]]:
    """The chains of a record, and the split of each."""
    if "skipped" in record:
        return
    name = record["project"]
    with (folder / f"{name}.jsonl").open(encoding="utf-8") as file:
        for line in file:
            chain = json.loads(line)
            share = hashlib.sha256(f"{name}/{chain['path']}".encode()).digest()[0] % 10
            by_file = SPLITS[share + 1 if share < 2 else 0]
            yield chain, split_of.get(name, "train" if split_of else by_file)


def _counts(
    folder: Path,
    records: Sequence[dict[str, Any]],
    split_of: dict[str, str],
    most: int | None,
) -> Counter[str]:
    """Tokens of the training chains."""
    counts: Counter[str] = Counter()
    for record in records:
        for chain, split in islice(_split_chains(folder, record, split_of), most):
            if split == "train":
                counts.update(chain["initial"])
                for _, _, new in chain["hunks"]:
                    counts.update(new)
    return counts


def _name(path: Path) -> str:
    """OWNER+NAME of a mirror's OWNER+NAME/repo, else the folder's own name."""
    whole = path.resolve()
    return whole.parent.name if whole.name in ("repo", ".git") else whole.name


def _same_settings(path: Path, settings: dict[str, Any]) -> None:
    now = json.dumps(settings)
    if path.exists() and path.read_text(encoding="utf-8") != now:
        raise ValueError(f"{path.parent}: holds sequences of other settings; choose another folder")
    path.write_text(now, encoding="utf-8")
