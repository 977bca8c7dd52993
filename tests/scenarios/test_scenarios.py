"""Every scenario file, played against the shipped bundles."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import by_id

from .runner import CHECKS, Play, act, check, parse

CASES = sorted((Path(__file__).parent / "cases").glob("*.txt"))


@pytest.fixture(scope="module")
def engine() -> Engine:
    """The engine with the bundles that the package ships."""
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_scenario(engine: Engine, path: Path) -> None:
    play = Play(engine, f"file:///{path.stem}")
    sections = parse(path)
    if sections[0].kind == "language":
        language = by_id(sections[0].argument)
        assert language is not None
        try:
            language.grammar()
        except GrammarMissing as error:
            pytest.skip(str(error))
    checked = 0
    for section in sections:
        if act(play, section):
            continue
        assert section.kind in CHECKS, f"{path.name}:{section.line}: no such section as {section.kind!r}"
        problem = check(play, section)
        assert problem is None, f"{path.name}:{section.line}: {problem}"
        checked += 1
    assert checked, f"{path.name} checks nothing"


def test_there_are_scenarios() -> None:
    assert len(CASES) >= 12
