"""Recorded answers: their form, their files, and hashes that hold no code."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

BUCKETS = 100
"""Groups of the answers of a part, each with a hash of its own in the digest."""
DIGITS = 4
"""Decimal places of a recorded probability."""
HASHED_DIGITS, LEAST_HASHED = 2, 0.01
"""Decimal places of probabilities in hashes, and the least one: a hash has no tolerance for noise."""


_PERCENT = re.compile(r"<?\d+ %")
_GROUP = re.compile(r'("group": "[\w-]+)-[0-9a-f]{8}"')
_FIGURE = re.compile(r"\d+\.\d{5,}")


class AnswerItem(NamedTuple):
    """One element of an answer: its position and source (`at`), its content, its probability, and how it is shown."""

    at: str
    text: str
    probability: float | None = None
    flag: str = ""


class RecordedAnswer(NamedTuple):
    """The answer to one request. `key` names the request: project, commit, path, then what tells it from others."""

    key: tuple[str, ...]
    items: tuple[AnswerItem, ...]

    @property
    def name(self) -> str:
        """The key in one line."""
        return " ".join(self.key)

    def as_line(self) -> str:
        """One line of JSON."""
        return json.dumps([self.key, self.items], ensure_ascii=False, separators=(",", ":"))


def edit_item(kind: str, path: str, buffer: Buffer, edit: ByteEdit, probability: float, flag: str = "") -> AnswerItem:
    """An edit of a text as an item: what it removes, and what it inserts."""
    small = edit.trim(buffer.data)
    return AnswerItem(
        f"{kind} {location(path, buffer, small.start)}",
        f"{_shortened(small.old_bytes(buffer.data))} -> {_shortened(small.new)}",
        _rounded(probability),
        flag,
    )


def location(path: str, buffer: Buffer, byte: int) -> str:
    """`path:line:column` of a byte, from 1; the column in bytes."""
    line = buffer.line_at(byte)
    return f"{path}:{line + 1}:{byte - buffer.line_span(line)[0] + 1}"


def _shortened(data: bytes, most: int = 400) -> str:
    text = data.decode("utf-8", "replace")
    return text if len(data) <= most else f"{text[:most]}... {len(data)} bytes, {hashlib.sha256(data).hexdigest()[:8]}"


def items_of_result(result: Any, root: str) -> tuple[AnswerItem, ...]:
    """The items of the result of a request of LSP; the folder `root` and the order of a menu are left out of them.

    So are the hashes of groups, which depend on that folder: groups are numbered.
    """
    groups: dict[str, int] = {}
    text = json.dumps(result, ensure_ascii=False).replace(root, "ROOT/")
    value = json.loads(_GROUP.sub(lambda match: f'{match[1]}-{groups.setdefault(match[0], len(groups))}"', text))
    entries = value
    if isinstance(value, dict):
        entries = next((value[name] for name in ("items", "edits") if isinstance(value.get(name), list)), [value])
    return tuple(_result_item(number, entry) for number, entry in enumerate(entries or []))


def _result_item(number: int, entry: Any) -> AnswerItem:
    if not isinstance(entry, dict):
        return AnswerItem(str(number), json.dumps(entry, ensure_ascii=False))
    holders = [holder for holder in (entry, entry.get("data")) if isinstance(holder, dict)]
    probability = next((holder.pop("probability") for holder in holders if "probability" in holder), None)
    label = str(entry.pop("label", number))
    text = json.dumps({name: entry[name] for name in sorted(entry) if name != "sortText"}, ensure_ascii=False)
    if probability is not None:
        text = _PERCENT.sub("% ", text)
    return AnswerItem(
        label, _FIGURE.sub(lambda match: f"{float(match.group()):.{DIGITS}f}", text), _rounded(probability)
    )


def _rounded(probability: Any) -> float | None:
    return round(float(probability), DIGITS) if probability is not None else None


def write_answers(path: Path, answers: Iterable[RecordedAnswer]) -> int:
    """Write a part, one answer a line, and return the number of answers."""
    lines = [answer.as_line() for answer in answers]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return len(lines)


def read_answers(path: Path) -> Iterator[RecordedAnswer]:
    """Yield the answers of a part."""
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            key, items = json.loads(line)
            yield RecordedAnswer(tuple(key), tuple(AnswerItem(*item) for item in items))


def hash_buckets(answers: Iterable[RecordedAnswer]) -> list[str]:
    """A short hash for each of BUCKETS groups of answers, by their keys; no order counts."""
    lines: list[list[str]] = [[] for _ in range(BUCKETS)]
    for answer in answers:
        items = [item for item in answer.items if item.probability is None or item.probability >= LEAST_HASHED]
        coarse = [item._replace(probability=round(item.probability or 0.0, HASHED_DIGITS)) for item in items]
        lines[bucket_of(answer)].append(RecordedAnswer(answer.key, tuple(sorted(coarse))).as_line())
    return [hashlib.sha256("\n".join(sorted(bucket)).encode()).hexdigest()[:8] for bucket in lines]


def bucket_of(answer: RecordedAnswer) -> int:
    """The group of an answer."""
    return crc32(answer.name.encode()) % BUCKETS
