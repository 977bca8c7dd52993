"""`editahead-models prepare parts`: one table of spelling parts for all languages, learnt on prepared corpora.

A stream is the parts of the names of one file in reading order; skip-gram with negative sampling gives each part a
vector (`word_vectors`). Parts are hashes of sub-words, the same in every language, so that corpora can be mixed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from editahead.encode.language_model.vocabulary import SUBWORD_BUCKETS

from editahead_models.data.corpus.encoded_files import load_files
from editahead_models.data.english.word_vectors import WordVectors, train_vectors

DEVIATION = 0.05  # of a number of the table: about what a learnt one begins with


def main(
    data: Annotated[list[Path], typer.Option(help="What `prepare` wrote, once a language.")],
    out: Annotated[Path, typer.Option(help="The table, an .npz file.")],
    width: Annotated[int, typer.Option(help="Numbers a part: the width of the embedding.")] = 192,
    tokens: Annotated[int, typer.Option(help="Tokens of each corpus.")] = 3_000_000,
    seed: Annotated[int, typer.Option(help="Of the run.")] = 1,
) -> None:
    """Learn vectors of spelling parts on several corpora together."""
    made = part_vectors(data, width, tokens, seed)
    made.save(out)
    coverage = made.coverage()
    print(f"wrote {out}: {coverage['words']:.1%} of the parts, {coverage['tokens']:.1%} of their occurrences")


def part_vectors(corpora: list[Path], width: int, tokens: int, seed: int) -> WordVectors:
    """Vectors (SUBWORD_BUCKETS, width) with deviation DEVIATION, from `tokens` of each corpus."""
    streams = []
    for corpus in corpora:
        for file in load_files(corpus / "train", max_tokens=tokens):
            stream = file.parts.reshape(-1)
            streams.append(stream[stream != 0])
    made = train_vectors(streams, SUBWORD_BUCKETS, width, seed, epochs=1)
    vectors = made.filled(seed)
    return WordVectors((vectors * (DEVIATION / vectors.std())).astype(np.float32), made.found, made.counts)
