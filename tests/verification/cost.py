"""What verifying costs: `python -m tests.verification.cost` prints processor time by language and length of the file.

Random edits as people make them in a long file; for each, the next edit and its queue are asked for, without a network.
A row says what it took to verify an edit, edits that only make sense together, and all of a request, with how many.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from typing import Any
from unittest.mock import patch

from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.edit_candidate import EditCandidate
from editahead.suggest.next_edit.verified_groups import VerifiedGroups
from editahead.suggest.types import GateReading
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from editahead.text.history import History

from tests.bench.measure import percentile
from tests.bench.sources import SAMPLES, under_noun
from tests.hard.breakage.human_edits import human_edit
from tests.scenarios.runner import Play

HEADERS = {
    "python": "import json\nimport logging\nimport os\nimport time\n\nlogger = logging.getLogger(__name__)\n\n\n",
    "java": "package shop.store;\n\nimport java.util.*;\nimport java.util.function.Consumer;\n\n",
    "typescript": 'import { writeFileSync } from "node:fs";\n\n',
    "go": 'package shop\n\nimport (\n\t"errors"\n\t"fmt"\n\t"os"\n\t"strings"\n\t"time"\n)\n\n',
}
LINES = (500, 5_000, 50_000)


def long_text(language_id: str, lines: int) -> str:
    """A file of at least so many lines: a sample under one noun after the other."""
    sample = (SAMPLES / f"{language_id}.txt").read_text(encoding="utf-8")
    copies = -(-lines // sample.count("\n"))
    return HEADERS[language_id] + "".join(under_noun(sample, copy) for copy in range(copies))


class Costs:
    """Milliseconds of processor time by what is verified: an edit, edits together, all of a request or of a queue."""

    def __init__(self) -> None:
        self.values: dict[str, list[float]] = {}

    def add(self, kind: str, value: float) -> None:
        """Note one value."""
        self.values.setdefault(kind, []).append(value)

    def measured(self, engine: Engine, text: str, language_id: str, edits: int, seed: int) -> None:
        """Edit a text at random and ask, so many times."""
        language = by_id(language_id)
        assert language is not None
        play = Play(engine, f"file:///w/long.{language_id}", language_id=language_id)
        buffer, rng = Buffer(text.encode()), random.Random(seed)
        play.syntax, play.history = open_snapshot(buffer, language), History(buffer, lambda: play.clock)
        verify, spent = VerifiedGroups._verify, list[float]()

        def timed(groups: VerifiedGroups, group: Sequence[EditCandidate], *arguments: Any) -> GateReading:
            begun = time.thread_time()
            try:
                return verify(groups, group, *arguments)
            finally:
                spent.append(1000 * (time.thread_time() - begun))
                self.add("an edit" if len(group) == 1 else "edits together", spent[-1])

        with patch.object(VerifiedGroups, "_verify", timed):
            for _ in range(edits):
                for edit in human_edit(rng, play.syntax.buffer.data, language_id)[1]:
                    play.edit(edit.start, edit.old_end, edit.new.decode())
                play.clock += 2.0
                play.idle = True
                play.history.settle(play.clock)
                for kind, ask in (("a next edit", engine.next_edit), ("a queue", engine.next_edits)):
                    spent.clear()
                    ask(play.document(), play.cursor, Cancel())
                    if spent:
                        self.add(kind, sum(spent))
        engine.forget(play.uri)


def rows_of(languages: Sequence[str], lengths: Sequence[int], edits: int) -> Iterator[str]:
    """A line for each language and length."""
    engine = Engine.load([], "cpu", lambda text, share: None)
    for language_id in languages:
        for lines in lengths:
            text, costs = long_text(language_id, lines), Costs()
            costs.measured(engine, text, language_id, edits, seed=1)
            parts = (
                f"{kind} ({len(values)}) p50 {percentile(values, 0.5):.2f} p95 {percentile(values, 0.95):.2f}"
                for kind, values in sorted(costs.values.items())
            )
            yield f"{language_id} {text.count(chr(10)):,} lines, ms: {'; '.join(parts)}"


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--language", action="append", choices=sorted(HEADERS))
    parser.add_argument("--lines", action="append", type=int)
    parser.add_argument("--edits", type=int, default=60)
    options = parser.parse_args()
    for row in rows_of(options.language or sorted(HEADERS), options.lines or LINES, options.edits):
        print(row, flush=True)


if __name__ == "__main__":
    main()
