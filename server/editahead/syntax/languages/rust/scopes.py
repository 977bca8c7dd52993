"""The rules of names of Rust."""

from __future__ import annotations

from editahead.syntax.construct_tables import (
    AWAITED,
    CONTENT,
    ELEMENT,
    ITEM,
    VALUE,
    ClassTable,
    ImportTable,
    LayerTable,
    LiteralTable,
    MacroTable,
    ParameterTable,
    TypeTable,
)
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target

_VARIABLE = Edge(Action.BIND, "variable", namespace=Namespace.VALUE)
_PARAMETER = Edge(Action.BIND, "parameter", namespace=Namespace.VALUE)
_FUNCTION = Edge(Action.BIND, "function", Target.OUTER, Namespace.VALUE)
_CLASS = Edge(Action.BIND, "class", Target.OUTER, Namespace.TYPE)
_IMPORT = Edge(Action.BIND, "import", namespace=Namespace.TYPE)
_MEMBER = Edge(Action.ATTRIBUTE, namespace=Namespace.VALUE)
_LIFETIME = Edge(Action.BIND, "type-parameter", namespace=Namespace.LABEL)
_TYPE = Edge(namespace=Namespace.TYPE)
_USE = Edge(Action.USE)
_IGNORED = Edge(Action.IGNORE)

SCOPE_TABLE = ScopeTable(
    names={
        "identifier": Namespace.VALUE,
        "field_identifier": Namespace.VALUE,
        "shorthand_field_identifier": Namespace.VALUE,
        "type_identifier": Namespace.TYPE,
    },
    scopes={
        "function_item": ScopeKind.FUNCTION,
        "function_signature_item": ScopeKind.FUNCTION,
        "closure_expression": ScopeKind.FUNCTION,
        "struct_item": ScopeKind.CLASS,
        "enum_item": ScopeKind.CLASS,
        "enum_variant": ScopeKind.CLASS,
        "union_item": ScopeKind.CLASS,
        "trait_item": ScopeKind.CLASS,
        "impl_item": ScopeKind.CLASS,
        "block": ScopeKind.BLOCK,
        "loop_expression": ScopeKind.BLOCK,
        "for_expression": ScopeKind.BLOCK,
        "if_expression": ScopeKind.BLOCK,
        "while_expression": ScopeKind.BLOCK,
        "match_arm": ScopeKind.COMPREHENSION,  # `A(x) | B(x)` binds a single x
        "mod_item": ScopeKind.COMPREHENSION,
    },
    edges={
        ("function_item", "name"): _FUNCTION,
        ("function_signature_item", "name"): _FUNCTION,
        ("struct_item", "name"): _CLASS,
        ("enum_item", "name"): _CLASS,
        ("union_item", "name"): _CLASS,
        ("trait_item", "name"): _CLASS,
        ("type_item", "name"): Edge(Action.BIND, "class", namespace=Namespace.TYPE),
        ("associated_type", "name"): Edge(Action.BIND, "class", namespace=Namespace.TYPE),
        ("mod_item", "name"): Edge(Action.BIND, "variable", Target.OUTER, Namespace.TYPE),
        ("type_parameter", "name"): Edge(Action.BIND, "type-parameter", namespace=Namespace.TYPE),
        ("const_parameter", "name"): Edge(Action.BIND, "type-parameter", namespace=Namespace.TYPE),
        ("field_declaration", "name"): Edge(Action.BIND, "field", namespace=Namespace.FIELD),
        ("enum_variant", "name"): Edge(Action.BIND, "field", Target.OUTER, Namespace.VALUE),
        ("const_item", "name"): _VARIABLE,
        ("static_item", "name"): _VARIABLE,
        ("let_declaration", "pattern"): _VARIABLE,
        ("let_condition", "pattern"): _VARIABLE,
        ("if_expression", "alternative"): Edge(target=Target.OUTER),  # what its condition binds is not seen there
        ("for_expression", "pattern"): _VARIABLE,
        ("for_expression", "value"): Edge(Action.USE, target=Target.OUTER),
        ("match_arm", "pattern"): _VARIABLE,
        ("match_pattern", "condition"): _USE,
        ("parameter", "pattern"): _PARAMETER,
        ("closure_parameters", None): _PARAMETER,
        ("closure_parameters", ">parameter"): _USE,
        ("tuple_struct_pattern", "type"): _USE,
        ("struct_pattern", "type"): _USE,
        ("field_pattern", ">field_identifier"): Edge(Action.KEYWORD, namespace=Namespace.FIELD),
        ("field_initializer", "field"): Edge(Action.KEYWORD, namespace=Namespace.FIELD),
        ("range_pattern", "left"): _USE,
        ("range_pattern", "right"): _USE,
        ("field_expression", "field"): Edge(Action.ATTRIBUTE, namespace=Namespace.FIELD),
        ("call_expression/field_expression", "field"): _MEMBER,
        ("generic_function/field_expression", "field"): _MEMBER,
        ("scoped_identifier", "path>identifier"): _TYPE,
        ("scoped_type_identifier", "path>identifier"): _TYPE,
        ("scoped_identifier", "name"): Edge(Action.ATTRIBUTE, namespace=Namespace.VALUE),
        ("scoped_type_identifier", "name"): Edge(Action.ATTRIBUTE, namespace=Namespace.TYPE),
        ("struct_expression/scoped_type_identifier", "name"): _MEMBER,  # of a variant
        ("struct_pattern/scoped_type_identifier", "name"): _MEMBER,
        ("use_declaration", "argument"): _IMPORT,
        ("use_list", None): _IMPORT,
        ("use_as_clause", "path"): _IGNORED,
        ("use_as_clause", "alias"): _IMPORT,
        ("scoped_use_list", "path"): _IGNORED,
        ("use_wildcard", None): _IGNORED,
        ("extern_crate_declaration", "name"): _IMPORT,
        ("macro_invocation", "macro"): _IGNORED,
        ("macro_definition", "name"): _IGNORED,
        ("attribute", None): _IGNORED,
        ("lifetime", None): Edge(namespace=Namespace.LABEL),
        ("lifetime_parameter/lifetime", None): _LIFETIME,
        ("for_lifetimes/lifetime", None): _LIFETIME,
        ("label", None): Edge(Action.BIND, "label", namespace=Namespace.LABEL),
        ("break_expression/label", None): Edge(namespace=Namespace.LABEL),
        ("continue_expression/label", None): Edge(namespace=Namespace.LABEL),
    },
    transparent=frozenset(
        {
            "tuple_pattern", "struct_pattern", "tuple_struct_pattern", "slice_pattern", "or_pattern", "mut_pattern",
            "reference_pattern", "ref_pattern", "captured_pattern", "match_pattern", "field_pattern", "range_pattern",
        }
    ),
    nested=frozenset({"field_expression", "scoped_type_identifier", "lifetime", "label"}),
    dotted_last=frozenset({"scoped_identifier"}),
    modules=frozenset({"mod_item"}),
    literals=LiteralTable(
        shorthands=frozenset({"shorthand_field_identifier", "shorthand_field_initializer"}),
        keys={"struct_expression": "name", "struct_pattern": "type"},
    ),
    classes=ClassTable(
        bases={"trait_item": ("bounds",)},
        extensions={"impl_item": "type"},
        extension_bases={"impl_item": "trait"},
        members_by_assignment=True,
        this_nodes=frozenset({"self"}),
        scope_is_inherited=False,
        members_need_receiver=True,
    ),
    types=TypeTable(
        self_name="Self",
        factories=frozenset({"new", "default"}),
        same_class=frozenset({"parenthesized_expression"}),
        wrappers={"reference_type": "type", "pointer_type": "", "abstract_type": "", "dynamic_type": ""},
        qualified=frozenset({"scoped_identifier", "scoped_type_identifier"}),
        generic=frozenset({"generic_type"}),
        value_modifiers=frozenset({"mutable_specifier"}),
        delegating=frozenset({"Arc", "Box", "Pin", "Rc"}),
        bounds=frozenset({"trait_bounds", "bounded_type"}),
        bounds_without_members=frozenset({"lifetime", "removed_trait_bound"}),
        value_wrappers=frozenset({"reference_expression", "parenthesized_expression"}),
        results=dict.fromkeys(("function_item", "function_signature_item"), "return_type"),
        declared={
            "parameter": "type", "let_declaration": "type", "field_declaration": "type", "const_item": "type",
            "static_item": "type", "type_parameter": "bounds", "type_item": "type",
        },
        initial_values={"let_declaration": "value"},
    ),
    layers=LayerTable(
        generic={
            **dict.fromkeys(("BTreeSet", "HashSet", "IndexSet", "Vec", "VecDeque"), (ELEMENT, 0)),
            **dict.fromkeys(("BTreeMap", "HashMap", "IndexMap"), (VALUE, 1)),
            **dict.fromkeys(("Option", "Result"), (CONTENT, 0)),
        },
        nodes={"array_type": ELEMENT},
        results_inside=True,
        wrappers={"await_expression": AWAITED, "try_expression": ITEM},
        suffixes={"?": ITEM},
        subscripts={"index_expression": ""},
        slices=frozenset({"range_expression"}),
        loops={"for_expression": "value"},
        taking=dict.fromkeys(
            ("expect", "unwrap", "unwrap_or", "unwrap_or_default", "unwrap_or_else"), ITEM
        ),  # of `first()` as well, which keeps the type here and makes it an option there
        keeping=frozenset(
            "as_mut as_ref chain cloned copied filter find first first_mut get get_mut into_iter iter iter_mut last "
            "last_mut next ok ok_or ok_or_else or_else peekable pop rev skip take to_vec".split()
        ),
        keeping_maps=frozenset({"as_mut", "as_ref", "get", "get_mut", "into_iter", "iter", "iter_mut", "remove"}),
        pairing={"enumerate": ELEMENT},
        map_pairs=True,
        map_values=frozenset({"into_values", "values", "values_mut"}),
        awaitable=frozenset({"poll"}),
        copying=frozenset({"borrow", "borrow_mut", "clone", "to_owned"}),
        patterns=frozenset({"Ok", "Some"}),
        pattern_holders=frozenset({"match_arm", "match_block", "match_pattern"}),
        pattern_values={"let_condition": "value", "let_declaration": "value", "match_expression": "value"},
        visiting=frozenset(
            "all and_then any filter filter_map find flat_map for_each inspect is_some_and map position retain "
            "sort_by_key".split()
        ),
    ),
    patterns_name_constants=True,
    macros=MacroTable(
        token_trees=frozenset({"token_tree"}),
        format_strings=frozenset({"string_content"}),
        format_macros={
            **dict.fromkeys(
                ("", "vec", "matches", "concat", "stringify", "dbg", "env", "option_env", "include_str"), -1
            ),
            **dict.fromkeys(("write", "writeln", "assert", "debug_assert", "ensure"), 1),
            **dict.fromkeys(("assert_eq", "assert_ne", "debug_assert_eq", "debug_assert_ne"), 2),
        },
        generating={
            **dict.fromkeys(("quote", "quote_spanned", "parse_quote", "parse_quote_spanned"), "#"),
            **dict.fromkeys(("html", "rsx", "view"), "{"),
        },
        leading=dict.fromkeys(("quote_spanned", "parse_quote_spanned"), "=>"),
        binding=frozenset({"select", "select_biased"}),
        deriving=frozenset({"derive"}),
        conditional=frozenset({"cfg_attr"}),
    ),
    field_namespace=Namespace.FIELD,
    functions={
        "function_item": "parameters", "function_signature_item": "parameters", "closure_expression": "parameters",
    },
    attributes={
        "field_expression": ("value", "field"), "scoped_identifier": ("path", "name"),
        "scoped_type_identifier": ("path", "name"),
    },
    calls={"call_expression": ("function", "arguments")},
    creations={"struct_expression": "name"},
    parameters=ParameterTable(
        objects=frozenset({"self_parameter"}),
        path_sign="::",
    ),
    imports=ImportTable(
        wildcards={"use_declaration": "use_wildcard"},
        path_words={"crate": "root", "self": "own", "super": "outer"},
        path_lists={"scoped_use_list": "path"},
        path_holders=frozenset({"scoped_use_list", "use_as_clause", "use_wildcard"}),
        source_folder="src",
        root_files=frozenset({"lib", "main"}),
        folder_file="mod",
    ),
    bound_after=dict.fromkeys(("let_declaration", "let_condition"), ""),
    hoisted=False,
    member_words=frozenset({"await", "union"}),
    keywords=frozenset(
        "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod "
        "move mut pub ref return self Self static struct super trait true type union unsafe use where while _".split()
    ),
    builtins=frozenset(
        "Box Clone Copy Debug Default Drop Eq Err Fn FnMut FnOnce From Into Iterator None Ok Option Ord PartialEq "
        "PartialOrd Result Send Some String Sync ToString Vec bool char f32 f64 i128 i16 i32 i64 i8 isize str u128 "
        "u16 u32 u64 u8 usize drop".split()
    ),
)  # fmt: skip
