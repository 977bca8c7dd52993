"""Java: rules of names, tokens, and which names a file declares with which types."""

from __future__ import annotations

import re

import tree_sitter

from editahead.syntax import construct_tables as tables
from editahead.syntax.construct_tables import CONTENT, ELEMENT, ITEM, VALUE, FlowTable
from editahead.syntax.language_definition import Ancestors, Language, Role, text_of
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target
from editahead.syntax.string_syntax import TRIPLE_QUOTED, Cutter
from editahead.syntax.table_notation import by_word, edges_of, scopes_of, words

_BODIES = by_word({
    "body": "class_declaration interface_declaration enum_declaration record_declaration annotation_type_declaration",
})  # fmt: skip

SCOPE_TABLE = ScopeTable(
    names={"identifier": Namespace.VALUE, "type_identifier": Namespace.TYPE},
    scopes={
        **dict.fromkeys(_BODIES, ScopeKind.CLASS),
        **scopes_of({
            ScopeKind.CLASS: "object_creation_expression/class_body enum_constant/class_body",
            ScopeKind.FUNCTION: "method_declaration constructor_declaration compact_constructor_declaration "
                "lambda_expression",
            ScopeKind.BLOCK: "block for_statement enhanced_for_statement try_with_resources_statement catch_clause "
                "labeled_statement switch_block switch_rule",
        }),
    },
    edges={
        **{(kind, "name"): Edge(Action.BIND, "class", Target.OUTER, Namespace.TYPE) for kind in _BODIES},
        **edges_of({
            Edge(Action.USE, target=Target.OUTER, namespace=Namespace.TYPE): "constructor_declaration.name "
                "compact_constructor_declaration.name",
            Edge(Action.BIND, "function", Target.OUTER, Namespace.METHOD): "method_declaration.name",
            Edge(Action.BIND, "function", namespace=Namespace.METHOD): "annotation_type_element_declaration.name",
            Edge(Action.BIND, "type-parameter", namespace=Namespace.TYPE): "type_parameter",
            Edge(Action.BIND, "parameter", namespace=Namespace.VALUE): "formal_parameter.name "
                "catch_formal_parameter.name inferred_parameters lambda_expression.parameters",
            Edge(Action.BIND, "variable", namespace=Namespace.VALUE): "variable_declarator.name "
                "enhanced_for_statement.name resource.name instanceof_expression.name record_pattern_component "
                "type_pattern",
            Edge(Action.USE, namespace=Namespace.TYPE): "record_pattern annotation.name marker_annotation.name",
            Edge(Action.BIND, "field", namespace=Namespace.VALUE): "enum_constant.name",
            Edge(Action.IGNORE): "element_value_pair.key scoped_identifier.name package_declaration",
            Edge(Action.ATTRIBUTE, namespace=Namespace.VALUE): "field_access.field",
            Edge(Action.ATTRIBUTE, namespace=Namespace.METHOD): "method_invocation.name",
            Edge(Action.BIND, "import", namespace=Namespace.TYPE): "import_declaration",
            Edge(Action.BIND, "label", namespace=Namespace.LABEL): "labeled_statement>identifier",
            Edge(namespace=Namespace.LABEL): "break_statement>identifier continue_statement>identifier",
        }),
    },
    classes=tables.ClassTable(
        accessors=frozenset({"record_declaration"}),
        bodies=_BODIES,
        member_lists=frozenset({"enum_body_declarations"}),
        bases={
            "class_declaration": ("superclass", "interfaces"), "record_declaration": ("interfaces",),
            "enum_declaration": ("interfaces",), "interface_declaration": ("extends_interfaces",),
        },
        this_nodes=frozenset({"this"}),
        super_nodes=frozenset({"super"}),
        case_labels={"switch_label": {"switch_expression": "condition"}},
        member_modifiers={
            "method_declaration": False, "field_declaration": True, "constant_declaration": True, "enum_constant": True,
        },
        instance_members=frozenset({"field_declaration", "method_declaration", "record_declaration"}),
        static_scopes=words(
            "static_initializer interface_declaration enum_declaration record_declaration annotation_type_declaration"
        ),
        object_members=words(
            "clone compareTo equals getClass getDeclaringClass hashCode name notify notifyAll ordinal toString valueOf "
            "values wait"
        ),
        generators=(b"lombok", b"immutables"),
        overloads=True,
    ),
    transparent=frozenset({"scoped_identifier"}),
    dotted_last=frozenset({"scoped_identifier"}),
    qualified={"method_reference": ("::", Namespace.METHOD), "scoped_type_identifier": (".", Namespace.TYPE)},
    functions=by_word({"parameters": "method_declaration constructor_declaration lambda_expression"}),
    attributes={"field_access": ("object", "field")},
    method_calls={"method_invocation": ("object", "name")},
    creations={"object_creation_expression": "type"},
    parameters=tables.ParameterTable(rest=frozenset({"spread_parameter"})),
    types=tables.TypeTable(
        casts=frozenset({"cast_expression"}),
        array_sign="dimensions",
        same_class=frozenset({"parenthesized_expression"}),
        qualified=frozenset({"scoped_type_identifier"}),
        generic=frozenset({"generic_type"}),
        inferred=frozenset({"var"}),
        results={"method_declaration": "type"},
        declared={
            "formal_parameter": "type", "local_variable_declaration": "type", "field_declaration": "type",
            "enhanced_for_statement": "type", "resource": "type", "instanceof_expression": "right",
            "constant_declaration": "type", "type_pattern": "0",
        },
        initial_values={"variable_declarator": "value", "resource": "value"},
    ),
    layers=tables.LayerTable(
        generic=by_word({
            (ELEMENT, 0): "ArrayDeque ArrayList Arrays Collection Deque HashSet Iterable Iterator LinkedHashSet "
                "LinkedList List Queue Set SortedSet Stream TreeSet Vector",
            (VALUE, 1): "ConcurrentHashMap ConcurrentMap Entry HashMap LinkedHashMap Map SortedMap TreeMap",
            (CONTENT, 0): "AtomicReference Callable CompletableFuture CompletionStage Future Optional Supplier",
        }),
        nodes={"array_type": ELEMENT},
        subscripts={"array_access": "array"},
        loops={"enhanced_for_statement": "value"},
        taking={
            "get": ITEM,
            **dict.fromkeys("compute computeIfAbsent computeIfPresent getOrDefault getValue merge".split(), VALUE),
            **dict.fromkeys("element getFirst getLast next poll pop".split(), ELEMENT),
            **dict.fromkeys("call join orElse orElseGet orElseThrow".split(), ITEM),
        },
        keeping=words(
            "distinct dropWhile filter findAny findFirst iterator limit max min or parallel parallelStream reduce "
            "reversed peek sequential skip sorted stream subList takeWhile toList unordered"
        ),
        map_values=frozenset({"values"}),
        homes=("java",),
        always_imported=True,
        visiting=words(
            "allMatch anyMatch dropWhile filter flatMap forEach ifPresent ifPresentOrElse map mapToDouble mapToInt "
            "mapToLong max min noneMatch peek reduce removeIf replaceAll sort sorted takeWhile thenAccept thenApply "
            "thenCompose"
        ),
        comparing=frozenset({"forEach", "max", "min", "reduce", "sort", "sorted"}),
        mapping={"flatMap": ITEM, "map": "", "thenApply": "", "thenCompose": ITEM},
        collecting=frozenset({"asList", "of", "ofNullable"}),
        pairs_are_maps=True,
        entries=frozenset({"entrySet"}),
    ),
    flow=FlowTable(
        tests=frozenset({"instanceof_expression"}),
        patterns=frozenset({"record_pattern", "record_pattern_body", "record_pattern_component", "type_pattern"}),
        brackets=frozenset({"parenthesized_expression"}),
        negations={"unary_expression": "!"},
        both={"binary_expression": "&&"},
        either={"binary_expression": "||"},
        branches={
            "if_statement": (("consequence",), ("alternative",)),
            "ternary_expression": (("consequence",), ("alternative",)),
            "while_statement": (("body",), ()), "for_statement": (("update", "body"), ()), "do_statement": ((), ()),
        },
        choices=frozenset({"if_statement"}),
        loops=frozenset({"while_statement", "for_statement", "do_statement"}),
        lists=frozenset({"block", "constructor_body", "switch_block_statement_group"}),
        staying=words("expression_statement local_variable_declaration assert_statement class_declaration"),
        unclear=frozenset({"guard"}),
    ),
    imports=tables.ImportTable(
        statements=frozenset({"import_declaration"}),
        modules={"import_declaration": ""},
        form="import {module};",
        declaring_words=("class", "interface", "enum", "record"),
        wildcards={"import_declaration": "asterisk"},
        folder_is_one_module=True,
        packages=tables.BY_PACKAGES,
        names_package=True,
    ),
    hoisted=False,
    member_words=frozenset({"class", "new", "super", "this"}),
    name_signs="$",
    keywords=words(
        "abstract assert boolean break byte case catch char class const continue default do double else enum extends "
        "final finally float for goto if implements import instanceof int interface long native new null package "
        "private protected public return short static strictfp super switch synchronized this throw throws transient "
        "try void volatile while true false"
    ),
    builtins=words(
        "String Object Integer Long Double Float Boolean Byte Short Character Number Math System Thread Runnable Void "
        "Iterable Comparable CharSequence StringBuilder Exception RuntimeException Throwable Error Class Enum Record "
        "Override Deprecated"
    ),
)  # fmt: skip

_BY_PARENT = edges_of({
    Role.CLASS: "class_declaration.name interface_declaration.name enum_declaration.name record_declaration.name "
        "annotation_type_declaration.name constructor_declaration.name type_parameter",
    Role.FUNCTION: "method_declaration.name annotation_type_element_declaration.name",
    Role.PARAMETER: "formal_parameter.name catch_formal_parameter.name inferred_parameters "
        "lambda_expression.parameters",
    Role.VARIABLE: "enhanced_for_statement.name resource.name instanceof_expression.name",
    Role.ATTRIBUTE: "enum_constant.name",
    Role.ATTRIBUTE_USE: "field_access.field method_invocation.name",
})  # fmt: skip
_BUILT_IN = frozenset({"byte", "short", "int", "long", "float", "double", "boolean", "char", "void"})


def _declared_type(declaration: tree_sitter.Node, data: bytes) -> str | None:
    """The declared type without type arguments; all primitive types share a tag; `var` says nothing."""
    node = declaration.child_by_field_name("type")
    if node is None:
        return None
    text = text_of(node, data).split("<", 1)[0].replace("[]", "").rsplit(".", 1)[-1].strip()
    if text in _BUILT_IN:
        return "builtin"
    return None if text == "var" or not text.isidentifier() else text


def _role_of(node: tree_sitter.Node, ancestors: Ancestors, field: str | None, data: bytes) -> tuple[Role, str | None]:
    if not ancestors:
        return Role.USE, None
    parent = ancestors[-1][0]
    if parent.type == "variable_declarator" and field == "name":
        if len(ancestors) < 2:
            return Role.VARIABLE, None
        declaration = ancestors[-2][0]
        if declaration.type in ("field_declaration", "constant_declaration"):
            return Role.ATTRIBUTE, _declared_type(declaration, data)
        if declaration.type == "spread_parameter":
            return Role.PARAMETER, None
        return Role.VARIABLE, _declared_type(declaration, data)
    role = _BY_PARENT.get((parent.type, field))
    if role is None:
        return Role.USE, None
    if (
        role is Role.ATTRIBUTE_USE
        and parent.type == "method_invocation"
        and parent.child_by_field_name("object") is None
    ):
        return Role.USE, None
    if role in (Role.PARAMETER, Role.VARIABLE):
        return role, _declared_type(parent, data)
    return role, None


_CUT = Cutter(re.compile(rb"""\"{3}|["']|//|/\*|^}""", re.MULTILINE), after=frozenset({b"}"}))

JAVA = Language(
    id="java",
    extensions=(".java",),
    comment_nodes=frozenset({"line_comment", "block_comment"}),
    string_nodes=frozenset({"string_literal", "character_literal"}),
    interpolation_nodes=frozenset({"string_interpolation"}),
    number_nodes=words(
        "decimal_integer_literal hex_integer_literal octal_integer_literal binary_integer_literal "
        "decimal_floating_point_literal hex_floating_point_literal"
    ),
    scope_nodes=frozenset({"method_declaration", "constructor_declaration", "lambda_expression"}),
    line_comment="//",
    role_of=_role_of,
    scopes=SCOPE_TABLE,
    editor_ids=("java",),
    long_texts=(TRIPLE_QUOTED,),
    cut=_CUT,
)
