"""Parsing in slices: the parser reads the text through a callback, so that other threads run meanwhile.

tree-sitter holds the interpreter's lock while it parses. Each slice that it asks for, and each report of its progress,
is a call into Python, where the lock can be handed over.
"""

from __future__ import annotations

import time

import tree_sitter

from editahead.syntax.interrupt import checkpoint

SLICE = 4096  # bytes
WHOLE = (
    4 * SLICE
)  # bytes of a text that is handed over at once: even read anew for each of its lines it takes no second
UNINTERRUPTED_SECONDS = (
    2.0  # seconds that a parse takes before it can be interrupted: shorter ones serve the versions that follow
)
# Slices that a parse may ask for, in all and for each slice of the text. Code asks up to 15 times for each; of many
# thousands of comment lines behind a statement of Python, each has all the others read again.
SLICES, SLICES_PER_SLICE = 16_000, 64


class ParseTooLong(Exception):  # noqa: N818 (what happened, in the caller's words)
    """The parser goes over the text again and again."""


def parse(language: tree_sitter.Language, data: bytes, old: tree_sitter.Tree | None = None) -> tree_sitter.Tree:
    """The tree of `data`; `old` is the edited tree of the version before.

    Raises ParseTooLong and Cancelled.
    """
    parser = tree_sitter.Parser(language)
    if len(data) <= WHOLE:
        return parser.parse(data) if old is None else parser.parse(data, old)
    begun = time.monotonic()
    slices_left = SLICES + SLICES_PER_SLICE * (len(data) // SLICE)
    reasons: list[BaseException] = []

    def read(byte: int, point: object) -> bytes:
        nonlocal slices_left
        slices_left -= 1
        return data[byte : byte + SLICE]

    def should_halt(byte: int, has_error: bool) -> bool:
        if slices_left < 0:
            reasons.append(ParseTooLong(f"{len(data)} bytes"))
        elif time.monotonic() - begun > UNINTERRUPTED_SECONDS:
            try:
                checkpoint()
            except BaseException as error:  # raised again below: the parser must return first
                reasons.append(error)
        return bool(reasons)

    try:
        if old is None:
            return parser.parse(read, progress_callback=should_halt)
        return parser.parse(read, old, progress_callback=should_halt)
    except ValueError:
        if reasons:
            raise reasons[0] from None
        raise
