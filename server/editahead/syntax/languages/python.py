"""Python: strings, rules of names, tokens, and which names a file declares, with their types where the text says so."""

from __future__ import annotations

import builtins
import keyword
import re

import tree_sitter

from editahead.syntax import construct_tables as tables
from editahead.syntax.construct_tables import AWAITED, ELEMENT, ITEM, VALUE
from editahead.syntax.language_definition import Ancestors, Language, Role, text_of
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target
from editahead.syntax.string_syntax import DOUBLE, ESCAPED, SINGLE, TRIPLE, Cutter, LongText, StringPatterns
from editahead.syntax.table_notation import by_word, edges_of, scopes_of, words

_PREFIX = rb"[rRbBuUfFtT]{0,2}"
_TRIPLE_SINGLE = TRIPLE.replace(b'"', b"'")

STRING_PATTERNS = StringPatterns(
    (_PREFIX + rb"(?:" + b"|".join((TRIPLE, _TRIPLE_SINGLE, DOUBLE, SINGLE)) + b")",),
    before=rb"(?![rRbBuUfFtT]{1,2}[\"'])",
)

# What a formatted string holds between braces is read by `syntax/regions/unfinished_text.py`.
LONG_TEXTS = tuple(
    LongText(_PREFIX + quotes, quotes, lambda opening: opening[-3:], skipped=ESCAPED) for quotes in (b'"""', b"'''")
)

_OTHER_BUILTINS = words(
    "__all__ __annotations__ __builtins__ __cached__ __class__ __file__ __module__ __path__ __qualname__ __version__ "
    "BaseExceptionGroup EncodingWarning ExceptionGroup PythonFinalizationError WindowsError aiter anext copyright "
    "credits exit help license quit"
)
"""What modules and classes have, and built-in names of Python up to 3.14 that another version or platform lacks."""

SCOPE_TABLE = ScopeTable(
    names={"identifier": Namespace.VALUE},
    scopes=scopes_of({
        ScopeKind.FUNCTION: "function_definition lambda",
        ScopeKind.CLASS: "class_definition",
        ScopeKind.COMPREHENSION: "list_comprehension set_comprehension dictionary_comprehension generator_expression",
    }),
    edges=edges_of({
        Edge(Action.BIND, "function", Target.OUTER): "function_definition.name",
        Edge(Action.USE, target=Target.OUTER): "function_definition.return_type class_definition.superclasses "
            "default_parameter.value typed_parameter.type typed_default_parameter.type typed_default_parameter.value",
        Edge(Action.BIND, "type-parameter"): "function_definition.type_parameters class_definition.type_parameters",
        Edge(Action.BIND, "class", Target.OUTER): "class_definition.name",
        Edge(Action.USE): "constrained_type dict_pattern.key case_clause.guard",
        Edge(Action.BIND, "parameter"): "parameters lambda_parameters default_parameter.name typed_parameter "
            "typed_default_parameter.name",
        Edge(Action.BIND, "variable"): "assignment.left augmented_assignment.left for_statement.left "
            "for_in_clause.left as_pattern_target delete_statement type_alias_statement.left case_clause "
            "class_pattern>case_pattern keyword_pattern",
        Edge(Action.BIND, "variable", Target.FUNCTION): "named_expression.name",
        Edge(Action.IGNORE): "keyword_pattern>identifier import_from_statement.module_name relative_import "
            "future_import_statement.name",
        Edge(Action.GLOBAL): "global_statement",
        Edge(Action.NONLOCAL): "nonlocal_statement",
        Edge(Action.IMPORT_ROOT, "import"): "import_statement.name",
        Edge(Action.BIND, "import"): "import_from_statement.name aliased_import.alias",
        Edge(Action.IMPORTED): "aliased_import.name",
        Edge(Action.ATTRIBUTE): "attribute.attribute",
        Edge(Action.KEYWORD): "keyword_argument.name",
    }),
    transparent=words(
        "pattern_list tuple_pattern list_pattern list_splat_pattern dictionary_splat_pattern expression_list tuple "
        "list list_splat parenthesized_expression type type_parameter case_pattern union_pattern dict_pattern "
        "splat_pattern as_pattern dotted_name aliased_import generic_type splat_type"
    ),
    before_sign={"constrained_type": (":", Edge(Action.BIND, "type-parameter"))},
    dotted=frozenset({"dotted_name"}),
    first_outside={("for_in_clause", "right"): frozenset({"for_in_clause", "if_clause"})},
    classes=tables.ClassTable(
        bodies={"class_definition": "body"},
        bases={"class_definition": ("superclasses",)},
        static_decorators=frozenset({"staticmethod"}),
        variant_decorators=frozenset({"overload", "getter", "setter", "deleter"}),
        property_decorators=frozenset({"property", "cached_property", "functools.cached_property"}),
        constructor="__init__",
        super_function="super",
        explicit_self=True,
        keyed_bases=frozenset({"TypedDict"}),
        members_by_assignment=True,
        scope_is_inherited=False,
    ),
    wrappers={"decorated_definition": "definition"},
    functions={"function_definition": "parameters", "lambda": "parameters"},
    attributes={"attribute": ("object", "attribute")},
    calls={"call": ("function", "arguments")},
    parameters=tables.ParameterTable(
        optional=frozenset({"default_parameter", "typed_default_parameter"}),
        rest=frozenset({"list_splat_pattern", "dictionary_splat_pattern", "list_splat", "dictionary_splat"}),
        separators=frozenset({"keyword_separator", "positional_separator"}),
        keyword_arguments=frozenset({"keyword_argument"}),
        copying=frozenset({"replace", "_replace", "evolve"}),
    ),
    literals=tables.LiteralTable(class_patterns={"keyword_pattern": "class_pattern"}),
    types=tables.TypeTable(
        narrowing=(r"\bisinstance\(\s*NAME\s*,",),
        written_holds=False,  # `def f(path: str): path = Path(path)`
        same_class=frozenset({"parenthesized_expression"}),
        wrappers={"type": ""},
        generic=frozenset({"generic_type"}),
        delegating=frozenset({"ClassVar", "Final", "Optional"}),
        unions=frozenset({"binary_operator"}),
        without_members=frozenset({"None"}),
        quoted=frozenset({"string"}),
        self_name="Self",
        returns=frozenset({"return_statement"}),
        results={"function_definition": "return_type"},
        declared={"typed_parameter": "type", "typed_default_parameter": "type", "assignment": "type"},
        initial_values={"assignment": "right", "named_expression": "value"},
        choices={"boolean_operator": ("or",), "conditional_expression": ()},
    ),
    layers=tables.LayerTable(
        generic=by_word({
            (ELEMENT, 0): "AsyncIterable AsyncIterator Collection Deque Iterable Iterator List MutableSequence "
                "Sequence Set deque frozenset list set",
            (VALUE, 1): "Dict Mapping MutableMapping defaultdict dict",
            (AWAITED, 0): "Awaitable",
        }),
        results_inside=True,
        wrappers={"await": AWAITED},
        subscripts={"subscript": "value"},
        slices=frozenset({"slice"}),
        loops={"for_statement": "right", "for_in_clause": "right"},
        taking={"get": VALUE, "setdefault": VALUE, "pop": ITEM, "popleft": ELEMENT},
        keeping=frozenset({"copy"}),
        keeping_maps=frozenset({"copy"}),
        map_values=frozenset({"values"}),
        passing=dict.fromkeys("frozenset iter list reversed set sorted tuple".split(), (ELEMENT, ELEMENT)),
        picking=frozenset({"max", "min", "next"}),
        defaulting=frozenset({"next"}),
        applying=frozenset({"filter", "map"}),
        mapping={"map": ""},
        visiting=frozenset({"sort"}),
        visiting_keywords=frozenset({"key"}),
        sequences=frozenset({"expression_list", "list", "set", "tuple"}),
        comprehensions={
            **dict.fromkeys(("generator_expression", "list_comprehension", "set_comprehension"), ELEMENT),
            "dictionary_comprehension": VALUE,
        },
        unpacking=True,
        counting=frozenset({"enumerate"}),
        pairing={"items": VALUE},
        zipping=frozenset({"zip"}),
        awaitable=frozenset({"__await__"}),
        homes=("collections", "typing", "typing_extensions"),
        always_imported=True,
    ),
    flow=tables.FlowTable(
        type_tests={"call": "isinstance"},
        cases={"case_clause": "subject"},
        aliases=frozenset({"as_pattern"}),
        patterns=frozenset({"case_pattern"}),
        brackets=frozenset({"parenthesized_expression"}),
        negations={"not_operator": "not"},
        both={"boolean_operator": "and"},
        either={"boolean_operator": "or"},
        branches={
            "if_statement": (("consequence",), ("alternative",)), "elif_clause": (("consequence",), ()),
            "conditional_expression": (("0",), ("2",)), "while_statement": (("body",), ()),
            "assert_statement": ((), ("1",)),
        },
        conditions={"assert_statement": "0", "conditional_expression": "1"},
        filters={"if_clause": "body"},
        choices=frozenset({"if_statement"}),
        assertions=frozenset({"assert_statement"}),
        lists=frozenset({"block", "module"}),
        leaving=frozenset({"break_statement", "continue_statement", "raise_statement", "return_statement"}),
    ),
    imports=tables.ImportTable(
        statements=frozenset({"import_statement", "import_from_statement"}),
        aliases=frozenset({"aliased_import"}),
        modules={"import_from_statement": "module_name"},
        form="from {module} import {name}",
        module_form="import {name}",
        export_list="__all__",
        declaring_words=("def", "class"),
        wildcards={"import_from_statement": "wildcard_import"},
        mocks=tables.MOCKED_PATHS,
    ),
    quotations=tables.QuotationTable(
        texts=frozenset({"string"}),
        annotations=frozenset({"type"}),
        keyed={"call": words("delattr getattr hasattr mock.patch.object monkeypatch.setattr patch.object setattr")},
        key_holders=frozenset({"argument_list"}),
        subscripts=frozenset({"generic_type", "subscript"}),
        generic=frozenset({"Callable", "NotRequired", "Required", "Tuple", "Type", "Union", "tuple", "type"}),
        verbatim=frozenset({"Literal"}),
        first_only=frozenset({"Annotated"}),
        aliases=frozenset({"TypeAlias"}),
        calls={"cast": range(1), "NewType": range(1, 2), "TypeVar": range(1, 16), "ParamSpec": range(0)},
        keywords=frozenset({"bound", "default"}),
        holders=words(
            "argument_list binary_operator expression_list keyword_argument list parenthesized_expression set tuple "
            "type_parameter"
        ),
        members=frozenset({"__match_args__", "__slots__"}),
    ),
    bound_after={
        **dict.fromkeys(("assignment", "augmented_assignment", "for_statement"), "right"), "named_expression": "",
        "function_definition": "", "class_definition": "",
    },
    deletions=frozenset({"delete_statement"}),
    clause_bindings={"as_pattern": frozenset({"except_clause", "except_group_clause"})},
    await_node="await",
    builtins=frozenset(dir(builtins)) | _OTHER_BUILTINS,
    keywords=frozenset(keyword.kwlist),
)  # fmt: skip

_BY_PARENT = edges_of({
    Role.FUNCTION: "function_definition.name",
    Role.CLASS: "class_definition.name",
    Role.PARAMETER: "parameters lambda_parameters default_parameter.name typed_parameter typed_default_parameter.name",
    Role.ARGUMENT: "keyword_argument.name",
    Role.VARIABLE: "assignment.left for_statement.left for_in_clause.left named_expression.name as_pattern_target",
})  # fmt: skip
_CUT = Cutter(
    re.compile(rb"""\"{3}|'{3}|["'#]|^(?:class|def|async def)\b|^@""", re.MULTILINE),
    before=frozenset({b"class", b"def", b"async def", b"@"}),
)
_PARAMETER_LISTS = frozenset({"parameters", "lambda_parameters"})
_PATTERNS = frozenset(
    {"pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "dictionary_splat_pattern"}
)
_NESTED_PATTERNS = 32  # levels of nesting; deeper names declare nothing
_LITERAL_TYPES = by_word({
    "str": "string", "int": "integer", "float": "float", "bool": "true false", "tuple": "tuple",
    "list": "list list_comprehension", "dict": "dictionary dictionary_comprehension", "set": "set set_comprehension",
})  # fmt: skip


def _annotated(node: tree_sitter.Node, name: tree_sitter.Node, data: bytes) -> str | None:
    """The head of an annotation: `dict[str, int]` gives `dict`, `a.B` gives `B`.

    None where it begins on another line than the name, which only happens in broken code.
    """
    child = node.child_by_field_name("type")
    text = text_of(child, data) if child is not None and child.start_point.row == name.start_point.row else None
    return text.split("[", 1)[0].rsplit(".", 1)[-1].strip("\"' ") or None if text else None


def _assigned(node: tree_sitter.Node, name: tree_sitter.Node, data: bytes) -> str | None:
    """The type of an assignment from its annotation, a literal, or a constructor call `x = ClassName(...)`."""
    if node.child_by_field_name("type") is not None:
        return _annotated(node, name, data)
    value = node.child_by_field_name("right")
    if value is None or value.start_point.row != name.start_point.row:
        return None
    if value.type == "call":
        function = value.child_by_field_name("function")
        called = text_of(function, data).rsplit(".", 1)[-1] if function is not None else ""
        return called if called[:1].isupper() and called.isidentifier() else None
    return _LITERAL_TYPES.get(value.type)


def _role_of(node: tree_sitter.Node, ancestors: Ancestors, field: str | None, data: bytes) -> tuple[Role, str | None]:
    if not ancestors:
        return Role.USE, None
    parent, parent_field = ancestors[-1]
    kind = parent.type
    if kind == "attribute" and field == "attribute":
        if len(ancestors) > 1 and parent_field == "left" and ancestors[-2][0].type == "assignment":
            return Role.ATTRIBUTE, _assigned(ancestors[-2][0], node, data)
        return Role.ATTRIBUTE_USE, None
    depth = len(ancestors) - 1
    if kind in _PATTERNS:  # a, (b, *c) = ...: the role is that of the outermost pattern
        least = max(0, depth - _NESTED_PATTERNS)
        while depth > least and ancestors[depth][0].type in _PATTERNS:
            field = ancestors[depth][1]
            depth -= 1
        kind = ancestors[depth][0].type
        if kind in _PARAMETER_LISTS or kind == "typed_parameter":
            return Role.PARAMETER, None
    role = _BY_PARENT.get((kind, field))
    if role is None:
        return Role.USE, None
    if role is Role.VARIABLE and kind == "assignment":
        above = [pair[0].type for pair in ancestors[max(0, depth - 3) : depth]]
        if above == ["class_definition", "block", "expression_statement"]:
            role = Role.ATTRIBUTE
        return role, _assigned(ancestors[depth][0], node, data) if depth == len(ancestors) - 1 else None
    if role is Role.PARAMETER and kind in ("typed_parameter", "typed_default_parameter"):
        return role, _annotated(ancestors[depth][0], node, data)
    return role, None


PYTHON = Language(
    id="python",
    extensions=(".py", ".pyi", ".pyw"),
    comment_nodes=frozenset({"comment"}),
    string_nodes=frozenset({"string"}),
    interpolation_nodes=frozenset({"interpolation"}),
    number_nodes=frozenset({"integer", "float"}),
    bare_text_nodes=frozenset({"format_specifier"}),
    scope_nodes=frozenset({"function_definition", "lambda"}),
    role_of=_role_of,
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    long_texts=LONG_TEXTS,
    editor_ids=("python",),
    cut=_CUT,
)
