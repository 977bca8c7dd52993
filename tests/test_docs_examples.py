"""The examples of the documentation: each command still prints what the page shows, apart from probabilities."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from scripts.docs_examples import ROOT, pages, refreshed

BAR_AND_PERCENT = re.compile(r"[█▏▎▍▌▋▊▉]*\s*[<>]?(\d+) %")
POINTS = 3  # by which a probability may differ between machines


def masked(text: str) -> list[str]:
    """Lines without probabilities, which differ a little between machines, and without the columns that they widen."""
    return [re.sub(r"\s+", " ", BAR_AND_PERCENT.sub("P", line)) for line in text.splitlines()]


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the examples are commands of a Unix shell")
@pytest.mark.skipif(not all(map(shutil.which, ("bash", "git", "perl"))), reason="needs bash, git and perl")
@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))
def test_examples_print_what_the_page_shows(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    now = refreshed(text)
    assert masked(now) == masked(text), "python scripts/docs_examples.py"
    shown, written = ([int(figure) for figure in BAR_AND_PERCENT.findall(page)] for page in (now, text))
    assert all(abs(one - other) <= POINTS for one, other in zip(shown, written, strict=True)), f"{shown} {written}"
