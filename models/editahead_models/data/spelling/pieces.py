"""The list of sub-words of a speller: byte-pair encoding of the words of names (Sennrich, Haddow and Birch 2016)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from editahead.encode.language_model.name_pieces import ALPHABET, WORD, Pieces

BARE = 0.65  # share of the pieces without underscores; the others are the most frequent of these behind underscores


def learn_pieces(names: Sequence[str], size: int) -> Pieces:
    """About `size` pieces from the words of names, each name as often as it counts. Pieces never cross words."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

    spelled = [name for name in names if name.isascii() and "$" not in name]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(WORD), "isolated")
    alphabet = list(ALPHABET)
    trainer = trainers.BpeTrainer(
        vocab_size=int(size * BARE), initial_alphabet=alphabet, limit_alphabet=len(alphabet), show_progress=False
    )
    tokenizer.train_from_iterator(spelled, trainer)
    bare = [text for text, _ in sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])]
    plain = Pieces(bare)
    joined: Counter[str] = Counter()
    for name in spelled:
        texts = [plain.texts[piece] for piece in plain.split(name)]
        joined.update(one + two for one, two in pairwise(texts) if set(one) == {"_"} != set(two))
    wanted = sorted(joined.items(), key=lambda item: (-item[1], item[0]))
    return Pieces([*bare, *(text for text, _ in wanted[: size - 1 - len(bare)])])
