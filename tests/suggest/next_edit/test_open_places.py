"""Places that ask for an edit whose text is not sure, marked `•`: «old>new» is typed, and the cursor is led to each."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from editahead.runtime.ort import Cancel
from editahead.suggest.next_edit.consequences.source import ConsequenceSource
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.next_edit.open_places import next_place
from editahead.suggest.types import Document, Rejection, Shown, Suppressed

from .consequences.marked_renames import played

HOME, OTHER = "file:///w/home.py", "file:///w/other.py"
CALLERS = (
    "def open_file(path«>, encoding»):\n    return path\n\n\nopen_file(1•)\nopen_file(path=2•)\nprint(open_file(\n"
    "    3•\n))\n"
)
PYTHON = {
    "arguments behind those that are given": CALLERS,
    "in front of another": "def area(«>unit, »a):\n    return a\narea(•1)\narea(•f(2))\n",
    "where nothing is given": "class C:\n    def __init__(self«>, unit»):\n        pass\nC(•)\n",
    "of a method": "class C:\n    def m(self«>, a»):\n        pass\n    def n(self):\n        self.m(•)\n",
    "only where no name is visible": "def area(a«>, unit»):\n    return a\ndef show(unit):\n    area(1)\narea(1•)\n",
    "not where callers need not give it": "def area(a«>, unit=1»):\n    return a\narea(1)\n",
    "not in a call that was edited": "def area(a«>, unit»):\n    return a\narea(1«>, 2»)\narea(1•)\n",
    "not in a call with a rest": "def area(a«>, unit»):\n    return a\narea(*b)\n",
    "not in a call that gives one argument more": "def area(a«>, unit»):\n    return a\narea(1, 2)\n",
    "the uses of an import": "«import json\n>»\n\ndef f(a):\n    b = •json.dumps(a)\n    return b, •json.loads(b)\n",
    "not where the name is declared again": "«import json\n>»json = 1\nprint(json)\n",
}
OTHERS = {
    "Java": ("A.java", "class A {\n  void m(int a«>, int unit») { }\n  void k() { m(1•); this.m(2•); }\n}\n"),
    "TypeScript": ("a.ts", "function m(a: number«>, unit: number») { }\nm(1•);\n"),
    "Go": ("a.go", "package a\n\nfunc m(a int«>, unit int») { }\n\nfunc k() {\n\tm(1•)\n}\n"),
}


def led_to(document: Document) -> list[int]:
    """The places from the top on."""
    places = ConsequenceSource().outcome(document, 0, Cancel()).places
    return sorted(one.start for one in places if one.document is document)


def marks(marked: str) -> tuple[str, list[int]]:
    """A text without its marks `•`, and where they stand after the user's edits, in bytes."""
    after = re.sub("«[^»>]*>([^»>]*)»", r"\1", marked)
    places = [one.start() - number for number, one in enumerate(re.finditer("•", after))]
    return marked.replace("•", ""), places


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON)
def test_python(marked: str) -> None:
    text, places = marks(marked)
    assert led_to(played(text)) == places


@pytest.mark.parametrize(("name", "marked"), OTHERS.values(), ids=OTHERS)
def test_other_languages(name: str, marked: str) -> None:
    text, places = marks(marked)
    assert led_to(played(text, f"file:///w/{name}")) == places


def test_the_cursor_is_led_from_one_place_to_the_next_and_around() -> None:
    text, places = marks(CALLERS)
    document, source = played(text), ConsequenceSource()
    at, seen = 0, list[int]()
    for _ in range(4):
        decision = next_place(source.outcome(document, at, Cancel()).places, document, at)
        assert isinstance(decision, Shown)
        at = decision.value.start
        seen.append(at)
    assert seen == [*places, places[0]]


def test_an_editor_holds_the_cursor_before_the_end_of_a_line() -> None:
    text, places = marks("def area(a«>, unit»):\n    return a\narea(\n    1•\n)\n")
    document = played(text)
    found = ConsequenceSource().outcome(document, 0, Cancel()).places
    assert isinstance(next_place(found, document, 0), Shown)
    assert isinstance(next_place(found, document, places[0] - 1), Suppressed)


def test_the_precision_decides_by_the_rate_of_the_kind() -> None:
    document = played(marks(CALLERS)[0])
    found = ConsequenceSource().outcome(document, 0, Cancel()).places
    assert isinstance(next_place(found, document, 0), Shown)
    strict = replace(document, settings=replace(document.settings, place_precision=0.999))
    assert isinstance(next_place(found, strict, 0), Suppressed)


def test_a_rejected_place_and_a_rejected_change_are_left_out() -> None:
    text, places = marks(CALLERS)
    document = played(text)
    first = ConsequenceSource().outcome(document, 0, Cancel()).places[0]
    for key, left in ((first.key, places[1:]), (first.pattern, [])):
        assert led_to(replace(document, rejections=(Rejection(key, document.now),))) == left


def test_places_of_other_open_files_come_last() -> None:
    home = played("def area(a«>, unit»):\n    return a\narea(1)\n")
    document = replace(home, others=(played("from home import area\narea(2)\n", OTHER),))
    decision, source, at = NextEditDecision(), list[str](), 0
    for _ in range(2):
        found = decision.place(document, at, Cancel(), None)
        assert isinstance(found, Shown)
        source.append(found.value.uri)
        at = found.value.start
    assert source == [HOME, OTHER]


@pytest.mark.parametrize(
    ("marked", "said"),
    [
        (CALLERS, "3 calls of `open_file` lack `encoding`"),
        ("def area(a«>, unit»):\n    return a\narea(1)\n", "1 call of `area` lacks `unit`"),
        ("«import json\n>»\n\ndef f(a):\n    b = json.dumps(a)\n    return b\n", "1 use of `json` lacks its import"),
    ],
)
def test_the_reason_says_what_is_lacking_where_nothing_is_shown(marked: str, said: str) -> None:
    document = played(marks(marked)[0])
    document = replace(document, settings=replace(document.settings, precision=1.0))
    decision = NextEditDecision().next_edit(document, 0, Cancel(), None)
    assert isinstance(decision, Suppressed)
    assert decision.detail == said


def test_nothing_while_the_parameter_is_typed_or_after_an_undo_of_it() -> None:
    document = played(marks(CALLERS)[0], idle=False)
    decision = NextEditDecision().place(document, document.syntax.buffer.data.index(b"encoding"), Cancel(), None)
    assert isinstance(decision, Suppressed)
