"""The families of the synthetic edit suite by their names in the paper's tables."""

from __future__ import annotations

from editahead_models.families.edit_model import EditModel, EditModelConfig
from editahead_models.families.explicit_lstm import ExplicitLstm
from editahead_models.families.implicit_attention_paper import VARIANTS, ImplicitAttentionPaper
from editahead_models.families.implicit_rnn import ImplicitRnn

EDIT_FAMILIES: dict[str, type[EditModel]] = {
    "E": ExplicitLstm,
    "IR": ImplicitRnn,
    **dict.fromkeys(VARIANTS, ImplicitAttentionPaper),
}
POMP = "POMP"
HALF_PRODUCTS = frozenset(VARIANTS)
"""Families that learn as well with products in bfloat16; the others sum probabilities in the type of their products."""


def build(config: EditModelConfig) -> EditModel:
    """A fresh model. ValueError for an unknown family."""
    if config.family not in EDIT_FAMILIES:
        raise ValueError(f"unknown family {config.family!r}: choose one of {', '.join(EDIT_FAMILIES)}")
    return EDIT_FAMILIES[config.family](config)
