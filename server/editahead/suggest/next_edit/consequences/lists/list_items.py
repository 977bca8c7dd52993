"""Lines that are an item of a list by themselves, so that another one may stand beside them, or they may go alone."""

from __future__ import annotations

from editahead.analysis.signatures import path_to
from editahead.suggest.types import Document
from editahead.syntax.nodes import Node
from editahead.syntax.scope_table import ScopeTable

_LISTS = frozenset(
    "list tuple set dictionary argument_list arguments parameters formal_parameters parameter_list array object "
    "array_pattern object_pattern named_imports export_clause import_from_statement array_initializer "
    "initializer_list literal_value field_initializer_list tuple_expression array_expression token_tree use_list "
    "bracketed_argument_list initializer_expression enum_body enum_member_declaration_list enumerator_list "
    "enum_variant_list object_type interface_body".split()
)
"""Nodes whose children are items, but for functions and classes."""
_ITEMS = frozenset(
    "assignment_statement short_var_declaration local_variable_declaration local_declaration_statement "
    "lexical_declaration variable_declaration let_declaration declaration field_declaration public_field_definition "
    "property_declaration property_signature enum_constant enum_variant const_declaration const_item static_item "
    "const_spec var_spec case_clause switch_block_statement_group switch_rule switch_case switch_section "
    "switch_expression_arm expression_case case_statement match_arm".split()
)
"""Fields, members, assignments and cases, wherever they stand."""
_ASSIGNED = frozenset({"assignment", "assignment_expression"})
_SHELLS = frozenset(
    "module program source_file translation_unit compilation_unit chunk block statement_block statement_list "
    "class_body declaration_list field_declaration_list".split()
)
"""Nodes that may begin where the first one in them does."""
_PARAMETERS = frozenset({"parameters", "formal_parameters", "parameter_list"})
_REST = (b"", b",", b";")


def is_list_item(document: Document, first: int, last: int, *, alone: bool = False, goes: bool = False) -> bool:
    """Whether lines [first, last] are one item, or a statement that is like one.

    `alone`: with nothing behind it. `goes`: it is to be deleted, which is nothing for a parameter that a body may use.
    """
    buffer, table = document.syntax.buffer, document.syntax.language.scopes
    low, high = buffer.line_span(first)[0], buffer.line_span(last)[1]
    text = buffer.data[low:high]
    start = low + len(text) - len(text.lstrip())
    path, offset = path_to(document.syntax, start)
    at = next(
        (n for n, node in enumerate(path) if node.start_byte + offset == start and node.type not in _SHELLS), None
    )
    if not at:
        return False
    item, holder = path[at], path[at - 1]
    end = item.end_byte + offset
    rest = buffer.data[end:high].strip() if end <= high else b"?"
    if buffer.line_at(end) != last or item.has_error or (alone and rest not in _REST):
        return False
    if goes and holder.type in _PARAMETERS:
        return False
    return (rest in _REST or rest[:1] in b",;#/") and _is_item(item, holder, table)


def _is_item(item: Node, holder: Node, table: ScopeTable | None) -> bool:
    """Whether a node is an item of a list, a field, a member, an assignment or a case, but no function or class."""
    if item.type == "expression_statement":
        inner = next(iter(item.named_children), None)
        return inner is not None and inner.type in _ASSIGNED
    if item.type in _ITEMS or item.type in _ASSIGNED:
        return True
    declares = table is not None and any(
        item.type in some for some in (table.functions, table.classes.bodies, table.wrappers)
    )
    return holder.type in _LISTS and "comment" not in item.type and not declares
