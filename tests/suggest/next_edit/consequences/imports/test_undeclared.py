"""Where names that nothing declares are to be declared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.runtime.ort import Cancel
from editahead.settings import Settings
from editahead.suggest.next_edit.consequences.rules.imports import MAX_WORDS, RULE
from editahead.suggest.next_edit.consequences.types import Moment, OpenPlace
from editahead.suggest.next_edit.decision import NextEditDecision
from editahead.suggest.types import Document, Rejection, Shown

from tests.growth import assert_linear
from tests.suggest.next_edit.consequences.marked_renames import played

_HEAD = "import os\nimport re#\n\n\n"
PYTHON = {
    "a class that is called": _HEAD + "def f(a):\n    return «a>Row(a)»\n",
    "of a decorator": _HEAD + "«>@Cached()\n»def f(a):\n    return a\n",
    "comments between imports": "import os\n\n# More.\nimport re#\n\nx = «1>Row(1)»\n",
    "imports above functions alone": (
        "import os\n\nx = 1\nimport re#\n\n\ndef f():\n    return «1>Row(1)»\n\n\nimport json\n"
    ),
    "nothing without imports": "x = «1>Row(1)»\n",
    "nothing for what stood before": "import os\n\nx = Row(1)\ny = «Row(1)>Row(2)»\n",
    "nothing for what is declared further down": ("import os\n\n\ndef f():\n    return «1>Row(1)»\n\n\nRow = f\n"),
    "nothing beside classes": "import os\n\nx = «1>Row(1)»\n\n\nclass Cell:\n    x = 1\n",
    "nothing for functions, variables and constants": "import os\n\nx = «1>row(size, LIMIT)»\n",
    "nothing for names of one's own": "import os\n\nx = «1>_Row(1)»\ny = «1>__file__»\n",
    "nothing for what is imported": "import os\nfrom rows import Row\n\nx = «1>Row(1)»\n",
    "nothing for a name of the language": "import os\n\nx = «1>ValueError(1)»\n",
    "nothing behind a dot": "import os\n\nx = os«>.Row(1)»\n",
    "nothing where all names may come": "import os\nfrom rows import *\n\nx = «1>Row(1)»\n",
    "nothing in texts": "import os\n\nx = «1>'Row(1)'»  # Row(1)\n",
    "nothing while the text is broken": "import os\n\nx = «1>Row((1)»\n",
    "nothing for a parameter": "import os\n\n\ndef f(Row):\n    return «1>Row(1)»\n",
    "nothing for another module of the library": "from typing import Any\n\nx = «1>Protocol(1)»\n",
}


def _places(document: Document, byte: int = 0) -> list[OpenPlace]:
    return RULE.run(Moment(document, byte, ResolverCache().of, lambda: None)).places


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_the_place_for_the_declaration(marked: str) -> None:
    document = played(marked.replace("#\n", "\n", 1) if "import re#" in marked else marked)
    place = marked.split("re#", maxsplit=1)[0].count("\n") if "re#" in marked else None
    found = _places(document)
    assert [document.syntax.buffer.line_at(one.start) for one in found] == ([] if place is None else [place])
    for one in found:
        assert one.start == document.syntax.buffer.line_span(place or 0)[1]
        assert one.reason == f"`{'Cached' if 'Cached' in marked else 'Row'}` is not imported"


def test_nothing_is_led_to_where_another_file_tells_how_to_import() -> None:
    document = played("import os\n\nx = «1>Row(1)»\n")
    other = played("from rows import Row\n\nx = Row(2)\n", "file:///w/other.py")
    assert _places(document)
    assert not _places(replace(document, others=(other,)))


def test_it_is_led_to_at_the_default_precision() -> None:
    document = replace(played(PYTHON["a class that is called"].replace("#", "")), settings=Settings())
    decision = NextEditDecision().place(document, 0, Cancel(), None)
    assert isinstance(decision, Shown)
    assert decision.value.source == "undeclared"
    assert decision.value.message == "`Row` is not imported"


def test_nothing_is_led_to_in_other_languages() -> None:
    assert not _places(played("import a.B;\n\nclass A {\n  Object x = «null>new Row()»;\n}\n", "file:///w/A.java"))


def test_a_rejected_place_is_not_given_again() -> None:
    marked = "import os\n\nx = «1>Row(1)»\ny = «2>Cell(Row(2))»\n"
    document = played(marked)
    found = _places(document)
    assert len(found) == 2
    for key in (found[0].key, found[0].pattern):
        left = _places(replace(document, rejections=(Rejection(key, document.now),)))
        assert [one.pattern for one in left] == [found[1].pattern]


def test_the_work_can_be_stopped() -> None:
    class _StopError(Exception):
        pass

    def stop() -> None:
        raise _StopError

    with pytest.raises(_StopError):
        RULE.run(Moment(played(PYTHON["a class that is called"]), 0, ResolverCache().of, stop))


def test_a_long_file_is_not_read_for_imports_of_all_names() -> None:
    rows = "".join(f"def g{number}(*args):\n    x{number} = bar({number}) * 2\n" for number in range(200))
    document = played("import os\n\n«>x = Foo()\n»" + rows, "file:///long.py")  # that nobody has read
    caches = ResolverCache()
    assert RULE.run(Moment(document, 0, caches.of, lambda: None)).places
    assert caches._caches[document.uri].read < 20


@pytest.mark.parametrize("rows", ["from rows import *\n", "try:\n    from rows import *\nexcept E:\n    pass\n"])
def test_imports_of_all_names_are_seen_between_others(rows: str) -> None:
    assert not _places(played(f"import os\n\n«>x = Foo()\n»\n\ndef f():\n    pass\n\n\n{rows}"))


def test_new_words_are_bounded_and_the_work_is_linear() -> None:
    def work(size: int) -> Callable[[], object]:
        lines = "".join(f"x{number} = Name{number}(1)\n" for number in range(size))
        document = played(f"import os\n\n«>{lines}»")
        assert document.syntax.error_count() == 0  # reads it
        return lambda: _places(document)

    found = work(500)()
    assert isinstance(found, list)
    assert 0 < len(found) <= MAX_WORDS
    assert_linear(work, 2_000)
