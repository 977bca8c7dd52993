"""Terminals: which texts each kind takes, and how a text outside a closed list is spelled, symbol by symbol.

A spelling is a row of symbols: 1 to 128 are the ASCII characters, ESCAPE and six hexadecimal digits any other code
point, STOP ends it. `next_symbols` masks a spelling so that it can only end in a text that its kind takes.
"""

from __future__ import annotations

import keyword
import re
import string
from collections.abc import Iterable, Sequence

STOP = 0
ESCAPE = 129
SYMBOLS = 130
_HEX_DIGITS = 6
_ASCII = [chr(code) for code in range(128)]
_NAME_START = string.ascii_letters + "_"
_NAME_REST = _NAME_START + string.digits
_SPEC = "<>=^+-#0123456789.,bcdeEfgGnosxX%"  # the characters of format specifications, without braces and quotes
_FLOAT = re.compile(r"(\d+\.\d*|\d*\.\d+|\d+)(e[+-]?\d+)?|inf")
_INT = re.compile(r"\d+|x[0-9a-f]+")

# kinds whose closed lists and copies are shared
BASE = {"free_name": "name", "text": "str", "spec": "str", "some_text": "str"}


def base_kind(kind: str) -> str:
    """The kind without additional constraints: `free_name` (not `_`) is a `name`."""
    return BASE.get(kind, kind)


def is_valid_text(kind: str, text: str) -> bool:
    """Whether a terminal of this kind may be this text. Unknown kinds take any."""
    if kind == "name":
        return text.isidentifier() and not keyword.iskeyword(text)
    if kind == "free_name":
        return text != "_" and is_valid_text("name", text)
    if kind == "dotted":
        return all(is_valid_text("name", part) for part in text.split("."))
    if kind == "int":
        return _INT.fullmatch(text) is not None
    if kind in ("float", "imag"):
        return _FLOAT.fullmatch(text) is not None
    if kind in ("text", "spec", "some_text"):
        return text != ""
    if kind == "bytes":
        return all(ord(character) < 256 for character in text)
    return True


def spell(text: str) -> list[int]:
    """The symbols of a text, STOP included."""
    symbols = []
    for character in text:
        code = ord(character)
        if code < 128:
            symbols.append(code + 1)
        else:
            symbols += [ESCAPE, *(ord(digit) + 1 for digit in f"{code:06x}")]
    return [*symbols, STOP]


def unspell(symbols: Sequence[int]) -> str:
    """The text of symbols (without STOP); an unfinished escape is omitted. ValueError for a wrong escape."""
    text, at = [], 0
    while at < len(symbols):
        if symbols[at] == ESCAPE:
            digits = "".join(chr(symbol - 1) for symbol in symbols[at + 1 : at + 1 + _HEX_DIGITS])
            if len(digits) == _HEX_DIGITS:
                text.append(chr(int(digits, 16)))
            at += 1 + _HEX_DIGITS
        else:
            text.append(chr(symbols[at] - 1))
            at += 1
    return "".join(text)


def next_symbols(kind: str, symbols: Sequence[int]) -> list[int]:
    """Symbols that may follow in a generated spelling; never empty. STOP is among them when the text may end here."""
    escape = _open_escape(symbols)
    if escape is not None:
        return _codes("01" if not escape else "0" if escape == "1" else "0123456789abcdef")
    text = unspell(symbols)
    stop = [STOP] if is_valid_text(kind, text) else []
    if kind in ("name", "free_name"):
        return stop + _codes(_NAME_REST if text else _NAME_START)
    if kind == "dotted":
        part = text.rpartition(".")[2]
        dot = "." if part and is_valid_text("name", part) else ""
        return stop + _codes((_NAME_REST if part else _NAME_START) + dot)
    if kind == "int":
        return stop + _codes(string.digits)
    if kind in ("float", "imag"):
        return stop + _codes(_float_characters(text))
    if kind == "spec":
        return stop + _codes(_SPEC)
    if kind == "bytes":
        return stop + _codes(_ASCII)
    return stop + _codes(_ASCII) + [ESCAPE]


def to_close(kind: str, symbols: Sequence[int]) -> int:
    """Steps that surely end a spelling from here, STOP included."""
    escape = _open_escape(symbols)
    if escape is not None:
        return _HEX_DIGITS - len(escape) + 1
    text = unspell(symbols)
    return 1 if is_valid_text(kind, text) else 2


def closers(kind: str, symbols: Sequence[int]) -> list[int]:
    """Of the symbols that may follow, those that bring the end nearer."""
    now = to_close(kind, symbols)
    return [s for s in next_symbols(kind, symbols) if s == STOP or to_close(kind, [*symbols, s]) < now]


def _codes(characters: Iterable[str]) -> list[int]:
    return [ord(character) + 1 for character in characters]


def _open_escape(symbols: Sequence[int]) -> str | None:
    """The digits of an escape that is not finished; None outside an escape."""
    for back, symbol in enumerate(reversed(symbols[-_HEX_DIGITS:])):
        if symbol == ESCAPE:
            return "".join(chr(digit - 1) for digit in symbols[len(symbols) - back :]) if back < _HEX_DIGITS else None
    return None


def _float_characters(text: str) -> str:
    if "e" in text:
        exponent = text.partition("e")[2]
        return string.digits + ("+-" if not exponent else "")
    if text.startswith("."):
        return string.digits + ("e" if len(text) > 1 else "")
    if not text:
        return string.digits
    return string.digits + ("" if "." in text else ".") + "e"
