"""Renames typed at declarations of real files and followed by Tab; another program says what ought to be renamed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from editahead.suggest.engine import Engine
from editahead.syntax.language import Language

from editahead_models.data.corpus.test_paths import is_test
from editahead_models.evaluate.consequences.rename_chains import References, drawn, followed
from editahead_models.evaluate.next_edits.rename_moments import LARGEST, SMALLEST
from editahead_models.replay.measured_rows import Row
from editahead_models.replay.places import LEAST_LETTERS


def measure(
    engine: Engine,
    files: Sequence[tuple[str, bytes, Language]],
    language: Language,
    truth: Sequence[str],
    count: int,
    seed: int,
) -> Iterator[Row]:
    """A row (`rename_chains.Chain`) for each of `count` renames in files that are no tests.

    A few of each file at first; where these are too few, a few more of each until no file has others.
    """
    rng = random.Random(seed)
    own = [(path, text) for path, text, spoken in files if spoken is language and not is_test(path)]
    own = [(path, text) for path, text in own if SMALLEST < len(text) < LARGEST]
    rng.shuffle(own)
    references = References(truth)
    try:
        for one in drawn(own, language, references, rng, again=True):
            if count <= 0:
                return
            if len(one.old) >= LEAST_LETTERS:
                yield followed(engine, one, language).row()
                count -= 1
    finally:
        references.close()
