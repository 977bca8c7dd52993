"""The runs of recipes: rows, bounds, stops and larger budgets, on a corpus made for the test."""

from __future__ import annotations

import json
import random
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import typer

pytest.importorskip("torch")

from editahead.encode.language_model.vocabulary import Vocab, symbol_of
from editahead.syntax.language import by_id
from editahead.syntax.tokens import TokenKind
from editahead_models.commands import implementation
from editahead_models.data.corpus.encoded_files import encode_file, store_files
from editahead_models.data.corpus.source_files import token_lines
from editahead_models.report import runs as stored_runs
from editahead_models.train import command
from editahead_models.train.command import FINISHED, SPENT, train_row
from editahead_models.train.lm import LmRecipe, train
from editahead_models.train.rows import TrainedRow, trained_rows, with_folders

RECIPES = Path(__file__).parents[3] / "models" / "recipes"
SHAPE = {"hidden": 16, "slots": 4}
TRAINING = {
    "lanes": 2, "steps": 16, "names": "numbered", "sampled": 0, "dev_tokens": 200, "log_every": 200,
    "evaluate_every": 10**9, "warmup": 100,
}  # fmt: skip
LSTM = TrainedRow("table/lstm", "lstm", 1.0, {"hidden": 16}, {**TRAINING, "tokens": 1500})


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of forty files."""
    root = tmp_path_factory.mktemp("data")
    language = by_id("python")
    assert language is not None
    words = random.Random(3)
    texts = []
    for _ in range(40):
        names = ["".join(words.choices("abcdef", k=4)) for _ in range(6)]
        lines = [f"{words.choice(names)} = {words.choice(names)}({words.choice(names)}, {n})\n" for n in range(30)]
        texts.append("".join(lines).encode())
    counts: dict[str, int] = {}
    for text in texts:
        for line in token_lines(text, language):
            for token in line:
                if token.kind is not TokenKind.NEWLINE:
                    counts[symbol_of(token)] = counts.get(symbol_of(token), 0) + 1
    vocab = Vocab.from_counts(counts, 60)
    for split, part in (("train", texts[:34]), ("dev", texts[34:])):
        store_files(root / split / "a+b.npz", [encode_file(text, language, vocab) for text in part])
    (root / "vocab.json").write_text(json.dumps(vocab.to_json()))
    (root / "data.json").write_text(json.dumps({"data_hash": "0123", "distinct_symbols": 100}))
    return root


def test_a_run_ends_with_its_budget_and_is_stored(data: Path, tmp_path: Path) -> None:
    state = train_row(LSTM, data, tmp_path / "runs" / "table--lstm")
    assert (state["status"], state["at_its_end"], state["data_hash"]) == (FINISHED, True, "0123")
    assert state["tokens"] >= 1500
    assert state["metrics"]["all/perplexity"] > 1
    assert state["passes"] > 0
    assert train_row(LSTM, data, tmp_path / "runs" / "table--lstm") == state  # nothing is left to do
    (tmp_path / "runs.json").write_text('{"runs": [{"run": "z"}, {"run": "table/lstm"}]}')
    assert stored_runs.take_in(tmp_path / "runs", tmp_path) == 1
    assert json.loads((tmp_path / "runs.json").read_text())["runs"] == [state, {"run": "z"}]


def test_core_hours_that_are_used_up_end_a_run(data: Path, tmp_path: Path) -> None:
    state = train_row(replace(LSTM, core_hours=1e-9), data, tmp_path)
    assert (state["status"], state["at_its_end"]) == (SPENT, False)
    assert 0 < state["tokens"] < 1500
    assert (tmp_path / "checkpoint.pt").exists()
    with pytest.raises(ValueError, match="other settings"):
        train_row(replace(LSTM, model={"hidden": 32}), data, tmp_path)
    more = train_row(LSTM, data, tmp_path)
    assert more["status"] == FINISHED
    assert more["metrics"] == train_row(LSTM, data, tmp_path / "whole")["metrics"]


def test_a_stopped_run_goes_on_and_ends_as_if_it_had_not_been_stopped(data: Path, tmp_path: Path) -> None:
    """Same weights, same data order, same random numbers: the dev figures are equal to the last digit."""

    class After:
        """A limit that is over after some batches."""

        def __init__(self, batches: int) -> None:
            self.left = batches

        def over(self) -> bool:
            self.left -= 1
            return self.left <= 0

    recipe = LmRecipe(tokens=1500, **TRAINING)  # type: ignore[arg-type]
    shape, family = {"attention": 8, "embedding": 16, "dropout_embedding": 0.2, **SHAPE}, "spn"
    whole = train(data, tmp_path / "whole", recipe, shape, family)
    parts = [train(data, tmp_path / "parts", recipe, shape, family, limit=After(9)) for _ in range(9)]
    assert [part.finished for part in parts[:3]] == [False] * 3
    assert parts[-1].finished
    assert whole.metrics == parts[-1].metrics


def test_a_larger_budget_goes_on_from_before_the_decay(data: Path, tmp_path: Path) -> None:
    short, long = (LmRecipe(tokens=tokens, **TRAINING) for tokens in (1500, 3000))  # type: ignore[arg-type]
    train(data, tmp_path / "grown", short, {"hidden": 16}, "lstm")
    grown = train(data, tmp_path / "grown", long, {"hidden": 16}, "lstm")
    at_once = train(data, tmp_path / "at once", long, {"hidden": 16}, "lstm")
    assert grown.metrics == at_once.metrics


def test_recipes_become_runs_and_bad_ones_say_why(tmp_path: Path) -> None:
    recipe = tmp_path / "table.toml"
    recipe.write_text(
        'family = "language-models"\nlanguage = "python"\nversion = "1"\n[training]\ntokens = 5\n[run]\n'
        'core_hours = 0.5\n[rows.a]\nfamily = "lstm"\n[rows.counted]\ncounting = "trigram"\n'
        '[rows.b]\nfamily = "spn"\ntraining = { tokens = 7, seed = 2 }\nrun = { core_hours = 1 }\n'
    )
    first, second = trained_rows(recipe)
    assert (first.name, first.family, first.tokens, first.core_hours) == ("table/a", "lstm", 5, 0.5)
    assert (second.name, second.tokens, second.core_hours) == ("table/b", 7, 1.0)
    assert second.training == {"tokens": 7, "seed": 2}
    assert first.recipe_hash == replace(first, training={"tokens": 9}).recipe_hash != second.recipe_hash
    for row, message in (("c", "no row c"), ("counted", "names no family")):
        with pytest.raises(ValueError, match=message):
            trained_rows(recipe, (row,))
    recipe.write_text('family = "treegen"\nlanguage = "python"\nversion = "1"\n')
    with pytest.raises(ValueError, match="by a form of `train`"):
        trained_rows(recipe)
    recipe.write_text('family = "command"\nlanguage = "python"\nversion = "1"\n')
    with pytest.raises(ValueError, match="needs command"):
        trained_rows(recipe)


def test_a_command_names_the_folders_of_its_run_and_of_the_data(tmp_path: Path) -> None:
    run, data = tmp_path / "run", tmp_path / "data"
    words = with_folders(("train", "RUN", "RUN/a", "DATA/b/c", "RUNS", "DATABASE/x", "a/RUN"), run, data)
    assert words == ["train", str(run), str(run / "a"), str(data / "b/c"), "RUNS", "DATABASE/x", "a/RUN"]


def test_a_command_ends_with_the_processor_time_of_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec {sys.executable} -c "while True: pass"\n')
    (tmp_path / "python").chmod(0o755)
    monkeypatch.setattr(command.sys, "executable", str(tmp_path / "python"))
    row = TrainedRow("busy", "command", 1 / 3600, command=("train", "nothing"))
    state = train_row(row, tmp_path, tmp_path / "run")
    assert state["status"] == SPENT
    (tmp_path / "python").write_text("#!/bin/sh\nexit 3\n")
    with pytest.raises(SystemExit, match="train nothing: exit 3"):
        train_row(row, tmp_path, tmp_path / "other")


@pytest.mark.parametrize(
    "name", ["synthetic-edits", "real-edits", "treegen-runs", "copyspan-runs", "copyspan-typescript"]
)
def test_the_commands_of_the_recipes_can_be_given(name: str) -> None:
    rows = trained_rows(RECIPES / f"{name}.toml")
    assert rows
    for row in rows:
        single = typer.Typer(add_completion=False)
        single.command()(implementation(" ".join(row.command[:2])))
        context = typer.main.get_command(single).make_context("train", list(row.command[2:]))
        assert str(context.params["out"]).split("/")[0] == "RUN"
