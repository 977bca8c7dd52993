"""Notifications of what the client did with the items: shown, accepted in part, rejected."""

from __future__ import annotations

from editahead.lsp import params
from editahead.lsp.context import Context
from editahead.lsp.params import Raw


def did_focus(context: Context, raw: Raw) -> None:
    """`textDocument/didFocus`: `{}` when no document has the focus. Nothing depends on it yet."""


def did_show(context: Context, raw: Raw) -> None:
    """`textDocument/didShowInlineEdit` and `textDocument/didShowCompletion`."""
    context.session.feedback.shown(params.item_id(raw))


def did_partially_accept(context: Context, raw: Raw) -> None:
    """`textDocument/didPartiallyAcceptCompletion`."""
    context.session.feedback.partly_accepted(params.item_id(raw))


def did_reject(context: Context, raw: Raw) -> None:
    """`editahead/didReject`: `{"id": ...}`, or an item as the other notifications carry it."""
    context.session.feedback.rejected(params.item_id(raw))
