"""Replays a session against a language server on a child's pipes, as an editor would speak to it, and scores it."""

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
from editahead.bench.looks import Plan, Probe, ProbedSurface, plan, strokes
from editahead.bench.score import RunScore, ScoredPlace, score_completion, score_edit, score_ghost
from editahead.bench.stdio_client import ServerError, StdioClient
from editahead.recording.events import Open, RecordedChange, RecordedSession, lsp_range
from editahead.text.buffer import Buffer
from editahead.text.positions import PositionEncoding, position_at

READY_SECONDS = 120.0  # for the first answer, and again for what the server reads in the background
CAPABILITIES: dict[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"didSave": True},
        "completion": {"completionItem": {"snippetSupport": False}, "contextSupport": True},
        "inlineCompletion": {},
    },
    "window": {"workDoneProgress": True},
    "workspace": {"configuration": True, "workspaceFolders": True},
}
NEXT_EDIT_METHODS = ("editahead/nextEdit", "textDocument/copilotInlineEdit")


@dataclass(frozen=True, slots=True)
class Server:
    """How the server is started and asked. `next_edit` names a method, or is empty: then it is found out."""

    command: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)
    next_edit: str = ""
    timeout: float = 10.0  # seconds for one answer; a later one counts as none


@dataclass
class RunResult:
    """What one replay gave. Times in milliseconds, memory in MB (10^6 bytes); nan where it could not be measured."""

    places: list[ScoredPlace]
    start_ms: float
    rss_mb: float
    peak_mb: float
    surfaces: tuple[str, ...]
    failed: dict[str, int] = field(default_factory=dict)


def memory_mb(pid: int) -> tuple[float, float]:
    """(resident now, peak resident) of a process and its children, from /proc; nan where there is none."""
    now = peak = 0.0
    for one in family_of(pid):
        with suppress(OSError, ValueError):
            status = Path(f"/proc/{one}/status").read_text(encoding="ascii", errors="replace").splitlines()
            sizes = {row.split(":")[0]: int(row.split()[1]) for row in status if row.startswith(("VmRSS", "VmHWM"))}
            now, peak = now + sizes.get("VmRSS", 0) * 1024 / 1e6, peak + sizes.get("VmHWM", 0) * 1024 / 1e6
    if not now:
        return math.nan, math.nan
    return now, peak


def family_of(pid: int) -> list[int]:
    """A process and its descendants; itself alone where the system does not tell."""
    pids = [pid]
    for one in pids:  # grows while it is read
        with suppress(OSError, ValueError):
            for task in Path(f"/proc/{one}/task").iterdir():
                pids += [int(child) for child in (task / "children").read_text().split()]
    return pids


def processor_ms(pids: Iterable[int]) -> float:
    """Processor time of processes so far, all their threads, from /proc; nan where there is none."""
    spent = 0
    try:
        for pid in pids:
            for task in Path(f"/proc/{pid}/task").iterdir():
                with suppress(FileNotFoundError, ProcessLookupError):  # a thread that has just ended
                    spent += int((task / "schedstat").read_text().split()[0])
    except (OSError, IndexError, ValueError):
        return math.nan
    return spent / 1e6


def run(session: RecordedSession, server: Server, progress: Callable[[float], None] = lambda part: None) -> RunResult:
    """Replay one session in a fresh server and a folder of its own. Raises ServerError when the server ends."""
    asked = plan(session)
    with tempfile.TemporaryDirectory(prefix="editahead-bench-") as folder:
        root = Path(folder).resolve()
        for path, data in session.files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(data)
        editor = _Editor(server, root)
        with editor.client:
            editor.initialize()
            return _replay(session, asked, editor, progress)


def _replay(session: RecordedSession, asked: Plan, editor: _Editor, progress: Callable[[float], None]) -> RunResult:
    places: dict[int, ScoredPlace] = {}
    done: list[ScoredPlace] = []
    originals: dict[int, bytes] = {}
    runs = [RunScore(one.text) for one in asked.runs]
    for index, event in enumerate(session.events):
        number = event.document
        if isinstance(event, Open):
            places[number] = ScoredPlace(f"{session.name}: {event.path}", session.source, event.language_id)
            done.append(places[number])
            originals[number] = event.text
            editor.open(number, event)
        elif isinstance(event, RecordedChange):
            editor.change(number, event)
        else:
            editor.close(number)
        for look in asked.looks.get(index, ()):
            shown = editor.ask(look, places[number].ms)
            buffer = editor.buffers[number]
            if look.surface is ProbedSurface.COMPLETION:
                offered = answers.completions(shown, look.name[: look.letters])
                score_completion(places[number], runs[look.run], look, offered)
            elif look.surface is ProbedSurface.INLINE:
                score_ghost(places[number], runs[look.run], look, answers.ghost_text(shown, buffer, look.byte))
            elif editor.next_edit:
                edit = answers.next_edit(shown, buffer)
                score_edit(places[number], buffer.data, originals[number], asked.finals[number], edit)
        progress((index + 1) / len(session.events))
    for scored, one in zip(runs, asked.runs, strict=True):
        counts = places[one.document].counts
        counts["keys.typed"] += len(strokes(one.text))
        counts["keys.menu"] += scored.keys(ghosts=False)
        counts["keys.all"] += scored.keys(ghosts=True)
    rss, peak = memory_mb(editor.client.pid)
    return RunResult(done, editor.start_ms, rss, peak, editor.surfaces(), editor.failed)


class _Editor:
    """The other side of the protocol: open documents, and questions with their times."""

    def __init__(self, server: Server, root: Path) -> None:
        self.server, self.root = server, root
        self.client = StdioClient(server.command, self._answer, server.timeout)
        self.buffers: dict[int, Buffer] = {}
        self.failed: dict[str, int] = {}
        self.start_ms = math.nan
        self.next_edit = server.next_edit
        self._open: dict[int, tuple[str, int]] = {}  # uri and version
        self._provides: Mapping[str, Any] = {}
        self._settled = False
        self._family = [self.client.pid]

    def initialize(self) -> None:
        """The handshake. Raises ServerError."""
        folder = {"uri": self.root.as_uri(), "name": self.root.name}
        params: dict[str, Any] = {"processId": None, "rootUri": folder["uri"], "workspaceFolders": [folder]}
        params |= {"capabilities": CAPABILITIES, "initializationOptions": dict(self.server.settings)}
        result = self.client.request("initialize", params, READY_SECONDS).result
        provides = result.get("capabilities") if isinstance(result, Mapping) else None
        self._provides = provides if isinstance(provides, Mapping) else {}
        self.client.notify("initialized", {})
        experimental = self._provides.get("experimental")
        ours = experimental.get("editahead") if isinstance(experimental, Mapping) else None
        if not self.next_edit and isinstance(ours, Mapping) and ours.get("nextEdit"):
            self.next_edit = NEXT_EDIT_METHODS[0]

    def surfaces(self) -> tuple[str, ...]:
        """What this server can be asked for."""
        return tuple(surface.value for surface in ProbedSurface if self._can(surface))

    def open(self, number: int, event: Open) -> None:
        """`didOpen`; before the first one is gone on with, the server is waited for."""
        uri = (self.root / event.path).as_uri()
        self.buffers[number], self._open[number] = Buffer(event.text), (uri, 1)
        document = {"uri": uri, "languageId": event.language_id, "version": 1, "text": self.buffers[number].text}
        self.client.notify("textDocument/didOpen", {"textDocument": document})
        if not self._settled:
            self._settled = True
            self._settle(number)
            self._family = family_of(self.client.pid)

    def change(self, number: int, event: RecordedChange) -> None:
        """`didChange`."""
        uri, version = self._open[number]
        changes = []
        for edit in event.edits:
            buffer = self.buffers[number]
            changes.append(
                {"range": lsp_range(buffer, edit.start, edit.old_end), "text": edit.new.decode("utf-8", "replace")}
            )
            self.buffers[number] = buffer.apply(edit)
        self._open[number] = (uri, version + 1)
        document = {"uri": uri, "version": version + 1}
        self.client.notify("textDocument/didChange", {"textDocument": document, "contentChanges": changes})

    def close(self, number: int) -> None:
        """`didClose`."""
        uri, _ = self._open.pop(number)
        self.client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def ask(self, look: Probe, ms: dict[str, list[float]]) -> Any:
        """One question; its time goes to `ms`. None where the server cannot be asked or does not answer well."""
        if not self._can(look.surface):
            return None
        method, more = {
            ProbedSurface.COMPLETION: ("textDocument/completion", {"context": {"triggerKind": 1}}),
            ProbedSurface.INLINE: ("textDocument/inlineCompletion", {"context": {"triggerKind": 2}}),
            ProbedSurface.NEXT_EDIT: (self.next_edit, {}),
        }[look.surface]
        uri, version = self._open[look.document]
        line, character = position_at(self.buffers[look.document], look.byte, PositionEncoding.UTF16)
        document = {"uri": uri, "version": version} if look.surface is ProbedSurface.NEXT_EDIT else {"uri": uri}
        params = {"textDocument": document, "position": {"line": line, "character": character}, **more}
        before = processor_ms(self._family)
        try:
            reply = self.client.request(method, params)
        except ServerError as error:
            if not self.client.alive:
                raise
            self.failed[look.surface.value] = self.failed.get(look.surface.value, 0) + 1
            if "no answer" in str(error):
                ms.setdefault(look.surface.value, []).append(self.server.timeout * 1000)
            return None
        ms.setdefault(look.surface.value, []).append(reply.milliseconds)
        if not math.isnan(spent := processor_ms(self._family) - before):
            ms.setdefault(f"{look.surface.value}.cpu", []).append(spent)
        return reply.result

    def _can(self, surface: ProbedSurface) -> bool:
        if surface is ProbedSurface.NEXT_EDIT:
            return bool(self.next_edit)
        key = {ProbedSurface.COMPLETION: "completionProvider", ProbedSurface.INLINE: "inlineCompletionProvider"}[
            surface
        ]
        return self._provides.get(key) not in (None, False)

    def _settle(self, number: int) -> None:
        """Wait for a first answer, which comes when the server is up, and for what it then reads in the background."""
        if self._can(ProbedSurface.COMPLETION):
            params = {"textDocument": {"uri": self._open[number][0]}, "position": {"line": 0, "character": 0}}
            try:
                self.client.request("textDocument/completion", params, READY_SECONDS)
            except ServerError:
                if not self.client.alive:
                    raise
        self.start_ms = (time.perf_counter() - self.client.started) * 1000
        until = time.monotonic() + READY_SECONDS
        quiet = 0
        while time.monotonic() < until and quiet < 3:
            quiet = 0 if self._at_work() else quiet + 1
            time.sleep(0.1)

    def _at_work(self) -> bool:
        """Whether the server reports a progress that has not ended, or (ours) that it reads the workspace."""
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

    def _answer(self, method: str, params: Any) -> Any:
        """What an editor answers to a server's questions."""
        if method == "workspace/configuration":
            items = params.get("items") if isinstance(params, Mapping) else None
            ours = dict(self.server.settings)
            sections = [item.get("section") if isinstance(item, Mapping) else None for item in items or []]
            return [ours if section == "editahead" else {} for section in sections]
        if method == "workspace/workspaceFolders":
            return [{"uri": self.root.as_uri(), "name": self.root.name}]
        return None
