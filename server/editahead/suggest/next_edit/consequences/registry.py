"""The sources of candidates for the next edit, with the relations of edits that each of them serves.

A generator serves a relation if, after the first edit of such a pair, it gives the later one: at least where what
ties them is all that the later edit does. The network is no generator: it proposes anything, and is listed nowhere.
"""

from __future__ import annotations

from typing import NamedTuple

from editahead.analysis.edit_relations import EditRelation
from editahead.suggest.next_edit.consequences.calls.argument import argument
from editahead.suggest.next_edit.consequences.calls.awaiting import awaiting
from editahead.suggest.next_edit.consequences.calls.parameter import parameter
from editahead.suggest.next_edit.consequences.fields.field import field
from editahead.suggest.next_edit.consequences.imports.undeclared import undeclared
from editahead.suggest.next_edit.consequences.imports.unused_and_missing import imports
from editahead.suggest.next_edit.consequences.lists.numbered import numbered
from editahead.suggest.next_edit.consequences.removals.unbound import unbound
from editahead.suggest.next_edit.consequences.renames.rename import rename
from editahead.suggest.next_edit.consequences.rewritings.idiom import idiom
from editahead.suggest.next_edit.consequences.rewritings.named_value import named_value
from editahead.suggest.next_edit.consequences.types import Generator
from editahead.suggest.next_edit.edit_candidate import LINES, REPEAT


class CandidateSource(NamedTuple):
    """A source by the name that its candidates bear.

    `generator` is None for those that `candidate_pool` asks itself, and for what another generator gives as well.
    """

    name: str
    relations: tuple[EditRelation, ...]
    generator: Generator | None = None


SOURCES = (
    CandidateSource("rename", (EditRelation.RENAME, EditRelation.RENAME_ELSEWHERE), rename),
    CandidateSource(
        "parameter",
        (EditRelation.PARAMETER_CALL, EditRelation.PARAMETER_OVERRIDE, EditRelation.PARAMETER_DOC),
        parameter,
    ),
    CandidateSource("import", (EditRelation.USE_IMPORT, EditRelation.USE_GONE_IMPORT), imports),
    CandidateSource("await", (EditRelation.ASYNC,), awaiting),
    CandidateSource("field", (EditRelation.PARAMETER_FIELD, EditRelation.FIELD_PARAMETER), field),
    CandidateSource("value", (EditRelation.DECLARATION_USE,), named_value),
    CandidateSource(
        "unbound",
        (EditRelation.IMPORT_GONE_USE, EditRelation.DECLARATION_GONE_USE, EditRelation.PARAMETER_USE),
        unbound,
    ),
    CandidateSource(
        "argument",
        (EditRelation.SAME_INSERTION, EditRelation.SAME_DELETION, EditRelation.SAME_ARGUMENT),
        argument,
    ),
    CandidateSource(REPEAT, (EditRelation.SAME_SUBSTITUTION, EditRelation.SAME_INSERTION, EditRelation.SAME_DELETION)),
    CandidateSource(LINES, (EditRelation.INSERTED_ALIKE, EditRelation.REPLACED_ALIKE)),
    # What users expect after one edit, rare in commits: the pairs that they serve are counted by the sources above.
    CandidateSource("idiom", (), idiom),
    CandidateSource("rewritten", ()),  # given by `idiom`
    CandidateSource("numbered", (), numbered),
)
PLACE_SOURCES = (CandidateSource("undeclared", (EditRelation.USE_IMPORT,), undeclared),)
"""Sources of places alone: they lead to where the later edit is due, which the user writes, and serve no relation."""
GENERATORS: tuple[Generator, ...] = tuple(
    one.generator for one in (*SOURCES, *PLACE_SOURCES) if one.generator is not None
)


def sources_of(relation: EditRelation) -> tuple[str, ...]:
    """The names of the sources that serve a relation."""
    return tuple(one.name for one in SOURCES if relation in one.relations)
