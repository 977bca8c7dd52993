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
