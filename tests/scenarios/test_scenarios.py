"""Every scenario file, played against the shipped bundles, and how often what they ask for is shown, right and quiet.

`rates.toml` holds the rates that were reached and the scenarios that do not come out right yet. A rate may not fall,
and a scenario that comes out right leaves that list.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:  # the standard library has it from 3.11 on
    import tomli as tomllib

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.suggest.engine import Engine
from editahead.syntax.grammars import GrammarMissing
from editahead.syntax.language import by_id

from .runner import Outcome, parse, played

HERE = Path(__file__).parent
CASES = sorted((HERE / "cases").glob("*.txt"))
COMMITTED: dict[str, Any] = tomllib.loads((HERE / "rates.toml").read_text(encoding="utf-8"))
NOT_YET: dict[str, str] = COMMITTED["not_yet"]
SURFACES = {"edits": ("next-edit", "queue"), "text": ("completion", "inline"), "bodies": ("body",)}


@pytest.fixture(scope="module")
def engine() -> Engine:
    """The engine with the bundles that the package ships."""
    made = Engine.load(find_bundles(), "cpu", lambda text, share: None)
    describer = made.describer("python")
    assert describer is not None
    return made


@pytest.fixture(scope="module")
def outcomes() -> dict[str, list[Outcome]]:
    """What the scenarios of this run came to, by name."""
    return {}


@pytest.mark.parametrize("path", CASES, ids=[path.stem for path in CASES])
def test_scenario(engine: Engine, outcomes: dict[str, list[Outcome]], path: Path) -> None:
    missing = _grammar_missing(path)
    if missing:
        pytest.skip(missing)
    found = outcomes[path.stem] = played(engine, path)
    assert found, f"{path.name} checks nothing"
    problems = [outcome.problem for outcome in found if outcome.problem]
    if path.stem in NOT_YET:
        assert problems, f"{path.stem} comes out right now: take it off `not_yet` in rates.toml and raise the rates"
    else:
        assert not problems, "\n".join(problems)


@pytest.mark.parametrize("group", list(SURFACES))
def test_rates_do_not_fall(engine: Engine, outcomes: dict[str, list[Outcome]], group: str) -> None:
    for path in CASES:
        if path.stem not in outcomes and not _grammar_missing(path):
            outcomes[path.stem] = played(engine, path)
    found = rates([one for some in outcomes.values() for one in some if one.surface in SURFACES[group]])
    committed = COMMITTED[group]
    assert set(found) == set(committed)
    fallen = {name: value for name, value in found.items() if value < committed[name]}
    assert not fallen, f"{group}: {fallen} fell below {committed}"


def rates(found: Sequence[Outcome]) -> dict[str, float]:
    """The three rates of the scenarios, rounded down to three places, as in the file.

    Of the checks that ask for something the share where anything is shown; of these the share that is right; of those
    that ask for silence the share that is silent.
    """
    wanted = [one for one in found if not one.quiet]
    shown = [one for one in wanted if one.shown]
    silent = [one for one in found if one.quiet]
    shares = {
        "shown": (len(shown), len(wanted)),
        "right": (sum(one.problem is None for one in shown), len(shown)),
        "quiet": (sum(not one.shown for one in silent), len(silent)),
    }
    return {name: 1000 * part // max(1, whole) / 1000 for name, (part, whole) in shares.items()}


def test_rates_count_what_is_shown_and_what_is_right() -> None:
    made = [
        Outcome("queue", False, True, None),
        Outcome("queue", False, True, "another line"),
        Outcome("queue", False, False, "nothing"),
        Outcome("queue", True, False, None),
        Outcome("queue", True, False, None),
        Outcome("queue", True, True, "something"),
    ]
    assert rates(made) == {"shown": 0.666, "right": 0.5, "quiet": 0.666}


def test_the_suite_covers_what_should_be_shown_and_where_silence_is_right() -> None:
    asked = {path.stem: [section.kind for section in parse(path)] for path in CASES}
    assert len(CASES) >= 60
    assert sum("quiet" in kinds and not {"queue", "next-edit"} & set(kinds) for kinds in asked.values()) >= 25
    assert set(NOT_YET) <= set(asked)


def _grammar_missing(path: Path) -> str | None:
    """Why a scenario cannot be played here, or None."""
    first = parse(path)[0]
    language = by_id(first.argument) if first.kind == "language" else by_id("python")
    assert language is not None
    try:
        language.grammar()
    except GrammarMissing as error:
        return str(error)
    return None
