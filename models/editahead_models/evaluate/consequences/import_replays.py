"""Imports in commits, replayed: all of a file's change is entered but that of its imports; what follows for them?

Right is what the commit did to the import of that name: it took it away, or imported it from that module.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from difflib import SequenceMatcher

from editahead.analysis.resolver.resolver import resolver_of
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.suggest.next_edit.consequences.rules import rule_named
from editahead.suggest.next_edit.consequences.types import Consequence, Moment
from editahead.suggest.types import Document
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.syntax.scope_table import Action
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit
from editahead.text.history import EditKind

from editahead_models.data.mining.commits import Commit
from editahead_models.data.mining.git_changes import FileChange
from editahead_models.evaluate.consequences.replays import Replay, edited, first_of_each, opened

_IMPORT = re.compile(r"\s*(import\s|from\s+\S+\s+import\b|$)")


def replays(commit: Commit, project: str, language: Language, rng: random.Random) -> Iterator[Replay]:
    """The moments of a commit, with its other files as it left them. Nothing is drawn."""
    others = [opened(change.path, change.after, language) for change in commit.changes]
    others += [opened(path, text, language) for path, text in commit.beside]
    for change in commit.changes:
        document = _entered(change, language)
        if document is None:
            continue
        beside = tuple(one for one in others if one.uri != document.uri)
        outcome = rule_named("import").run(
            Moment(replace(document, others=beside), 0, ResolverCache().of, lambda: None)
        )
        verdicts = ((one.kind, _verdict(one, change, language)) for one in outcome.candidates)
        yield from first_of_each(project, language, verdicts)


def _entered(change: FileChange, language: Language) -> Document | None:
    """The file with all of its changed lines but imports, each a paste; None where nothing is left of the change."""
    old, new = change.before.splitlines(keepends=True), change.after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line.encode()))
    edits, grown = list[ByteEdit](), 0
    for kind, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal" or all(_IMPORT.match(line) for line in (*old[a:b], *new[c:d])):
            continue
        edits.append(ByteEdit(starts[a] + grown, starts[b] + grown, "".join(new[c:d]).encode()))
        grown += edits[-1].delta
    return edited(opened(change.path, change.before, language), edits, EditKind.PASTE) if edits else None


def _verdict(candidate: Consequence, change: FileChange, language: Language) -> str:
    name = candidate.reason.split("`")[1]
    modules = _imported(change.after, name, language)
    if candidate.kind.startswith("unused/"):
        return "kept" if modules else "right"
    offered = _imported(candidate.edit.apply(candidate.document.syntax.buffer.data).decode(), name, language)
    return "right" if offered & modules else "other" if modules else "kept"


def _imported(text: str, name: str, language: Language) -> set[str]:
    """The modules from which a text imports a name."""
    names = resolver_of(open_snapshot(Buffer(text.encode()), language))
    rows = names.names(name) if names is not None else []
    found = [one.occurrence for one in rows if one.occurrence.action is Action.BIND]
    return {one.module or f"as {one.name}" for one in found if one.kind == "import"}
