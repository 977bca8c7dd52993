"""What follows from a renamed declaration: the names that share the part of it that changed."""

from __future__ import annotations

import pytest
from editahead.suggest.next_edit.consequences.renames.name_part import Part, differing_part, replace_part

from tests.suggest.next_edit.consequences.marked_renames import assert_follows

_TWO = "class «OldStore>NewStore»:\n    x = 1\n\n\ndef «load_old>load_new»():\n    return 1\n\n\n"
PYTHON = {
    "names in other spellings": (
        _TWO + "def ‹make_old_store>make_new_store›():\n    return OLD\n\n\n‹make_old_store>make_new_store›()\n"
    ),
    "nothing after one name": "class «OldStore>NewStore»:\n    x = 1\n\n\ndef make_old_store():\n    return 1\n",
    "nothing without a declaration": _TWO + "x = old_b\n",
    "nothing where the new name stands": _TWO + "def old_b():\n    new_b = 1\n",
    "nothing for a part of a sub-word": _TWO + "def golden():\n    x = 1\n",
}


@pytest.mark.parametrize("marked", PYTHON.values(), ids=PYTHON.keys())
def test_names_with_the_part_follow(marked: str) -> None:
    assert_follows({"file:///w/home.py": marked}, "name-part")


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("OldStore", "NewStore", Part(("old",), ("new",))),
        ("load_rows", "load_items", Part(("rows",), ("items",))),
        ("rows", "table_rows", None),
        ("a_b", "a_c", None),
    ],
)
def test_the_part_in_which_names_differ(old: str, new: str, part: Part | None) -> None:
    assert differing_part(old, new) == part


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("make_old_store", "make_new_shop_store"),
        ("oldStore", "newShopStore"),
        ("OldStore", "NewShopStore"),
        ("OLD_SIZE", "NEW_SHOP_SIZE"),
        ("threshold", None),
        ("old_old", None),
    ],
)
def test_the_spelling_stays(name: str, wanted: str | None) -> None:
    assert replace_part(name, Part(("old",), ("new", "shop"))) == wanted
