"""Work deep in a document's syntax ends when its question is over: other documents do not wait for it."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from editahead.lsp.inference.jobs import Events
from editahead.lsp.inference.worker import Worker
from editahead.lsp.surfaces.surface import Surface
from editahead.syntax.interrupt import checkpoint


class Silent:
    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: None


async def test_a_run_is_interrupted_at_a_checkpoint_of_the_syntax() -> None:
    completion = Surface(name="completion", urgency=0)
    worker = Worker(cast(Events, Silent()), lambda: None)
    worker.start()
    worker.load(lambda progress: cast(Any, object()))
    loop = asyncio.get_running_loop()
    begun, ended = asyncio.Event(), asyncio.Event()

    def endless(engine: object, cancel: object) -> None:
        loop.call_soon_threadsafe(begun.set)
        try:
            for _ in range(10**9):
                checkpoint()
        finally:
            loop.call_soon_threadsafe(ended.set)

    worker.submit("file:///w/a.py", completion, 60.0, endless)
    await asyncio.wait_for(begun.wait(), 20)
    other = worker.submit("file:///w/b.py", completion, 60.0, lambda engine, cancel: "answer")
    worker.cancel("file:///w/a.py")
    await asyncio.wait_for(ended.wait(), 20)
    assert await asyncio.wait_for(other.future, 20) == "answer"
    worker.stop()
