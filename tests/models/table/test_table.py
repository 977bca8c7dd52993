"""A table of language models from recipe to page: rows are trained, measured, kept, and written up."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from editahead_models.data.corpus.encoded_files import FileArrays, load_files, store_files
from editahead_models.evaluate.language_models.runs import Corpus, RunFolders, open_run
from editahead_models.recipe import read_recipe
from editahead_models.table import command
from editahead_models.table.measure import measure_run
from editahead_models.table.rows import Row, rows_of
from editahead_models.train.lm import LmRecipe, corpus_view, train

from tests.models.train.test_lm_pipeline import prepared  # noqa: F401  the corpus made for the pipeline's test

RECIPE = """
family = "language-models"
language = "any"
version = "1"
[training]
tokens = 800
lanes = 2
steps = 16
sampled = 0
vocabulary = 100
names = "numbered"
dev_tokens = 100
evaluate_every = 400
log_every = 200
[serving]
dev_tokens = 400
[rows.lstm]
label = "LSTM"
family = "lstm"
model = { hidden = 16 }
[rows.spn]
label = "SPN"
family = "spn-paper"
model = { hidden = 16, slots = 6 }
[rows.both]
label = "ensemble"
ensemble = ["lstm", "spn"]
"""


@pytest.fixture(scope="module")
def table(prepared: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:  # noqa: F811
    """(data, rows) after `train table` has run."""
    folder = tmp_path_factory.mktemp("table")
    data = folder / "python"
    shutil.copytree(prepared, data)
    shutil.rmtree(data / "dev")
    shutil.copytree(data / "train", data / "dev")
    recipe = folder / "table.toml"
    recipe.write_text(RECIPE)
    command.main(recipe, data, data / "rows")
    return data, data / "rows"


@pytest.mark.slow
def test_rows_have_figures_that_belong_together(table: tuple[Path, Path]) -> None:
    _, rows = table
    found = {name: json.loads((rows / name / "metrics.json").read_text()) for name in ("lstm", "spn", "both")}
    for row in found.values():
        figures = row["figures"]
        assert figures["all/count"] >= 400
        assert figures["all/perplexity"] > 1
        assert 0 <= figures["all/acc"] <= figures["all/acc@5"] <= 1
        assert figures["all/adjusted perplexity"] >= figures["all/perplexity"]
    assert found["both"]["parameters"] == found["lstm"]["parameters"] + found["spn"]["parameters"]
    best = min(found[name]["figures"]["all/perplexity"] for name in ("lstm", "spn"))
    worst = max(found[name]["figures"]["all/perplexity"] for name in ("lstm", "spn"))
    assert best * 0.9 < found["both"]["figures"]["all/perplexity"] < worst  # the mean of two is never the worse one


def test_a_row_that_is_done_is_kept_and_measures_the_same_again(table: tuple[Path, Path]) -> None:
    data, rows = table
    kept = (rows / "lstm" / "metrics.json").stat().st_mtime_ns
    command.main(data.parent / "table.toml", data, rows)
    assert (rows / "lstm" / "metrics.json").stat().st_mtime_ns == kept
    again = measure_run(rows / "lstm", Corpus(data, 400))
    assert again["figures"] == json.loads((rows / "lstm" / "metrics.json").read_text())["figures"]


def test_an_ensemble_of_one_row_is_that_row(table: tuple[Path, Path]) -> None:
    from editahead_models.table.measure import measure_combined

    data, rows = table
    alone = json.loads((rows / "spn" / "metrics.json").read_text())["figures"]
    for combine in ("arithmetic", "geometric"):
        row = Row("one", "one", ensemble=("spn", "spn"), combine=combine)
        found = measure_combined(row, RunFolders(rows), Corpus(data, 400))["figures"]
        assert found["all/perplexity"] == pytest.approx(alone["all/perplexity"], rel=1e-3)
        assert found["all/acc"] == pytest.approx(alone["all/acc"], abs=0.01)


def test_rows_that_a_queue_trained_are_measured_and_not_trained(
    table: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, rows = table
    shutil.copytree(rows / "lstm", tmp_path / "runs" / "table--lstm")
    spent = tmp_path / "runs" / "table--spn"
    shutil.copytree(rows / "spn", spent)
    (spent / "model.pt").unlink()  # stopped when its ration was spent: the checkpoint is all there is
    command.main(data.parent / "table.toml", data, tmp_path / "out", queue=tmp_path)
    assert "spn: waits for the queue's run table/spn" in capsys.readouterr().out
    assert not (tmp_path / "out" / "both").exists()
    (spent / "state.json").write_text('{"status": "spent"}')
    command.main(data.parent / "table.toml", data, tmp_path / "out", queue=tmp_path)
    for name in ("lstm", "spn", "both"):
        found = json.loads((tmp_path / "out" / name / "metrics.json").read_text())
        assert found["figures"] == json.loads((rows / name / "metrics.json").read_text())["figures"]
    spn = json.loads((tmp_path / "out" / "spn" / "metrics.json").read_text())
    assert (spn["budget"], spn["seed"]) == (800, 1)
    assert spn["tokens"] >= 800
    assert spn["passes"] > 0
    assert not (spent / "model.pt").exists()


def test_rows_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    for broken, message in (
        ('[rows.x]\nlabel = "x"\n', "give one of family"),
        ('[rows.x]\nlabel = "x"\nfamily = "lstm"\ncolour = 1\n', "unknown setting colour"),
        ('[rows.x]\nlabel = "x"\nensemble = ["y"]\n', "no row called y"),
    ):
        file = tmp_path / "r.toml"
        file.write_text('family = "language-models"\nlanguage = "any"\nversion = "1"\n' + broken)
        with pytest.raises(ValueError, match=message):
            rows_of(read_recipe(file))


@pytest.mark.parametrize(("name", "least"), [("language-models", 25), ("language-models-java", 10)])
def test_the_published_recipes_can_be_read_and_their_models_built(name: str, least: int) -> None:
    from editahead_models.families.registry import build

    recipe = read_recipe(Path(__file__).parents[3] / "models" / "recipes" / f"{name}.toml")
    rows = rows_of(recipe)
    assert len(rows) > least
    for row in rows:
        if row.family is not None:
            build(row.family, 100, dict(row.model))
            LmRecipe(**{**recipe.training, **row.training})


def test_a_run_on_broken_code_is_measured_in_the_vocabulary_it_learnt(table: tuple[Path, Path], tmp_path: Path) -> None:
    data, _ = table
    corpus = shutil.copytree(data, tmp_path / "data", ignore=shutil.ignore_patterns("rows"))
    for archive in (corpus / "train").glob("*.npz"):
        files = load_files(corpus / "train")
        store_files(corpus / "train-broken" / archive.name, [_without_names(files[0])], places=[0])
    recipe = LmRecipe(tokens=300, lanes=2, steps=16, sampled=0, names="numbered", vocabulary=60, broken=True)
    train(corpus, tmp_path / "run", recipe, {"hidden": 16}, "lstm")
    learnt = corpus_view(corpus, recipe, load_files(corpus / "train", broken=corpus / "train-broken")).symbols
    assert open_run(tmp_path / "run", Corpus(corpus, 200)).view.symbols == learnt
    assert corpus_view(corpus, recipe, load_files(corpus / "train")).symbols != learnt  # else the test shows nothing


def _without_names(file: FileArrays) -> FileArrays:
    """The first half of a file, its declared names gone."""
    half = len(file.word) // 2
    columns = {name: getattr(file, name)[:half] for name in FileArrays.__dataclass_fields__}
    return FileArrays(**{**columns, "kind_word": columns["word"]})
