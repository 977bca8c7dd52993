"""What `editahead doctor --remote` finds: the connection to a team server, its models, and how fast it answers."""

from __future__ import annotations

import logging
import statistics
import time
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from editahead.cli.errors import CliError
from editahead.cli.question.opening import open_document
from editahead.cli.samples import SAMPLES, sample
from editahead.runtime.ort import Cancel
from editahead.suggest.types import Document, Reason, Suppressed
from editahead.syntax.language import by_id
from editahead.team.remote.connection import Connection
from editahead.team.remote.engine import BUDGET, RemoteEngine
from editahead.team.remote.replies import Replies
from editahead.team.remote.target import TargetError, remote_target
from editahead.text.edits import ByteEdit

log = logging.getLogger("editahead.team")
PATIENCE = 10.0  # seconds for the connection
ROUNDS = 20


@dataclass(frozen=True, slots=True)
class RemoteCheck:
    """The result of the check. Times are those of requests for ghost text, from the laptop's side, in milliseconds."""

    address: str
    version: str = ""
    replica: str = ""
    models: dict[str, list[str]] = field(default_factory=dict)
    median_ms: float = 0.0
    worst_ms: float = 0.0
    in_budget: float = 0.0  # share of the requests
    problem: str = ""


class _NoLocalEngine:
    """Answers nothing, so that only the server's answers are measured."""

    def inline(self, document: Document, byte: int, cancel: Cancel) -> Suppressed:
        return Suppressed(Reason.FAILED, "not answered by the server")


def check_remote(url: str, token_file: Path | None) -> RemoteCheck:
    """Connect as a laptop does and type in the sample file, which is public. Raises CliError for a wrong URL."""
    try:
        target = remote_target(url, token_file)
    except TargetError as error:
        raise CliError(str(error)) from None
    problems: list[str] = []
    log.addHandler(logging.NullHandler())  # the problem is part of the result
    replies = Replies()
    connection = Connection(target, replies.receive)
    connection.report_problems(problems.append)
    connection.start()
    try:
        until = time.monotonic() + PATIENCE
        while not connection.session and not problems and time.monotonic() < until:
            time.sleep(0.02)
        welcome = connection.welcome
        if welcome is None:
            return RemoteCheck(target.address, problem=problems[0] if problems else f"{target.address} does not answer")
        result = RemoteCheck(target.address, welcome.version, welcome.replica, welcome.models)
        language = next((name for name in SAMPLES if welcome.models.get(name)), None)
        if language is None:
            return replace(result, problem="the team server has no models")
        engine: Any = RemoteEngine(_NoLocalEngine(), connection, replies, budget=PATIENCE)  # type: ignore[arg-type]
        times = _typed(engine, language)
        if engine.answered_by() != {"remote": len(times)}:
            return replace(result, problem=f"of {len(times)} requests, these were answered: {engine.answered_by()}")
        in_budget = sum(milliseconds <= 1000 * BUDGET for milliseconds in times) / len(times)
        return replace(result, median_ms=statistics.median(times), worst_ms=max(times), in_budget=in_budget)
    finally:
        connection.stop()


def _typed(engine: RemoteEngine, language_id: str) -> list[float]:
    """Type a name at the end of the sample file; returns the milliseconds of each request but the first."""
    language = by_id(language_id)
    assert language is not None
    path = Path(SAMPLES[language_id]).absolute()
    buffer = sample(SAMPLES[language_id])
    times = []
    for number in range(ROUNDS + 1):
        end = len(buffer.data)
        buffer = buffer.apply(ByteEdit(end, end, b"\n" if number == 0 else b"s"))
        document = replace(open_document(path, language, buffer), version=number)
        began = time.perf_counter()
        engine.inline(document, len(buffer.data), Cancel())
        times.append((time.perf_counter() - began) * 1000)
    engine.outcomes.subtract({("inline", "remote"): 1})  # the first request warms up
    return times[1:]
