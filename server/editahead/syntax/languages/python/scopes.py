"""The rules of names of Python."""

from __future__ import annotations

import builtins
import keyword

from editahead.syntax.construct_tables import (
    AWAITED,
    ELEMENT,
    ITEM,
    VALUE,
    ClassTable,
    ImportTable,
    LayerTable,
    LiteralTable,
    ParameterTable,
    QuotationTable,
    TypeTable,
)
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target

_VARIABLE = Edge(Action.BIND, "variable")
_PARAMETER = Edge(Action.BIND, "parameter")
_IMPORT = Edge(Action.BIND, "import")
_OUTSIDE = Edge(Action.USE, target=Target.OUTER)
_IGNORED = Edge(Action.IGNORE)
_OTHER_BUILTINS = frozenset(
    "__all__ __annotations__ __builtins__ __cached__ __class__ __file__ __module__ __path__ __qualname__ __version__ "
    "BaseExceptionGroup EncodingWarning ExceptionGroup PythonFinalizationError WindowsError aiter anext copyright "
    "credits exit help license quit".split()
)
"""What modules and classes have, and built-in names of Python up to 3.14 that another version or platform lacks."""

SCOPE_TABLE = ScopeTable(
    names={"identifier": Namespace.VALUE},
    scopes={
        "function_definition": ScopeKind.FUNCTION,
        "lambda": ScopeKind.FUNCTION,
        "class_definition": ScopeKind.CLASS,
        "list_comprehension": ScopeKind.COMPREHENSION,
        "set_comprehension": ScopeKind.COMPREHENSION,
        "dictionary_comprehension": ScopeKind.COMPREHENSION,
        "generator_expression": ScopeKind.COMPREHENSION,
    },
    edges={
        ("function_definition", "name"): Edge(Action.BIND, "function", Target.OUTER),
        ("function_definition", "return_type"): _OUTSIDE,
        ("function_definition", "type_parameters"): Edge(Action.BIND, "type-parameter"),
        ("class_definition", "name"): Edge(Action.BIND, "class", Target.OUTER),
        ("class_definition", "superclasses"): _OUTSIDE,
        ("class_definition", "type_parameters"): Edge(Action.BIND, "type-parameter"),
        ("constrained_type", None): Edge(Action.USE),
        ("parameters", None): _PARAMETER,
        ("lambda_parameters", None): _PARAMETER,
        ("default_parameter", "name"): _PARAMETER,
        ("default_parameter", "value"): _OUTSIDE,
        ("typed_parameter", None): _PARAMETER,
        ("typed_parameter", "type"): _OUTSIDE,
        ("typed_default_parameter", "name"): _PARAMETER,
        ("typed_default_parameter", "type"): _OUTSIDE,
        ("typed_default_parameter", "value"): _OUTSIDE,
        ("assignment", "left"): _VARIABLE,
        ("augmented_assignment", "left"): _VARIABLE,
        ("for_statement", "left"): _VARIABLE,
        ("for_in_clause", "left"): _VARIABLE,
        ("named_expression", "name"): Edge(Action.BIND, "variable", Target.FUNCTION),
        ("as_pattern_target", None): _VARIABLE,
        ("delete_statement", None): _VARIABLE,
        ("type_alias_statement", "left"): _VARIABLE,
        ("case_clause", None): _VARIABLE,
        ("class_pattern", ">case_pattern"): _VARIABLE,
        ("keyword_pattern", None): _VARIABLE,
        ("keyword_pattern", ">identifier"): _IGNORED,
        ("dict_pattern", "key"): Edge(Action.USE),
        ("case_clause", "guard"): Edge(Action.USE),
        ("global_statement", None): Edge(Action.GLOBAL),
        ("nonlocal_statement", None): Edge(Action.NONLOCAL),
        ("import_statement", "name"): Edge(Action.IMPORT_ROOT, "import"),
        ("import_from_statement", "name"): _IMPORT,
        ("import_from_statement", "module_name"): _IGNORED,
        ("relative_import", None): _IGNORED,
        ("future_import_statement", "name"): _IGNORED,
        ("aliased_import", "name"): Edge(Action.IMPORTED),
        ("aliased_import", "alias"): _IMPORT,
        ("attribute", "attribute"): Edge(Action.ATTRIBUTE),
        ("keyword_argument", "name"): Edge(Action.KEYWORD),
    },
    transparent=frozenset(
        {
            "pattern_list", "tuple_pattern", "list_pattern", "list_splat_pattern", "dictionary_splat_pattern",
            "expression_list", "tuple", "list", "list_splat", "parenthesized_expression", "type", "type_parameter",
            "case_pattern", "union_pattern", "dict_pattern", "splat_pattern", "as_pattern", "dotted_name",
            "aliased_import", "generic_type", "splat_type",
        }
    ),
    before_sign={"constrained_type": (":", Edge(Action.BIND, "type-parameter"))},
    dotted=frozenset({"dotted_name"}),
    first_outside={("for_in_clause", "right"): frozenset({"for_in_clause", "if_clause"})},
    classes=ClassTable(
        bodies={"class_definition": "body"},
        bases={"class_definition": ("superclasses",)},
        static_decorators=frozenset({"staticmethod"}),
        property_decorators=frozenset({"property", "cached_property", "functools.cached_property"}),
        constructor="__init__",
        super_function="super",
        explicit_self=True,
        members_by_assignment=True,
        scope_is_inherited=False,
    ),
    wrappers={"decorated_definition": "definition"},
    functions={"function_definition": "parameters", "lambda": "parameters"},
    attributes={"attribute": ("object", "attribute")},
    calls={"call": ("function", "arguments")},
    parameters=ParameterTable(
        optional=frozenset({"default_parameter", "typed_default_parameter"}),
        rest=frozenset({"list_splat_pattern", "dictionary_splat_pattern", "list_splat", "dictionary_splat"}),
        separators=frozenset({"keyword_separator", "positional_separator"}),
        keyword_arguments=frozenset({"keyword_argument"}),
    ),
    literals=LiteralTable(
        class_patterns={"keyword_pattern": "class_pattern"},
    ),
    types=TypeTable(
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
        results={"function_definition": "return_type"},
        declared={"typed_parameter": "type", "typed_default_parameter": "type", "assignment": "type"},
        initial_values={"assignment": "right", "named_expression": "value"},
    ),
    layers=LayerTable(
        generic={
            **dict.fromkeys(
                "AsyncIterable AsyncIterator Collection Deque Iterable Iterator List MutableSequence Sequence Set "
                "deque frozenset list set".split(),
                (ELEMENT, 0),
            ),
            **dict.fromkeys(("Dict", "Mapping", "MutableMapping", "defaultdict", "dict"), (VALUE, 1)),
            "Awaitable": (AWAITED, 0),
        },
        results_inside=True,
        wrappers={"await": AWAITED},
        subscripts={"subscript": "value"},
        slices=frozenset({"slice"}),
        loops={"for_statement": "right", "for_in_clause": "right"},
        taking={"get": VALUE, "pop": ITEM, "popleft": ELEMENT},
        keeping=frozenset({"copy"}),
        keeping_maps=frozenset({"copy"}),
        map_values=frozenset({"values"}),
        passing=frozenset({"frozenset", "iter", "list", "reversed", "set", "sorted", "tuple"}),
        counting=frozenset({"enumerate"}),
        pairing={"items": VALUE},
        zipping=frozenset({"zip"}),
        awaitable=frozenset({"__await__"}),
        homes=("collections", "typing", "typing_extensions"),
        always_imported=True,
    ),
    imports=ImportTable(
        statements=frozenset({"import_statement", "import_from_statement"}),
        aliases=frozenset({"aliased_import"}),
        modules={"import_from_statement": "module_name"},
        form="from {module} import {name}",
        module_form="import {name}",
        export_list="__all__",
        declaring_words=("def", "class"),
        wildcards={"import_from_statement": "wildcard_import"},
    ),
    quotations=QuotationTable(
        texts=frozenset({"string"}),
        annotations=frozenset({"type"}),
        subscripts=frozenset({"generic_type", "subscript"}),
        generic=frozenset({"Callable", "NotRequired", "Required", "Tuple", "Type", "Union", "tuple", "type"}),
        verbatim=frozenset({"Literal"}),
        first_only=frozenset({"Annotated"}),
        aliases=frozenset({"TypeAlias"}),
        calls={"cast": range(1), "NewType": range(1, 2), "TypeVar": range(1, 16), "ParamSpec": range(0)},
        keywords=frozenset({"bound", "default"}),
        holders=frozenset(
            {
                "argument_list", "binary_operator", "expression_list", "keyword_argument", "list",
                "parenthesized_expression", "set", "tuple", "type_parameter",
            }
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
