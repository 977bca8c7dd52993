"""Renames that tie two hunks."""

from __future__ import annotations

from editahead.syntax.snapshot import Region

from editahead_models.pairs.facts import HunkFacts
from editahead_models.pairs.pair import SHORTEST, Pair


def rename(pair: Pair) -> bool:
    """Whether both rename one declaration."""
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


def rename_elsewhere(pair: Pair) -> bool:
    """Whether both rename what one of two files declares."""
    return not pair.same_file and any(
        key in pair.commit.renamed and (pair.first.renames[key][0].exported or pair.later.renames[key][0].exported)
        for key in _common_renames(pair)
    )


def rename_namesake(pair: Pair) -> bool:
    """Whether both rename a name alike, of two declarations."""
    return any(key in pair.commit.renamed for key in _common_renames(pair))


def rename_mention(pair: Pair) -> bool:
    """Whether the first renames in code what the later one renames in a text."""
    keys = pair.first.renames.keys() & pair.later.renames.keys()
    return any(_region(pair.first, key) is Region.CODE and _region(pair.later, key) is not Region.CODE for key in keys)


def rename_part(pair: Pair) -> bool:
    """Whether both rename the same part of two names."""
    if pair.first.renames.keys() & pair.later.renames.keys():
        return False  # the same words: nothing is tied by a part of them
    return any(min(map(len, part)) >= SHORTEST - 1 for part in pair.first.parts & pair.later.parts)


def _common_renames(pair: Pair) -> list[tuple[str, str]]:
    """Words of code that both replace by the same other ones."""
    keys = pair.first.renames.keys() & pair.later.renames.keys()
    return [key for key in keys if _region(pair.first, key) is _region(pair.later, key) is Region.CODE]


def _region(facts: HunkFacts, key: tuple[str, str]) -> Region:
    return facts.renames[key][0].region
