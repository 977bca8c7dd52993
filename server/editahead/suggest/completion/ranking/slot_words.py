"""The words and signs by which the languages differ where a name may stand."""

from __future__ import annotations

from dataclasses import dataclass

_EVERYWHERE = frozenset("def class as for lambda global nonlocal interface enum record".split())


@dataclass(frozen=True)
class SlotWords:
    """What the languages differ in.

    `binding`: keywords before a new name; more text must follow on the line behind the names of those that are
    `unfinished`. Those of `declaring` begin a line in which its type may follow. `heads`: keywords of a function's
    head. `declared_bodies`: keywords of bodies whose lines begin with a new name, behind `modifiers`. `types_first`: a
    type stands before the name that it declares; else behind it, after `type_sign` (a space where that is empty). A
    member follows `member_signs`, a module or what it holds a first word of `imports`. `keys`: an entry of a literal in
    braces begins with a key, which is a new name or a key of another literal. A new name may follow `conditions`,
    and the signs of `pointers` behind a type, and the name of a method its receiver in brackets (`method_receivers`).
    """

    binding: frozenset[str] = _EVERYWHERE
    unfinished: frozenset[str] = frozenset(("def", "for", "lambda"))
    declaring: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset(("def", "lambda"))
    declared_bodies: frozenset[str] = frozenset()
    modifiers: frozenset[str] = frozenset()
    types_first: bool = True
    type_sign: str = ":"
    member_signs: frozenset[str] = frozenset((".", "?.", "::"))
    imports: frozenset[str] = frozenset(("import", "from"))
    keys: bool = False
    conditions: frozenset[str] = frozenset()
    pointers: bool = False
    method_receivers: bool = False


_SCRIPT = SlotWords(
    binding=frozenset("const let var function type namespace interface enum class as".split()),
    unfinished=frozenset(("function", "const", "type")),
    declaring=frozenset(("const", "let", "var")),
    heads=frozenset(("function", "constructor")),
    declared_bodies=frozenset(("interface", "class", "enum", "type")),
    modifiers=frozenset("private public protected readonly static async get set abstract declare override".split()),
    types_first=False,
    keys=True,
)
_GO = SlotWords(
    binding=frozenset(("func", "type", "var", "const", "package", "for")),
    unfinished=frozenset(("func", "type", "var", "for")),
    declaring=frozenset(("var", "const")),
    heads=frozenset(("func",)),
    declared_bodies=frozenset(("struct", "interface")),
    types_first=False,
    type_sign="",
    conditions=frozenset(("if", "switch")),
    method_receivers=True,
)
_RUST = SlotWords(
    binding=frozenset("let mut fn struct enum trait mod type const static for union as".split()),
    unfinished=frozenset("fn struct enum trait mod type const static for union".split()),
    declaring=frozenset(("let", "const", "static")),
    heads=frozenset(("fn",)),
    declared_bodies=frozenset(("struct", "enum", "union")),
    modifiers=frozenset(("pub",)),
    types_first=False,
)
_C = SlotWords(
    binding=frozenset("struct class enum union namespace typename".split()),
    unfinished=frozenset(),
    member_signs=frozenset((".", "->", "::")),
    imports=frozenset(),
    pointers=True,
)
_LUA = SlotWords(
    binding=frozenset(("local", "function", "for", "goto")),
    unfinished=frozenset(("function", "for")),
    heads=frozenset(("function",)),
    types_first=False,
    member_signs=frozenset((".", ":")),
    imports=frozenset(),
)
_BY_LANGUAGE = {
    **dict.fromkeys(("typescript", "tsx", "javascript"), _SCRIPT),
    **dict.fromkeys(("c", "cpp"), _C),
    "go": _GO,
    "lua": _LUA,
    "rust": _RUST,
}
_OTHERS = SlotWords()


def slot_words(language_id: str) -> SlotWords:
    """The words of a language; those of Python and Java where it has none of its own."""
    return _BY_LANGUAGE.get(language_id, _OTHERS)
