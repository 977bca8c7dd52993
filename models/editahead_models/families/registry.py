"""The neural language models by name: what a recipe may call, and what the conformance suite runs over.

A new family is one file beside this one and one entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple, cast

from torch import Tensor

from editahead_models.families.attention_decoder import AttentionDecoder, AttentionDecoderConfig
from editahead_models.families.lmatt import LmAtt, LmAttConfig
from editahead_models.families.lstm import Lstm, LstmConfig
from editahead_models.families.mixture import NeuralLanguageModel
from editahead_models.families.nnlm import Nnlm, NnlmConfig
from editahead_models.families.spn import Spn, SpnConfig


class Family(NamedTuple):
    """`configure(vocab, **settings)` makes the configuration, `build(config)` the network."""

    configure: Callable[..., Any]
    build: Callable[..., NeuralLanguageModel]


FAMILIES: dict[str, Family] = {
    "nnlm": Family(NnlmConfig, Nnlm),
    "lstm": Family(LstmConfig, Lstm),
    "attention-decoder": Family(AttentionDecoderConfig, AttentionDecoder),
    "lmatt": Family(LmAttConfig, LmAtt),
    "spn": Family(SpnConfig, Spn),
    "spn-paper": Family(SpnConfig.paper, Spn),
}


def build(family: str, vocab: int, settings: Mapping[str, Any], vectors: Tensor | None = None) -> NeuralLanguageModel:
    """A model with fresh weights; `vectors` (V, d) begin the embedding of an LSTM. ValueError for a wrong setting."""
    if family not in FAMILIES:
        raise ValueError(f"family must be one of {', '.join(FAMILIES)}, found {family!r}")
    try:
        config = FAMILIES[family].configure(vocab=vocab, **settings)
    except TypeError as error:
        raise ValueError(f"{family}: {error}") from error
    return FAMILIES[family].build(config) if vectors is None else FAMILIES[family].build(config, vectors)


def settings_of(model: NeuralLanguageModel) -> dict[str, Any]:
    """The configuration of a model as a JSON value."""
    return asdict(cast(Any, model.config))
