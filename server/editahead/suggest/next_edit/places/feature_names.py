"""The names of the features of a line, in the order in which the model of places reads them."""

from __future__ import annotations

from editahead.suggest.next_edit.places.changed_words import KINDS

SOURCES = ("consequence", "repeat", "lines", "network")
RULES = ("unbound", "parameter", "undeclared")
EVIDENCE = (
    *(f"text_{source}" for source in SOURCES), "text_here", "text_near", "texts",
    *(f"rule_{name}" for name in RULES), "rule_other",
)  # fmt: skip
WORDS = (
    *(f"{kind}_rare" for kind in KINDS), *(f"{kind}_share" for kind in KINDS), "call", "call_head", "import_unused",
    "import_wanted", "gone_near",
)  # fmt: skip
LIKENESS = (
    "shape_last", "shape_any", "shape_was", "shape_above", "shape_below", "shape_count", "words_last", "words_most",
    "first_word", "same_indent", "indent_off",
)  # fmt: skip
POSITION = (
    "elsewhere", "from_last", "below", "from_any", "between", "below_all", "above_all", "from_cursor", "same_unit",
    "unit_edits", "head_last", "head_any", "touched", "top", "end_last", "trend", "step", "after_unit", "last_in_unit",
)  # fmt: skip
KIND = ("indent", "comment", "imports", "declares", "after_blank", "before_blank", "length", "call_count")
REQUEST = (
    "changes", "files", "inserts", "deletes", "is_word", "last_lines", "last_head", "last_imports", "last_comment",
    "gone_left", "come_fresh", "texts_best", "rules_best", "lines_count", "pending", "shapes_left", "spread", "units",
    "since_same_unit", "broken",
)  # fmt: skip
POOLED = (
    "text_here", "gone_last_rare", "gone_rare", "come_last_rare", "come_rare", "around_last_rare", "around_rare",
    "called_rare", "sub_rare", "shape_any", "shape_was", "words_last", "words_most",
)  # fmt: skip
"""Features of which a line also has the largest of the lines beside it."""
COMPARED = ("gone_rare", "come_rare", "sub_rare", "words_most", "density", "text_here")
"""Features of which a line also has the distance to the largest of the request."""
FEATURES = (
    *EVIDENCE, *WORDS, *LIKENESS, *POSITION, *KIND, *REQUEST, "density", *(f"beside_{name}" for name in POOLED),
    *(f"lead_{name}" for name in COMPARED),
)  # fmt: skip
COLUMN = {name: number for number, name in enumerate(FEATURES)}
