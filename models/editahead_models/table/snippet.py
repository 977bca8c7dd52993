"""`editahead-models evaluate snippet`: what several rows of a table predict, token by token, in one short file.

Written as JSON to docs/results/data; `editahead-models report` draws it. A token is (line, column, text, chance that
the row gave it, what the row thought likeliest, and for a name that was copied the line that the pointer stood on).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from editahead.encode.language_model.pointer_memory import NO_NAME
from editahead.encode.language_model.vocabulary import INDENT_OF, NEW_NAMES, Vocab
from editahead.syntax.language import Language, by_id
from editahead.syntax.tokens import Token, TokenKind

from editahead_models.data.corpus.batches import batches
from editahead_models.data.corpus.encoded_files import FileArrays, encode_file
from editahead_models.data.corpus.source_files import token_lines
from editahead_models.evaluate.language_models.metrics import distribution, silent_symbols
from editahead_models.evaluate.language_models.runs import Corpus, Trained, open_run
from editahead_models.report.results import rounded
from editahead_models.train.lm import shape_of

ROWS = ("lstm", "spn", "spn-sharing", "spn-typed")
SNIPPETS = Path(__file__).parent / "snippets"


@dataclass(frozen=True)
class Place:
    """A token of the snippet that a model predicts."""

    line: int
    column: int
    text: str


def main(
    data: Annotated[Path, typer.Option(help="What `prepare` wrote.")],
    rows: Annotated[Path, typer.Option(help="The rows of `compare`.")],
    out: Annotated[Path, typer.Option(help="Where the predictions go.")] = Path("docs/results/data"),
    row: Annotated[list[str] | None, typer.Option(help="Other rows than the four of the page.")] = None,
) -> None:
    """Predict the snippet of the corpus's language with trained rows."""
    corpus = Corpus(data, 0)
    language = by_id(str(corpus.described["language"]))
    assert language is not None
    content = snippet(language)
    found: dict[str, Any] = {"text": content.decode(), "rows": {}}
    for name in row or ROWS:
        label = json.loads((rows / name / "metrics.json").read_text())["label"]
        tokens = predictions(open_run(rows / name, corpus), content, language, corpus)
        found["rows"][name] = {"label": label, "tokens": tokens}
    target = out / f"snippet-{language.id}.json"
    target.write_text(json.dumps(rounded(found), indent=0) + "\n")
    print(f"wrote {target}")


def snippet(language: Language) -> bytes:
    """The file that is predicted."""
    return (SNIPPETS / f"{language.id}{language.extensions[0]}.txt").read_bytes()


def places(content: bytes, language: Language) -> list[Place]:
    """The tokens that a language model reads, in order: comments and lines of comment alone are not among them."""
    found = []
    for number, line in enumerate(token_lines(content, language)):
        for token in line:
            if _is_read(token, line):
                found.append(Place(number, token.start, "" if token.kind is TokenKind.NEWLINE else token.text))
    return found


def _is_read(token: Token, line: tuple[Token, ...]) -> bool:
    if token.kind is TokenKind.NEWLINE:
        return len(line) > 1 and line[1].kind is not TokenKind.COMMENT
    return token.kind is not TokenKind.COMMENT and bool(token.text)


@torch.no_grad()
def predictions(trained: Trained, content: bytes, language: Language, corpus: Corpus) -> list[dict[str, Any]]:
    """One entry a token, in order."""
    vocab = Vocab.from_json(json.loads((corpus.data / "vocab.json").read_text()))
    plain = encode_file(content, language, vocab)
    tokens = places(content, language)
    assert len(tokens) == len(plain.word) - 1, "the snippet's tokens are the model's steps"
    seen = trained.view.see(plain, 1)
    model = trained.model
    batch = next(batches([seen], shape_of(model, 1, len(plain.word) - 1), seed=None))
    output, _ = model(batch.chunk, model.start(1))
    p_BTV, copy_BTK = distribution(output, model.logits(output.joint_BTE), batch)
    shown = _shown(plain, seen, trained, [place.text for place in tokens])
    silent = silent_symbols(p_BTV.shape[-1])
    entries = []
    for t, place in enumerate(tokens):
        target = int(batch.target_BT[0, t])
        chance = float(p_BTV[0, t, target]) if target >= 0 else 0.0
        chance = max(chance, float((copy_BTK[0, t] * batch.match_BTK[0, t]).sum())) if copy_BTK.shape[-1] else chance
        guess = int(p_BTV[0, t].masked_fill(silent, 0).argmax())
        entry = {"line": place.line, "column": place.column, "text": place.text, "p": chance}
        entry |= {"guess": shown[guess], "right": guess == target}
        source = _source(output.alpha_BTK[0, t], output.log_lambda_BT2[0, t], batch.match_BTK[0, t])
        if source is not None and seen.name[t + 1] != NO_NAME:
            # Slots of a single chunk lie behind the (empty) carried memory: K + step.
            step = int(batch.chunk.slot_BTK[0, t, source]) - batch.chunk.slot_BTK.shape[-1]
            entry |= {"from": tokens[step - 1].line, "copied": float(output.log_lambda_BT2[0, t, 1].exp())}
        entries.append(entry)
    return entries


def _source(alpha_K: torch.Tensor, log_lambda_2: torch.Tensor, match_K: torch.Tensor) -> int | None:
    """The slot that gave most of the target, if copying it was likelier than not to matter."""
    if not len(alpha_K) or not bool(match_K.any()) or float(log_lambda_2[1].exp()) < 0.05:
        return None
    return int((alpha_K * match_K).argmax())


def _shown(plain: FileArrays, seen: FileArrays, trained: Trained, texts: list[str]) -> list[str]:
    """What each symbol reads as in this file: its text, the name that a placeholder stands for, or what it means."""
    shown = []
    for symbol in trained.view.symbols:
        if symbol in INDENT_OF:
            shown.append("new line" + (f" {INDENT_OF[symbol]:+d}" if INDENT_OF[symbol] else ""))
        elif symbol in NEW_NAMES.values():
            shown.append("a new name")
        else:
            shown.append(symbol)
    for step in np.flatnonzero(seen.name[1:] != NO_NAME).tolist():
        shown[int(seen.word[step + 1])] = texts[step]
    return shown
