"""Sessions of the real server on files of a dev project: lines are typed, a name is renamed, every surface is asked."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.bench.editor import EditedDocument
from editahead.bench.probes import strokes
from editahead.syntax.language import Language
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit

from editahead_models.replay.simulated_user import user_of
from editahead_models.replay.stretches import Stretch, draw_stretches, without

PROJECT_FILES = 150
"""Files of a project that the server sees beside those that are typed in."""
SETTINGS = {"precision": 0.5, "respectGitignore": False}
INLINE = {"triggerKind": 1}
_NAME = re.compile(rb"\b[A-Za-z_]\w{3,}\b")


class ServerAnswer(NamedTuple):
    """The result of one request of the server, at a byte of an open file; `root` is the folder of the project."""

    path: str
    buffer: Buffer
    byte: int
    request: str
    result: object
    root: str


def transcribe(files: Sequence[tuple[str, bytes, Language]], count: int, rng: random.Random) -> Iterator[ServerAnswer]:
    """The answers of `count` drawn sessions in files of a project. Raises ServerError."""
    stretches = draw_stretches(files, count, rng)
    paths = {stretch.path for stretch in stretches}
    paths.update(path for path, *_ in rng.sample(files, min(PROJECT_FILES, len(files))))
    with user_of(without([row for row in files if row[0] in paths], stretches), (), SETTINGS) as user:
        for stretch in stretches:
            document = user.go_to(stretch.path, stretch.language, stretch.before, stretch.below)
            root = document.uri.removeprefix("file://").removesuffix(stretch.path)
            for request, result in _session(document, stretch, rng):
                yield ServerAnswer(stretch.path, document.buffer, document.cursor, request, result, root)
        user.close()


def _session(document: EditedDocument, stretch: Stretch, rng: random.Random) -> Iterator[tuple[str, object]]:
    for stroke in strokes(stretch.text):
        if rng.random() < 0.2:
            yield "completion", document.request("textDocument/completion", context=INLINE).result
            yield "inlineCompletion", document.request("textDocument/inlineCompletion", context=INLINE).result
        document.change([ByteEdit(document.cursor, document.cursor, stroke)])
    here, end = document.cursor, document.cursor
    yield from _next_edits(document, "typed")
    cursor = {"line": document.buffer.line_at(here), "character": 0}
    lines = {"start": cursor, "end": cursor}
    actions = document.request("textDocument/codeAction", here, range=lines, context={"diagnostics": []})
    yield "codeAction", actions.result
    counts = Counter(match.group() for match in _NAME.finditer(document.buffer.data, 0, end))
    repeated = sorted(name for name, number in counts.items() if number >= 3)
    if repeated:
        name = rng.choice(repeated).decode()
        document.replace(name, f"{name}_new")
        yield from _next_edits(document, "renamed")


def _next_edits(document: EditedDocument, moment: str) -> Iterator[tuple[str, object]]:
    for method in ("nextEdit", "nextEdits"):
        yield f"{method} {moment}", document.request(f"editahead/{method}", versioned=True).result
