"""Anonymisation of sessions: every word is replaced consistently, and its shape is kept.

Letters become letters, digits digits, case and length stay, and so do keywords and built-in names of the language, what
marks the kind of a number or a string (`0x`, `1e`, `f"`), punctuation and blanks.
Words with equal prefixes keep equal prefixes, so that a name typed letter by letter is still a single name
(Xu et al., Prefix-Preserving IP Address Anonymization, 2002, section 3: each letter is mapped under all before it).
The key is drawn anew for each session and kept nowhere. This hides names, texts and numbers; it does not hide how long
words are, nor how the code is laid out.
"""

from __future__ import annotations

import builtins
import hashlib
import keyword
import re
import secrets
import string
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from editahead.recording.session_file import Close, Event, Open, RecordedChange
from editahead.syntax.language import by_id
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit, minimal_diff
from editahead.text.line_ends import split_lines
from editahead.text.positions import PositionEncoding, position_at

_WORD = re.compile(r"\w+")
_WORD_AND_SIGN = re.compile(r"\w*[\"'#]?")
_HEXADECIMAL = re.compile(r"(0[xX])([0-9a-fA-F_]+)([uUlL]{0,3})")
_DIGITS = re.compile(
    r"(0[bB](?=[01])|0[oO](?=[0-7])|)([0-9_]+)(?:([eE])([0-9]*)|([jJlLfFdDnmuU]{1,3}|[iuf](?:8|16|32|64|128|size)))?"
)
_PREFIXES = frozenset("r b f u l c br rb fr rf ur lr cr u8 u8r".split())  # before a quote
_RAW = frozenset({"r", "br", "cr"})  # before `#`
_CONTEXT = 200  # letters of a word before the replaced letter: equal prefixes stay equal
_OTHER = re.compile(r"[^\x00-\x7f]")
_ELSEWHERE = """
abstract any as async await bigint boolean break byte case catch char class const constructor continue
debugger declare default do double else enum export extends final finally float for from function get goto if
implements import in infer instanceof int interface is keyof let long module nameof namespace native never new
null number object of package partial private protected public readonly record require return satisfies sealed
set short static strictfp string super switch symbol synchronized this throw throws transient true try type
typeof undefined unique unknown using var void volatile when where while yield Boolean Double Exception
Integer List Long Map Object Override Set String System
""".split()
_ALWAYS = frozenset({"self", "cls", "0", "1", "_"})
KEPT_WORDS = frozenset({*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *_ELSEWHERE, *_ALWAYS})
"""What stays in a language without a table of names."""


@lru_cache(maxsize=64)
def kept_words(language_id: str) -> frozenset[str]:
    """The words of a language, which say nothing about the code: its keywords, built-in names and types."""
    language = by_id(language_id)
    table = language.scopes if language is not None else None
    if table is None:
        return KEPT_WORDS
    return table.keywords | table.builtins | frozenset(_ELSEWHERE) | _ALWAYS


class Anonymiser:
    """An injective mapping of words to words of the same shape."""

    def __init__(self, key: bytes | None = None) -> None:
        key = secrets.token_bytes(32) if key is None else key

        @lru_cache(maxsize=100_000)
        def substitute(before: str, alphabet: str) -> str:
            """The alphabet in an order that depends on the letters before."""
            ranks = {
                letter: hashlib.blake2b(f"{before}\0{letter}".encode(), key=key, digest_size=8).digest()
                for letter in alphabet
            }
            return "".join(sorted(alphabet, key=ranks.__getitem__))

        self._substitute = substitute

    def text(self, text: str, kept: frozenset[str] = KEPT_WORDS) -> str:
        """Replace every word of a text that is not in `kept`; UTF-16 lengths are kept."""

        def replace_match(match: re.Match[str]) -> str:
            word, sign = match.group(), text[match.end() : match.end() + 1]
            if (sign in ("'", '"') and word.lower() in _PREFIXES) or (sign == "#" and word in _RAW):
                return word
            number = self._number(word) if word[0] in string.digits and word not in kept else None
            return self.word(word, kept) if number is None else number

        return _OTHER.sub(_plain, _WORD.sub(replace_match, text))

    def word(self, word: str, kept: frozenset[str] = KEPT_WORDS) -> str:
        """Replace a word, unless it is kept."""
        if word in kept:
            return word
        out = []
        for at, char in enumerate(word):
            lower = char.lower()
            before = word[max(0, at - _CONTEXT) : at].lower()
            if char == "_":
                out.append(char)
            elif char in string.digits:
                out.append(self._mapped(before, char, string.digits))
            elif lower in string.ascii_lowercase:
                new = self._mapped(before, lower, string.ascii_lowercase)
                out.append(new.upper() if char.isupper() else new)
            else:  # a letter of another alphabet: any of ours, as many as it has units
                order = self._substitute(before + char, string.ascii_lowercase)
                out.append(order[: len(char.encode("utf-16-le", "surrogatepass")) // 2])
        return "".join(out)

    def _number(self, word: str) -> str | None:
        """Replace only the digits of a number, not the marks of its base and type. None for any other word."""
        if match := _HEXADECIMAL.fullmatch(word):
            return f"{match[1]}{self._digits(match[2], string.digits)}{match[3]}"
        if match := _DIGITS.fullmatch(word):
            base, digits, *rest = match.groups("")
            alphabet = {"b": "01", "o": string.octdigits}.get(base[1:].lower(), string.digits)
            return f"{base}{self._digits(digits, alphabet, leading=not base)}{''.join(rest)}"
        return None

    def _digits(self, digits: str, alphabet: str, *, leading: bool = False) -> str:
        """Replace digits of an alphabet, and hexadecimal letters; a `leading` zero stays the only leading zero."""
        out = []
        for at, char in enumerate(digits):
            before = digits[max(0, at - _CONTEXT) : at].lower()
            first = leading and at == 0
            if char == "_" or (first and char == "0"):
                out.append(char)
            elif char in alphabet:
                out.append(self._mapped(before, char, alphabet.lstrip("0") if first else alphabet))
            else:
                new = self._mapped(before, char.lower(), "abcdef")
                out.append(new.upper() if char.isupper() else new)
        return "".join(out)

    def _mapped(self, before: str, char: str, alphabet: str) -> str:
        return self._substitute(before, alphabet)[alphabet.index(char)]


def hidden_change(
    anonymiser: Anonymiser, buffer: Buffer, edit: ByteEdit, kept: frozenset[str] = KEPT_WORDS
) -> dict[str, Any] | None:
    """Anonymise an edit: return it as an LSP change of the anonymised text in UTF-16 units; None for no change.

    Lengths in these units are kept, so both texts have the same positions. Only the words that the edit touches are
    read, so that the cost of a keystroke is bounded by its line.
    """
    data = buffer.data
    low = buffer.line_span(buffer.line_at(edit.start))[0]
    high = max(edit.old_end, buffer.line_span(buffer.line_at(edit.old_end))[1])
    before = data[low : edit.start].decode("utf-8", "replace")
    behind = _WORD_AND_SIGN.match(data[edit.old_end : high].decode("utf-8", "replace"))
    begin = len(before)  # a search for `\w+$` would try each position of each word
    while begin and (before[begin - 1].isalnum() or before[begin - 1] == "_"):
        begin -= 1
    head, tail = before[begin:].encode(), behind.group().encode() if behind else b""
    first = edit.start - len(head)
    old = anonymiser.text(data[first : edit.old_end + len(tail)].decode("utf-8", "replace"), kept)
    new = anonymiser.text((head + edit.new + tail).decode("utf-8", "replace"), kept)
    if old == new:
        return None
    same = _same_ends(old, new)
    start = position_at(buffer, first, PositionEncoding.UTF16)
    ends = [_behind(start, old[:at]) for at in (same[0], len(old) - same[1])]
    low_end, high_end = ({"line": line, "character": character} for line, character in ends)
    return {"range": {"start": low_end, "end": high_end}, "text": new[same[0] : len(new) - same[1]]}


def _same_ends(old: str, new: str) -> tuple[int, int]:
    """Return the lengths of the common prefix and suffix of two texts, in characters; no line end is split."""
    most = min(len(old), len(new))
    first = next((at for at in range(most) if old[at] != new[at]), most)
    first -= old[:first].endswith("\r")
    last = next((at for at in range(most - first) if old[-1 - at] != new[-1 - at]), most - first)
    last -= last > 0 and old[len(old) - last] == "\n"
    return first, last


def _behind(position: tuple[int, int], text: str) -> tuple[int, int]:
    """Return the line and character behind an anonymised text that begins at a position."""
    *above, last = split_lines(text)
    return position[0] + len(above), len(last) + (0 if above else position[1])


def _plain(match: re.Match[str]) -> str:
    """Return the replacement of a character that is neither ASCII nor part of a word."""
    return "?" * (len(match.group().encode("utf-16-le", "surrogatepass")) // 2)


def anonymise_events(events: Iterable[Event], anonymiser: Anonymiser | None = None) -> Iterator[Event]:
    """Anonymise the events of a session; paths keep only the kind of file."""
    anonymiser = anonymiser or Anonymiser()
    texts: dict[int, bytes] = {}
    kept: dict[int, frozenset[str]] = {}
    seen: dict[int, bytes] = {}
    paths: dict[str, str] = {}
    for event in events:
        number = event.document
        if isinstance(event, Open):
            suffix = PurePosixPath(event.path).suffix
            path = paths.setdefault(event.path, f"file{len(paths) + 1}{suffix}")
            texts[number] = event.text
            kept[number] = kept_words(event.language_id)
            seen[number] = _hidden(anonymiser, event.text, kept[number])
            yield Open(number, path, event.language_id, seen[number], event.time)
        elif isinstance(event, RecordedChange):
            for edit in event.edits:
                texts[number] = edit.apply(texts[number])
            after = _hidden(anonymiser, texts[number], kept[number])
            edits = tuple(minimal_diff(seen[number], after))  # last first: each holds in the text before it
            seen[number] = after
            yield RecordedChange(number, edits, event.time)
        else:
            yield Close(number, event.time)


def _hidden(anonymiser: Anonymiser, data: bytes, kept: frozenset[str]) -> bytes:
    return anonymiser.text(data.decode("utf-8", "replace"), kept).encode("utf-8")
