"""The bench measures valid code, and its arithmetic is right; the timing itself is not a test."""

from __future__ import annotations

import math
import random

import pytest
from editahead.syntax.language import by_id
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

from tests.bench.aims import judge
from tests.bench.measure import COMPLETION, NEXT_EDIT, Measured, count_source, percentile
from tests.bench.moves import JUMP, PASTE
from tests.bench.sources import DIALECTS, Session, session


def typed(source: Session) -> str:
    rows = source.text.split("\n")
    rows[source.line : source.line] = source.block.split("\n")[:-1]
    return "\n".join(rows)


def renamed(source: Session) -> str:
    rows = source.text.split("\n")
    old, new = source.rename
    for line, column in source.places:
        rows[line] = rows[line][:column] + new + rows[line][column + len(old) :]
    return "\n".join(rows)


@pytest.mark.parametrize("lines", [500, 5_000])
@pytest.mark.parametrize("language_id", DIALECTS)
def test_generated_files_are_valid_before_and_after_the_session(language_id: str, lines: int) -> None:
    source = session(language_id, lines)
    language = by_id(language_id)
    assert language is not None
    for text in (source.text, typed(source), renamed(source)):
        assert SyntaxSnapshot.open(Buffer.from_text(text), language).error_count() == 0


@pytest.mark.parametrize("language_id", DIALECTS)
def test_the_session_lies_in_the_middle_of_a_file_of_the_asked_length(language_id: str) -> None:
    for lines in (500, 5_000):
        source = session(language_id, lines)
        count = source.text.count("\n")
        assert abs(count - lines) <= 70
        assert 0.3 * count < source.line < 0.85 * count
        assert len(source.places) >= 2


def test_next_edits_are_counted_by_source() -> None:
    sources: dict[str, dict[str, int]] = {}
    for text in ("find(order_key)\n", "find(order_id, order_key)\n"):
        count_source(sources, {"edits": [{"source": "rename", "text": text}]}, "order_id", "order_key")
    count_source(sources, {"edits": []}, "order_id", "order_key")
    assert sources == {"rename": {"shown": 2, "kept": 1, "wrong": 1}}


def test_percentile_counts_from_the_smallest() -> None:
    values = [float(value) for value in range(1, 101)]
    random.Random(7).shuffle(values)
    shares = (0.5, 0.95, 0.99, 1.0)
    assert [percentile(values, share) for share in shares] == [50, 95, 99, 100]
    assert percentile([4.0], 0.99) == 4.0
    assert math.isnan(percentile([], 0.5))


def test_aims_take_the_worst_language_and_say_when_nothing_was_measured() -> None:
    def measured(language: str, lines: int, completion: float) -> Measured:
        times = {COMPLETION: [completion], NEXT_EDIT: [1.0], JUMP: [2 * completion], PASTE: [3 * completion]}
        return Measured(language, lines, times=times, answered={COMPLETION: 1, JUMP: 1, PASTE: 1}, rss_mb=150.0)

    results = [measured("python", 500, 2.0), measured("python", 50_000, 2.5), measured("java", 500, 2.0)]
    results += [measured("java", 50_000, 4.0), measured("java", 5_000, 3.5), measured("python", 5_000, 1.0)]
    aims = {aim.name.split(",")[0] + aim.unit: aim for aim in judge(results, {"python": 900.0})}
    assert aims["completion p50x"].value == 2.0
    assert aims["completion p50x"].reached is False
    assert aims["completion p50ms"].value == 3.5
    assert aims["completion p50 after a jumpms"].value == 7.0
    assert aims["completion p50 after a pastems"].value == 10.5
    assert aims[f"{NEXT_EDIT} p99ms"].reached is None
    assert aims["resident memory at the endMB"].reached is True
