"""What the abstract grammar of Python leaves out: which trees cannot be written down as a program that gives them back.

`VARIANTS` splits a class whose fields depend on each other, `FIELDS` names fields narrower than their type,
`CHILDREN` the tags of a rule's children where it stands in such a field. What is not named here follows from the class
signatures.
"""

from __future__ import annotations

# class -> variants: rule name -> its fields with their tags, in the order in which they are expanded
VARIANTS: dict[str, dict[str, dict[str, str]]] = {
    "AnnAssign": {
        "AnnAssign": {"target": "single", "annotation": "expr", "value": "expr?"},
        "AnnAssign.parenthesised": {"id": "@name", "annotation": "expr", "value": "expr?"},
    },
    "Raise": {"Raise": {"exc": "expr", "cause": "expr?"}, "Raise.bare": {}},
    "Try": {
        "Try": {"body": "stmt+", "handlers": "handler+", "orelse": "stmt*", "finalbody": "stmt*"},
        "Try.finally": {"body": "stmt+", "finalbody": "stmt+"},
    },
    "ExceptHandler": {
        "ExceptHandler": {"type": "expr", "name": "name?", "body": "stmt+"},
        "ExceptHandler.bare": {"body": "stmt+"},
    },
    "ImportFrom": {
        "ImportFrom": {"module": "@dotted", "names": "imported+"},
        "ImportFrom.relative": {"level": "dot+", "module": "dotted?", "names": "imported+"},
    },
    "alias": {
        "alias": {"name": "@name", "asname": "name?"},
        "alias.dotted": {"name": "@dotted", "asname": "name?"},
        "alias.star": {},
    },
    "keyword": {"keyword": {"arg": "@name", "value": "expr"}, "keyword.double": {"value": "expr"}},
    "comprehension": {
        "comprehension": {"target": "target", "iter": "expr", "ifs": "expr*"},
        "comprehension.async": {"target": "target", "iter": "expr", "ifs": "expr*"},
    },
    "Dict": {"Dict": {"items": "dict_item*"}},
    "Compare": {"Compare": {"left": "expr", "comparisons": "cmpop+"}},
    "JoinedStr": {"JoinedStr": {"values": "joined*"}},
    "FormattedValue": {"FormattedValue": {"value": "formatted", "conversion": "conversion", "format_spec": "spec?"}},
    "MatchMapping": {"MatchMapping": {"items": "mapping_item*", "rest": "free_name?"}},
    "MatchClass": {"MatchClass": {"cls": "dotted_name", "patterns": "pattern*", "keywords": "class_keyword*"}},
    "MatchAs": {
        "MatchAs": {"pattern": "pattern", "name": "@free_name"},
        "MatchAs.capture": {"name": "@free_name"},
        "MatchAs.wildcard": {},
    },
    "Constant": {
        "int": {"value": "@int"},
        "float": {"value": "@float"},
        "imag": {"value": "@imag"},
        "str": {"value": "@str"},
        "bytes": {"value": "@bytes"},
        "True": {},
        "False": {},
        "None": {},
        "Ellipsis": {},
    },
    "arguments": {},  # a list of parameters stands for it
    "arg": {},
}
_PARAMETERS = ("positional", "argument", "keyword_only")
PARAMETER_RULES: dict[str, dict[str, str]] = {}
for _mark, _annotation in (("", {"annotation": "expr?"}), ("lambda.", {})):
    for _kind in _PARAMETERS:
        PARAMETER_RULES[f"{_mark}{_kind}"] = {"arg": "@name", **_annotation}
        PARAMETER_RULES[f"{_mark}{_kind}.default"] = {"arg": "@name", **_annotation, "default": "expr"}
    PARAMETER_RULES[f"{_mark}vararg"] = {"arg": "@name", **({"annotation": "star_expr?"} if _annotation else {})}
    PARAMETER_RULES[f"{_mark}kwarg"] = {"arg": "@name", **_annotation}

# rules of pairs and marks that no class has: left side -> rules
EXTRA: dict[str, dict[str, dict[str, str]]] = {
    "parameter": PARAMETER_RULES,
    "name?": {"named": {"value": "@name"}},
    "dotted?": {"dotted": {"value": "@dotted"}},
    "dict_item": {"item": {"key": "expr", "value": "expr"}, "item.double": {"value": "expr"}},
    "mapping_item": {"mapping.item": {"key": "pattern_key", "pattern": "pattern"}},
    "class_keyword": {"class.keyword": {"attr": "@free_name", "pattern": "pattern"}},
    "joined": {"joined.text": {"value": "@text"}},
    "dot": {"dot": {}},
    "conversion": {"conversion.none": {}, "conversion.s": {}, "conversion.r": {}, "conversion.a": {}},
}
# class -> its fields whose places are refined
FIELDS: dict[str, dict[str, str]] = {
    "FunctionDef": {"args": "parameters", "body": "stmt+"},
    "AsyncFunctionDef": {"args": "parameters", "body": "stmt+"},
    "Lambda": {"args": "lambda_parameters"},
    "ClassDef": {"bases": "elt*", "body": "stmt+"},
    "Delete": {"targets": "del_target+"},
    "Assign": {"targets": "target+"},
    "AugAssign": {"target": "single"},
    "For": {"target": "target", "body": "stmt+"},
    "AsyncFor": {"target": "target", "body": "stmt+"},
    "While": {"body": "stmt+"},
    "If": {"body": "stmt+"},
    "With": {"items": "withitem+", "body": "stmt+"},
    "AsyncWith": {"items": "withitem+", "body": "stmt+"},
    "Match": {"cases": "match_case+"},
    "match_case": {"body": "stmt+"},
    "TryStar": {"body": "stmt+", "handlers": "typed_handler+"},
    "Import": {"names": "alias+"},
    "Global": {"names": "named+"},
    "Nonlocal": {"names": "named+"},
    "BoolOp": {"values": "expr++"},
    "NamedExpr": {"target": "name_node"},
    "Set": {"elts": "elt+"},
    "List": {"elts": "elt*"},
    "Tuple": {"elts": "elt*"},
    "Call": {"args": "elt*"},
    "ListComp": {"generators": "comprehension+"},
    "SetComp": {"generators": "comprehension+"},
    "DictComp": {"generators": "comprehension+"},
    "GeneratorExp": {"generators": "comprehension+"},
    "Subscript": {"slice": "index"},
    "Name": {"id": "@name"},
    "withitem": {"context_expr": "context", "optional_vars": "target?"},
    "MatchValue": {"value": "pattern_value"},
    "MatchSingleton": {"value": "singleton"},
    "MatchSequence": {"patterns": "sequence*"},
    "MatchStar": {"name": "free_name?"},
    "MatchOr": {"patterns": "pattern++"},
    "TypeAlias": {"name": "name_node"},
}
# at a state, the children of a rule that open other places than usual
CHILDREN: dict[tuple[str, str], dict[str, str]] = {
    ("target", "Tuple"): {"elts": "target_elt*"},
    ("target", "List"): {"elts": "target_elt*"},
    ("target_elt*", "Tuple"): {"elts": "target_elt*"},
    ("target_elt*", "List"): {"elts": "target_elt*"},
    ("target_elt*", "Starred"): {"value": "starred_target"},
    ("del_target", "Tuple"): {"elts": "del_target*"},
    ("del_target", "List"): {"elts": "del_target*"},
    ("index", "Tuple"): {"elts": "index_elt*"},
    ("formatted", "Attribute"): {"value": "formatted"},
    ("formatted", "Call"): {"func": "formatted", "args": "formatted*", "keywords": "formatted_keyword*"},
    ("formatted_keyword*", "keyword"): {"value": "formatted"},
    ("formatted_keyword*", "keyword.double"): {"value": "formatted"},
    ("spec?", "JoinedStr"): {"values": "spec_part*"},
    ("spec_part*", "joined.text"): {"value": "@spec"},
    ("spec_part*", "FormattedValue"): {"format_spec": "no_spec"},
    ("free_name?", "named"): {"value": "@free_name"},
    ("dotted_name", "Name"): {"id": "@free_name"},
    ("dotted_name", "Attribute"): {"value": "dotted_name"},
    ("pattern_value", "Attribute"): {"value": "dotted_name"},
    ("pattern_value", "UnaryOp"): {"op": "minus", "operand": "number"},
    ("pattern_value", "BinOp"): {"left": "real", "op": "plus_minus", "right": "imaginary"},
    ("pattern_key", "Attribute"): {"value": "dotted_name"},
    ("pattern_key", "UnaryOp"): {"op": "minus", "operand": "number"},
    ("pattern_key", "BinOp"): {"left": "real", "op": "plus_minus", "right": "imaginary"},
    ("real", "UnaryOp"): {"op": "minus", "operand": "real_number"},
}
