"""What the first pass reads with the steps of a language is what it reads when each node is looked at on its own."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest
from editahead.analysis.facts import first_pass
from editahead.analysis.facts.facts import Facts, Step, step_at
from editahead.analysis.facts.first_pass import FactsWalk
from editahead.analysis.facts.unit_layout import layout_of
from editahead.syntax.language import Language
from editahead.syntax.nodes import Grammar, parsed_parts
from editahead.syntax.scope_table import ScopeTable
from editahead.syntax.snapshot import SyntaxSnapshot
from editahead.text.buffer import Buffer

from tests.conformance.languages import languages, sample

ROOT = Path(__file__).parents[2]
OWN_FILES = {
    "python": sorted((ROOT / "server" / "editahead").glob("[bcs]*/*.py")),
    "typescript": sorted((ROOT / "editors" / "vscode" / "src").glob("*.ts")),
    "lua": sorted((ROOT / "editors" / "nvim").glob("**/*.lua")),
}
"""Files of the project by language, beside the sample of each."""

SPECIAL_PARENTS = {
    "python": b"match a:\n    case B(x=1, y=z):\n        pass\n\n\ndef f[T: A](b: T) -> T:\n    return b\n",
    "c_sharp": b"class A { int m(A a, int c) { var b = a with { x = 1 }; var d = new { c, e = c }; return b?.x; } }\n",
    "go": b"package p\n\ntype A struct {\n\tB\n\tC[D]\n}\n",
    "cpp": b"struct A { int b; A(int c) : b(c) {} };\nnamespace n { int d; }\nint e = n::d;\n",
    "typescript": b"const { a: b, c = d } = e;\nexport { b, c as f };\nlet g = { b, c };\n",
    "tsx": b"const a = <input b={c} />;\nconst d = <E f={c} />;\n",
    "javascript": b"const { a: b, c = d } = e;\nexport { b, c as f };\nlet g = { b, c };\n",
    "lua": b"local a = { [b] = c, d = e }\n",
}
"""Names of which the node around them says more than its edge, for languages whose other texts have few of them."""


def texts(language: Language) -> list[bytes]:
    """The sample of a language and files of the project, whole and cut off in the middle."""
    rows = [sample(language).encode(), *(path.read_bytes() for path in OWN_FILES.get(language.id, ()))]
    rows.append(SPECIAL_PARENTS.get(language.id, b""))
    return [*rows, *(data[: len(data) // 2] for data in rows[:5])]


def facts_in(data: bytes, language: Language) -> list[Facts]:
    """The facts of all units of a text."""
    assert language.scopes is not None
    parts = parsed_parts(SyntaxSnapshot.open(Buffer(data), language))
    shapes = [shape for part in parts for shape in layout_of(part, language.scopes).units]
    return [FactsWalk(one.part, one.node, one.table, one.kind, one.header_end).finish() for one in shapes]


@pytest.mark.slow
@pytest.mark.parametrize("language", languages(), ids=lambda language: language.id)
def test_steps_say_what_the_nodes_say(language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    below: dict[str, dict[int, Step]] = defaultdict(dict)

    def undecided_step(table: ScopeTable, grammar: Grammar, parent: str, field: str | None, kind: str) -> Step:
        step = step_at(table, grammar, parent, field, kind)._replace(is_plain=False, is_member=False, below=below[kind])
        return step._replace(edge=None, is_holder=True, opens=True) if parent else step

    compared = 0
    for data in texts(language):
        expected = facts_in(data, language)
        with monkeypatch.context() as patch:
            patch.setattr(first_pass, "step_at", undecided_step)
            assert facts_in(data, language) == expected
        compared += sum(len(facts.occurrences) for facts in expected)
    assert compared > 40
    assert below
