"""IA-v, IA-vg, IA-a and IA-ag on the synthetic suite: the published form of the shipped edit model, nothing beside.

The decoder is vanilla (v) or analogical (a); what attention reads is added to the query, or goes through a GRU (g).
Source: Zhao et al. 2019, section 4.3 and Table 3; the layers are those of `implicit_attention`.
"""

from __future__ import annotations

from torch.nn import functional as F

from editahead_models.data.synthetic.batches import EditBatch
from editahead_models.families.edit_model import EditModel, EditModelConfig, EditScores
from editahead_models.families.implicit_attention import Batch, ImplicitAttention
from editahead_models.families.implicit_config import ImplicitConfig

VARIANTS: dict[str, tuple[str, str]] = {
    "IA-v": ("vanilla", "sum"),
    "IA-vg": ("vanilla", "gru"),
    "IA-a": ("analogical", "sum"),
    "IA-ag": ("analogical", "gru"),
}
"""Decoder and aggregation of each variant."""


class ImplicitAttentionPaper(EditModel):
    """A pointer over initial and inserted tokens, and a softmax over contents.

    Position signals are fixed sinusoids, so that lengths beyond those of training need a longer table only.
    """

    def __init__(self, config: EditModelConfig) -> None:
        super().__init__(config)
        decoder, aggregation = VARIANTS[config.family]
        self.body = ImplicitAttention(
            ImplicitConfig(
                config.size,
                config.hidden,
                decoder=decoder,
                aggregation=aggregation,
                max_state=config.initial,
                max_edits=config.edits,
            )
        )

    def forward(self, batch: EditBatch) -> EditScores:
        """Scores of every edit of a batch."""
        out = self.body(tensors(batch))
        content_BTC = out["content_logits"][..., : self.config.classes]
        return EditScores(out["position"], F.log_softmax(content_BTC, -1))


def tensors(batch: EditBatch) -> Batch:
    """A batch of the suite under the names that `ImplicitAttention` knows."""
    return {
        "tok": batch.token_BN,
        "state_mask": batch.initial_mask,
        "c_tok": batch.content_BT,
        "name": batch.name_BT,
        "index": batch.index_BT,
        "edit_mask": batch.edit_BT,
        "live": batch.allowed_BTP,
    }
