"""Uses of a renamed name in files that are not open, «old>new» as the user typed it; what is read is told by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from editahead.suggest.next_edit.consequences.rename_unopened import rename_unopened
from editahead.suggest.next_edit.consequences.resolvers import Resolvers
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import UNOPENED, Document

from .marked_renames import played

OTHER = "file:///w/other.py"


class Project:
    """One file that is not open; `home` is a module that leads to the renamed one."""

    def __init__(self, text: str) -> None:
        self.file = replace(played(text, OTHER), version=UNOPENED)

    def importing(self, uri: str, name: str, check: Callable[[], None]) -> Iterator[Document]:
        check()
        yield self.file

    def unchanged(self) -> bool:
        return True

    def leads_to(self, module: str, here: str, home: str) -> bool:
        return module == "home"


def found(home: str, other: str) -> list[tuple[int, bytes]]:
    """Line and new text of each place."""
    document = replace(played(home), unopened=Project(other))
    outcome = rename_unopened(Moment(document, 0, Resolvers().of, lambda: None))
    assert all(one.kind.endswith("/unopened-file") for one in outcome)
    return [(one.document.syntax.buffer.line_at(one.edit.start), one.edit.new) for one in outcome]


IMPORTED = "from home import area\n\nprint(area(1), other.area)\n"


@pytest.mark.parametrize(
    ("home", "other", "expected"),
    [
        ("def «area>surface»(a):\n    return a\n", IMPORTED, [(0, b"surface"), (2, b"surface")]),
        ("class «area>surface»:\n    pass\n", "import home\nhome.area()\n", [(1, b"surface")]),
        (
            "def «area>surface»(a):\n    return a\n",
            "try:\n    from home import area\nexcept A:\n    from b import area\narea()\n",
            [],
        ),
        (
            "def «area>surface»(a):\n    return a\n",
            "try:\n    from home import area\nexcept A:\n    area = None\n",
            [(1, b"surface"), (3, b"surface")],
        ),
        ("def «area>surface»(a):\n    return a\n", "from lib.home import area\narea(1)\n", []),
        ("def «area>surface»(a):\n    return a\n", IMPORTED + "surface = 1\n", []),  # taken there
        ("def area(a):\n    return a\n«area>surface»(1)\n", IMPORTED, []),  # a use, not the declaration
        ("def «area>_area»(a):\n    return a\n", IMPORTED, []),
        ("def f(«area>surface»):\n    return area\n", IMPORTED, []),  # a parameter
        ("from lib import «area>surface»\narea(1)\n", IMPORTED, []),  # declared elsewhere
    ],
)
def test_only_what_leads_to_the_renamed_declaration_follows(home: str, other: str, expected: list[object]) -> None:
    assert found(home, other) == expected


def test_without_a_project_nothing_follows() -> None:
    document = played("def «area>surface»(a):\n    return a\n")
    assert rename_unopened(Moment(document, 0, Resolvers().of, lambda: None)) == []
