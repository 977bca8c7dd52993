"""CONTRIBUTING's recipe for a new rule of next edits: one file, and nothing else."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.consequences import rule, rules, source
from editahead.suggest.next_edit.consequences.rules import all_rules, rule_named
from editahead.suggest.types import Decision, NextEdit, Shown

from scripts.rules_doc import PAGES, page_with_rules

from .marked_renames import assert_follows, played

CONTRIBUTING = Path(__file__).parents[4] / "CONTRIBUTING.md"
TEXT = "def test(n):\n    «todo>done»(n)\n    m = n + 2\n    todo(m)\n    return m\n"
FILE = """from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause
from editahead.text.edits import ByteEdit


def done(moment):
    document, data = moment.document, moment.document.syntax.buffer.data
    if b"done" in data:
        cause = Cause("toy-done", "done", "`todo` is `done`", document.syntax.buffer.line_at(data.index(b"done")))
        for at in document.syntax.occurrences(b"todo"):
            yield from moment.consequence(cause, document, ByteEdit(at, at + 4, b"done"), "done")


RULE = EditRule(
    name="toy-done",
    when=frozenset({ChangeKind.WORDS_ADDED}),
    generate=done,
    you="write `done`",
    follows="every `todo`",
    examples=("«todo>done»(1)\\n‹todo>done›(2)\\n",),
)
"""


@pytest.fixture
def engine() -> Engine:
    """Its own for each test: an engine keeps its last answer."""
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A file of rules beside those of the package."""
    monkeypatch.setattr(rules, "__path__", [*rules.__path__, str(tmp_path)])
    file = tmp_path / "toy_done.py"
    file.write_text(FILE, encoding="utf-8")
    all_rules.cache_clear()
    yield file
    all_rules.cache_clear()
    sys.modules.pop(f"{rules.__name__}.toy_done", None)


def _decision(engine: Engine) -> Decision[NextEdit]:
    """The decision on the next edit at the settings that ship; the cursor is at the user's edit."""
    return engine.next_edit(replace(played(TEXT), settings=Settings()), len(TEXT.split("«", maxsplit=1)[0]), Cancel())


def test_without_the_file_nothing_follows(engine: Engine) -> None:
    assert "toy-done" not in {rule.name for rule in all_rules()}
    decision = _decision(engine)
    assert not isinstance(decision, Shown) or decision.value.source != "toy-done"


def test_the_file_alone_gives_its_candidates(engine: Engine, toy: Path) -> None:
    document = played(TEXT)
    given = [each.candidate for each in engine.rated_candidates(document, 17, Cancel()).items]
    after = [each.edit.apply(document.syntax.buffer.data) for each in given if each.source == "toy-done"]
    assert after == [TEXT.replace("«todo>done»", "done").replace("todo", "done").encode()]


def test_it_is_shown_once_it_has_a_rate(engine: Engine, toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    measured = {**rule.rates(), "toy-done": {"": 0.97}}
    monkeypatch.setattr(source, "rate", lambda name, kind: measured.get(name, {}).get("", 0.0))
    decision = _decision(engine)
    assert isinstance(decision, Shown)
    assert (decision.value.source, decision.value.steps[0][0]) == ("toy-done", "`todo` is `done`")


def test_its_example_holds_and_it_is_documented(toy: Path) -> None:
    rule = rule_named("toy-done")
    for example in rule.examples:
        assert_follows({"file:///w/a.py": example}, rule.sources[0])
    page = page_with_rules(PAGES[0].read_text(encoding="utf-8"))
    assert "| write `done` | every `todo` | `toy-done` |" in page


def test_contributing_describes_the_file() -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    recipe = text.partition("- A rule of next edits:")[2].partition("\n- ")[0]
    assert 0 < recipe.count("\n") <= 12
    assert all(f"`{name}`" in recipe for name in re.findall(r"^    (\w+)=", FILE, re.MULTILINE))
    assert "server/editahead/suggest/next_edit/consequences/rules" in recipe
