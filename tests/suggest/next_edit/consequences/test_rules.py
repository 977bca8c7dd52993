"""The rules of next edits: what their examples say, how they are documented, and on which changes they are asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from editahead.runtime.bundle import find_bundles
from editahead.runtime.ort import Cancel
from editahead.suggest.engine import Engine
from editahead.suggest.next_edit.consequences import source as module
from editahead.suggest.next_edit.consequences.rule import rate
from editahead.suggest.next_edit.consequences.rules import all_rules
from editahead.suggest.next_edit.consequences.source import ConsequenceSource
from editahead.suggest.next_edit.consequences.types import Item, Moment
from editahead.suggest.next_edit.edit_candidate import LINES, NETWORK, REPEAT
from editahead.suggest.next_edit.open_places import RATES
from editahead.suggest.next_edit.scoring.candidate_features import SCORED_SOURCES

from scripts.rules_doc import PAGES, page_with_rules

from .marked_renames import assert_leads_to, played, wanted

REMOVED = frozenset(
    "argument await call commented extracted idiom imported mention moved name-part numbered parallel rewritten "
    "sibling type unbound unpacking unused".split()
)
"""Sources that the scorer was fitted on and that were removed since: their columns are always 0."""
OF_PLACES = frozenset({"unbound", "undeclared"})
"""Sources of places alone, which the scorer does not rate."""
LED_TO = [(rule.name, text) for rule in all_rules() if rule.name in OF_PLACES for text in rule.examples]
EXAMPLES = [(rule.sources[0], text) for rule in all_rules() if rule.name not in OF_PLACES for text in rule.examples] + [
    (REPEAT, "a = load(«'old.txt'>'new.txt'»)\nb = 1\nc = store(‹'old.txt'>'new.txt'›)\n"),
    (REPEAT, "a = load(x«>, strict=True»)\nb = 1\nc = load(x‹>, strict=True›)\n"),
    (REPEAT, "a = load(x«, strict=True>»)\nb = 1\nc = load(x‹, strict=True>›)\n"),
    (
        LINES,
        "def f():\n    x = load(path, mode)\n«>    check(x, path)\n»    return x\n\n\n"
        "def g():\n    y = load(path, mode)\n‹>    check(y, path)\n›    return y\n",
    ),
    (
        LINES,
        "def f():\n    x = «old(x, mode)>new(mode)[x]»\n    return x\n\n\n"
        "def g():\n    y = ‹old(y, mode)>new(mode)[y]›\n    return y\n",
    ),
]
ASKED = {
    "a declared name replaced": ("def f(«width>size»):\n    return g(width)\n", "rename"),
    "a declared name and its uses replaced": ("def f(«w>size»):\n    return g(«w>size», a=w)\n", "rename"),
    "a function renamed": ("def «total>sum_of»(rows):\n    return 2\n\n\ntotal(1)\n", "rename"),
    "a class renamed": ("class «Old>New»:\n    x = 1\n\n\nOld(1)\n", "rename"),
    "a variable renamed": ("«total1>total2» = f(1)\nprint(total1)\n", "rename"),
    "a used name replaced": ("x = 1\nf(«x>y»)\n", "field import rename unbound"),
    "a parameter added": ("def f(a«>, b»):\n    return a\n", "field import parameter"),
    "a parameter removed": ("def f(a«, b>»):\n    return a\n", "import parameter field unbound"),
    "an argument added": ("f(a«>, b»)\nf(c)\n", "field import"),
    "an import removed": ("«import re\n>»x = re.escape(a)\n", "import unbound"),
    "an assignment written": ("«>x = f.a\n»g(f.a)\n", "field import value"),
    "a number changed": ("x = «1>2»\n", ""),
    "an operator changed": ("x == None\nif a «==>is» None:\n    pass\n", "field import"),
    "a blank line": ("x = 1\n«>\n»y = 2\n", ""),
    "nothing": ("x = 1\n", ""),
}
LISTED = {name for _, expected in ASKED.values() for name in expected.split()}


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine.load(find_bundles(), "cpu", lambda text, share: None)


def _texts(engine: Engine, files: dict[str, str], source: str) -> list[tuple[str, bytes]]:
    documents = {path: played(marked, path) for path, marked in files.items()}
    first = next(path for path, marked in files.items() if "«" in marked)
    document = replace(documents[first], others=tuple(one for path, one in documents.items() if path != first))
    rated = engine.rated_candidates(document, len(files[first].split("«")[0]), Cancel()).items
    given = [each.candidate for each in rated if each.candidate.source == source]
    return [(each.document.uri, each.offer.apply(each.document.syntax.buffer.data)) for each in given]


def _after(marked: str) -> bytes:
    return re.sub("[«‹]([^«»‹›>]*)>([^«»‹›]*?)[»›]", r"\2", marked).encode()


@pytest.mark.slow
@pytest.mark.parametrize(("source", "text"), EXAMPLES)
def test_a_source_gives_what_its_example_says(engine: Engine, source: str, text: str) -> None:
    assert wanted(text)
    assert ("a.py", _after(text)) in _texts(engine, {"a.py": text}, source)


@pytest.mark.parametrize(("source", "text"), LED_TO)
def test_a_source_leads_to_what_its_example_says(source: str, text: str) -> None:
    assert wanted(text)
    assert_leads_to({"a.py": text}, source)


def test_a_rename_reaches_other_open_files(engine: Engine) -> None:
    files = {
        "a.py": "def «area>surface»(x):\n    return x\n",
        "b.py": "from a import other\nimport a\n\nprint(a.‹area>surface›(1))\n",
    }
    assert ("b.py", _after(files["b.py"])) in _texts(engine, files, "rename")


def test_each_rule_has_a_name_of_its_own_and_an_example() -> None:
    names = [name for rule in all_rules() for name in (rule.name, *rule.variants)]
    assert len(set(names)) == len(names) > 5
    assert all(rule.examples and rule.when and rule.you and rule.follows for rule in all_rules())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_documentation_names_each_rule(page: object) -> None:
    text = next(each for each in PAGES if each == page).read_text(encoding="utf-8")
    assert page_with_rules(text) == text, "run python -m scripts.rules_doc"
    assert all(f"`{source}`" in text for rule in all_rules() for source in rule.sources)
    assert f"`{NETWORK}`" in text or page != PAGES[1]


def test_every_scored_source_is_a_rule_or_was_removed() -> None:
    scored = {"repeat" if name.startswith("repeat_") else name for name in SCORED_SOURCES} - {NETWORK, LINES, REPEAT}
    rules = {source for rule in all_rules() for source in rule.sources}
    assert scored - (rules - OF_PLACES) == REMOVED


def test_rules_of_places_have_measured_rates() -> None:
    assert all(rate(RATES.format(name), "") > 0 for name in OF_PLACES)


@pytest.mark.parametrize("what", ASKED)
def test_only_rules_of_the_kind_of_change_are_asked(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    text, expected = ASKED[what]
    counts = _asked(monkeypatch, text)
    if expected not in ("rename", ""):  # a new rule may run as well
        counts = Counter({name: count for name, count in counts.items() if name in LISTED})
    assert counts == Counter(expected.split())


def test_a_rename_in_another_file_asks_rules_that_look_there(monkeypatch: pytest.MonkeyPatch) -> None:
    assert _asked(monkeypatch, "x = 1\n", "def f(«width>size»):\n    return width\n") == Counter({"rename": 1})
    assert _asked(monkeypatch, "x = 1\n", "x = 1\nf(«x>y», 1)\n") == Counter({"rename": 1})


def _asked(monkeypatch: pytest.MonkeyPatch, text: str, other: str = "") -> Counter[str]:
    """How often each rule is asked after the marked edits."""
    counts = Counter[str]()

    def counting(name: str) -> object:
        def generate(moment: Moment) -> Iterator[Item]:
            counts[name] += 1
            return iter(())

        return generate

    rules = tuple(rule._replace(generate=counting(rule.name)) for rule in all_rules())
    monkeypatch.setattr(module, "all_rules", lambda: rules)
    others = (played(other, "file:///w/other.py"),) if other else ()
    ConsequenceSource().outcome(replace(played(text), others=others), 0, Cancel())
    return counts
