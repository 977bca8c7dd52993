"""Removals that would take away the first declaration of a name that is still used."""

from __future__ import annotations

import re
from collections.abc import Sequence

from editahead.analysis.resolver.resolver import Resolver
from editahead.suggest.next_edit.consequences.types import Moment
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action
from editahead.text.edits import ByteEdit
from editahead.text.words import IDENTIFIER, WORD_BYTES

WORD = re.compile(rb"(?<![.$" + WORD_BYTES + rb"])" + IDENTIFIER)
"""A word that is no member."""


def without_needed(moment: Moment, home: Document, edits: Sequence[ByteEdit]) -> list[ByteEdit]:
    """The removals but for those that take a name's first declaration away while a use of it stays."""
    data = home.syntax.buffer.data
    words = [set(WORD.findall(edit.old_bytes(data))) for edit in edits]
    parts = Parts(frozenset[bytes]().union(*words))
    names = moment.resolver(home.uri, home.syntax, parts) if edits else None
    if names is None:
        return list(edits)
    return [
        edit
        for edit, held in zip(edits, words, strict=True)
        if not any(_is_needed(names, word.decode("utf-8", "replace"), edit) for word in sorted(held))
    ]


def _is_needed(names: Resolver, name: str, edit: ByteEdit) -> bool:
    """Whether an edit takes the first declaration of a name away, and a use of it stays."""
    for at in names.names(name):
        if at.occurrence.action is not Action.BIND or not edit.start <= at.start < edit.old_end:
            continue
        binding = names.binding(at)
        others = names.references(binding) if binding is not None else []
        others = [one for one in others if not edit.start <= one.start < edit.old_end]
        declared = any(one.occurrence.action is Action.BIND and one.start < edit.start for one in others)
        if not declared and any(one.occurrence.action is not Action.BIND for one in others):
            return True
    return False
