"""Random edits as people make them: declarations that are retyped, lines that move or go, signatures that change."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

from editahead.text.edits import ByteEdit

NAME = rb"[A-Za-z_][A-Za-z0-9_]*"
_NEW_NAMES = (b"value", b"entry", b"current", b"target_row", b"nextItem", b"buffer2", b"kind", b"limit")
_HINTS = {"python": b": int", "typescript": b": string"}
"""What is written behind a name; elsewhere its type stands before it."""
_C = {
    "parameter": rb"\(([^()\n]*?)\b\w+ \**(?P<name>[a-z]\w*)(?=[,)])",
    "local": rb"^[ \t]+(?:const )?(?:struct )?\w+ \**(?P<name>[a-z]\w*)(?= = |;)",
    "function": rb"^(?:static )?\w[\w *]* \**(?P<name>[a-z]\w*)(?=\()",
}
_PATTERNS = {
    "python": {
        "parameter": rb"\bdef \w+\(([^()\n]*?)\b(?P<name>" + NAME + rb")(?=[,)=:])",
        "local": rb"^[ \t]+(?P<name>" + NAME + rb")(?= = )",
        "loop": rb"\bfor (?P<name>" + NAME + rb")(?= in )",
        "function": rb"\bdef (?P<name>" + NAME + rb")(?=\()",
        "class": rb"^class (?P<name>" + NAME + rb")(?=[:(])",
    },
    "typescript": {
        "parameter": rb"\bfunction \w+\(([^()\n]*?)\b(?P<name>" + NAME + rb")(?=[,):?])",
        "local": rb"\b(?:const|let|var) (?P<name>" + NAME + rb")(?= = |: )",
        "function": rb"\bfunction (?P<name>" + NAME + rb")(?=\()",
        "class": rb"\bclass (?P<name>" + NAME + rb")\b",
    },
    "java": {
        "local": rb"^[ \t]+(?:final )?\w+(?:<[\w<>, ]+>)? (?P<name>[a-z]\w*)(?= = )",
        "parameter": rb"\((?:final )?\w+ (?P<name>[a-z]\w*)(?=[,)])",
        "method": rb"^[ \t]+(?:public |private |static )+\w+ (?P<name>[a-z]\w*)(?=\()",
    },
    "go": {
        "parameter": rb"\bfunc (?:\([^()\n]*\) )?\w+\(([^()\n]*?)\b(?P<name>" + NAME + rb")(?= [\w.*\[\]]+[,)])",
        "local": rb"^\t+(?P<name>[a-z]\w*)(?=(?:, \w+)* := )",
        "loop": rb"\bfor \w+, (?P<name>" + NAME + rb")(?= := range )",
        "function": rb"^func (?:\([^()\n]*\) )?(?P<name>" + NAME + rb")(?=\()",
        "class": rb"^type (?P<name>" + NAME + rb")(?= )",
    },
    "c": _C,
    "cpp": {**_C, "class": rb"^(?:class|struct) (?P<name>" + NAME + rb")(?= [:{])"},
}
_INCLUDE = rb"^#include [^\n]+\n"
_IMPORT = {
    "python": rb"^(?:import|from) [^\n(]+\n",
    "typescript": rb"^import [^\n]+;\n",
    "java": rb"^import [^\n]+;\n",
    "go": rb"^(?:import|\t)[ ]*\"[^\n]+\n",
    "c": _INCLUDE,
    "cpp": _INCLUDE,
}
_TARGETS = {"python": b"%b, %b", "typescript": b"[%b, %b]", "go": b"%b, %b"}
"""How one target becomes two; elsewhere the name becomes longer."""
_LAST_PARAMETER = {
    "python": rb"\bdef \w+\([^()\n]+(?=\))",
    "typescript": rb"\bfunction \w+\([^()\n]+(?=\))",
    "go": rb"^func (?:\([^()\n]*\) )?\w+\([^()\n]+(?=\))",
}
_PARAMETER = {"python": b", %b=1", "typescript": b", %b: number", "go": b", %b int"}
_STATEMENT = rb"^[ \t]+[A-Za-z_@][^\n]*\n"
Operation = Callable[[random.Random, bytes, str], "list[ByteEdit]"]


def human_edit(rng: random.Random, data: bytes, language: str) -> tuple[str, list[ByteEdit]]:
    """One change: its kind, and the edits that make it in order, each of the text after the one before."""
    for _ in range(20):
        kind = rng.choice(sorted(OPERATIONS))
        edits = OPERATIONS[kind](rng, data, language)
        if edits:
            return kind, edits
    return "none", []


def _declared(rng: random.Random, data: bytes, language: str, kinds: tuple[str, ...]) -> tuple[int, int] | None:
    rows = [kind for kind in kinds if kind in _PATTERNS.get(language, {})]
    if not rows:
        return None
    matches = list(re.finditer(_PATTERNS[language][rng.choice(rows)], data, re.MULTILINE))[:400]
    return rng.choice(matches).span("name") if matches else None


def _lines(data: bytes, pattern: bytes) -> list[tuple[int, int]]:
    return [match.span() for match in re.finditer(pattern, data, re.MULTILINE)][:2000]


def _typed(start: int, end: int, new: bytes) -> Iterator[ByteEdit]:
    """A selection that is typed over, key by key."""
    for letter in new.decode():
        yield ByteEdit(start, end, letter.encode())
        start = end = start + len(letter.encode())


def rename(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Type over a declared name."""
    span = _declared(rng, data, language, ("parameter", "local", "loop", "function", "class", "method"))
    return list(_typed(*span, rng.choice(_NEW_NAMES))) if span else []


def rename_with_hint(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Type over a declared name, with a type behind or before it."""
    span = _declared(rng, data, language, ("parameter", "local"))
    if span is None:
        return []
    name = rng.choice(_NEW_NAMES)
    return list(_typed(*span, name + _HINTS.get(language, b"")))


def retype_target(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Make one target several: `a = f()` becomes `b, rest = f()`."""
    span = _declared(rng, data, language, ("local", "loop"))
    if span is None:
        return []
    first, second = rng.sample(_NEW_NAMES, 2)
    return list(_typed(*span, _TARGETS.get(language, b"%b%b") % (first, second)))


def rename_use(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Type over any word."""
    words = [match.span() for match in re.finditer(rb"(?<=[ (.])" + NAME + rb"(?=[,.) ])", data)][:4000]
    return list(_typed(*rng.choice(words), rng.choice(_NEW_NAMES))) if words else []


def delete_import(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Delete the line of an import."""
    lines = _lines(data, _IMPORT[language])
    return [ByteEdit(*rng.choice(lines), b"")] if lines else []


def delete_statement(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Delete a line."""
    lines = _lines(data, _STATEMENT)
    return [ByteEdit(*rng.choice(lines), b"")] if lines else []


def move_line(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Cut a line and paste it elsewhere."""
    lines = _lines(data, _STATEMENT)
    if len(lines) < 2:
        return []
    (start, end), (to, _) = rng.sample(lines, 2)
    text = data[start:end]
    return [
        ByteEdit(start, end, b""),
        ByteEdit(to if to < start else to - len(text), to if to < start else to - len(text), text),
    ]


def duplicate_line(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Paste a line again below itself."""
    lines = _lines(data, _STATEMENT)
    if not lines:
        return []
    start, end = rng.choice(lines)
    return [ByteEdit(end, end, data[start:end])]


def add_parameter(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Add a parameter at the end of a signature."""
    pattern = _LAST_PARAMETER.get(language, rb"\b\w+ \w+\(\w+ \w+(?=\)\s[{t])")
    ends = [match.end() for match in re.finditer(pattern, data, re.MULTILINE)]
    if not ends:
        return []
    name = rng.choice(_NEW_NAMES)
    new = _PARAMETER.get(language, b", int %b") % name
    at = rng.choice(ends)
    return list(_typed(at, at, new))


def remove_parameter(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Delete the last parameter or argument of a list."""
    spans = [match.span(1) for match in re.finditer(rb"\w\([^()\n]*\w(, ?[\w:= .]+)\)", data)]
    return [ByteEdit(*rng.choice(spans), b"")] if spans else []


def half_statement(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Begin a line and leave it unfinished."""
    lines = _lines(data, _STATEMENT)
    if not lines:
        return []
    start, end = rng.choice(lines)
    text = data[start:end].decode().rstrip("\r\n")
    return list(_typed(end, end, text[: rng.randint(len(text) // 2, len(text))].encode()))


def comment_out(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Turn a line into a comment."""
    lines = _lines(data, _STATEMENT)
    if not lines:
        return []
    start, end = rng.choice(lines)
    at = start + len(data[start:end]) - len(data[start:end].lstrip())
    return [ByteEdit(at, at, b"# " if language == "python" else b"// ")]


def change_literal(rng: random.Random, data: bytes, language: str) -> list[ByteEdit]:
    """Type over a number or an operator."""
    spans = [match.span() for match in re.finditer(rb"(?<=[ (=])\d+(?=[,) \n;])| (?:==|<|>|\+|and|or) ", data)][:2000]
    if not spans:
        return []
    start, end = rng.choice(spans)
    new = b"7" if data[start:end].isdigit() else rng.choice((b" != ", b" >= ", b" - "))
    return list(_typed(start, end, new))


OPERATIONS: dict[str, Operation] = {
    operation.__name__: operation
    for operation in (
        rename, rename_with_hint, retype_target, rename_use, delete_import, delete_statement, move_line, duplicate_line,
        add_parameter, remove_parameter, half_statement, comment_out, change_literal,
    )
}  # fmt: skip
