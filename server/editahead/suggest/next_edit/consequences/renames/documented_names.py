"""Names in documentation that are renamed with their declaration, and its name as a string: `T = TypeVar("T")`.

Only forms that mark a name are read, never prose: `@param total` above the function of a parameter, `{@link Cart}`,
``:class:`Cart` `` or `<see cref="Cart"/>` for a declaration whose name means nothing else in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from editahead.analysis.signatures import path_to
from editahead.suggest.next_edit.consequences.renames.rename_verdict import RenamedBinding
from editahead.syntax.interrupt import checkpoint
from editahead.syntax.nodes import Node, node_text
from editahead.syntax.scope_table import ScopeKind
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.words import word_offsets

MAX_LINES, MAX_LINE_BYTES = 200, 1000  # of a comment, of a line
_PARAMETER_FORMS: tuple[bytes, ...] = (
    rb"[@\\]param(?:\[[\w, ]*\])?\s+(?:\{[^{}]*\}\s*)?\[?(NAME)(?![\w$])",
    rb":(?:param|type|parameter|arg|argument|keyword)\s+(?:[^:`]*\s)?(NAME)\s*:",
    rb"^\s*\*{0,2}(NAME)\s*(?:\([^()]*\)\s*)?:(?!:)",
    rb"<param(?:ref)?\s+name=\"(NAME)\"",
    rb"\{@code\s+(NAME)\}",
    rb"`(NAME)`",
)
_DECLARATION_FORMS: tuple[bytes, ...] = (
    rb"\{@(?:link|linkplain|code)\s+(?:#|OWNER)?(NAME)(?![\w$])",
    rb"@(?:see|throws|exception)\s+(?:#|OWNER)?(NAME)(?![\w$])",
    rb":\w+(?::\w+)?:`[~!.]?(?:\w+\.)*(NAME)(?:\(\))?`",
    rb"`(NAME)(?:\(\))?`",
    rb"\bcref=\"(?:OWNER)?(NAME)(?![\w$])",
    rb"@(?:param|type|returns?|throws)\s*\{(?:[^{}]*[^{}\w.$])?(NAME)(?![\w$])[^{}]*\}",
    rb"^\s*\}\s*/[/*]\s*(?:end\s+)?namespace\s+(NAME)(?![\w:])",
    rb"^\s*#\s*endif\s*/[/*]\s*!?\s*(NAME)(?![\w$])",
    rb"^\s*(?::rtype:|:type \w+:|\w+ :)\s*(?:\w+\.)*(NAME)\s*$",
)
_OWNED_FORMS = (rb"(?:\{@(?:link|linkplain|code)|@see)\s+OWNER(NAME)(?![\w$])", rb"\bcref=\"OWNER(NAME)(?![\w$])")
"""Forms with the class of a member, `{@link Cart#total}`, which mean that member whatever else has its name."""
_COMMENT_OF_GO = re.compile(rb"\s*//\s*(?:(?:A|An|The) )?(\w+)")
_NAMED_BY_STRING = frozenset({
    "TypeVar", "ParamSpec", "TypeVarTuple", "TypeAliasType", "NewType", "namedtuple", "NamedTuple", "TypedDict", "Enum",
    "IntEnum", "StrEnum", "Flag", "IntFlag", "make_dataclass",
})  # fmt: skip
"""Functions of Python that expect the name of the variable as their first argument."""
_NAMES_PARAMETERS, _TAKES_PARAMETERS = frozenset({"parametrize"}), frozenset({"given"})
"""Decorators of Python that name parameters of their function: in strings of the first argument, or by keywords."""


def documented_names(syntax: SyntaxSnapshot, renamed: RenamedBinding, declared: int) -> list[int]:
    """The offsets of the old name in the documentation of a renamed declaration, and as a string in it, in text order.

    `declared` is the offset of the declaration in `syntax`, where it may have the new name already.
    """
    resolver, scope, old = renamed.resolver, renamed.binding.scope, renamed.renaming.old
    kind, scope_kind, facts = resolver.kind(renamed.binding), resolver.scopes.kind(scope), resolver.scopes.local(scope)
    owner = facts.name if scope_kind is ScopeKind.CLASS and facts is not None else ""
    lines, forms, class_lines = range(syntax.buffer.line_count), _DECLARATION_FORMS, range(0)
    if kind == "parameter":
        lines, forms = documentation_lines(syntax, declared), _PARAMETER_FORMS
    elif kind == "import" or scope_kind not in (ScopeKind.MODULE, ScopeKind.CLASS):
        return []  # documentation may speak of what was imported before
    elif len(resolver.meanings(old)) > 1:
        forms = _OWNED_FORMS if owner else ()
    if owner and facts is not None and (resolver.table.classes.explicit_self or old in facts.head_parameters):
        class_lines = documentation_lines(syntax, declared, is_member=True)
    offsets = {
        *_marked_offsets(syntax, old, lines, forms, owner),
        *_marked_offsets(syntax, old, class_lines, _PARAMETER_FORMS, owner),
        *_first_word(syntax, old, declared),
    }
    named = _in_decorators(syntax, old, declared) if kind == "parameter" else _own_string(syntax, old, declared)
    return sorted(offsets.union(named))


def _marked_offsets(
    syntax: SyntaxSnapshot, old: str, lines: range, forms: tuple[bytes, ...], owner: str
) -> Iterator[int]:
    """Yield the offsets of a name that a form marks, in comments and strings of some lines; `owner` is its class.

    A name that stands in very many places is not renamed, so that few lines are read.
    """
    if not lines or not forms:
        return
    buffer, last_line = syntax.buffer, -1
    owner_form = rb"(?:[\w.]*\.)?" + re.escape(owner.encode()) + rb"[#.]" if owner else rb"(?!)"
    texts = (form.replace(b"NAME", re.escape(old.encode())).replace(b"OWNER", owner_form) for form in forms)
    patterns = [re.compile(text) for text in texts]
    first, end = buffer.line_span(lines[0])[0], buffer.line_span(lines[-1])[1]
    for offset in word_offsets(buffer.data, old, first, end):
        checkpoint()
        line = buffer.line_at(offset)
        start, stop = buffer.line_span(line)
        if line == last_line or stop - start > MAX_LINE_BYTES:
            continue
        last_line = line
        for pattern in patterns:
            for match in pattern.finditer(buffer.data[start:stop]):
                if syntax.region_at(start + match.start(1) + 1) is not Region.CODE:
                    yield start + match.start(1)


def documentation_lines(syntax: SyntaxSnapshot, byte: int, *, is_member: bool = False) -> range:
    """The lines of the comment above the function whose parameter is declared at a byte, and of its docstring.

    Of a member, those of its class.
    """
    path, offset = path_to(syntax, byte)
    table, buffer = syntax.language.scopes, syntax.buffer
    kinds = (table.classes.bodies if is_member else table.functions) if table is not None else {}
    functions = [number for number, node in enumerate(path) if node.type in kinds]
    if table is None or not functions:
        return range(0)
    head = path[functions[-1]]
    first = buffer.line_at(head.start_byte + offset)
    for node in reversed(path[: functions[-1]]):  # what begins on its line, and its decorators
        line = buffer.line_at(node.start_byte + offset)
        if line != first and node.type not in (*table.wrappers, "template_declaration"):
            break
        first = line
    body = head.child_by_field_name("body")
    docstring = body.named_children[0] if body is not None and body.named_children else None
    is_docstring = docstring is not None and docstring.named_children and docstring.named_children[0].type == "string"
    end = docstring.end_byte if docstring is not None and is_docstring else head.start_byte
    last = buffer.line_at(end + offset)
    return range(_comment_start(syntax, first), last + 1)


def _comment_start(syntax: SyntaxSnapshot, line: int) -> int:
    """The first line of the comment and the annotations that end above a line; the line itself where there is none."""
    buffer = syntax.buffer
    for _ in range(min(line, MAX_LINES)):
        start, end = buffer.line_span(line - 1)
        text = buffer.data[start : min(end, start + MAX_LINE_BYTES)]
        stripped = text.lstrip()
        is_comment = syntax.region_at(start + len(text) - len(stripped) + 1) is Region.COMMENT
        if not stripped or not (is_comment or stripped.startswith((b"@", b"#[", b"["))):
            break
        line -= 1
    return line


def _first_word(syntax: SyntaxSnapshot, old: str, declared: int) -> Iterator[int]:
    """Yield the offset of the old name where the comment above a declaration of Go begins with it, as is usual."""
    if syntax.language.id == "go":
        line = syntax.buffer.line_at(declared)
        start, end = syntax.buffer.line_span(_comment_start(syntax, line))
        match = _COMMENT_OF_GO.match(syntax.buffer.data, start, end)
        if match is not None and match[1] == old.encode():
            yield match.start(1)


def _in_decorators(syntax: SyntaxSnapshot, old: str, declared: int) -> Iterator[int]:
    """Yield the offsets of the name of a parameter in `@parametrize("NAME, b", ...)` and `@given(NAME=...)`."""
    path, offset = path_to(syntax, declared)
    table = syntax.language.scopes
    functions = [number for number, node in enumerate(path) if table is not None and node.type in table.functions]
    holder = path[functions[-1] - 1] if functions and functions[-1] else None
    for decorator in holder.named_children if holder is not None else ():
        call = decorator.named_children[0] if decorator.type == "decorator" and decorator.named_children else None
        function = call.child_by_field_name("function") if call is not None else None
        arguments = call.child_by_field_name("arguments") if call is not None else None
        if function is None or arguments is None or not arguments.named_children:
            continue
        called, rows = node_text(function).rpartition(".")[2], list[Node]()
        if called in _NAMES_PARAMETERS and arguments.named_children[0].type in ("string", "tuple", "list"):
            rows = arguments.named_children[:1]
        elif called in _TAKES_PARAMETERS:
            rows = [name for row in arguments.named_children if (name := row.child_by_field_name("name")) is not None]
        for row in rows:
            yield from (row.start_byte + offset + start for start in word_offsets(row.text or b"", old))


def _own_string(syntax: SyntaxSnapshot, old: str, declared: int) -> Iterator[int]:
    """Yield the offset of the old name in `NAME = TypeVar("NAME")`."""
    path, offset = path_to(syntax, declared)
    assigned = path[-2].child_by_field_name("right") if len(path) > 1 and path[-2].type == "assignment" else None
    function = assigned.child_by_field_name("function") if assigned is not None else None
    arguments = assigned.child_by_field_name("arguments") if assigned is not None and function is not None else None
    first = arguments.named_children[0] if arguments is not None and arguments.named_children else None
    if first is None or function is None or node_text(function).rpartition(".")[2] not in _NAMED_BY_STRING:
        return
    text = node_text(first)
    if first.type == "string" and text[1:-1] == old and text[:1] in "\"'":
        yield first.start_byte + offset + 1
