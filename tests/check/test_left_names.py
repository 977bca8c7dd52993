"""Names that nothing declares, and those that the language, the file or something unknown gives."""

from __future__ import annotations

import pytest

from tests.check.changes import file, kinds


@pytest.mark.parametrize(
    "written",
    [
        "def first[T](rows: list[T]) -> T:\n    return rows[0]\n",
        "type Pair[K] = dict[K, K]\nx: Pair\n",
        "def g[K: int, *V](a: K, *b: *V) -> K:\n    return a\n",
        "class Base[T]:\n    pass\n\nclass Box[T](Base[T]):\n    def m(self) -> T:\n        return cast(T, 1)\n",
    ],
)
def test_type_parameters_are_declared(written: str) -> None:
    assert (
        kinds(file("from typing import cast\nprint(cast)\n", "from typing import cast\nprint(cast)\n" + written)) == []
    )
