"""The merged menu of two servers: its order is that of the Neovim plugin, and every place is ranked in three menus."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from editahead.bench.answers import Offered
from editahead.syntax.language import by_id
from editahead_models.publishing import merged_menu
from editahead_models.replay.places import LINE, DrawnPlace
from editahead_models.replay.simulated_user import user_of, user_of_other

from tests.models.publishing.test_completions import CODE, SERVER


def test_items_stand_by_probability_once_each_and_the_unexpected_last() -> None:
    own = [Offered("total", 0.6), Offered("tally", 0.3)]
    other = [Offered("zebra", 0.0), Offered("apple", 0.0), Offered("tally", 0.7), Offered("new", 0.1)]
    assert merged_menu.joined(own, other, "") == ["tally", "total", "new", "zebra", "apple"]
    assert merged_menu.joined(own, other, "new")[0] == "new"


def test_each_place_is_ranked_in_three_menus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other server offers `tally` before `total`; ours knows that `tally` stands nowhere."""
    monkeypatch.setattr(merged_menu, "WARM_UP_SECONDS", 0.0)
    language = by_id("python")
    assert language is not None
    start = CODE.rindex(b"total")
    place = DrawnPlace("a.py", language, CODE, start, start + 5, True, LINE)
    server = tmp_path / "server.py"
    server.write_text(SERVER, encoding="utf-8")
    files = [("a.py", CODE, language)]
    with user_of(files) as ours, user_of_other(files, [sys.executable, str(server)]) as theirs:
        (row,) = merged_menu.measure(ours, theirs, [place])
    assert row["server"] == "toyserver 3"
    assert row["rank"]["other"] == [1, 1]
    assert row["rank"]["merged"] == row["rank"]["editahead"]
    listed = merged_menu.shares([("p", row)])
    assert [(one["letters"], one["menu"], one["five"]["share"]) for one in listed if one["menu"] != "editahead"] == [
        (0, "other", 1.0), (0, "merged", 1.0), (1, "other", 1.0), (1, "merged", 1.0),
    ]  # fmt: skip
    made = merged_menu.page({"shares": listed, "language": "python", "server": "toyserver 3"})
    assert "| 1 | toyserver 3 alone | 0.0 % | 100.0 % |" in made


def test_the_page_is_that_of_the_stored_figures() -> None:
    folder = Path(__file__).parents[3] / "docs" / "results"
    stored = json.loads((folder / "data" / merged_menu.DATA).read_text(encoding="utf-8"))
    assert merged_menu.page(stored) == (folder / merged_menu.PAGE).read_text(encoding="utf-8")
