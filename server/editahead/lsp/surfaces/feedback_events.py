"""Handlers of feedback notifications: items shown, partly accepted or rejected."""

from __future__ import annotations

from editahead.lsp.context import ServerContext
from editahead.lsp.rpc import params
from editahead.lsp.rpc.params import Raw


def did_focus(context: ServerContext, raw: Raw) -> None:
    """Handle `textDocument/didFocus` (`{}` when no document has the focus). Nothing depends on it yet."""


def did_show(context: ServerContext, raw: Raw) -> None:
    """Handle `textDocument/didShowInlineEdit` and `textDocument/didShowCompletion`."""
    context.session.feedback.count_shown(params.item_id(raw))


def did_partially_accept(context: ServerContext, raw: Raw) -> None:
    """Handle `textDocument/didPartiallyAcceptCompletion`."""
    context.session.feedback.count_partly_accepted(params.item_id(raw))


def did_reject(context: ServerContext, raw: Raw) -> None:
    """Handle `editahead/didReject`: `{"id": ...}`, or an item as in the other notifications."""
    context.session.feedback.count_rejected(params.item_id(raw))
