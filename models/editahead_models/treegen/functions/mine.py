"""`editahead-models mine functions`: pairs of description and body out of the projects' newest files."""

from __future__ import annotations

import gzip
import json
import random
import re
import sys
import sysconfig
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Any

import typer
from editahead.encode.tree_generation.steps import Description
from editahead.git import GitError, tree_files

from editahead_models.data.mining.git_changes import MAX_BLOB, MAX_LINE, blob_texts, skipped
from editahead_models.data.projects import open_project
from editahead_models.data.splits import projects_of
from editahead_models.treegen.functions.pairs import Cut, FunctionLimits, Pair, functions_of

REPORT = "functions.json"
LIBRARY = "python/cpython"  # the library of the running Python
LOOK = ("pallets/click", "jd/tenacity", "fabric/fabric", "agronholm/anyio", "simonw/sqlite-utils")
"""Training projects that training only looks at, to choose its best epoch."""
_TEST = re.compile(
    r"(^|/)(tests?|testing|test_\w+|benchmarks?|docs|examples?|idlelib|lib2to3|dist-packages)/"
    r"|(^|/)(test_\w*|\w*_test|conftest)\.py$"
)
_SAME = 2  # functions of one name and body that a project may give


def splits() -> dict[str, list[str]]:
    """Projects by what they are for: train, look (the best epoch), fit (calibration), dev (figures)."""
    train = [name for name in (LIBRARY, *projects_of("train", "python")) if name not in LOOK]
    held_out = {split: list(projects_of(split, "python")) for split in ("dev", "fit")}
    return {**held_out, "look": list(LOOK), "train": train}


def mine_project(
    mirror: Path, name: str, limits: FunctionLimits, most: int, seed: int
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """The pairs of a project as JSON values, at most so many, and its record: commit, licence, counts."""
    rng, counts = random.Random(f"{seed}:{name}"), Counter[str]()
    record: dict[str, Any] = {"project": name}
    if name == LIBRARY:
        texts, record = _library(), record | {"commit": sys.version.split()[0], "licence": "PSF"}
    else:
        project = open_project(mirror, name)
        if project is None or project.licence is None:
            return [], record | {"skipped": "not in the mirror" if project is None else "no permissive licence file"}
        texts, record = _files(project.path), record | {"commit": project.commit, "licence": project.licence}
    found: list[dict[str, Any]] = []
    same: Counter[tuple[str, str]] = Counter()
    files = sorted(texts)
    rng.shuffle(files)
    for path, blob, text in files:
        if len(found) >= most:
            break
        if max(map(len, text.split("\n"))) > MAX_LINE:
            counts["file of long lines"] += 1
            continue
        try:
            pairs = list(functions_of(text, limits, rng, counts))
        except (SyntaxError, ValueError, RecursionError):
            counts["file not parsed"] += 1
            continue
        for pair in pairs:
            same[pair.name, pair.body] += 1
            if same[pair.name, pair.body] > _SAME:
                counts["seen before"] += 1
            else:
                found.append({"path": path, "blob": blob, **to_json(pair)})
    found = found[:most]
    return found, record | {"kept": len(found), "counts": dict(sorted(counts.items()))}


def to_json(pair: Pair) -> dict[str, Any]:
    """A pair as plain values."""
    return {
        "name": pair.name, "words": pair.description.words, "copies": pair.description.copies, "body": pair.body,
        "documented": pair.documented, "cut": list(pair.cut), "short": pair.short,
    }  # fmt: skip


def from_json(raw: dict[str, Any]) -> Pair:
    """The pair that `to_json` wrote."""
    description = Description(tuple(raw["words"]), tuple(raw["copies"]))
    return Pair(raw["name"], description, raw["body"], raw["documented"], Cut(*raw["cut"]), raw["short"])


def read_project(folder: Path, name: str) -> list[dict[str, Any]]:
    """What was mined of a project; empty when nothing was."""
    file = folder / f"{name.replace('/', '+')}.jsonl.gz"
    if not file.exists():
        return []
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _files(repository: Path) -> list[tuple[str, str, str]]:
    """(path, blob, text) of the Python files at HEAD that are neither tests nor foreign."""
    files = tree_files(repository, "HEAD", bare=True)
    chosen = [(path, blob) for path, blob in files if path.endswith(".py") and _ours(path)]
    texts = blob_texts(repository, [blob for _, blob in chosen])
    return [(path, blob, text) for (path, blob), text in zip(chosen, texts, strict=True) if text]


def _ours(path: str) -> bool:
    return not (skipped(path) or _TEST.search(path))


def _library() -> list[tuple[str, str, str]]:
    root = Path(sysconfig.get_paths()["stdlib"])
    return list(_library_files(root))


def _library_files(root: Path) -> Iterator[tuple[str, str, str]]:
    for file in sorted(root.rglob("*.py")):
        path = file.relative_to(root).as_posix()
        if not _ours(path) or file.stat().st_size > MAX_BLOB:
            continue
        try:
            yield path, "", file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue


def mine(mirror: Path, out: Path, limits: FunctionLimits, most: int, seed: int) -> dict[str, Any]:
    """Write a file for each project that has none yet, and the report.

    Raises ValueError for a folder with other settings.
    """
    from rich.progress import track

    out.mkdir(parents=True, exist_ok=True)
    report = out / REPORT
    settings = {"limits": asdict(limits), "most": most, "seed": seed}
    held: dict[str, Any] = json.loads(report.read_text("utf-8")) if report.exists() else {**settings, "projects": []}
    if {key: held[key] for key in settings} != settings:
        raise ValueError(f"{out}: holds pairs that were mined with other settings; choose another folder")
    done = {record["project"] for record in held["projects"]}
    for split, names in splits().items():
        for name in track([n for n in names if n not in done], description=f"mining {split}", transient=True):
            try:
                pairs, record = mine_project(mirror, name, replace(limits, every=split != "train"), most, seed)
            except (GitError, OSError) as error:
                pairs, record = [], {"project": name, "skipped": f"no git history: {type(error).__name__}"}
            with gzip.open(out / f"{name.replace('/', '+')}.jsonl.gz", "wt", compresslevel=3, encoding="utf-8") as file:
                file.writelines(json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs)
            held["projects"].append({"split": split, **record})
            report.write_text(json.dumps(held, indent=1) + "\n", encoding="utf-8")
            print(json.dumps(held["projects"][-1]), flush=True)
    return held


def main(
    mirror: Annotated[Path, typer.Option(help="Folder of git repositories, OWNER+NAME/repo or OWNER/NAME.")],
    out: Annotated[Path, typer.Option(help="Where the pairs go; projects that are there are not mined again.")],
    most: Annotated[int, typer.Option(help="At most this many functions a project.")] = 1200,
    statements: Annotated[int, typer.Option(help="Statements of a body at most.")] = 4,
    steps: Annotated[int, typer.Option(help="Rules of a body at most, terminals counted.")] = 64,
    seed: Annotated[int, typer.Option(help="Which functions are drawn.")] = 7,
) -> None:
    """Mine short functions of the listed projects, each as what stands before its body, and the body."""
    mine(mirror, out, FunctionLimits(statements=statements, steps=steps), most, seed)
