"""Small encoded files, and a language model's ln p of every token in them, for any layout of the batches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from editahead.encode.language_model.encoder import KINDS, NO_NAME, NO_TARGET, PARTS
from editahead.encode.language_model.vocabulary import SPECIALS, SUBWORD_BUCKETS
from editahead_models.data.corpus.batches import Shape, batches
from editahead_models.data.corpus.encoded_files import FileArrays
from editahead_models.families.mixture import NeuralLanguageModel, mixture_log_likelihood, reset
from editahead_models.train.lm import shape_of

V = len(SPECIALS) + 40


def a_file(length: int, seed: int) -> FileArrays:
    """A random file in which names come back."""
    random = np.random.default_rng(seed)
    name = np.where(random.random(length) < 0.5, random.integers(0, 6, length), NO_NAME).astype(np.int32)
    word = random.integers(len(SPECIALS), V, length).astype(np.int32)
    seen = np.array([n != NO_NAME and n in name[:i] for i, n in enumerate(name)])
    word = np.where(name == NO_NAME, word, len(SPECIALS) + name).astype(np.int32)
    word[0] = len(SPECIALS) + 10 + seed  # tells the files of a test apart
    target = np.where(seen & (name % 2 == 0), NO_TARGET, word).astype(np.int32)
    parts = random.integers(0, SUBWORD_BUCKETS, (length, PARTS)).astype(np.int16)
    kind = np.where(name == NO_NAME, 0, random.integers(1, KINDS, length)).astype(np.int8)
    return FileArrays(word, kind, parts, name, target, word, seen, seen, word, target, word.astype(np.int64))


def closed(file: FileArrays) -> FileArrays:
    """The same file for models without a pointer: the softmax can give every token."""
    return FileArrays(**{**{f: getattr(file, f) for f in FileArrays.__dataclass_fields__}, "target": file.word})


def layout(model: NeuralLanguageModel, lanes: int, steps: int) -> Shape:
    """The batches that a model reads."""
    return shape_of(model, lanes, steps)


def log_likelihoods(
    model: NeuralLanguageModel, files: Sequence[FileArrays], lanes: int, steps: int
) -> dict[tuple[int, int], float]:
    """ln p of every target by (first word of the file, position), in full precision."""
    shape = layout(model, lanes, steps)
    state = model.start(lanes)
    found: dict[tuple[int, int], float] = {}
    with torch.no_grad():
        for batch in batches(files, shape, seed=None):
            output, state = model(batch.chunk, reset(state, batch.fresh_B))
            log_y_BTV = torch.log_softmax(model.logits(output.joint_BTE), -1)
            log_y = log_y_BTV.gather(-1, batch.target_BT.clamp_min(0).unsqueeze(-1)).squeeze(-1)
            values = mixture_log_likelihood(output, log_y, batch.target_BT, batch.match_BTK)
            for lane, step in batch.scored_BT.nonzero().tolist():
                first = int(files[int(batch.file_B[lane])].word[0])
                found[first, int(batch.position_BT[lane, step])] = float(values[lane, step])
    return found


def definitions_and_uses(random: np.random.Generator, rounds: int = 6) -> FileArrays:
    """`def N ... use N` with fresh names that the softmax does not list: only a pointer can know them."""
    d, u = len(SPECIALS) + 1, len(SPECIALS) + 2
    new, unknown = 18, 2
    words, names, targets, kinds, parts = [1], [NO_NAME], [NO_TARGET], [0], [[0] * PARTS]
    for number in range(rounds):
        part = [int(random.integers(1, SUBWORD_BUCKETS)), 0, 0, 0, 0]
        words += [d, unknown, u, unknown]
        names += [NO_NAME, number, NO_NAME, number]
        targets += [d, new, u, NO_TARGET]
        kinds += [0, 4, 0, 4]
        parts += [[0] * PARTS, part, [0] * PARTS, part]
    seen = np.array([t == NO_TARGET for t in targets])
    target = np.array(targets, np.int32)
    word = np.array(words, np.int32)
    return FileArrays(
        word, np.array(kinds, np.int8), np.array(parts, np.int16), np.array(names, np.int32), target, target.clip(0),
        seen, seen, word, target, word.astype(np.int64),
    )  # fmt: skip


def numbered_definitions_and_uses(random: np.random.Generator, numbers: int = 30, rounds: int = 6) -> FileArrays:
    """The same with names as `kind + random number` in the vocabulary, as the papers have them."""
    d, u, first = len(SPECIALS) + 1, len(SPECIALS) + 2, len(SPECIALS) + 5
    words, names, uses = [1], [NO_NAME], [False]
    for number, drawn in enumerate(random.permutation(numbers)[:rounds].tolist()):
        words += [d, first + drawn, u, first + drawn]
        names += [NO_NAME, number, NO_NAME, number]
        uses += [False, False, False, True]
    word, use = np.array(words, np.int32), np.array(uses)
    kind = np.where(np.array(names) == NO_NAME, 0, 4).astype(np.int8)
    parts = np.zeros((len(words), PARTS), np.int16)
    return FileArrays(
        word, kind, parts, np.array(names, np.int32), word, word, use, use, word, word, word.astype(np.int64)
    )
