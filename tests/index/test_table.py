"""The table of a project's names: what it remembers, and what it must not remember."""

from __future__ import annotations

import numpy as np
from editahead.index.lexicon import NameOccurrences
from editahead.index.sliced_work import finish
from editahead.index.table import NameTable


def found(*words: str) -> NameOccurrences:
    """Each name once, on the first line."""
    n = len(words)
    return NameOccurrences(list(words), np.ones(n, np.uint32), np.zeros(n, np.uint32), np.zeros(n, np.bool_))


def test_a_table_that_lost_all_its_names_has_an_empty_view_and_can_start_again() -> None:
    table = NameTable(most_names=10)
    finish(table.put("a.py", "python", (1, 1), found("beta", "alpha")))
    assert finish(table.views())["python"].words == ["alpha", "beta"]
    finish(table.put("a.py", "python", (2, 1), None))
    for _ in range(2):  # the first drops the names, the second must not remember their order
        assert all(len(view) == 0 for view in finish(table.views()).values())
    finish(table.put("b.py", "python", (1, 1), found("gamma")))
    assert finish(table.views())["python"].words == ["gamma"]
