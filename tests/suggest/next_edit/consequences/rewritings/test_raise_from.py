"""The causes of errors that are raised where others are caught."""

from __future__ import annotations

import pytest

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

_FIRST = "try:\n    f()\nexcept A as a:\n    raise B(1)«> from a»\n"
CAUSES = {
    "not the error itself": (
        f"{_FIRST}except C as c:\n    raise c.with_traceback(t)\nexcept D as d:\n    raise (d)\n"
        "except E as e:\n    raise E(e)‹> from e›\n"
    ),
    "not a name that is bound again": (
        f"{_FIRST}except C as c:\n    c = wrap(c)\n    raise D(c)\nexcept E as e:\n    raise E(e)‹> from e›\n"
    ),
    "not a name that is unbound again": (
        f"{_FIRST}except C as c:\n    try:\n        f()\n    except D as c:\n        g()\n    raise E\n"
    ),
    "not the error itself, without a cause": (
        "try:\n    f()\nexcept A as a:\n    raise B(1)«> from None»\nexcept C as c:\n    raise c.with_traceback(t)\n"
        "except D as d:\n    raise E‹> from None›\n"
    ),
}


@pytest.mark.parametrize("marked", CAUSES.values(), ids=CAUSES.keys())
def test_causes(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "idiom")
