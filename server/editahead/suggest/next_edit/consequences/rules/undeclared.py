"""Places for the imports of classes that the user names and nothing declares; the text is the user's to write.

In Python alone. The source `import` writes the import of a name where another file or the standard library says where
it comes from; this one leads to the end of the imports where nobody does. The idea is the quick fix "add an import" of
editors, of which only the jump is left. Other names (variables, functions, modules) were declared near the place in
half to three quarters of the moments, and so were classes in files that declare some: a new one may stand there, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from editahead.analysis.import_statements import ImportStatement, imports_of
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE
from editahead.analysis.resolver.resolver import Resolver
from editahead.patterns.changes import latest, net_changes
from editahead.suggest.next_edit.consequences.imports.import_sources import module_of, standard_module_of
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule
from editahead.suggest.next_edit.consequences.types import Cause, Moment, OpenPlace
from editahead.suggest.types import Document
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.words import IDENTIFIER, WORD_BYTES

SOURCE = "undeclared"
LANGUAGE = "python"
MAX_CHANGES, MAX_WORDS = 4, 40
"""The latest changes of a text that are looked at, and words of all of them."""
MAX_STANDING = 200
"""How often a word, or a longer one that holds it, may stand in a text to be looked at."""
_WORD = re.compile(rb"(?<![.$" + WORD_BYTES + rb"])" + IDENTIFIER)
_DECLARED = re.compile(rb"^(?:@\w|(?:async[ \t]+)?def[ \t]+\w+\(|class[ \t]+\w+[ \t]*[(:])", re.MULTILINE)
_CLASS = re.compile(rb"^class[ \t]", re.MULTILINE)
_CALLED = re.compile(rb"[ \t]*\(")


class _New(NamedTuple):
    """A word that came with a change."""

    name: str
    start: int
    end: int


def undeclared(moment: Moment) -> Iterator[OpenPlace]:
    """The places for the declarations of new names, those of the latest change first."""
    home, table = moment.document, moment.document.syntax.language.scopes
    if table is None or home.language_id != LANGUAGE or _CLASS.search(home.syntax.buffer.data):
        return
    words = list(_new_words(moment, home, table)) if not home.syntax.error_count() else []
    parts = Parts(frozenset(one.name.encode() for one in words), tuple(one.start for one in words))
    names = moment.resolver(home.uri, home.syntax, parts) if words else None
    if names is not None and not names.scopes.has_wildcard_import():
        for one in words:
            yield from _place(moment, home, table, names, one)


def _new_words(moment: Moment, home: Document, table: ScopeTable) -> Iterator[_New]:
    """Words that the latest changes brought, where they stand first."""
    data, seen = home.syntax.buffer.data, set[bytes]()
    for change in latest(net_changes(home.history, data), MAX_CHANGES):
        moment.check()
        old = set(_WORD.findall(change.old))
        for found in _WORD.finditer(data, change.start, change.end):
            word, name = found.group(), found.group().decode("utf-8", "replace")
            if word in seen or word in old or len(seen) == MAX_WORDS:
                continue
            seen.add(word)
            special = name in table.keywords or name in table.builtins or name.startswith("_")
            if not special and home.syntax.count(word) <= MAX_STANDING:
                yield _New(name, found.start(), found.end())


def _place(moment: Moment, home: Document, table: ScopeTable, names: Resolver, new: _New) -> Iterator[OpenPlace]:
    data = home.syntax.buffer.data
    here = names.name_at(new.start, new.name)
    if here is None or here.occurrence.action is not Action.USE or names.binding(here) is not None:
        return
    if names.exists(new.name, MODULE_SCOPE):
        return
    kind, start = _kind(new.name, data, new.end), _end_of_imports(home.syntax, table)
    if not kind or start is None or _is_known(moment, table, new, data):
        return
    line = home.syntax.buffer.line_at(new.start)
    cause = Cause(SOURCE, f"{home.uri} {new.name}", f"`{new.name}` is not imported", line)
    singular, plural = f"import of `{new.name}` is missing", f"imports of `{new.name}` are missing"
    yield from moment.open_place(cause, home, start, kind, singular, plural)


def _kind(name: str, data: bytes, end: int) -> str:
    """How a class is named that may be imported; empty for other names."""
    if not name[:1].isupper() or name.isupper():
        return ""
    return "called" if _CALLED.match(data, end) else "named"


def _is_known(moment: Moment, table: ScopeTable, new: _New, data: bytes) -> bool:
    """Whether the source `import` can tell where a name comes from."""
    modules = [one.module for one in imports_of(moment.document.syntax, table) if one.takes_names]
    if standard_module_of(new.name, data[new.end : new.end + 1], modules) is not None:
        return True
    elsewhere = any(new.name.encode() in other.syntax.buffer.data for other in moment.document.others)
    return elsewhere and module_of(moment, table, new.name) is not None


def import_block(syntax: SyntaxSnapshot, table: ScopeTable) -> Sequence[ImportStatement]:
    """The imports of a module above its first function or class."""
    data = syntax.buffer.data
    first = _DECLARED.search(data)
    return [one for one in imports_of(syntax, table) if first is None or one.end <= first.start()]


def _end_of_imports(syntax: SyntaxSnapshot, table: ScopeTable) -> int | None:
    block = import_block(syntax, table)
    return syntax.buffer.line_span(syntax.buffer.line_at(block[-1].end))[1] if block else None


RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.WORDS_ADDED}),
    generate=undeclared,
    you="use a class that nothing imports",
    follows="`Tab` leads to the end of the imports (Python)",
    examples=("import os\n\nx = os.sep\ny = «1>Store()»\n",),
    waits=True,
)
