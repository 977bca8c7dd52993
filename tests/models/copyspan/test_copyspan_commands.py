"""The verbs of the family, on a made-up parallel pair of files."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("torch")

from editahead.encode.span_copying.tokens import SpanVocabulary
from editahead_models.__main__ import run_verb
from editahead_models.copyspan import train as copyspan_train
from editahead_models.copyspan.corpora.pairs import Pair
from editahead_models.copyspan.network.model import CopySpanConfig
from editahead_models.copyspan.train import CopySpanRecipe, Run, load_run
from editahead_models.run_folder import RunFolder


def call(verb: str, *arguments: str) -> None:
    """Run a verb as the console would; a refusal ends as SystemExit with its code."""
    try:
        run_verb(verb, list(arguments))
    except SystemExit as end:
        if end.code:
            raise


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Sixty lines; what becomes of each: the first token doubled."""
    folder = tmp_path_factory.mktemp("pairs")
    rng = random.Random(5)
    rows = [[rng.choice("abcdef") for _ in range(rng.randint(2, 6))] for _ in range(60)]
    source, target = folder / "in.txt", folder / "out.txt"
    source.write_text("".join(" ".join(row) + "\n" for row in rows))
    target.write_text("".join(" ".join([row[0], *row]) + "\n" for row in rows))
    return source, target


SIZES = ("--embedding", "4", "--hidden", "6", "--layers", "1", "--batch", "16", "--epochs", "2")


@pytest.fixture(scope="module")
def run(files: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run") / "span"
    source, target = map(str, files)
    call("train", "copyspan", "--source", source, "--target", target, "--out", str(out), *SIZES)
    return out


def test_the_family_can_be_named_as_an_option_or_as_a_form(run: Path, files: tuple[Path, Path]) -> None:
    _, vocabulary, config = load_run(run)
    assert config["family"] == "copyspan"
    assert set("abcdef") <= set(vocabulary.tokens)
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    assert [line["epoch"] for line in lines] == [1, 2]
    source, target = map(str, files)
    call("train", "copyspan", "--source", source, "--target", target, "--out", str(run), *SIZES)
    assert len((run / "log.jsonl").read_text().splitlines()) == 2  # it was done


def test_the_rate_falls_in_the_last_share_of_the_minutes(tmp_path: Path) -> None:
    vocabulary = SpanVocabulary(["a", "b"])
    config = CopySpanConfig(vocabulary.size, embedding=4, encoder=4, decoder=4, layers=1)
    made = Run(tmp_path, config, vocabulary, CopySpanRecipe(rate=0.01, minutes=10.0, cool=0.5))
    rates = []
    for minutes in (0.0, 4.0, 7.5, 9.99):
        made.seconds = 60 * minutes
        made._cool(time.process_time())
        rates.append(made.optimiser.param_groups[0]["lr"])
    assert rates == pytest.approx([0.01, 0.01, 0.005, 0.0005], rel=0.02)
    forever = Run(tmp_path / "more", config, vocabulary, CopySpanRecipe(rate=0.01, cool=0.5))
    forever._cool(time.process_time())
    assert forever.optimiser.param_groups[0]["lr"] == 0.01


def test_a_run_of_other_settings_is_not_overwritten(run: Path, files: tuple[Path, Path]) -> None:
    source, target = map(str, files)
    with pytest.raises(SystemExit) as end:
        call("train", "copyspan", "--source", source, "--target", target, "--out", str(run), "--rate", "0.5", *SIZES)
    assert end.value.code == 2


def test_files_of_different_length_are_refused(files: tuple[Path, Path], tmp_path: Path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("a b\n")
    with pytest.raises(SystemExit) as end:
        call("train", "copyspan", "--source", str(files[0]), "--target", str(short), "--out", str(tmp_path / "r"))
    assert end.value.code == 2


@pytest.mark.slow
def test_a_run_is_scored_on_any_pair_of_files(
    run: Path, files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = map(str, files)
    arguments = ["--source", source, "--target", target, "--split", "all", "--rays", "3", "--actions", "4"]
    call("evaluate", "copyspan", str(run), *arguments, "--store", "--most", "7")
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads((run / "metrics.json").read_text())
    assert (found["pairs"], found["of"], found["learnt_from"], found["row"]) == (7, 60, 48, "CopySpan")
    assert set(found["searches"]) == {"merged", "at end", "greedy"}
    merged, greedy = found["searches"]["merged"], found["searches"]["greedy"]
    assert {"accuracy", "accuracy@3", "mrr", "structural", "but_names", "exact", "input_rank", "steps"} <= merged.keys()
    assert greedy["spans"]["per_example"] >= 0
    assert found["marginal"]["loss"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    "wrong", [["--split", "some"], ["--search", "widest"], ["--target", "missing"], ["--source", "missing"]]
)
def test_what_cannot_be_scored_is_refused(
    run: Path, files: tuple[Path, Path], wrong: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    options = {"--source": str(files[0]), "--target": str(files[1])} | dict([tuple(wrong)])
    with pytest.raises(SystemExit) as end:
        call("evaluate", "copyspan", str(run), *[part for option in options.items() for part in option])
    assert end.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_run_that_is_killed_far_from_a_look_goes_on_from_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vocabulary = SpanVocabulary(list("abcdef"))
    config = CopySpanConfig(vocabulary.size, embedding=4, encoder=4, decoder=4, layers=1)
    rng = random.Random(3)
    rows = [tuple(rng.choice("abcdef") for _ in range(3)) for _ in range(40)]
    pairs = [Pair(row, (row[0], *row)) for row in rows]
    monkeypatch.setattr(copyspan_train, "CHECKPOINT_SECONDS", 0.0)  # after each update
    first, made = Run(tmp_path, config, vocabulary, CopySpanRecipe(batch=4, epochs=1)), list[int]()
    update = first._update

    def killed_at_six(batch: Sequence[Pair]) -> float:
        if len(made) == 6:
            raise KeyboardInterrupt
        made.append(len(batch))
        return update(batch)

    monkeypatch.setattr(first, "_update", killed_at_six)
    with pytest.raises(KeyboardInterrupt):
        first.fit(pairs, pairs[:4])
    again = Run(tmp_path, config, vocabulary, CopySpanRecipe(batch=4, epochs=1))
    again._open(pairs)
    assert (again.step, again.group, again.updates) == (6, 6, 6)
    assert again.seconds > 0
    assert again.total > 0
    last = again.fit(pairs, pairs[:4])
    assert (last["step"], last["epoch"], last["done"]) == (10, 1, True)
    assert len(RunFolder(tmp_path).log()) == 1
