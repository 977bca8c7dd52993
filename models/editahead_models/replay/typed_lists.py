"""Completion lists behind every key of code that is typed again in the real server.

They are the lists of a user who types: names and keywords as they come, any number of letters, the last edits in the
history, the project around. Rows go to a folder, one file a project, so that an interrupted collection goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from editahead.bench import answers
from editahead.bench.editor import EditedDocument
from editahead.bench.probes import strokes, word_at
from editahead.bench.stdio_client import ServerError
from editahead.runtime.bundle import load_bundle
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.snapshot import Region
from editahead.text.edits import ByteEdit
from editahead.text.words import word_before

from editahead_models.replay.drawn_projects import stretches_of
from editahead_models.replay.measured_rows import MeasuredRows, Row
from editahead_models.replay.simulated_user import SimulatedUser, user_of
from editahead_models.replay.stretches import Stretch, without

PART = "lists"
LOOKED_AT = 11
"""Items of a list that a calibration learns from."""
SETTINGS: dict[str, Any] = {"completionFloor": 0.0, "maxCompletions": 60}


def collect(bundle: Path, mirror: Path, split: str, count: int, seed: int, work: Path) -> Iterator[Row]:
    """The lists of a bundle at `count` stretches of a split, each with its project. ValueError when the server ends."""
    language = load_bundle(bundle).manifest.language
    drawn, _ = stretches_of(mirror, language, split, count, f"{seed}:{{}}:{PART}")
    kept = MeasuredRows(work)
    for project, files, stretches in drawn:
        if kept.done(project.name, PART):
            continue
        try:
            with user_of(without(files, stretches), [bundle], SETTINGS) as user:
                kept.save(project.name, PART, lists(user, stretches))
        except ServerError as error:
            raise ValueError(f"{project.name}: {error}") from error
    yield from kept.rows([one.project.name for one in drawn], PART)


def lists(user: SimulatedUser, stretches: Sequence[Stretch]) -> Iterator[Row]:
    """A row a key before which letters of a word are to come, in code.

    `chances`: the probabilities of the first items that are longer than what is typed, `texts` the items, `right` the
    number of the one that came (None: not among them), `letters` how many are typed.
    """
    for stretch in stretches:
        document = user.go_to(stretch.path, stretch.language, stretch.before, stretch.below)
        view = open_snapshot(document.buffer, stretch.language)
        at = 0
        for stroke in strokes(stretch.text):
            if view.region_at(document.cursor) is Region.CODE:
                row = _listed(document, stretch.text[at:])
                if row is not None:
                    yield row
            edit = ByteEdit(document.cursor, document.cursor, stroke)
            document.change([edit])
            view = view.advance(document.buffer, [edit])
            at += len(stroke)
    user.close()


def _listed(document: EditedDocument, missing: bytes) -> Row | None:
    before = document.buffer.data[: document.cursor].decode("utf-8", "replace")
    line = before[before.rfind("\n") + 1 :]
    word = word_at(line, missing.decode("utf-8", "replace"))
    if not word:
        return None
    prefix = word_before(line)
    reply = document.request("textDocument/completion", context={"triggerKind": 1})
    items = [item for item in answers.completions(reply.result, prefix) if item.name != prefix][:LOOKED_AT]
    if not items or any(item.probability is None for item in items):
        return None
    texts = [item.name for item in items]
    right = texts.index(word) if word in texts else None
    return {
        "letters": len(prefix), "chances": [item.probability for item in items], "texts": texts, "right": right,
        "dot": line.removesuffix(prefix).endswith("."),
    }  # fmt: skip
