"""Single entry point of verification: a proposal passes, or is refused with the rule that it breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple

from editahead.analysis.resolver.resolver import Resolver
from editahead.analysis.resolver.resolver_cache import ResolverCache
from editahead.analysis.signatures import path_to
from editahead.syntax.interrupt import interruptible
from editahead.syntax.nodes import Parts
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.edits import ByteEdit, lines_around
from editahead.text.memo import RecentEntries
from editahead.verification.bindings import binding_conflict
from editahead.verification.deletions import deleted_by, has_example
from editahead.verification.proposal import (
    FileEdits,
    PositionMap,
    ProposedEdits,
    SafetyRule,
    UserChange,
    Violation,
    slide,
)
from editahead.verification.syntax_rules import is_broken_python, syntax_conflict, text_conflict
from editahead.verification.touched_names import WORD, touched_names
from editahead.verification.unused_names import is_unused_without_effect, lost_export, lost_go_package

MAX_REMEMBERED = 256  # shown edits that are remembered: once accepted, they are no examples of what the user deletes

LINES_AHEAD = 20  # lines above and below a byte whose names are read ahead; and their most bytes and words
MAX_BYTES_AHEAD, MAX_WORDS_AHEAD = 8_000, 1_000


class _Trace(NamedTuple):
    """What an accepted edit leaves: the texts that went and came, and the line in which it begins afterwards."""

    uri: str
    removed: bytes
    inserted: bytes
    line: bytes


class Verifier:
    """Verifies proposals. It knows nothing of their sources. Not for two threads at a time."""

    def __init__(self, resolvers: ResolverCache | None = None) -> None:
        self.refusals: Counter[tuple[str, str]] = Counter()  # refusals by source and rule
        self._resolvers = resolvers or ResolverCache()
        self._shown = RecentEntries[_Trace, None](MAX_REMEMBERED)

    def verify(self, proposal: ProposedEdits, check: Callable[[], None], source: str = "") -> Violation | None:
        """Why a proposal is refused; None where it may be shown. Raises what the check raises.

        `source` only names the violation in the counts.
        """
        with interruptible(check):
            violation = self._violation(proposal, check)
        if violation is not None:
            self.refusals[source, violation.rule.value] += 1
        return violation

    def read_names(self, uri: str, syntax: SyntaxSnapshot, byte: int, check: Callable[[], None]) -> None:
        """Read the names around a byte ahead, as an edit of these lines needs them. Raises what the check raises.

        What was read until then is kept.
        """
        buffer, table = syntax.buffer, syntax.language.scopes
        if table is None:
            return
        line = buffer.line_at(byte)
        low = buffer.line_span(max(0, line - LINES_AHEAD))[0]
        high = buffer.line_span(min(line + LINES_AHEAD, buffer.line_count - 1))[1]
        words = islice(WORD.finditer(buffer.data, low, min(high, low + MAX_BYTES_AHEAD)), MAX_WORDS_AHEAD)
        names = dict.fromkeys(word.group() for word in words if word.group().decode() not in table.keywords)
        with interruptible(check):
            names_read = self._resolvers.current(uri, syntax, Parts(frozenset(names), (byte,)))
            if names_read is None:
                return
            for number in names_read.scopes.units_of(((low, high),)):
                check()
                assert names_read.scopes.facts.units[number].facts is not None  # read on first use

    def refusals_by_source(self) -> dict[str, dict[str, int]]:
        """How many edits were refused, by source and rule."""
        counts: dict[str, dict[str, int]] = {}
        for (source, rule), count in self.refusals.items():
            counts.setdefault(source, {})[rule] = count
        return counts

    def remember(self, uri: str, syntax: SyntaxSnapshot, edit: ByteEdit) -> None:
        """Note an edit that is shown."""
        small = edit.trim(syntax.buffer.data)
        after = small.apply(syntax.buffer.data)
        trace = _Trace(uri, small.old_bytes(syntax.buffer.data), small.new, _line_at(after, small.start))
        self._shown.keep(trace, None)

    def forget_shown(self) -> None:
        """Take no later change for an accepted suggestion."""
        self._shown.clear()

    def forget(self, uri: str) -> None:
        """Keep nothing of a closed document."""
        self._resolvers.forget(uri)
        for trace in [trace for trace in self._shown if trace.uri == uri]:
            del self._shown[trace]

    def _violation(self, proposal: ProposedEdits, check: Callable[[], None]) -> Violation | None:
        by_hand = tuple(change for change in proposal.changes if not self._is_accepted(change))
        for file in proposal.files:
            check()
            if violation := self._file_violation(file, proposal, by_hand):
                return violation
        return None

    def _file_violation(
        self, file: FileEdits, proposal: ProposedEdits, by_hand: tuple[UserChange, ...]
    ) -> Violation | None:
        syntax, edits, data = file.syntax, file.edits, file.syntax.buffer.data
        if detail := text_conflict(data, edits):
            return Violation(SafetyRule.TEXT, detail)
        buffer, in_order = syntax.buffer, tuple(reversed(edits))  # last first: each in bytes of the text as it is
        for edit in in_order:
            buffer = buffer.apply(edit)
        after = syntax.advance(buffer, in_order)
        positions = PositionMap(edits)
        if detail := syntax_conflict(syntax, after, positions):
            return Violation(SafetyRule.SYNTAX, detail)
        if syntax.language.id == "python" and is_broken_python(syntax, after, positions):
            return Violation(SafetyRule.SYNTAX, "Python would not compile it")
        touched = touched_names(data, edits)
        if touched is None:
            return Violation(SafetyRule.BINDING, "changes too much to be verified")
        table = syntax.language.scopes
        keywords = table.keywords if table is not None else frozenset[str]()
        touched = [name for name in touched if name not in keywords]
        parts = Parts(frozenset(name.encode() for name in touched), tuple(edit.start for edit in edits))
        before = self._resolvers.current(file.uri, syntax, parts)
        later = self._resolvers.once(file.uri, after, parts) if before is not None else None
        if violation := self._deletion_violation(file, before, proposal, by_hand):
            return violation
        if before is None or later is None:
            return None
        if detail := binding_conflict(before, later, positions, touched, syntax.language.id):
            slid = slide(data, edits)  # another reading of the same change may keep each name
            if slid == edits or binding_conflict(before, later, PositionMap(slid), touched, syntax.language.id):
                return Violation(SafetyRule.BINDING, detail)
        name = lost_export(before, later, positions, touched, file.uri, proposal.is_used_elsewhere)
        return Violation(SafetyRule.EXPORT, f"other files may use `{name}`") if name else None

    def _deletion_violation(
        self, file: FileEdits, before: Resolver | None, proposal: ProposedEdits, by_hand: tuple[UserChange, ...]
    ) -> Violation | None:
        """Why an edit may not delete what it deletes: no example by the user, and no proof that it is unused."""
        table = file.syntax.language.scopes
        for edit in file.edits:
            deletion = deleted_by(file.syntax, edit)
            if deletion is None:
                continue
            if table is None:
                return Violation(SafetyRule.DELETION, "deletes code in a language without rules of names")
            if package := lost_go_package(file.syntax, edit):
                return Violation(SafetyRule.BINDING, f"the file uses `{package}`")
            if _is_broken(file.syntax, edit) and not deletion.has_only_includes():
                return Violation(SafetyRule.DELETION, "deletes code where the syntax is broken")
            if has_example(file.syntax, edit, deletion, by_hand):
                continue
            if before is not None and is_unused_without_effect(
                before, file.syntax, edit, file.uri, proposal.is_used_elsewhere
            ):
                continue
            text = deletion.text[:40].decode("utf-8", "replace")
            return Violation(SafetyRule.DELETION, f"deletes `{text}`, and you deleted nothing like it")
        return None

    def _is_accepted(self, change: UserChange) -> bool:
        line = _line_at(change.syntax.buffer.data, change.start)
        return _Trace(change.uri, change.removed, change.inserted, line) in self._shown


def _line_at(data: bytes, byte: int) -> bytes:
    start, end = lines_around(data, byte, byte)
    return data[start:end].strip()


def _is_broken(syntax: SyntaxSnapshot, edit: ByteEdit) -> bool:
    """Whether the statement of the module that holds an edit has syntax errors: names in it may be misread."""
    path, _ = path_to(syntax, edit.start)
    return any(node.is_error for node in path) or (len(path) > 1 and path[1].has_error)
