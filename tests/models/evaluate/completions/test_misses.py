"""`evaluate misses` on a toy repository, and the counts of its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("rich")

from editahead.suggest.completion.ranking.slots import SlotKind
from editahead_models.data import splits
from editahead_models.evaluate.completions.misses import KEYWORD, KINDS, Answer, Pair, comparison, kind_of, main, page
from editahead_models.publishing.name_roles import ATTRIBUTE, IN_SCOPE, NEW

from tests.check.repos import Repo
from tests.models.publishing.test_product_command import MODULE


@pytest.fixture
def mirror(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A mirror with a dev project of Python; the working folder is a repository."""
    Repo(tmp_path / "mirror/acme+one/repo").put("shop/orders.py", MODULE).commit()
    lists = '[python]\ntrain = []\nfit = []\ndev = ["acme/one", "acme/absent"]\ntest = []\n'
    (tmp_path / "splits.toml").write_text(lists, encoding="utf-8")
    monkeypatch.setattr(splits, "_FOLDERS", (tmp_path,))
    splits.split_table.cache_clear()
    ours = Repo(tmp_path / "ours").put("a.py", "a = 1\n")
    ours.commit()
    monkeypatch.chdir(ours.root)
    yield tmp_path / "mirror"
    splits.split_table.cache_clear()


def test_places_of_dev_projects_are_counted(mirror: Path, tmp_path: Path) -> None:
    main(mirror, count=8, seed=1, out=tmp_path / "pages")
    text = (tmp_path / "pages/misses.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith(("| Python |", "| all |"))]
    assert [int(row[1]) for row in rows] == [int(rows[0][1])] * 4
    assert int(rows[0][1]) >= 8
    assert "evaluate misses --seed 1" in text


def test_a_comparison_says_what_each_side_has_won() -> None:
    ranks = [(None, 0), (3, 0), (0, 7), (0, 0)]
    pairs = [
        Pair(f"acme/{number % 2}", *(Answer("go", KEYWORD, 0, rank, True) for rank in both))
        for number, both in enumerate(ranks)
    ]
    assert "go, 0 letters, first 1: 50.0 > 75.0 % (+0.0 to +50.0) of 4, won 2, lost 1" in comparison(pairs)
    assert "go, 0 letters, first 5: 75.0 > 75.0 % (+0.0 to +0.0) of 4, won 1, lost 1" in comparison(pairs)


def test_the_same_bundles_answer_alike(mirror: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(mirror, count=4, seed=1, out=tmp_path / "pages", language=["python"], against=[tmp_path])
    assert "won 0, lost 0" in capsys.readouterr().out
    assert not (tmp_path / "pages").exists()


def test_a_kind_is_that_of_the_role_or_of_the_slot() -> None:
    assert kind_of(NEW, SlotKind.VALUE) == "new name"
    assert kind_of(ATTRIBUTE, SlotKind.MEMBER) == "attribute"
    assert kind_of(IN_SCOPE, SlotKind.VALUE) == "behind `=`"
    assert {kind_of(IN_SCOPE, slot) for slot in SlotKind} <= {*KINDS}


@pytest.mark.usefixtures("mirror")
def test_misses_are_counted_by_where_the_word_stands() -> None:
    ranks = [(0, True), (3, True), (5, True), (None, True), (None, False)]
    lines = page([Answer("python", KEYWORD, 0, rank, is_in_file) for rank, is_in_file in ranks], 1, "abc")
    assert "| keyword | 5 | 20.0 | 40.0 | 1 | 1 | 1 |" in lines
    assert "| Python | 5 | 20.0 | 40.0 | 1 | 1 | 1 |" in lines
