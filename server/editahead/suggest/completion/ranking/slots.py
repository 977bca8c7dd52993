"""What kind of text the grammar expects at the cursor, read from the tokens before it and the words of the language."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import dropwhile, pairwise, takewhile
from typing import NamedTuple

from editahead.suggest.completion.ranking.slot_words import SlotWords, slot_words
from editahead.syntax.tokens import Line, Token, TokenKind, text_tokens
from editahead.text.words import is_name

DOTS = (".", "->")
"""Between an object and its member; the arrow before a type of other languages stands behind no object."""
_LINES_BACK = 20  # of an open bracket
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_DECLARES = frozenset({"class", "interface", "enum", "record", "struct", "impl", "trait"})
_BEFORE_A_TYPE = frozenset({"new", "extends", "implements", "throws", "instanceof", "except", "raise", "->"})
_PRIMITIVES = frozenset(
    "int long double float boolean char byte short void var auto bool unsigned signed string object decimal dynamic "
    "sbyte ushort uint ulong".split()
)
_POINTERS = frozenset({"*", "&", "&&"})
_OF_TYPES = _PRIMITIVES.union("const static struct class enum union volatile inline extern typename :: < >".split())
_BEFORE_ARROWS = frozenset({"=", ":", "(", ",", "=>", "return", "?", "async"})  # of a function without a name
_ASSIGNS = frozenset({"=", ":=", "+=", "-=", "*=", "/=", "|=", "&=", "%="})
_BEFORE_VALUES = _ASSIGNS | frozenset("+ - / % == != < > <= >= && || ! and or not return await ( [".split())
_TAG_LINES = 20
_ELEMENT_LANGUAGES = frozenset(("tsx", "javascript"))
_GENERICS = frozenset(("java", "typescript", "tsx", "c_sharp", "rust"))
_NOT_ALWAYS_TYPES = dict.fromkeys(("typescript", "tsx", "javascript"), ("new", "extends", "instanceof"))


class SlotKind(Enum):
    """Kinds of places where a name may stand."""

    STATEMENT = "statement"  # first on a line
    MODULE = "module"  # of an import
    IMPORTED = "imported"  # what `from x import` takes
    MEMBER = "member"  # behind a dot
    BINDING = "binding"  # a new name: behind def, class, for, as
    PARAMETER = "parameter"  # in the head of a function
    TYPE = "type"  # an annotation, a base class, behind new
    ARGUMENT = "argument"  # of a call
    VALUE = "value"  # behind an assignment
    EXPRESSION = "expression"


_STATEMENTS = frozenset(("if", "for", "switch", "case", "return", "while", "match"))
_CLAUSES = frozenset(("else", "try", "finally", "except", "lambda"))
_ANNOTATED = frozenset({SlotKind.EXPRESSION, SlotKind.STATEMENT})


class Slot(NamedTuple):
    """The syntactic kind of the cursor's position.

    `receiver`: the names before the last dot, outermost first; `callee`: those of the call.

    `targets`: names that the cursor's statement assigns; `dots`: those before the module of a relative import. All are
    empty where the text has another form. `begins_statement`: nothing stands before the receiver,
    or before the module but `import`. `loops`: the targets are those of a `for`.
    `label`: only a constant or a type can stand there. `key`: an entry of a literal begins, perhaps with a key; of a
    member, certainly. `binds`: a new name may begin there as well. `path`: the member stands behind `::`. `is_type`:
    nothing but a type can stand there, if the name `generic` before the `<` is none of a variable. `is_value`: a value
    begins there, and no new name. `is_element`: the name of an element of JSX begins.
    """

    kind: SlotKind
    receiver: tuple[str, ...] = ()
    callee: tuple[str, ...] = ()
    targets: frozenset[str] = frozenset()
    dots: int = 0
    begins_statement: bool = False
    loops: bool = False
    label: bool = False
    key: bool = False
    binds: bool = False
    path: bool = False
    is_type: bool = False
    generic: str = ""
    is_value: bool = False
    is_element: bool = False


def slot_at(lines: Sequence[Line], language_id: str) -> Slot:
    """The slot behind the last token of the last line."""
    words = slot_words(language_id)
    slot = _slot_at(lines, words)
    line = text_tokens(lines[-1])
    texts = [token.text for token in line]
    if (generic := _generic(line, language_id)) or _is_type(slot, texts, language_id):
        slot = slot._replace(is_type=True, generic=generic)
    if language_id in _ELEMENT_LANGUAGES and texts[-1:] == ["<"] and not generic and not _is_compared(line[:-1]):
        return slot._replace(is_element=True)
    behind_sign = slot.kind is SlotKind.EXPRESSION and not slot.binds and texts[-1:] and texts[-1] in _BEFORE_VALUES
    begins_argument = slot.kind is SlotKind.ARGUMENT and texts[-1:] == ["("]
    if (slot.kind is SlotKind.VALUE or behind_sign or begins_argument) and texts[0] != "#":  # no attribute of Rust
        slot = slot._replace(is_value=True)
    if language_id == "java" and texts[-1:] == ["case"]:
        return slot._replace(label=True)
    if words.keys and slot.kind is SlotKind.EXPRESSION and texts[-1:] in ([], ["{"], [","]):
        return slot._replace(key=open_bracket(lines)[0] == "{")
    first = next(iter(texts), "")
    return slot._replace(loops=True) if slot.targets and first == "for" else slot


def _is_type(slot: Slot, texts: Sequence[str], language_id: str) -> bool:
    """Whether a slot behind some tokens holds a type: an annotation, what is created, extended or tested for."""
    last = texts[-1] if texts else ""
    if language_id == "python":
        is_annotated = len(texts) == 2 and last == ":" and is_name(texts[0]) and texts[0] not in _CLAUSES
        return (slot.kind is SlotKind.TYPE and last in (":", "->")) or (is_annotated and slot.kind in _ANNOTATED)
    if last == ":" and not any(is_name(text) or text in (")", "]", "?") for text in texts[-2:-1]):
        return False  # of a choice
    is_statement = bool(texts) and texts[0] in _STATEMENTS
    return slot.kind is SlotKind.TYPE and not is_statement and last not in _NOT_ALWAYS_TYPES.get(language_id, ())


def is_in_tag(lines: Sequence[Line]) -> bool:
    """Whether an attribute of an element of JSX may stand behind some lines."""
    depth = 0
    for line in reversed(lines[-_TAG_LINES:]):
        behind: Token | None = None
        for token in reversed(line):
            depth += (token.text == "}") - (token.text == "{")
            if depth < 0 or (depth == 0 and token.text in (">", "/>", ";")):
                return False
            if depth == 0 and token.text == "<":
                return behind is not None and behind.start == token.end and behind.text[:1].isalpha()
            behind = token if token.text else behind
    return False


def _is_compared(line: Sequence[Token]) -> bool:
    """Whether the tokens before a `<` end with a value."""
    is_value = bool(line) and line[-1].kind in (TokenKind.NAME, TokenKind.NUMBER, TokenKind.STRING)
    return is_value or (bool(line) and line[-1].text in (")", "]"))


def _generic(line: Sequence[Token], language_id: str) -> str:
    """The name of the type whose first argument begins: `List<`; empty elsewhere, as where a value is compared."""
    if language_id not in _GENERICS or len(line) < 2 or line[-1].text != "<":
        return ""
    before = line[-2]
    is_joined = before.kind is TokenKind.NAME and before.end == line[-1].start
    return before.text if is_joined and (before.text[:1].isupper() or language_id in ("typescript", "tsx")) else ""


def _slot_at(lines: Sequence[Line], words: SlotWords) -> Slot:
    line = text_tokens(lines[-1])
    texts = [token.text for token in line]
    if texts and texts[0] in words.imports:
        return Slot(SlotKind.IMPORTED) if "{" in texts and texts[-1] in ("{", ",") else _in_import(texts)
    if texts and texts[-1] in words.member_signs:
        receiver = _names_before(line[:-1])
        begins = len(line) == 2 * len(receiver)
        path = texts[-1] == "::"
        return Slot(SlotKind.MEMBER, receiver, targets=_targets(line), begins_statement=begins, path=path)
    bracket, head = open_bracket(lines)
    if texts[-1:] == [","] and texts[0] == "for" and "in" not in texts and bracket in (None, "{"):
        return Slot(SlotKind.BINDING)
    if words.method_receivers and texts[:2] == ["func", "("] and texts[-1] == ")" and texts.count(")") == 1:
        return Slot(SlotKind.BINDING)
    declared = _declared(texts, bracket, head, words)
    if declared is not None:
        return Slot(declared)
    if not texts:
        if bracket is None or (bracket == "{" and _is_block(head)):
            return Slot(SlotKind.STATEMENT)
        return _in_bracket(bracket, head, line, words)
    last = texts[-1]
    if last in (";", "{", "}") and bracket == "{":
        return Slot(SlotKind.STATEMENT) if last != "{" or _is_block(head) else Slot(SlotKind.EXPRESSION)
    is_implemented = last == "for" and "impl" in texts
    if last in words.binding and not is_implemented:
        return Slot(SlotKind.BINDING)
    if is_implemented or last in _BEFORE_A_TYPE or (last == ":" and bracket == "(" and _is_head(head, words)):
        return Slot(SlotKind.TYPE)
    starred = last in ("*", "**") and bracket == "(" and _is_head(head, words)
    if bracket is not None and (starred or last in (*_OPENING, ",")):
        return _in_bracket(bracket, head, line, words)
    if words.types_first and (_is_type_end(line) or (words.pointers and _is_pointer_end(line, bracket, head))):
        return Slot(SlotKind.BINDING)
    if last in _ASSIGNS:
        return Slot(SlotKind.VALUE, targets=_targets(line))
    return Slot(SlotKind.EXPRESSION, targets=_targets(line), binds=last in words.conditions)


def _is_type_end(line: Sequence[Token]) -> bool:
    """Whether a type stands before the cursor, so that a new name follows: `List<Book> `, `int[] `, `Book `."""
    last = line[-1]
    if last.text == "]":
        return len(line) > 2 and line[-2].text == "["
    if last.text == ">":
        return any(token.text == "<" and before.kind is TokenKind.NAME for before, token in pairwise(line))
    return last.text in _PRIMITIVES or last.kind is TokenKind.NAME


def _is_pointer_end(line: Sequence[Token], bracket: str | None, head: Sequence[Token]) -> bool:
    """Whether a type with its signs of pointers stands before the cursor, where a declaration can: `edata_t *`."""
    begins = max((at + 1 for at, token in enumerate(line) if token.text in (";", "{", "}", "(", ",")), default=0)
    texts = [token.text for token in line[begins:]]
    signs = list(takewhile(_POINTERS.__contains__, reversed(texts)))
    if not signs or len(signs) == len(texts):
        return False
    kinds = {token.text: token.kind for token in line[begins:]}
    words = texts[: -len(signs)]
    if any(
        kinds[word] is not TokenKind.NAME and word not in _OF_TYPES and word not in ("::", "<", ">") for word in words
    ):
        return False
    return words[-1] in _PRIMITIVES or bracket in (None, "{") or (bracket == "(" and _is_declared_function(head))


def _is_declared_function(head: Sequence[Token]) -> bool:
    """Whether a type and a name stand before the bracket, or a name alone that begins its line: no call does."""
    if not head or head[-1].kind is not TokenKind.NAME:
        return False
    if len(head) == 1:
        return head[0].start == 0
    return head[-2].kind is TokenKind.NAME or head[-2].text in _PRIMITIVES | _POINTERS | {"::", ">"}


def _in_import(texts: Sequence[str]) -> Slot:
    if texts[0] == "from" and "import" in texts:
        path = texts[1 : texts.index("import")]
        return Slot(SlotKind.IMPORTED, _names(path), dots=_leading_dots(path))
    if texts[-1] == "as":
        return Slot(SlotKind.BINDING)
    begins = texts[0] == "import"
    return Slot(SlotKind.MODULE, _names(texts[1:]), dots=_leading_dots(texts[1:]), begins_statement=begins)


def _names(path: Sequence[str]) -> tuple[str, ...]:
    return tuple(text for text in path if is_name(text))


def _leading_dots(path: Sequence[str]) -> int:
    return sum(len(text) for text in takewhile(lambda text: not text.strip("."), path))


def _in_bracket(bracket: str, head: list[Token], line: list[Token], words: SlotWords) -> Slot:
    if bracket == "(" and (_is_head(head, words) or (head and head[-1].text in words.heads)):
        return Slot(SlotKind.PARAMETER)
    if bracket == "(" and len(head) > 1 and head[-2].text == "class":
        return Slot(SlotKind.TYPE)
    if bracket == "(" and head and head[0].text == "from":
        path = [token.text for token in head[1:-1]]
        return Slot(SlotKind.IMPORTED, _names(path), dots=_leading_dots(path))
    if bracket == "(" and head and head[-1].kind is TokenKind.NAME:
        return Slot(SlotKind.ARGUMENT, callee=_names_before(head), targets=_targets(line))
    is_arrow = words.keys and bracket == "(" and bool(head) and head[-1].text in _BEFORE_ARROWS
    return Slot(SlotKind.EXPRESSION, targets=_targets(line), binds=is_arrow)


def _is_block(head: Sequence[Token]) -> bool:
    """Whether a brace behind these tokens opens statements, not a literal."""
    texts = [token.text for token in head]
    ends = max((at + 1 for at, text in enumerate(texts) if text in (";", "{", "}")), default=0)
    texts = texts[ends:]
    opens = {")", "->", "else", "try", "do", "finally"}
    return bool(opens.intersection(texts[-1:])) or (not _DECLARES.isdisjoint(texts) and "=" not in texts)


def _is_head(head: Sequence[Token], words: SlotWords) -> bool:
    return not words.heads.isdisjoint(token.text for token in head[:3])


def _declared(texts: Sequence[str], bracket: str | None, head: Sequence[Token], words: SlotWords) -> SlotKind | None:
    """A new name or its type, in languages where the name comes first; None elsewhere."""
    if words.types_first or "=" in texts:
        return None
    in_body = bracket == "{" and not words.declared_bodies.isdisjoint(token.text for token in head)
    behind = list(dropwhile(words.modifiers.__contains__, texts))
    if in_body and not behind:
        return SlotKind.BINDING
    declares = behind[:1] and behind[0] in words.declaring
    if not (in_body or declares or (bracket == "(" and _is_head(head, words))):
        return None
    if words.type_sign:
        return SlotKind.TYPE if behind[-1:] == [words.type_sign] else None
    begins = max((at + 1 for at, text in enumerate(behind) if text in ("(", ",")), default=1 if declares else 0)
    name, *type_so_far = behind[begins:] or [""]
    return SlotKind.TYPE if is_name(name) and not any(map(str.isidentifier, type_so_far)) else None


def open_bracket(lines: Sequence[Line]) -> tuple[str | None, list[Token]]:
    """The innermost bracket that is open at the end, and the tokens of its line before it."""
    depth = 0
    for line in reversed(lines[-_LINES_BACK:]):
        tokens = text_tokens(line)
        for at in range(len(tokens) - 1, -1, -1):
            text = tokens[at].text
            if text in _CLOSING:
                depth += 1
            elif text in _OPENING:
                if depth == 0:
                    return text, tokens[:at]
                depth -= 1
    return None, []


def opening_of(tokens: Sequence[Token], at: int) -> int:
    """The bracket that a closing bracket closes; -1 if there is none."""
    closing = tokens[at].text
    opening = {")": "(", "]": "[", "}": "{", ">": "<"}[closing]
    depth = 0
    for number in range(at, -1, -1):
        text = tokens[number].text
        depth += (text == closing) - (text == opening)
        if depth == 0:
            return number
    return -1


def _names_before(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The dotted names that end here; nothing for calls and other expressions."""
    names: list[str] = []
    for at in range(len(tokens) - 1, -1, -2):
        if tokens[at].kind is not TokenKind.NAME and tokens[at].text not in ("self", "this", "super"):
            return ()
        names.insert(0, tokens[at].text)
        if at == 0 or tokens[at - 1].text not in DOTS:
            break
    return tuple(names)


def _targets(line: Sequence[Token]) -> frozenset[str]:
    """Names before the first assignment of a line, or bound by its `for`."""
    texts = [token.text for token in line]
    if texts[:1] == ["for"] and "in" in texts:
        return frozenset(token.text for token in line[1 : texts.index("in")] if token.kind is TokenKind.NAME)
    signs = [at for at, text in enumerate(texts) if text in ("=", ":=")]
    if not signs:
        return frozenset()
    begins = max((at + 1 for at in range(signs[-1]) if texts[at] in (";", "{", "}")), default=0)
    targets = list(line[begins : next(at for at in signs if at >= begins)])
    colon = next((at for at, token in enumerate(targets) if token.text == ":"), None)
    if colon is not None:  # `name: type = `
        targets = targets[:colon]
    if any(token.text in (".", "[", "(") for token in targets):
        return frozenset()
    names = [(at, token.text) for at, token in enumerate(targets) if token.kind is TokenKind.NAME]
    if len(names) > 1 and all(b - a == 1 for (a, _), (b, _) in pairwise(names)):  # `Type name = `
        names = names[-1:]
    return frozenset(text for _, text in names)
