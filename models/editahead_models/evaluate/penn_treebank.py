"""`editahead-models evaluate penn-treebank`: the language models of Chen and Rivera 2019 on the Penn Treebank.

Shapes: B columns, T chunk length, S targets, V words. Protocol: 10 columns, 32 words a chunk, Adam at 1e-3, at most 3
epochs, of which the best on the validation text counts. Output biases begin at the words' frequencies (ours).

MAP@20: each question is a text up to some word and has one right answer, that word. A model gives 20 different guesses,
never the end of a sentence; the answer's rank r is worth 1/r, 0 beyond 20, ties against the model. Ends of sentences
are no questions. (With one right answer, average precision is the reciprocal rank.)
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import torch
import typer
from torch import Tensor

from editahead_models.data.penn_treebank import Treebank, columns, pieces, read_treebank
from editahead_models.data.word_vectors import WordVectors, read_vectors, train_vectors
from editahead_models.families.ensemble import arithmetic, geometric
from editahead_models.families.mixture import NeuralLanguageModel, detached
from editahead_models.families.registry import build
from editahead_models.families.trigram import Trigram
from editahead_models.report.results import published, table
from editahead_models.train.lm import begin_at_frequencies

GUESSES = 20
HELD_OUT = 0.05  # of the training text, for the trigram's weights
# The published row that stands beside each of ours; their LSTMs all begin with vectors learnt elsewhere.
BESIDE = {
    "NNLM": "nnlang.300.7.300",
    "LSTM from own word vectors": "lstm_word2vec.300d",
    "attention": "attention_300.200.0.1dropout",
    "ensemble, geometric": "ensemble",
}


@dataclass(frozen=True)
class Protocol:
    """How texts are read and networks are trained.

    `as_listed`, as in the published listings: every chunk begins anew, and words attend to themselves.
    """

    columns: int = 10
    steps: int = 32
    epochs: int = 3
    rate: float = 1e-3
    hidden: int = 300
    attention: int = 200
    as_listed: bool = False
    seed: int = 1


@dataclass
class Score:
    """Sums over the targets of a text."""

    nll: float = 0.0
    count: int = 0
    precision: float = 0.0
    questions: int = 0

    def add(self, log_p_SV: Tensor, target_S: Tensor, never_V: Tensor) -> None:
        """Distributions (S, V) over some targets (S,)."""
        goal = log_p_SV.gather(1, target_S[:, None])
        self.nll -= float(goal.double().sum())
        self.count += len(target_S)
        asked = ~never_V[target_S]
        guess = log_p_SV.masked_fill(never_V, -torch.inf)[asked]
        self.ranks((guess >= goal[asked]).sum(1).numpy())

    def ranks(self, rank: npt.NDArray[np.integer[Any]]) -> None:
        """Ranks of answers among the guesses. Shape (N,)."""
        self.precision += float((1 / rank[rank <= GUESSES]).sum())
        self.questions += len(rank)

    def report(self) -> dict[str, float]:
        """Perplexity and MAP@20."""
        return {
            "perplexity": math.exp(self.nll / max(1, self.count)),
            "MAP@20": self.precision / max(1, self.questions),
            "words": self.count,
        }


def main(
    data: Annotated[Path, typer.Option(help="A folder with ptb.train.txt, ptb.valid.txt and ptb.test.txt.")],
    out: Annotated[Path | None, typer.Option(help="A JSON file for the figures.")] = None,
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
        for row in rows(bank, protocol, given):
            found.append(row)
            print(f"{row['label']}: test perplexity {row['test']['perplexity']:.1f}", flush=True)
    except (ValueError, UnicodeDecodeError) as error:
        raise typer.BadParameter(str(error)) from error
    print("\n" + page(found))
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(json.dumps({"protocol": vars(protocol), "rows": found}, indent=1) + "\n")


def rows(bank: Treebank, protocol: Protocol, given: WordVectors | None = None) -> Iterator[dict[str, Any]]:
    """Each row's label, figures on the validation and the test text, and the published ones."""
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
    own = given or train_vectors([bank.train], V, d, protocol.seed)
    begin = torch.from_numpy(own.filled(protocol.seed))
    networks = {
        "NNLM": ("nnlm", {"hidden": d, "context": 7, "dropout": 0.5}, None),
        "LSTM": ("lstm", {"hidden": d, "dropout": 0.0}, None),
        "LSTM from own word vectors": ("lstm", {"hidden": begin.shape[1], "dropout": 0.0}, begin),
        "attention": (
            "attention-decoder",
            {"hidden": protocol.attention, "dropout": 0.1, "slots": protocol.steps, "own": protocol.as_listed},
            None,
        ),
    }
    trained: dict[str, NeuralLanguageModel] = {}
    for label, (family, settings, first) in networks.items():
        torch.manual_seed(protocol.seed)
        model = build(family, V, settings, first)
        losses = train_network(model, bank, protocol)
        trained[label] = model
        more = {"coverage": own.coverage()} if first is not None else {}
        yield row_of(label, measure([model], bank, protocol)) | {"validation loss": losses} | more
    members = [model for label, model in trained.items() if label != "NNLM"]
    for name, combine in (("arithmetic", arithmetic), ("geometric", geometric)):
        yield row_of(f"ensemble, {name}", measure(members, bank, protocol, combine))


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


def train_network(model: NeuralLanguageModel, bank: Treebank, protocol: Protocol) -> list[float]:
    """Train in place, to the weights of the best epoch; returns the validation loss of each epoch, nats a word."""
    begin_at_frequencies(model, np.bincount(bank.train, minlength=len(bank.symbols)))
    optimiser = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=protocol.rate)
    losses: list[float] = []
    best = {name: value.clone() for name, value in model.state_dict().items()}
    for _ in range(protocol.epochs):
        model.train()
        state = model.start(protocol.columns)
        for piece in pieces(
            bank.train, protocol.columns, protocol.steps, slots_of(model), carry=not protocol.as_listed
        ):
            state = model.start(protocol.columns) if piece.fresh else detached(state)
            output, state = model(piece.chunk, state)
            loss = -model.log_generate(output, piece.target_BT).mean()
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            optimiser.step()
        score = measure([model], bank, protocol, splits=("valid",))["valid"]
        losses.append(score.nll / score.count)
        if losses[-1] > min(losses):
            break  # early stopping: the best weights are kept below
        best = {name: value.clone() for name, value in model.state_dict().items()}
    model.load_state_dict(best)
    return losses


@torch.no_grad()
def measure(
    models: Sequence[NeuralLanguageModel],
    bank: Treebank,
    protocol: Protocol,
    combine: Callable[[Sequence[Tensor]], Tensor] = arithmetic,
    splits: Sequence[str] = ("valid", "test"),
) -> dict[str, Score]:
    """Networks over texts, side by side; `combine` makes one distribution of theirs. Distributions are (B, T, V)."""
    never_V = torch.from_numpy(bank.never)
    scores = {split: Score() for split in splits}
    for model in models:
        model.eval()
    for split, score in scores.items():
        carry = not protocol.as_listed
        stream = getattr(bank, split)
        readers = [pieces(stream, protocol.columns, protocol.steps, slots_of(m), carry=carry) for m in models]
        states = [model.start(protocol.columns) for model in models]
        for found in zip(*readers, strict=True):
            logs = []
            for n, (model, piece) in enumerate(zip(models, found, strict=True)):
                output, states[n] = model(piece.chunk, model.start(protocol.columns) if piece.fresh else states[n])
                logs.append(torch.log_softmax(model.logits(output.joint_BTE), -1))
            log_p_BTV = combine(logs) if len(logs) > 1 else logs[0]
            score.add(log_p_BTV.flatten(0, 1), found[0].target_BT.flatten(), never_V)
    return scores


def score_trigram(model: Trigram, bank: Treebank, stream: npt.NDArray[np.int64], protocol: Protocol) -> Score:
    """A trigram over the same words; it sees the text in one piece. The stream is (N,)."""
    used = slice(1, columns(stream, protocol.columns)[1].size + 1)
    found = model.score([stream], bank.never)[0]
    score = Score(nll=-float(found.log_p[used].sum()), count=len(found.log_p[used]))
    score.ranks(found.rank[used][~bank.never[stream[used]]])
    return score


def slots_of(model: NeuralLanguageModel) -> int:
    """The memory that a network attends over; 0 for one without."""
    return int(getattr(model.config, "slots", 0))
