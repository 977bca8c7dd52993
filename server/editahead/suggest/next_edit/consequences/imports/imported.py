"""Consequences of an import that came: what spells the imported thing with its module takes the short name.

`from os.path import join` came, and so `os.path.join(a)` becomes `join(a)`. A place counts if its first name is that of
another import that makes the whole the same thing, or means nothing in the file (any more), and if the short name means
the new import there and nothing else. Places that are set keep their module: the short name would be another one's.
Beside a static import of Java, uses keep their class while that is imported: of seven first places with both imports
one was shortened. The idea is that of "unnecessary fully qualified name", an inspection of editors for Java, where the
import came after the uses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from itertools import islice

from editahead.analysis.import_statements import import_at
from editahead.analysis.resolver.file_scopes import MODULE_SCOPE, NameAt
from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.scope_lookup import Binding
from editahead.patterns.changes import NetChange, latest, net_changes
from editahead.suggest.gate import not_rejected
from editahead.suggest.next_edit.consequences.imports.imported_names import ImportedName, imported_at, imported_names
from editahead.suggest.next_edit.consequences.imports.set_places import is_set
from editahead.suggest.next_edit.consequences.types import Consequence, Moment, Outcome
from editahead.suggest.types import Document
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Parts
from editahead.syntax.scope_table import Action, Namespace, ScopeTable
from editahead.text.edits import ByteEdit
from editahead.text.words import IDENTIFIER, WORD_BYTES

SOURCE = "imported"
MAX_CHANGES, MAX_NAMES = 4, 12
"""The latest changes of a text that are looked at, and new names of all of them."""
MAX_LINES = 60
"""Lines of one change in which imports are looked for."""
MAX_LOOKED, MAX_PLACES = 300, 20
"""Places of one name that are looked at, and those that are given."""
_AROUND = 200  # bytes of a dotted name
_FIRST_NAMES = re.compile(rb"(?<![$.)\]}\"'?!" + WORD_BYTES + rb"])(?:" + IDENTIFIER + rb"\.)*\Z")
_TAG = re.compile(rb"</?\Z")  # of which there are two


def imported(moment: Moment) -> Outcome:
    """The places that can say less, those of the latest import first. Raises what the check raises."""
    outcome = Outcome.empty()
    home, table = moment.document, moment.document.syntax.language.scopes
    if table is None or not table.imports.statements or (home.history.pending is not None and not home.idle):
        return outcome
    with interruptible(moment.check):
        changes = net_changes(home.history, home.syntax.buffer.data)
        for new in islice(_new_names(moment, home, table, changes), MAX_NAMES):
            outcome.candidates.extend(_shortened(moment, home, table, new, changes))
    return outcome


def _new_names(moment: Moment, home: Document, table: ScopeTable, changes: list[NetChange]) -> Iterator[ImportedName]:
    """The names that the latest changes import, each of which stands somewhere else as well."""
    data = home.syntax.buffer.data
    for change in latest(changes, MAX_CHANGES):
        moment.check()
        at = data.rfind(b"\n", 0, change.start) + 1
        for _ in range(MAX_LINES if data[change.start : change.end].strip() else 0):
            statement = import_at(home.syntax, table, at)
            for name in imported_names(statement, table, data) if statement is not None else ():
                written = name.start < change.end and change.start < name.end
                if written and name.short and home.syntax.count(name.path[-1].encode()) > 1:
                    yield name
            end = data.find(b"\n", statement.end if statement is not None else at)
            at = end + 1
            if end < 0 or at >= change.end:
                break


def _shortened(
    moment: Moment, home: Document, table: ScopeTable, new: ImportedName, changes: list[NetChange]
) -> Iterator[Consequence]:
    """The places that spell a newly imported thing at length, as a reader comes to them from the cursor."""
    buffer, data = home.syntax.buffer, home.syntax.buffer.data
    group = f"{SOURCE}-{blake2b(f'{home.uri} {new.path}'.encode(), digest_size=4).hexdigest()}"
    spelled = [
        (start, end)
        for start, end in _spelled(home, new)
        if start > new.statement_end and not any(one.start <= end and start <= one.end for one in changes)
    ]
    if not spelled or not not_rejected(moment.document, group).passed:
        return
    words = {data[start:end].split(b".")[0] for start, end in spelled}
    parts = Parts(frozenset({*words, new.short.encode()}), tuple(start for start, _ in spelled))
    names = moment.resolver(home.uri, home.syntax, parts)
    given = 0
    for start, end in sorted(spelled, key=lambda span: (span[0] < moment.byte, span[0])) if names is not None else ():
        assert names is not None
        moment.check()
        how = _meant(home, table, names, new, start, end)
        if not how or is_set(home.syntax, start, end):
            continue
        line = buffer.line_at(start)
        key = f"{group} @ {' '.join(buffer.line_text(line).split())}"
        if given < MAX_PLACES and not_rejected(moment.document, key).passed:
            given += 1
            edit = ByteEdit(start, end, new.short.encode())
            reason, like = f"`{new.short}` is imported now", buffer.line_at(new.start)
            yield Consequence(SOURCE, home, edit, group, f"{new.form}/{how}", reason, 1, like, key, group)


def _spelled(home: Document, new: ImportedName) -> Iterator[tuple[int, int]]:
    """Where a dotted name ends in the last word of an imported one: its bytes [start, end)."""
    data, last = home.syntax.buffer.data, new.path[-1].encode()
    whole = re.compile(re.escape(last) + rb"(?![\w$\x80-\xff])")
    sign = b"." if len(new.path) > 1 else b""
    for found in islice(home.syntax.occurrences(sign + last), MAX_LOOKED):
        at = found + len(sign)
        low = max(data.rfind(b"\n", 0, at) + 1, at - _AROUND)
        before = _FIRST_NAMES.search(data, low, at)
        if before is None or whole.match(data, at) is None:
            continue
        start, end = before.start(), at + len(last)
        if not _TAG.search(data, low, start):
            yield start, end


def _meant(home: Document, table: ScopeTable, names: Resolver, new: ImportedName, start: int, end: int) -> str:
    """How a place spells the imported thing: `whole`, or by a `part` of its path; empty where it means another one."""
    row = home.syntax.buffer.data[start:end].decode("utf-8", "replace").split(".")
    here = names.name_at(start, row[0])
    if here is None or here.occurrence.action is not Action.USE:
        return ""
    binding = names.binding(here)
    if binding is None:
        if (len(new.path) > 1 and len(row) == 1) or tuple(row) != new.path[-len(row) :] or new.quoted:
            return ""
    else:
        root = _root(home, table, names, binding)
        if root is None or (*root.path, *row[1:]) != new.path or root.start == new.start or new.form == "static":
            return ""
    is_call = new.form == "static" and home.syntax.buffer.data[end : end + 1] == b"("
    namespace = Namespace.METHOD if is_call else here.occurrence.namespace
    return ("whole" if tuple(row) == new.path else "part") if _is_seen(names, here, namespace, new) else ""


def _root(home: Document, table: ScopeTable, names: Resolver, binding: Binding) -> ImportedName | None:
    """What the import of a name brings; None for other bindings, and for a name that is bound several times."""
    declared = names.declarations(binding)
    if binding.scope != MODULE_SCOPE or len(declared) != 1 or declared[0].occurrence.kind != "import":
        return None
    return imported_at(home.syntax, table, declared[0].start)


def _is_seen(names: Resolver, here: NameAt, namespace: Namespace, new: ImportedName) -> bool:
    """Whether the short name means the new import where a longer one stands."""
    scope = names.scopes.placed(here.unit, here.occurrence.scope)
    found = names.lookup(scope, namespace, new.short, here.start)
    if found is None or found.scope != MODULE_SCOPE:
        return False
    declared = names.declarations(found)
    return len(declared) == 1 and new.start <= declared[0].start < new.end
