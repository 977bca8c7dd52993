"""Replay of a session against a language server in a child process, as an editor would run it, with scoring."""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from editahead.bench import answers
from editahead.bench.editor import EditedDocument, Editor
from editahead.bench.probes import Plan, Probe, ProbedSurface, plan, strokes
from editahead.bench.score import RunScore, ScoredPlace, score_completion, score_edit, score_ghost
from editahead.bench.stdio_client import ServerError
from editahead.recording.session_file import Open, RecordedChange, RecordedSession
from editahead.text.buffer import Buffer


def memory_mb(pid: int) -> tuple[float, float]:
    """Return current and peak resident memory of a process and its children, from /proc; nan without it."""
    now = peak = 0.0
    for member in process_tree(pid):
        with suppress(OSError, ValueError):
            status = Path(f"/proc/{member}/status").read_text(encoding="ascii", errors="replace").splitlines()
            sizes = {row.split(":")[0]: int(row.split()[1]) for row in status if row.startswith(("VmRSS", "VmHWM"))}
            now, peak = now + sizes.get("VmRSS", 0) * 1024 / 1e6, peak + sizes.get("VmHWM", 0) * 1024 / 1e6
    if not now:
        return math.nan, math.nan
    return now, peak


def process_tree(pid: int) -> list[int]:
    """Return a process and its descendants; the process alone where these are unknown."""
    pids = [pid]
    for member in pids:  # grows while it is read
        with suppress(OSError, ValueError):
            for task in Path(f"/proc/{member}/task").iterdir():
                pids += [int(child) for child in (task / "children").read_text().split()]
    return pids


def processor_ms(pids: Iterable[int]) -> float:
    """Return the processor time of processes so far, with all threads, from /proc; nan without it."""
    spent = 0
    try:
        for pid in pids:
            for task in Path(f"/proc/{pid}/task").iterdir():
                with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
                    spent += int((task / "schedstat").read_text().split()[0])
    except (OSError, IndexError, ValueError):
        return math.nan
    return spent / 1e6


READY_SECONDS = 120.0  # for the first answer, and again for what the server reads in the background


@dataclass(frozen=True, slots=True)
class ServerUnderTest:
    """The server to replay against. `next_edit` names its method for next edits; empty to detect it."""

    command: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    next_edit: str = ""
    timeout: float = 10.0  # seconds for an answer; a later answer counts as none


@dataclass
class RunResult:
    """The result of a replay. Times in milliseconds, memory in MB (10^6 bytes); nan where not measurable."""

    places: list[ScoredPlace]
    start_ms: float
    rss_mb: float
    peak_mb: float
    surfaces: tuple[str, ...]
    failed: dict[str, int] = field(default_factory=dict)


def run(
    session: RecordedSession, server: ServerUnderTest, progress: Callable[[float], None] = lambda part: None
) -> RunResult:
    """Replay a session in a new server and a folder of its own. Raises ServerError when the server ends."""
    planned = plan(session)
    with tempfile.TemporaryDirectory(prefix="editahead-bench-") as folder:
        root = Path(folder).resolve()
        for path, data in session.files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        editor = Editor(server.command, root, server.settings, server.timeout)
        with editor.client:
            editor.initialize(READY_SECONDS)
            return _replay(session, planned, _Prober(editor, server), progress)


def _replay(session: RecordedSession, planned: Plan, prober: _Prober, progress: Callable[[float], None]) -> RunResult:
    """Replay the events, send the probes, and score the answers."""
    places: dict[int, ScoredPlace] = {}
    done: list[ScoredPlace] = []
    originals: dict[int, bytes] = {}
    documents: dict[int, EditedDocument] = {}
    runs = [RunScore(run.text) for run in planned.runs]
    for index, event in enumerate(session.events):
        number = event.document
        if isinstance(event, Open):
            places[number] = ScoredPlace(f"{session.name}: {event.path}", session.source, event.language_id)
            done.append(places[number])
            originals[number] = event.text
            documents[number] = prober.open(event.path, event.language_id, Buffer(event.text))
            prober.settle(documents[number])
        elif isinstance(event, RecordedChange):
            documents[number].change(event.edits)
        else:
            documents[number].close()
        for probe in planned.probes.get(index, ()):
            shown = prober.ask(documents[number], probe, places[number].ms)
            buffer = documents[number].buffer
            if probe.surface is ProbedSurface.COMPLETION:
                offered = answers.completions(shown, probe.name[: probe.letters])
                score_completion(places[number], runs[probe.run], probe, offered)
            elif probe.surface is ProbedSurface.INLINE:
                score_ghost(places[number], runs[probe.run], probe, answers.ghost_text(shown, buffer, probe.byte))
            elif prober.next_edit:
                edit = answers.next_edit(shown, buffer)
                score_edit(places[number], buffer.data, originals[number], planned.finals[number], edit)
        progress((index + 1) / len(session.events))
    for scored, run in zip(runs, planned.runs, strict=True):
        counts = places[run.document].counts
        counts["keys.typed"] += len(strokes(run.text))
        counts["keys.menu"] += scored.keys(ghosts=False)
        counts["keys.all"] += scored.keys(ghosts=True)
    rss, peak = memory_mb(prober.client.pid)
    return RunResult(done, prober.start_ms, rss, peak, prober.surfaces(), prober.failed)


class _Prober:
    """Requests suggestions of a server and measures latencies."""

    def __init__(self, editor: Editor, server: ServerUnderTest) -> None:
        self.client, self.timeout = editor.client, server.timeout
        self.failed: dict[str, int] = {}
        self.start_ms = math.nan
        self.next_edit = server.next_edit
        self.open = editor.open
        self._provides = editor.provides
        self._settled = False
        self._family = [self.client.pid]
        experimental = editor.provides.get("experimental")
        ours = experimental.get("editahead") if isinstance(experimental, Mapping) else None
        if not self.next_edit and isinstance(ours, Mapping) and ours.get("nextEdit"):
            self.next_edit = "editahead/nextEdit"

    def surfaces(self) -> tuple[str, ...]:
        """The surfaces that this server provides."""
        return tuple(surface.value for surface in ProbedSurface if self._is_supported(surface))

    def ask(self, document: EditedDocument, probe: Probe, ms: dict[str, list[float]]) -> Any:
        """Send a request and append its latency to `ms`. None without the surface, or for an error."""
        if not self._is_supported(probe.surface):
            return None
        questions: dict[ProbedSurface, tuple[str, dict[str, Any]]] = {
            ProbedSurface.COMPLETION: ("textDocument/completion", {"context": {"triggerKind": 1}}),
            ProbedSurface.INLINE: ("textDocument/inlineCompletion", {"context": {"triggerKind": 2}}),
            ProbedSurface.NEXT_EDIT: (self.next_edit, {"versioned": True, "context": {"idle": False}}),
        }
        method, more = questions[probe.surface]
        before = processor_ms(self._family)
        try:
            reply = document.request(method, probe.byte, **more)
        except ServerError as error:
            if not self.client.is_alive:
                raise
            self.failed[probe.surface.value] = self.failed.get(probe.surface.value, 0) + 1
            if "no answer" in str(error):
                ms.setdefault(probe.surface.value, []).append(self.timeout * 1000)
            return None
        ms.setdefault(probe.surface.value, []).append(reply.milliseconds)
        if not math.isnan(spent := processor_ms(self._family) - before):
            ms.setdefault(f"{probe.surface.value}.cpu", []).append(spent)
        return reply.result

    def _is_supported(self, surface: ProbedSurface) -> bool:
        if surface is ProbedSurface.NEXT_EDIT:
            return bool(self.next_edit)
        key = {ProbedSurface.COMPLETION: "completionProvider", ProbedSurface.INLINE: "inlineCompletionProvider"}[
            surface
        ]
        return self._provides.get(key) not in (None, False)

    def settle(self, document: EditedDocument) -> None:
        """Wait for the first answer of the server and for the end of its background work."""
        if self._settled:
            return
        self._settled = True
        if self._is_supported(ProbedSurface.COMPLETION):
            try:
                document.request("textDocument/completion", 0, timeout=READY_SECONDS)
            except ServerError:
                if not self.client.is_alive:
                    raise
        self.start_ms = (time.perf_counter() - self.client.started) * 1000
        until = time.monotonic() + READY_SECONDS
        quiet = 0
        while time.monotonic() < until and quiet < 3:
            quiet = 0 if self._is_busy() else quiet + 1
            time.sleep(0.1)
        self._family = process_tree(self.client.pid)

    def _is_busy(self) -> bool:
        """Whether the server reports unfinished progress, or (editahead) that it indexes the workspace."""
        running: set[str] = set()
        reading = False
        for method, params in list(self.client.notifications):
            if not isinstance(params, Mapping):
                continue
            if method == "didChangeStatus":
                index = params.get("index")
                reading = bool(params.get("busy")) or (isinstance(index, Mapping) and index.get("building") is not None)
            elif method == "$/progress" and isinstance(value := params.get("value"), Mapping):
                token = str(params.get("token"))
                (running.discard if value.get("kind") == "end" else running.add)(token)
        return reading or bool(running)
