"""Whether ghost text fits with what stands around it: brackets, the rest of the line, the lines below, syntax."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from editahead.suggest.completion.ranking.slots import is_in_tag
from editahead.suggest.context import CursorContext
from editahead.suggest.gate import parses_no_worse
from editahead.suggest.taken_names import indentation, texts_of
from editahead.suggest.types import Document, GateReading
from editahead.syntax.tokens import Line, Token, TokenKind
from editahead.text.edits import ByteEdit

PAIRS = {"(": ")", "[": "]", "{": "}"}
_QUOTES = "\"'`"
OPENING, CLOSING = frozenset(PAIRS), frozenset(PAIRS.values())
_ENDINGS = CLOSING | frozenset(":;,")  # what an editor puts behind the cursor by itself, or a line ends with

_GO_BLOCKS = frozenset(("if", "for", "switch", "select", "func", "type", "}"))
_ELEMENT_LANGUAGES = frozenset(("tsx", "javascript"))
ENDINGS = frozenset(":;{}")  # of statements: within brackets that are closed behind the cursor few of them can stand

_Tails = tuple[tuple[str, str], ...]
_SCRIPT: _Tails = (
    *(("", ""), ("_", ""), ("", ";"), ("_", ";"), (" _", ";"), ("_", ","), ("", ","), ("", ": _,"), ("()", ";")),
    *(("", "{}"), ("", " else {}"), (" {}", ""), ("() {}", ""), ("_() {}", ""), (": _", ""), ("_: _", "")),
    *((" => _", ""), ("", " => {}"), ("", " from '_'"), (" _", " from '_'"), (" = _", ";"), (" _ of _", "{}")),
    *(("_>", ";"), ("_>", ",")),
)
_C: _Tails = (
    *(("", ""), ("_", ""), ("", ";"), ("_", ";"), (" _", ";"), ("_", ","), ("", ","), (" _", ","), ("", "{}")),
    *(("_", "{}"), ("", " else {}"), (" {}", ""), ("() {}", ""), (" _() {}", ""), ("_>", ";"), ("_> _", ";")),
    *(("_> _", ","), (" _;", ""), ("; ;", "{}"), ("::_", ";")),
)
# Ways to go on from a text so that it is whole, the frequent ones first: before and behind its closing brackets.
_TAILS: dict[str, _Tails] = {
    "python": (
        *(("", ""), ("_", ""), ("", ":"), ("_", ":"), (" else _", ""), (" in _", ""), (" in _", ":")),
        *((" import _", ""), ("_ import _", ""), (": _", ""), ("_: _", ""), ("()", ":"), ("(): _", "")),
        *(("", "\ndef _(): _"), ("_", "\ndef _(): _")),
    ),
    "java": (
        *(("", ""), ("_", ""), ("", ";"), ("_", ";"), (" _", ";"), ("()", ";"), ("", "{}"), ("", " else {}")),
        *(("", " {}"), ("() {}", ""), ("_() {}", ""), (" _() {}", ""), (" _;", ""), ("; ;", "{}")),
    ),
    "go": (
        *(("", ""), ("_", ""), ("", "{}"), ("_", "{}"), (" _", ""), ("_", ","), ("", ","), ("", ": _,")),
        *((" := _", ""), ("", " := _"), (" = _", ""), (" _", ","), (" {}", ""), ("", "()"), (" _", " {}")),
        *(("_ := _", ""), (" := range _", "{}"), ("", " struct {}"), ("", "_{},"), ("", " _,")),
    ),
    "rust": (
        *(("", ""), ("_", ""), ("", ";"), ("_", ";"), (" _", ";"), ("_", ","), ("", ","), ("", "{}"), ("_", "{}")),
        *((" {}", ""), (" _", " {}"), (": _", ","), (" => _", ","), ("", " => _,"), ("()", ";"), ("() {}", "")),
        *((" x() {}", ""), ("_>", ","), ("_>", ";"), ("", " fn x() {}"), (" = _", ";"), (" = _", " {}")),
    ),
    **dict.fromkeys(("typescript", "tsx", "javascript"), _SCRIPT),
    **dict.fromkeys(("c", "cpp", "c_sharp"), _C),
}
_PLAIN = (("", ""), ("_", ""), ("", ";"))  # for other languages


@dataclass(frozen=True, slots=True)
class RestOfLine:
    """What stands behind the cursor on its line: its tokens, and whether a comment follows them."""

    tokens: tuple[str, ...] = ()
    comment: bool = False

    @property
    def is_closing(self) -> bool:
        """Whether only closing tokens follow: text of any length fits before them."""
        return all(token in _ENDINGS for token in self.tokens)


def rest_of(document: Document, cursor: CursorContext) -> RestOfLine:
    """The rest of the cursor's line. Text without tokens (a lone quote) counts as a token."""
    if not cursor.after.strip():
        return RestOfLine()
    buffer = document.syntax.buffer
    column = cursor.end - buffer.line_span(cursor.line)[0]
    behind = [token for token in document.syntax.line_tokens(cursor.line) if token.start >= column]
    comment = any(token.kind is TokenKind.COMMENT for token in behind)
    tokens = tuple(token.text for token in behind if token.kind is not TokenKind.COMMENT and token.text.strip())
    return RestOfLine(tokens if tokens or comment else (cursor.after.strip(),), comment)


def first_code(lines: Iterable[Line]) -> Line:
    """The first of some lines that holds code; () where none does."""
    return next((line for line in lines if texts_of(line)), ())


def is_repetition_of(line: Line, other: Line, *, whole: bool) -> bool:
    """Whether a line repeats another line, or its beginning (`whole` False). Brackets and numbers do not count."""
    texts, expected = _statement(texts_of(line)), _statement(texts_of(other))
    if not any(text.isidentifier() or text[-1] in _QUOTES for text in texts):
        return False
    return texts == expected if whole else texts == expected[: len(texts)]


def is_repetition(line: Line, rest: tuple[str, ...], below: Line, *, is_apart: bool) -> bool:
    """Whether a line and what stands behind the cursor are the statement below.

    Where that `is_apart` (blank lines or comments stand between) and goes on behind its line, another may begin alike.
    """
    is_open = any(closer in ")]" for closer in missing_closers(texts_of(below)))
    return not (is_open and is_apart) and is_repetition_of(
        (*line, *(Token(TokenKind.OPERATOR, text, 0, 0) for text in rest)), below, whole=True
    )


def is_written_below(document: Document, cursor: CursorContext, insert: str) -> bool:
    """Whether the last line with a text inserted is the next line, letter by letter.

    Code that does not parse lacks some of its tokens.
    """
    buffer, (above, _, last) = document.syntax.buffer, insert.rpartition("\n")
    line = last if above else f"{cursor.before}{cursor.prefix}{insert}"
    below = buffer.line_text(cursor.line + 1) if cursor.line + 1 < buffer.line_count else ""
    has_words = any(sign.isalpha() for sign in below)
    return bool(insert) and has_words and _letters(f"{line}{cursor.after}") == _letters(below)


def _letters(line: str) -> tuple[int, str]:
    """The indentation of a line, and its text without spaces and the semicolon at its end."""
    return len(line) - len(line.lstrip()), "".join(line.split()).rstrip(";")


def is_closed_below(cursor: CursorContext, insert: str) -> bool:
    """Whether the last line with a text inserted closes brackets alone, as the next line of code does."""
    line = insert.rpartition("\n")[2] if "\n" in insert else f"{cursor.before}{cursor.prefix}{insert}"
    texts = texts_of(below := first_code(cursor.below))
    depth = len(line.expandtabs(8)) - len(line.expandtabs(8).lstrip())
    is_closing = bool(texts) and _ENDINGS.issuperset(texts) and depth <= indentation(below)
    return is_closing and "".join(texts) == "".join(line.split())


def space_between(lines: Sequence[Line], text: str, language_id: str) -> bool | None:
    """Whether a space stands before a token, where that depends on more than the token before it; None elsewhere.

    Elements of JSX hold no spaces around `=`, behind `<`, `</` and an opening brace; in Go a brace behind a name begins
    a block with a space and a value without.
    """
    line = [token for token in lines[-1] if token.text and token.kind is not TokenKind.NEWLINE]
    if not line:
        return None
    last, is_joined = line[-1], len(line) > 1 and line[-2].end == line[-1].start
    if language_id == "go":
        is_value = text == "{" and (last.kind is TokenKind.NAME or last.text == "]")
        return _is_block_of_go([token.text for token in line]) if is_value else None
    if language_id not in _ELEMENT_LANGUAGES:
        return None
    if last.text == "</" or (last.text == "{" and is_joined and line[-2].text in (">", "=")):
        return False
    return False if "=" in (text, last.text) and is_in_tag(lines) else None


def _is_block_of_go(texts: Sequence[str]) -> bool:
    """Whether a brace behind a name or a type begins a block: that of a statement, or of a function without a name."""
    begins = max((at for at, text in enumerate(texts) if text == "func"), default=-1)
    opened = sum((text in ("(", "[")) - (text in (")", "]")) for text in texts)
    return (begins >= 0 and "{" not in texts[begins:]) or (texts[0] in _GO_BLOCKS and not opened)


def is_deeper(line: Line, other: Line) -> bool:
    """Whether a line is indented further than another line."""
    return indentation(line) > indentation(other)


def _statement(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The texts of a line without the semicolon at its end."""
    return texts[:-1] if texts[-1:] == (";",) else texts


def missing_closers(texts: Iterable[str]) -> str:
    """What closes the brackets that some tokens open, innermost first."""
    stack: list[str] = []
    for text in texts:
        if text in PAIRS:
            stack.append(PAIRS[text])
        elif stack and text == stack[-1]:
            stack.pop()
    return "".join(reversed(stack))


def insertion(byte: int, text: str) -> ByteEdit:
    """The edit that inserts a text."""
    return ByteEdit(byte, byte, text.encode())


def parse_gate(document: Document, byte: int, insert: str, closers: str) -> GateReading:
    """Syntax errors with the suggestion against those without it.

    A line that goes on is given the chance to: the suggestion passes when some way of going on makes the file no worse.
    """
    before = after = document.syntax.error_count()
    in_word = insert[-1:].isalnum() or insert.endswith("_")
    for count, (inner, outer) in enumerate(_TAILS.get(document.language_id, _PLAIN)):
        gap = " " if in_word and inner.startswith("_") else ""
        errors = document.syntax.errors_with([insertion(byte, f"{insert}{gap}{inner}{closers}{outer}")])
        after = errors if count == 0 else min(after, errors)
        if after <= before:
            break
    return parses_no_worse(before, after)
