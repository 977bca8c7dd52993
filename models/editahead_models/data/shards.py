"""Work by shards, one a project, on several processes of this machine.

Results come in the order of the shards, one at a time, and are kept in a folder until the whole work is done: memory
does not grow with their number, and an interrupted run goes on with the shards that are left.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol, TypeVar

from rich.progress import track

Job = TypeVar("Job")
Result = TypeVar("Result")


class ShardRunner(Protocol):
    """Runs one function on many jobs, on so many processors."""

    processors: int

    def map(self, function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        """Yield the results in the order of the jobs."""


class ProcessRunner:
    """Worker processes of this machine."""

    def __init__(self, pool: Any, processors: int) -> None:
        self._pool = pool
        self.processors = processors

    def map(self, function: Callable[[Job], Result], jobs: Sequence[Job]) -> Iterator[Result]:
        """Yield the results in the order of the jobs."""
        results: Iterator[Result] = self._pool.imap(function, jobs)
        return results


@contextmanager
def shard_runner(workers: int) -> Iterator[ShardRunner]:
    """So many processes of this machine."""
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield ProcessRunner(pool, workers)


class ShardStore:
    """The results of an unfinished run as JSON, one file a shard."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def run(
        self,
        runner: ShardRunner,
        stage: str,
        function: Callable[[Job], Result],
        jobs: Sequence[Job],
        keys: Sequence[str],
        packed: tuple[Callable[[Result], Any], Callable[[Any], Result]],
    ) -> Iterator[Result]:
        """Yield the results of all jobs in their order; those that an earlier run has left are read, others computed.

        `keys` say for each job all that its result depends on; `packed` turns a result into JSON values, and back.
        """
        pack, unpack = packed
        self._folder.mkdir(parents=True, exist_ok=True)
        files = [self._folder / f"{stage}-{hashlib.sha256(key.encode()).hexdigest()[:32]}" for key in keys]
        left = [number for number, file in enumerate(files) if _read(file) is None]
        computing = runner.map(function, [jobs[number] for number in left])
        computed = iter(track(computing, stage, total=len(left)))
        missing = set(left)
        for number, file in enumerate(files):
            if number not in missing:
                yield unpack(_read(file))
                continue
            result = next(computed)
            unfinished = file.with_suffix(".part")
            unfinished.write_text(json.dumps(pack(result)), encoding="ascii")
            unfinished.replace(file)
            yield result
        next(computed, None)  # the end of the bar

    def clear(self) -> None:
        """Remove the results, once the whole work is done."""
        shutil.rmtree(self._folder, ignore_errors=True)


def _read(file: Path) -> Any:
    """Return what an earlier run has left in a file, or None."""
    try:
        return json.loads(file.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
