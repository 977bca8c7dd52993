"""Measures how the server's work grows, its cold start and its hot spots; writes docs/results/speed.md and its plots.

    python scripts/measure_speed.py [--rounds N]

Figures are processor time where the system tells it (Linux), so that a busy machine changes them little.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from editahead.bench.drive import memory_mb, processor_ms  # noqa: E402
from editahead.bench.figures import machine  # noqa: E402
from editahead.bench.plots import lines  # noqa: E402
from editahead.bench.stdio_client import StdioClient, server_command  # noqa: E402

from tests.bench.sources import Session, session  # noqa: E402

RESULTS = ROOT / "docs" / "results"
LENGTHS, HISTORIES, DOCUMENTS = (500, 2_000, 10_000, 50_000), (1, 30, 100, 300, 1_000), (1, 20, 100, 200)
SURFACES = {"completion": "textDocument/completion", "ghost text": "textDocument/inlineCompletion",
            "next edit": "editahead/nextEdit"}  # fmt: skip
Points = dict[str, list[tuple[float, float]]]


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
        uri = (self.root / f"{name}{source.suffix}").as_uri()
        document = {"uri": uri, "languageId": source.language_id, "version": 1, "text": source.text}
        self.versions[uri] = 1
        self.client.notify("textDocument/didOpen", {"textDocument": document})
        self.ask(uri, "completion", *source.places[0])
        return uri

    def change(self, uri: str, line: int, start: int, end: int, text: str) -> None:
        self.versions[uri] += 1
        ends = {"start": {"line": line, "character": start}, "end": {"line": line, "character": end}}
        document = {"uri": uri, "version": self.versions[uri]}
        change = {"textDocument": document, "contentChanges": [{"range": ends, "text": text}]}
        self.client.notify("textDocument/didChange", change)

    def ask(self, uri: str, surface: str, line: int, character: int) -> None:
        place = {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}
        self.client.request(SURFACES[surface], {**place, "context": {"triggerKind": 1}})

    def spent(self, work: Callable[[], None]) -> float:
        """Processor milliseconds of the server while `work` is done; wall milliseconds where nobody counts them."""
        before, began = processor_ms([self.client.pid]), time.perf_counter()
        work()
        spent = processor_ms([self.client.pid]) - before
        return spent if spent == spent else (time.perf_counter() - began) * 1000


def keys(editor: Editor, uri: str, source: Session, count: int) -> dict[str, float]:
    """The median cost of a key with each surface's question behind it."""
    found: dict[str, list[float]] = {surface: [] for surface in SURFACES}
    for column, key in enumerate(source.block.split("\n")[1][:count]):
        for surface in SURFACES:

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


def cold_start(root: Path, rounds: int) -> tuple[float, float]:
    """(wall, processor) milliseconds from the start of the process to the first completion, medians."""
    found = []
    for _ in range(rounds):
        editor = Editor(root)
        with editor.client:
            editor.open("a", session("python", 500))
            found.append(((time.perf_counter() - editor.began) * 1000, processor_ms([editor.client.pid])))
    return statistics.median(wall for wall, _ in found), statistics.median(spent for _, spent in found)


def graphs(rounds: int) -> list[tuple[str, float, float, float]]:
    """(graph, ms to open as it is, ms to open when optimised ahead of time, MB of that file), processor time."""
    import onnxruntime as ort
    from editahead.runtime.bundle import find_bundles, load_bundle

    def opened(path: Path, level: Any, save: Path | None = None) -> float:
        options = ort.SessionOptions()
        options.intra_op_num_threads, options.log_severity_level = 1, 4
        options.graph_optimization_level = level
        if save is not None:
            options.optimized_model_filepath = str(save)
        began = time.process_time()
        ort.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        return (time.process_time() - began) * 1000

    rows = []
    levels = ort.GraphOptimizationLevel
    with tempfile.TemporaryDirectory() as folder:
        for path in find_bundles():
            bundle = load_bundle(path, verify=False)
            for name, graph in bundle.manifest.graphs.items():
                ready = Path(folder) / f"{path.name}-{name}.onnx"
                opened(bundle.file(graph.file), levels.ORT_ENABLE_ALL, ready)
                plain = [opened(bundle.file(graph.file), levels.ORT_ENABLE_ALL) for _ in range(rounds)]
                ahead = [opened(ready, levels.ORT_DISABLE_ALL) for _ in range(rounds)]
                size = ready.stat().st_size / 1e6
                rows.append((f"{path.name}: {name}", statistics.median(plain), statistics.median(ahead), size))
    return rows


def hot_spots(count: int) -> tuple[float, list[tuple[str, float]]]:
    """Milliseconds a key of completions inside the engine, and the functions that take most, with their share."""
    from editahead.cli.opening import open_document
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
    from dataclasses import replace

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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=30, help="keys at each point (default 30)")
    count = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        wall, spent = cold_start(root, 5)
        length, history = by_length(root, count), by_history(root, count)
        documents, memory = by_documents(root, count)
    plots = {
        "speed-length": lines(length, "lines of the file", "processor ms"),
        "speed-history": lines(history, "edits before", "processor ms"),
        "speed-documents": lines(documents, "open documents", "processor ms"),
        "speed-memory": lines({"resident": memory}, "open documents", "MB", scale=False),
    }
    for name, svg in plots.items():
        (RESULTS / f"{name}.svg").write_text(svg + "\n", encoding="utf-8")
    text = page(wall, spent, length, history, documents, memory, graphs(5), hot_spots(200))
    (RESULTS / "speed.md").write_text(text, encoding="utf-8")
    return 0


def page(
    wall: float, spent: float, length: Points, history: Points, documents: Points,
    memory: list[tuple[float, float]], opened: list[tuple[str, float, float, float]],
    hot: tuple[float, list[tuple[str, float]]],
) -> str:  # fmt: skip
    """The results as Markdown."""
    about = machine()
    each = (memory[-1][1] - memory[0][1]) / (memory[-1][0] - memory[0][0])
    plain, ahead = sum(row[1] for row in opened), sum(row[2] for row in opened)
    parts = [
        "# Speed: how the work grows\n",
        f"Generated by `python scripts/measure_speed.py`: {about['processor']}, {about['cores']} cores, load "
        f"{about['load']}, Python {about['python']}, {datetime.now(timezone.utc).date().isoformat()}. Medians of the "
        "server's processor time, all its threads, from sending a key and a question to having read the answer. "
        "No GPU was measured: none was at hand.\n",
        "## Length of the file\n", _table("lines", length), "![Cost of a key](speed-length.svg)\n",
        "## Edits before\n", _table("edits", history), "![Cost of a next edit](speed-history.svg)\n",
        "## Open documents\n", _table("documents of 500 lines", documents), "![Cost of a key](speed-documents.svg)\n",
        f"Resident memory: {memory[0][1]:.0f} MB with one, {memory[-1][1]:.0f} MB with {memory[-1][0]:.0f}: "
        f"{each:.2f} MB a document that was asked about once.\n", "![Memory](speed-memory.svg)\n",
        "## Cold start\n",
        f"From the start of the process to the first completion: {spent:.0f} ms of processor time, {wall:.0f} ms by "
        "the clock at the load above.\n",
        "## Graphs optimised ahead of time\n",
        f"ONNX Runtime optimises each graph when it is opened. All of them take {plain:.0f} ms of processor time to "
        f"open, {ahead:.0f} ms where that was done ahead of time and saved. Such a file is made for one processor and "
        "one version of the library, and only the models of a file's language are opened.\n",
        "| graph | as shipped, ms | optimised before, ms | MB |", "|---|---:|---:|---:|",
        *(f"| {name} | {one:.1f} | {two:.1f} | {size:.1f} |" for name, one, two, size in opened),
        "\n## Where a key's time goes\n",
        f"Completions in a file of 5,000 lines, inside the engine: {hot[0]:.2f} ms a key under the profiler. Own time "
        "of each function:\n",
        "| function | share |", "|---|---:|", *(f"| `{name}` | {100 * share:.0f} % |" for name, share in hot[1]), "",
    ]  # fmt: skip
    return "\n".join(parts)


def _table(across: str, points: Points) -> str:
    places = [x for x, _ in next(iter(points.values()))]
    head = f"| {across} | " + " | ".join(f"{place:,.0f}" for place in places) + " |"
    rows = [f"| {name}, ms | " + " | ".join(f"{y:.1f}" for _, y in found) + " |" for name, found in points.items()]
    return "\n".join([head, "|---|" + "---:|" * len(places), *rows, ""])


if __name__ == "__main__":
    sys.exit(main())
