"""The verbs of the family, on a made-up parallel pair of files."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

pytest.importorskip("torch")

from editahead_models.__main__ import run_verb
from editahead_models.copyspan.train import load_run


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
    call("train", "--family", "copyspan", "--source", source, "--target", target, "--out", str(out), *SIZES)
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
