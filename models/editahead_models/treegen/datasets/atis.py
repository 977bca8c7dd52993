"""ATIS: questions on flights with lambda forms, entities of both replaced by tokens such as `ci0` (a city).

The published runs used forms in which this was done by people's scripts, and whose training part cannot be had. Here a
lexicon says what phrases can name, and the question alone decides: never its form, which a user does not have.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from editahead_models.treegen.datasets.examples import Example
from editahead_models.treegen.datasets.logic import example_of, read_lines, read_pairs

LEXICON, SPLIT = "atis_lexicon.txt", "atis_lambda_{split}.tsv"
_ENTITY = re.compile(r"(?<!\S)([^\s:]+):_(\w+)")
_VARIABLE = re.compile(r"\$\w+")
Lexicon = Mapping[tuple[str, ...], Sequence[str]]


def read_lexicon(path: Path) -> Lexicon:
    """phrase, as words -> the entities that it can name (`salt_lake_city:ci`), in order. OSError when it is missing."""
    found: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for line in read_lines(path):
        phrase, _, entity = line.partition(" :- NP : ")
        if entity.strip() not in found[tuple(phrase.split())]:
            found[tuple(phrase.split())].append(entity.strip())
    return found


def phrases(words: Sequence[str], lexicon: Lexicon, longest: int) -> list[tuple[int, int]]:
    """Spans [first, last) of a question that the lexicon has, the longest ones from left to right."""
    spans, at = [], 0
    while at < len(words):
        ends = (end for end in range(min(len(words), at + longest), at, -1) if tuple(words[at:end]) in lexicon)
        end = next(ends, None)
        if end is not None:
            spans.append((at, end))
        at = end or at + 1
    return spans


class Identifier:
    """Which entity a phrase names: the one that it named most often in the training questions.

    A phrase that mostly named nothing there stays words (`one way`); one that was never met is its first entity.
    """

    def __init__(self, lexicon: Lexicon, pairs: Iterable[tuple[str, str]]) -> None:
        self.lexicon, self.longest = lexicon, max(map(len, lexicon), default=0)
        counts: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
        for question, form in pairs:
            words, named = question.split(), {f"{name}:{kind}" for name, kind in _ENTITY.findall(form)}
            for first, last in phrases(words, lexicon, self.longest):
                phrase = tuple(words[first:last])
                counts[phrase][next((one for one in lexicon[phrase] if one in named), "")] += 1
        self._usual = {phrase: seen.most_common(1)[0][0] for phrase, seen in counts.items()}

    def __call__(self, question: str) -> tuple[tuple[str, ...], dict[str, str]]:
        """The question's words with tokens for entities, and entity -> token. Numbers count up within a kind."""
        words, tokens, out, at = question.split(), {}, [], 0
        kinds: Counter[str] = Counter()
        for first, last in phrases(words, self.lexicon, self.longest):
            phrase = tuple(words[first:last])
            entity = self._usual.get(phrase, self.lexicon[phrase][0])
            if not entity:
                continue
            kind = entity.rpartition(":")[2]
            if entity not in tokens:
                tokens[entity] = f"{kind}{kinds[kind]}"
                kinds[kind] += 1
            out += [*words[at:first], tokens[entity]]
            at = last
        return (*out, *words[at:]), tokens


def plain_form(form: str, tokens: Mapping[str, str]) -> str:
    """A form with tokens for the entities that were identified, its variables numbered as they appear."""
    names: dict[str, str] = {}
    for name in _VARIABLE.findall(form):
        names.setdefault(name, f"${len(names)}")
    form = _VARIABLE.sub(lambda found: names[found[0]], form)
    return _ENTITY.sub(lambda found: tokens.get(f"{found[1]}:{found[2]}", found[0]), form)


def read_atis(folder: Path, split: str) -> list[Example]:
    """`train`, `dev` or `test`. OSError when a file is missing, ValueError for one that cannot be read."""
    lexicon = read_lexicon(folder / LEXICON)
    identify = Identifier(lexicon, read_pairs(folder / SPLIT.format(split="train")))
    found = []
    for question, form in read_pairs(folder / SPLIT.format(split=split)):
        words, tokens = identify(question)
        found.append(example_of(words, plain_form(form, tokens)))
    return found
