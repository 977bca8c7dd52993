"""Decoder states of the edit model for document histories, reusing the computations of the last request.

The initial state is a window of the base text: the history's anchor with the hunks applied that are too old, too many
or outside the window. It is encoded again only when that window changes; a hunk that grew replaces only its own rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from editahead.encode.edit_model.history import (
    LineRegion,
    RegionTracker,
    indent_above,
    merge_regions,
    region_edits,
    region_lines,
    trim,
)
from editahead.encode.edit_model.sequences import HunkEdit
from editahead.encode.edit_model.text_positions import TokenPosition, token_positions
from editahead.encode.edit_model.tokens import EditToken, lex_line
from editahead.encode.edit_model.window import Window, choose_window, focus_words
from editahead.runtime.edit_model.model import EditModel
from editahead.runtime.edit_model.states import DecoderState, EncodedWindow
from editahead.runtime.memory import array_bytes
from editahead.runtime.ort import Cancel
from editahead.suggest.types import Document
from editahead.text.buffer import MAX_LINE_BYTES, Buffer
from editahead.text.coalesced_edits import HistoryView
from editahead.text.line_ends import split_lines
from editahead.text.memo import RecentEntries

MAX_EDITS = 32
MAX_HUNKS = 8
_MAX_DOCUMENTS = 8
_FOCUS_HUNKS = 3

Step = tuple[int, EditToken | None, bool]


@dataclass(frozen=True)
class Present:
    """The model's view of the current document: the decoder state after all recent hunks, and their regions.

    A region maps lines of the base text to current lines.
    """

    decoder: DecoderState
    regions: tuple[LineRegion, ...]
    base: Sequence[str]
    buffer: Buffer

    @property
    def window(self) -> Window:
        """The window of the initial state."""
        return self.decoder.encoded.window

    def keys(self, decoder: DecoderState | None = None) -> dict[int, EditToken]:
        """All tokens by name, including deleted tokens."""
        named = dict(enumerate(self.window.keys))
        return named | (decoder or self.decoder).state.keys

    @cached_property
    def positions(self) -> dict[int, TokenPosition]:
        """The position of each live token in the text. Raises MapError if the text does not have these tokens."""
        return token_positions(self.decoder.state.names, self.keys(), self.window, self.regions, self.buffer)


@dataclass
class _Entry:
    """The state of a document's last request."""

    source: bytes | None = None  # the anchor's text, as a reopened document has a new history
    anchor: list[str] = field(default_factory=list)
    base: list[str] = field(default_factory=list)
    encoded: EncodedWindow | None = None
    steps: list[Step] = field(default_factory=list)
    decoders: list[DecoderState] = field(default_factory=list)
    tracker: RegionTracker = field(default_factory=RegionTracker)
    request: tuple[HistoryView, Buffer] | None = None  # of `present`
    present: Present | None = None


class DecoderCache:
    """An LRU of encoded windows and decoder states by document. Lives on the inference thread."""

    def __init__(self, model: EditModel) -> None:
        self._model = model
        self._entries = RecentEntries[str, _Entry](_MAX_DOCUMENTS, by_document=True)

    def state_bytes(self) -> int:
        """Bytes of the cached encoded states and decoder rows."""
        return array_bytes(*((entry.encoded, entry.decoders) for entry in list(self._entries.values())))

    def present(self, document: Document, cancel: Cancel | None = None) -> Present | None:
        """The decoder state of a document's history; None without a change that the model can see."""
        entry = self._entry(document.uri)
        request = (document.history, document.syntax.buffer)
        if entry.request is None or entry.request[0] is not request[0] or entry.request[1] is not request[1]:
            entry.request = None
            entry.present = self._present(document, entry, cancel)
            entry.request = request
        return entry.present

    def _present(self, document: Document, entry: _Entry, cancel: Cancel | None) -> Present | None:
        view = document.history
        if entry.source != view.anchor.data:
            entry.source, entry.anchor = view.anchor.data, split_lines(view.anchor.text)
            entry.base, entry.encoded = entry.anchor, None
        tracked, buffer = entry.tracker.track(view, cancel.check if cancel else None)
        if buffer.data != document.syntax.buffer.data:
            return None
        trimmed = [trim(region, entry.anchor, region_lines(buffer, region.c0, region.c1)) for region in tracked]
        merged = merge_regions(region for region in trimmed if region is not None)
        regions = sorted(merged, key=lambda region: region.turn)
        kept = self._recent(regions, entry.anchor, buffer)
        while kept:
            base, moved = rebase_regions(entry.anchor, regions, kept, buffer)
            if cancel is not None:
                cancel.check()
            encoded = self._encoded(entry, base, moved, buffer, cancel)
            hunks = [_edits(region, base, buffer, encoded.window) for region in moved]
            lost = {region.turn for region, hunk in zip(moved, hunks, strict=True) if hunk is None}
            if not lost:
                decoder = self._follow(entry, encoded, [hunk for hunk in hunks if hunk], cancel)
                ordered = tuple(sorted(moved, key=lambda region: region.c0))
                return Present(decoder, ordered, base, buffer) if decoder.edits else None
            if moved[-1].turn in lost:
                return None
            kept = [region for region in kept if region.turn not in lost]
        return None

    def _entry(self, uri: str) -> _Entry:
        return self._entries.keep(uri, self._entries.get(uri) or _Entry())

    def forget(self, uri: str) -> None:
        """Drop everything about a closed document."""
        self._entries.pop(uri, None)

    @staticmethod
    def _recent(regions: Sequence[LineRegion], anchor: Sequence[str], buffer: Buffer) -> list[LineRegion]:
        """The most recent regions that fit the model, in order of their last change; none if the last does not fit."""
        kept: list[LineRegion] = []
        room = MAX_EDITS
        for region in reversed(regions):
            new = region_lines(buffer, region.c0, region.c1)
            if any(len(line) > MAX_LINE_BYTES for line in (*anchor[region.a0 : region.a1], *new)):  # data
                if not kept:
                    break
                continue
            room -= _rough_edits(anchor[region.a0 : region.a1], new)
            if kept and (room < 0 or len(kept) == MAX_HUNKS):
                break
            kept.append(region)
        return kept[::-1]

    def _encoded(
        self, entry: _Entry, base: list[str], regions: Sequence[LineRegion], buffer: Buffer, cancel: Cancel | None
    ) -> EncodedWindow:
        """The cached window if it contains all regions of the same base text, else a new window."""
        cached = entry.encoded
        if cached is not None and (base is entry.base or base == entry.base):
            spans = [cached.window.span(region.a0, region.a1) for region in regions]
            if all(span is not None for span in spans):
                return cached
        focus: dict[str, float] = {}
        for region in regions[-_FOCUS_HUNKS:]:
            words = focus_words(base[region.a0 : region.a1], region_lines(buffer, region.c0, region.c1))
            focus |= {word: max(weight, focus.get(word, 0.0)) for word, weight in words.items()}
        touched = [(region.a0, region.a1) for region in reversed(regions)]
        window = choose_window(base, touched, focus, self._model.window_limit)
        entry.encoded, entry.base = self._model.encode(window, cancel), base
        entry.steps, entry.decoders = [], [self._model.begin(entry.encoded)]
        return entry.encoded

    def _follow(
        self, entry: _Entry, encoded: EncodedWindow, hunks: Sequence[Sequence[HunkEdit]], cancel: Cancel | None
    ) -> DecoderState:
        """The decoder state after some hunks; their common first steps are taken from the entry."""
        steps: list[Step] = []
        for hunk in hunks:
            offset = encoded.size + len(steps)
            for number, (anchor, key) in enumerate(hunk):
                steps.append((anchor if anchor >= 0 else offset + ~anchor, key, number == 0))
        steps = steps[: self._model.max_edits]
        same = 0
        while same < min(len(steps), len(entry.steps)) and steps[same] == entry.steps[same]:
            same += 1
        del entry.steps[same:], entry.decoders[same + 1 :]
        for name, key, start in steps[same:]:
            decoder = self._model.append(entry.decoders[-1], name, key, start=start, cancel=cancel)
            entry.decoders.append(decoder)
            entry.steps.append((name, key, start))
        return entry.decoders[-1]


def rebase_regions(
    anchor: list[str], regions: Sequence[LineRegion], kept: Sequence[LineRegion], buffer: Buffer
) -> tuple[list[str], list[LineRegion]]:
    """The base text (the anchor with all regions but `kept` applied), and the kept regions in its lines."""
    applied = sorted((region for region in regions if region not in kept), key=lambda region: region.a0)
    if not applied:
        return anchor, list(kept)
    base: list[str] = []
    at = 0
    for region in applied:
        base += anchor[at : region.a0]
        base += region_lines(buffer, region.c0, region.c1)
        at = region.a1
    base += anchor[at:]
    moved: list[LineRegion] = []
    for region in kept:
        shift = sum(other.shift for other in applied if other.a0 < region.a0)
        moved.append(LineRegion(region.a0 + shift, region.a1 + shift, region.c0, region.c1, region.turn))
    return base, moved


def _edits(region: LineRegion, base: Sequence[str], buffer: Buffer, window: Window) -> list[HunkEdit] | None:
    lines = region_lines(buffer, region.c0, region.c1)
    return region_edits(region, base, lines, indent_above(buffer, region.c0), window)


def _rough_edits(old: Sequence[str], new: Sequence[str]) -> int:
    """An estimate from above of the token edits of a hunk: inserted and removed tokens."""
    before = Counter(piece.key for line in old for piece in lex_line(line).pieces)
    after = Counter(piece.key for line in new for piece in lex_line(line).pieces)
    return (before - after).total() + (after - before).total() + abs(len(new) - len(old))
