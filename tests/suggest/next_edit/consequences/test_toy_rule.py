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
from editahead.suggest.next_edit.consequences import rules
from editahead.suggest.next_edit.consequences.rules import all_rules, rule_named
from editahead.suggest.types import Document, Shown, Suppressed

from scripts.rules_doc import PAGES, page_with_rules

from .marked_renames import assert_follows, played

CONTRIBUTING = Path(__file__).parents[4] / "CONTRIBUTING.md"
TEXT = (
    "def test(n):\n    «assertEquals(n, 1)>assert n == 1»\n    m = n + 2\n    assertEquals(f(n), [m])\n    return m\n"
)
FILE = """from editahead.suggest.next_edit.consequences.rewritings.rewriting_rule import rewriting_rule

RULE = rewriting_rule(
    "assert-equals",
    language="python",
    pattern="assertEquals(a, b)",
    template="assert a == b",
    reason="`assertEquals` is written as `assert`",
    example="«assertEquals(n, 1)>assert n == 1»\\n‹assertEquals(f(n), [2])>assert f(n) == [2]›\\n",
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
    file = tmp_path / "toy_assert_equals.py"
    file.write_text(FILE, encoding="utf-8")
    all_rules.cache_clear()
    yield file
    all_rules.cache_clear()
    sys.modules.pop(f"{rules.__name__}.toy_assert_equals", None)


def _document(text: str) -> Document:
    return replace(played(text), settings=Settings())


def _shown(engine: Engine, text: str) -> str:
    """The text after the next edit at the settings that ship, empty without one; the cursor is at the first edit."""
    document = _document(text)
    decision = engine.next_edit(document, len(text.split("«", maxsplit=1)[0]), Cancel())
    if isinstance(decision, Suppressed):
        return ""
    assert isinstance(decision, Shown)
    return decision.value.edit.apply(document.syntax.buffer.data).decode()


def test_without_the_file_nothing_follows(engine: Engine) -> None:
    assert "assert-equals" not in {rule.name for rule in all_rules()}
    assert _shown(engine, TEXT) == ""


def test_the_file_alone_makes_the_engine_show_its_edit(engine: Engine, toy: Path) -> None:
    after = re.sub("«[^>]*>([^»]*)»", r"\1", TEXT)
    assert _shown(engine, TEXT) == after.replace("assertEquals(f(n), [m])", "assert f(n) == [m]")
    decision = engine.next_edit(_document(TEXT), 20, Cancel())
    assert isinstance(decision, Shown)
    assert decision.value.steps[0][0] == "`assertEquals` is written as `assert`"


def test_its_example_holds_and_it_is_documented(toy: Path) -> None:
    rule = rule_named("assert-equals")
    for example in rule.examples:
        assert_follows({"file:///w/a.py": example}, rule.sources[0])
    page = page_with_rules(PAGES[0].read_text(encoding="utf-8"))
    assert "| rewrite `assertEquals(a, b)` to `assert a == b` |" in page


FOLLOWS = {
    "an operand of several words is left": "«assertEquals(n, 1)>assert n == 1»\nassertEquals(a or b, 1)\n",
    "a call that is no statement is left": "«assertEquals(n, 1)>assert n == 1»\nx = assertEquals(n, 2)\n",
    "another function is left": "«assertEquals(n, 1)>assert n == 1»\nassertNotEquals(n, 2)\n",
    "another number of arguments is left": "«assertEquals(n, 1)>assert n == 1»\nassertEquals(n, 2, 'm')\n",
    "operands of any kind": "«assertEquals(n, 1)>assert n == 1»\n‹assertEquals('a', None)>assert 'a' == None›\n",
    "without the user's edit nothing follows": "«x>y» = 1\nassertEquals(n, 1)\n",
    "another edit of such a call is no example": "assertEquals(«n, 1>1, n»)\nassertEquals(m, 2)\n",
}


@pytest.mark.parametrize("what", FOLLOWS)
def test_what_a_pattern_matches(toy: Path, what: str) -> None:
    assert_follows({"file:///w/a.py": FOLLOWS[what]}, "idiom")


def test_a_pattern_without_operands_is_refused(toy: Path) -> None:
    toy.write_text(FILE.replace("assert a == b", "assert True"), encoding="utf-8")
    with pytest.raises(ValueError, match=r"assertEquals\(a, b\) -> assert True"):
        assert_follows({"file:///w/a.py": TEXT}, "idiom")


def test_contributing_describes_the_file() -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    recipe = text.partition("- A rule of next edits:")[2].partition("\n- ")[0]
    assert 0 < recipe.count("\n") <= 12
    assert all(name in recipe for name in re.findall(r"^    (\w+)=", FILE, re.MULTILINE))
    assert "server/editahead/suggest/next_edit/consequences/rules" in recipe
