"""Code actions for repeated edits, fixes and function bodies (`textDocument/codeAction`).

They apply a repeated edit to all places above the threshold, fix the lines at the cursor, and write missing bodies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from editahead.lsp.documents.open_files import OpenFiles
from editahead.lsp.inference.jobs import EngineLike
from editahead.lsp.rpc import params
from editahead.lsp.rpc.params import BadParams, JsonValue, Raw
from editahead.lsp.rpc.protocol_types import CodeAction, WorkspaceEdit
from editahead.lsp.session import OpenDocument
from editahead.lsp.surfaces.next_edits import RebasedEdit, rebased_edits, text_edit, with_unopened
from editahead.lsp.surfaces.surface_context import SurfaceContext
from editahead.suggest.types import Decision, Fixes, NextEdits, Reason, RequestedEdit, Shown, Suppressed, WrittenBodies
from editahead.text.edits import ByteEdit
from editahead.text.line_ends import in_own_line_ends
from editahead.text.percent import percent

if TYPE_CHECKING:
    from editahead.runtime.ort import Cancel

REPEAT_KIND = "refactor.rewrite"  # continues a repeated edit
FIX_KIND = "quickfix"
BODY_KIND = "refactor.rewrite.body"  # writes a function from its description
INVOKED = 1  # CodeActionTriggerKind: by hand; 2 (Automatic) is sent at every move of the cursor
MAX_TITLE = 60
RENAME = "rename"  # the source of edits that finish a renaming


class RequestedKinds(NamedTuple):
    """The kinds of code actions that are computed for a request."""

    repeats: bool
    fixes: bool
    bodies: bool


class Decisions(NamedTuple):
    """The engine's decision for each kind; None for a kind that was not requested."""

    repeats: Decision[NextEdits] | None
    fixes: Decision[Fixes] | None
    bodies: Decision[WrittenBodies] | None


def code_action(context: SurfaceContext, raw: Raw) -> object:
    """Answer `textDocument/codeAction`.

    `Apply the same change to N more places` where sites meet the threshold, `Suggest a fix` for a request by hand or
    in lines with diagnostics, and `Write this function from its description` for a request by hand in a function
    without a body. Raises BadParams.
    """
    uri = params.text(raw, "textDocument.uri")
    where = params.span(raw, "range")
    if where is None:
        raise BadParams("range must be a range")
    wanted = _requested_kinds(raw)
    if not context.client.capabilities.code_action_literals or not any(wanted):
        return []
    opened = context.gate(uri, params.optional_integer(raw, "textDocument.version"), where[:2])
    if isinstance(opened, Suppressed):
        return context.empty(opened)
    start = context.session.byte(opened, where[0], where[1])
    end = max(start, context.session.byte(opened, where[2], where[3]))
    files = context.open_files(opened, start)
    unopened = context.client.capabilities.document_changes  # else no version indicates that a file is not open

    def run(engine: EngineLike, cancel: Cancel) -> Decisions | Suppressed:
        document = replace(context.without_excluded(files.snapshot.document), idle=_is_invoked(raw), only_sure=True)
        repeats = engine.next_edits(document, start, cancel) if wanted.repeats else None
        if repeats is not None and unopened:
            repeats = with_unopened(repeats, engine.next_edits_unopened(document, start, cancel))
        outcomes = Decisions(
            repeats,
            engine.fixes(document, start, end, cancel) if wanted.fixes else None,
            engine.bodies(document, start, cancel) if wanted.bodies else None,
        )
        cancel.check()  # after a preemption the whole is repeated: a part would look complete
        suppressed = [outcome for outcome in outcomes if isinstance(outcome, Suppressed)]
        return outcomes if any(isinstance(outcome, Shown) for outcome in outcomes) else suppressed[0]

    def answer(outcomes: Decisions) -> list[CodeAction] | Suppressed:
        repeats, fixes, bodies = outcomes
        actions = _repeats(context, files, repeats.value) if isinstance(repeats, Shown) else []
        if isinstance(fixes, Shown):
            above = opened.analysed.buffer.line_at(opened.offset)  # the lines of the cells above this cell
            actions += _fixes(context, files, fixes.value, _diagnostics(raw, fixes.value, above))
        if isinstance(bodies, Shown):
            title = "Write this function from its description"
            body_actions = (_edit(context, files, item, title, BODY_KIND) for item in bodies.value.items)
            actions += [action for action in body_actions if action is not None]
        return actions or Suppressed(Reason.LOW_PROBABILITY, "no place is sure enough")

    return context.ask(files.snapshot, run, answer)


def _is_invoked(raw: Raw) -> bool:
    """Whether the user requested the code actions by hand; true also without a trigger kind."""
    return params.optional_integer(raw, "context.triggerKind") in (None, INVOKED)


def _requested_kinds(raw: Raw) -> RequestedKinds:
    """Return the kinds to compute: no fixes when the cursor only moves through lines without diagnostics."""
    by_hand = _is_invoked(raw)
    return RequestedKinds(
        repeats=_is_kind_requested(raw, REPEAT_KIND),
        fixes=_is_kind_requested(raw, FIX_KIND) and (by_hand or bool(params.field(raw, "context.diagnostics"))),
        bodies=_is_kind_requested(raw, BODY_KIND) and (by_hand or isinstance(params.field(raw, "context.only"), list)),
    )


def _is_kind_requested(raw: Raw, kind: str) -> bool:
    """Whether the client requests this kind of action; without `only` it requests all."""
    only = params.field(raw, "context.only")
    if not isinstance(only, list):
        return True
    return any(prefix == "" or f"{kind}.".startswith(f"{prefix}.") for prefix in only)


def _diagnostics(raw: Raw, fixes: Fixes, above: int) -> list[Mapping[str, JsonValue]]:
    """Return the diagnostics of the request that touch the lines of the fixes, unchanged; `above` lines precede."""
    passed = params.field(raw, "context.diagnostics")
    touching: list[Mapping[str, JsonValue]] = []
    for diagnostic in passed if isinstance(passed, list) else ():
        first = params.optional_integer(diagnostic, "range.start.line")
        last = params.optional_integer(diagnostic, "range.end.line")
        if not isinstance(diagnostic, Mapping) or first is None or last is None:
            continue
        if first + above <= fixes.last and last + above >= fixes.first:
            touching.append(diagnostic)
    return touching


def _repeats(context: SurfaceContext, files: OpenFiles, queue: NextEdits) -> list[CodeAction]:
    """Return an action for each repeated edit with sites above the threshold."""
    sites = [site for site in rebased_edits(files, queue.items) if site.item.sure]
    groups = dict.fromkeys(site.item.group for site in sites)
    return [_repeat(context, files, [site for site in sites if site.item.group == group]) for group in groups]


def _repeat(context: SurfaceContext, files: OpenFiles, sites: list[RebasedEdit]) -> CodeAction:
    """Return a single action for all sites of a repeated edit above the threshold."""
    least = min(site.item.probability for site in sites)
    command = context.offer(sites[0].opened, sites[0].item.group, least, again=True)
    documents = {site.opened.analysed.uri for site in sites}
    where = f" in {len(documents)} files" if len(documents) > 1 else ""
    many = "1 more place" if len(sites) == 1 else f"{len(sites)} more places"
    title = f"Apply the same change to {many}{where}"
    first = sites[0]
    if first.item.source == RENAME:
        old = first.edit.old_bytes(first.opened.buffer.data).decode("utf-8", "replace")
        title = f"Rename `{old}` to `{first.edit.new.decode('utf-8', 'replace')}` in {many}{where}"
        if files.has_other_uses(old):
            title += "; other files may still use it"
    return {
        "title": title,
        "kind": REPEAT_KIND,
        "edit": workspace_edit(context, [(site.opened, site.edit) for site in sites]),
        "command": command,
    }


def _fixes(
    context: SurfaceContext, files: OpenFiles, fixes: Fixes, diagnostics: list[Mapping[str, JsonValue]]
) -> list[CodeAction]:
    """Return an action for each fix that still fits the text."""
    actions = []
    for fix in fixes.items:
        action = _edit(context, files, fix, "Suggest a fix", FIX_KIND)
        if action is not None:
            if diagnostics:
                action["diagnostics"] = list(diagnostics)
            actions.append(action)
    return actions


def _edit(context: SurfaceContext, files: OpenFiles, item: RequestedEdit, title: str, kind: str) -> CodeAction | None:
    """Return an edit of the document as an action; None when it no longer fits the text."""
    now = files.rebase(files.snapshot.document.uri, item.edit)
    if now is None:
        return None
    opened, edit = now
    edit = in_own_line_ends(edit, opened.buffer.data)
    return {
        "title": f"{title} ({percent(item.probability)}): {edit_summary(opened, edit)}",
        "kind": kind,
        "edit": workspace_edit(context, [(opened, edit)]),
        "command": context.offer(opened, item.key, item.probability, again=True),
    }


def edit_summary(opened: OpenDocument, edit: ByteEdit) -> str:
    """Return the first changed line as it would be after the edit; for a pure deletion, the deleted words."""
    after = opened.buffer.apply(edit)
    lines = after.data[edit.start : edit.new_end].decode("utf-8", "replace").strip()
    if not lines:
        gone = opened.buffer.data[edit.start : edit.old_end].decode("utf-8", "replace").split()
        text = f"without {' '.join(gone)}"
    else:
        leading = len(edit.new) - len(edit.new.lstrip())
        text = after.line_text(after.line_at(edit.start + leading)).strip()
    return text if len(text) <= MAX_TITLE else text[: MAX_TITLE - 1].rstrip() + "…"


def workspace_edit(context: SurfaceContext, edits: Sequence[tuple[OpenDocument, ByteEdit]]) -> WorkspaceEdit:
    """Return all edits as a `WorkspaceEdit`, with document versions where the client supports them."""
    documents = {opened.uri: opened for opened, _ in edits}
    in_order = sorted(edits, key=lambda pair: pair[1].start)
    changes = {
        uri: [text_edit(opened, edit, context.session.encoding) for other, edit in in_order if other is opened]
        for uri, opened in documents.items()
    }
    if not context.client.capabilities.document_changes:
        return {"changes": changes}
    return {
        "documentChanges": [
            {"textDocument": {"uri": uri, "version": documents[uri].sent_version}, "edits": each}
            for uri, each in changes.items()
        ]
    }
