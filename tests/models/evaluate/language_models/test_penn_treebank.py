"""The Penn Treebank table on a made-up corpus in its format: reading, columns, MAP@20, and every row end to end."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch
import typer
from editahead_models.data.english.penn_treebank import END, columns, pieces, read_treebank
from editahead_models.evaluate.language_models.penn_treebank import main, page
from editahead_models.evaluate.language_models.treebank_models import GUESSES, Protocol, Score, measure, score_trigram
from editahead_models.families.registry import build
from editahead_models.families.trigram import Trigram

torch.set_num_threads(1)
H_20 = sum(1 / r for r in range(1, GUESSES + 1))


def sentences(count: int, seed: int) -> str:
    """Sentences with a grammar: a determiner, a noun that goes with it, a verb, sometimes a rare word."""
    random = np.random.default_rng(seed)
    lines = []
    for _ in range(count):
        n = int(random.integers(0, 6))
        rare = f" zz{random.integers(0, 30)}" if random.random() < 0.1 else ""
        lines.append(f" the{n % 2} noun{n} verb{n // 2} <unk>{rare} N ")
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ptb")
    for seed, (split, count) in enumerate({"train": 600, "valid": 60, "test": 60}.items()):
        (folder / f"ptb.{split}.txt").write_text(sentences(count, seed))
    return folder


def test_the_text_is_one_stream_with_sentence_ends(folder: Path) -> None:
    bank = read_treebank(folder)
    first = (folder / "ptb.valid.txt").read_text().splitlines()[0].split()
    assert [bank.symbols[n] for n in bank.valid[: len(first) + 1]] == [*first, END]
    assert (bank.valid == bank.symbols.index(END)).sum() == 60
    counts = np.bincount(bank.train, minlength=len(bank.symbols))
    assert (np.diff(counts) <= 0).all()
    assert [bank.symbols[n] for n in np.flatnonzero(bank.never)] == [s for s in bank.symbols if s in ("<eos>", "<pad>")]


def test_words_that_training_lacks_are_unknown(folder: Path, tmp_path: Path) -> None:
    for split in ("train", "valid", "test"):
        (tmp_path / f"ptb.{split}.txt").write_text("a b c\n" if split == "train" else "a newword c\n")
    bank = read_treebank(tmp_path)
    assert [bank.symbols[n] for n in bank.test] == ["a", "<unk>", "c", END]


@pytest.mark.parametrize("carry", [True, False])
def test_pieces_cover_every_target_once_in_columns(folder: Path, carry: bool) -> None:
    stream = read_treebank(folder).valid
    word, target = columns(stream, 7)
    assert word.size > len(stream) - 1 - 7
    found = list(pieces(stream, 7, 32, 5, carry=carry))
    np.testing.assert_array_equal(torch.cat([piece.chunk.word_BT for piece in found], 1), word)
    np.testing.assert_array_equal(torch.cat([piece.target_BT for piece in found], 1), target)
    assert [piece.fresh for piece in found] == ([True] + [False] * (len(found) - 1) if carry else [True] * len(found))
    for n, piece in enumerate(found):  # memory: the last 5 words of the column, of the chunk alone without carry
        filled = piece.chunk.mask_BTK[0].sum(-1)
        whole = carry and n > 0
        assert filled.tolist() == [5 if whole else min(t, 5) for t in range(piece.target_BT.shape[1])]


def test_a_corpus_that_is_missing_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(typer.BadParameter, match=r"ptb\.train\.txt.*usually found") as caught:
        main(tmp_path)
    assert "\n" not in str(caught.value)


def test_map_of_a_random_ranking_is_the_harmonic_number_over_the_vocabulary() -> None:
    V, S = 400, 20_000
    log_p = torch.log_softmax(torch.rand(S, V, generator=torch.Generator().manual_seed(1)), -1)
    score = Score()
    score.add(log_p, torch.arange(S) % V, torch.zeros(V, dtype=torch.bool))
    assert pytest.approx(3.598, abs=1e-3) == H_20
    assert score.report()["MAP@20"] == pytest.approx(H_20 / V, rel=0.08)


def test_ends_of_sentences_are_neither_guesses_nor_questions() -> None:
    log_p = torch.log(torch.tensor([[0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [0.4, 0.3, 0.3]]))
    never = torch.tensor([True, False, False])
    score = Score()
    score.add(log_p, torch.tensor([1, 0, 2]), never)
    # The first answer is the best guess; the second target is no question; the third ties with another word.
    assert score.questions == 2
    assert score.report()["MAP@20"] == pytest.approx((1 + 1 / 2) / 2)
    assert score.report()["perplexity"] == pytest.approx((0.3 * 0.5 * 0.3) ** (-1 / 3))


def test_an_answer_beyond_twenty_guesses_is_worth_nothing() -> None:
    score = Score()
    score.ranks(np.array([1, 20, 21, 10**6]))
    assert score.report()["MAP@20"] == pytest.approx((1 + 1 / 20) / 4)


def test_all_models_are_scored_on_the_same_words(folder: Path) -> None:
    bank, protocol = read_treebank(folder), Protocol()
    model = build("nnlm", len(bank.symbols), {"hidden": 8})
    network = measure([model], bank, protocol)["test"]
    trigram = score_trigram(Trigram.train([bank.train], len(bank.symbols)), bank, bank.test, protocol)
    assert (network.count, network.questions) == (trigram.count, trigram.questions)
    assert trigram.report()["perplexity"] < 8 < len(bank.symbols) * 0.5 < network.report()["perplexity"]


@pytest.mark.parametrize("as_listed", [False, True])
def test_every_row_end_to_end(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], as_listed: bool
) -> None:
    main(folder, tmp_path / "figures.json", hidden=24, epochs=6, as_listed=as_listed)
    saved = json.loads((tmp_path / "figures.json").read_text())
    found = {row["label"]: row for row in saved["rows"]}
    assert list(found) == [
        "trigram, published weights",
        "trigram, weights by EM",
        "NNLM",
        "LSTM",
        "LSTM from skip-gram",
        "attention",
        "ensemble, arithmetic",
        "ensemble, geometric",
    ]
    words = len(read_treebank(folder).symbols)
    members = [found[name]["valid"]["perplexity"] for name in ("LSTM", "LSTM from skip-gram", "attention")]
    for label, row in found.items():
        assert row["valid"]["perplexity"] < words / 2, label
        assert H_20 / words < row["test"]["MAP@20"] <= 1, label
    for combine in ("arithmetic", "geometric"):
        assert found[f"ensemble, {combine}"]["valid"]["perplexity"] <= max(members)
    losses = found["LSTM"]["validation loss"]
    assert found["LSTM"]["valid"]["perplexity"] == pytest.approx(
        np.exp(min(losses)), rel=1e-4
    )  # the best epoch is kept
    assert found["LSTM from skip-gram"]["coverage"]["tokens"] > 0.9
    assert found["NNLM"]["published"]["perplexity"] == 296.33
    assert found["LSTM"]["published"] is None
    assert "published PP" in capsys.readouterr().out
    assert "129.2" in page(saved["rows"])


def test_an_interrupted_call_reads_the_networks_that_it_trained(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    main(folder, out, hidden=8, epochs=1)
    before = json.loads(out.read_text())["rows"]
    (kept,) = (path for path in tmp_path.iterdir() if path.is_dir())
    trained = {path.name: path.stat().st_mtime_ns for path in kept.iterdir()}
    assert set(trained) == {"NNLM.pt", "LSTM.pt", "LSTM from skip-gram.pt", "attention.pt"}
    (kept / "LSTM.pt").unlink()
    main(folder, out, hidden=8, epochs=1)
    assert json.loads(out.read_text())["rows"] == before
    again = {path.name: path.stat().st_mtime_ns for path in kept.iterdir()}
    assert [name for name, time in again.items() if time != trained[name]] == ["LSTM.pt"]


def test_word_vectors_from_a_file_set_the_size(folder: Path, tmp_path: Path) -> None:
    vectors = tmp_path / "vectors.txt"
    vectors.write_text("".join(f"noun{n} {n} 0.5 -1 2\n" for n in range(6)))
    main(folder, tmp_path / "figures.json", vectors=vectors, hidden=6, epochs=1)
    row = next(row for row in json.loads((tmp_path / "figures.json").read_text())["rows"] if "coverage" in row)
    words = len(read_treebank(folder).symbols)
    assert row["coverage"]["words"] == pytest.approx(6 / words)
    vectors.write_text("noun0 1 2\nnoun1 1\n")
    with pytest.raises(typer.BadParameter, match="expected 2"):
        main(folder, vectors=vectors, hidden=6, epochs=1)
