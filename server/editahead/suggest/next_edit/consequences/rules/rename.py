"""The rule that completes a rename: `renames/` finds what the names mean."""

from __future__ import annotations

from editahead.suggest.next_edit.consequences.calls.agreeing_renames import follow_renames
from editahead.suggest.next_edit.consequences.renames.edits_in_other_files import SOURCE
from editahead.suggest.next_edit.consequences.rule import ChangeKind, EditRule

RULE = EditRule(
    name=SOURCE,
    when=frozenset({ChangeKind.NAME_REPLACED}),
    generate=follow_renames,
    you="rename a name",
    follows=(
        "its other uses, from the cursor downwards and then from the top; of an exported name also those in files that "
        "import it and are not open (Python, TypeScript, JavaScript, Java); in open files also what overrides or "
        "implements a method, members behind objects of its class and in object literals of its type (TypeScript), "
        "attributes of a component (JSX), calls of an extension method (C#), packages and namespaces (Go, Rust, C#), "
        "its header or source and what includes it (C, C++), and keyword "
        "arguments (Python)"
    ),
    examples=("def f(«width>size»):\n    a = 1\n    return g(‹width>size›)\n",),
    elsewhere=True,
)
