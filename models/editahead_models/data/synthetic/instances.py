"""Edit instances and their JSON-lines files.

One line: `{"initial": [tokens], "edits": [[implicit, explicit, content], ...], "conditioning": n}`. Position 0 is
`<S>`; where the sentinels are not written they are added. Content "DELETE" (or null) deletes. The first `conditioning`
edits are given, not scored. Files that this package writes also hold `task`, and for each replacement its `matched`
text and its number of edits (`replacements`); other keys are passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from editahead_models.data.synthetic.representation import (
    DELETE,
    END,
    START,
    ImplicitEdits,
    PlacedEdit,
    State,
    explicit_edits,
    to_explicit,
    with_sentinels,
)


class TokenEdit(NamedTuple):
    """One edit with its position in both forms; content None deletes."""

    implicit: int
    explicit: int
    content: str | None


class Instance(NamedTuple):
    """A first state and its edits. `matched`, `replacements` and `task` are known for generated instances only."""

    initial: State
    edits: tuple[TokenEdit, ...]
    conditioning: int = 0
    matched: tuple[str, ...] = ()
    replacements: tuple[int, ...] = ()
    task: str = ""


def from_implicit(implicit: ImplicitEdits) -> Instance:
    """An instance without conditioning. ValueError when an edit names no token that is alive."""
    explicit = to_explicit(implicit)
    edits = zip(implicit.edits, explicit.edits, strict=True)
    return Instance(implicit.initial, tuple(TokenEdit(i.position, e.position, i.content) for i, e in edits))


def states(instance: Instance) -> tuple[State, ...]:
    """s(0)..s(T)."""
    edits = [PlacedEdit(edit.explicit, edit.content) for edit in instance.edits]
    return explicit_edits(instance.initial, edits).states


def write_instances(path: Path, instances: Iterable[Instance]) -> None:
    """Write a JSON-lines file, atomically."""
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(_record(instance), ensure_ascii=False) + "\n" for instance in instances)
    part.replace(path)


def read_instances(path: Path, most: int | None = None) -> list[Instance]:
    """The instances of a file, the first `most` or all.

    ValueError, one line with the line's number, when one of them is not sound.
    """
    return list(islice(_lines(path), most))


def _lines(path: Path) -> Iterator[Instance]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: cannot be read ({error}); give a JSON-lines file of edit instances") from error
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield parse_instance(json.loads(line))
            except ValueError as error:
                raise ValueError(f"{path}:{number}: {error}") from error


def parse_instance(record: Any) -> Instance:
    """An instance from its JSON value. ValueError, one line, when it has another form or its positions disagree."""
    if not isinstance(record, Mapping):
        raise ValueError("an instance must be a JSON object")
    tokens, rows = record.get("initial"), record.get("edits")
    if not isinstance(tokens, list) or not all(isinstance(token, str) and token != DELETE for token in tokens):
        raise ValueError(f"initial must be a list of texts other than {DELETE!r}")
    if not isinstance(rows, list) or not all(_is_edit(row) for row in rows):
        raise ValueError("edits must be a list of [implicit, explicit, content]")
    whole = tokens[:1] == [START] and tokens[-1:] == [END]
    initial = tuple(tokens) if whole else with_sentinels(tokens)
    contents = [None if row[2] == DELETE else row[2] for row in rows]
    placed = tuple(PlacedEdit(row[0], content) for row, content in zip(rows, contents, strict=True))
    made = from_implicit(ImplicitEdits(initial, placed))
    for number, (row, edit) in enumerate(zip(rows, made.edits, strict=True), 1):
        if row[1] != edit.explicit:
            raise ValueError(f"edit {number}: implicit position {row[0]} is at {edit.explicit}, not at {row[1]}")
    conditioning = record.get("conditioning", 0)
    if type(conditioning) is not int or not 0 <= conditioning <= len(rows):
        raise ValueError(f"conditioning must be a number from 0 to {len(rows)}, found {conditioning!r}")
    matched, sizes = record.get("matched", []), record.get("replacements", [])
    if len(matched) != len(sizes) or sum(sizes) not in (0, len(rows)):
        raise ValueError("matched and replacements must go together and cover all edits")
    return made._replace(
        conditioning=conditioning, matched=tuple(matched), replacements=tuple(sizes), task=str(record.get("task", ""))
    )


def _is_edit(row: Any) -> bool:
    return (
        isinstance(row, list)
        and len(row) == 3
        and type(row[0]) is int
        and type(row[1]) is int
        and (row[2] is None or isinstance(row[2], str))
    )


def _record(instance: Instance) -> dict[str, Any]:
    record: dict[str, Any] = {
        "initial": instance.initial,
        "edits": [(e.implicit, e.explicit, DELETE if e.content is None else e.content) for e in instance.edits],
        "conditioning": instance.conditioning,
    }
    if instance.task:
        record |= {"task": instance.task, "matched": instance.matched, "replacements": instance.replacements}
    return record
