"""Random texts and edits, rich in what breaks buffers: astral characters, line ends and their look-alikes."""

from __future__ import annotations

from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from hypothesis import strategies as st

ALPHABET = [
    "a",
    "b",
    "_",
    " ",
    "\t",
    "(",
    "\n",
    "\n",
    "\r",
    "\r\n",
    "\x0b",
    "\x0c",
    "\x1c",
    "\x85",
    "é",
    "ß",
    "\u2028",
]
ALPHABET += ["\u2029", "漢", "\u0301", "😀", "𝒳", "\ufeff"]

pieces = st.sampled_from(ALPHABET)
texts = st.lists(pieces, max_size=40).map("".join)
short_texts = st.lists(pieces, max_size=6).map("".join)
data = texts.map(lambda text: text.encode("utf-8"))
buffers = texts.map(Buffer.from_text)


def borders(data: bytes) -> list[int]:
    """Every offset at which a character of UTF-8 starts, and the end."""
    return [at for at in range(len(data)) if data[at] & 0xC0 != 0x80] + [len(data)]


@st.composite
def edits_of(draw: st.DrawFn, data: bytes) -> ByteEdit:
    """An edit of `data` on character borders."""
    places = borders(data)
    a, b = draw(st.integers(0, len(places) - 1)), draw(st.integers(0, len(places) - 1))
    return ByteEdit(places[min(a, b)], places[max(a, b)], draw(short_texts).encode("utf-8"))


@st.composite
def data_and_edit(draw: st.DrawFn) -> tuple[bytes, ByteEdit]:
    """A text and an edit of it."""
    before = draw(data)
    return before, draw(edits_of(before))
