"""Types a session into the real server and keeps every latency, as the editor would feel it."""

from __future__ import annotations

import math
import re
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from editahead.bench.stdio_client import ServerError, StdioClient

from .moves import accept_edits, move_about
from .sources import Session

COMPLETION = "completion"
INLINE = "ghost text"
NEXT_EDIT = "next edit"
TRANSPORT = "transport"  # an unknown method: the cost of the pipes and of JSON alone

PRECISION = 0.5  # below the default, so that more is shown: silence would end the work early
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "textDocument": {
        "synchronization": {"didSave": True},
        "completion": {"completionItem": {"snippetSupport": False}, "contextSupport": True},
        "inlineCompletion": {},
    },
    "workspace": {"configuration": False},
}


@dataclass
class Measured:
    """What one server told about one file. Times in milliseconds, memory in MB (10^6 bytes)."""

    language_id: str
    lines: int
    start_ms: float = 0.0  # process start to the first completion with an item
    open_ms: float = 0.0  # didOpen to the first completion answer
    times: dict[str, list[float]] = field(default_factory=dict)
    cpu: dict[str, list[float]] = field(default_factory=dict)  # processor time of the server, all threads
    answered: dict[str, int] = field(default_factory=dict)  # how many answers showed something
    sources: dict[str, dict[str, int]] = field(default_factory=dict)  # next edits, and which are right
    rss_mb: float = 0.0
    peak_mb: float = 0.0


def percentile(values: list[float], share: float) -> float:
    """The value that `share` (0 to 1) of the values do not pass; nan when there are none."""
    if not values:
        return float("nan")
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def memory_mb(pid: int) -> tuple[float, float]:
    """(resident now, peak resident) of a process, from /proc; nan where there is none."""
    try:
        rows = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return float("nan"), float("nan")
    sizes = {row.split(":")[0]: row.split()[1] for row in rows if row.startswith(("VmRSS", "VmHWM"))}
    return int(sizes["VmRSS"]) * 1024 / 1e6, int(sizes["VmHWM"]) * 1024 / 1e6


def answer(method: str, params: Any) -> Any:
    """What an editor without settings answers to the questions of a server."""
    return [{} for _ in params["items"]] if method == "workspace/configuration" else None


def processor_ms(pid: int) -> float:
    """Processor time of a process so far, all its threads, from /proc; nan where there is none."""
    try:
        threads = list(Path(f"/proc/{pid}/task").iterdir())
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e6
    except (OSError, IndexError):
        return math.nan


class Typist:
    """One open document, edited through LSP; it keeps the version and times each question."""

    def __init__(self, client: StdioClient, uri: str, measured: Measured) -> None:
        self.client, self.uri, self.measured, self.version = client, uri, measured, 1
        self._spent = processor_ms(client.pid)

    def change(self, line: int, start: int, end: int, text: str) -> None:
        """Replace columns [start, end) of a line."""
        self.replace((line, start), (line, end), text)

    def replace(self, start: tuple[int, int], end: tuple[int, int], text: str) -> None:
        """Replace what stands between two places (line, column)."""
        self.version += 1
        first, last = ({"line": line, "character": column} for line, column in (start, end))
        place = {"start": first, "end": last}
        self.client.notify(
            "textDocument/didChange",
            {
                "textDocument": {"uri": self.uri, "version": self.version},
                "contentChanges": [{"range": place, "text": text}],
            },
        )

    def look(self, method: str, line: int, character: int, **more: Any) -> Any:
        """Ask without keeping the time."""
        place = {"textDocument": {"uri": self.uri}, "position": {"line": line, "character": character}, **more}
        result = self.client.request(method, place).result
        self._spent = processor_ms(self.client.pid)
        return result

    def ask(self, surface: str, method: str, line: int, character: int, since: float | None = None, **more: Any) -> Any:
        """Ask; note the time since `since` (default: now), and the server's processor time since the last answer."""
        before = 0.0 if since is None else (time.perf_counter() - since) * 1000
        position = {"line": line, "character": character}
        params = {"textDocument": {"uri": self.uri}, "position": position, **more}
        reply = self.client.request(method, params)
        self.measured.times.setdefault(surface, []).append(before + reply.milliseconds)
        spent, self._spent = self._spent, processor_ms(self.client.pid)
        self.measured.cpu.setdefault(surface, []).append(self._spent - spent)
        result = reply.result
        shown = bool(isinstance(result, dict) and (result.get("items") or result.get("edits")))
        self.measured.answered[surface] = self.measured.answered.get(surface, 0) + shown
        return result


def start(command: list[str], session: Session, root: Path, measured: Measured) -> tuple[StdioClient, Typist]:
    """Start a server, open the file in it, and ask for completions until one comes (at most 15 s)."""
    path = root / f"bench{session.suffix}"
    path.write_text(session.text, encoding="utf-8")
    began = time.perf_counter()
    client = StdioClient(command, answer, timeout=60.0)
    options = {"precision": PRECISION}
    client.request(
        "initialize",
        {"processId": None, "rootUri": root.as_uri(), "capabilities": CAPABILITIES, "initializationOptions": options},
    )
    client.notify("initialized", {})
    opened = time.perf_counter()
    document = {
        "uri": path.as_uri(), "languageId": session.language_id, "version": 1, "text": session.text,
    }  # fmt: skip
    client.notify("textDocument/didOpen", {"textDocument": document})
    typist = Typist(client, path.as_uri(), Measured(session.language_id, measured.lines))
    line, column = session.places[-1]
    character = column + 2  # behind two letters of a name: in front of one, nothing can stand
    while not typist.measured.answered.get(COMPLETION):
        typist.ask(COMPLETION, "textDocument/completion", line, character)
        if not measured.open_ms:
            measured.open_ms = (time.perf_counter() - opened) * 1000
        if time.perf_counter() - began > 15:
            break
        if not typist.measured.answered[COMPLETION]:
            time.sleep(0.005)
    measured.start_ms = (time.perf_counter() - began) * 1000
    typist.measured = measured
    return client, typist


def type_block(typist: Typist, session: Session, pause: Callable[[], None]) -> None:
    """Every key: didChange, then completion, timed from the change. At line ends: ghost text as well."""
    line, column = session.line, 0
    for index, key in enumerate(session.block):
        pause()
        began = time.perf_counter()
        typist.change(line, column, column, key)
        line, column = (line + 1, 0) if key == "\n" else (line, column + 1)
        typist.ask(COMPLETION, "textDocument/completion", line, column, since=began, context={"triggerKind": 1})
        if key == "\n" or session.block[index + 1 : index + 2] == "\n":
            typist.ask(INLINE, "textDocument/inlineCompletion", line, column, context={"triggerKind": 2})


def rename_places(typist: Typist, session: Session, pause: Callable[[], None]) -> None:
    """Change the old word to the new one, place after place, asking for the next edit after each."""
    old, new = session.rename
    for line, column in session.places:
        pause()
        typist.change(line, column, column + len(old), new)
        document = {"uri": typist.uri, "version": typist.version}
        found = typist.ask(NEXT_EDIT, "editahead/nextEdit", line, column + len(new), textDocument=document)
        count_source(typist.measured.sources, found, old, new)
    for line, column in reversed(session.places):  # back again, so that the next round renames anew
        typist.change(line, column, column + len(new), old)


def count_source(sources: dict[str, dict[str, int]], found: Any, old: str, new: str) -> None:
    """Count a next edit under its source: kept where it writes the new word and leaves no old one, else wrong."""
    for item in found.get("edits", []) if isinstance(found, dict) else []:
        row = sources.setdefault(item.get("source", "unknown"), {"shown": 0, "kept": 0, "wrong": 0})
        row["shown"] += 1
        words = re.findall(r"\w+", item["text"])
        row["kept" if new in words and old not in words else "wrong"] += 1


def transport_ms(client: StdioClient) -> float:
    """The time of a request that any server refuses at once."""
    began = time.perf_counter()
    try:
        client.request("bench/unknown", {})
    except ServerError as error:
        if "within" in str(error) or "ended" in str(error):
            raise
    return (time.perf_counter() - began) * 1000


def pacing(pace_ms: float) -> Callable[[], None]:
    """Waits before a key."""
    return (lambda: time.sleep(pace_ms / 1000)) if pace_ms else (lambda: None)


def run(command: list[str], session: Session, lines: int, root: Path, rounds: int, pace_ms: float) -> Measured:
    """One server, one file, `rounds` sessions one under the other."""
    measured, pause = Measured(session.language_id, lines), pacing(pace_ms)
    client, typist = start(command, session, root, measured)
    with client:
        measured.times[TRANSPORT] = [transport_ms(client) for _ in range(50)]
        for number in range(rounds):
            type_block(typist, session, pause)
            rename_places(typist, session, pause)
            accept_edits(typist, session, pause)
            move_about(typist, session, pause, number)
        measured.rss_mb, measured.peak_mb = memory_mb(client.pid)
    return measured


def start_to_first_completion(command: list[str], session: Session, root: Path, times: int) -> float:
    """Median milliseconds from process start to the first completion with an item."""
    starts = []
    for _ in range(times):
        measured = Measured(session.language_id, 0)
        client, _typist = start(command, session, root, measured)
        with client:
            starts.append(measured.start_ms)
    return statistics.median(starts)


def default_command() -> list[str]:
    return [sys.executable, "-m", "editahead", "--stdio"]
