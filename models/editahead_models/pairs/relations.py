"""What ties two hunks of a commit: the first relation that holds, in the order of `EditRelation`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from editahead.analysis.edit_relations import EditRelation

from editahead_models.pairs import declaration_relations as declarations
from editahead_models.pairs import parameter_relations as parameters
from editahead_models.pairs import rename_relations as renames
from editahead_models.pairs.facts import HunkFacts
from editahead_models.pairs.likeness import (
    both_numbers,
    deleted_alike,
    inserted_alike,
    moved,
    replaced_alike,
    same_calls,
    shared,
)
from editahead_models.pairs.pair import SHORTEST, Pair

__all__ = ["RULES", "Pair", "relation_of"]
_ASYNC = frozenset({"async", "await"})
_PAIRS = (
    ("get", "set"), ("serialize", "deserialize"), ("encode", "decode"), ("read", "write"), ("load", "save"),
    ("add", "remove"), ("open", "close"), ("start", "stop"), ("enter", "exit"), ("to", "from"), ("push", "pop"),
    ("pack", "unpack"), ("dump", "load"), ("dumps", "loads"), ("parse", "format"), ("setup", "teardown"),
    ("register", "unregister"), ("lock", "unlock"), ("insert", "delete"), ("eq", "hash"), ("lt", "gt"),
)  # fmt: skip
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
Rule = Callable[[Pair], bool]


def relation_of(pair: Pair) -> EditRelation:
    """The first relation that holds."""
    return next((relation for relation, rule in RULES if rule(pair)), EditRelation.OTHER)


def _moved(pair: Pair) -> bool:
    return moved(pair.first, pair.later) or moved(pair.later, pair.first)


def _async(pair: Pair) -> bool:
    return all(_ASYNC.intersection((*one.old_texts, *one.new_texts)) for one in (pair.first, pair.later))


def _mention(pair: Pair) -> bool:
    return _mentions(pair.first, pair.later) or _mentions(pair.later, pair.first)


def _mentions(code: HunkFacts, text: HunkFacts) -> bool:
    words = Counter((*code.declared, *code.undeclared, *code.used, *code.unused))
    return any(len(word) >= SHORTEST and _is_special(word) for word in words.keys() & text.prose)


def _is_special(word: str) -> bool:
    """Whether a word is no word of plain English: it has capitals or signs inside."""
    return "_" in word.strip("_") or not (word.islower() or word.istitle())


def _paired(pair: Pair) -> bool:
    if pair.first.is_test != pair.later.is_test:
        return False
    names = [(one, other) for one in pair.first.context.functions for other in pair.later.context.functions]
    return any(one != other and _is_pair(one, other) for one, other in names)


def _is_pair(one: str, other: str) -> bool:
    a, b = ([part.lower() for part in _WORD.findall(name)] for name in (one, other))
    differing = [(x, y) for x, y in zip(a, b, strict=False) if x != y]
    return len(a) == len(b) and len(differing) == 1 and any(set(differing[0]) == set(known) for known in _PAIRS)


def _code_test(pair: Pair) -> bool:
    if pair.first.is_test == pair.later.is_test:
        return False
    code, test = (pair.later, pair.first) if pair.first.is_test else (pair.first, pair.later)
    names = {name for name in (*code.context.functions, *code.declared, *code.undeclared) if len(name) >= SHORTEST}
    words = {*test.used, *test.unused}
    functions = "".join(test.context.functions).replace("_", "").lower()
    return bool(names & words) or any(name.replace("_", "").lower() in functions for name in names)


def _backwards(rule: Rule) -> Rule:
    return lambda pair: rule(pair.reversed)


RULES: tuple[tuple[EditRelation, Rule], ...] = (
    (EditRelation.MOVED, _moved),
    (EditRelation.RENAME, renames.rename),
    (EditRelation.RENAME_ELSEWHERE, renames.rename_elsewhere),
    (EditRelation.RENAME_NAMESAKE, renames.rename_namesake),
    (EditRelation.RENAME_MENTION, renames.rename_mention),
    (EditRelation.MENTION_RENAME, _backwards(renames.rename_mention)),
    (EditRelation.RENAME_PART, renames.rename_part),
    (EditRelation.PARAMETER_FIELD, parameters.parameter_field),
    (EditRelation.FIELD_PARAMETER, _backwards(parameters.parameter_field)),
    (EditRelation.PARAMETER_OVERRIDE, parameters.parameter_override),
    (EditRelation.PARAMETER_CALL, parameters.parameter_call),
    (EditRelation.CALL_PARAMETER, _backwards(parameters.parameter_call)),
    (EditRelation.PARAMETER_USE, parameters.parameter_use),
    (EditRelation.USE_PARAMETER, _backwards(parameters.parameter_use)),
    (EditRelation.PARAMETER_DOC, parameters.parameter_doc),
    (EditRelation.DOC_PARAMETER, _backwards(parameters.parameter_doc)),
    (EditRelation.PARAMETER_ELSEWHERE, parameters.parameter_elsewhere),
    (EditRelation.RETURN_TYPE, parameters.return_type),
    (EditRelation.ASYNC, _async),
    (EditRelation.IMPORT_USE, declarations.import_use),
    (EditRelation.USE_IMPORT, _backwards(declarations.import_use)),
    (EditRelation.IMPORT_GONE_USE, declarations.import_gone_use),
    (EditRelation.USE_GONE_IMPORT, _backwards(declarations.import_gone_use)),
    (EditRelation.DECLARED_ALIKE, declarations.declared_alike),
    (EditRelation.DECLARATION_USE, declarations.declaration_use),
    (EditRelation.USE_DECLARATION, _backwards(declarations.declaration_use)),
    (EditRelation.DECLARATION_GONE_USE, declarations.declaration_gone_use),
    (EditRelation.USE_GONE_DECLARATION, _backwards(declarations.declaration_gone_use)),
    (EditRelation.SAME_SUBSTITUTION, lambda pair: shared(pair.first, pair.later, old=True, new=True)),
    (EditRelation.SAME_INSERTION, lambda pair: shared(pair.first, pair.later, old=False, new=True)),
    (EditRelation.SAME_DELETION, lambda pair: shared(pair.first, pair.later, old=True, new=False)),
    (EditRelation.NUMBERED, lambda pair: both_numbers(pair.first, pair.later)),
    (EditRelation.DELETED_ALIKE, lambda pair: deleted_alike(pair.first, pair.later)),
    (EditRelation.INSERTED_ALIKE, lambda pair: inserted_alike(pair.first, pair.later)),
    (EditRelation.REPLACED_ALIKE, lambda pair: replaced_alike(pair.first, pair.later)),
    (EditRelation.SAME_CALL, lambda pair: same_calls(pair.first, pair.later)),
    (EditRelation.SAME_ARGUMENT, lambda pair: bool(pair.first.context.calls & pair.later.context.calls)),
    (EditRelation.NEW_NAME_SHARED, declarations.new_name_shared),
    (EditRelation.GONE_NAME_SHARED, declarations.gone_name_shared),
    (EditRelation.MENTION, _mention),
    (EditRelation.PAIRED, _paired),
    (EditRelation.CODE_TEST, _code_test),
)
"""In the order in which they are tried."""
