"""Made-up cards in the format of the data set, and what a tiny model needs."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from editahead.encode.tree_generation.steps import Vocabulary
from editahead_models.treegen.datasets.examples import Example, collect
from editahead_models.treegen.datasets.hearthstone import read_cards
from editahead_models.treegen.grammar.python_table import python_grammar
from editahead_models.treegen.network.config import TreeGenConfig

NAMES = ("Tin Golem", "Old Drake", "Mad Bomber", "River Imp", "Al'Dur Guard", "Sea-Witch", "Grey Wolf", "Ice Sprite")
TINY = TreeGenConfig(width=16, heads=2, nl_blocks=1, ast_blocks=2, decoder_blocks=1, dropout=0.0)


def card(number: int) -> tuple[str, str]:
    """A card and its class."""
    name = NAMES[number % len(NAMES)]
    attack, health, cost = number % 4 + 1, number % 3 + 2, number % 5 + 1
    taunt = number % 2 == 1
    text = "<b>Taunt</b>" if taunt else "Deal $2 damage."
    fields = f"{name} NAME_END {attack} ATK_END {health} DEF_END {cost} COST_END -1 DUR_END Minion TYPE_END"
    line = f"{fields} Mage PLAYER_CLS_END NIL RACE_END Common RARITY_END {text}"
    cls = name.replace("'", "").replace("-", "").replace(" ", "")
    body = f"return Minion({attack}, {health}{', taunt=True' if taunt else ''})"
    start = f'super().__init__("{name}", {cost}, CHARACTER_CLASS.MAGE, CARD_RARITY.COMMON)'
    lines = [f"class {cls}(MinionCard):", "    def __init__(self):", f"        {start}", ""]
    return line, "\u00a7".join([*lines, "    def create_minion(self, player):", f"        {body}", ""])


def write_cards(folder: Path, count: int = 8) -> Path:
    """A folder with the three splits."""
    for split in ("train", "dev", "test"):
        rows = [card(number) for number in range(count)]
        (folder / f"{split}_hs.in").write_text("".join(f"{line}\n" for line, _ in rows), encoding="utf-8")
        (folder / f"{split}_hs.out").write_text("".join(f"{code}\n" for _, code in rows), encoding="utf-8")
    return folder


def tiny_data(folder: Path, setting: str = "structural") -> tuple[list[Example], Vocabulary]:
    """Examples and their vocabulary."""
    examples = read_cards(write_cards(folder), "train", setting, python_grammar())
    return examples, collect(python_grammar(), examples)


@cache
def in_memory() -> tuple[list[Example], Vocabulary]:
    """The same, read once."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return tiny_data(Path(folder))
