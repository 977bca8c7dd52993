"""Inference with the edit model: the initial state is encoded once, and each settled edit appends a row to its caches.

`EncodedWindow` and `DecoderState` are immutable: appending returns a new state, so that a beam needs no copies and an
undo returns to an earlier state. `EditModel.encoder_runs` and `append_runs` count the runs of the graphs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from editahead.encode.edit_model.sequences import EditState, displacement_bins
from editahead.encode.edit_model.tokens import DELETE_ID, SPECIALS, EditToken, EditVocab
from editahead.encode.edit_model.window import SENTINELS, Window
from editahead.runtime.bundle import Bundle
from editahead.runtime.edit_model.states import (
    ContentScores,
    DecoderState,
    EditContent,
    EncodedWindow,
    Floats,
    Ints,
    RowSequence,
)
from editahead.runtime.ort import Cancel, Selection
from editahead.runtime.selftest import open_model

GRAPHS = ("encode", "step", "what", "gap")
_NEIGHBOURS = (-2, -1, 0, 1, 2)
_GAPS = 3
_CACHED = {
    "edits": "edits_row",
    "pointer_e": "pointer_row",
    "edit_k": "edit_k_row",
    "edit_v": "edit_v_row",
    "pos_k": "pos_k_row",
    "pos_v": "pos_v_row",
    "con_k": "con_k_row",
    "con_v": "con_v_row",
    "replay_k": "replay_row",
    "copy_e": "copy_row",
}
_STEP_CACHES = ("edits", "pointer_e", "edit_k", "edit_v", "pos_k", "pos_v", "con_k", "con_v", "replay_k")


class EditModel:
    """The graphs of an edit bundle. Not thread-safe. Raises BundleError when the bundle does not work."""

    def __init__(self, bundle: Bundle, selection: Selection) -> None:
        self.bundle = bundle
        self.vocab = EditVocab(bundle.vocab()["tokens"])
        # One row at a time over at most a window: small, and half of the time would go into asking for memory.
        self._sessions = open_model(bundle, selection, GRAPHS, arena=("step", "what", "gap"))
        self._tables: dict[str, Floats] = {
            name: np.asarray(table, dtype=np.float32) for name, table in bundle.arrays("tables.npz").items()
        }
        self._table = np.ascontiguousarray(self._tables.pop("token").T)  # as the content head takes it
        self._scale = float(len(self._table)) ** 0.5
        self._identities = len(self._tables["identity"])
        self._step_inputs = frozenset(self._sessions["step"].inputs)  # `index`: of absolute positions alone
        self.window_limit = int(bundle.manifest.limits.get("window", 320))
        self.max_edits = int(bundle.manifest.limits.get("max_edits", 64))
        self.encoder_runs = 0
        self.append_runs = 0

    # -- building --

    def _rows(self, tok: Ints, sub: Ints, lid: Ints, gap: Ints) -> Floats:
        tables = self._tables
        token = np.ascontiguousarray(self._table[:, tok].T)
        summed = token + tables["part"][sub].sum(1) + tables["identity"][lid] + tables["gap"][gap]
        return np.asarray(summed * self._scale, dtype=np.float32)

    def encode(self, window: Window, cancel: Cancel | None = None) -> EncodedWindow:
        """Run the encoder over an initial state."""
        texts = [key.text for key in window.keys]
        lids: dict[str, int] = {}
        lid = np.asarray(
            [lids.setdefault(text, min(len(lids) + 1, self._identities - 1)) for text in texts], dtype=np.int64
        )
        tok, sub = self.vocab.features(texts)
        gap = np.asarray([key.gap for key in window.keys], dtype=np.int64)
        names = ("states", "read_k", "read_v", "pointer_k", "copy_k", "pos_k0", "pos_v0", "con_k0", "con_v0")
        values = self._sessions["encode"].run(names, {"rows": self._rows(tok, sub, lid, gap)}, cancel)
        self.encoder_runs += 1
        padded = np.pad(lid, 2)
        around = np.stack([padded[2 + offset : 2 + offset + len(lid)] for offset in _NEIGHBOURS], 1)
        slot = np.where(tok >= len(SPECIALS), tok, len(self.vocab) + lid)
        return EncodedWindow(window, dict(zip(names, values, strict=True)), around, lid, slot, lids)

    def begin(self, encoded: EncodedWindow) -> DecoderState:
        """Return the decoder state without edits."""
        tensors = encoded.tensors
        width = tensors["states"].shape[1]
        replay = next(axis for axis in reversed(self._sessions["step"].inputs["replay_k"]) if isinstance(axis, int))
        empty = np.zeros((0, width), dtype=np.float32)
        caches = dict.fromkeys(("raw", "edits", "pointer_e", "edit_k", "edit_v", "copy_e"), empty)
        caches |= {
            "pos_k": tensors["pos_k0"],
            "pos_v": tensors["pos_v0"],
            "con_k": tensors["con_k0"],
            "con_v": tensors["con_v0"],
        }
        caches["replay_k"] = np.zeros((0, replay), dtype=np.float32)
        match = RowSequence(np.zeros((0, encoded.size), dtype=np.int64))
        kept = {name: RowSequence(rows) for name, rows in caches.items()}
        return DecoderState(encoded, (), EditState(encoded.size), kept, (), (), match, encoded.lids)

    def append(
        self, decoder: DecoderState, name: int, key: EditToken | None, *, start: bool, cancel: Cancel | None = None
    ) -> DecoderState:
        """Return the decoder state after a further edit. Raises ValueError when `name` is not alive."""
        encoded, caches = decoder.encoded, decoder.caches
        state = decoder.state.copy()
        edit = state.apply(name, key, start=start)
        lids = decoder.lids
        if key is not None and key.text not in lids:
            lids = {**lids, key.text: min(len(lids) + 1, self._identities - 1)}
        raw = self._content_row(key, lids)
        lid = 0 if key is None else lids[key.text]
        gap = 0 if key is None else key.gap
        codes = (*decoder.codes, lid * _GAPS + gap + (self._identities * _GAPS if key is None else 0))
        tok = DELETE_ID if key is None else self.vocab.id(key.text)
        slot = tok if key is None or tok >= len(SPECIALS) else len(self.vocab) + lid
        match = decoder.match.extend(self._match(encoded, edit.root))
        names = encoded.size + len(codes)
        live = np.zeros(names + 1, dtype=np.bool_)
        alive = np.asarray(state.names)
        live[alive] = True
        live[encoded.size - 1] = False
        live[-1] = True
        feeds: dict[str, npt.NDArray[Any]] = {
            "raw_row": raw,
            "index": _one(edit.at),
            "root": _one(edit.root),
            "start": _one(int(start)),
            "name": _one(name),
            "same": _same(codes)[None],
            "live": live,
            "bins": displacement_bins(alive, names, edit),
            "match": match.array,
            "raw": caches["raw"].array,
            **{key_: encoded.tensors[key_] for key_ in ("states", "read_k", "read_v", "pointer_k")},
            **{key_: caches[key_].array for key_ in _STEP_CACHES},
        }
        wanted = (*_CACHED.values(), "change", "position")
        read = {key_: value for key_, value in feeds.items() if key_ in self._step_inputs}
        values = dict(zip(wanted, self._sessions["step"].run(wanted, read, cancel), strict=True))
        self.append_runs += 1
        grown = {cache: caches[cache].extend(values[row]) for cache, row in _CACHED.items()}
        grown["raw"] = caches["raw"].extend(raw)
        return DecoderState(
            encoded,
            (*decoder.edits, edit),
            state,
            grown,
            codes,
            (*decoder.slots, slot),
            match,
            lids,
            values["position"][0],
            values["change"],
        )

    def _content_row(self, key: EditToken | None, lids: dict[str, int], *, bare: bool = False) -> Floats:
        if key is None:
            return self._rows(_one(DELETE_ID), np.zeros((1, 4), dtype=np.int64), _one(0), _one(0))
        tok, sub = self.vocab.features([key.text])
        lid = lids.get(key.text, min(len(lids) + 1, self._identities - 1))
        return self._rows(tok, sub, _one(lid), _one(0 if bare else key.gap))

    @staticmethod
    def _match(encoded: EncodedWindow, root: int) -> Ints:
        here = encoded.around[root]
        same = (encoded.around == here) & (here > 0)
        codes: Ints = same.astype(np.int64) @ np.asarray([1, 2, 4, 8, 16], dtype=np.int64)
        return codes[None]

    # -- asking --

    def contents(
        self, decoder: DecoderState, names: Sequence[int], count: int = 3, cancel: Cancel | None = None
    ) -> list[list[EditContent]]:
        """Return the `count` most probable contents at each position, best first.

        The content "something new" is excluded.
        """
        scores = self.score_contents(decoder, names, cancel)
        return [self.most_likely(scores, row, count) for row in range(len(names))]

    def most_likely(self, scores: ContentScores, row: int, count: int) -> list[EditContent]:
        """Return the `count` most probable contents at position number `row`, as in `contents`."""
        shares = scores.shares[row].copy()
        shares[:DELETE_ID] = 0.0
        shares[DELETE_ID + 1 : len(SPECIALS)] = 0.0
        best = np.argpartition(-shares, count)[:count]
        best_contents: list[EditContent] = []
        for slot in best[np.argsort(-shares[best])]:
            logp = float(np.log(shares[slot] + 1e-12))
            if slot == DELETE_ID:
                best_contents.append(EditContent(None, logp))
                continue
            text = self.vocab.tokens[slot] if slot < len(self.vocab) else scores.texts[slot - len(self.vocab) - 1]
            gaps = self._gaps(scores.hidden[row : row + 1], text, scores.decoder)
            gap = int(gaps.argmax())
            best_contents.append(EditContent(EditToken(text, gap), logp + float(gaps[gap])))
        return best_contents

    def logp(self, scores: ContentScores, row: int, key: EditToken | None) -> float:
        """Return ln P of a given content at position number `row`, gap included."""
        if key is None:
            return float(np.log(scores.shares[row, DELETE_ID] + 1e-12))
        tok = self.vocab.id(key.text)
        lid = scores.decoder.lids.get(key.text)
        slot = tok if tok >= len(SPECIALS) else len(self.vocab) + lid if lid is not None else None
        share = 0.0 if slot is None else float(scores.shares[row, slot])
        return float(np.log(share + 1e-12)) + float(
            self._gaps(scores.hidden[row : row + 1], key.text, scores.decoder)[key.gap]
        )

    def score_contents(
        self, decoder: DecoderState, names: Sequence[int], cancel: Cancel | None = None
    ) -> ContentScores:
        """Run the content head at some positions. Raises ValueError before the first edit."""
        if decoder.change is None:
            raise ValueError("contents need an edit before them")
        encoded, caches = decoder.encoded, decoder.caches
        roots = np.asarray([decoder.state.root(name) for name in names])
        copied = np.asarray([edit.key is not None for edit in decoder.edits], dtype=np.bool_)
        feeds: dict[str, npt.NDArray[Any]] = {
            "name": np.asarray(names, dtype=np.int64),
            "change": decoder.change,
            "same": _same(decoder.codes)[None],
            "code": np.ascontiguousarray(decoder.match.array[:, roots].T),
            "copyable": np.ones(encoded.size, dtype=np.bool_),
            "copied": copied,
            "states": encoded.tensors["states"],
            "copy_k": encoded.tensors["copy_k"],
            "edits": caches["edits"].array,
            "copy_e": caches["copy_e"].array,
            "table": self._table,
        }
        table, from_state, from_edits, hidden = self._sessions["what"].run(
            ("table_p", "from_state", "from_edits", "hidden"), feeds, cancel
        )
        listed = table.shape[1]
        merged = np.zeros((len(names), listed + self._identities), table.dtype)  # np.pad takes ten times as long
        merged[:, :listed] = table
        slots = np.asarray(decoder.slots, dtype=np.int64)
        for row in range(len(names)):
            merged[row] += np.bincount(encoded.slot, from_state[row], merged.shape[1]).astype(np.float32)
            merged[row] += np.bincount(slots, from_edits[row], merged.shape[1]).astype(np.float32)
        for sentinel in SENTINELS:
            lid = decoder.lids.get(sentinel.text)
            if lid is not None:
                merged[:, len(self.vocab) + lid] = 0.0
        return ContentScores(
            decoder, merged, hidden, tuple(decoder.lids)
        )  # identities count from 1 in the order of the texts

    def _gaps(self, hidden: Floats, text: str, decoder: DecoderState) -> Floats:
        if text.startswith("\n"):
            return np.asarray([0.0, -99.0, -99.0], dtype=np.float32)
        row = self._content_row(EditToken(text, 0), decoder.lids, bare=True)
        return np.asarray(self._sessions["gap"].run(("gap",), {"hidden": hidden, "row": row})[0][0])


def _one(number: int) -> Ints:
    return np.asarray([number], dtype=np.int64)


def _same(codes: Sequence[int]) -> Ints:
    """Compare the contents before each edit with the latest: 0, 1 (the last is equal) or 3 (the last two)."""
    count = len(codes)
    before = np.asarray([-1, -1, *codes], dtype=np.int64)
    last_equal = before[1 : 1 + count] == before[count + 1]
    both_equal = last_equal & (before[:count] == before[count])
    codes_now: Ints = last_equal.astype(np.int64) + 2 * both_equal.astype(np.int64)
    return codes_now
