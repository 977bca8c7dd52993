"""The shape of an implicit-attention edit model: the paper's, or the product's with its options."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from editahead.encode.edit_model.tokens import LOCAL_IDS


@dataclass(frozen=True)
class ImplicitConfig:
    """`extended` turns on everything beyond the paper; `decoder` is `analogical` or `vanilla`."""

    vocab: int
    dim: int = 128
    heads: int = 8
    aggregation: str = "gru"
    decoder: str = "analogical"
    extended: bool = False
    local_layers: int = 1
    max_state: int = 512
    max_edits: int = 128
    identities: int = LOCAL_IDS

    @classmethod
    def paper(cls, vocab: int, dim: int = 128, aggregation: str = "gru", decoder: str = "analogical") -> ImplicitConfig:
        """The published architecture."""
        return cls(vocab, dim, aggregation=aggregation, decoder=decoder)

    @classmethod
    def product(cls, vocab: int, dim: int = 160, **options: Any) -> ImplicitConfig:
        """What the bundles hold."""
        return cls(vocab, dim, heads=dim // 32, extended=True, **options)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for a checkpoint."""
        return asdict(self)
