"""Many simulated typists on a team server: `python -m tests.bench.team.load URL --remote-token FILE --clients N`.

Each types a sample file at five keys a second, with a request for completions and then one for ghost text at each key,
on a connection of its own. All of them have one token: see the limit of connections.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from editahead.cli.samples import SAMPLES, sample
from editahead.syntax.language import Language, by_id
from editahead.team.remote.target import RemoteTarget, TargetError, remote_target

from .load_result import LoadResult
from .typist import Typist

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what the typists measured as JSON; 1 if no request was answered in time."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.team.load", description=(__doc__ or "").split(":")[0])
    parser.add_argument("url", help="team server, such as ws://127.0.0.1:8765")
    parser.add_argument("--remote-token", type=Path, help="file with the token; default: EDITAHEAD_REMOTE_TOKEN")
    parser.add_argument("--clients", type=int, default=20, help="simulated typists")
    parser.add_argument("--seconds", type=float, default=30.0, help="length of the measurement")
    parser.add_argument("--language", choices=SAMPLES, default="python", help="of the sample file that is typed")
    chosen = parser.parse_args(arguments)
    language, name = by_id(chosen.language), SAMPLES[chosen.language]
    assert language is not None
    try:
        target = remote_target(chosen.url, chosen.remote_token)
    except TargetError as error:
        parser.error(str(error))
    result = asyncio.run(simulate(target, sample(name).data, language, name, chosen.clients, chosen.seconds))
    answer = {
        "clients": chosen.clients, "seconds": chosen.seconds, "requests": result.needed_requests,
        "in_time": round(result.in_time, 4), "milliseconds": result.milliseconds(),
        "outcomes": dict(result.outcomes), "lost": result.lost, "problem": result.problem,
    }  # fmt: skip
    print(json.dumps(answer, indent=2))
    return 0 if result.answered_requests else 1


if __name__ == "__main__":
    sys.exit(main())
