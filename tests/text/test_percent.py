"""One formatter for all percentages."""

from __future__ import annotations

import re
from pathlib import Path

import editahead
import pytest
from editahead.text.percent import percent, percent_of_least, percentage

SERVER = Path(editahead.__file__).parent
OTHERS = {"text/percent.py"}


@pytest.mark.parametrize(
    ("share", "text"),
    [(0.0, "0 %"), (0.0049, "<1 %"), (0.01, "1 %"), (0.624, "62 %"), (0.994, "99 %"), (0.996, ">99 %"), (1.0, "100 %")],
)
def test_percent(share: float, text: str) -> None:
    assert percent(share) == text


def test_decimals() -> None:
    assert [percent(share, 1) for share in (0.0004, 0.6393, 0.9996, 1.0)] == ["<0.1 %", "63.9 %", ">99.9 %", "100.0 %"]


def test_a_bare_number() -> None:
    assert [percentage(0.1234), percentage(0.5, 0), percentage(1.0, 2)] == ["12.3", "50", "100.00"]


def test_a_share_that_is_too_small_reads_smaller() -> None:
    assert percent_of_least(0.61, 0.72) == "61 % of at least 72 %"
    assert percent_of_least(0.716, 0.718) == "71.6 % of at least 71.8 %"
    assert percent_of_least(0.71796, 0.718) == "71.796 % of at least 71.800 %"
    assert percent_of_least(0.72, 0.718) == "72 % of at least 72 %"


def test_nobody_else_writes_percentages() -> None:
    own = re.compile(r"100(\.0)? \* [^\n]*:\.\d?f\} %|:\.\d%\}|:\.3f\} of at least")
    writers = (path for path in SERVER.rglob("*.py") if own.search(path.read_text("utf-8")))
    assert {path.relative_to(SERVER).as_posix() for path in writers} - OTHERS == set()
