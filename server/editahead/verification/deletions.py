"""Whether an edit deletes code, and whether the user deleted the like of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from textwrap import dedent
from typing import NamedTuple

from editahead.analysis.resolver.resolver import resolver_of
from editahead.analysis.signatures import call_around, function_with_parameters_at, path_to
from editahead.syntax.chunks.chunked import open_snapshot
from editahead.syntax.language import Language
from editahead.syntax.nodes import node_text
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import Region, SyntaxSnapshot
from editahead.text.buffer import Buffer
from editahead.text.edits import ByteEdit, lines_around
from editahead.text.words import WORD_BYTES
from editahead.verification.proposal import UserChange, whole_words
from editahead.verification.touched_names import is_augmented, is_declaration

MAX_BYTES = 20_000  # bytes of a deletion that are read; a longer deletion is like no other
MIN_KEPT = 0.5
"""The share of its words that a shorter text must keep: with fewer, what went was deleted and not rewritten."""
MIN_SHARED = 0.5  # the share of words that two deleted statements have in common to be alike
MIN_MOVED = 8  # bytes of a text that counts as moved where it stands again
_WORD = re.compile(rb"[$" + WORD_BYTES + rb"]+")
_NAME = re.compile(rb"[A-Za-z_$\x80-\xff]")
_FIELD = re.compile(rb"([" + WORD_BYTES + rb"]+) ?[:=](?!=)")
_OPERATOR = re.compile(rb"[|&+?!:=<>.*/%-]")
_COMMENT = re.compile(rb"^[ \t]*(?://|/\*|\*|--).*$", re.MULTILINE)
_HASH_COMMENT = re.compile(rb"^[ \t]*(?:#|//|/\*|\*|--).*$", re.MULTILINE)
_FORMS = (("", ""), ("class A {\n", "\n}"), ("struct A {\n", "\n}"), ("type A struct {\n", "\n}"))
"""What may stand around a deleted text: nothing, or what holds members."""
_SEPARATORS = b" \t\r\n,;"
_IMPORT = re.compile(rb"(?:pub +)?(?:import|from|use|using|# *include)(?: (?!\()|[\"<{*])")
"""Also the forms that bind no name in a table of scopes: `import "fmt"`, `#include`, `using`."""
_INCLUDE = re.compile(rb"[ \t]*#[ \t]*include\b")


class Deletion(NamedTuple):
    """Code that an edit takes away without a replacement. `text` has single blanks and no separators around it."""

    text: bytes
    names: frozenset[bytes]
    first: bytes
    is_item: bool
    source: bytes = b""  # the deleted text as it stood

    def has_only_includes(self) -> bool:
        """Whether the code is lines of `#include` alone, which no broken syntax hides a use of."""
        return all(_INCLUDE.match(line) for line in self.source.splitlines() if line.strip())

    def declared_names(self, language: Language) -> frozenset[bytes]:
        """The names that the code declares or imports."""
        if _IMPORT.match(self.text):
            return self.names
        return frozenset() if self.is_item else self.names & _declared_in(self.source, language)


def deletion_of(removed: bytes, inserted: bytes, language: Language) -> Deletion | None:
    """What goes without a replacement where `inserted` replaces `removed`; None where no code does."""
    comment, keywords = (
        _comment(language),
        language.scopes.keywords if language.scopes is not None else frozenset[str](),
    )
    removed, inserted = comment.sub(b"", removed[:MAX_BYTES]), comment.sub(b"", inserted[:MAX_BYTES])
    gone, come = _WORD.findall(removed), _WORD.findall(inserted)
    if not gone:
        return None
    if come:
        kept = sum(word in set(come) for word in gone) / len(gone)
        if _lines(removed) <= _lines(inserted) or kept >= MIN_KEPT:
            return None
    names = [word for word in gone if _NAME.match(word) and word.decode("utf-8", "replace") not in keywords]
    stripped = removed.strip(_SEPARATORS)
    whole = removed.strip()
    is_item = whole.startswith(b",") or whole.endswith(b",") or b"\n" not in removed
    return Deletion(b" ".join(stripped.split()), frozenset(names), names[0] if names else gone[0], is_item, removed)


@lru_cache(maxsize=64)
def _declared_in(text: bytes, language: Language) -> frozenset[bytes]:
    """The names that statements or members declare, read alone: in the form with the fewest syntax errors."""
    plain = dedent(text.decode("utf-8", "replace"))
    forms = [open_snapshot(Buffer(f"{before}{plain}{after}".encode()), language) for before, after in _FORMS]
    names = resolver_of(min(forms, key=lambda form: form.error_count()))
    if names is None:
        return frozenset()
    declared: set[bytes] = set()
    for word in set(_WORD.findall(text)):
        uses = names.names(word.decode("utf-8", "replace"))
        if any(is_declaration(use) and not is_augmented(names, use) for use in uses):
            declared.add(word)
    return frozenset(declared)


def deleted_by(syntax: SyntaxSnapshot, edit: ByteEdit) -> Deletion | None:
    """What an edit deletes; None where that is no code, or only a part of a word."""
    data = syntax.buffer.data
    small = edit if not edit.new.strip() else edit.trim(data)
    low, high = small.start, small.old_end
    if low < high and syntax.region_at(low + 1) is syntax.region_at(high - 1) is not Region.CODE:
        return None
    if _comment(syntax.language).search(small.new):  # code may become a comment: the lines around tell
        low, high = lines_around(data, low, high)
    else:
        low, high = whole_words(data, small)
    inserted = data[low : small.start] + small.new + data[small.old_end : high]
    return deletion_of(data[low:high], inserted, syntax.language)


def _comment(language: Language) -> re.Pattern[bytes]:
    """The comments of a language at the begin of lines; where they have other signs, `#` begins a directive."""
    return _HASH_COMMENT if language.line_comment == "#" else _COMMENT


def has_example(syntax: SyntaxSnapshot, edit: ByteEdit, deletion: Deletion, changes: Sequence[UserChange]) -> bool:
    """Whether the user deleted the like by hand, or moved the very text elsewhere."""
    table = syntax.language.scopes
    for change in changes:
        removed, inserted = (b" ".join(text[:MAX_BYTES].split()) for text in (change.removed, change.inserted))
        if len(deletion.text) >= MIN_MOVED and deletion.text in inserted:
            return True
        if _OPERATOR.match(deletion.text) and deletion.text in removed and deletion.text not in inserted:
            return True
        example = deletion_of(change.removed, change.inserted, change.syntax.language)
        if example is None:
            continue
        if _is_like(deletion, example, change.syntax.language):
            return True
        both = deletion.is_item and example.is_item and table is not None
        if both and table is not None and _has_same_owner(syntax, table, edit.start, change):
            return True
    return False


def _is_like(deletion: Deletion, example: Deletion, language: Language) -> bool:
    if deletion.text == example.text:
        return True
    field, other = (_FIELD.match(text) for text in (deletion.text, example.text))
    if field is not None and other is not None and field[1] == other[1]:
        return True  # a field, a parameter and an argument of the same name
    if deletion.is_item != example.is_item:
        return False
    # a use is not the like of its declaration
    foreign = example.declared_names(language) - deletion.declared_names(language)
    shared = len((deletion.names & example.names) - foreign)
    if deletion.is_item:
        return shared > 0 or (bool(deletion.names) and deletion.names <= example.names)
    if deletion.first == example.first and deletion.first not in foreign:
        return True
    return shared > 0 and shared >= MIN_SHARED * len(deletion.names | example.names)


def _has_same_owner(syntax: SyntaxSnapshot, table: ScopeTable, byte: int, change: UserChange) -> bool:
    """Whether both items were taken from the parameters or arguments of the same function."""
    other = change.syntax.language.scopes
    if other is None:
        return False
    return bool(set(_owners(syntax, table, byte)) & set(_owners(change.syntax, other, change.start)))


def _owners(syntax: SyntaxSnapshot, table: ScopeTable, byte: int) -> Iterator[str]:
    """The name of the function between whose brackets a byte stands; also that of its class, if it is a constructor."""
    call = call_around(syntax, table, byte)
    if call is not None:
        yield call.name
        return
    declared = function_with_parameters_at(syntax, table, byte)
    if declared is None:
        return
    yield declared.name
    if declared.name == table.classes.constructor:
        path, _ = path_to(syntax, byte)
        for node in reversed(path):
            name = node.child_by_field_name("name") if node.type in table.classes.bodies else None
            if name is not None:
                yield node_text(name)
                return


def _lines(text: bytes) -> int:
    return sum(bool(line.strip()) for line in text.splitlines())
