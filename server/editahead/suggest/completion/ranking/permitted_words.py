"""Where the text beside the cursor leaves room for a few keywords alone, or for nothing.

A name cannot follow a whole operand: behind `f(x)`, `rows[0]`, `"text"` or `2` only an operator or a keyword goes on.
In a row of literals the next item is a literal too.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence

from editahead.suggest.completion.ranking.slots import DOTS, Slot, SlotKind, open_bracket, opening_of
from editahead.suggest.context import CursorContext
from editahead.suggest.taken_names import can_take, taken_keys, taken_names
from editahead.syntax.grammar_words import grammar_words
from editahead.syntax.language import Language
from editahead.syntax.scope_table import ScopeKind
from editahead.syntax.tokens import Line, Token, TokenKind, names_of, text_tokens

NOTHING = frozenset[str]()
JAVA_OPERATORS = frozenset(("instanceof", "throws", "implements", "default"))
_TYPES = {  # what goes on behind the name of a type
    "class": frozenset(("extends", "implements", "permits")),
    "interface": frozenset(("extends", "permits")),
    "enum": frozenset(("implements",)),
}
JAVA_TOP = frozenset("package import public class interface enum record abstract final sealed strictfp".split())
JAVA_MODIFIERS = frozenset(
    "public protected private static final abstract synchronized native default transient volatile strictfp".split()
)
JAVA_PRIMITIVES = frozenset("int long double float boolean char byte short".split())
JAVA_CONTROL = frozenset("if for while switch catch synchronized try return assert yield throw new else case".split())
_REST = "package import class interface enum extends implements throws instanceof do finally break continue void"
_WORDS = JAVA_MODIFIERS.union(JAVA_PRIMITIVES, JAVA_CONTROL, _REST.split())
_BEFORE_BRACKETS = frozenset(("if", "while", "for", "switch"))
_DECLARATION = re.compile(r"\s*[^\W\d][\w.]*(<[^()=;]*>)?(\[\])*\s+[^\W\d]\w*\s*[(=;]")
_LINES_BACK = 20  # to the head that a bracket closes


def permitted_in_java(
    line: Sequence[Token], above: Sequence[Line], after: str, *, touches: bool
) -> frozenset[str] | None:
    """The only words that can stand behind the tokens of a line, with what stands `above` and right of the cursor."""
    texts = [token.text for token in line]
    if texts[-1] in _BEFORE_BRACKETS:
        return NOTHING
    if len(texts) > 1 and texts[-2] in _TYPES and line[-1].kind is TokenKind.NAME:
        return NOTHING if touches else _TYPES[texts[-2]]
    if texts[-1] == "[":
        return NOTHING if texts[-2:-1] and texts[-2] in JAVA_PRIMITIVES and "new" not in texts[-3:-2] else None
    if texts[-1] == "]" and texts[-2:-1] != ["["]:
        return NOTHING if touches else JAVA_OPERATORS
    if texts[-1] == ")" and _is_call_end(line, above):
        return NOTHING if touches else JAVA_OPERATORS
    if not touches and _is_declaration_end(line):
        return NOTHING
    if line[-1].kind is TokenKind.NAME and _is_operand_end(texts):
        return frozenset(("instanceof",))
    if JAVA_MODIFIERS.issuperset(texts) and _DECLARATION.match(after):
        return JAVA_MODIFIERS.difference(texts)
    return None


def _is_declaration_end(line: Sequence[Token]) -> bool:
    """Whether a type and a new name end here: only a sign goes on."""
    if len(line) < 2 or line[-1].kind is not TokenKind.NAME or line[-1].text in _WORDS:
        return False
    at = len(line) - 2
    while at > 1 and line[at - 1].text in DOTS:
        at -= 2
    if at and line[at - 1].text == "@":  # `@Nullable Object`: the name is still to come
        return False
    return line[-2].text in JAVA_PRIMITIVES or (line[-2].kind is TokenKind.NAME and line[-2].text not in _WORDS)


def _is_operand_end(texts: Sequence[str]) -> bool:
    """Whether the name at the end is a value: behind `=` or `return` or in a condition, where no binding begins."""
    if texts[-1] in JAVA_CONTROL:  # in broken code they are names
        return False
    begins = max((at for at, text in enumerate(texts) if text in ("=", "return")), default=-1)
    if begins < 0 and texts[:2] in (["if", "("], ["while", "("]):
        begins = 1
    return begins >= 0 and not {"(", "{", ";", "->", "instanceof", "case"}.intersection(texts[begins + 1 :])


def _is_call_end(line: Sequence[Token], above: Sequence[Line]) -> bool:
    """Whether the bracket at the end closes the arguments or the parameters behind a name, and not an annotation's."""
    texts = [token.text for token in line]
    if texts.count(")") > texts.count("("):  # it was opened above
        line = [
            token
            for row in (*above[-_LINES_BACK:], line)
            for token in text_tokens(row)
            if token.kind is not TokenKind.COMMENT
        ]
    at = opening_of(line, len(line) - 1) - 1
    if at >= 0 and line[at].text == ">":
        return True  # `new List<>()`
    if at < 0 or line[at].kind is not TokenKind.NAME or line[at].text in JAVA_CONTROL:
        return False
    while at > 1 and line[at - 1].text in DOTS:
        at -= 2
    return at == 0 or line[at - 1].text != "@"


_PYTHON_OPERATORS = frozenset("if else for in is not and or".split())
_PYTHON_PARTS = {  # that only statements with such a first word have behind an operand
    "from": frozenset(("raise", "yield")),
    "as": frozenset(("with", "import", "from", "except", "case", "async")),
}
_PYTHON_VALUES = frozenset(("True", "False", "None"))
_PYTHON_SOFT = frozenset(("match", "case", "type", "print", "exec", "await", "async"))
_PYTHON_HEADS = frozenset(("def", "class"))
_PYTHON_CLAUSES = frozenset(("try", "else", "finally", "except"))
_PYTHON_INFIX = _PYTHON_OPERATORS | frozenset(("as", "import", "from"))
_WORD = re.compile(r"[ \t]+([^\W_]\w*|_\w+|[\"'])")  # right of the cursor and a blank
_BEFORE_OPERAND = {
    "python": frozenset(keyword.kwlist)
    .union(("match", "case", "type"))
    .difference(_PYTHON_VALUES, ("break", "continue", "pass", "else", "try", "finally")),
    "java": JAVA_CONTROL | JAVA_MODIFIERS | JAVA_PRIMITIVES,
}
_NAMING = {  # keywords behind which a new name stands
    **dict.fromkeys(("python", "java", "c", "cpp"), frozenset("def class interface enum struct union".split())),
    **dict.fromkeys(
        ("typescript", "tsx", "javascript"), frozenset("function class enum interface const let var".split())
    ),
    "go": frozenset("func type package var const".split()),
    "rust": frozenset("fn struct enum union trait mod type let const".split()),
    "c_sharp": frozenset("class interface enum struct namespace".split()),
}
_OBJECTS = frozenset(("self", "cls"))
_BEFORE_NAMES = frozenset("class struct enum mut ref unsafe async fn self Self".split())  # that come before it yet
_ELEMENTS = frozenset(("var",))
_BEFORE_IMPORTED = frozenset(("import", "from", ".", ",", "(", "{"))
_OF_IMPORTS = frozenset(("static", "default"))
_OTHER_WORDS = {
    "c": frozenset(
        "class template typename namespace using private public protected virtual explicit friend operator this new "
        "delete throw try catch mutable decltype noexcept static_cast dynamic_cast const_cast reinterpret_cast".split()
    ),
    "javascript": frozenset(
        "interface enum private public protected implements readonly declare namespace abstract keyof".split()
    ),
}
_CONTROL = "if else for while do switch case try catch finally return throw break continue"
_STATEMENTS = {  # what only a function's body holds
    "java": f"{_CONTROL} assert new this super yield",
    "c": "if else for while do switch case return break continue goto",
    "cpp": f"{_CONTROL} goto delete this",
    "go": "if else for switch case select return break continue goto go defer fallthrough range",
    "rust": "if else for while loop match let return break continue self await move true false",
    "c_sharp": f"{_CONTROL} foreach lock goto var await this base yield",
}
# not `delete`, `catch`, `import` and the like, which are names of methods
_SCRIPT_STATEMENTS = (
    "if else for while do switch case try return throw break continue const let var function typeof debugger"
)
_DECLARATIONS = {  # what no function's body holds
    "java": "package import public private protected native transient",
    "cpp": "public private protected template friend virtual explicit",
    "go": "package import",
    "rust": "pub",
    "c_sharp": "namespace public private protected internal virtual override abstract sealed",
}
_SCRIPT_DECLARATIONS = "public private protected implements extends export"
_SCRIPT_TYPES = frozenset("string number boolean any unknown never object keyof readonly infer".split())
_SCRIPTS = ("typescript", "tsx", "javascript")
_OUTSIDE_OF: dict[tuple[str, ScopeKind | None], frozenset[str]] = {
    **{(name, ScopeKind.FUNCTION): frozenset(words.split()) for name, words in _DECLARATIONS.items()},
    **{(name, ScopeKind.CLASS): frozenset(words.split()) for name, words in _STATEMENTS.items()},
    **{(name, ScopeKind.MODULE): frozenset(_STATEMENTS[name].split()) for name in ("java", "c", "cpp", "go", "rust")},
    **dict.fromkeys([(name, ScopeKind.CLASS) for name in _SCRIPTS], frozenset(_SCRIPT_STATEMENTS.split())),
    **dict.fromkeys([(name, ScopeKind.FUNCTION) for name in _SCRIPTS], frozenset(_SCRIPT_DECLARATIONS.split())),
    ("python", ScopeKind.MODULE): frozenset(("return", "yield", "nonlocal")),
    ("python", ScopeKind.CLASS): frozenset(("return", "yield", "nonlocal", "await", "break", "continue")),
}
_OF_A_VALUE = re.compile(r"[ \t]*[-+*/|&]?=[^=>]|\.[^\W\d]|\[\w")  # right of the cursor
_VALUES = frozenset(("self", "this", "super", "cls", "base", "crate", "Self"))
_NUMBER = re.compile(r"(?<!\w)\d\w*$")
_MAX_CHARACTERS = 400  # characters behind the cursor that are looked at
_ROW, _ROW_TOKENS = 4, 24  # literals that make a row, and tokens before the cursor among which they stand


def permitted_words(cursor: CursorContext, slot: Slot, language_id: str, *, at_top: bool) -> frozenset[str] | None:
    """The only words that can stand at the cursor; None where names can. `at_top`: in no scope but the file's."""
    if not cursor.prefix and slot.kind is not SlotKind.MEMBER and cursor.after[:1].isidentifier():
        return NOTHING  # it would become a part of the word that stands there
    if not cursor.prefix and _is_in_row_of_literals(cursor.lines):
        return NOTHING
    if language_id not in ("python", "java"):
        return None
    line = text_tokens(cursor.lines[-1])
    before = not cursor.prefix and slot.kind is not SlotKind.MEMBER and _is_before_operand(cursor.after, language_id)
    if before and open_bracket(cursor.lines)[0] in (None, "{"):  # within others a comma may follow
        return _BEFORE_OPERAND[language_id]
    if not line:
        return _first_of_line(cursor, slot, language_id, at_top=at_top)
    is_touching = bool(cursor.before) and not cursor.before[-1].isspace()
    if _is_literal_end(line[-1], cursor.before):
        return NOTHING if is_touching or language_id == "java" else _behind_operand(line)
    if language_id == "python":
        if not _is_python_operand_end(line):
            return None
        begins = len(line) == 1 and line[0].kind is TokenKind.NAME and open_bracket(cursor.lines)[0] is None
        return NOTHING if is_touching or begins else _behind_operand(line)
    return permitted_in_java(line, cursor.lines[:-1], cursor.after[:_MAX_CHARACTERS], touches=is_touching)


def _is_in_row_of_literals(lines: Sequence[Line]) -> bool:
    """Whether the cursor stands behind the comma of a row of numbers or texts, on this line or the lines above."""
    tokens: list[Token] = []
    for line in reversed(lines[-_ROW_TOKENS:]):
        tokens[:0] = [token for token in text_tokens(line) if token.kind is not TokenKind.COMMENT]
        if len(tokens) >= _ROW_TOKENS:
            break
    if not tokens or tokens[-1].text != ",":
        return False
    literals = 0
    for token in reversed(tokens[-_ROW_TOKENS:]):
        if token.kind in (TokenKind.NUMBER, TokenKind.STRING):
            literals += 1
            if literals == _ROW:
                return True
        elif token.text not in (",", "-", "+"):
            break
    return False


def forbidden_words(
    cursor: CursorContext, slot: Slot, language: Language, body: ScopeKind | None = None
) -> frozenset[str]:
    """The keywords that cannot stand here, and names that a declaration or a label beside the line has taken.

    No keyword stands behind a dot, where a new name is declared, and before an assignment, an index or a member.
    `body`: the kind of body whose statement begins here, None where that is unknown.
    """
    table = language.scopes
    if slot.kind is SlotKind.MEMBER and table is not None:
        words = table.keywords - table.member_words
    elif not cursor.prefix and _OF_A_VALUE.match(cursor.after[:_MAX_CHARACTERS]) is not None:
        words = grammar_words(language).difference(_VALUES)
    else:
        words = NOTHING
    texts = [token.text for token in text_tokens(cursor.lines[-1])]
    if texts[-1:] == ["def"]:
        words |= _OBJECTS
    if table is not None and texts and texts[-1] in _NAMING.get(language.id, ()) and texts[-2:-1] != ["."]:
        words |= table.keywords - _BEFORE_NAMES
    is_import = slot.kind in (SlotKind.MODULE, SlotKind.IMPORTED) and (not texts or texts[-1] in _BEFORE_IMPORTED)
    if table is not None and is_import:
        words |= table.keywords - _OF_IMPORTS
    words |= _other_language_words(cursor, language.id)
    if slot.is_value and language.id in _SCRIPTS:
        words |= _SCRIPT_TYPES.difference(name for line in (*cursor.lines, *cursor.below) for name in names_of(line))
    if table is not None and slot.is_element:
        words |= table.keywords - _ELEMENTS
    if not texts and slot.kind is not SlotKind.MEMBER and open_bracket(cursor.lines)[0] in (None, "{"):
        words |= _OUTSIDE_OF.get((language.id, body), NOTHING)
    if not can_take(texts, cursor.lines[:-1], language.id):
        return words
    taken = taken_keys(cursor.lines[:-1], cursor.lines[-1], cursor.below, language.id)
    return words | taken_names(taken, texts, language.id)


def _other_language_words(cursor: CursorContext, language_id: str) -> frozenset[str]:
    """The reserved words of the other language of the same model, which the file does not use as names."""
    words = _OTHER_WORDS.get(language_id, NOTHING)
    return (
        words.difference(name for line in (*cursor.lines, *cursor.below) for name in names_of(line)) if words else words
    )


def _is_before_operand(after: str, language_id: str) -> bool:
    """Whether a literal stands right of the cursor, or in Python a name: only a keyword or a sign goes before it."""
    following = _WORD.match(after[:_MAX_CHARACTERS])
    if following is None:
        return False
    word = following.group(1)
    return not (word[0].isalpha() or word[0] == "_") or (language_id == "python" and word not in _PYTHON_INFIX)


def _first_of_line(cursor: CursorContext, slot: Slot, language_id: str, *, at_top: bool) -> frozenset[str] | None:
    if slot.kind is not SlotKind.STATEMENT:
        return None
    if language_id == "python":
        return _PYTHON_CLAUSES if not cursor.prefix and cursor.after.strip() == ":" else None
    if at_top and any(token.text == "package" for line in cursor.lines[:-1] for token in line[1:2]):
        return JAVA_TOP
    return None


def _is_literal_end(last: Token, before: str) -> bool:
    """Whether a literal ends before the cursor; a string that is open, or an interpolation in it, does not."""
    if last.kind is TokenKind.STRING:
        return before.rstrip()[-1:] in ("'", '"')
    return _NUMBER.search(before.rstrip()) is not None


def _is_python_operand_end(line: Sequence[Token]) -> bool:
    last = line[-1]
    if last.kind is TokenKind.NAME:
        return not (keyword.iskeyword(last.text) or (len(line) == 1 and last.text in _PYTHON_SOFT))
    return last.text in (")", "]", "}") or last.text in _PYTHON_VALUES


def _behind_operand(line: Sequence[Token]) -> frozenset[str]:
    """What goes on behind an operand in Python; nothing behind the head of a function or class."""
    texts = [token.text for token in line]
    depth = sum(text in ("(", "[", "{") for text in texts) - sum(text in (")", "]", "}") for text in texts)
    if depth == 0 and not _PYTHON_HEADS.isdisjoint(texts[:2]):
        return NOTHING
    if texts[0] == "from" and "import" not in texts:
        return frozenset(("import",))
    return _PYTHON_OPERATORS.union(word for word, first in _PYTHON_PARTS.items() if texts[0] in first)
