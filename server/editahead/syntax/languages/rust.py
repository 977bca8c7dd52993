"""Rust: strings, rules of names, tokens, and where a large file may be cut."""

from __future__ import annotations

import re

from editahead.syntax import construct_tables as tables
from editahead.syntax.construct_tables import AWAITED, CONTENT, ELEMENT, ITEM, VALUE
from editahead.syntax.language_definition import Language, role_rule
from editahead.syntax.scope_table import Action, Edge, Namespace, ScopeKind, ScopeTable, Target
from editahead.syntax.string_syntax import ESCAPED, Cutter, LongText, StringPatterns
from editahead.syntax.table_notation import by_word, edges_of, scopes_of, words

_PREFIX = rb"(?:br|rb|cr|[brc])"
_LINES = rb'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\Z)'  # may go on over the end of a line


def _raw(hashes: int) -> bytes:
    """A raw string between quotes with so many signs behind them."""
    end = b'"' + b"#" * hashes
    return rb"(?:br|rb|cr|r)" + b"#" * hashes + b'".*?(?:' + end + rb"|\Z)"


STRING_PATTERNS = StringPatterns(
    (
        *(_raw(hashes) for hashes in (4, 3, 2, 1, 0)),
        rb"[bc]?" + _LINES,
        rb"b?'(?:\\[^\n][^'\n]{0,8}|[^'\\\n\x80-\xff]|[\x80-\xff]{1,4})'",
    ),
    before=rb"(?!" + _PREFIX + rb"#*\"|b')",
)

LONG_TEXTS = (
    LongText(rb'(?<![A-Za-z0-9_])(?:br|cr|r)#*"', b'"', lambda opening: b'"' + b"#" * opening.count(b"#")),
    LongText(rb'"', b'"', skipped=ESCAPED),
)

_MEMBER = Edge(Action.ATTRIBUTE, namespace=Namespace.VALUE)

SCOPE_TABLE = ScopeTable(
    names=by_word({
        Namespace.VALUE: "identifier field_identifier shorthand_field_identifier",
        Namespace.TYPE: "type_identifier",
    }),
    scopes={
        "match_arm": ScopeKind.COMPREHENSION,  # `A(x) | B(x)` binds a single x
        **scopes_of({
            ScopeKind.FUNCTION: "function_item function_signature_item closure_expression",
            ScopeKind.CLASS: "struct_item enum_item enum_variant union_item trait_item impl_item",
            ScopeKind.BLOCK: "block loop_expression for_expression if_expression while_expression",
            ScopeKind.COMPREHENSION: "mod_item",
        }),
    },
    edges={
        ("if_expression", "alternative"): Edge(target=Target.OUTER),  # what its condition binds is not seen there
        ("struct_expression/scoped_type_identifier", "name"): _MEMBER,  # of a variant
        **edges_of({
            Edge(Action.BIND, "function", Target.OUTER, Namespace.VALUE): "function_item.name "
                "function_signature_item.name",
            Edge(Action.BIND, "class", Target.OUTER, Namespace.TYPE): "struct_item.name enum_item.name union_item.name "
                "trait_item.name",
            Edge(Action.BIND, "class", namespace=Namespace.TYPE): "type_item.name associated_type.name",
            Edge(Action.BIND, "variable", Target.OUTER, Namespace.TYPE): "mod_item.name",
            Edge(Action.BIND, "type-parameter", namespace=Namespace.TYPE): "type_parameter.name const_parameter.name",
            Edge(Action.BIND, "field", namespace=Namespace.FIELD): "field_declaration.name",
            Edge(Action.BIND, "field", Target.OUTER, Namespace.VALUE): "enum_variant.name",
            Edge(Action.BIND, "variable", namespace=Namespace.VALUE): "const_item.name static_item.name "
                "let_declaration.pattern let_condition.pattern for_expression.pattern match_arm.pattern",
            Edge(Action.USE, target=Target.OUTER): "for_expression.value",
            Edge(Action.USE): "match_pattern.condition closure_parameters>parameter tuple_struct_pattern.type "
                "struct_pattern.type range_pattern.left range_pattern.right",
            Edge(Action.BIND, "parameter", namespace=Namespace.VALUE): "parameter.pattern closure_parameters",
            Edge(Action.KEYWORD, namespace=Namespace.FIELD): "field_pattern>field_identifier field_initializer.field",
            Edge(Action.ATTRIBUTE, namespace=Namespace.FIELD): "field_expression.field",
            _MEMBER: "call_expression/field_expression.field generic_function/field_expression.field "
                "scoped_identifier.name struct_pattern/scoped_type_identifier.name",
            Edge(namespace=Namespace.TYPE): "scoped_identifier.path>identifier scoped_type_identifier.path>identifier",
            Edge(Action.ATTRIBUTE, namespace=Namespace.TYPE): "scoped_type_identifier.name",
            Edge(Action.BIND, "import", namespace=Namespace.TYPE): "use_declaration.argument use_list "
                "use_as_clause.alias extern_crate_declaration.name",
            Edge(Action.IGNORE): "use_as_clause.path scoped_use_list.path use_wildcard macro_invocation.macro "
                "macro_definition.name attribute",
            Edge(namespace=Namespace.LABEL): "lifetime break_expression/label continue_expression/label",
            Edge(Action.BIND, "type-parameter", namespace=Namespace.LABEL): "lifetime_parameter/lifetime "
                "for_lifetimes/lifetime",
            Edge(Action.BIND, "label", namespace=Namespace.LABEL): "label",
        }),
    },
    transparent=words(
        "tuple_pattern struct_pattern tuple_struct_pattern slice_pattern or_pattern mut_pattern reference_pattern "
        "ref_pattern captured_pattern match_pattern field_pattern range_pattern"
    ),
    nested=frozenset({"field_expression", "scoped_type_identifier", "lifetime", "label"}),
    dotted_last=frozenset({"scoped_identifier"}),
    modules=frozenset({"mod_item"}),
    literals=tables.LiteralTable(
        shorthands=frozenset({"shorthand_field_identifier", "shorthand_field_initializer"}),
        keys={"struct_expression": "name", "struct_pattern": "type"},
    ),
    classes=tables.ClassTable(
        bases={"trait_item": ("bounds",)},
        extensions={"impl_item": "type"},
        extension_bases={"impl_item": "trait"},
        members_by_assignment=True,
        this_nodes=frozenset({"self"}),
        scope_is_inherited=False,
        members_need_receiver=True,
    ),
    types=tables.TypeTable(
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
        declarators=frozenset({"mut_pattern", "ref_pattern"}),
        declared={
            "parameter": "type", "let_declaration": "type", "field_declaration": "type", "const_item": "type",
            "static_item": "type", "type_parameter": "bounds", "type_item": "type",
        },
        initial_values={"let_declaration": "value"},
    ),
    layers=tables.LayerTable(
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
        keeping=words(
            "as_mut as_ref chain cloned copied filter find first first_mut get get_mut into_iter iter iter_mut last "
            "last_mut next ok ok_or ok_or_else or_else peekable pop rev skip take to_vec"
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
        visiting=words(
            "all and_then any filter filter_map find flat_map for_each inspect is_some_and map position retain "
            "max_by max_by_key min_by min_by_key skip_while sort_by sort_by_key sort_unstable_by take_while"
        ),
        comparing=frozenset({"max_by", "min_by", "sort_by", "sort_unstable_by"}),
        mapping={"and_then": ITEM, "filter_map": ITEM, "flat_map": ITEM, "map": ""},
    ),
    patterns_name_constants=True,
    macros=tables.MacroTable(
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
    functions=by_word({"parameters": "function_item function_signature_item closure_expression"}),
    attributes={
        "field_expression": ("value", "field"), "scoped_identifier": ("path", "name"),
        "scoped_type_identifier": ("path", "name"),
    },
    calls={"call_expression": ("function", "arguments")},
    creations={"struct_expression": "name"},
    parameters=tables.ParameterTable(
        objects=frozenset({"self_parameter"}),
        path_sign="::",
    ),
    imports=tables.ImportTable(
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
    keywords=words(
        "as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod "
        "move mut pub ref return self Self static struct super trait true type union unsafe use where while _"
    ),
    builtins=words(
        "Box Clone Copy Debug Default Drop Eq Err Fn FnMut FnOnce From Into Iterator None Ok Option Ord PartialEq "
        "PartialOrd Result Send Some String Sync ToString Vec bool char f32 f64 i128 i16 i32 i64 i8 isize str u128 u16 "
        "u32 u64 u8 usize drop"
    ),
)  # fmt: skip

RUST = Language(
    id="rust",
    extensions=(".rs",),
    comment_nodes=frozenset({"line_comment", "block_comment"}),
    string_nodes=frozenset({"string_literal", "raw_string_literal", "char_literal"}),
    number_nodes=frozenset({"integer_literal", "float_literal"}),
    scope_nodes=frozenset({"function_item", "closure_expression"}),
    line_comment="//",
    nested_comments=True,
    numbers_have_members=True,
    role_of=role_rule(SCOPE_TABLE),
    scopes=SCOPE_TABLE,
    string_patterns=STRING_PATTERNS,
    long_texts=LONG_TEXTS,
    editor_ids=("rust",),
    cut=Cutter(re.compile(rb"""\"|//|/\*|^}""", re.MULTILINE), after=frozenset({b"}"})),
)
