"""A table of language models from recipe to page: rows are trained, measured, kept, and written up."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from editahead_models.data.corpus.encoded_files import FileArrays, load_files, store_files
from editahead_models.evaluate.language_models.runs import Corpus, RunFolders, open_run
from editahead_models.recipe import read_recipe
from editahead_models.report import command as report_command
from editahead_models.report import language_models
from editahead_models.report.claims import CLAIMS, verdicts
from editahead_models.report.results import collect, load, published, rounded
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
again = [12]
broken = true
overwrite = true
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
    assert found["spn"]["step_ms"] > 0
    assert len(found["spn"]["curve"]) >= 2
    assert set(found["spn"]["again"]) == {"12"}
    assert found["spn"]["overwrite"]["all/perplexity"] >= found["spn"]["figures"]["all/perplexity"]


def test_a_row_that_is_done_is_kept_and_measures_the_same_again(table: tuple[Path, Path]) -> None:
    data, rows = table
    kept = (rows / "lstm" / "metrics.json").stat().st_mtime_ns
    command.main(data.parent / "table.toml", data, rows)
    assert (rows / "lstm" / "metrics.json").stat().st_mtime_ns == kept
    again = measure_run(Row("lstm", "LSTM", family="lstm"), rows / "lstm", Corpus(data, 400))
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


def test_the_page_is_written_from_saved_metrics_alone(table: tuple[Path, Path], tmp_path: Path) -> None:
    _, rows = table
    for language in language_models.LANGUAGES:
        collect(rows, tmp_path / "data" / f"language-models-{language}.json", ["spn", "lstm", "both", "missing"])
    page = language_models.write(tmp_path, tmp_path / "data").read_text()
    perplexity = load(tmp_path / "data" / "language-models-java.json")["lstm"]["figures"]["all/perplexity"]
    assert f"{perplexity:,.2f}" in page
    assert "memory of 12 when serving" in page
    assert "63.21" in page  # published
    for picture in ("lm-learning.svg", "lm-position.svg", "lm-calibration.svg"):
        assert (tmp_path / picture).read_text().lstrip().startswith("<?xml")
        assert picture in page


def test_rows_of_a_larger_budget_wait_in_a_table_of_their_own(
    table: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, rows = table
    data, recipe = tmp_path / "data", tmp_path / "table.toml"
    for language in language_models.LANGUAGES:
        collect(rows, language_models.whole(data, language), ["spn", "lstm", "both"])
    recipe.write_text(RECIPE)
    monkeypatch.setattr(report_command, "TABLE", recipe)
    order = [row.name for row in rows_of(read_recipe(recipe))]
    for number, names in enumerate((order[:1], order[1:])):
        for name in names:
            shutil.copytree(rows / name, tmp_path / str(number) / "java" / "rows" / name)
    report_command._take_in(tmp_path / "0", data)
    newer = language_models.under_way(data, "java")
    assert list(load(newer)) == order[:1]
    page = language_models.write(tmp_path, data).read_text()
    assert "## Java: rows with a larger budget" in page
    assert "## Python: rows with a larger budget" not in page
    report_command._take_in(tmp_path / "1", data)
    assert not newer.exists()
    assert list(load(language_models.whole(data, "java"))) == order


def test_rows_of_other_data_do_not_stand_beside_new_ones(tmp_path: Path) -> None:
    def row(name: str, data: str) -> None:
        (tmp_path / name).mkdir()
        (tmp_path / name / "metrics.json").write_text(json.dumps({"data_hash": data}))

    target, order = tmp_path / "table.json", ["spn", "lstm", "nnlm"]
    row("spn", "old")
    row("lstm", "old")
    collect(tmp_path, target, order)
    shutil.rmtree(tmp_path / "spn")
    assert list(collect(tmp_path, target, order, keep=True)["rows"]) == ["spn", "lstm"]
    shutil.rmtree(tmp_path / "lstm")
    row("nnlm", "new")
    assert list(collect(tmp_path, target, order, keep=True)["rows"]) == ["nnlm"]
    assert list(load(target)) == ["nnlm"]


def test_rows_of_a_larger_budget_are_drawn_once_the_main_ones_are_there() -> None:
    old = {name: {"label": "old"} for name in (*language_models.MAIN, "product")}
    newer = {name: {"label": "new"} for name in language_models.MAIN}
    assert language_models.drawn_rows(old, newer) is newer
    del newer["spn"]
    assert language_models.drawn_rows(old, newer) is old


def test_verdicts_are_computed() -> None:
    def row(perplexity: float, uses: float) -> dict[str, object]:
        figures = {"all/perplexity": perplexity, "identifier uses/acc": uses, "all/acc": uses, "oov": uses}
        counts = {"all/count": 10_000.0, "identifier uses/count": 2_000.0}
        return {"figures": figures | counts}

    names = {name for claim in CLAIMS for name in claim.needs}
    better = {name: row(10.0, 0.01) for name in names} | {"spn": row(5.0, 0.5)}
    text = {line[0]: line for line in verdicts({"python": better, "java": {}})}
    claim = text["The pointer network has a lower perplexity than the LSTM"]
    assert claim[2] == "**yes**: 5.00 against 10.00"
    assert claim[3] == "not run"
    assert text["Types raise accuracy"][2].startswith("**even**")
    larger = {"lstm": row(8.0, 0.01), "spn": row(9.0, 0.5) | {"tokens": 10_000_780}}
    newer = {line[0]: line for line in verdicts({"python": better, "java": {}}, {"python": larger})}
    assert newer["The pointer network has a lower perplexity than the LSTM"][2] == "**no**: 9.00 against 8.00 (10 M)"
    assert newer["The pointer network has the lowest perplexity"][2] == "**yes**: 5.00 against 10.00"  # no LMAtt-50 yet
    unequal = larger | {"lstm": row(8.0, 0.01) | {"tokens": 5_400_100}}
    said = {line[0]: line for line in verdicts({"python": better}, {"python": unequal})}
    assert said["The pointer network has a lower perplexity than the LSTM"][2] == (
        "**open**: 9.00 against 8.00 (10 and 5.4 M)"
    )
    seeds = better | {"spn-sharing": row(7.0, 0.40), "spn-typed": row(7.1, 0.36)}
    types = "Types raise accuracy"
    assert {line[0]: line for line in verdicts({"python": seeds})}[types][2].startswith("**no**")
    seeds["spn-sharing-second"] = row(7.2, 0.37)
    assert {line[0]: line for line in verdicts({"python": seeds})}[types][2].startswith("**even**")
    turned = better | {"lstm": row(4.0, 0.01)}
    again = {line[0]: line for line in verdicts({"python": turned})}
    assert again["The pointer network has a lower perplexity than the LSTM"][2].startswith("**no**")
    window = "A longer attention window finds more (50 against 20)"
    assert text[window][-2].startswith("Looking names up by attention takes longer to learn")  # 1 % of the names
    learnt = better | {"lmatt-50": row(8.0, 0.3)}
    late = {line[0]: line for line in verdicts({"python": learnt})}[window]
    assert late[-2].startswith("It begins to look names up only after")


def test_what_is_saved_is_short_and_published_figures_are_there() -> None:
    assert rounded({"a": [0.123456789, "x", 3]}) == {"a": [0.12346, "x", 3]}
    tables = published()
    assert ["LSTM", 9.29, 13.08, 14.01, 57.91, 2.1, 62.8, 76.3, 4.5, 82.6] in tables["spn_paper_results"]["rows"]


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
