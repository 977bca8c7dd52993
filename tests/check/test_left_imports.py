"""Imports that a change left behind, and what uses an import unseen."""

from __future__ import annotations

import pytest

from tests.check.changes import file, found, kinds, other

TAGS = "export const App = () => <b>1</b>;\n"


@pytest.mark.parametrize("where", ["a.jsx", "a.tsx"])
@pytest.mark.parametrize(
    "line", ['import React from "react";', 'import * as React from "react";', 'import { h, Fragment } from "preact";']
)
def test_tags_use_what_they_are_made_of(line: str, where: str) -> None:
    assert kinds(file(TAGS, f"{line}\n{TAGS}", where)) == []
    used = f"{line}\nReact.run(h, Fragment);\nconst x = <img src='a' />;\n"
    assert kinds(file(used, used.replace("React.run(h, Fragment);\n", ""), where)) == []
    plain = "export const one = 1;\n"
    assert {kind for kind, _ in kinds(file(plain, f"{line}\n{plain}", where))} == {"unused-new-import"}


def test_an_assignment_in_place_of_an_import_is_none() -> None:
    user = "try:\n    from pkg.a import speed\nexcept ImportError:\n    speed = None\n"
    rows = found(file("speed = 1\n", "pace = 1\n"), others=[other(user, "use.py")])
    assert [(one.line, one.kind) for one in rows] == [(1, "removed-import")]


def test_tags_use_no_other_import() -> None:
    assert kinds(file(TAGS, f'import {{ useState }} from "react";\n{TAGS}', "a.jsx")) == [
        ("unused-new-import", "useState")
    ]
