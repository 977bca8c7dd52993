"""Interruption of long work on a text: whoever starts the work says how to find out that nobody wants it any more.

The tree and the tokens of a snapshot are derived when somebody first asks for them, deep inside other calls; so the
check belongs to the thread and is not handed through every call.

A parser reads its text through a callback: tree-sitter holds the interpreter's lock while it parses. Each slice that it
requests, and each report of its progress, is a call into Python, where the lock can be handed over.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, wait
from contextlib import contextmanager
from typing import TypeVar

import tree_sitter

Check = Callable[[], None]  # raises when the work is to end

EVERY = 1024  # nodes between two looks
POLL_SECONDS = 0.005  # between two looks while another thread works
T = TypeVar("T")
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
# Of a statement: where these miss their other half, the parsers of C# and Java search a stack as deep again and again
# in a step that nothing can interrupt: 0.1 s for 800 of them, 4.5 s for 5,000.
MAX_UNCLOSED_ANGLES = 600
_STATEMENT_SIGNS = re.compile(rb"[;{}]")


class _Thread(threading.local):
    check: Check | None = None

    def __init__(self) -> None:
        self.slice = bytearray(SLICE)  # what the parser reads


_thread = _Thread()


@contextmanager
def interruptible(check: Check) -> Iterator[None]:
    """Work on this thread is interrupted by whatever `check` raises."""
    before, _thread.check = _thread.check, check
    try:
        yield
    finally:
        _thread.check = before


def is_interruptible() -> bool:
    """Whether the work on this thread has a check."""
    return _thread.check is not None


def run_apart(work: Callable[[], T]) -> Future[T]:
    """Start work that nothing can interrupt on a thread of its own."""
    future: Future[T] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=run, name="apart", daemon=True).start()
    return future


def await_result(future: Future[T]) -> T:
    """Return the result of work on another thread; raises what the current check raises meanwhile."""
    while not future.done():
        checkpoint()
        wait((future,), POLL_SECONDS)
    return future.result()


def checkpoint() -> None:
    """Raise what the current check raises; nothing where there is none."""
    if _thread.check is not None:
        _thread.check()


class ParseTooLong(Exception):  # noqa: N818 (what happened, in the caller's words)
    """The parser goes over the text again and again."""


def has_many_unclosed_angles(data: bytes) -> bool:
    """Whether a statement has more than MAX_UNCLOSED_ANGLES signs `<` that no `>` closes; `<<` is no such sign."""

    def unclosed(text: bytes) -> int:
        return text.count(b"<") - 2 * text.count(b"<<") - text.count(b">")

    texts = _STATEMENT_SIGNS.split(data) if unclosed(data) > MAX_UNCLOSED_ANGLES else ()
    return any(unclosed(text) > MAX_UNCLOSED_ANGLES for text in texts)


def parse(language: tree_sitter.Language, data: bytes, old: tree_sitter.Tree | None = None) -> tree_sitter.Tree:
    """The tree of `data`; `old` is the edited tree of the version before.

    Raises ParseTooLong and Cancelled.
    """
    if has_many_unclosed_angles(data):
        raise ParseTooLong(f"more than {MAX_UNCLOSED_ANGLES} times `<` in a statement")
    parser = tree_sitter.Parser(language)
    if len(data) <= WHOLE:
        return parser.parse(data) if old is None else parser.parse(data, old)
    begun = time.monotonic()
    slices_left = SLICES + SLICES_PER_SLICE * (len(data) // SLICE)
    reasons: list[BaseException] = []
    ends: list[memoryview] = []
    array, is_parsing = _thread.slice, True

    def read(byte: int, point: object) -> bytes | bytearray | memoryview:
        """A slice of the text.

        The binding never frees what it gets while it parses (tree-sitter 0.26): it gets the same array again and again,
        and the end of the text as a view, which is released. `Node.text` reads through this function too: it needs
        bytes.
        """
        nonlocal slices_left
        end = byte + SLICE
        if not is_parsing or byte >= len(data):
            return data[byte:end]
        slices_left -= 1
        if end > len(data):
            ends.append(memoryview(data)[byte:])
            return ends[-1]
        array[:] = data[byte:end]
        return array

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
    finally:
        is_parsing = False
        for view in ends:
            view.release()
