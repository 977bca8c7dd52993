"""Export and import of the memory as JSON: counts and normalised rejections, without hashes of projects.

A file may come from a stranger: it is bounded, each value is checked, and all that it can do is to show less.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from editahead.checked_json import FieldError, checked
from editahead.learning.database import MAX_ROWS, MemoryContents
from editahead.learning.rejected_kinds import MAX_KINDS, MAX_WEIGHT, RejectedKind
from editahead.learning.scoreboard import ALL_EVENTS, BUCKETS, CountKey

TITLE = "editahead memory"
MAX_FILE_BYTES = 20_000_000
MAX_COUNT = 10_000_000
_WORD = re.compile(r"[\w+#.-]{0,30}")
_PATTERN = re.compile(r"[0-9a-f]{16}")
_Whole = Annotated[int, Meta(ge=0, le=MAX_COUNT)]
_CountRow = tuple[_Whole, str, str, _Whole, str, _Whole]
_KindRow = tuple[_Whole, str, str, str, str, str, float, _Whole, _Whole]


class ExchangeError(Exception):
    """A file that cannot be imported. The message is a line."""


def export_text(contents: MemoryContents) -> str:
    """Return the memory as JSON. Projects become numbers, with 0 for no project."""
    numbers = {"": 0}
    for name in (*(key.project for key in contents.counts), *(kind.project for kind in contents.kinds)):
        numbers.setdefault(name, len(numbers))
    counts = [[numbers[key.project], *key[1:], count] for key, count in sorted(contents.counts.items())]
    rejected = [
        [
            numbers[kind.project], kind.pattern, kind.language, kind.kind, kind.source, kind.statement,
            round(kind.weight, 3), kind.count, kind.day,
        ]
        for kind in contents.kinds
    ]  # fmt: skip
    lines = [",\n".join(json.dumps(row) for row in rows) for rows in (counts, rejected)]
    head = f'{{"title": "{TITLE}", "format": 1'
    return f'{head},\n"counts": [\n{lines[0]}\n],\n"rejected": [\n{lines[1]}\n]}}\n'


def import_file(path: Path, today: int) -> tuple[dict[CountKey, int], list[RejectedKind], set[str]]:
    """Return counts, rejected kinds and projects of an exported file, whose projects differ from all others.

    The same file gives the same projects, so that what it holds counts once. Raises ExchangeError and OSError.
    """
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise ExchangeError(f"{path} is larger than {MAX_FILE_BYTES // 1_000_000} MB")
    try:
        values = json.loads(data)
        if not isinstance(values, dict) or values.get("title") != TITLE or values.get("format") != 1:
            raise ExchangeError(f"{path} is no exported memory of this version")
        digest = blake2b(data, digest_size=8).hexdigest()
        counts, kinds = _counts(values.get("counts"), digest), _kinds(values.get("rejected"), digest, today)
    except (ValueError, TypeError, RecursionError, FieldError) as error:
        raise ExchangeError(f"{path} cannot be imported: {str(error).splitlines()[0]}") from None
    return counts, kinds, {key.project for key in counts} | {kind.project for kind in kinds}


def _counts(rows: object, digest: str) -> dict[CountKey, int]:
    counts: dict[CountKey, int] = {}
    for number, language, kind, bucket, event, count in checked(_bounded(rows, MAX_ROWS), list[_CountRow]):
        _check_words(language, kind)
        if event not in ALL_EVENTS or bucket >= BUCKETS:
            raise ValueError(f"no count: {event[:40]!r} {bucket}")
        counts[CountKey(_project(digest, number), language, kind, bucket, event)] = count
    return counts


def _kinds(rows: object, digest: str, today: int) -> list[RejectedKind]:
    kinds = []
    for row in checked(_bounded(rows, MAX_KINDS), list[_KindRow]):
        number, pattern, language, kind, source, statement, weight, count, day = row
        _check_words(language, kind, source, statement)
        if not _PATTERN.fullmatch(pattern):
            raise ValueError(f"no pattern: {pattern[:40]!r}")
        weight, day = max(0.0, min(MAX_WEIGHT, weight)), min(today, day)
        project = _project(digest, number)
        kinds.append(RejectedKind(project, pattern, language, kind, source, statement, weight, count, day))
    return kinds


def _bounded(rows: object, limit: int) -> Sequence[object]:
    if not isinstance(rows, list) or len(rows) > limit:
        raise ValueError(f"expected a list of at most {limit} rows")
    return rows


def _check_words(*words: str) -> None:
    if wrong := [word for word in words if not _WORD.fullmatch(word)]:
        raise ValueError(f"no name: {wrong[0][:40]!r}")


def _project(digest: str, number: int) -> str:
    """Return what an imported project is called instead of the hash of a folder."""
    return f"i{blake2b(f'{digest} {number}'.encode(), digest_size=7).hexdigest()}"
