"""What ties two hunks of a commit: the first relation that holds, in the order of `EditRelation`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from editahead.analysis.edit_relations import EditRelation
from editahead.syntax.snapshot import Region

from editahead_models.pairs.contexts import HeadChange
from editahead_models.pairs.facts import CommitFacts, HunkFacts
from editahead_models.pairs.likeness import (
    both_numbers,
    deleted_alike,
    inserted_alike,
    moved,
    replaced_alike,
    same_calls,
    shared,
)
from editahead_models.pairs.names import Name

SHORTEST = 4
"""Letters of a name that ties edits by its text alone: shorter ones are equal by chance."""
_DECLARED = frozenset({"function", "method", "class"})
_ASYNC = frozenset({"async", "await"})
_PAIRS = (
    ("get", "set"), ("serialize", "deserialize"), ("encode", "decode"), ("read", "write"), ("load", "save"),
    ("add", "remove"), ("open", "close"), ("start", "stop"), ("enter", "exit"), ("to", "from"), ("push", "pop"),
    ("pack", "unpack"), ("dump", "load"), ("dumps", "loads"), ("parse", "format"), ("setup", "teardown"),
    ("register", "unregister"), ("lock", "unlock"), ("insert", "delete"), ("eq", "hash"), ("lt", "gt"),
)  # fmt: skip
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class Pair(NamedTuple):
    """Two hunks of a commit, the first one made before the other."""

    first: HunkFacts
    later: HunkFacts
    commit: CommitFacts

    @property
    def same_file(self) -> bool:
        """Whether both are of one file."""
        return self.first.hunk.file is self.later.hunk.file

    @property
    def reversed(self) -> Pair:
        """The same hunks in the other order."""
        return Pair(self.later, self.first, self.commit)


Rule = Callable[[Pair], bool]


def relation_of(pair: Pair) -> EditRelation:
    """The first relation that holds."""
    return next((relation for relation, rule in RULES if rule(pair)), EditRelation.OTHER)


def _moved(pair: Pair) -> bool:
    return moved(pair.first, pair.later) or moved(pair.later, pair.first)


def _rename(pair: Pair) -> bool:
    return pair.same_file and any(_is_rename(pair, key) for key in _common_renames(pair))


def _is_rename(pair: Pair, key: tuple[str, str]) -> bool:
    """Whether two places of one file name the same declaration, which bears another name now."""
    (one, _), (other, _) = pair.first.renames[key], pair.later.renames[key]
    if one.binding is None or other.binding is None:
        return key in pair.commit.renamed
    resolver = pair.first.before.resolver
    if resolver is None or one.binding != other.binding:
        return False
    return any(place.start in pair.first.gone_starts for place in resolver.declarations(one.binding))


def _rename_elsewhere(pair: Pair) -> bool:
    return not pair.same_file and any(
        key in pair.commit.renamed and (pair.first.renames[key][0].exported or pair.later.renames[key][0].exported)
        for key in _common_renames(pair)
    )


def _rename_namesake(pair: Pair) -> bool:
    return any(key in pair.commit.renamed for key in _common_renames(pair))


def _rename_mention(pair: Pair) -> bool:
    keys = pair.first.renames.keys() & pair.later.renames.keys()
    return any(_region(pair.first, key) is Region.CODE and _region(pair.later, key) is not Region.CODE for key in keys)


def _rename_part(pair: Pair) -> bool:
    if pair.first.renames.keys() & pair.later.renames.keys():
        return False  # the same words: nothing is tied by a part of them
    return any(min(map(len, part)) >= SHORTEST - 1 for part in pair.first.parts & pair.later.parts)


def _common_renames(pair: Pair) -> list[tuple[str, str]]:
    """Words of code that both replace by the same other ones."""
    keys = pair.first.renames.keys() & pair.later.renames.keys()
    return [key for key in keys if _region(pair.first, key) is _region(pair.later, key) is Region.CODE]


def _region(facts: HunkFacts, key: tuple[str, str]) -> Region:
    return facts.renames[key][0].region


def _parameter_field(pair: Pair) -> bool:
    fields = {name for name, one in pair.later.declared.items() if one.kind == "field"}
    gone = {name for name, one in pair.later.undeclared.items() if one.kind == "field"}
    heads = [head for head in pair.first.context.heads if head.constructs] if pair.same_file else []
    return any(
        _without_signs(head.added) & _without_signs(fields) or _without_signs(head.removed) & _without_signs(gone)
        for head in heads
    )


def _without_signs(names: set[str] | frozenset[str]) -> set[str]:
    return {name.strip("_") for name in names}


def _parameter_override(pair: Pair) -> bool:
    return any(one.name == other.name and _alike(one, other) for one, other in _heads(pair))


def _parameter_elsewhere(pair: Pair) -> bool:
    return any(one.name != other.name and _alike(one, other) for one, other in _heads(pair))


def _heads(pair: Pair) -> Iterator[tuple[HeadChange, HeadChange]]:
    return ((one, other) for one in pair.first.context.heads for other in pair.later.context.heads)


def _alike(one: HeadChange, other: HeadChange) -> bool:
    return bool(one.added & other.added or one.removed & other.removed or (one.moved and other.moved))


def _parameter_call(pair: Pair) -> bool:
    return any(head.called & pair.later.context.calls for head in pair.first.context.heads)


def _parameter_use(pair: Pair) -> bool:
    return pair.same_file and any(
        head.name in pair.later.context.functions
        and (head.added & pair.later.used.keys() or head.removed & pair.later.unused.keys())
        for head in pair.first.context.heads
    )


def _parameter_doc(pair: Pair) -> bool:
    return pair.same_file and any((head.added | head.removed) & pair.later.prose for head in pair.first.context.heads)


def _return_type(pair: Pair) -> bool:
    one, other = pair.first.context, pair.later.context
    results = one.before.results | one.after.results, other.before.results | other.after.results
    returns = one.before.returns | one.after.returns, other.before.returns | other.after.returns
    return bool(results[0] & (returns[1] | results[1]) or results[1] & returns[0])


def _async(pair: Pair) -> bool:
    return all(_ASYNC.intersection((*one.old_texts, *one.new_texts)) for one in (pair.first, pair.later))


def _import_use(pair: Pair) -> bool:
    imports = {name: one for name, one in pair.first.declared.items() if one.kind == "import"}
    return pair.same_file and _tied(imports, pair.later.used)


def _import_gone_use(pair: Pair) -> bool:
    imports = {name: one for name, one in pair.first.undeclared.items() if one.kind == "import"}
    return pair.same_file and _tied(imports, pair.later.unused)


def _tied(declared: Mapping[str, Name], used: Mapping[str, Name]) -> bool:
    """Whether a use means one of some declarations of its file, or may mean it."""
    return any(
        declared[name].binding == used[name].binding or None in (declared[name].binding, used[name].binding)
        for name in declared.keys() & used.keys()
    )


def _declared_alike(pair: Pair) -> bool:
    """Whether one name is declared in two places, as a class, a method or a function, or no longer in both."""
    sides = ((pair.first.declared, pair.later.declared), (pair.first.undeclared, pair.later.undeclared))
    return any(
        len(name) >= SHORTEST and one[name].kind in _DECLARED and other[name].kind in _DECLARED
        for one, other in sides
        for name in one.keys() & other.keys()
    )


def _declaration_use(pair: Pair) -> bool:
    declared = {name: one for name, one in pair.first.declared.items() if one.kind != "import"}
    imported = {name: one for name, one in pair.later.declared.items() if one.kind == "import"}
    return _follows(pair, declared, {**pair.later.used, **imported}, pair.commit.new)


def _declaration_gone_use(pair: Pair) -> bool:
    declared = {name: one for name, one in pair.first.undeclared.items() if one.kind != "import"}
    imported = {name: one for name, one in pair.later.undeclared.items() if one.kind == "import"}
    return _follows(pair, declared, {**pair.later.unused, **imported}, pair.commit.gone)


def _follows(pair: Pair, declared: Mapping[str, Name], used: Mapping[str, Name], only: frozenset[str]) -> bool:
    """Whether a use means one of some declarations; by its text alone where the name is of this commit only."""
    for name in declared.keys() & used.keys():
        one, other = declared[name], used[name]
        if pair.same_file and None not in (one.binding, other.binding):
            if one.binding == other.binding:
                return True
        elif name in only and len(name) >= SHORTEST and (pair.same_file or one.exported):
            return True
    return False


def _new_name_shared(pair: Pair) -> bool:
    names = pair.first.used.keys() & pair.later.used.keys()
    return any(name in pair.commit.new and len(name) >= SHORTEST for name in names)


def _gone_name_shared(pair: Pair) -> bool:
    names = pair.first.unused.keys() & pair.later.unused.keys()
    return any(name in pair.commit.gone and len(name) >= SHORTEST for name in names)


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
    (EditRelation.RENAME, _rename),
    (EditRelation.RENAME_ELSEWHERE, _rename_elsewhere),
    (EditRelation.RENAME_NAMESAKE, _rename_namesake),
    (EditRelation.RENAME_MENTION, _rename_mention),
    (EditRelation.MENTION_RENAME, _backwards(_rename_mention)),
    (EditRelation.RENAME_PART, _rename_part),
    (EditRelation.PARAMETER_FIELD, _parameter_field),
    (EditRelation.FIELD_PARAMETER, _backwards(_parameter_field)),
    (EditRelation.PARAMETER_OVERRIDE, _parameter_override),
    (EditRelation.PARAMETER_CALL, _parameter_call),
    (EditRelation.CALL_PARAMETER, _backwards(_parameter_call)),
    (EditRelation.PARAMETER_USE, _parameter_use),
    (EditRelation.USE_PARAMETER, _backwards(_parameter_use)),
    (EditRelation.PARAMETER_DOC, _parameter_doc),
    (EditRelation.DOC_PARAMETER, _backwards(_parameter_doc)),
    (EditRelation.PARAMETER_ELSEWHERE, _parameter_elsewhere),
    (EditRelation.RETURN_TYPE, _return_type),
    (EditRelation.ASYNC, _async),
    (EditRelation.IMPORT_USE, _import_use),
    (EditRelation.USE_IMPORT, _backwards(_import_use)),
    (EditRelation.IMPORT_GONE_USE, _import_gone_use),
    (EditRelation.USE_GONE_IMPORT, _backwards(_import_gone_use)),
    (EditRelation.DECLARED_ALIKE, _declared_alike),
    (EditRelation.DECLARATION_USE, _declaration_use),
    (EditRelation.USE_DECLARATION, _backwards(_declaration_use)),
    (EditRelation.DECLARATION_GONE_USE, _declaration_gone_use),
    (EditRelation.USE_GONE_DECLARATION, _backwards(_declaration_gone_use)),
    (EditRelation.SAME_SUBSTITUTION, lambda pair: shared(pair.first, pair.later, old=True, new=True)),
    (EditRelation.SAME_INSERTION, lambda pair: shared(pair.first, pair.later, old=False, new=True)),
    (EditRelation.SAME_DELETION, lambda pair: shared(pair.first, pair.later, old=True, new=False)),
    (EditRelation.NUMBERED, lambda pair: both_numbers(pair.first, pair.later)),
    (EditRelation.DELETED_ALIKE, lambda pair: deleted_alike(pair.first, pair.later)),
    (EditRelation.INSERTED_ALIKE, lambda pair: inserted_alike(pair.first, pair.later)),
    (EditRelation.REPLACED_ALIKE, lambda pair: replaced_alike(pair.first, pair.later)),
    (EditRelation.SAME_CALL, lambda pair: same_calls(pair.first, pair.later)),
    (EditRelation.SAME_ARGUMENT, lambda pair: bool(pair.first.context.calls & pair.later.context.calls)),
    (EditRelation.NEW_NAME_SHARED, _new_name_shared),
    (EditRelation.GONE_NAME_SHARED, _gone_name_shared),
    (EditRelation.MENTION, _mention),
    (EditRelation.PAIRED, _paired),
    (EditRelation.CODE_TEST, _code_test),
)
"""In the order in which they are tried."""
