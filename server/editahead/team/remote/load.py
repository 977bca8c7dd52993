"""Many simulated typists on a team server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from editahead.syntax.language import Language
from editahead.team.remote.load_result import LoadResult
from editahead.team.remote.target import RemoteTarget
from editahead.team.remote.typist import Typist

START_SHARE = 0.1  # of the time in which the typists begin, in sequence


async def simulate(
    target: RemoteTarget,
    text: bytes,
    language: Language,
    name: str,
    clients: int,
    seconds: float,
    started: Callable[[float], None] = lambda now: None,
) -> LoadResult:
    """Let so many typists type for some seconds. `started` is called with the time when all of them type."""
    result = LoadResult()
    start = time.monotonic()
    typists = [Typist(target, text, language, f"{number}/{name}", number) for number in range(clients)]

    async def run(number: int, typist: Typist) -> None:
        await asyncio.sleep(START_SHARE * seconds * number / clients)
        await typist.run(start + seconds, result.requests.append)

    async def tell() -> None:
        await asyncio.sleep(START_SHARE * seconds)
        started(time.monotonic())

    await asyncio.gather(tell(), *(run(number, typist) for number, typist in enumerate(typists)))
    result.lost = sum(typist.lost for typist in typists)
    result.problem = next((typist.problem for typist in typists if typist.problem), "")
    return result
