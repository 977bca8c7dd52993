"""Parallel files to pairs, and their split: a line of one file belongs to the same line of the other.

A line is a sequence of tokens between blanks; in a file whose name ends in `.jsonl` it is a JSON list of tokens, which
may hold blanks and line breaks.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from editahead.encode.span_copying.tokens import SPECIAL, SpanVocabulary

from editahead_models.copyspan.network.batches import Pair, Tokens

SPLITS = ("train", "dev", "test")
_DEV, _TEST = 8, 12  # per cent


def read_tokens(path: Path) -> list[Tokens]:
    """The sequences of a file. ValueError, one line, when it cannot be read as such."""
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: cannot be read ({error})") from error
    if lines and not lines[-1]:
        lines.pop()
    if path.suffix != ".jsonl":
        return [tuple(line.split()) for line in lines]
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise ValueError(f"{path}:{number}: not JSON ({error})") from error
        if not isinstance(row, list) or not all(isinstance(token, str) for token in row):
            raise ValueError(f"{path}:{number}: expected a list of texts")
        rows.append(tuple(row))
    return rows


def read_pairs(source: Path, target: Path) -> list[Pair]:
    """The pairs of two files of equally many lines. ValueError otherwise, or where a token is a special symbol."""
    one, two = read_tokens(source), read_tokens(target)
    if len(one) != len(two):
        raise ValueError(f"{source} has {len(one)} lines, {target} has {len(two)}: a pair is a line of each")
    if not one:
        raise ValueError(f"{source} is empty")
    reserved = set(SPECIAL)
    pairs = [Pair(*both) for both in zip(one, two, strict=True)]
    for number, pair in enumerate(pairs, 1):
        if found := reserved.intersection(pair.source + pair.target):
            raise ValueError(f"{source}:{number}: {min(found)} is a symbol of the model, not a token")
    return pairs


def write_tokens(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """The inverse of `read_tokens` for a `.jsonl` file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(list(row), ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def split_of(pair: Pair) -> str:
    """The split of a pair by a hash of its input, so that equal inputs never stand in two splits: 80, 8, 12 %."""
    digest = hashlib.sha256("\0".join(pair.source).encode("utf-8", "replace")).digest()
    share = int.from_bytes(digest[:4], "big") % 100
    return "dev" if share < _DEV else "test" if share < _DEV + _TEST else "train"


def split_pairs(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """Pairs by split, equal pairs once."""
    found: dict[str, list[Pair]] = {split: [] for split in SPLITS}
    for pair in dict.fromkeys(pairs):
        found[split_of(pair)].append(pair)
    return found


def vocabulary_of(pairs: Iterable[Pair], most: int, least: int = 1, buckets: int = 0) -> SpanVocabulary:
    """The `most` frequent tokens that occur at least `least` times."""
    counts: Counter[str] = Counter()
    for pair in pairs:
        counts.update(pair.source)
        counts.update(pair.target)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]
    return SpanVocabulary([token for token, count in ranked if count >= least], buckets)


def digest_of(pairs: Iterable[Pair]) -> str:
    """A short digest of pairs in their order."""
    digest = hashlib.sha256()
    for pair in pairs:
        digest.update(json.dumps([pair.source, pair.target]).encode())
    return digest.hexdigest()[:16]
