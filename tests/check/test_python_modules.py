"""Which file of the project an import of Python means."""

from __future__ import annotations

import pytest

from tests.check.changes import file, kinds, other


@pytest.mark.parametrize(
    ("line", "home", "here", "files", "told"),
    [
        ("from util import load", "util.py", "main.py", (), True),
        ("from util import load", "scripts/util.py", "scripts/main.py", (), True),
        ("from util import load", "tools/util.py", "app/main.py", (), True),  # on a path that nobody knows
        ("from util import load", "util.py", "app/main.py", ("app/util.py",), False),
        ("from util import load", "util.py", "app/main.py", ("app/util/__init__.py",), False),
        ("from util import load", "util.py", "app/main.py", ("app/util.py", "app/__init__.py"), True),
        ("from util import load", "pkg/util.py", "main.py", ("pkg/__init__.py",), False),
        ("from util import load", "pkg/util.py", "pkg/main.py", ("pkg/__init__.py",), False),
        ("from .util import load", "pkg/util.py", "pkg/main.py", ("pkg/__init__.py",), True),
        ("from pkg.util import load", "pkg/util.py", "tests/main.py", ("pkg/__init__.py",), True),
        ("from pkg.util import load", "server/pkg/util.py", "tests/main.py", ("server/pkg/__init__.py",), True),
        ("from pkg.util import load", "a/pkg/util.py", "b/main.py", ("b/pkg/util.py", "b/pkg/__init__.py"), False),
        ("from types import load", "tools/types.py", "app/main.py", (), False),
        ("from test.util import load", "test/util.py", "test/main.py", (), True),
    ],
)
def test_the_module_of_an_import(line: str, home: str, here: str, files: tuple[str, ...], told: bool) -> None:
    before = "def load(a):\n    return a\n"
    others = [other(f"{line}\n\nload(1)\n", here), *(other("x = 1\n", where) for where in files)]
    assert kinds(file(before, "", home), others=others) == [("removed-import", "load")] * told
    more = before.replace("(a)", "(a, b)")
    assert kinds(file(before, more, home), others=others) == [("call-elsewhere", "load")] * told
