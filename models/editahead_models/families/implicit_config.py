"""The shape of an implicit-attention edit model: the paper's, or the product's with its options."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from editahead.encode.edit_model.vocabulary import LOCAL_IDS


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
    relative: bool = False  # distances instead of absolute positions
    gated: bool = False
    state_layers: int = 1
    identities: int = LOCAL_IDS
    languages: tuple[str, ...] = ()  # that get a mark

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
        return asdict(self) | {"languages": list(self.languages)}

    @classmethod
    def from_dict(cls, value: dict[str, Any]) -> ImplicitConfig:
        """The settings behind `to_dict`."""
        return cls(**{**value, "languages": tuple(value.get("languages", ()))})
