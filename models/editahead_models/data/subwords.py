"""Sub-words of code tokens: byte-pair encoding with an end mark, over a closed alphabet, so that nothing is unknown.

Source: Sennrich, Haddow and Birch 2016; a list of 4,096 as Zhao et al. 2019, section 5.3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

SIZE = 4096
END_MARK = "\u2420"
"""What the last sub-word of a token ends with."""
FOREIGN = "\u00bf"
"""Stands for every character outside the alphabet."""
ALPHABET = "\n" + "".join(map(chr, range(33, 127))) + FOREIGN


class Subwords:
    """The list in its order, and the merges that make it."""

    def __init__(self, texts: Sequence[str], merges: Sequence[tuple[str, str]]) -> None:
        from tokenizers import models

        self.texts, self.merges = tuple(texts), tuple(merges)
        numbers = {text: number for number, text in enumerate(self.texts)}
        self._model = models.BPE(numbers, list(self.merges), end_of_word_suffix=END_MARK)
        self._known: dict[str, tuple[str, ...]] = {}

    @classmethod
    def learn(cls, counts: Mapping[str, int], size: int = SIZE, most: int = 3_000_000) -> Subwords:
        """About `size` sub-words from tokens with their counts, which are scaled down beyond `most` in all."""
        import json

        from tokenizers import Tokenizer, models, trainers

        scale = max(1, -(-sum(counts.values()) // most))
        tokenizer = Tokenizer(models.BPE())
        letters = list(ALPHABET)
        ends = [letter + END_MARK for letter in letters]  # named first: ties between merges go by number
        trainer = trainers.BpeTrainer(
            vocab_size=size, initial_alphabet=letters, special_tokens=ends, end_of_word_suffix=END_MARK,
            show_progress=False,
        )  # fmt: skip
        tokenizer.train_from_iterator(_repeated(counts, scale), trainer)
        model = json.loads(tokenizer.to_str())["model"]
        merges = [tuple(pair if isinstance(pair, list) else pair.split(" ")) for pair in model["merges"]]
        known = dict(model["vocab"])
        return cls(sorted(known, key=known.__getitem__), [(one, two) for one, two in merges])

    def split(self, token: str) -> tuple[str, ...]:
        """The sub-words of a token; only the last one ends with the mark."""
        found = self._known.get(token)
        if found is None:
            found = self._known[token] = tuple(piece.value for piece in self._model.tokenize(plain(token)))
        return found


def plain(token: str) -> str:
    """The token in the alphabet."""
    if token.isascii() and token.isprintable():
        return token
    return "".join(letter if letter in ALPHABET else FOREIGN for letter in token)


def ends_token(piece: str) -> bool:
    """Whether a sub-word is the last one of its token."""
    return piece.endswith(END_MARK)


def _repeated(counts: Mapping[str, int], scale: int) -> Iterator[str]:
    for token in sorted(counts):
        for _ in range(-(-counts[token] // scale)):
            yield plain(token)
