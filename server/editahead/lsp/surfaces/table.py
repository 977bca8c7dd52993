"""Table of all surfaces, with everything that the server needs of each."""

from __future__ import annotations

from editahead.lsp.surfaces.code_actions import BODY_KIND, FIX_KIND, REPEAT_KIND, code_action
from editahead.lsp.surfaces.completion import PATH_TRIGGERS, completion, resolve
from editahead.lsp.surfaces.explain import explain
from editahead.lsp.surfaces.inline_completion import inline_completion
from editahead.lsp.surfaces.next_edit import copilot_inline_edit, next_edit
from editahead.lsp.surfaces.next_edits import next_edits
from editahead.lsp.surfaces.rank_labels import rank
from editahead.lsp.surfaces.surface_context import SurfaceSpec

SURFACES: tuple[SurfaceSpec, ...] = (
    SurfaceSpec(
        name="completion",
        urgency=0,
        setting="completion",
        deadline="completion_deadline_ms",
        empty=lambda why: {"isIncomplete": True, "items": []},
        engine=("complete",),
        reads_markup=True,
        methods={"textDocument/completion": completion, "completionItem/resolve": resolve},
        capabilities={"completionProvider": {"triggerCharacters": [".", *PATH_TRIGGERS], "resolveProvider": True}},
    ),
    SurfaceSpec(
        name="rank",
        urgency=1,
        setting="completion",
        deadline="completion_deadline_ms",
        empty=lambda why: {"probabilities": None, "reason": why.reason.value, "detail": why.detail},
        engine=("rank",),
        methods={"editahead/rank": rank},
        experimental=("rank",),
    ),
    SurfaceSpec(
        name="inline",
        urgency=2,
        setting="inline_completion",
        deadline="inline_deadline_ms",
        empty=lambda why: {"items": []},  # never null: Neovim would leave old ghost text standing
        engine=("inline", "alternatives"),
        methods={"textDocument/inlineCompletion": inline_completion},
        capabilities={"inlineCompletionProvider": {}},
    ),
    SurfaceSpec(
        name="next_edit",
        urgency=3,
        setting="next_edit",
        deadline="next_edit_deadline_ms",
        empty=lambda why: {"edits": [], "reason": why.reason.value, "detail": why.detail},
        engine=("next_edit", "next_edit_elsewhere", "next_edits_unopened", "next_edit_place"),
        methods={"editahead/nextEdit": next_edit, "textDocument/copilotInlineEdit": copilot_inline_edit},
        experimental=("nextEdit",),
    ),
    SurfaceSpec(
        name="next_edits",
        urgency=4,
        setting="next_edit",
        deadline="next_edit_deadline_ms",
        empty=lambda why: {"items": [], "reason": why.reason.value, "detail": why.detail},
        engine=("next_edits", "next_edits_unopened"),
        methods={"editahead/nextEdits": next_edits},
        experimental=("nextEdits",),
    ),
    SurfaceSpec(
        name="code_action",
        urgency=5,
        setting="next_edit",
        deadline="next_edit_deadline_ms",
        empty=lambda why: [],
        engine=("next_edits", "next_edits_unopened", "fixes", "bodies"),
        methods={"textDocument/codeAction": code_action},
        capabilities={"codeActionProvider": {"codeActionKinds": [REPEAT_KIND, FIX_KIND, BODY_KIND]}},
    ),
    SurfaceSpec(
        name="explain",
        urgency=6,
        engine=("explain",),
        methods={"editahead/explain": explain},
        experimental=("explain",),
    ),
)
