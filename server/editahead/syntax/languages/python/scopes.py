"""The rules of names of Python."""

from __future__ import annotations

import builtins
import keyword

from editahead.syntax import construct_tables as tables
from editahead.syntax.construct_tables import AWAITED, ELEMENT, ITEM, VALUE
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target
from editahead.syntax.table_notation import by_word, edges_of, scopes_of, words

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
    parameters=tables.ParameterTable(
        optional=frozenset({"default_parameter", "typed_default_parameter"}),
        rest=frozenset({"list_splat_pattern", "dictionary_splat_pattern", "list_splat", "dictionary_splat"}),
        separators=frozenset({"keyword_separator", "positional_separator"}),
        keyword_arguments=frozenset({"keyword_argument"}),
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
        results={"function_definition": "return_type"},
        declared={"typed_parameter": "type", "typed_default_parameter": "type", "assignment": "type"},
        initial_values={"assignment": "right", "named_expression": "value"},
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
    imports=tables.ImportTable(
        statements=frozenset({"import_statement", "import_from_statement"}),
        aliases=frozenset({"aliased_import"}),
        modules={"import_from_statement": "module_name"},
        form="from {module} import {name}",
        module_form="import {name}",
        export_list="__all__",
        declaring_words=("def", "class"),
        wildcards={"import_from_statement": "wildcard_import"},
    ),
    quotations=tables.QuotationTable(
        texts=frozenset({"string"}),
        annotations=frozenset({"type"}),
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
