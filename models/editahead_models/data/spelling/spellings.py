"""What a speller learns from: names that the frozen language model could only call new, with its state before each.

One archive a split, N examples: `state` (N, d) float16, the model's hidden state before the name; `name` (N,) and
`recent` (N, R), numbers in `names.json`, the latter the names that the file used last, newest first, -1 for none;
`kind` (N,) the role + 1; `once` (N,) whether the file says the name nowhere else; `project` (N,).
"""

from __future__ import annotations

import json
import random
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.encode.language_model.encoder import LmArrays, LmEncoder, detect_indent
from editahead.encode.language_model.pointer_memory import NO_NAME
from editahead.runtime.bundle import load_bundle
from editahead.runtime.language_model.model import LanguageModel
from editahead.runtime.language_model.speller import ENCODER, RECENT_NAMES
from editahead.runtime.ort import select_providers
from editahead.syntax.language import Language, by_id
from editahead.syntax.tokens import Line
from rich.progress import track

from editahead_models.data.corpus.prepare_corpus import STDLIB
from editahead_models.data.corpus.source_files import blobs, directory_files, fingerprint, token_lines
from editahead_models.data.projects import Project, open_project
from editahead_models.data.splits import projects_of

BLOCK = 512  # tokens a run of the graph


@dataclass(frozen=True)
class Spellings:
    """The examples of one split; see the head of this file."""

    state: npt.NDArray[np.float16]
    name: npt.NDArray[np.int32]
    recent: npt.NDArray[np.int32]
    kind: npt.NDArray[np.int8]
    once: npt.NDArray[np.bool_]
    project: npt.NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.name)


FIELDS = tuple(Spellings.__dataclass_fields__)


class _Collector:
    """Examples of the files given, with one table of names for all of them."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.numbers: dict[str, int] = {}
        self.rows: dict[str, list[npt.NDArray[np.generic]]] = {field: [] for field in FIELDS}
        self._unknown = frozenset(model.unknown_ids.tolist())

    def read(self, content: bytes, lines: list[Line], project: int) -> int:
        """Add a file's examples; returns how many tokens it has."""
        encoder = LmEncoder(
            self.model.vocab, self.model.flavour, indent_unit=detect_indent(content), typed=self.model.typed
        )
        encoder.extend_to(lines)
        uses = Counter(step.name for step in encoder.steps)
        kinds: list[tuple[int, int, bool]] = []  # name, kind, once
        recent: list[list[int]] = []
        places: list[int] = []
        order: dict[int, None] = {}  # names by their last use, the newest last
        for place, step in enumerate(encoder.steps):
            if step.name == NO_NAME:
                continue
            if not step.seen and step.target in self._unknown:
                places.append(place)  # behind the start symbol, so this is the state before the token
                kinds.append((self._number(encoder.names[step.name]), step.kind, uses[step.name] == 1))
                recent.append([self._number(encoder.names[n]) for n in list(order)[: -RECENT_NAMES - 1 : -1]])
            order.pop(step.name, None)
            order[step.name] = None
        if not places:
            return len(encoder.steps)
        padded = np.full((len(places), RECENT_NAMES), -1, np.int32)
        for row, latest in enumerate(recent):
            padded[row, : len(latest)] = latest
        names, kind, once = zip(*kinds, strict=True)
        self.rows["state"].append(self._states(encoder)[places].astype(np.float16))
        self.rows["name"].append(np.array(names, np.int32))
        self.rows["recent"].append(padded)
        self.rows["kind"].append(np.array(kind, np.int8))
        self.rows["once"].append(np.array(once, np.bool_))
        self.rows["project"].append(np.full(len(places), project, np.int16))
        return len(encoder.steps)

    def store(self, path: Path) -> int:
        """Write the archive; returns the number of examples."""
        columns: dict[str, Any] = {field: np.concatenate(rows) for field, rows in self.rows.items()}
        with path.open("wb") as out:
            np.savez(out, **columns)
        return len(columns["name"])

    def _number(self, name: str) -> int:
        return self.numbers.setdefault(name, len(self.numbers))

    def _states(self, encoder: LmEncoder) -> npt.NDArray[np.float32]:
        """(T + 1, d): the state after the start symbol and after each token."""
        steps = [encoder.start_step(), *encoder.steps]
        state, found = self.model.zero, []
        for first in range(0, len(steps), BLOCK):
            read = self.model.graphs.encode(LmArrays.of(steps[first : first + BLOCK]), state)
            state = read.state
            found.append(read.hidden)
        return np.concatenate(found)


def collect(
    bundle: Path, mirror: Path, out: Path, *, tokens: int, dev_tokens: int, stdlib: Path | None = None, seed: int = 1
) -> dict[str, int]:
    """Write `out`/{names.json, data.json, train.npz, dev.npz} with the states of a language-model bundle.

    `tokens` and `dev_tokens` are the most that one project gives. Projects that `mirror` lacks are left out.
    Returns the number of examples of each split.
    """
    loaded = load_bundle(bundle)
    model = LanguageModel(loaded, select_providers("cpu"))
    language = by_id(loaded.manifest.language)
    assert language is not None
    out.mkdir(parents=True, exist_ok=True)
    numbers: dict[str, int] = {}
    seen: set[str] = set()
    summary: list[dict[str, object]] = []
    counted: dict[str, int] = {}
    for split, limit in (("dev", dev_tokens), ("train", tokens)):
        opened = (open_project(mirror, name) for name in projects_of(split, language.id))
        projects = [project for project in opened if project is not None]
        projects = [project for project in projects if split == "dev" or project.licence is not None]
        if split == "train" and stdlib is not None:
            projects.append(Project(STDLIB, stdlib, stdlib.name, "PSF"))
        collector = _Collector(model)
        collector.numbers = numbers
        for at, project in enumerate(track(projects, split)):
            read = 0
            for content in _shuffled(project, language, seed):
                if read >= limit:
                    break
                lines = token_lines(content, language)
                mark = fingerprint(lines)
                if mark not in seen:
                    seen.add(mark)
                    read += collector.read(content, lines, at)
            summary.append(
                {"name": project.name, "commit": project.commit, "licence": project.licence, "split": split}
                | {"tokens": read}
            )
        counted[split] = collector.store(out / f"{split}.npz")
    (out / "names.json").write_text(json.dumps(list(numbers)))
    (out / "data.json").write_text(
        json.dumps(
            {
                "bundle": loaded.manifest.name,
                "encoder": loaded.manifest.files[ENCODER].sha256,
                "language": language.id,
                "names": counted,
                "projects": summary,
            },
            indent=1,
        )
    )
    return counted


def load(folder: Path, split: str) -> Spellings:
    """The examples of a split."""
    with np.load(folder / f"{split}.npz", allow_pickle=False) as data:
        return Spellings(**{field: data[field] for field in FIELDS})


def load_names(folder: Path) -> list[str]:
    """The texts behind the numbers."""
    names: list[str] = json.loads((folder / "names.json").read_text())
    return names


def _shuffled(project: Project, language: Language, seed: int) -> Iterator[bytes]:
    found = directory_files(project.path, language) if project.name == STDLIB else blobs(project, language)
    files = [content for _, content in found]
    random.Random(seed ^ zlib.crc32(project.name.encode())).shuffle(files)
    yield from files
