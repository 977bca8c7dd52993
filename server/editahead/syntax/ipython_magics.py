"""Lines of IPython that are no Python: magics, shell commands and requests for help in the cells of a notebook.

They are masked by as many bytes, so every offset of the code stays the same. A line becomes a comment, and `...` where
the code needs an expression: as an assigned value, or as the only line of a block.
"""

from __future__ import annotations

import re

from editahead.syntax.embedded import blank_out

_CELL_MAGIC = re.compile(rb"\s*%%(\S*)")
_PYTHON_CELL_MAGICS = frozenset(b"capture debug heat lprun memit mprun prun px scalene snakeviz time timeit".split())
"""Cell magics that run what follows them as Python, with the names of the other cells."""
_MAGIC = re.compile(
    rb"^(?P<indent>[ \t]*)"
    rb"(?:%{1,2}[A-Za-z_][^\r\n]*|!(?!=)[^\r\n]*|\?[^\r\n]*|[%\w.*\x80-\xff]{1,200}\?[ \t?]*(?=\r?$))"
    rb"|^(?P<target>[\w., \t\[\]\x80-\xff]{1,200}=[ \t]*)(?:!(?!=)|%[A-Za-z_])[^\r\n]*",
    re.MULTILINE,
)  # without a space behind `%`, as a continued line may begin with the operator


def is_foreign_cell(cell: bytes) -> bool:
    """Whether a cell begins with a cell magic of another language or another process, such as `%%bash`."""
    magic = _CELL_MAGIC.match(cell)
    return magic is not None and magic[1] not in _PYTHON_CELL_MAGICS


def mask_cell(cell: bytes) -> bytes:
    """Mask what is no Python in a cell: all of it in a foreign cell. Linear in the cell."""
    return blank_out(cell) if is_foreign_cell(cell) else mask_lines(cell)


def mask_lines(lines: bytes) -> bytes:
    """Mask the magics in whole lines. Linear in the text."""
    return _MAGIC.sub(_masked, lines)


def _masked(magic: re.Match[bytes]) -> bytes:
    code = magic["indent"] or magic["target"] or b""
    size = len(magic[0]) - len(code)
    return code + (b"..." if code and size >= 3 else b"#").ljust(size)
