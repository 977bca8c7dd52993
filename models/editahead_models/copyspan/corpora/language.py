"""Natural-language correction: GLEU, ERRANT where it is installed, and corpora in JFLEG's layout.

No such corpus ships with this project: the user brings one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from editahead_models.copyspan.network.batches import Tokens

ORDER = 4


def _grams(tokens: Tokens, order: int) -> Counter[Tokens]:
    return Counter(tuple(tokens[at : at + order]) for at in range(len(tokens) - order + 1))


def gleu(sources: Sequence[Tokens], references: Sequence[Sequence[Tokens]], outputs: Sequence[Tokens]) -> float:
    """GLEU of a corpus, 0 to 1 (Napoles et al. 2015, in the version of 2016 without a weight).

    An n-gram of the output counts when the reference has it, and counts against the output when only the source has
    it. With several references the mean over them, the first of each sentence together, then the second, and so on.
    """
    turns = max(map(len, references), default=0)
    if not turns:
        return 0.0
    scores = []
    for turn in range(turns):
        chosen = [each[turn % len(each)] for each in references]
        right, whole = [0] * ORDER, [0] * ORDER
        for source, reference, output in zip(sources, chosen, outputs, strict=True):
            for order in range(1, ORDER + 1):
                mine, gold, given = (_grams(tokens, order) for tokens in (output, reference, source))
                only_given = Counter({gram: count for gram, count in given.items() if gram not in gold})
                kept = sum((mine & gold).values()) - sum((mine & only_given).values())
                right[order - 1] += max(kept, 0)
                whole[order - 1] += sum(mine.values())
        scores.append(_score(right, whole, sum(map(len, outputs)), sum(map(len, chosen))))
    return sum(scores) / len(scores)


def _score(right: Sequence[int], whole: Sequence[int], length: int, wanted: int) -> float:
    if not all(right) or not length:
        return 0.0
    brevity = min(0.0, 1.0 - wanted / length)
    return math.exp(brevity + sum(math.log(a / b) for a, b in zip(right, whole, strict=True)) / ORDER)


def errant_scores(
    sources: Sequence[Tokens], references: Sequence[Sequence[Tokens]], outputs: Sequence[Tokens]
) -> dict[str, float] | None:
    """Precision, recall and F0.5 of ERRANT's edits, of the reference that fits each sentence best.

    None where the package `errant` or its language data is not installed.
    """
    try:
        annotator: Any = import_module("errant").load("en")
    except (ImportError, OSError):
        return None
    right = offered = wanted = 0
    for source, several, output in zip(sources, references, outputs, strict=True):
        original = annotator.parse(" ".join(source))
        mine = _edits(annotator, original, output)
        choices = []
        for reference in several:
            gold = _edits(annotator, original, reference)
            choices.append((len(mine & gold), -len(gold)))
        both, missing = max(choices)
        right, offered, wanted = right + both, offered + len(mine), wanted - missing
    precision = right / offered if offered else 1.0
    recall = right / wanted if wanted else 1.0
    total = 0.25 * precision + recall
    return {"precision": precision, "recall": recall, "f0.5": 1.25 * precision * recall / total if total else 0.0}


def _edits(annotator: Any, original: Any, tokens: Tokens) -> set[tuple[int, int, str]]:
    found = annotator.annotate(original, annotator.parse(" ".join(tokens)))
    return {(edit.o_start, edit.o_end, edit.c_str) for edit in found}


def read_jfleg(folder: Path, split: str) -> list[tuple[Tokens, list[Tokens]]]:
    """Sentences with their corrections from `split`/`split`.src and .ref0, .ref1 and so on below a folder.

    ValueError, one line, where a file is missing or has another number of lines.
    """
    source = folder / split / f"{split}.src"
    others = sorted(source.parent.glob(f"{split}.ref[0-9]"))
    if not source.is_file() or not others:
        raise ValueError(f"{folder}: expected {split}/{split}.src and {split}/{split}.ref0")
    columns = [_sentences(path) for path in (source, *others)]
    if len({len(column) for column in columns}) != 1:
        raise ValueError(f"{source.parent}: the files differ in their numbers of lines")
    return [(row[0], list(row[1:])) for row in zip(*columns, strict=True)]


def _sentences(path: Path) -> list[Tokens]:
    try:
        return [tuple(line.split()) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: cannot be read ({error})") from error
