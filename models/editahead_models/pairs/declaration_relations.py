"""Declarations and imports that tie two hunks."""

from __future__ import annotations

from collections.abc import Mapping

from editahead_models.pairs.names import Name
from editahead_models.pairs.pair import SHORTEST, Pair

_DECLARED = frozenset({"function", "method", "class"})


def import_use(pair: Pair) -> bool:
    """Whether an import comes, and then its use."""
    imports = {name: one for name, one in pair.first.declared.items() if one.kind == "import"}
    return pair.same_file and _tied(imports, pair.later.used)


def import_gone_use(pair: Pair) -> bool:
    """Whether an import goes, and then its use."""
    imports = {name: one for name, one in pair.first.undeclared.items() if one.kind == "import"}
    return pair.same_file and _tied(imports, pair.later.unused)


def _tied(declared: Mapping[str, Name], used: Mapping[str, Name]) -> bool:
    """Whether a use means one of some declarations of its file, or may mean it."""
    return any(
        declared[name].binding == used[name].binding or None in (declared[name].binding, used[name].binding)
        for name in declared.keys() & used.keys()
    )


def declared_alike(pair: Pair) -> bool:
    """Whether one name is declared in two places, as a class, a method or a function, or no longer in both."""
    sides = ((pair.first.declared, pair.later.declared), (pair.first.undeclared, pair.later.undeclared))
    return any(
        len(name) >= SHORTEST and one[name].kind in _DECLARED and other[name].kind in _DECLARED
        for one, other in sides
        for name in one.keys() & other.keys()
    )


def declaration_use(pair: Pair) -> bool:
    """Whether a declaration comes, and then its use, or its import in another file."""
    declared = {name: one for name, one in pair.first.declared.items() if one.kind != "import"}
    imported = {name: one for name, one in pair.later.declared.items() if one.kind == "import"}
    return _follows(pair, declared, {**pair.later.used, **imported}, pair.commit.new)


def declaration_gone_use(pair: Pair) -> bool:
    """Whether a declaration goes, and then its use, or its import in another file."""
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


def new_name_shared(pair: Pair) -> bool:
    """Whether both use what the commit declares."""
    names = pair.first.used.keys() & pair.later.used.keys()
    return any(name in pair.commit.new and len(name) >= SHORTEST for name in names)


def gone_name_shared(pair: Pair) -> bool:
    """Whether both used what the commit declares no more."""
    names = pair.first.unused.keys() & pair.later.unused.keys()
    return any(name in pair.commit.gone and len(name) >= SHORTEST for name in names)
