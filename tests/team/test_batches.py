"""Requests whose documents are read together: the same answers, and no request waits longer than it can."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from editahead.cli.samples import SAMPLES, sample
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.types import Document, Shown
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.team.cluster.inference import Answered, Batching, Inference
from editahead.team.cluster.replica import load_engine
from editahead.text.buffer import Buffer
from editahead.text.history_view import HistoryView

EXACT = 1e-4  # sums of other shapes have other roundings


def document(name: str, data: bytes) -> Document:
    language, buffer = by_id("python"), Buffer(data)
    assert language is not None
    return Document(
        uri=f"team://client/{name}", path=None, language_id="python", version=0,
        syntax=open_snapshot(buffer, language), history=HistoryView(buffer, (), None, 0), settings=Settings(),
    )  # fmt: skip


@pytest.fixture(scope="module")
def engines() -> tuple[Engine, Engine]:
    return load_engine((), "cpu"), load_engine((), "cpu")


def test_documents_that_were_read_together_get_the_same_answers(engines: tuple[Engine, Engine]) -> None:
    together, alone = engines
    text = sample(SAMPLES["python"]).data
    lines = text.splitlines(keepends=True)
    documents = [document(f"{share}.py", b"".join(lines[: len(lines) * share // 5]) + b"    se") for share in range(5)]
    documents.append(document("comment.py", b"# nothing is predicted in a comment"))
    places = [(each, len(each.syntax.buffer.data)) for each in documents]
    together.read_together(places, Cancel())
    model = together.language_model("python")
    assert model is not None
    for each, byte in places:
        context = model.context(each.uri, 4)
        assert context.has_prediction == (not each.uri.endswith("comment.py"))
        ours, theirs = together.complete(each, byte, Cancel()), alone.complete(each, byte, Cancel())
        assert type(ours) is type(theirs)
        if isinstance(ours, Shown) and isinstance(theirs, Shown):
            assert [item.label for item in ours.value.items] == [item.label for item in theirs.value.items]
            assert ours.probability == pytest.approx(theirs.probability, abs=EXACT)


class Reader:
    """An engine that counts what it reads together."""

    def __init__(self, error: Exception | None = None) -> None:
        self.read: list[list[Any]] = []
        self.error = error

    def read_together(self, places: Sequence[Any], cancel: Cancel) -> None:
        self.read.append([place for place, _ in places])
        if self.error is not None:
            raise self.error

    def forget(self, uri: str) -> None:
        raise AssertionError(uri)


def ask(inference: Inference, client: str, seconds: float, place: bool = True) -> asyncio.Future[Answered]:
    run = lambda engine, cancel: client  # noqa: E731
    return inference.submit((client, "complete"), seconds, run, (client, 0) if place else None)  # type: ignore[arg-type]


async def held(inference: Inference) -> threading.Event:
    """Let a request hold the thread until the event is set."""
    begun, release = threading.Event(), threading.Event()

    def run(engine: Engine, cancel: Cancel) -> None:
        begun.set()
        release.wait(10)

    inference.submit(("first", "complete"), 10.0, run)
    assert await asyncio.to_thread(begun.wait, 10)
    return release


@pytest.mark.parametrize("error", [None, RuntimeError("the graph failed")])
async def test_requests_that_wait_are_read_together(error: Exception | None) -> None:
    """Those with the earliest deadline first; where that fails, each of them runs all the same."""
    reader = Reader(error)
    inference = Inference(reader, batching=Batching(3))  # type: ignore[arg-type]
    release = await held(inference)
    futures = [ask(inference, name, seconds) for name, seconds in (("d", 9.0), ("a", 5.0), ("b", 6.0), ("c", 7.0))]
    futures.append(ask(inference, "e", 8.0, place=False))
    release.set()
    answers = await asyncio.gather(*futures)
    assert [answer.value for answer in answers] == ["d", "a", "b", "c", "e"]
    assert reader.read[0] == ["a", "b", "c"]
    if error is None:
        assert [answer.batch for answer in answers] == [1, 3, 0, 0, 1]
        assert len(reader.read) == 1
    inference.stop()


async def test_without_batches_nothing_is_read_together() -> None:
    reader = Reader()
    inference = Inference(reader)  # type: ignore[arg-type]
    release = await held(inference)
    futures = [ask(inference, name, 5.0) for name in "ab"]
    release.set()
    assert [answer.batch for answer in await asyncio.gather(*futures)] == [1, 1]
    assert reader.read == []
    inference.stop()


async def test_a_request_waits_for_a_batch_as_long_as_it_can() -> None:
    inference = Inference(Reader(), batching=Batching(2, 60.0))  # type: ignore[arg-type]
    began = time.monotonic()
    answer = await ask(inference, "a", 1.0)
    assert (answer.value, answer.batch) == ("a", 1)
    assert 0.4 < time.monotonic() - began < 1.0, "half of its time"
    began = time.monotonic()
    both = await asyncio.gather(ask(inference, "a", 30.0), ask(inference, "b", 30.0))
    assert [answer.batch for answer in both] == [2, 0]
    assert time.monotonic() - began < 10.0, "a full batch runs at once"
    inference.stop()


def test_the_options_reach_the_replicas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from editahead.cli.main import run
    from editahead.team.cluster import deployment

    seen: list[deployment.TeamOptions] = []

    def deploy(options: deployment.TeamOptions) -> str:
        seen.append(options)
        return "ws://127.0.0.1:1"

    monkeypatch.setattr(deployment, "deploy", deploy)
    (tmp_path / "tokens").write_text("")
    words = ["--address", "h:1", "--tokens", str(tmp_path / "tokens"), "--batch", "8", "--batch-wait", "2.5"]
    assert run(["team", "serve", *words]) == 0
    assert seen[0].config.batching == Batching(8, 0.0025)
