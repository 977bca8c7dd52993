"""Measures how the server's work grows, its cold start and its hot spots; writes docs/results/speed.md and its plots.

    python scripts/measure_speed.py [--rounds N]

Figures are processor time where the system tells it (Linux), so that a busy machine changes them little.
"""

from __future__ import annotations

import argparse
import cProfile
import math
import pstats
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from editahead.bench.drive import memory_mb, processor_ms  # noqa: E402
from editahead.bench.stdio_client import StdioClient, server_command  # noqa: E402
from speed_graphs import opening, threads  # noqa: E402
from speed_page import Growth, Measured, Points, write  # noqa: E402

from tests.bench.compiled import compiled_modules  # noqa: E402
from tests.bench.sources import Session, session  # noqa: E402

RESULTS = ROOT / "docs" / "results"
LENGTHS, HISTORIES, DOCUMENTS = (500, 2_000, 10_000, 50_000), (1, 30, 100, 300, 1_000), (1, 20, 100, 200)
NAMES, INDEXED, NAMES_PER_FILE = (100, 1_000, 5_000, 20_000), (1_000, 10_000, 50_000, 100_000), 500
SURFACES = {"completion": "textDocument/completion", "ghost text": "textDocument/inlineCompletion",
            "next edit": "editahead/nextEdit"}  # fmt: skip


class Editor:
    """One server, some documents of the same session, and questions measured in processor milliseconds."""

    def __init__(self, root: Path) -> None:
        began = time.perf_counter()
        self.client = StdioClient(server_command(), timeout=120.0)
        self.root, self.versions, self.began = root, {}, began
        settings = {f"{name}DeadlineMs": 60_000 for name in ("completion", "inline", "nextEdit")} | {"precision": 0.5}
        params = {"processId": None, "capabilities": {}, "rootUri": root.as_uri()}
        self.client.request("initialize", {**params, "initializationOptions": settings})
        self.client.notify("initialized", {})

    def open(self, name: str, source: Session) -> str:
        """Open a document and return its URI."""
        uri = (self.root / f"{name}{source.suffix}").as_uri()
        document = {"uri": uri, "languageId": source.language_id, "version": 1, "text": source.text}
        self.versions[uri] = 1
        self.client.notify("textDocument/didOpen", {"textDocument": document})
        self.ask(uri, "completion", *source.places[0])
        return uri

    def change(self, uri: str, line: int, start: int, end: int, text: str) -> None:
        """Replace columns [start, end) of a line."""
        self.versions[uri] += 1
        ends = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        document = {"uri": uri, "version": self.versions[uri]}
        change = {"textDocument": document, "contentChanges": [{"range": ends, "text": text}]}
        self.client.notify("textDocument/didChange", change)

    def ask(self, uri: str, surface: str, line: int, character: int) -> None:
        """Send one request and wait for its answer."""
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        self.client.request(SURFACES[surface], {**place, "context": {"triggerKind": 1}})

    def spent(self, work: Callable[[], None]) -> float:
        """Processor milliseconds of the server while `work` is done; wall milliseconds where nobody counts them."""
        before, began = processor_ms([self.client.pid]), time.perf_counter()
        work()
        spent = processor_ms([self.client.pid]) - before
        return (time.perf_counter() - began) * 1000 if math.isnan(spent) else spent


def keys(
    editor: Editor, uri: str, source: Session, count: int, surfaces: Sequence[str] = tuple(SURFACES)
) -> dict[str, float]:
    """The median cost of a key with each surface's question behind it."""
    found: dict[str, list[float]] = {surface: [] for surface in surfaces}
    for column, key in enumerate(source.block.split("\n")[1][:count]):
        for surface in surfaces:

            def work(surface: str = surface, column: int = column, key: str = key) -> None:
                if surface == "completion":
                    editor.change(uri, source.line, column, column, key)
                editor.ask(uri, surface, source.line, column + 1)

            found[surface].append(editor.spent(work))
    return {surface: statistics.median(values) for surface, values in found.items()}


def by_length(root: Path, count: int) -> Points:
    """Cost of a key against the length of the file, in lines."""
    points: Points = {surface: [] for surface in SURFACES}
    for length in LENGTHS:
        editor = Editor(root)
        with editor.client:
            source = session("python", length)
            for surface, value in keys(editor, editor.open("a", source), source, count).items():
                points[surface].append((length, value))
    return points


def by_history(root: Path, count: int) -> Points:
    """Cost of a next edit against the number of edits before it, each at a place of its own."""
    points: Points = {"next edit": []}
    editor = Editor(root)
    with editor.client:
        source = session("python", 2_000)
        uri, made = editor.open("a", source), 0
        for length in HISTORIES:
            while made < length:
                line, column = source.places[made % len(source.places)]
                editor.change(uri, line, column, column + 1, "xyzuvw"[made // len(source.places) % 6])
                made += 1
            line, column = source.places[0]
            costs = []
            for number in range(max(3, count // 6)):
                editor.change(uri, source.line, number, number, "a")
                costs.append(editor.spent(partial(editor.ask, uri, "next edit", line, column)))
            points["next edit"].append((length, statistics.median(costs)))
    return points


def by_documents(root: Path, count: int) -> tuple[Points, list[tuple[float, float]]]:
    """Cost of a key and resident MB against the number of open documents of 500 lines."""
    points: Points = {surface: [] for surface in SURFACES}
    memory: list[tuple[float, float]] = []
    editor = Editor(root)
    with editor.client:
        source = session("python", 500)
        uris: list[str] = []
        for number in DOCUMENTS:
            while len(uris) < number:
                uris.append(editor.open(f"m{len(uris)}", source))
            for surface, value in keys(editor, uris[-1], source, count).items():
                points[surface].append((number, value))
            memory.append((number, memory_mb(editor.client.pid)[0]))
    return points, memory


def by_names(root: Path, count: int) -> Points:
    """Cost of a key against the number of different names in a file of 2,000 lines."""
    points: Points = {surface: [] for surface in list(SURFACES)[:2]}
    for names in NAMES:
        editor = Editor(root)
        with editor.client:
            source = many_names(names)
            costs = keys(editor, editor.open("a", source), source, count, tuple(points))
            for surface, value in costs.items():
                points[surface].append((names, value))
    return points


def many_names(names: int, lines: int = 2_000) -> Session:
    """A file of about so many lines over so many names of its own, with the usual session in its middle."""
    source = session("python", 500)
    rows = source.text.split("\n")
    draw = random.Random(names)
    more = [" = ".join(f"name_{draw.randrange(names):x}" for _ in range(12)) for _ in range(lines - len(rows))]
    above = 2 * len(more) // 3
    text = "\n".join([*more[:above], *rows, *more[above:], ""])
    return replace(source, text=text, line=source.line + above, places=((above, 0),))


def by_index(root: Path, count: int) -> Points:
    """Cost of a key against the number of different names in the other files of the project."""
    points: Points = {surface: [] for surface in list(SURFACES)[:2]}
    made = 0
    for names in INDEXED:
        while made < names:
            text = "".join(f"name_{made + at:x} = other(name_{made + at:x})\n" for at in range(NAMES_PER_FILE))
            (root / f"m{made}.py").write_text(text, encoding="utf-8")
            made += NAMES_PER_FILE
        editor = Editor(root)
        with editor.client:
            source = session("python", 500)
            uri = editor.open("a", source)
            editor.client.wait_for(_has_read, 120.0)
            for surface, value in keys(editor, uri, source, count, tuple(points)).items():
                points[surface].append((names, value))
    return points


def _has_read(method: str, params: Any) -> bool:
    index = params.get("index") if method == "didChangeStatus" else None
    return index is not None and index["building"] is None


def cold_start(root: Path, rounds: int) -> tuple[float, float]:
    """(wall, processor) milliseconds from the start of the process to the first completion, medians."""
    found = []
    for _ in range(rounds):
        editor = Editor(root)
        with editor.client:
            editor.open("a", session("python", 500))
            found.append(((time.perf_counter() - editor.began) * 1000, processor_ms([editor.client.pid])))
    return statistics.median(wall for wall, _ in found), statistics.median(spent for _, spent in found)


def hot_spots(count: int) -> tuple[float, list[tuple[str, float]]]:
    """Milliseconds a key of completions inside the engine, and the functions that take most, with their share."""
    from editahead.cli.question.asking import open_document
    from editahead.runtime.bundle import find_bundles
    from editahead.runtime.ort import Cancel
    from editahead.suggest.engine import Engine
    from editahead.syntax.language import by_id
    from editahead.text.buffer import Buffer
    from editahead.text.edits import ByteEdit

    language = by_id("python")
    assert language is not None
    engine = Engine.load(find_bundles(), "cpu", lambda text, part: None)
    source = session("python", 5_000)
    document = open_document(Path("a.py"), language, Buffer.from_text(source.text))
    at = document.syntax.buffer.line_span(source.line)[0]
    engine.complete(document, at, Cancel())
    profile = cProfile.Profile(time.process_time)
    typed = source.block[:count]
    for key in typed:
        edit = ByteEdit(at, at, key.encode())
        buffer = document.syntax.buffer.apply(edit)
        profile.enable()
        document = replace(document, syntax=document.syntax.advance(buffer, [edit]))
        engine.complete(document, at + 1, Cancel())
        profile.disable()
        at += 1
    stats: Any = pstats.Stats(profile)
    whole = stats.total_tt
    rows = sorted(((own, where) for where, (_, _, own, _, _) in stats.stats.items()), reverse=True)[:12]
    return 1000 * whole / len(typed), [(_named(where), own / whole) for own, where in rows]


def _named(where: tuple[str, int, str]) -> str:
    file, _, name = where
    return name.strip("<>") if file == "~" else f"{'/'.join(Path(file).parts[-2:])}: {name}"


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30, help="keys at each point (default 30)")
    count = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as compiled:
        root = Path(folder).resolve()
        with compiled_modules(Path(compiled)):
            wall, spent = cold_start(root, 5)
        length, history = by_length(root, count), by_history(root, count)
        documents, memory = by_documents(root, count)
        names = by_names(root, count)
    with tempfile.TemporaryDirectory() as folder:
        indexed = by_index(Path(folder).resolve(), count)
    growths = (
        Growth("Length of the file", "lines", "lines of the file", "length", length),
        Growth("Edits before", "edits", "edits before", "history", history),
        Growth("Different names in the file", "names in 2,000 lines", "names", "names", names),
        Growth("Different names in the project", "names in other files", "names in other files", "index", indexed),
        Growth("Open documents", "documents of 500 lines", "open documents", "documents", documents),
    )
    write(RESULTS, Measured(wall, spent, growths, memory, opening(5), threads(30), hot_spots(200)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
