"""Sizes and switches of TreeGen; every row of the paper's ablation table is a change of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any


@dataclass(frozen=True)
class TreeGenConfig:
    """`conv_blocks`: how many of the AST reader's first blocks end with a tree convolution (all when negative).

    `masked`: only classes that fit the place have probability, and copies only where a terminal is asked for. The paper
    has neither; without it p(r) is over all rules, and only the search keeps to the grammar. Raises ValueError for
    sizes that do not go together.
    """

    width: int = 256
    heads: int = 8
    nl_blocks: int = 6
    ast_blocks: int = 5
    decoder_blocks: int = 5
    dropout: float = 0.15
    masked: bool = True
    conv_blocks: int = -1
    tree_convolution: bool = True  # ablation 7: two dense layers instead
    rule_definition: bool = True  # 8
    characters: bool = True  # 9
    self_attention: bool = True  # 10: of the AST reader
    plain: bool = False  # 6: embeddings, attention and dense layers alone; a query is the label of its place

    def __post_init__(self) -> None:
        if self.width % self.heads or self.width % 2:
            raise ValueError(f"width {self.width} must be even and a multiple of {self.heads} heads")
        if self.ast_blocks + self.decoder_blocks < 1:
            raise ValueError("at least one block must read the rules")

    def convolves(self, block: int) -> bool:
        """Whether a block of the AST reader ends with a convolution."""
        return self.conv_blocks < 0 or block < self.conv_blocks

    def to_json(self) -> dict[str, Any]:
        """As keyword arguments."""
        return asdict(self)


WIDTH = 64
"""Of `models/recipes/treegen.toml`: a run of another width is named by it."""
BLOCKS = {"ast_blocks", "decoder_blocks", "conv_blocks"}
_TEN: dict[str, Any] = {"ast_blocks": 10, "decoder_blocks": 0}
# the rows of the paper's ablation table (Table 4) as changes of the full model, at the paper's number of blocks
ABLATIONS: dict[int, tuple[str, dict[str, Any]]] = {
    1: ("full model", {}),
    2: ("N1 = 10, N2 = 0, convolution in all ten", _TEN),
    3: ("N1 = 10, N2 = 0, convolution in the first 7", {**_TEN, "conv_blocks": 7}),
    4: ("N1 = 10, N2 = 0, convolution in the first 8", {**_TEN, "conv_blocks": 8}),
    5: ("N1 = 0, N2 = 10, no convolution", {"ast_blocks": 0, "decoder_blocks": 10}),
    6: ("plain Transformer", {"plain": True}),
    7: ("two dense layers for the tree convolution", {"tree_convolution": False}),
    8: ("without the definition of rules", {"rule_definition": False}),
    9: ("without characters", {"characters": False}),
    10: ("without self-attention", {"self_attention": False}),
}


def ablated(config: TreeGenConfig, row: int) -> TreeGenConfig:
    """The configuration of a row; numbers of blocks are shares of what `config` has, ten in the paper.

    KeyError for a row that the paper does not have.
    """
    change = dict(ABLATIONS[row][1])
    blocks = config.ast_blocks + config.decoder_blocks
    for name in BLOCKS & change.keys():
        change[name] = round(change[name] * blocks / 10)
    return replace(config, **change)


def same_row(config: TreeGenConfig, row: int) -> int | None:
    """An earlier row that is the same network at these numbers of blocks, None where the row has one of its own."""
    wanted = ablated(config, row)
    return next((one for one in ABLATIONS if one < row and ablated(config, one) == wanted), None)
