"""The description of a function without a body, as the words that the model of function bodies reads.

Every word begins with the sign of what it is, so that the model tells a parameter from an attribute of the same
spelling:

    =name      the function's name, and names made from it     -word     the words of its name
    =known =like    the attribute that is spelled like the name (or like the rest of it), or nearly so
    (name *.. **..   parameters, with :annotation and ?default  >name     the result's annotation
    (known     the attribute that is spelled like the parameter before
    @name      decorators                                       ^name &name   the class and its bases
    (nothing)  words of the docstring, "text" what it quotes
    .name ,name  public and private attributes of the object    )name     methods of the class
    %name      names of the module, also imported           ~name     other names that stand near
    <token {token   bodies of the two most similar functions of the file

Names in scope stand nearest first. Mining and serving call this very function: what stands in the body does not count.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from editahead.analysis.function_heads import FunctionHead, head_at
from editahead.analysis.function_scope import FunctionScope, body_tokens, scope_of
from editahead.encode.tree_generation.steps import Description
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.syntax.tokens import Token, TokenKind

MAX_WORDS = 200
_DOC_WORDS, _ATTRIBUTES, _METHODS, _MODULE, _NEAR, _LIKE = 48, 22, 12, 16, 20, 28
_MATCHES = 14  # words at most that say which names are spelled alike
_SUB_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_DOC = re.compile(r"""(?P<quote>"(?P<double>[^"\n]{1,24})"|'(?P<single>[^'\n]{1,24})')|[^\W\d]\w*|\d+(?:\.\d+)?""")
_QUOTED = re.compile("[rRuU]?[\"']")
_MAX_CHARACTERS = 28  # characters of a word; a copy gives the whole text

Copies = dict[str, str]
Word = tuple[str, Copies]


def description_of(syntax: SyntaxSnapshot, def_byte: int) -> Description | None:
    """Describe the function whose `def` begins at a byte, in at most `MAX_WORDS` words; None if there is none."""
    head = head_at(syntax, def_byte)
    if head is None:
        return None
    scope = scope_of(syntax, head)
    rows = [*_named(head.name), *_parameters(head), *_marked(">", head.returns, 4)]
    for decorator in head.decorators[:2]:
        rows += _marked("@", decorator, 4)
    rows += _marked("^", scope.class_tokens[:1], 1)
    rows += _marked("&", scope.class_tokens[1:], 3)
    rows += _documented(syntax, head)
    rows += _scoped(head, scope)
    for sign, line in zip("<{", scope.like, strict=False):
        rows += _marked(sign, body_tokens(syntax, line), _LIKE, code=True)
    rows = with_matches(rows[: MAX_WORDS - _MATCHES])
    return Description(tuple(word[:_MAX_CHARACTERS] for word, _ in rows), tuple(copies for _, copies in rows))


def _named(name: str) -> Iterable[Word]:
    bare = name.strip("_")
    rest = bare.partition("_")[2]
    yield f"={name}", _name(name)
    yield from ((f"-{word.lower()}", {"str": word.lower(), "name": word.lower()}) for word in split_name(name)[:6])
    if bare and not name.startswith("__"):
        yield "=private", _name(f"_{bare}")
        yield "=upper", _name(bare.upper())
    if rest:
        yield f"={rest}", _name(rest)
        yield "=rest private", _name(f"_{rest}")


def split_name(name: str) -> list[str]:
    """Split a name into sub-words: `get_userName` into `get`, `user`, `Name`."""
    return _SUB_WORD.findall(name)


def _parameters(head: FunctionHead) -> Iterable[Word]:
    for parameter in head.parameters[:10]:
        yield f"{parameter.mark or '('}{parameter.name}", _name(parameter.name)
        yield from _marked(":", parameter.annotation, 3)
        yield from _marked("?", parameter.default, 2, code=True)


def _documented(syntax: SyntaxSnapshot, head: FunctionHead) -> list[Word]:
    if head.docstring is None:
        return []
    text = syntax.buffer.data[head.docstring[0] : head.docstring[1]].decode("utf-8", "replace").lstrip("rRuU")
    words: list[Word] = []
    for match in _DOC.finditer(text.strip("\"'")):
        if len(words) >= _DOC_WORDS:
            break
        if match["quote"]:
            quoted = match["double"] or match["single"]
            words.append((f'"{quoted}', {"str": quoted, **({"name": quoted} if quoted.isidentifier() else {})}))
        else:
            word = match.group()
            words.append((word.lower(), _name(word) if word.isidentifier() else _number(word)))
    return words


def _scoped(head: FunctionHead, scope: FunctionScope) -> Iterable[Word]:
    """Yield the names in scope, each once."""
    seen = {parameter.name for parameter in head.parameters}
    yield from ((f",{n.lstrip('_')}" if n.startswith("_") else f".{n}", _name(n))
                for n in _fresh(scope.attributes, seen, _ATTRIBUTES))  # fmt: skip
    yield from ((f"){name}", _name(name)) for name in _fresh(scope.methods, seen, _METHODS))
    yield from ((f"%{name}", _name(name)) for name in _fresh(scope.module, seen, _MODULE))
    yield from ((f"~{name}", _name(name)) for name in _fresh(scope.near, seen, _NEAR))


def with_matches(rows: Sequence[Word]) -> list[Word]:
    """Add words for attributes and methods spelled like the function or its parameters, at most `_MATCHES`.

    A small model would spend most of its attention on finding them. Underscores and case are ignored.
    """
    if not rows:
        return []
    held = {_plain(copies["name"]): copies["name"] for word, copies in reversed(rows) if word[0] in ",.)"}
    name = rows[0][1]["name"]
    rest = name.strip("_").partition("_")[2]
    matches: list[Word] = []
    for whole, word in ((name, "=known"), (rest, "=rest known")):
        if whole and held.get(_plain(whole), name) != name:
            matches.append((word, _name(held[_plain(whole)])))
    if not matches and not name.startswith("__"):
        near = [other for other in held if _is_similar(other, _plain(name)) and held[other] != name]
        matches += [("=like", _name(held[max(near, key=len)]))] if near else []
    result = [rows[0], *matches]
    for row in rows[1:]:
        result.append(row)
        if row[0][0] in "(*" and _plain(row[1]["name"]) in held:
            result.append(("(known", _name(held[_plain(row[1]["name"])])))
    return result


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _is_similar(parameter: str, other: str) -> bool:
    """Whether the shorter of two plain names is part of the longer and long enough to be significant."""
    return min(len(parameter), len(other)) >= 4 and (parameter in other or other in parameter)


def _fresh(names: Sequence[str], seen: set[str], most: int) -> list[str]:
    unseen = [name for name in names if name not in seen][:most]
    seen.update(unseen)
    return unseen


def _marked(sign: str, tokens: Sequence[Token], most: int, *, code: bool = False) -> list[Word]:
    """Convert tokens to words: names, and with `code` all other tokens as well."""
    chosen = [token for token in tokens if code or token.kind in (TokenKind.NAME, TokenKind.STRING)]
    return [(f"{sign}{token.text}", copies_of(token)) for token in chosen[:most]]


def copies_of(token: Token) -> Copies:
    """Return the texts that a copy of a token gives, by base kind of terminal."""
    if token.kind is TokenKind.NAME:
        return _name(token.text)
    if token.kind is TokenKind.NUMBER:
        return _number(token.text)
    if token.kind is TokenKind.STRING and "..." not in token.text:  # long ones have no middle
        if not _QUOTED.match(token.text):  # a part of an f-string
            return {"str": token.text} if "\n" not in token.text and "\\" not in token.text else {}
        try:
            return {"str": str(ast.literal_eval(token.text))}
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return {}
    return {}


def _name(name: str) -> Copies:
    return {"name": name, "str": name}


def _number(text: str) -> Copies:
    return {"int": str(int(text)), "str": text} if text.isascii() and text.isdigit() and len(text) < 16 else {}
