"""C#: strings, rules of names, tokens, and where a large file may be cut."""

from __future__ import annotations

import re

from editahead.syntax import construct_tables as tables
from editahead.syntax.construct_tables import AWAITED, CONTENT, ELEMENT, ITEM, VALUE
from editahead.syntax.language_definition import Language, role_rule
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target
from editahead.syntax.string_syntax import CHARACTER, DOUBLE, ESCAPED, Cutter, LongText, StringPatterns
from editahead.syntax.table_notation import by_word, edges_of, words

STRING_PATTERNS = StringPatterns(
    (rb'\$*""".*?(?:"""+|\Z)', rb'(?:\$@|@\$|@)"[^"]*(?:""[^"]*)*(?:"|\Z)', rb"\$?" + DOUBLE, CHARACTER)
)

_BRACES = rb"\{\{"  # a brace that is no code


def _raw_code(opening: bytes) -> bytes:
    """As many braces as there are signs before the quotes; more are text, up to the last of them."""
    return rb"\{{%d,}" % opening.count(b"$")


LONG_TEXTS = (
    LongText(rb'\${1,8}"{3,8}', b'$"""', lambda opening: opening.lstrip(b"$"), code=_raw_code),
    LongText(rb'"{3,8}', b'"""'),
    LongText(rb'(?:\$@|@\$)"', b"$", lambda _: b'"', skipped=rb'""|' + _BRACES, code=lambda _: rb"\{"),
    LongText(rb'@"', b'@"', lambda _: b'"', skipped=rb'""'),
    LongText(rb'\$"', b'$"', lambda _: b'"', skipped=ESCAPED + b"|" + _BRACES, code=lambda _: rb"\{", one_line=True),
)

_VARIABLE = Edge(Action.BIND, "variable")
_CLASS = Edge(Action.BIND, "class", Target.OUTER, Namespace.TYPE)
_TYPE = Edge(Action.USE, namespace=Namespace.TYPE)
_KEY = Edge(Action.KEYWORD)
_IGNORED = Edge(Action.IGNORE)
_BODIES = by_word({
    "body": "class_declaration struct_declaration interface_declaration record_declaration enum_declaration",
})  # fmt: skip
_PARTIAL = ("class_declaration", "struct_declaration", "interface_declaration", "record_declaration")
_FUNCTIONS = by_word({
    "parameters": "method_declaration constructor_declaration destructor_declaration local_function_statement "
        "lambda_expression anonymous_method_expression operator_declaration indexer_declaration "
        "conversion_operator_declaration delegate_declaration",
})  # fmt: skip
_BLOCKS = (
    "block", "for_statement", "foreach_statement", "while_statement", "using_statement", "fixed_statement",
    "catch_clause", "switch_section", "switch_expression_arm", "arrow_expression_clause", "query_expression",
)  # fmt: skip
_TYPED = words(
    "variable_declaration parameter parameter_list property_declaration event_declaration indexer_declaration "
    "operator_declaration conversion_operator_declaration delegate_declaration local_function_statement "
    "declaration_expression declaration_pattern recursive_pattern type_pattern foreach_statement catch_declaration "
    "object_creation_expression array_creation_expression cast_expression typeof_expression default_expression "
    "sizeof_expression tuple_element type_parameter_constraint from_clause join_clause stackalloc_expression"
)  # fmt: skip
_NO_NAMES = words(
    "using_directive namespace_declaration file_scoped_namespace_declaration extern_alias_directive "
    "attribute_target_specifier preproc_if preproc_elif preproc_define preproc_undef preproc_pragma"
)  # fmt: skip

SCOPE_TABLE = ScopeTable(
    names={"identifier": Namespace.VALUE, "implicit_parameter": Namespace.VALUE},
    scopes={
        **dict.fromkeys(_BODIES, ScopeKind.CLASS),
        **dict.fromkeys(_FUNCTIONS, ScopeKind.FUNCTION),
        **dict.fromkeys(_BLOCKS, ScopeKind.BLOCK),
        "accessor_declaration": ScopeKind.FUNCTION,
    },
    edges={
        **{(kind, "name"): _CLASS for kind in _BODIES},
        **{(kind, "type"): _TYPE for kind in _TYPED},
        **{(kind, ">identifier"): _IGNORED for kind in _NO_NAMES},
        **{
            (f"{kind}/qualified_name", field): _IGNORED
            for kind in (*_NO_NAMES, "qualified_name")
            for field in ("qualifier", "name")
        },
        **edges_of({
            Edge(namespace=Namespace.LABEL): "goto_statement>identifier",
            Edge(Action.BIND, "import", namespace=Namespace.TYPE): "using_directive.name>identifier",
            _CLASS: "delegate_declaration.name",
            Edge(Action.BIND, "type-parameter", namespace=Namespace.TYPE): "type_parameter.name",
            _TYPE: "type_parameter_constraints_clause>identifier type_argument_list base_list "
                "explicit_interface_specifier as_expression.right is_expression.right attribute.name "
                "qualified_name.qualifier method_declaration.returns",
            Edge(): "base_list>argument_list",
            _IGNORED: "attribute_argument.name tuple_element.name",
            Edge(Action.ATTRIBUTE, namespace=Namespace.TYPE): "qualified_name.name",
            Edge(Action.USE, target=Target.OUTER, namespace=Namespace.TYPE): "constructor_declaration.name "
                "destructor_declaration.name",
            Edge(Action.BIND, "function", Target.OUTER): "method_declaration.name local_function_statement.name",
            Edge(Action.BIND, "parameter"): "parameter.name parameter_list.name lambda_expression>implicit_parameter",
            Edge(Action.BIND, "field"): "property_declaration.name event_declaration.name enum_member_declaration.name",
            _VARIABLE: "variable_declarator.name declaration_expression.name declaration_pattern.name "
                "recursive_pattern.name var_pattern.name parenthesized_variable_designation.name tuple_pattern.name "
                "foreach_statement.left>identifier catch_declaration.name from_clause.name",
            Edge(target=Target.OUTER): "foreach_statement.right",
            _KEY: "initializer_expression/assignment_expression.left argument.name",
            Edge(namespace=Namespace.EITHER): "member_access_expression.expression",
            Edge(Action.ATTRIBUTE): "member_access_expression.name member_binding_expression.name",
        }),
    },
    implicit_names={"accessor_declaration": dict.fromkeys(("set", "init", "add", "remove"), "value")},
    transparent=frozenset({"generic_name", "nullable_type", "array_type", "pointer_type", "ref_type", "scoped_type"}),
    nested=frozenset({"assignment_expression", "qualified_name"}),
    before_sign={
        "anonymous_object_creation_expression": ("=", _IGNORED),
        "with_initializer": ("=", _IGNORED),
        "let_clause": ("=", _VARIABLE),
        "subpattern": (":", _KEY),
        "labeled_statement": (":", Edge(Action.BIND, "label", namespace=Namespace.LABEL)),
        "join_clause": ("in", _VARIABLE),
    },
    literals=tables.LiteralTable(
        keys=by_word({"type": "object_creation_expression implicit_object_creation_expression recursive_pattern"}),
        copies={"with_initializer": "with_expression"},
        untyped=frozenset({"implicit_object_creation_expression"}),
        lists=frozenset({"initializer_expression"}),
        inferred_keys=frozenset({"anonymous_object_creation_expression"}),
        key_sign=" = ",
    ),
    patterns=tables.PatternTable(
        objects=frozenset({"recursive_pattern"}),
        keyed=frozenset({"subpattern"}),
        key_lists=frozenset({"property_pattern_clause"}),
        paths=frozenset({"member_access_expression"}),
        matched={"is_pattern_expression": "expression", "switch_expression": "", "switch_statement": "value"},
        around=words(
            "and_pattern negated_pattern or_pattern parenthesized_pattern property_pattern_clause switch_body "
            "switch_expression_arm switch_section"
        ),
        both={"and_pattern": "left"},
        classless=frozenset({"negated_pattern", "null_literal"}),  # `not null and a` is read as `not (null and a)`
    ),
    types=tables.TypeTable(
        casts=frozenset({"cast_expression", "as_expression"}),
        same_class=frozenset({"parenthesized_expression", "with_expression"}),
        wrappers={"nullable_type": "", "pointer_type": ""},
        qualified=frozenset({"qualified_name"}),
        generic=frozenset({"generic_name"}),
        value_wrappers=frozenset({"parenthesized_expression"}),
        inferred=frozenset({"var"}),
        returns=frozenset({"return_statement"}),
        result_clauses=frozenset({"arrow_expression_clause"}),
        value_places={"variable_declarator": "=", "property_declaration": "value"},
        assignments={"assignment_expression": "left"},
        results={"method_declaration": "returns", "local_function_statement": "type"},
        declared=by_word({
            "type": "variable_declaration parameter property_declaration declaration_expression declaration_pattern "
                "recursive_pattern foreach_statement catch_declaration",
        }),
        initial_values={"variable_declarator": "="},
    ),
    layers=tables.LayerTable(
        generic=by_word({
            (ELEMENT, 0): "HashSet ICollection IEnumerable IList IQueryable IReadOnlyCollection IReadOnlyList ISet "
                "List Queue Stack",
            (VALUE, 1): "ConcurrentDictionary Dictionary IDictionary IReadOnlyDictionary KeyValuePair",
            (CONTENT, 0): "Lazy",
            (AWAITED, 0): "Task ValueTask",
        }),
        nodes={"array_type": ELEMENT},
        wrappers={"await_expression": AWAITED},
        suffixes={"!": "", "?": ""},
        subscripts={"element_access_expression": "expression"},
        slices=frozenset({"range_expression"}),
        loops={"foreach_statement": "right"},
        taking=by_word({
            ITEM: "Value",
            AWAITED: "Result",
            ELEMENT: "Dequeue ElementAt Find First FirstOrDefault Last LastOrDefault Peek Pop Single SingleOrDefault",
        }),
        keeping=words(
            "AsEnumerable Concat ConfigureAwait Distinct OrderBy OrderByDescending Reverse Skip Take ThenBy ToArray "
            "ToList Where"
        ),
        awaitable=frozenset({"GetAwaiter"}),
        visiting=words(
            "All Any Count First FirstOrDefault ForEach GroupBy Last Max Min OrderBy OrderByDescending Select "
            "SelectMany Single SingleOrDefault Sum ThenBy ToDictionary Where"
        ),
        mapping={"Select": "", "SelectMany": ITEM},
        map_values=frozenset({"Values"}),
        casting=frozenset({"Cast", "OfType"}),
        out_arguments={"TryGetValue": VALUE, **dict.fromkeys(("TryDequeue", "TryPeek", "TryPop"), ELEMENT)},
        properties=True,
        sequence="IEnumerable",
        pairs_are_maps=True,
    ),
    classes=tables.ClassTable(
        bodies=_BODIES,
        attribute_suffix="Attribute",
        extending="this",
        member_lists=words("namespace_declaration declaration_list preproc_if preproc_elif preproc_else"),
        parts=dict.fromkeys(_PARTIAL, "partial"),
        type_parameters="type_parameter_list",
        bases=dict.fromkeys(_BODIES, ("base_list",)),
        member_modifiers={
            "method_declaration": False, "property_declaration": False, "event_declaration": False,
            "event_field_declaration": False, "field_declaration": True,
        },
        private_inside=frozenset(_PARTIAL) - {"interface_declaration"},
        this_nodes=frozenset({"this"}),
        super_nodes=frozenset({"base"}),
        overloads=True,
        named_constructors=True,
        constructor_calls=frozenset({"constructor_initializer"}),
        base_calls={"primary_constructor_base_type": "type"},
    ),
    functions=_FUNCTIONS,
    attributes={
        "member_access_expression": ("expression", "name"), "qualified_name": ("qualifier", "name"),
        "conditional_access_expression": ("condition", "name"),
    },
    conditional_members=frozenset({"member_binding_expression"}),
    calls={"invocation_expression": ("function", "arguments")},
    creations={"object_creation_expression": "type"},
    parameters=tables.ParameterTable(
        rest=frozenset({"array_type"}),  # `params int[] all`, which the grammar does not hold together
        keyword_arguments=frozenset({"argument"}),
        keyword_sign=": ",
    ),
    hoisted=False,
    keywords=words(
        "abstract as base bool break byte case catch char checked class const continue decimal default delegate do "
        "double else enum event explicit extern false finally fixed float for foreach goto if implicit in int "
        "interface internal is lock long namespace new null object operator out override params private protected "
        "public readonly ref return sbyte sealed short sizeof stackalloc static string struct switch this throw true "
        "try typeof uint ulong unchecked unsafe ushort using virtual void volatile while"
    ),
    builtins=words(
        "Action Array Attribute Boolean Byte Char Console Convert DateTime Decimal Dictionary Double Enum Environment "
        "Exception Func GC Guid HashSet IDisposable IEnumerable Int16 Int32 Int64 Lazy List Math Nullable Object Queue "
        "Random Span Stack String StringBuilder Task TimeSpan Tuple Type Uri Version nameof value var"
    ),
    imports=tables.ImportTable(folder_is_one_module=True, packages=tables.BY_NAMESPACES),
)  # fmt: skip

C_SHARP = Language(
    id="c_sharp",
    extensions=(".cs",),
    string_nodes=words(
        "string_literal verbatim_string_literal raw_string_literal character_literal interpolated_string_expression"
    ),
    number_nodes=frozenset({"integer_literal", "real_literal"}),
    bare_text_nodes=frozenset({"interpolation_format_clause"}),
    scope_nodes=frozenset(SCOPE_TABLE.functions),
    line_comment="//",
    numbers_have_members=True,
    role_of=role_rule(SCOPE_TABLE),
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    long_texts=LONG_TEXTS,
    aliases=("csharp",),
    editor_ids=("csharp",),
    cut=Cutter(re.compile(rb"""["']|//|/\*|^}""", re.MULTILINE), after=frozenset({b"}"})),
)  # fmt: skip
