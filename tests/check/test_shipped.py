"""The check with the shipped model: what it reports, and that whole changes stay silent."""

from __future__ import annotations

from pathlib import Path

import pytest
from editahead.check import run
from editahead.check.git import CheckError
from editahead.check.search import CHECK_FEATURES
from editahead.runtime.bundle import find_bundles, load_bundle
from editahead.runtime.edit_model.pattern_scorer import PatternScorer
from editahead.settings import Settings

from tests.check.repos import Repo, bundle

EDITS = (
    ("log.debug({0})", "log.info({0})"),
    ("old_name({0}, 1)", "new_name({0}, 1)"),
    ("x = self.fetch({0})", "x = await self.fetch({0})"),
)
NAMES = ("alpha", "beta", "gamma", "delta", "omega")


def text(edit: tuple[str, str], done: int) -> str:
    """Functions with a line each; the first `done` of them changed."""
    lines = [edit[at < done].format(name) for at, name in enumerate(NAMES)]
    return "".join(
        f"    async def f{at}(self, {name}):\n        {line}\n        return {name}\n\n"
        for at, (name, line) in enumerate(zip(NAMES, lines, strict=True))
    )


def reported(folder: Path, edit: tuple[str, str], done: int, precision: float) -> list[int]:
    repo = Repo(folder)
    repo.put("a.py", f"class A:\n{text(edit, 0)}").commit()
    repo.put("a.py", f"class A:\n{text(edit, done)}")
    found = run.check(repo.root, "HEAD", [], run.model_of(()), precision, Settings())
    return [one.site.line for one in found.answer.missed]


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit[1].split("(")[0])
def test_four_of_five_lacks_one_and_five_of_five_none(tmp_path: Path, edit: tuple[str, str]) -> None:
    assert reported(tmp_path / "four", edit, 4, 0.7) == [18]
    assert reported(tmp_path / "five", edit, 5, 0.0) == []
    assert reported(tmp_path / "sure", edit, 4, 1.0) == []


def test_a_shipped_bundle_knows_finished_changes() -> None:
    models = [PatternScorer.of_check(load_bundle(path, verify=False), CHECK_FEATURES) for path in find_bundles()]
    known = [model for model in models if model is not None]
    assert known
    assert all(0.0 < model.calibration(2).threshold(0.8) <= 1.0 for model in known)


def test_a_bundle_that_a_person_names_is_taken_whole_or_not_at_all(tmp_path: Path) -> None:
    with pytest.raises(CheckError, match="is no folder"):
        run.model_of([tmp_path / "absent"])
    made = bundle(tmp_path, bias=2.0)
    assert run.model_of([made.path]).models[1].weights == {"bias": 2.0}
    (made.path / "vocab.json").write_text("{ }")
    with pytest.raises(CheckError, match=r"vocab\.json"):
        run.model_of([made.path])
