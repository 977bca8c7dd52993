"""How a model sees the names that a file declares: five views of one encoded corpus.

    spelled          by their text and its parts; the softmax may produce frequent ones (the shipped models)
    placeholder      by their kind; the softmax says only that a new one comes, uses are always copied
    numbered         kind + random number, unique in the file, in the softmax like any word (Bhoopchand et al. 2016)
    numbered-typed   kind + declared type + random number (Müller 2019, section 4.3)

A view also cuts the vocabulary to a size. In the numbered views the vocabulary is the most frequent symbols of the
numbered corpus. The numbers of a tag (kind, or kind and type) are drawn from the smallest range that is wide
enough for 99 % of the names, so all numbers of a tag are equally frequent and enter the vocabulary together. A
type that few files declare is left out of the tag. `width` sets one range for all kinds, as published (3,000).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from editahead.encode.language_model.encoder import NO_NAME, NO_TARGET
from editahead.encode.language_model.vocabulary import NEW_NAMES, SPECIALS, UNKNOWN, new_name_of
from editahead.syntax.tokens import Role, TokenKind

from editahead_models.data.corpus.encoded_files import FileArrays

Ids = npt.NDArray[np.int32]
VIEWS = ("spelled", "placeholder", "numbered", "numbered-typed")
ENOUGH = 0.99  # of the names find a number
TYPED_TAGS = 200  # the most frequent ones keep their type
_NEW_IDS = np.array([SPECIALS.index(symbol) for symbol in NEW_NAMES.values()], np.int32)
_NAME_ID = SPECIALS.index(UNKNOWN[TokenKind.NAME])
_FRESH_BY_KIND = np.array([_NAME_ID, *(SPECIALS.index(new_name_of(role)) for role in Role)], np.int32)
_TYPES = 1 << 16  # buckets of type names are smaller


@dataclass(frozen=True)
class View:
    """`see(file, seed)` is the file as the model reads it, `size` its vocabulary, `symbols` what its ids mean."""

    name: str
    symbols: tuple[str, ...]
    see: Callable[[FileArrays, int], FileArrays]

    @property
    def size(self) -> int:
        """How many symbols there are."""
        return len(self.symbols)


def view_of(
    name: str, symbols: Sequence[str], size: int, train: Sequence[FileArrays], *, width: int | None = None
) -> View:
    """A view of a corpus with these symbols (most frequent first); `train` is what numbered views are fitted on.

    Raises ValueError for an unknown view.
    """
    if name not in VIEWS:
        raise ValueError(f"names must be shown as one of {', '.join(VIEWS)}, found {name!r}")
    unknown = np.array([_unknown_of(symbol) for symbol in symbols], np.int32)
    shown = {"spelled": _spelled, "placeholder": _placeholder}.get(name)
    if shown is not None:
        to_id = np.where(np.arange(len(symbols)) < size, np.arange(len(symbols)), unknown).astype(np.int32)
        return View(name, tuple(symbols[:size]), lambda file, seed: shown(file, to_id))
    numbering = Numbering.fit(train, symbols, size, unknown, typed=name == "numbered-typed", width=width)
    return View(name, numbering.symbols, numbering.see)


def _unknown_of(symbol: str) -> int:
    """The class of a symbol that the cut vocabulary does not list."""
    kind = TokenKind.OPERATOR
    if symbol[:1].isdigit():
        kind = TokenKind.NUMBER
    elif symbol[-1:] in "\"'":
        kind = TokenKind.STRING
    elif symbol.isidentifier() or symbol.replace("$", "_").isidentifier():
        kind = TokenKind.NAME
    return SPECIALS.index(UNKNOWN[kind])


def _spelled(file: FileArrays, to_id: Ids) -> FileArrays:
    target, fallback = _cut_targets(file, file.target, to_id)
    return replace(file, word=to_id[file.word], target=target, fallback=fallback)


def _placeholder(file: FileArrays, to_id: Ids) -> FileArrays:
    target, fallback = _cut_targets(file, file.kind_target, to_id)
    parts = file.parts * (file.word == file.kind_word)[:, None]  # a name that keeps its text keeps its spelling
    parts[:, -1] = file.parts[:, -1]
    return replace(file, word=to_id[file.kind_word], parts=parts, target=target, fallback=fallback)


def _cut_targets(file: FileArrays, target: Ids, to_id: Ids) -> tuple[Ids, Ids]:
    """Targets in the cut vocabulary: an unlisted name is copied when it was seen, else it is a new name."""
    fresh = _FRESH_BY_KIND[file.kind]
    is_name = file.name != NO_NAME
    listed = np.where(target == NO_TARGET, NO_TARGET, to_id[np.maximum(target, 0)]).astype(np.int32)
    gone = is_name & (target >= len(SPECIALS)) & (listed < len(SPECIALS))
    cut = np.where(gone, np.where(file.seen, NO_TARGET, fresh), listed).astype(np.int32)
    fallback = np.where(is_name & (cut < len(SPECIALS)), fresh, cut).astype(np.int32)
    return cut, fallback


@dataclass(frozen=True)
class Numbering:
    """Names as kind + number. `first` and `listed`: each tag's first id and how many numbers have one."""

    symbols: tuple[str, ...]
    types: frozenset[int]  # tags that keep their type
    to_id: Ids  # of words that are no placeholders
    widths: dict[int, int]  # numbers of each tag
    first: dict[int, int]
    listed: dict[int, int]

    @classmethod
    def fit(
        cls,
        files: Sequence[FileArrays],
        symbols: Sequence[str],
        size: int,
        unknown: Ids,
        *,
        typed: bool,
        width: int | None = None,
    ) -> Numbering:
        """Ranges and vocabulary from the training files. `unknown` is (V,)."""
        types = _frequent_types(files) if typed else frozenset()
        counts = np.zeros(len(symbols), np.int64)
        uses: dict[int, int] = {}
        names: dict[int, list[int]] = {}
        for file in files:
            tags = _tags(file, types)
            masked = tags >= 0
            np.add.at(counts, file.kind_word[~masked], 1)
            for tag, n in zip(*np.unique(tags[masked], return_counts=True), strict=True):
                uses[int(tag)] = uses.get(int(tag), 0) + int(n)
            pairs = np.unique(np.stack([tags[masked], file.name[masked]]), axis=1)[0]
            for tag, n in zip(*np.unique(pairs, return_counts=True), strict=True):
                names.setdefault(int(tag), []).append(int(n))
        widths = {tag: width or _wide_enough(np.array(found)) for tag, found in names.items()}
        entries = [(int(counts[n]), 1, -1, n) for n in range(len(SPECIALS), len(symbols)) if counts[n]]
        entries += [(uses[tag] // width, width, tag, 0) for tag, width in sorted(widths.items())]
        entries.sort(key=lambda entry: (-entry[0], entry[2], entry[3]))
        texts = list(SPECIALS)
        to_id = unknown.copy()
        to_id[: len(SPECIALS)] = np.arange(len(SPECIALS))
        first, listed = {}, {}
        for _, columns, tag, number in entries:
            room = size - len(texts)
            if room <= 0:
                break
            if tag < 0:
                to_id[number] = len(texts)
                texts.append(symbols[number])
            else:
                first[tag], listed[tag] = len(texts), min(columns, room)
                texts += [f"{_tag_text(tag)}:{n}" for n in range(listed[tag])]
        return cls(tuple(texts), types, to_id, widths, first, listed)

    def see(self, file: FileArrays, seed: int) -> FileArrays:
        """The file with its names numbered anew. Only listed placeholders are names that a pointer remembers."""
        chooser = np.random.default_rng(abs(seed))
        tags = _tags(file, self.types)
        word = self.to_id[file.kind_word].copy()
        word[tags >= 0] = _NAME_ID
        name = np.full_like(file.name, NO_NAME)
        for tag in np.unique(tags[tags >= 0]).tolist():
            here = np.flatnonzero(tags == tag)
            distinct, which = np.unique(file.name[here], return_inverse=True)
            width = max(self.widths.get(tag, 1), 1)
            number = np.full(len(distinct), width, np.int64)  # beyond the range: unknown
            drawn = chooser.permutation(width)[: len(distinct)]
            number[: len(drawn)] = drawn
            known = number[which] < self.listed.get(tag, 0)
            word[here[known]] = self.first.get(tag, 0) + number[which][known]
            name[here[known]] = file.name[here[known]]
        return replace(file, word=word, name=name, target=word, fallback=word)


def _tags(file: FileArrays, types: frozenset[int]) -> npt.NDArray[np.int64]:
    """The tag of every placeholder, -1 for other tokens: its kind, and the type known where the name first appears."""
    tags = np.full(len(file.word), -1, np.int64)
    here = np.flatnonzero(np.isin(file.kind_word, _NEW_IDS) & (file.name != NO_NAME))
    if not len(here):
        return tags
    _, first, which = np.unique(file.name[here], return_index=True, return_inverse=True)
    kind = file.kind_word[here].astype(np.int64)[first][which]
    typed = kind + _TYPES * file.parts[here, -1].astype(np.int64)[first][which]
    tags[here] = np.where(np.isin(typed, list(types)), typed, kind)
    return tags


def _frequent_types(files: Sequence[FileArrays]) -> frozenset[int]:
    """The kinds with a type that stand in the most files."""
    found: dict[int, int] = {}
    for file in files:
        here = np.isin(file.kind_word, _NEW_IDS) & (file.name != NO_NAME) & (file.parts[:, -1] > 0)
        for tag in np.unique(file.kind_word[here] + _TYPES * file.parts[here, -1].astype(np.int64)).tolist():
            found[tag] = found.get(tag, 0) + 1
    return frozenset(sorted(found, key=lambda tag: (-found[tag], tag))[:TYPED_TAGS])


def _wide_enough(names: npt.NDArray[np.int64]) -> int:
    """The smallest range in which all but a few of the names, counted over files, have a number of their own."""
    allowed = (1 - ENOUGH) * names.sum()
    for width in range(1, int(names.max()) + 1):
        if np.maximum(names - width, 0).sum() <= allowed:
            return width
    return int(names.max())


def _tag_text(tag: int) -> str:
    symbol = SPECIALS[tag % _TYPES].removeprefix("<new:").removesuffix(">")
    return f"{symbol}-{tag // _TYPES}" if tag >= _TYPES else symbol
