"""What the edit model computed: encoded windows, decoder states and the scores of contents, all immutable."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from editahead.encode.edit_model.sequences import Edit, EditState
from editahead.encode.edit_model.tokens import EditToken
from editahead.encode.edit_model.window import Window
from editahead.runtime.edit_model.row_sequence import RowSequence

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class EncodedWindow:
    """An encoded initial state of n tokens."""

    window: Window
    tensors: dict[str, Floats]
    around: Ints  # [n, 5] identities of each token's neighbourhood
    lid: Ints  # [n]
    slot: Ints  # [n] class, or V + identity for unlisted tokens
    lids: dict[str, int]

    @property
    def size(self) -> int:
        """The number of initial tokens."""
        return len(self.lid)


@dataclass(frozen=True, eq=False)
class DecoderState:
    """An encoded state with some settled edits. `position` is ln P by name, stop last; None before the first edit."""

    encoded: EncodedWindow
    edits: tuple[Edit, ...]
    state: EditState
    caches: dict[str, RowSequence]
    codes: tuple[int, ...]  # contents as numbers: equal contents, equal numbers
    slots: tuple[int, ...]
    match: RowSequence  # [T, n]
    lids: dict[str, int]
    position: Floats | None = None
    change: Floats | None = None

    def key(self, name: int) -> EditToken:
        """Return the token with a name."""
        return self.encoded.window.keys[name] if name < self.encoded.size else self.state.keys[name]

    def stop(self) -> float:
        """ln P that no further edit follows; 0 before the first edit."""
        return 0.0 if self.position is None else float(self.position[-1])


@dataclass(frozen=True, slots=True)
class EditContent:
    """The content of an edit with ln P, gap included; key None deletes."""

    key: EditToken | None
    logp: float


@dataclass(frozen=True, eq=False)
class ContentScores:
    """Scores of all contents at K positions of a decoder state.

    `shares` [K, V + identities] with copies merged by token, gap features `hidden` [K, H], and texts by identity.
    """

    decoder: DecoderState
    shares: Floats
    hidden: Floats
    texts: tuple[str, ...]
