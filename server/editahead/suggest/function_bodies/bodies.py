"""Bodies for functions that have none: written from name, signature, docstring and the names in scope.

An offered body parses in its file, reads only defined names, and meets the precision of the settings;
otherwise there is no suggestion, with the reason. A body counts as right only if it is what people wrote there, so
this is often quiet.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache

from editahead.analysis.bindings import UsableNames, usable_names
from editahead.analysis.function_heads import EmptyBody, FunctionHead, empty_body_at, stays_empty
from editahead.analysis.known_names import unknown_in
from editahead.encode.language_model.encoder import detect_indent
from editahead.encode.tree_generation.description import description_of
from editahead.encode.tree_generation.steps import Description
from editahead.runtime.bundle import Bundle
from editahead.runtime.ort import Cancel, Selection
from editahead.runtime.tree_generation.model import FEATURES, GeneratedBody, ProgramModel, program_features
from editahead.suggest.gate import first_failure, meets_threshold, no_reversal, not_rejected, parses_no_worse
from editahead.suggest.requested_edits import MOST, EditScorer, answered
from editahead.suggest.types import (
    Decision,
    Document,
    GateReading,
    GhostToken,
    InlineSuggestion,
    Reason,
    RequestedEdit,
    Shown,
    Suppressed,
    WrittenBodies,
)
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import style_of

_NOT_ALWAYS = (
    ast.IfExp, ast.BoolOp, ast.Lambda, ast.comprehension, ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.Match,
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef,
)  # fmt: skip


def has_effect(statements: Sequence[ast.stmt]) -> bool:
    """Whether any of them is more than `pass` or a constant."""
    for statement in statements:
        constant = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not constant and not isinstance(statement, ast.Pass):
            return True
    return False


def is_recursive(statements: Sequence[ast.stmt], head: FunctionHead, mine: set[str]) -> bool:
    """Whether a body of a single statement always calls its own function: `return self.area` in a property `area`.

    `mine` are the names that the function's own object goes by.
    """
    nodes = [node for statement in statements for node in ast.walk(statement)]
    if len(statements) > 1 or any(isinstance(node, _NOT_ALWAYS) for node in nodes):
        return False
    if any(token.text.endswith("property") for row in head.decorators for token in row):
        return any(_is_own_attribute(node, head.name, mine) for node in nodes)
    called = [node.func for node in nodes if isinstance(node, ast.Call)]
    function = head.class_line is None
    return any(
        _is_own_attribute(callee, head.name, mine)
        or (function and isinstance(callee, ast.Name) and callee.id == head.name)
        for callee in called
    )


def _is_own_attribute(node: ast.AST, name: str, mine: set[str]) -> bool:
    """Whether it reads this attribute of the own object."""
    read = isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load) and node.attr == name
    return read and isinstance(node.value, ast.Name) and node.value.id in mine  # type: ignore[attr-defined]


def is_body(data: bytes, empty: EmptyBody, text: str, new: bytes) -> bool:
    """Whether a function of the same kind with the lines `new` compiles, and has the statements of `text`."""
    names = dict.fromkeys(parameter.name for parameter in empty.head.parameters)
    kind = "async def" if data[empty.def_byte : empty.def_byte + 5] == b"async" else "def"
    lines = new.decode("utf-8").lstrip("\r\n")
    if not empty.fresh:
        lines = (empty.indent or b"").decode("utf-8") + lines
    source = f"{kind} f({', '.join(names)}):\n{lines}\n"
    try:
        with warnings.catch_warnings(record=True) as doubts:
            warnings.simplefilter("always", SyntaxWarning)
            compile(source, "<body>", "exec", dont_inherit=True)
            written = ast.parse(source).body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if any(issubclass(doubt.category, SyntaxWarning) for doubt in doubts):
        return False
    assert isinstance(written, (ast.FunctionDef, ast.AsyncFunctionDef))
    return list(map(ast.dump, written.body)) == list(map(ast.dump, ast.parse(text).body))


SURFACE = "describe"
INLINE_CALLS = 40  # of the network; ghost text waits no longer for a body


class Describer:
    """One model of programs at work. Lives on the inference thread. Raises BundleError when the bundle fails."""

    def __init__(self, bundle: Bundle, selection: Selection) -> None:
        self.model = ProgramModel(bundle, selection)
        self._scorer = EditScorer(bundle, SURFACE, FEATURES)
        self._asked_last: tuple[Description, int] | None = None
        self._written: tuple[GeneratedBody, ...] = ()

    def forget(self) -> None:
        """Keep nothing of a closed document."""
        self._asked_last, self._written = None, ()

    def suggest(self, document: Document, byte: int, cancel: Cancel) -> Decision[WrittenBodies]:
        """Bodies for the function at a byte, at the precision of explicit requests."""
        precision = min(document.target_precision("ghost_text"), document.settings.invoked_precision)
        return self._at_precision(document, byte, cancel, precision, self.model.how.calls)

    def inline(self, document: Document, byte: int, cancel: Cancel) -> Decision[InlineSuggestion]:
        """The most likely body as ghost text, where the cursor is on the only, empty line of a body."""
        empty = empty_body_at(document.syntax, byte) if is_blank_line(document, byte) else None
        if empty is None or empty.line is None:
            return Suppressed(Reason.EMPTY, "no empty line of a function without a body")
        decision = self._at_precision(document, byte, cancel, document.target_precision("ghost_text"), INLINE_CALLS)
        if isinstance(decision, Suppressed):
            return decision
        best = decision.value.items[0]
        data = document.syntax.buffer.data
        typed = data[best.edit.start : byte]
        if not best.edit.new.startswith(typed):
            return Suppressed(Reason.NO_FIT, "the line is indented otherwise", decision.gates)
        insert = best.edit.new[len(typed) :].decode("utf-8")
        more = (not_rejected(document, insert), no_reversal(document, byte, insert))
        if (failure := first_failure([*decision.gates, *more])) is not None:
            return failure
        written = (GhostToken(insert, best.probability, "written"),)
        return Shown(InlineSuggestion(insert, byte, best.edit.old_end, written), best.probability, decision.gates)

    def probability(self, bodies: tuple[GeneratedBody, ...], rank: int) -> float:
        """The calibrated probability that a body is right."""
        return self._scorer.probability(program_features(bodies, rank))

    def _at_precision(
        self, document: Document, byte: int, cancel: Cancel, precision: float, calls: int
    ) -> Decision[WrittenBodies]:
        enabled = GateReading(Reason.DISABLED, document.settings.write_bodies, "editahead.writeBodies")
        return answered(
            document, enabled, cancel, lambda gates: self._bodies(document, byte, cancel, gates, precision, calls)
        )

    def _write(self, description: Description, cancel: Cancel, calls: int) -> tuple[GeneratedBody, ...]:
        """The most probable bodies; those of the last description stay while its function is typed in. Raises."""
        if self._asked_last != (description, calls):
            written = self.model.write(description, cancel, replace(self.model.how, calls=calls))
            self._asked_last, self._written = (description, calls), written
        return self._written

    def _bodies(
        self, document: Document, byte: int, cancel: Cancel, gates: list[GateReading], precision: float, calls: int
    ) -> Decision[WrittenBodies]:
        syntax = document.syntax
        empty = empty_body_at(syntax, byte)
        if empty is None:
            return Suppressed(Reason.EMPTY, "no function without a body here", tuple(gates))
        path = document.path
        if stays_empty(syntax, empty.head) or (path is not None and path.suffix == ".pyi"):
            return Suppressed(Reason.EMPTY, f"{empty.head.name} is meant to have no body", tuple(gates))
        needed = self._scorer.calibration.threshold(precision)
        if needed > 1.0:  # then nothing is searched, and ghost text of others does not wait
            never = f"no bodies were right so often on unseen projects: {precision:g} is asked for"
            gate = GateReading(Reason.LOW_PROBABILITY, False, never)
            return Suppressed(gate.reason, never, (*gates, gate))
        description = description_of(syntax, empty.def_byte)
        if description is None:
            return Suppressed(Reason.EMPTY, "no description", tuple(gates))
        bodies = self._write(description, cancel, calls)
        if not bodies:
            return Suppressed(Reason.EMPTY, "the model knows no body that is likely at all", tuple(gates))
        likely = [(self.probability(bodies, rank), body) for rank, body in enumerate(bodies)]
        likely.sort(key=lambda pair: -pair[0])
        readings = [*gates, meets_threshold(likely[0][0], needed)]
        if (failure := first_failure(readings)) is not None:
            return failure
        seen = cache(lambda: usable_names(syntax, empty.head))
        items: list[RequestedEdit] = []
        failures: list[Suppressed] = []
        for probability, body in likely:
            if probability < needed or len(items) == MOST:
                break
            edit = edit_of(document, empty, body.text)
            failed = next((reading for reading in _fits(document, empty, body, edit, seen) if not reading.passed), None)
            if failed is None:
                items.append(RequestedEdit(edit, probability, body.text))
            else:
                failures.append(Suppressed(failed.reason, failed.value, (*readings, failed)))
        if not items:
            return failures[0]
        name, line = empty.head.name, empty.head.line
        return Shown(WrittenBodies(tuple(items), name, line), items[0].probability, tuple(readings))


def can_be_body(bundle: Bundle, document: Document, byte: int) -> bool:
    """Whether ghost text may be a body here, decided without opening the model: mostly it may not."""
    if not document.settings.write_bodies or not is_blank_line(document, byte):
        return False
    return can_show_bodies(bundle, document) and empty_body_at(document.syntax, byte) is not None


def can_show_bodies(bundle: Bundle, document: Document) -> bool:
    """Whether ghost text of a document may be a body at all: at high precisions no body meets the threshold."""
    reached = math.isfinite(bundle.calibration(SURFACE).threshold(document.target_precision("ghost_text")))
    return reached and document.settings.write_bodies


def is_blank_line(document: Document, byte: int) -> bool:
    """Whether nothing stands on the line of a byte."""
    buffer = document.syntax.buffer
    return document.language_id == "python" and not buffer.line_bytes(buffer.line_at(byte)).strip()


def edit_of(document: Document, empty: EmptyBody, statements: str) -> ByteEdit:
    """Statements in the indentation and with the line ends of the file."""
    data = document.syntax.buffer.data
    tabs, eol = style_of(data)
    unit = b"\t" if tabs else b" " * detect_indent(data)
    return ByteEdit(empty.start, empty.end, empty.text(statements, unit, eol))


def _fits(
    document: Document, empty: EmptyBody, body: GeneratedBody, edit: ByteEdit, seen: Callable[[], UsableNames]
) -> Iterator[GateReading]:
    yield not_rejected(document, body.text)
    statements = ast.parse(body.text).body
    says = has_effect(statements)
    yield GateReading(Reason.EMPTY, says, "says something" if says else "says nothing")
    compiles = is_body(document.syntax.buffer.data, empty, body.text, edit.new)
    yield GateReading(Reason.NO_FIT, compiles, "a body of this function" if compiles else "no body of this function")
    unknown = unknown_in(statements, seen(), empty.head.name)
    yield GateReading(Reason.NO_FIT, not unknown, f"nobody defines {unknown[0]}" if unknown else "names are known")
    endless = is_recursive(statements, empty.head, seen().self_names)
    yield GateReading(Reason.NO_FIT, not endless, "would call itself without end" if endless else "comes to an end")
    yield parses_no_worse(document.syntax.error_count(), document.syntax.errors_with([edit]))
