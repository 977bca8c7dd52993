"""What a label, a declaration or an import beside a line has taken: a second `case OPEN:` or `fn new` is an error.

What stands beside a line has its indentation and is part of its block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise, takewhile

from editahead.suggest.completion.ranking.slots import open_bracket
from editahead.syntax.tokens import Line, TokenKind

_LINES = 300  # above and below the line
_NAMING = {  # keywords that declare what may be declared once
    "python": frozenset(("def", "class")),
    "java": frozenset(("class", "interface", "enum")),
    "go": frozenset(("func", "type", "const", "var")),
    "rust": frozenset(("fn", "struct", "enum", "trait", "mod", "type")),
    "c_sharp": frozenset(("class", "interface", "enum", "struct")),
    **dict.fromkeys(("typescript", "tsx", "javascript"), frozenset("function class enum const let".split())),
}
_SCRIPTS = frozenset(("typescript", "tsx", "javascript"))
_PATTERNS = frozenset(("const", "let"))  # behind which several names may be bound in brackets
_ARMS = frozenset(("rust", "c_sharp"))  # whose patterns stand before `=>`
_LABELS = frozenset(("case", "default"))
_LABEL_ENDS = frozenset((":", "->", "=>"))
_HEADS = frozenset(("switch", "match", "select"))  # of a list of labels
_IMPORTS = frozenset(("import", "from", "use", "using"))
_MODIFIERS = 5  # words before the keyword of a declaration

Key = tuple[str, ...]
"""A label, an import, or a declaration: its keyword, for methods of Go the receiver's type, and its name."""


def key_of(texts: Sequence[str], language_id: str) -> Key | None:
    """What a line takes as far as it is written; None for a line that takes nothing."""
    if not texts:
        return None
    if (label := _label_of(texts, language_id)) is not None:
        return label
    if texts[0] in _IMPORTS:
        return tuple(text for text in texts if text != ";")
    naming = _NAMING.get(language_id, frozenset())
    at = next((at for at, text in enumerate(texts[:_MODIFIERS]) if text in naming), None)
    if at is None or not all(text.isidentifier() for text in texts[:at]):
        return None
    if language_id == "go" and "(" in texts[at + 1 : at + 2]:
        close = texts.index(")") if ")" in texts else len(texts)
        name = texts[close + 1 : close + 2]
        return (texts[at], *texts[close - 1 : close], *name) if name else None
    name = texts[at + 1 : at + 2]
    if texts[at] in _PATTERNS and name and name[0] == "[":
        is_open = texts[-1].isidentifier() and texts[-2] in ("[", ",") and "]" not in texts
        return ("const", texts[-1]) if is_open else None
    keyword = "const" if texts[at] in _PATTERNS and language_id != "go" else texts[at]
    return (keyword, *name) if name and name[0].isidentifier() else None


def taken_keys(above: Sequence[Line], line: Line, below: Sequence[Line], language_id: str) -> frozenset[Key]:
    """What the lines beside a line take; nothing where a decorator stands above it (`@overload`, `@name.setter`)."""
    if above and texts_of(above[-1])[:1] == ("@",):
        return frozenset()
    indent, keys = indentation(line), set[Key]()
    for lines, numbers, is_end in (
        (above, range(len(above) - 1, max(-1, len(above) - _LINES), -1), _is_list_start),
        (below, range(min(len(below), _LINES)), _is_list_end),
    ):
        is_in_list = True
        for number in numbers:
            depth = indentation(lines[number])
            texts = texts_of(lines[number]) if depth <= indent else ()
            if not texts:
                continue
            if depth < indent:
                break
            is_in_list = is_in_list and not is_end(texts)
            is_label, is_import = _label_of(texts, language_id) is not None, texts[0] in _IMPORTS
            is_decorated = number > 0 and texts_of(lines[number - 1])[:1] == ("@",)
            is_counted = is_in_list if is_label else is_import or not (is_decorated or _is_part(texts))
            if language_id in _SCRIPTS and _PATTERNS.intersection(texts[:2]):
                keys.update(("const", name) for name in _bound_names(texts))
            if is_counted and (key := key_of(texts, language_id)) is not None:
                keys.add(key)
    return frozenset(keys)


def can_take(texts: Sequence[str], above: Sequence[Line], language_id: str) -> bool:
    """Whether a line that begins with some tokens may take something."""
    if key_of([*texts, "_"], language_id) is not None:
        return True
    return language_id in _ARMS and not _HEADS.isdisjoint(token.text for token in open_bracket(above)[1])


def texts_of(line: Line) -> tuple[str, ...]:
    """The texts of a line's tokens, without comments and indentation."""
    return tuple(t.text for t in line if t.text and t.kind not in (TokenKind.COMMENT, TokenKind.NEWLINE))


def taken_names(keys: Iterable[Key], before: Sequence[str], language_id: str) -> frozenset[str]:
    """The names with which the tokens `before` of a line would take any of `keys` again."""
    begun = key_of([*before, "_"], language_id) or (*before, "_")
    if begun[-1] != "_" or begun[0] in _IMPORTS:
        return frozenset()
    return frozenset(key[-1] for key in keys if key[:-1] == begun[:-1] and key[0] not in _IMPORTS)


def _label_of(texts: Sequence[str], language_id: str) -> Key | None:
    if texts[0] in _LABELS:
        label = tuple(takewhile(lambda text: text not in _LABEL_ENDS, texts))
        return label if len(label) > 1 or texts[0] == "default" else None
    if language_id not in _ARMS or "=>" not in texts:
        return None
    pattern = tuple(texts[: texts.index("=>")])
    return pattern if pattern and pattern.count("(") == pattern.count(")") else None


def _bound_names(texts: Sequence[str]) -> list[str]:
    """The names that a pattern in brackets binds before the `=` of its line: `const [a, b] = f();`."""
    end = texts.index("=") if "=" in texts else len(texts)
    before = texts[:end]
    return [name for name, behind in pairwise((*before, "")) if name.isidentifier() and behind in (",", "]", "}")]


def _is_part(texts: Sequence[str]) -> bool:
    """Whether a declaration is a mere signature, or a part of what has several."""
    return "partial" in texts or "<" in texts or (texts[-1] == ";" and "=" not in texts)


def _is_list_start(texts: Sequence[str]) -> bool:
    return texts[-1] in ("{", ":") and not _HEADS.isdisjoint(texts)


def _is_list_end(texts: Sequence[str]) -> bool:
    return texts[0] == "}"


def indentation(line: Line) -> int:
    """The columns before a line's first token."""
    is_indented = bool(line) and line[0].kind is TokenKind.NEWLINE
    return len(line[0].text.expandtabs(8)) if is_indented else 0
