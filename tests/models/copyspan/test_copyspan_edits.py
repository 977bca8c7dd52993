"""Edits as vectors: what the encoder reads, what an editor learns, kinds of edits and transfer between them."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch
from editahead.encode.span_copying.tokens import SpanVocabulary
from editahead.runtime.span_copying.tree import SpanLimits
from editahead_models.__main__ import run_verb
from editahead_models.copyspan.corpora.pairs import write_tokens
from editahead_models.copyspan.edit_run import EditorRun, edits_of, load_editor
from editahead_models.copyspan.evaluate.edit_transfer import kinds_of, measure_editor, pattern_of, reachable, transfers
from editahead_models.copyspan.network.batches import Pair
from editahead_models.copyspan.network.edit_encoder import (
    EDIT_WIDTH,
    AlignedRow,
    NeuralEditor,
    aligned,
    cropped,
    edit_rows,
)
from editahead_models.copyspan.network.model import CopySpanConfig
from editahead_models.copyspan.train import CopySpanRecipe

VOCABULARY = SpanVocabulary([*"abcdefgh", "+", "-"])


def pair(before: str, after: str) -> Pair:
    return Pair(tuple(before.split(" ")), tuple(after.split(" ")))


def test_rows_pad_the_shorter_side_of_a_replacement() -> None:
    assert list(aligned(pair("a b c", "a d e c f"))) == [
        AlignedRow("a", "a", "equal"), AlignedRow("b", "d", "replace"), AlignedRow(None, "e", "replace"),
        AlignedRow("c", "c", "equal"), AlignedRow(None, "f", "insert"),
    ]  # fmt: skip
    assert [row.tag for row in aligned(pair("a b", "a"))] == ["equal", "delete"]


def test_the_vector_of_an_edit_is_the_same_alone_and_in_a_batch() -> None:
    torch.manual_seed(0)
    model = NeuralEditor(CopySpanConfig(VOCABULARY.size, 0, 6, 5, 1, 5, 0.0, edit=EDIT_WIDTH)).eval()
    edits = [pair("a b c d e", "a b d e"), pair("a", "b")]
    with torch.no_grad():
        together = model.edit_vectors(edit_rows(edits, VOCABULARY))
        assert together.shape == (2, EDIT_WIDTH)
        for row, edit in enumerate(edits):
            torch.testing.assert_close(model.edit_vectors(edit_rows([edit], VOCABULARY))[0], together[row])
    assert not torch.allclose(together[0], together[1])
    with pytest.raises(ValueError, match="the model expects 3"):
        NeuralEditor(CopySpanConfig(VOCABULARY.size, edit=3))


def test_cropping_keeps_changed_lines_and_their_neighbours() -> None:
    lines = [("\n+0", letter) for letter in "abcdefg"]
    before = tuple(token for line in lines for token in line)
    after = tuple(token for line in [*lines[:3], ("\n+0", "x"), *lines[4:]] for token in line)
    found = cropped(Pair(before, after), 1, 50)
    assert found is not None
    assert found.source == ("\n+0", "c", "\n+0", "d", "\n+0", "e")
    assert found.target == ("\n+0", "c", "\n+0", "x", "\n+0", "e")
    assert cropped(Pair(before, after), 1, 5) is None
    assert cropped(Pair(before, before), 1, 50) is None
    assert edits_of([Pair(before, after), Pair(before, after), Pair(before, before)], 0, 50) == [
        Pair(("\n+0", "d"), ("\n+0", "x"))
    ]


def test_kinds_do_not_depend_on_names() -> None:
    one, two, three = pair("foo ( x )", "foo ( x , None )"), pair("go ( y )", "go ( y , None )"), pair("a b", "a c")
    assert pattern_of(one) == pattern_of(two) == (("insert", (), (",", "None")),)
    renamed = pair("x = y", "x = z"), pair("p = q", "p = z"), pair("p = q", "p = p")
    assert pattern_of(renamed[0]) == pattern_of(renamed[1]) != pattern_of(renamed[2])
    kinds = kinds_of([one, two, three, one])
    assert list(kinds.values()) == [[one, two]]
    moved = list(transfers(list(kinds.values()), 10))
    assert sorted(moved) == sorted([(one, two), (two, one)])
    assert len(list(transfers([[one, two, three]], 4))) == 4


def test_what_cannot_be_written_nor_copied_is_out_of_reach() -> None:
    assert reachable(pair("x a", "x b x"), VOCABULARY)
    assert not reachable(pair("a", "y"), VOCABULARY)


def edits(count: int, seed: int) -> list[Pair]:
    """Inputs of drawn letters; each edit appends + or -, or writes the first letter twice."""
    rng = random.Random(seed)
    found = []
    for number in range(count):
        letters = tuple(rng.choice("abcdef") for _ in range(rng.randint(3, 5)))
        made = ((*letters, "+"), (*letters, "-"), (letters[0], *letters))
        found.append(Pair(letters, made[number % 3]))
    return list(dict.fromkeys(found))


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("editor")
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    config = CopySpanConfig(VOCABULARY.size, 0, 16, 24, 1, 24, 0.0, edit=EDIT_WIDTH)
    recipe = CopySpanRecipe(rate=0.01, batch=32, epochs=30, look=40, patience=50)
    EditorRun(folder, config, VOCABULARY, recipe).fit(edits(160, 1), edits(20, 2))
    torch.set_num_threads(threads)
    return folder


@pytest.mark.slow
def test_an_editor_makes_an_edit_again_and_carries_it_to_another_place(trained: Path) -> None:
    """Which edit is wanted stands in the vector alone: the right one does it, any other does not."""
    model, vocabulary, _ = load_editor(trained)
    unseen = [edit for edit in edits(60, 3) if edit not in edits(160, 1)]
    found = measure_editor(model, vocabulary, unseen, most=24, limits=SpanLimits(beam=5, actions=10))
    assert found["gold"] > 0.8
    assert found["transfer"] > 0.6
    assert found["other"] < found["transfer"]
    assert found["reachable"] == 1.0
    assert found["kinds"] >= 2


def test_the_commands_train_and_measure_an_editor(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    some = edits(80, 4)
    write_tokens(source, [edit.source for edit in some])
    write_tokens(target, [edit.target for edit in some])
    out = tmp_path / "run"

    def call(line: str) -> None:
        with pytest.raises(SystemExit) as end:
            run_verb(line.split(maxsplit=1)[0], line.split()[1:])
        assert not end.value.code

    files = f"--source {source} --target {target}"
    call(f"train copyspan {files} --out {out} --edits --embedding 4 --hidden 6 --layers 1 --batch 16 --epochs 1")
    capsys.readouterr()
    call(f"evaluate copyspan {out} {files} --split all --most 5 --rays 2 --actions 3 --store")
    found = json.loads(capsys.readouterr().out)
    assert found == json.loads((out / "metrics.json").read_text())
    assert (found["editor"]["edits"], found["editor"]["of"]) == (5, len(some))
    assert found["model"]["edit"] == EDIT_WIDTH
