"""What repeated edits must not do: each case is an edit that was made by hand and its lines that stay."""

from __future__ import annotations

import pytest
from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.runtime.ort import Cancel, select_providers
from editahead.suggest.next_edit.candidate_pool import CandidatePool
from editahead.suggest.next_edit.edit_candidate import REPEAT
from editahead.suggest.next_edit.editor import NextEditor

from tests.suggest.next_edit.consequences.marked_renames import played, wanted

SHIPPED = [path for path in find_bundles() if path.name.startswith("implicit-attention-")]
pytestmark = pytest.mark.skipif(not SHIPPED, reason="no edit bundle is shipped")

IDENTITY = {
    "no mask or query": (
        "if a «==>is» None:\n    a = 1\nif b «==>is» None:\n    b = 1\nif c ‹==>is› None:\n    c = 1\n"
        "x = f(c == None)\ny = b[c == None]\n"
    ),
}
ASYNC = {
    "no async before accessors and special methods": (
        "home.py",
        "«>async »def a():\n    return 1\n\n\n«>async »def b():\n    return 2\n\n\n‹>async ›def c():\n    return 3\n"
        "\n\nclass C:\n    @property\n    def d(self):\n        return 4\n\n    def __len__(self):\n        return 5\n"
        "\n    ‹>async ›def e(self):\n        return 6\n",
    ),
    "no async before a result that is no promise": (
        "home.ts",
        "«>async »function a() {\n  return 1;\n}\n«>async »function b() {\n  return 2;\n}\n"
        "function c(): number {\n  return 3;\n}\n‹>async ›function d() {\n  return 4;\n}\n",
    ),
    "no await outside of async functions": (
        "home.py",
        "async def a():\n    x = «>await »load(1)\n    y = «>await »load(2)\n    z = ‹>await ›load(3)\n\n\n"
        "def b():\n    x = load(4)\n\n\nasync def c():\n    x = ‹>await ›load(5)\n    return lambda: load(6)\n",
    ),
}


@pytest.fixture(scope="module")
def editor() -> NextEditor:
    return NextEditor(load_bundle(SHIPPED[0], verify=False), select_providers("cpu"))


def assert_repeats(editor: NextEditor, marked: str, name: str = "home.py") -> None:
    """The edits «old>new» are repeated at the places ‹old>new› and nowhere else."""
    document = played(marked, f"file:///w/{name}")
    data = document.syntax.buffer.data
    items = CandidatePool().rated(document, 0, Cancel(), editor).items
    found = [one.candidate.edit.trimmed(data) for one in items if one.candidate.source == REPEAT]
    assert sorted((edit.start, edit.new) for edit in found) == wanted(marked)


@pytest.mark.parametrize("marked", IDENTITY.values(), ids=IDENTITY.keys())
def test_identity(editor: NextEditor, marked: str) -> None:
    assert_repeats(editor, marked)


@pytest.mark.parametrize(("name", "marked"), ASYNC.values(), ids=ASYNC.keys())
def test_async(editor: NextEditor, name: str, marked: str) -> None:
    assert_repeats(editor, marked, name)
