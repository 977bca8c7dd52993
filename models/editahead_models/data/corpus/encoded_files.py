"""Source files encoded for language models with the server's own tokeniser and encoder, one .npz a project."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from editahead.encode.language_model.encoder import NO_NAME, PARTS, LmArrays, LmEncoder, NameFlavour, detect_indent
from editahead.encode.language_model.vocabulary import Vocab
from editahead.syntax.language import Language

from editahead_models.data.corpus.source_files import token_lines


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


def store_files(path: Path, files: Sequence[FileArrays], places: Sequence[int] | None = None) -> None:
    """Write the files of a project as one uncompressed archive."""
    path.parent.mkdir(parents=True, exist_ok=True)
    columns: dict[str, Any] = {name: np.concatenate([getattr(file, name) for file in files]) for name in FIELDS}
    more: dict[str, Any] = {} if places is None else {"places": np.array(places)}
    with path.open("wb") as out:
        np.savez(out, lengths=np.array([len(file.word) for file in files]), **more, **columns)


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
