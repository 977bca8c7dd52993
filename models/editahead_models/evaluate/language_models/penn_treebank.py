"""`editahead-models evaluate penn-treebank`: the language models of Chen and Rivera 2019 on the Penn Treebank.

Shapes: B columns, T chunk length, S targets, V words. Protocol: 10 columns, 32 words a chunk, Adam at 1e-3, at most 3
epochs, of which the best on the validation text counts. Output biases begin at the words' frequencies (ours).

MAP@20: each question is a text up to some word and has one right answer, that word. A model gives 20 different guesses,
never the end of a sentence; the answer's rank r is worth 1/r, 0 beyond 20, ties against the model. Ends of sentences
are no questions. (With one right answer, average precision is the reciprocal rank.)
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import torch
import typer
from editahead.git import short_head

from editahead_models.data.english.penn_treebank import SPLITS, Treebank, read_treebank
from editahead_models.data.english.word_vectors import WordVectors, read_vectors, train_vectors
from editahead_models.evaluate.language_models.treebank_models import (
    Protocol,
    Score,
    measure,
    score_trigram,
    train_network,
)
from editahead_models.families.ensemble import arithmetic, geometric
from editahead_models.families.mixture import NeuralLanguageModel
from editahead_models.families.registry import build
from editahead_models.families.trigram import Trigram
from editahead_models.report.results import published, table
from editahead_models.run_folder import save_atomically

GIVEN, OWN = "given word vectors", "skip-gram"
HELD_OUT = 0.05  # of the training text, for the trigram's weights
# The published row that stands beside each of ours; their LSTMs all begin with vectors learnt elsewhere.
BESIDE = {
    "NNLM": "nnlang.300.7.300",
    "LSTM from skip-gram": "lstm_word2vec.300d",
    "LSTM from given word vectors": "lstm_word2vec.300d",
    "attention": "attention_300.200.0.1dropout",
    "ensemble, geometric": "ensemble",
}


def main(
    data: Annotated[Path, typer.Option(help="A folder with ptb.train.txt, ptb.valid.txt and ptb.test.txt.")],
    out: Annotated[
        Path | None, typer.Option(help="A JSON file for the figures; trained networks go beside it.")
    ] = None,
    vectors: Annotated[Path | None, typer.Option(help="Word vectors as text, in place of own ones.")] = None,
    epochs: Annotated[int, typer.Option(help="Passes over the training text, at most.")] = Protocol.epochs,
    hidden: Annotated[int, typer.Option(help="Size of NNLM and LSTM; the attention model has two thirds.")] = 300,
    as_listed: Annotated[bool, typer.Option(help="Begin every 32 words anew, as the published listings do.")] = False,
    seed: Annotated[int, typer.Option(help="Of weights, dropout and word vectors.")] = 1,
    threads: Annotated[int, typer.Option(help="CPU threads.")] = 1,
) -> None:
    """Train and measure every model of the report on a Penn Treebank of yours; hours on one core at full size."""
    torch.set_num_threads(threads)
    protocol = Protocol(epochs=epochs, hidden=hidden, attention=2 * hidden // 3, as_listed=as_listed, seed=seed)
    try:
        bank = read_treebank(data)
        given = read_vectors(vectors, bank.symbols) if vectors is not None else None
        found = []
        kept = _kept(out, protocol, bank) if out is not None else None
        for row in rows(bank, protocol, given, kept):
            found.append(row)
            print(f"{row['label']}: test perplexity {row['test']['perplexity']:.1f}", flush=True)
    except (ValueError, UnicodeDecodeError) as error:
        raise typer.BadParameter(str(error)) from error
    print("\n" + page(found))
    if out is not None:
        texts = {split: len(getattr(bank, split)) for split in SPLITS} | {"different": len(bank.symbols)}
        written = {"protocol": vars(protocol), "words": texts, "rows": found} | _provenance(bank)
        out.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")


def rows(
    bank: Treebank, protocol: Protocol, given: WordVectors | None = None, kept: Path | None = None
) -> Iterator[dict[str, Any]]:
    """Each row's label, figures on the validation and the test text, and the published ones.

    A folder `kept` holds the trained networks of an interrupted call.
    """
    V, d = len(bank.symbols), protocol.hidden
    cut = int((1 - HELD_OUT) * len(bank.train))
    counted = Trigram.train([bank.train], V)
    weights = Trigram.train([bank.train[:cut]], V).fit_weights([bank.train[cut:]]).weights
    for label, trigram in (
        ("trigram, published weights", counted),
        ("trigram, weights by EM", Trigram(counted.counts, weights)),
    ):
        scores = {split: score_trigram(trigram, bank, getattr(bank, split), protocol) for split in ("valid", "test")}
        yield row_of(label, scores) | {"weights": list(trigram.weights)}
    attention = {"hidden": protocol.attention, "dropout": 0.1, "slots": protocol.steps, "own": protocol.as_listed}
    networks = [
        Network("NNLM", "nnlm", {"hidden": d, "context": 7, "dropout": 0.5}),
        Network("LSTM", "lstm", {"hidden": d, "dropout": 0.0}),
        _with_vectors(bank, protocol, given),
        Network("attention", "attention-decoder", attention),
    ]
    trained: dict[str, NeuralLanguageModel] = {}
    for network in networks:
        vectors = network.vectors() if network.vectors else None
        torch.manual_seed(protocol.seed)
        first = None if vectors is None else torch.from_numpy(vectors.filled(protocol.seed))
        sizes = network.settings if first is None else network.settings | {"hidden": first.shape[1]}
        model = build(network.family, V, sizes, first)
        losses = _trained(model, bank, protocol, kept and kept / f"{network.label}.pt")
        trained[network.label] = model
        more = {"coverage": vectors.coverage()} if vectors is not None else {}
        yield row_of(network.label, measure([model], bank, protocol)) | {"validation loss": losses} | more
    members = [model for label, model in trained.items() if label != "NNLM"]
    for name, combine in (("arithmetic", arithmetic), ("geometric", geometric)):
        yield row_of(f"ensemble, {name}", measure(members, bank, protocol, combine))


class Network(NamedTuple):
    """A row of the table that is trained; `vectors` makes what its embedding begins with."""

    label: str
    family: str
    settings: dict[str, Any]
    vectors: Callable[[], WordVectors] | None = None


def _kept(out: Path, protocol: Protocol, bank: Treebank) -> Path:
    """The folder beside `out` for networks of this protocol and text."""
    words = hashlib.sha256(bank.train.tobytes()).hexdigest()
    digest = hashlib.sha256(f"{protocol}{words}".encode()).hexdigest()[:12]
    folder = out.with_suffix(f".{digest}")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _provenance(bank: Treebank) -> dict[str, str]:
    """The text's hash, the commit of the code and the machine, so that the figures can be published."""
    return {
        "data": hashlib.sha256(bank.train.tobytes()).hexdigest()[:16],
        "commit": short_head(Path(__file__).parents[2]) or "",
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
    }


def _with_vectors(bank: Treebank, protocol: Protocol, given: WordVectors | None) -> Network:
    def vectors() -> WordVectors:
        return given or train_vectors([bank.train], len(bank.symbols), protocol.hidden, protocol.seed)

    return Network(f"LSTM from {GIVEN if given else OWN}", "lstm", {"dropout": 0.0}, vectors)


def _trained(model: NeuralLanguageModel, bank: Treebank, protocol: Protocol, kept: Path | None) -> list[float]:
    """Train a model in place, or read what an earlier call trained; the validation loss of each epoch."""
    if kept is not None and kept.exists():
        saved = torch.load(kept, weights_only=True)
        model.load_state_dict(saved["model"])
        losses: list[float] = saved["losses"]
        return losses
    losses = train_network(model, bank, protocol)
    if kept is not None:
        save_atomically(kept, {"model": model.state_dict(), "losses": losses})
    return losses


def row_of(label: str, scores: dict[str, Score]) -> dict[str, Any]:
    """A row as a JSON value."""
    entry = published()["hw2_t2"]
    known = {row[0]: dict(zip(entry["columns"][1:], row[1:], strict=True)) for row in entry["rows"]}
    figures = {split: score.report() for split, score in scores.items()}
    return {"label": label, **figures, "published": known.get(BESIDE.get(label, ""))}


def page(results: Sequence[dict[str, Any]]) -> str:
    """The rows as a table beside the published figures, which were most likely taken on the validation text."""
    cells = []
    for row in results:
        beside = row["published"]
        ours = [
            f"{row[split][key]:.{digits}f}"
            for key, digits in (("perplexity", 1), ("MAP@20", 3))
            for split in ("valid", "test")
        ]
        theirs = ["", ""] if beside is None else [f"{beside['perplexity']:.1f}", f"{beside['MAP@20']:.3f}"]
        cells.append([row["label"], *ours, *theirs])
    names = ["model", "valid PP", "test PP", "valid MAP@20", "test MAP@20", "published PP", "published MAP@20"]
    return table(names, cells)
